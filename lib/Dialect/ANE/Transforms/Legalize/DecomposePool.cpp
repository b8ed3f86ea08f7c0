//===- DecomposePool.cpp - Pooling from convolutions and maxima -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No real H13 program with a pooling window is on record, so windows are made
// from what is.
//
// An average is a depthwise convolution with 1/n everywhere.
//
// A maximum goes over rows first, then over columns, because the tile DMA can
// start at any row but only at columns that are 64 bytes apart:
//
//   rows      V2 = max(x[0..], x[1..]), V4 = max(V2[0..], V2[2..]), ...: maxima
//             of 2, 4, ... rows from views of x; any window is the maximum of two
//             overlapping ones. Windows that hang over the border are shorter
//             windows inside the image, so no padding is needed.
//   columns   tap d of the window is a depthwise convolution whose kernel has a
//             single one, at column d; it shifts, and its stride subsamples.
//             The maximum of the taps is the result.
//
// Columns outside the image read as zero. That is right if no element is below
// zero; else the lowest f16 is added there by a constant row.
//
// Strides that the engine does not have keep some of all positions. A window
// wider than a kernel goes along one direction at a time; for a maximum its
// columns become rows.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Float16.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// The window of a pool along H and W.
struct Window {
  int64_t size[2], stride[2], before[2], in[2], out[2];
  /// Stride of the convolution and what is left for subsampling after it.
  int64_t convStride = 1, restStride[2] = {1, 1};

  // Whether strides 1 and 2 of the engine make that of the window.
  bool hasEngineStride() const {
    return stride[0] == stride[1] && llvm::isPowerOf2_64(stride[0]);
  }
};

} // namespace

static FailureOr<Window> getWindow(PoolOp op,
                                   const ::ane::hw::GenerationInfo &info) {
  if (!isImage(op.getInput()) || !isImage(op.getResult()))
    return failure();
  Window window;
  for (size_t i = 0; i != 2; ++i) {
    window.size[i] = op.getKernel()[i];
    window.stride[i] = op.getStrides()[i];
    window.before[i] = op.getPad()[2 * i];
    window.in[i] = typeOf(op.getInput()).getDimSize(2 + i);
    window.out[i] = typeOf(op.getResult()).getDimSize(2 + i);
  }
  // A window that does not move has no stride.
  for (unsigned i = 0; i != 2; ++i)
    if (window.out[i] == 1)
      window.stride[i] = window.out[1 - i] == 1 ? 1 : window.stride[1 - i];
  if (window.hasEngineStride())
    window.convStride = std::min<int64_t>(window.stride[0], info.maxStride);
  for (unsigned i = 0; i != 2; ++i)
    window.restStride[i] = window.stride[i] / window.convStride;
  return window;
}

static Value keepPositions(OpBuilder &builder, Location loc, Value value,
                           const Window &window) {
  bool isEngines = window.hasEngineStride();
  if (isEngines && window.restStride[0] != 1)
    value = subsample(builder, loc, value, window.restStride[0]);
  for (unsigned i = 0; i != 2; ++i)
    value = sliceDim(builder, loc, value, 2 + i, /*first=*/0, window.out[i],
                     isEngines ? 1 : window.restStride[i]);
  return value;
}

// Whether the window does nothing along rows (0) or columns (1).
static bool isIdle(PoolOp op, const Window &window, unsigned i) {
  return window.size[i] == 1 && (window.out[i] == 1 || op.getStrides()[i] == 1);
}

static bool coversImage(PoolOp op, const Window &window) {
  return !op.hasPadding() && window.size[0] == window.in[0] &&
         window.size[1] == window.in[1];
}

// Rows or columns of the convolution's result, before subsampling: at least
// those that are kept, and all that the image has.
static int64_t convOut(const Window &window, unsigned i) {
  int64_t needed = (window.out[i] - 1) * window.restStride[i] + 1;
  int64_t beyond = window.before[i] + window.in[i] - window.size[i];
  return std::max(needed, beyond < 0 ? 0 : beyond / window.convStride + 1);
}

