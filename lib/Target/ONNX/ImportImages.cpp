//===- ImportImages.cpp - Blocks of pixels and other sizes ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

static ImportFn blocks(bool toSpace) {
  return [toSpace](NodeImporter &node) -> LogicalResult {
    Value x = node.input(0);
    SmallVector<int64_t> shape = node.shapeOf(x);
    int64_t block = node.integer("blocksize", 0);
    bool divides = shape.size() == 4 && block > 0 && block < (1 << 12) &&
                   (toSpace ? shape[1] % (block * block) == 0
                            : shape[2] % block == 0 && shape[3] % block == 0);
    if (!divides)
      return node.error() << "has a block of " << block
                          << ", which does not divide its input";
    StringRef mode = toSpace ? node.string("mode", "DCR") : "DCR";
    if (toSpace) {
      shape[1] /= block * block;
      shape[2] *= block;
      shape[3] *= block;
    } else {
      shape[1] *= block * block;
      shape[2] /= block;
      shape[3] /= block;
    }
    // Channels of a pixel outside their blocks, or inside.
    if (toSpace && mode == "CRD")
      return node.set(node.emit(
          "pixel_shuffle", {{"x", x}, {"upscale_factor", node.integer(block)}},
          node.dataTypeOf(x), shape));
    return node.set(node.emit(toSpace ? "depth_to_space" : "space_to_depth",
                              {{"x", x}, {"block_size", node.integer(block)}},
                              node.dataTypeOf(x), shape));
  };
}

namespace {
struct Sampling {
  StringRef mode, coordinates, nearest;
  double cubic = -0.75;
  bool excludesOutside = false;
  double outside = 0;           ///< of tf_crop_and_resize
  SmallVector<double> roi = {}; ///< starts, then ends, of all dimensions
};

/// What an element of a result is made of: places and weights.
using Taps = SmallVector<std::pair<int64_t, double>, 4>;
} // namespace

// Where in x element `i` of `to` lies, whose scale is that of the attribute and
// not always to / from. In f32, as runtimes of ONNX compute it: 3 / (1/3) is 9
// there, and a pixel before it in f64.
static float sourceOf(const Sampling &sampling, float i, float from, float to,
                      float scale, int64_t dim, int64_t rank) {
  StringRef c = sampling.coordinates;
  if (c == "asymmetric")
    return i / scale;
  if (c == "align_corners")
    return to == 1 ? 0 : i * (from - 1) / (to - 1);
  if (c == "pytorch_half_pixel" && to == 1)
    return 0;
  if (c == "tf_half_pixel_for_nn")
    return (i + 0.5f) / scale;
  if (c == "tf_crop_and_resize") {
    float start = sampling.roi[dim], end = sampling.roi[rank + dim];
    return to > 1
               ? start * (from - 1) + i * (end - start) * (from - 1) / (to - 1)
               : 0.5f * (start + end) * (from - 1);
  }
  if (c == "half_pixel_symmetric") {
    float adjustment = to / (scale * from);
    return from / 2 * (1 - adjustment) + (i + 0.5f) / scale - 0.5f;
  }
  return (i + 0.5f) / scale - 0.5f;
}

static double cubicWeight(double distance, double a) {
  distance = std::fabs(distance);
  if (distance <= 1)
    return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2)
    return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
  return 0;
}

static Taps tapsOf(const Sampling &sampling, double at, int64_t from) {
  auto inside = [&](int64_t place) {
    return std::clamp<int64_t>(place, 0, from - 1);
  };
  if (sampling.mode == "nearest") {
    StringRef n = sampling.nearest;
    double place = n == "floor"               ? std::floor(at)
                   : n == "ceil"              ? std::ceil(at)
                   : n == "round_prefer_ceil" ? std::floor(at + 0.5)
                                              : std::ceil(at - 0.5);
    return {{inside(place), 1.0}};
  }
  int64_t below = std::floor(at);
  int64_t first = sampling.mode == "linear" ? below : below - 1;
  int64_t count = sampling.mode == "linear" ? 2 : 4;
  Taps taps;
  double sum = 0;
  for (int64_t place = first; place < first + count; ++place) {
    double weight = sampling.mode == "linear"
                        ? 1 - std::fabs(at - place)
                        : cubicWeight(at - place, sampling.cubic);
    if (sampling.excludesOutside && (place < 0 || place >= from))
      weight = 0;
    sum += weight;
    taps.push_back({inside(place), weight});
  }
  if (sampling.excludesOutside)
    for (auto &[place, weight] : taps)
      weight /= sum;
  return taps;
}

