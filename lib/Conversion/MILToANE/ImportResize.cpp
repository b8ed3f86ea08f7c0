//===- ImportResize.cpp - MIL operations that resize images ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images of another size, whose pixels lie where the operation says: copies,
// bilinear samples, products with matrices.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "llvm/ADT/SmallVectorExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

namespace {
enum class Sampling { AlignCorners, HalfPixel, Asymmetric };
enum class Nearest { ToEdge, ToCentre };
} // namespace

/// The pixel in the middle of a dimension, or the mean of the two there.
static Value takeMiddle(Statement &s, Value x, int64_t axis) {
  int64_t size = shapeOf(x)[axis];
  if (size % 2)
    return s.sliceAxis(x, axis, size / 2, 1);
  return s.reduce(ReduceKind::Mean, s.sliceAxis(x, axis, size / 2 - 1, 2),
                  axis);
}

static Value emitBilinear(Statement &s, Value x, int64_t rows, int64_t columns,
                          Sampling sampling) {
  // With aligned corners a single pixel lies in the middle.
  if (sampling == Sampling::AlignCorners && rows == 1)
    x = takeMiddle(s, x, 2);
  if (sampling == Sampling::AlignCorners && columns == 1)
    x = takeMiddle(s, x, 3);
  if (s.failed())
    return {};
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[2] = rows;
  shape[3] = columns;
  return ResizeOp::create(
      s.getBuilder(), s.getLoc(), withShape(type, shape), ResizeMode::Bilinear,
      x, sampling == Sampling::AlignCorners, sampling == Sampling::HalfPixel);
}

/// The pixel that result pixel `place` is: by its upper edge, floor(i * in /
/// out), or by its centre, floor((i + 1/2) * in / out).
///
/// By the edge is upsample_nearest_neighbor, by the centre are
/// resize_nearest_neighbor and resize: seen in tests of coremltools, which run
/// on Core ML (two rows as three are the first, the second, the second:
/// mil/ops/tests/iOS17/test_image_resizing.py, test_resize_nearest_neighbor;
/// and TensorFlow's ResizeNearestNeighbor becomes the former without, the
/// latter with half_pixel_centers, for 10 to 25, 20 to 30 and 10 to 2:
/// frontend/tensorflow2/test/test_v2_ops.py). There, one pixel of two is not
/// TensorFlow's second; that it is the first of any number is a guess.
static int64_t nearestPixel(int64_t place, int64_t in, int64_t out,
                            Nearest nearest) {
  if (nearest == Nearest::ToEdge || out == 1)
    return place * in / out;
  return (2 * place + 1) * in / (2 * out);
}

/// Whole factors are copies of each pixel.
static Value emitNearest(Statement &s, Value x, int64_t rows, int64_t columns,
                         Nearest nearest) {
  int64_t sizes[] = {rows, columns};
  SmallVector<int64_t> shape(shapeOf(x));
  for (unsigned i : {0u, 1u}) {
    int64_t in = shape[2 + i], out = sizes[i];
    if (out % in == 0) {
      shape[2 + i] = out;
      continue;
    }
    if (out > maxFactors) {
      s.error() << "has " << out << " pixels along a dimension, but at most "
                << maxFactors << " can be places of others";
      return {};
    }
    x = takeAt(
        s, x, 2 + i,
        llvm::map_to_vector(llvm::seq<int64_t>(0, out), [&](int64_t place) {
          return nearestPixel(place, in, out, nearest);
        }));
    if (!x)
      return {};
    shape[2 + i] = out;
  }
  if (shapeOf(x) == ArrayRef(shape))
    return x;
  return ResizeOp::create(s.getBuilder(), s.getLoc(),
                          withShape(x.getType(), shape), ResizeMode::Nearest, x,
                          /*align_corners=*/false,
                          /*half_pixel=*/true);
}