// Padding after the image that gives the convolution its result size.
static int64_t padBehind(int64_t out, int64_t stride, int64_t size,
                         int64_t before, int64_t in) {
  return std::max<int64_t>(0, (out - 1) * stride + size - before - in);
}

//===----------------------------------------------------------------------===//
// Average
//===----------------------------------------------------------------------===//

// Elements of the window inside the image, for each output position along i.
static SmallVector<int64_t> countInside(const Window &window, unsigned i) {
  SmallVector<int64_t> counts;
  for (int64_t o = 0; o != window.out[i]; ++o) {
    int64_t first = o * window.stride[i] - window.before[i];
    int64_t last = std::min(first + window.size[i], window.in[i]);
    counts.push_back(last - std::max<int64_t>(first, 0));
  }
  return counts;
}

// n / count for every output pixel, or no value where all of them are 1.
static Value reciprocalCountMap(OpBuilder &builder, Location loc,
                                const Window &window) {
  SmallVector<int64_t> rows = countInside(window, 0);
  SmallVector<int64_t> columns = countInside(window, 1);
  float elements = window.size[0] * window.size[1];
  SmallVector<float> map;
  for (int64_t row : rows)
    for (int64_t column : columns)
      map.push_back(elements / std::max<int64_t>(1, row * column));
  if (llvm::all_of(map, [](float factor) { return factor == 1.0f; }))
    return {};
  return arrayConstant(builder, loc, {1, 1, window.out[0], window.out[1]}, map);
}

// 1/n is rounded to f16 (2^-11 of the value at most); the sum of the window
// is never stored, so it cannot overflow.
static Value convolveWindow(PoolOp op, const Window &window,
                            PatternRewriter &rewriter) {
  RankedTensorType type = typeOf(op.getInput());
  int64_t channels = type.getDimSize(1);
  ConvSpec spec;
  spec.strideH = spec.strideW = window.convStride;
  spec.groups = channels;
  int64_t rows = convOut(window, 0), columns = convOut(window, 1);
  spec.top = window.before[0];
  spec.left = window.before[1];
  spec.bottom =
      padBehind(rows, spec.strideH, window.size[0], spec.top, window.in[0]);
  spec.right =
      padBehind(columns, spec.strideW, window.size[1], spec.left, window.in[1]);
  Value weight = splatConstant(
      rewriter, op.getLoc(), {channels, 1, window.size[0], window.size[1]},
      1.0f / static_cast<float>(window.size[0] * window.size[1]));
  Value sum = convolve(rewriter, op.getLoc(), op.getInput(), weight, spec,
                       withDim(withDim(type, 2, rows), 3, columns));
  return keepPositions(rewriter, op.getLoc(), sum, window);
}

