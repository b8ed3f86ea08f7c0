//===- ImportWindows.cpp - MIL convolution, pooling and resizing ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops over windows of an image. One spatial dimension is an image of one row;
// three are a volume (Volume.h).
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/Utils/Padding.h"
#include "ane/Dialect/ANE/Utils/Volume.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// How a window moves over the rows and columns of an image, and over the
/// planes of a volume.
struct Window : VolumeWindow {
  int64_t spatial = 0; // dimensions that the text has: 1, 2 or 3

  bool isVolume() const { return spatial == 3; }
  /// The first dimension that the text has.
  int first() const { return 3 - spatial; }
  /// Of rows and columns only.
  ArrayRef<int64_t> ofImage(const int64_t (&values)[3]) const {
    return ArrayRef(values).drop_front();
  }
  MutableArrayRef<int64_t> padOfImage() {
    return MutableArrayRef(pad).drop_front(2);
  }
  ArrayRef<int64_t> padOfImage() const { return ArrayRef(pad).drop_front(2); }
};
} // namespace

/// `values` for the last dimensions.
static void fillLast(int64_t (&target)[3], ArrayRef<int64_t> values) {
  std::copy(values.begin(), values.end(), std::end(target) - values.size());
}

/// `x`, a tensor with one or more spatial dimensions, as an image or volume.
static Value asImage(Statement &s, Value x) {
  SmallVector<int64_t> shape(shapeOf(x));
  if (shape.size() == 3)
    shape.insert(shape.begin() + 2, 1);
  return s.reshape(x, shape);
}

/// The number of spatial dimensions of `x`, 0 after an error.
static int64_t spatialDims(Statement &s, Value x) {
  int64_t spatial = int64_t(shapeOf(x).size()) - 2;
  if (spatial >= 1 && spatial <= 3)
    return spatial;
  s.error() << "has an input of rank " << spatial + 2
            << ", but must have one to three spatial dimensions behind batch "
               "and channels (rank 3 to 5)";
  return 0;
}

/// Of the planes, rows or columns (0, 1, 2) of `x`, which has them last.
static int64_t sizeAlong(Value x, int axis) {
  ArrayRef<int64_t> shape = shapeOf(x);
  return shape[shape.size() - 3 + axis];
}

/// strides, dilations and the size of the kernel; the padding comes later.
static Window readWindow(Statement &s, Value x, ArrayRef<int64_t> kernel) {
  constexpr int64_t maxStep = 1 << 15;
  Window window;
  window.spatial = spatialDims(s, x);
  if (s.failed())
    return window;
  fillLast(window.kernel, kernel);
  fillLast(window.strides,
           s.fixedIntegers("strides", window.spatial, 1, 1, maxStep));
  fillLast(window.dilations,
           s.fixedIntegers("dilations", window.spatial, 1, 1, maxStep));
  return window;
}

/// Sets the padding that `pad_type` and `pad` say for what `x` is. Half an odd
/// "same" padding more stands behind, with "same_lower" before.
static void readPadding(Statement &s, Window &window, Value x) {
  StringRef type = s.string("pad_type", "valid");
  if (s.failed() || type == "valid")
    return;
  if (type == "custom") {
    auto pad = s.fixedIntegers("pad", 2 * window.spatial, 0, 0, 1 << 20);
    std::copy(pad.begin(), pad.end(), std::end(window.pad) - pad.size());
    return;
  }
  if (type != "same" && type != "same_lower") {
    s.error() << "pad_type is '" << type
              << "', but must be valid, custom, same or same_lower";
    return;
  }
  for (int axis = window.first(); axis < 3; ++axis) {
    int64_t size = sizeAlong(x, axis);
    int64_t out = llvm::divideCeil(size, window.strides[axis]);
    int64_t all = (out - 1) * window.strides[axis] + window.extent(axis) - size;
    all = std::max<int64_t>(all, 0);
    int64_t before = (all + (type == "same_lower")) / 2;
    window.pad[2 * axis] = before;
    window.pad[2 * axis + 1] = all - before;
  }
}