// One dimension: elements by their places, or a product with a matrix of
// weights.
static Value resizeDim(NodeImporter &node, const Sampling &sampling, Value x,
                       int64_t dim, int64_t to, float scale) {
  SmallVector<int64_t> shape = node.shapeOf(x);
  int64_t from = shape[dim], rank = shape.size();
  SmallVector<int64_t> places;
  std::vector<double> matrix(from * to, 0);
  bool isOutside = false;
  for (int64_t i = 0; i < to; ++i) {
    double at = sourceOf(sampling, i, from, to, scale, dim, rank);
    // In front of the first element or after the last one of a crop.
    if (sampling.coordinates == "tf_crop_and_resize" &&
        (at < 0 || at > from - 1)) {
      isOutside = true;
      places.push_back(0);
      continue;
    }
    for (auto [place, weight] : tapsOf(sampling, at, from)) {
      places.push_back(place);
      matrix[place * to + i] += weight;
    }
  }
  DataType type = node.dataTypeOf(x);
  shape[dim] = to;
  if (sampling.mode == "nearest" && !isOutside)
    return node.emit("gather",
                     {{"x", x},
                      {"indices", node.integers(places)},
                      {"axis", node.integer(dim)}},
                     type, shape);
  if (isOutside && sampling.outside != 0)
    return {};
  Tensor weights;
  weights.type = type;
  weights.shape = {from, to};
  weights.known = std::make_shared<std::vector<double>>(std::move(matrix));
  // The dimension last, and back.
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(perm[dim], perm[rank - 1]);
  Value rows = node.transpose(x, perm);
  return node.transpose(node.matmul(rows, node.valueOf(weights)), perm);
}