/// What `resize` makes of the argument 'x', whose last two dimensions are rows
/// and columns.
static Value resizeImages(Statement &s, function_ref<Value(Value)> resize) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), image = shape;
  if (shape.size() < 3) {
    s.error() << "has an input of rank " << shape.size()
              << ", but must have one of rank 3 or more";
    return {};
  }
  // Leading dimensions are images and channels.
  while (image.size() > 4) {
    image[1] *= image[0];
    image.erase(image.begin());
  }
  if (shape.size() != 4)
    image.insert(image.begin(), 4 - image.size(), 1);
  Value y = resize(s.reshape(x, image));
  if (!y)
    return {};
  llvm::copy(shapeOf(y).take_back(2), shape.end() - 2);
  return s.reshape(y, shape);
}

/// The size that a factor gives; a fractional one is rounded down. The product
/// is of f32, as the factor: 10 by 0.7 is 7.
static int64_t scaledSize(Statement &s, StringRef argument, int64_t size) {
  float factor = s.number(argument, 1.0);
  float result = std::floor(float(size) * factor);
  if (!s.failed() && !(factor > 0 && result >= 1 && result <= maxMILExtent))
    s.error() << "argument '" << argument << "' is " << factor
              << ", but must be positive and leave a pixel";
  return s.failed() ? 1 : static_cast<int64_t>(result);
}

static Value upsampleNearest(Statement &s, Value x) {
  int64_t rows = scaledSize(s, "scale_factor_height", shapeOf(x)[2]);
  int64_t columns = scaledSize(s, "scale_factor_width", shapeOf(x)[3]);
  return s.failed() ? Value()
                    : emitNearest(s, x, rows, columns, Nearest::ToEdge);
}

static Value upsampleBilinear(Statement &s, Value x) {
  int64_t rows = scaledSize(s, "scale_factor_height", shapeOf(x)[2]);
  int64_t columns = scaledSize(s, "scale_factor_width", shapeOf(x)[3]);
  bool corners = s.boolean("align_corners", true);
  bool halfPixel = s.boolean("half_pixel_centers", !corners);
  if (s.failed())
    return {};
  if (corners && halfPixel) {
    s.error() << "has both align_corners and half_pixel_centers, but at most "
                 "one may place the samples";
    return {};
  }
  return emitBilinear(s, x, rows, columns,
                      corners     ? Sampling::AlignCorners
                      : halfPixel ? Sampling::HalfPixel
                                  : Sampling::Asymmetric);
}

static int64_t targetSize(Statement &s, StringRef argument,
                          std::optional<int64_t> otherwise) {
  int64_t size = s.integer(argument, otherwise);
  if (!s.failed() && (size < 1 || size > maxMILExtent))
    s.error() << "argument '" << argument << "' is " << size
              << ", but must be positive";
  return s.failed() ? 1 : size;
}

static Value resizeNearest(Statement &s, Value x) {
  int64_t rows = targetSize(s, "target_size_height", {});
  int64_t columns = targetSize(s, "target_size_width", {});
  return s.failed() ? Value()
                    : emitNearest(s, x, rows, columns, Nearest::ToCentre);
}

/// Bilinear along `axis` at (i + 1/2) * max(1, in - 1) / out, as a product with
/// a matrix.
static Value sampleOffset(Statement &s, Value x, int64_t axis, int64_t out) {
  if (!x)
    return {};
  int64_t in = shapeOf(x)[axis];
  if (out > maxFactors / in) {
    s.error() << "samples " << in << " pixels at " << out
              << " places, but the product of the two must be at most "
              << maxFactors;
    return {};
  }
  std::vector<float> matrix(out * in, 0);
  for (int64_t i = 0; i < out; ++i) {
    double place = (i + 0.5) * double(std::max<int64_t>(1, in - 1)) / out;
    place = std::min(place, double(in - 1));
    auto low = static_cast<int64_t>(place);
    float share = place - low;
    matrix[i * in + low] = 1 - share;
    if (share != 0)
      matrix[i * in + low + 1] = share;
  }
  Value weights = s.constantOf({1, 1, out, in}, matrix);
  return axis == 2 ? s.matmul(weights, x, false, false)
                   : s.matmul(x, weights, false, /*transposeRhs=*/true);
}