/// The result, an image, with the dimensions that the text has.
static Value fromImage(Statement &s, const Window &window, Value y) {
  if (!y || window.spatial != 1)
    return y;
  ArrayRef<int64_t> shape = shapeOf(y);
  return s.reshape(y, {shape[0], shape[1], shape[3]});
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// The kernel sizes of a weight next to `x`; nothing after an error.
static ArrayRef<int64_t> kernelOf(Statement &s, Value x, Value weight) {
  if (s.failed())
    return {};
  if (shapeOf(x).size() == shapeOf(weight).size() && shapeOf(x).size() > 2)
    return shapeOf(weight).drop_front(2);
  s.error() << "has an input of rank " << shapeOf(x).size()
            << " and a weight of rank " << shapeOf(weight).size()
            << ", but both must have the same rank, 3 to 5";
  return {};
}

/// Whether each dimension of a window of a volume fits into what it moves over.
static bool checkExtents(Statement &s, const Window &window, Value x) {
  for (int axis = 0; axis < 3; ++axis) {
    int64_t size = sizeAlong(x, axis);
    int64_t padded = size + window.pad[2 * axis] + window.pad[2 * axis + 1];
    if (window.extent(axis) <= padded)
      continue;
    s.error() << "has a window of " << window.extent(axis)
              << " elements along axis " << axis << " of the volume, which has "
              << padded << " with its padding";
    return false;
  }
  return true;
}

/// Whether a convolution of a volume is one: its input channels are dimension
/// `inputs` of the weight, 1, or 0 of a transposed one.
static bool checkConv(Statement &s, const Window &window, Value x, Value weight,
                      Value bias, int64_t groups, unsigned inputs) {
  bool isTransposed = inputs == 0;
  if (!s.isConstant(weight)) {
    s.error() << "has a weight that is no constant, but the engine takes "
                 "those of a volume from the program; give it a const";
    return false;
  }
  int64_t channels = shapeOf(x)[1], first = shapeOf(weight)[0];
  int64_t expected = isTransposed ? channels : channels / groups;
  if (groups < 1 || channels % groups || first % groups ||
      shapeOf(weight)[inputs] != expected) {
    s.error() << "has an input of " << channels << " channels in " << groups
              << " groups and a weight of type " << weight.getType();
    return false;
  }
  int64_t outputs = isTransposed ? shapeOf(weight)[1] * groups : first;
  if (bias && (shapeOf(bias).size() != 1 || shapeOf(bias)[0] != outputs)) {
    s.error() << "has a bias of type " << bias.getType() << " for " << outputs
              << " channels";
    return false;
  }
  if (!isTransposed && !checkExtents(s, window, x))
    return false;
  for (int axis = 0; isTransposed && axis < 3; ++axis) {
    int64_t left = window.countTransposed(sizeAlong(x, axis), axis);
    if (left > 0)
      continue;
    s.error() << "cuts off all of the "
              << left + window.pad[2 * axis] + window.pad[2 * axis + 1]
              << " elements along axis " << axis << " of the volume";
    return false;
  }
  if (auto why = checkVolume(shapeOf(x), window, groups, isTransposed)) {
    s.error() << *why;
    return false;
  }
  return true;
}

/// A 1x1 convolution with a weight that is computed: a product of matrices.
static Value convolveByMatmul(Statement &s, Value x, Value weight) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t outputs = shapeOf(weight)[0];
  Value columns = s.reshape(x, {shape[0], shape[1], shape[2] * shape[3]});
  Value matrix = s.reshape(weight, {1, outputs, shape[1]});
  Value y = s.matmul(matrix, columns, false, false);
  return y ? s.reshape(y, {shape[0], outputs, shape[2], shape[3]}) : Value();
}

namespace {
/// What convolutions have in common, in front of their padding.
struct ConvOperands {
  Value x, weight, bias;
  int64_t groups;
  ArrayRef<int64_t> kernel;
  Window window;
  Value image, filter; ///< `x` and `weight`
};
} // namespace

static std::optional<ConvOperands> readConv(Statement &s) {
  Value x = s.tensor("x"), weight = s.tensor("weight");
  Value bias = s.optionalTensor("bias");
  int64_t groups = s.integer("groups", 1);
  ArrayRef<int64_t> kernel = kernelOf(s, x, weight);
  if (s.failed())
    return std::nullopt;
  Window window = readWindow(s, x, kernel);
  if (s.failed())
    return std::nullopt;
  Value image = asImage(s, x), filter = asImage(s, weight);
  return ConvOperands{x, weight, bias, groups, kernel, window, image, filter};
}

