//===- ImportRegions.cpp - MIL's crop_resize ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes that are known are products with a matrix for the rows and one for the
// columns. Computed ones are the host's (HostSampling.cpp).
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

SmallVector<int64_t> Regions::resultShape() const {
  ArrayRef<int64_t> in = shapeOf(x);
  SmallVector<int64_t> shape = {count};
  if (!isFlat)
    shape.push_back(ofAllImages() ? in[0] : 1);
  shape.append({in[1], sizes[0], sizes[1]});
  return shape;
}

/// Which samples and which corners; false after an error.
static bool readModes(Statement &s, Regions &regions) {
  StringRef mode = s.string("sampling_mode", "DEFAULT");
  // coremltools misspells it.
  StringRef corners = s.string("box_coordinate_mode", "CONRNERS_HEIGHT_FIRST");
  if (s.failed())
    return false;
  bool isStrict = mode == "STRICT_ALIGN_CORNERS";
  regions.isOffset = mode == "OFFSET_CORNERS";
  bool isWidthFirst = corners == "CORNERS_WIDTH_FIRST";
  regions.isHeightFirst = !isWidthFirst;
  bool isOne = regions.sizes[0] == 1 || regions.sizes[1] == 1;
  if (mode != "ALIGN_CORNERS" && !isStrict && !regions.isOffset)
    s.error() << "sampling_mode is '" << mode
              << "', and its sample positions in a box are not known; use "
                 "ALIGN_CORNERS, STRICT_ALIGN_CORNERS or OFFSET_CORNERS";
  else if (isStrict && isOne)
    s.error() << "samples one pixel with STRICT_ALIGN_CORNERS, whose position "
                 "is not defined; use ALIGN_CORNERS";
  else if (!isWidthFirst && corners != "CORNERS_HEIGHT_FIRST" &&
           corners != "CONRNERS_HEIGHT_FIRST")
    s.error() << "box_coordinate_mode is '" << corners
              << "', but must be CORNERS_HEIGHT_FIRST or CORNERS_WIDTH_FIRST; "
                 "compute the corners first";
  return !s.failed();
}

std::optional<Regions> mlir::ane::readRegions(Statement &s) {
  Regions regions;
  regions.x = s.tensor("x");
  regions.isFlat = s.has("boxes");
  regions.argument = regions.isFlat ? "boxes" : "roi";
  SmallVector<int64_t> shape = s.declaredShape(regions.argument);
  regions.sizes[0] = s.integer("target_height", 1);
  regions.sizes[1] = s.integer("target_width", 1);
  bool isNormalized = s.boolean("normalized_coordinates", false);
  double scale = s.number("spatial_scale", 1.0);
  regions.padding = s.number("pad_value", 0.0);
  if (s.failed())
    return std::nullopt;
  bool isRegion = shape.size() == 5 && shape[1] == 1 &&
                  (shape[2] == 4 || shape[2] == 5) && shape[3] == 1 &&
                  shape[4] == 1;
  bool isBox = shape.size() == 2 && shape[1] == 4;
  ArrayRef<int64_t> in = shapeOf(regions.x);
  if (in.size() != 4 || !(regions.isFlat ? isBox : isRegion) || shape[0] < 1 ||
      shape[0] > maxFactors) {
    s.error() << "has an input of rank " << in.size() << " and boxes of rank "
              << shape.size()
              << ", but must have images of rank 4, and boxes as 'boxes' "
                 "(N x 4) or 'roi' (N x 1 x 4 x 1 x 1, or 5 numbers)";
    return std::nullopt;
  }
  regions.count = shape[0];
  regions.fields = regions.isFlat ? 4 : shape[2];
  for (int axis : {0, 1}) {
    if (regions.sizes[axis] < 1 || regions.sizes[axis] > maxFactors) {
      s.error() << "makes images of " << regions.sizes[0] << " x "
                << regions.sizes[1] << ", but both must be in [1, "
                << maxFactors << "]";
      return std::nullopt;
    }
    regions.scale[axis] = scale * (isNormalized ? double(in[2 + axis] - 1) : 1);
  }
  if (regions.isFlat && !s.has("box_indices") && regions.count > in[0]) {
    s.error() << "has " << regions.count << " boxes and no 'box_indices', but "
              << in[0] << " images";
    return std::nullopt;
  }
  if (!readModes(s, regions))
    return std::nullopt;
  return regions;
}

namespace {
/// The samples of a box along an axis, as a product.
struct Samples {
  Value matrix; // samples x pixels
  std::vector<float> inside;
};
} // namespace

