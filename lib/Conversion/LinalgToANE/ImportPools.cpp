//===- ImportPools.cpp - linalg ops that reduce a window ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine averages; a sum is the average times the elements of the window,
// which a division after it cancels (ane-propagate-layout). A least element is
// the largest of the negative ones.
//
// It pools over windows without gaps. A sum over one with gaps is a convolution
// with ones. A maximum is one along each dimension after the other, and that
// along one dimension is combined from maxima over 1, 2, 4, ... elements:
//
//   m1[i] = x[i]     m2[i] = max(m1[i], m1[i + d])
//                    m4[i] = max(m2[i], m2[i + 2 d])
//
// of which the last two may overlap.
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

/// The largest element of each window along `dim`, of which there are `count`.
static Value maxAlong(FunctionImporter &importer, Location loc, Value value,
                      int64_t dim, int64_t count, int64_t kernel,
                      int64_t stride, int64_t dilation) {
  int64_t covered = 1; // elements of each window
  while (covered < kernel) {
    int64_t step = std::min(covered, kernel - covered);
    bool isLast = covered + step == kernel;
    int64_t shift = step * dilation, left = shapeOf(value)[dim] - shift;
    int64_t by = isLast ? stride : 1, taken = isLast ? count : left;
    value = createBinary(
        importer, loc, ElementwiseKind::Max,
        sliceDim(importer.builder, loc, value, dim, 0, taken, by),
        sliceDim(importer.builder, loc, value, dim, shift, taken, by));
    covered += step;
  }
  return kernel == 1
             ? sliceDim(importer.builder, loc, value, dim, 0, count, stride)
             : value;
}

/// Takes the axes of `window` that have gaps off it: after this, each of their
/// elements is a window.
static Value closeGaps(FunctionImporter &importer, Location loc, Value x,
                       Window &window, VolumeWindow &volume) {
  size_t first = shapeOf(x).size() - window.axes.size();
  for (auto [i, axis] : llvm::enumerate(window.axes)) {
    if (axis.dilation == 1)
      continue;
    x = maxAlong(importer, loc, x, first + i, window.ranges[axis.output],
                 window.kernelSize(axis), axis.stride, axis.dilation);
    axis.stride = axis.dilation = 1;
    axis.kernel = std::nullopt;
  }
  volume = toVolume(window);
  return x;
}

/// The sum of each window, as a convolution of each channel with ones.
static FailureOr<Value> sumWithGaps(FunctionImporter &importer,
                                    linalg::LinalgOp op, Value x,
                                    const Window &window,
                                    const VolumeWindow &volume) {
  Location loc = op.getLoc();
  int64_t channels = shapeOf(x)[1];
  SmallVector<int64_t> shape = {channels, 1};
  if (window.axes.size() == 1)
    shape.push_back(1);
  for (const Axis &axis : window.axes)
    shape.push_back(window.kernelSize(axis));
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  Value ones = ConstantOp::create(importer.builder, loc,
                                  DenseElementsAttr::get(type, 1.0f));
  if (window.axes.size() < 3)
    return convolve(importer, loc, x, ones, /*bias=*/Value(), window, channels);
  if (auto why =
          checkVolume(shapeOf(x), volume, channels, /*isTransposed=*/false))
    return op->emitOpError(*why);
  return convolveVolume(importer.builder, loc, x, ones, /*bias=*/Value(),
                        volume, channels);
}