template <bool onlyLarge>
static LogicalResult averagePoolToConv(PoolOp op, PatternRewriter &rewriter,
                                       const DecomposeOptions &options) {
  FailureOr<Window> window = getWindow(op, options.generation);
  if (op.getKind() != PoolKind::Average || failed(window))
    return failure();
  // Without coefficients, and 1/n as it is.
  if (coversImage(op, *window)) {
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), ReduceKind::Mean,
                                          op.getInput(),
                                          ArrayRef<int64_t>{2, 3});
    return success();
  }
  // One direction at a time; a large window of that is cut as any kernel is.
  bool isLarge = window->size[0] > options.generation.maxKernelHeight ||
                 window->size[1] > options.generation.maxKernelWidth;
  if (isLarge != onlyLarge ||
      (isLarge && !isIdle(op, *window, 0) && !isIdle(op, *window, 1)))
    return failure();
  Value result = convolveWindow(op, *window, rewriter);
  if (!op.getCountIncludePad())
    if (Value map = reciprocalCountMap(rewriter, op.getLoc(), *window))
      result = binary(rewriter, op.getLoc(), ElementwiseKind::Mul, result, map);
  rewriter.replaceOp(op, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

static constexpr float lowestHalf = -::ane::hw::largestHalf;

namespace {

/// Maxima over rows of an image, each computed once.
class RowMaxima : AneBuilder {
public:
  RowMaxima(OpBuilder &builder, Location loc, Value image)
      : AneBuilder(builder, loc), height(typeOf(image).getDimSize(2)) {
    powers.push_back(image);
  }

  /// `count` rows; row i is the maximum of rows [first + i, first + i +
  /// length).
  Value get(int64_t length, int64_t first, int64_t count) {
    unsigned log2 = llvm::Log2_64(length);
    Value largest = power(log2);
    int64_t behind = length - (int64_t(1) << log2);
    Value head = slice(largest, 2, first, count);
    if (behind == 0)
      return head;
    Value tail = slice(largest, 2, first + behind, count);
    return max(head, tail);
  }

  /// The maxima over all windows of `size` rows that start `before` rows above
  /// the image, `count` of them, each clipped to the image.
  Value getClipped(int64_t size, int64_t before, int64_t count) {
    SmallVector<Run> runs;
    for (int64_t row = 0; row != count; ++row) {
      auto [first, length] = clip(row - before, size);
      if (!runs.empty() && runs.back().length == length &&
          runs.back().first + runs.back().count == first)
        ++runs.back().count;
      else
        runs.push_back({first, length, 1});
    }
    // Each clipped window is an op. Many of them are fewer ops as whole windows
    // of a higher image.
    if (runs.size() > 1 + 2 * llvm::Log2_64_Ceil(size))
      return extended(size, before, count);
    return concat(llvm::map_to_vector(runs,
                                      [&](Run run) {
                                        return get(run.length, run.first,
                                                   run.count);
                                      }),
                  2);
  }

private:
  /// Windows of one length, each a row below the one before.
  struct Run {
    int64_t first, length, count;
  };

  // A window that hangs over the border holds the row at the border, so more
  // rows like it change no maximum.
  Value extended(int64_t size, int64_t before, int64_t count) {
    int64_t behind = std::max<int64_t>(count - 1 - before + size - height, 0);
    Value image = powers.front();
    SmallVector<Value> parts = {image};
    if (before != 0)
      parts.insert(parts.begin(), repeated(slice(image, 2, 0, 1), before));
    if (behind != 0)
      parts.push_back(repeated(slice(image, 2, height - 1, 1), behind));
    return RowMaxima(builder, loc, concat(parts, 2)).get(size, 0, count);
  }

  // `row`, `count` times.
  Value repeated(Value row, int64_t count) {
    SmallVector<float> lowest(count, lowestHalf);
    return binary(ElementwiseKind::Max, row,
                  arrayConstant(builder, loc, {1, 1, count, 1}, lowest));
  }

  std::pair<int64_t, int64_t> clip(int64_t first, int64_t size) const {
    int64_t begin = std::clamp<int64_t>(first, 0, height - 1);
    int64_t end = std::clamp<int64_t>(first + size, begin + 1, height);
    return {begin, end - begin};
  }

  // Maxima of 2^log2 rows, from every row where they fit.
  Value power(unsigned log2) {
    while (powers.size() <= log2) {
      Value half = powers.back();
      int64_t step = int64_t(1) << (powers.size() - 1);
      int64_t rows = typeOf(half).getDimSize(2) - step;
      powers.push_back(
          max(slice(half, 2, 0, rows), slice(half, 2, step, rows)));
    }
    return powers[log2];
  }

  int64_t height;
  SmallVector<Value> powers;
};

} // namespace

// Columns of the result where tap `tap` lies outside the image.
static SmallVector<bool> outside(const Window &window, int64_t tap,
                                 int64_t columns) {
  SmallVector<bool> mask;
  for (int64_t column = 0; column != columns; ++column) {
    int64_t source = column * window.convStride + tap - window.before[1];
    mask.push_back(source < 0 || source >= window.in[1]);
  }
  return mask;
}

static Value shiftTo(OpBuilder &builder, Location loc, Value image,
                     const Window &window, int64_t tap, int64_t columns) {
  if (window.convStride == 1 && tap == window.before[1] &&
      columns == window.in[1])
    return image;
  RankedTensorType type = typeOf(image);
  // The coefficients of stride 2 have a form of their own, which is on record
  // for 1 x 1, columns that start at the border, and for 3 x 3; zeros cost
  // nothing in it. So the row is widened to a square for the others.
  bool isStrided = window.convStride != 1;
  // After the border there is nothing that 1 x 1 could read.
  bool isAligned = isStrided && tap == window.before[1] &&
                   (window.in[1] - 1) / window.convStride == columns - 1;
  int64_t columnTaps = isAligned   ? 1
                       : isStrided ? std::max<int64_t>(window.size[1], 3)
                                   : window.size[1];
  int64_t rowTaps = isStrided ? columnTaps : 1;
  ConvSpec spec;
  spec.strideH = spec.strideW = window.convStride;
  spec.left = isAligned ? 0 : window.before[1];
  spec.right =
      padBehind(columns, spec.strideW, columnTaps, spec.left, window.in[1]);
  spec.bottom = rowTaps - 1;
  int64_t rows = (type.getDimSize(2) - 1) / window.convStride + 1;
  return convolveOneHot(builder, loc, image, rowTaps, columnTaps, /*row=*/0,
                        isAligned ? 0 : tap, spec,
                        withDim(withDim(type, 2, rows), 3, columns));
}

// Outside the image `image` is zero, so the sum is exactly the lowest f16.
static Value addMask(OpBuilder &builder, Location loc, Value image,
                     ArrayRef<bool> mask) {
  if (llvm::none_of(mask, [](bool isOutside) { return isOutside; }))
    return image;
  SmallVector<float> row = llvm::map_to_vector(
      mask, [](bool isOutside) { return isOutside ? lowestHalf : 0.0f; });
  int64_t columns = mask.size();
  return binary(builder, loc, ElementwiseKind::Add, image,
                arrayConstant(builder, loc, {1, 1, 1, columns}, row));
}

static Value maximumOfColumns(OpBuilder &builder, Location loc, Value image,
                              const Window &window, bool nonNegative) {
  if (window.size[1] == 1 && window.convStride == 1 && window.before[1] == 0)
    return image;
  int64_t columns = convOut(window, 1);
  // Taps that miss the same columns share one addition.
  llvm::MapVector<uint64_t, Value> groups;
  SmallVector<SmallVector<bool>> masks;
  for (int64_t tap = 0; tap != window.size[1]; ++tap) {
    SmallVector<bool> mask = outside(window, tap, columns);
    if (llvm::all_of(mask, [](bool isOutside) { return isOutside; }))
      continue;
    if (nonNegative)
      mask.assign(columns, false);
    auto *known = llvm::find(masks, mask);
    size_t index = known - masks.begin();
    if (known == masks.end())
      masks.push_back(std::move(mask));
    Value shifted = shiftTo(builder, loc, image, window, tap, columns);
    Value &group = groups[index];
    group = group ? binary(builder, loc, ElementwiseKind::Max, group, shifted)
                  : shifted;
  }
  Value result;
  for (auto [index, group] : groups) {
    Value masked = addMask(builder, loc, group, masks[index]);
    result = result ? binary(builder, loc, ElementwiseKind::Max, result, masked)
                    : masked;
  }
  return result;
}

static LogicalResult maxPoolToTaps(PoolOp op, PatternRewriter &rewriter,
                                   const DecomposeOptions &options) {
  FailureOr<Window> window = getWindow(op, options.generation);
  if (op.getKind() != PoolKind::Max || failed(window))
    return failure();
  if (coversImage(op, *window)) {
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), ReduceKind::Max,
                                          op.getInput(),
                                          ArrayRef<int64_t>{2, 3});
    return success();
  }
  if (window->size[1] > options.generation.maxKernelWidth)
    return failure();
  // Rows at the stride of the convolution; the last ones that it reads.
  int64_t rows = (window->out[0] - 1) * window->stride[0] + 1;
  Value result = RowMaxima(rewriter, op.getLoc(), op.getInput())
                     .getClipped(window->size[0], window->before[0], rows);
  // Rows are views: the fewer columns there are to compare.
  if (!window->hasEngineStride()) {
    result = sliceDim(rewriter, op.getLoc(), result, 2, /*first=*/0,
                      window->out[0], window->restStride[0]);
    window->restStride[0] = 1;
  }
  result = maximumOfColumns(rewriter, op.getLoc(), result, *window,
                            isNonNegative(op.getInput()));
  rewriter.replaceOp(op, keepPositions(rewriter, op.getLoc(), result, *window));
  return success();
}