/// Bilinear with the positions that 'sampling_mode' says.
static Value emitSampled(Statement &s, Value x, int64_t rows, int64_t columns) {
  StringRef mode = s.string("sampling_mode", "DEFAULT");
  if (s.failed())
    return {};
  // i * (in - in / out) / (out - 1) is i * in / out.
  if (mode == "DEFAULT")
    return emitBilinear(s, x, rows, columns, Sampling::Asymmetric);
  if (mode == "STRICT_ALIGN_CORNERS" || mode == "ALIGN_CORNERS") {
    // They differ where there is one pixel to place.
    bool single =
        (rows == 1 && shapeOf(x)[2] > 1) || (columns == 1 && shapeOf(x)[3] > 1);
    if (mode == "ALIGN_CORNERS" || !single)
      return emitBilinear(s, x, rows, columns, Sampling::AlignCorners);
    s.error() << "samples one pixel with STRICT_ALIGN_CORNERS, whose position "
                 "is not defined; use ALIGN_CORNERS";
    return {};
  }
  if (mode == "UNALIGN_CORNERS")
    return emitBilinear(s, x, rows, columns, Sampling::HalfPixel);
  if (mode == "OFFSET_CORNERS")
    return sampleOffset(s, sampleOffset(s, x, 2, rows), 3, columns);
  s.error() << "sampling_mode is '" << mode
            << "', but must be DEFAULT, STRICT_ALIGN_CORNERS, ALIGN_CORNERS, "
               "UNALIGN_CORNERS or OFFSET_CORNERS";
  return {};
}

static Value resizeBilinear(Statement &s, Value x) {
  int64_t rows = targetSize(s, "target_size_height", 1);
  int64_t columns = targetSize(s, "target_size_width", 1);
  return s.failed() ? Value() : emitSampled(s, x, rows, columns);
}

// The last one or two dimensions; a size of 0 stays.
static Value resize(Statement &s, Value x) {
  int64_t dims = s.integer("resized_dims");
  SmallVector<int64_t> sizes = s.integers("shape");
  StringRef mode = s.string("interpolation_mode", "LINEAR");
  if (s.failed())
    return {};
  if (dims < 1 || dims > 2 || int64_t(sizes.size()) < dims) {
    s.error() << "resizes " << dims << " dimensions to " << sizes.size()
              << " sizes, but only the last one or two can be resized";
    return {};
  }
  int64_t target[] = {shapeOf(x)[2], shapeOf(x)[3]};
  for (int64_t i = 0; i < dims; ++i) {
    int64_t size = sizes[sizes.size() - 1 - i];
    if (size < 0 || size > maxMILExtent) {
      s.error() << "argument 'shape' has the element " << size
                << ", but must have sizes, or 0 for what stays";
      return {};
    }
    if (size != 0)
      target[1 - i] = size;
  }
  if (mode == "NEAREST_NEIGHBOR") {
    StringRef sampling = s.string("sampling_mode", "DEFAULT");
    if (sampling == "DEFAULT" || s.failed())
      return s.failed()
                 ? Value()
                 : emitNearest(s, x, target[0], target[1], Nearest::ToCentre);
    s.error() << "has the sampling_mode '" << sampling
              << "', but which pixel is nearest is known for DEFAULT only";
    return {};
  }
  if (mode == "LINEAR")
    return emitSampled(s, x, target[0], target[1]);
  s.error() << "interpolation_mode is '" << mode
            << "', but must be LINEAR or NEAREST_NEIGHBOR";
  return {};
}

void mlir::ane::addMILResizeImport(MILImporter &importer) {
  auto addResize = [&](StringRef name, Value (*handler)(Statement &, Value)) {
    importer.add(name, [handler](Statement &s) {
      return resizeImages(s, [&](Value image) { return handler(s, image); });
    });
  };
  addResize("resize", resize);
  addResize("resize_bilinear", resizeBilinear);
  addResize("resize_nearest_neighbor", resizeNearest);
  addResize("upsample_bilinear", upsampleBilinear);
  addResize("upsample_nearest_neighbor", upsampleNearest);
}