static Samples samplesOf(Statement &s, const Regions &regions, int axis,
                         ArrayRef<float> box) {
  int64_t in = shapeOf(regions.x)[2 + axis], out = regions.sizes[axis];
  double start = box[regions.startOf(axis)] * regions.scale[axis];
  double span = box[regions.endOf(axis)] * regions.scale[axis] - start;
  if (regions.isOffset)
    span = std::max(span, 1.0);
  Samples samples{Value(), std::vector<float>(out, 0)};
  std::vector<float> matrix(out * in, 0);
  for (int64_t i = 0; i < out; ++i) {
    double place = start + span * regions.shareOf(axis, i);
    if (!(place >= 0 && place <= double(in - 1)))
      continue;
    auto low = static_cast<int64_t>(place);
    double share = place - double(low);
    samples.inside[i] = 1;
    matrix[i * in + low] = static_cast<float>(1 - share);
    if (share > 0)
      matrix[i * in + low + 1] = static_cast<float>(share);
  }
  samples.matrix = s.constantOf({1, 1, out, in}, matrix);
  return samples;
}

static Value cropAndResize(Statement &s, const Regions &regions, Value image,
                           ArrayRef<float> box) {
  Samples rows = samplesOf(s, regions, 0, box),
          columns = samplesOf(s, regions, 1, box);
  Value y = s.matmul(rows.matrix, image, false, false);
  y = s.matmul(y, columns.matrix, false, /*transposeRhs=*/true);
  std::vector<float> around;
  for (float row : rows.inside)
    for (float column : columns.inside)
      around.push_back(row * column == 0 ? regions.padding : 0);
  if (llvm::all_of(around, [](float value) { return value == 0; }))
    return y;
  return s.binary(
      ElementwiseKind::Add, y,
      s.constantOf({1, 1, regions.sizes[0], regions.sizes[1]}, around));
}

/// The image of each box; none for those of all images.
static SmallVector<int64_t> imagesOf(Statement &s, const Regions &regions,
                                     ArrayRef<float> boxes) {
  SmallVector<int64_t> images;
  if (regions.ofAllImages())
    return images;
  if (regions.isFlat && s.has("box_indices"))
    images = s.fixedIntegers("box_indices", regions.count, {}, 0,
                             shapeOf(regions.x)[0] - 1);
  else
    for (int64_t i = 0; i < regions.count; ++i)
      images.push_back(regions.isFlat ? i : static_cast<int64_t>(boxes[i * 5]));
  for (int64_t image : images)
    if (!s.failed() && (image < 0 || image >= shapeOf(regions.x)[0]))
      s.error() << "takes a box of image " << image << ", but there are "
                << shapeOf(regions.x)[0];
  return images;
}

static Value importCropResize(Statement &s) {
  constexpr int64_t maxBoxes = 256;
  std::optional<Regions> regions = readRegions(s);
  if (!regions)
    return {};
  ArrayRef<int64_t> in = shapeOf(regions->x);
  std::vector<float> boxes = s.numbers(regions->argument);
  if (s.failed())
    return {};
  if (static_cast<int64_t>(boxes.size()) != regions->count * regions->fields ||
      !llvm::all_of(boxes, [](float n) { return std::isfinite(n); })) {
    s.error() << "has boxes that are no finite numbers";
    return {};
  }
  int64_t largest = std::max(in[2], in[3]);
  if (regions->count > maxBoxes ||
      std::max(regions->sizes[0], regions->sizes[1]) >
          maxFactors / maxBoxes / largest) {
    s.error() << "takes " << regions->count << " boxes to " << regions->sizes[0]
              << " x " << regions->sizes[1] << " pixels, but at most "
              << maxBoxes << " boxes, and matrices of " << maxFactors / maxBoxes
              << " factors, can be imported; crop fewer at a time";
    return {};
  }
  SmallVector<int64_t> images = imagesOf(s, *regions, boxes);
  SmallVector<Value> parts;
  SmallVector<int64_t> shape = regions->resultShape();
  shape[0] = 1;
  for (int64_t i = 0; i < regions->count && !s.failed(); ++i) {
    ArrayRef<float> box =
        ArrayRef<float>(boxes).slice(i * regions->fields, regions->fields);
    Value image =
        images.empty() ? regions->x : s.sliceAxis(regions->x, 0, images[i], 1);
    Value part = cropAndResize(s, *regions, image, box);
    if (part)
      parts.push_back(s.reshape(part, shape));
  }
  if (s.failed())
    return {};
  return parts.size() == 1 ? parts.front() : s.concat(parts, 0);
}

void mlir::ane::addMILRegionImport(MILImporter &importer) {
  importer.add("crop_resize", importCropResize);
}