// One of the two directions of `op`, along dimension `i` of `value`.
static Value poolAlong(OpBuilder &builder, PoolOp op, Value value, size_t of,
                       size_t i) {
  SmallVector<int64_t> kernel(2, 1), strides(2, 1), pad(4, 0);
  kernel[i] = op.getKernel()[of];
  strides[i] = op.getStrides()[of];
  pad[2 * i] = op.getPad()[2 * of];
  pad[2 * i + 1] = op.getPad()[2 * of + 1];
  RankedTensorType type =
      withDim(typeOf(value), 2 + i, typeOf(op.getResult()).getDimSize(2 + of));
  return PoolOp::create(builder, op.getLoc(), type, op.getKind(), value, kernel,
                        strides, pad, op.getCountIncludePad());
}

// Columns become rows, of which a window has any number.
static Value poolTurned(OpBuilder &builder, PoolOp op) {
  Location loc = op.getLoc();
  Value result = poolAlong(builder, op, op.getInput(), 0, 0);
  result = permuted(builder, loc, result, {0, 1, 3, 2});
  result = poolAlong(builder, op, result, 1, 0);
  return permuted(builder, loc, result, {0, 1, 3, 2});
}

// The mean over columns of the means over rows is that of all.
static Value averageOfParts(OpBuilder &builder, PoolOp op) {
  Value rows = poolAlong(builder, op, op.getInput(), 0, 0);
  return poolAlong(builder, op, rows, 1, 1);
}

/// A window larger than a kernel, along one direction at a time.
static LogicalResult splitPool(PoolOp op, PatternRewriter &rewriter,
                               const DecomposeOptions &options) {
  FailureOr<Window> window = getWindow(op, options.generation);
  if (failed(window) || coversImage(op, *window))
    return failure();
  bool isWide = window->size[1] > options.generation.maxKernelWidth;
  bool isHigh = window->size[0] > options.generation.maxKernelHeight;
  bool isMax = op.getKind() == PoolKind::Max;
  if (isMax ? !isWide
            : !(isWide || isHigh) || isIdle(op, *window, 0) ||
                  isIdle(op, *window, 1))
    return failure();
  rewriter.replaceOp(op, isMax ? poolTurned(rewriter, op)
                               : averageOfParts(rewriter, op));
  return success();
}

void mlir::ane::populateDecomposePoolPatterns(RewritePatternSet &patterns,
                                              const DecomposeOptions &options) {
  addPatterns<averagePoolToConv</*onlyLarge=*/false>, maxPoolToTaps>(patterns,
                                                                     options);
}

void mlir::ane::populateLargePoolPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options) {
  addPatterns<averagePoolToConv</*onlyLarge=*/true>, splitPool>(patterns,
                                                                options);
}