static LogicalResult resize(NodeImporter &node, const Sampling &sampling,
                            ArrayRef<float> scales,
                            std::optional<SmallVector<int64_t>> sizes) {
  if (sampling.mode != "nearest" && sampling.mode != "linear" &&
      sampling.mode != "cubic")
    return node.error() << "has mode '" << sampling.mode
                        << "', but nearest, linear and cubic can be imported";
  static constexpr StringLiteral known[] = {
      "asymmetric",          "align_corners",        "half_pixel",
      "pytorch_half_pixel",  "half_pixel_symmetric", "tf_crop_and_resize",
      "tf_half_pixel_for_nn"};
  if (!llvm::is_contained(known, sampling.coordinates))
    return node.error() << "takes samples by '" << sampling.coordinates
                        << "', which cannot be imported";
  Value x = node.input(0);
  SmallVector<int64_t> from = node.shapeOf(x), shape = from;
  int64_t rank = from.size();
  bool isCrop = sampling.coordinates == "tf_crop_and_resize";
  if (isCrop && int64_t(sampling.roi.size()) != 2 * rank)
    return node.error() << "crops, but has no region for " << rank
                        << " dimensions";
  SmallVector<float> factors(scales.begin(), scales.end());
  bool isExact = true; // all factors are those of the sizes
  SmallVector<int64_t> changed;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isPart =
        isCrop && (sampling.roi[dim] != 0 || sampling.roi[rank + dim] != 1);
    float extent =
        isPart ? float(sampling.roi[rank + dim]) - float(sampling.roi[dim])
               : 1.0f;
    float size = sizes ? (*sizes)[dim]
                       : std::floor(float(from[dim]) * extent * scales[dim]);
    if (!(size >= 1 && size <= (1 << 20)))
      return node.error() << "gives a dimension of " << size;
    shape[dim] = size;
    float whole = float(shape[dim]) / float(from[dim]);
    if (sizes)
      factors[dim] = whole;
    isExact &= factors[dim] == whole;
    if (shape[dim] != from[dim] || factors[dim] != 1 || isPart)
      changed.push_back(dim);
    // (from - 1) / (from * scale - 1) in the tests of ONNX, and of whole sizes
    // in onnxruntime and torch.
    if (sampling.coordinates == "align_corners" && shape[dim] > 1 &&
        std::fabs(double(from[dim]) * factors[dim] - shape[dim]) >
            1e-6 * shape[dim])
      return node.error() << "aligns corners of " << from[dim]
                          << " elements by a scale of " << factors[dim]
                          << ", which gives no whole size; what is then the "
                             "last element is read in two ways: give 'sizes'";
  }
  if (changed.empty())
    return node.forward(0);
  // What MIL has an operation for: the last two dimensions of an image.
  StringRef c = sampling.coordinates;
  bool isImage = rank == 4 && shape[0] == from[0] && shape[1] == from[1];
  bool isWhole =
      isImage && isExact && shape[2] % from[2] == 0 && shape[3] % from[3] == 0;
  DataType type = node.dataTypeOf(x);
  bool isRepeated =
      isWhole && sampling.mode == "nearest" &&
      ((c == "asymmetric" && sampling.nearest == "floor") ||
       (c == "half_pixel" && sampling.nearest.starts_with("round_prefer")));
  if (isRepeated)
    return node.set(
        node.emit("upsample_nearest_neighbor",
                  {{"x", x},
                   {"scale_factor_height",
                    node.number(DataType::Float, double(shape[2]) / from[2])},
                   {"scale_factor_width",
                    node.number(DataType::Float, double(shape[3]) / from[3])}},
                  type, shape));
  StringRef mode = c == "align_corners" ? "STRICT_ALIGN_CORNERS"
                   : c == "asymmetric"  ? "DEFAULT"
                   : c == "half_pixel"  ? "UNALIGN_CORNERS"
                                        : "";
  if (isImage && sampling.mode == "linear" && !mode.empty() && isExact &&
      !sampling.excludesOutside)
    return node.set(node.emit("resize_bilinear",
                              {{"x", x},
                               {"target_size_height", node.integer(shape[2])},
                               {"target_size_width", node.integer(shape[3])},
                               {"sampling_mode", node.string(mode)}},
                              type, shape));
  for (int64_t dim : changed) {
    // A matrix of weights, which has to be of a size that can be.
    constexpr int64_t limit = int64_t(1) << 24;
    if (from[dim] * shape[dim] > limit)
      return node.error() << "resizes " << from[dim] << " to " << shape[dim]
                          << " elements by a matrix, which is too large";
    x = resizeDim(node, sampling, x, dim, shape[dim], factors[dim]);
    if (!x)
      return node.error() << "extrapolates by " << sampling.outside
                          << ", but 0 can be imported";
  }
  return node.set(x);
}