static Value importConv(Statement &s) {
  std::optional<ConvOperands> read = readConv(s);
  if (!read)
    return {};
  auto &[x, weight, bias, groups, kernel, window, image, filter] = *read;
  readPadding(s, window, x);
  if (s.failed() ||
      (window.isVolume() && !checkConv(s, window, x, weight, bias, groups, 1)))
    return {};
  if (window.isVolume())
    return convolveVolume(s.getBuilder(), s.getLoc(), x, weight, bias, window,
                          groups);
  bool isPointwise =
      groups == 1 && shapeOf(filter)[1] == shapeOf(image)[1] &&
      llvm::all_of(kernel, [](int64_t k) { return k == 1; }) &&
      llvm::all_of(window.strides, [](int64_t n) { return n == 1; }) &&
      llvm::all_of(window.pad, [](int64_t n) { return n == 0; });
  if (isPointwise && !s.isConstant(weight)) {
    Value y = convolveByMatmul(s, image, filter);
    if (bias)
      y = s.binary(ElementwiseKind::Add, y,
                   s.reshape(bias, {1, shapeOf(bias)[0], 1, 1}));
    return fromImage(s, window, y);
  }
  image = padBeyondWindow(s.getBuilder(), s.getLoc(), image,
                          {window.extent(1), window.extent(2)},
                          window.padOfImage());
  Value y = s.build<ConvOp>(image, filter, bias, Value(),
                            window.ofImage(window.strides), window.padOfImage(),
                            window.ofImage(window.dilations), groups,
                            ActivationAttr());
  return fromImage(s, window, y);
}

/// What the text leaves open of the result of a transposed convolution: the
/// last sizes of output_shape are those of space.
static int64_t openExtent(Statement &s, Value x, int axis, int64_t stride) {
  if (!s.has("output_shape"))
    return sizeAlong(x, axis) * stride;
  SmallVector<int64_t> sizes = s.integers("output_shape");
  int64_t at = static_cast<int64_t>(sizes.size()) - 3 + axis;
  if (!s.failed() && at < 0)
    s.error() << "argument 'output_shape' has " << sizes.size()
              << " elements, but must have one for each dimension of space";
  return s.failed() ? 0 : sizes[at];
}

