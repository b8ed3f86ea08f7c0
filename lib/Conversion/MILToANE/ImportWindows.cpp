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
            << ", but must have one to three spatial dimensions after batch "
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
/// "same" padding more stands after, with "same_lower" before.
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

namespace {
/// What becomes of one dimension of a transposed convolution so that the op has
/// less padding than its window, and a result that ends where windows do.
struct TransposedEnds {
  int64_t added;        ///< zeros after the last element
  int64_t first, count; ///< what is left of the result
};
} // namespace

/// Sets the padding of `axis`, of which the text says that it cuts off `before`
/// and `after` elements; after a result that is longer than windows reach, that
/// is less than 0. Elements that no window reaches are the bias alone, and so
/// are those of a window over zeros.
static TransposedEnds takePadding(Window &window, int axis, int64_t size,
                                  int64_t before, int64_t after) {
  int64_t stride = window.strides[axis], most = window.extent(axis) - 1;
  TransposedEnds ends{0, 0, 0};
  if (after < 0) {
    ends.added = llvm::divideCeil(-after, stride);
    after += ends.added * stride;
  }
  ends.first = std::max<int64_t>(before - most, 0);
  window.pad[2 * axis] = before - ends.first;
  window.pad[2 * axis + 1] = std::min(after, most);
  ends.count = window.countTransposed(size + ends.added, axis) - ends.first -
               (after - window.pad[2 * axis + 1]);
  return ends;
}

/// `x` with zeros after its last planes, rows and columns.
static Value addZeros(Statement &s, Value x, ArrayRef<TransposedEnds> ends) {
  SmallVector<int64_t> low(shapeOf(x).size(), 0), high = low;
  for (auto [dim, end] : llvm::zip(llvm::reverse(high), llvm::reverse(ends)))
    dim = end.added;
  return low == high ? x : s.build<PadOp>(x, low, high, llvm::APFloat(0.0f));
}

/// Planes, rows and columns of `y` that are left.
static Value takeEnds(Statement &s, Value y, ArrayRef<TransposedEnds> ends) {
  for (auto [i, end] : llvm::enumerate(llvm::reverse(ends)))
    if (y)
      y = s.sliceAxis(y, shapeOf(y).size() - 1 - i, end.first, end.count);
  return y;
}

// The text gives the size of the result where the parameters leave it open:
// output_shape, and "same", which multiplies by the stride. What the result is
// shorter than the full one is cut off before (pad) and after it.
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
  SmallVector<TransposedEnds> ends;
  for (int axis = window.first(); axis < 3; ++axis) {
    int64_t size = sizeAlong(x, axis), stride = window.strides[axis];
    int64_t before = window.pad[2 * axis], after = window.pad[2 * axis + 1];
    if (isSame || s.has("output_shape")) {
      size_t dim = declared.size() - 3 + axis;
      int64_t out = dim < declared.size() ? declared[dim] : 0;
      if (ShapedType::isDynamic(out))
        out = openExtent(s, x, axis, stride);
      int64_t cut = (size - 1) * stride + window.extent(axis) - out;
      if (isSame)
        before = std::max<int64_t>(cut + (type == "same_lower"), 0) / 2;
      after = cut - before;
    }
    if (s.failed())
      return {};
    ends.push_back(takePadding(window, axis, size, before, after));
    if (ends.back().count < 1) {
      s.error() << "cuts off " << before << " and " << after << " of "
                << (size - 1) * stride + window.extent(axis)
                << " elements along axis " << axis - window.first()
                << ", but must leave at least one";
      return {};
    }
  }
  if (window.isVolume()) {
    x = addZeros(s, x, ends);
    if (s.failed() || !checkConv(s, window, x, weight, bias, groups, 0))
      return {};
    return takeEnds(s,
                    convolveVolumeTransposed(s.getBuilder(), s.getLoc(), x,
                                             weight, bias, window, groups),
                    ends);
  }
  Value y = s.build<ConvTransposeOp>(
      addZeros(s, image, ends), filter, bias, Value(),
      window.ofImage(window.strides), window.padOfImage(),
      window.ofImage(window.dilations), groups, ActivationAttr());
  return fromImage(s, window, takeEnds(s, y, ends));
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

void mlir::ane::addMILWindowImport(MILImporter &importer) {
  importer.add("avg_pool", importAvgPool);
  importer.add("conv", importConv);
  importer.add("conv_transpose", importConvTranspose);
  importer.add("l2_pool", importL2Pool);
  importer.add("max_pool", importMaxPool);
}