static LogicalResult importResize(NodeImporter &node) {
  bool isOld = node.opset < 11; // asymmetric, as Upsample
  Sampling sampling = {
      node.string("mode", "nearest"),
      isOld ? StringRef("asymmetric")
            : node.string("coordinate_transformation_mode", "half_pixel"),
      isOld ? StringRef("floor")
            : node.string("nearest_mode", "round_prefer_floor")};
  sampling.cubic = node.number("cubic_coeff_a", -0.75);
  sampling.excludesOutside = node.integer("exclude_outside", 0);
  sampling.outside = node.number("extrapolation_value", 0);
  if (!isOld && sampling.coordinates == "tf_crop_and_resize") {
    auto roi = node.knownNumbers(1, "roi");
    if (failed(roi))
      return failure();
    sampling.roi = *roi;
  }
  bool isStretched =
      node.string("keep_aspect_ratio_policy", "stretch") == "stretch";
  if (node.integer("antialias", 0))
    return node.error() << "filters against aliasing, which cannot be imported";
  int64_t rank = node.tensor(0).rank();
  unsigned scalesAt = isOld ? 1 : 2;
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (node.hasAttribute("axes")) {
    auto given = node.axes(node.integers("axes"), rank);
    if (failed(given))
      return failure();
    axes = *given;
  }
  SmallVector<float> scales(rank, 1);
  std::optional<SmallVector<int64_t>> sizes;
  if (node.has(scalesAt) && node.tensor(scalesAt).count() > 0) {
    auto known = node.knownNumbers(scalesAt, "scales");
    if (failed(known))
      return failure();
    if (known->size() != axes.size())
      return node.error() << "has " << known->size() << " scales for "
                          << axes.size() << " dimensions";
    for (auto [axis, scale] : llvm::zip(axes, *known))
      scales[axis] = scale;
  } else if (node.has(3)) {
    auto known = node.knownIntegers(3, "sizes");
    if (failed(known))
      return failure();
    if (known->size() != axes.size())
      return node.error() << "has " << known->size() << " sizes for "
                          << axes.size() << " dimensions";
    if (!isStretched)
      return node.error() << "keeps the aspect ratio, which cannot be imported";
    sizes.emplace(node.tensor(0).shape);
    for (auto [axis, size] : llvm::zip(axes, *known))
      (*sizes)[axis] = size;
  } else {
    return node.error() << "has neither scales nor sizes";
  }
  return resize(node, sampling, scales, sizes);
}

// Samples at places that are data, from -1 to 1 of the image.
static LogicalResult importGridSample(NodeImporter &node) {
  Value x = node.input(0), grid = node.input(1);
  SmallVector<int64_t> shape = node.shapeOf(x), places = node.shapeOf(grid);
  if (shape.size() != 4 || places.size() != 4 || places[3] != 2)
    return node.error() << "needs an image and a grid of two coordinates";
  StringRef mode = node.string("mode", "bilinear");
  StringRef padding = node.string("padding_mode", "zeros");
  bool isLinear = mode == "bilinear" || mode == "linear";
  if ((!isLinear && mode != "nearest") || padding == "reflection")
    return node.error() << "samples by '" << mode << "' with '" << padding
                        << "' beyond the border; bilinear and nearest with "
                           "zeros and border can be imported";
  DataType type = node.dataTypeOf(x);
  shape[2] = places[1];
  shape[3] = places[2];
  return node.set(node.emit(
      "resample",
      {{"x", x},
       {"coordinates", grid},
       {"sampling_mode", node.string(isLinear ? "bilinear" : "nearest")},
       {"padding_mode",
        node.string(padding == "zeros" ? "constant" : "border")},
       {"padding_value", node.number(type, 0)},
       {"coordinates_mode", node.string("normalized_minus_one_to_one")},
       {"align_corners", node.boolean(node.integer("align_corners", 0))}},
      type, shape));
}