// The text gives the size of the result where the parameters leave it open:
// output_shape, and "same", which multiplies by the stride. What the result is
// shorter than the full one is cut off before (pad) and behind.
static Value importConvTranspose(Statement &s) {
  std::optional<ConvOperands> read = readConv(s);
  if (!read)
    return {};
  auto &[x, weight, bias, groups, kernel, window, image, filter] = *read;
  StringRef type = s.string("pad_type", "valid");
  bool isSame = type == "same" || type == "same_lower";
  if (!isSame)
    readPadding(s, window, x);
  if (s.failed())
    return {};
  ArrayRef<int64_t> declared = s.resultShape();
  for (int axis = window.first(); axis < 3 && (isSame || s.has("output_shape"));
       ++axis) {
    size_t dim = declared.size() - 3 + axis;
    int64_t out = dim < declared.size() ? declared[dim] : 0;
    if (ShapedType::isDynamic(out))
      out = openExtent(s, x, axis, window.strides[axis]);
    if (s.failed())
      return {};
    int64_t full =
        (sizeAlong(x, axis) - 1) * window.strides[axis] + window.extent(axis);
    int64_t cut = full - out;
    int64_t before =
        isSame ? (cut + (type == "same_lower")) / 2 : window.pad[2 * axis];
    if (cut < before || before < 0) {
      s.error() << "gives at most " << full - before << " elements along axis "
                << axis - window.first() << ", but is declared with " << out
                << "; a result longer than the windows reach cannot be "
                   "imported";
      return {};
    }
    window.pad[2 * axis] = before;
    window.pad[2 * axis + 1] = cut - before;
  }
  if (window.isVolume())
    return checkConv(s, window, x, weight, bias, groups, 0)
               ? convolveVolumeTransposed(s.getBuilder(), s.getLoc(), x, weight,
                                          bias, window, groups)
               : Value();
  Value y = s.build<ConvTransposeOp>(
      image, filter, bias, Value(), window.ofImage(window.strides),
      window.padOfImage(), window.ofImage(window.dilations), groups,
      ActivationAttr());
  return fromImage(s, window, y);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Window and padding of a pooling. With ceil_mode the last window may reach
/// over the end, as far as it starts inside.
static Window readPooling(Statement &s, Value x) {
  int64_t spatial = s.failed() ? 0 : spatialDims(s, x);
  if (s.failed())
    return {};
  auto kernel = s.fixedIntegers("kernel_sizes", spatial, {}, 1, 1 << 20);
  Window window = readWindow(s, x, kernel);
  readPadding(s, window, x);
  bool ceilMode = s.boolean("ceil_mode", false);
  for (int axis = window.first(); ceilMode && axis < 3 && !s.failed(); ++axis) {
    int64_t *pad = window.pad + 2 * axis, stride = window.strides[axis];
    int64_t size = sizeAlong(x, axis), padded = size + pad[0] + pad[1];
    int64_t steps = llvm::divideCeil(
        std::max<int64_t>(padded - window.kernel[axis], 0), stride);
    if (steps * stride >= size + pad[0])
      --steps;
    int64_t more = steps * stride + window.kernel[axis] - padded;
    pad[1] += std::max<int64_t>(more, 0);
  }
  return window;
}

static Value pool(Statement &s, const Window &window, PoolKind kind, Value x,
                  bool countPadding) {
  if (!window.isVolume())
    return s.build<PoolOp>(kind, x, window.ofImage(window.kernel),
                           window.ofImage(window.strides), window.padOfImage(),
                           countPadding);
  if (!checkExtents(s, window, x))
    return {};
  if (auto why = checkVolumePool(window)) {
    s.error() << *why;
    return {};
  }
  return poolVolume(s.getBuilder(), s.getLoc(), kind, x, window, countPadding);
}

static Value importMaxPool(Statement &s) {
  Value x = s.tensor("x");
  Window window = readPooling(s, x);
  if (s.failed())
    return {};
  return fromImage(s, window,
                   pool(s, window, PoolKind::Max, asImage(s, x), false));
}

// What the last window of ceil_mode has over the end is padding like any other:
// Core ML divides by the whole window (apple/coremltools issue 2772), which
// PyTorch does not.
static Value importAvgPool(Statement &s) {
  Value x = s.tensor("x");
  Window window = readPooling(s, x);
  bool exclude = s.boolean("exclude_padding_from_average", false);
  if (s.failed())
    return {};
  bool isPadded = llvm::any_of(window.pad, [](int64_t n) { return n != 0; });
  return fromImage(
      s, window,
      pool(s, window, PoolKind::Average, asImage(s, x), isPadded && !exclude));
}

// sqrt(sum of squares): an average that counts padding, which is 0, times the
// size of the window.
static Value importL2Pool(Statement &s) {
  Value x = s.tensor("x");
  Window window = readPooling(s, x);
  if (s.failed())
    return {};
  bool isPadded = llvm::any_of(window.pad, [](int64_t n) { return n != 0; });
  int64_t size = window.kernel[0] * window.kernel[1] * window.kernel[2];
  auto meanOf = [&](Value squares) {
    return pool(s, window, PoolKind::Average, squares, isPadded);
  };
  Value result = fromMeanSquares(
      s, asImage(s, x), {size, /*error=*/0, meanOf},
      [&](Value mean, int exponent) {
        return s.binary(ElementwiseKind::Mul,
                        s.activation(mean, ActivationKind::Sqrt),
                        std::sqrt(double(size)) / std::exp2(exponent));
      });
  return s.failed() ? Value() : fromImage(s, window, result);
}

//===----------------------------------------------------------------------===//
// Resizing
//===----------------------------------------------------------------------===//

namespace {
enum class Sampling { AlignCorners, HalfPixel, Asymmetric };
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

/// Copies of each pixel. Other factors than whole ones would have to know how
/// the operation rounds.
static Value emitNearest(Statement &s, Value x, int64_t rows, int64_t columns) {
  SmallVector<int64_t> shape(shapeOf(x));
  if (rows % shape[2] || columns % shape[3]) {
    s.error() << "resizes " << shape[2] << "x" << shape[3] << " to " << rows
              << "x" << columns
              << ", but only whole factors can be imported; which pixel is the "
                 "nearest is not known for others";
    return {};
  }
  auto type = cast<RankedTensorType>(x.getType());
  return ResizeOp::create(s.getBuilder(), s.getLoc(),
                          withShape(type, {shape[0], shape[1], rows, columns}),
                          ResizeMode::Nearest, x, /*align_corners=*/false,
                          /*half_pixel=*/true);
}

/// The image of rank 4; an error otherwise.
static Value resizeInput(Statement &s) {
  Value x = s.tensor("x");
  if (!s.failed() && shapeOf(x).size() != 4)
    s.error() << "has an input of rank " << shapeOf(x).size()
              << ", but must have one of rank 4";
  return s.failed() ? Value() : x;
}

/// The size that a factor gives; a fractional one is rounded down.
static int64_t scaledSize(Statement &s, StringRef argument, int64_t size) {
  double factor = s.number(argument, 1.0);
  double result = std::floor(size * factor);
  if (!s.failed() && !(factor > 0 && result >= 1 && result <= maxMILExtent))
    s.error() << "argument '" << argument << "' is " << factor
              << ", but must be positive and leave a pixel";
  return s.failed() ? 1 : static_cast<int64_t>(result);
}

static Value importUpsampleNearest(Statement &s) {
  Value x = resizeInput(s);
  if (s.failed())
    return {};
  int64_t rows = scaledSize(s, "scale_factor_height", shapeOf(x)[2]);
  int64_t columns = scaledSize(s, "scale_factor_width", shapeOf(x)[3]);
  return s.failed() ? Value() : emitNearest(s, x, rows, columns);
}

static Value importUpsampleBilinear(Statement &s) {
  Value x = resizeInput(s);
  if (s.failed())
    return {};
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

static Value importResizeNearest(Statement &s) {
  Value x = resizeInput(s);
  int64_t rows = targetSize(s, "target_size_height", {});
  int64_t columns = targetSize(s, "target_size_width", {});
  return s.failed() ? Value() : emitNearest(s, x, rows, columns);
}

/// Bilinear along `axis` at (i + 1/2) * max(1, in - 1) / out, as a product with
/// a matrix.
static Value sampleOffset(Statement &s, Value x, int64_t axis, int64_t out) {
  if (!x)
    return {};
  int64_t in = shapeOf(x)[axis];
  if (out > mostFactors / in) {
    s.error() << "samples " << in << " pixels at " << out
              << " places, but the product of the two must be at most "
              << mostFactors;
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

static Value importResizeBilinear(Statement &s) {
  Value x = resizeInput(s);
  int64_t rows = targetSize(s, "target_size_height", 1);
  int64_t columns = targetSize(s, "target_size_width", 1);
  return s.failed() ? Value() : emitSampled(s, x, rows, columns);
}

// The last one or two dimensions.
static Value importResize(Statement &s) {
  Value x = resizeInput(s);
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
    target[1 - i] = sizes[sizes.size() - 1 - i];
    if (target[1 - i] < 1 || target[1 - i] > maxMILExtent) {
      s.error() << "argument 'shape' has the element " << target[1 - i]
                << ", but must be positive";
      return {};
    }
  }
  if (mode == "NEAREST_NEIGHBOR")
    return emitNearest(s, x, target[0], target[1]);
  if (mode == "LINEAR")
    return emitSampled(s, x, target[0], target[1]);
  s.error() << "interpolation_mode is '" << mode
            << "', but must be LINEAR or NEAREST_NEIGHBOR";
  return {};
}

void mlir::ane::addMILWindowImport(MILImporter &importer) {
  importer.add("avg_pool", importAvgPool);
  importer.add("conv", importConv);
  importer.add("conv_transpose", importConvTranspose);
  importer.add("l2_pool", importL2Pool);
  importer.add("max_pool", importMaxPool);
  importer.add("resize", importResize);
  importer.add("resize_bilinear", importResizeBilinear);
  importer.add("resize_nearest_neighbor", importResizeNearest);
  importer.add("upsample_bilinear", importUpsampleBilinear);
  importer.add("upsample_nearest_neighbor", importUpsampleNearest);
}