/// The largest element or the mean of each window, which has no gaps.
static FailureOr<Value> pool(FunctionImporter &importer, linalg::LinalgOp op,
                             PoolKind kind, Value x, const Window &window,
                             const VolumeWindow &volume) {
  Location loc = op.getLoc();
  if (window.axes.size() == 3) {
    if (auto why = checkVolumePool(volume))
      return op->emitOpError(*why);
    return poolVolume(importer.builder, loc, kind, x, volume,
                      /*countPadding=*/false);
  }
  return poolImage(importer.builder, loc, kind, x, volume,
                   /*countPadding=*/false);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Whether some window along `axis` sees nothing but padding around `size`
/// elements that start at `low`.
static bool seesOnlyPadding(const Window &window, const Axis &axis, int64_t low,
                            int64_t size) {
  int64_t taps = window.kernelSize(axis);
  for (int64_t i = 0, e = window.ranges[axis.output]; i != e; ++i) {
    int64_t first = i * axis.stride, last = first + (taps - 1) * axis.dilation;
    // The first tap that is not in front of the elements.
    int64_t missing = std::max<int64_t>(low - first, 0);
    int64_t tap =
        first + llvm::divideCeil(missing, axis.dilation) * axis.dilation;
    if (tap > last || tap >= low + size)
      return true;
  }
  return false;
}

/// `x`, padded with the largest or least finite number where that was an
/// infinity: what takes a window apart moves rows by products, and 0 times an
/// infinity is no number.
static FailureOr<Value> withFinitePadding(FunctionImporter &importer,
                                          linalg::LinalgOp op, Value x,
                                          const Window &window, bool isMin) {
  constexpr float largest = 65504;
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(x).size()));
  Value source = x;
  while (auto transpose = source.getDefiningOp<TransposeOp>()) {
    for (int64_t &dim : dims)
      dim = transpose.getPerm()[dim];
    source = transpose.getInput();
  }
  auto pad = source.getDefiningOp<PadOp>();
  float number = pad ? pad.getValue().convertToFloat() : 0;
  if (isMin ? !(number >= largest) : !(number <= -largest))
    return x;
  SmallVector<int64_t> around(pad.getLow());
  for (auto [size, high] : llvm::zip_equal(around, pad.getHigh()))
    size += high;
  for (const Axis &axis : window.axes) {
    int64_t dim = dims[axis.dim];
    around[dim] = 0;
    if (std::isinf(number) && seesOnlyPadding(window, axis, pad.getLow()[dim],
                                              shapeOf(pad.getInput())[dim]))
      return op->emitOpError("has windows that see nothing but padding "
                             "with an infinity; pad with ")
             << (isMin ? "65504" : "-65504");
  }
  // Whole images or channels of it come out as they are.
  if (std::isinf(number) &&
      llvm::any_of(around, [](int64_t size) { return size != 0; }))
    return x;
  Value finite = PadOp::create(importer.builder, pad.getLoc(), pad.getType(),
                               pad.getInput(), pad.getLow(), pad.getHigh(),
                               llvm::APFloat(isMin ? largest : -largest));
  return importer.transpose(op.getLoc(), finite, dims);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static bool hasGaps(const Window &window) {
  return llvm::any_of(window.axes,
                      [](const Axis &axis) { return axis.dilation != 1; });
}

static FailureOr<Value> sum(FunctionImporter &importer, linalg::LinalgOp op,
                            Value x, const Window &window) {
  VolumeWindow volume = toVolume(window);
  if (hasGaps(window))
    return sumWithGaps(importer, op, x, window, volume);
  FailureOr<Value> mean =
      pool(importer, op, PoolKind::Average, x, window, volume);
  if (failed(mean))
    return failure();
  int64_t elements = volume.kernel[0] * volume.kernel[1] * volume.kernel[2];
  return createBinary(importer, op.getLoc(), ElementwiseKind::Mul, *mean,
                      createNumber(importer, op.getLoc(), *mean, elements));
}

static FailureOr<Value> largest(FunctionImporter &importer, linalg::LinalgOp op,
                                Value x, Window window) {
  VolumeWindow volume;
  x = closeGaps(importer, op.getLoc(), x, window, volume);
  if (llvm::all_of(window.axes, [&](const Axis &axis) {
        return window.kernelSize(axis) == 1 && axis.stride == 1;
      }))
    return x;
  return pool(importer, op, PoolKind::Max, x, window, volume);
}

LogicalResult mlir::ane::importPool(FunctionImporter &importer,
                                    linalg::LinalgOp op, const Window &window,
                                    ReduceKind kind) {
  FailureOr<Value> input = importer.operand(op, 0);
  bool isMin = kind == ReduceKind::Min;
  if (succeeded(input) && kind != ReduceKind::Sum)
    input = withFinitePadding(importer, op, *input, window, isMin);
  if (failed(input))
    return failure();
  Location loc = op.getLoc();
  // The first of several loops counts images.
  size_t count = window.images.size() > 1 ? 1 : 0;
  ArrayRef<unsigned> images = ArrayRef(window.images).take_front(count);
  ArrayRef<unsigned> channels = ArrayRef(window.images).drop_front(count);
  Value x = toImages(importer, loc, *input, window, images, channels);
  if (isMin)
    x = createUnary(importer, loc, ActivationKind::Neg, x);
  FailureOr<Value> result = kind == ReduceKind::Sum
                                ? sum(importer, op, x, window)
                                : largest(importer, op, x, window);
  if (failed(result))
    return failure();
  if (isMin)
    result = createUnary(importer, loc, ActivationKind::Neg, *result);
  return mapWithInit(importer, op,
                     toResult(importer, op, *result, window, images, channels),
                     kind == ReduceKind::Sum ? ElementwiseKind::Add
                     : isMin                 ? ElementwiseKind::Min
                                             : ElementwiseKind::Max);
}