static LogicalResult importUpsample(NodeImporter &node) {
  SmallVector<float> scales;
  if (const AttributeMessage *attribute =
          node.find("scales", AttributeType::Floats)) {
    scales.assign(attribute->floats.begin(), attribute->floats.end());
  } else {
    auto known = node.knownNumbers(1, "scales");
    if (failed(known))
      return failure();
    scales.assign(known->begin(), known->end());
  }
  if (int64_t(scales.size()) != node.tensor(0).rank())
    return node.error() << "has " << scales.size() << " scales for "
                        << node.tensor(0).rank() << " dimensions";
  return resize(node, {node.string("mode", "nearest"), "asymmetric", "floor"},
                scales, std::nullopt);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

// How many boxes are left is data. Here the result has a row for all that may
// be: those of a batch and class are together, and what no box has is -1. A
// node that uses them would take these for boxes.
static LogicalResult importSuppression(NodeImporter &node) {
  constexpr int64_t maxClasses = 1 << 20;
  Value boxes = node.input(0), scores = node.input(1);
  SmallVector<int64_t> shape = node.shapeOf(boxes), of = node.shapeOf(scores);
  if (shape.size() != 3 || of.size() != 3 || shape[2] != 4 ||
      shape[0] != of[0] || shape[1] != of[2])
    return node.error() << "has boxes of " << mil::describe(shape)
                        << " and scores of " << mil::describe(of);
  StringRef name = node.isUsed(0) ? node.node.outputs.front() : StringRef();
  size_t returned = llvm::count_if(
      node.graph.model.graph.outputs,
      [&](const ValueMessage &output) { return output.name == name; });
  if (!name.empty() && node.graph.uses.lookup(name) > returned)
    return node.error()
           << "has as many rows as data says, here of a fixed number, with -1 "
              "in those that are left; nodes after it would compute with them: "
              "end the model at '"
           << name
           << "' (onnx.utils.extract_model) and do the rest outside of it";
  int64_t count = 0;
  std::optional<double> least;
  double overlap = 0;
  if (node.has(2)) {
    auto known = node.knownIntegers(2, "number of boxes");
    if (failed(known))
      return failure();
    count = known->size() == 1 ? known->front() : 0;
  }
  for (unsigned index : {3, 4}) {
    if (!node.has(index))
      continue;
    auto known = node.knownNumbers(index, "threshold");
    if (failed(known))
      return failure();
    if (known->size() != 1)
      return node.error() << "has " << known->size() << " numbers for a "
                          << "threshold";
    if (index == 3)
      overlap = known->front();
    else
      least = known->front();
  }
  if (count < 1)
    return node.error() << "leaves no box: its result is empty";
  int64_t batches = of[0], classes = of[1], places = of[2];
  if (batches * classes > maxClasses)
    return node.error() << "is for " << batches * classes
                        << " batches and classes, but at most " << maxClasses
                        << " can be";
  count = std::min(count, places);
  if (!node.integer("center_point_box", 0)) {
    SmallVector<int64_t> half = {batches, places, 2};
    Value a = node.slice(boxes, {0, 0, 0}, half);
    Value b = node.slice(boxes, {0, 0, 2}, half);
    Value low = node.binary("minimum", a, b);
    Value high = node.binary("maximum", a, b);
    Value center = node.binary("mul", node.binary("add", low, high), 0.5);
    boxes = node.concat({center, node.binary("sub", high, low)}, 2);
  }
  boxes = node.transpose(boxes, {0, 2, 1});
  if (classes > 1)
    boxes = node.tile(node.reshape(boxes, {batches, 1, 4, places}),
                      {1, classes, 1, 1});
  int64_t all = batches * classes;
  boxes = node.reshape(boxes, {all, 4, places});
  scores = node.reshape(scores, {all, 1, places});
  if (least)
    scores = node.scoresOf(node.binary("greater", scores, *least), scores);
  Value kept = node.suppress(boxes, scores, overlap, count,
                             /*byClass=*/false)[2];
  kept = node.reshape(kept, {all, count, 1});
  SmallVector<int64_t> pairs;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t each = 0; each < classes; ++each)
      pairs.append({batch, each});
  Value which = node.emit("select",
                          {{"cond", node.binary("greater_equal", kept, 0)},
                           {"a", node.integers(pairs, {all, 1, 2})},
                           {"b", node.integers({-1}, {1, 1, 1})}},
                          DataType::Int64, {all, count, 2});
  return node.set(
      node.reshape(node.concat({which, kept}, 2), {all * count, 3}));
}

void onnx::addImageImport(ImportTable &table) {
  table[".DepthToSpace"] = blocks(/*toSpace=*/true);
  table[".GridSample"] = {importGridSample, 2};
  table[".NonMaxSuppression"] = {importSuppression, 2};
  table[".Resize"] = importResize;
  table[".SpaceToDepth"] = blocks(/*toSpace=*/false);
  table[".Upsample"] = importUpsample;
}
