//===- StackImages.cpp - Windows of many images ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window is of one image that has many images below each other, each in P
// rows, so many that no window of one reaches into another:
//
//   conv(x), pad t, b                conv of 1 x C x N*P x W, P >= t + H + b
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

#include "ane/Dialect/ANE/Transforms/Tiling/Propose/CutLongDims.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Images below each other: those of `input` are moved down by `low` and take
/// `rows` each, in the result `resultRows`, of which the first count.
struct Stack {
  Value input;
  int64_t low, rows, resultRows;
};

class ImageStacker {
public:
  ImageStacker(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Images [first, first + count), as 1 x C x count * rows x W.
  Value put(const Stack &stack, int64_t first, int64_t count);
  /// 1 x C x count * rows x W, with `kept` rows of each image, as
  /// 1 x count * C x kept x W.
  Value take(Value image, int64_t count, int64_t kept);

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace

Value ImageStacker::put(const Stack &stack, int64_t first, int64_t count) {
  ArrayRef<int64_t> shape = shapeOf(stack.input);
  const int64_t channels = shape[1], height = shape[2], width = shape[3];
  // Of an image all channels are one below the other.
  Value images = reshaped(builder, loc, stack.input,
                          {1, shape[0], channels * height, width});
  images = sliceDim(builder, loc, images, 1, first, count);
  SmallVector<Value> parts;
  for (int64_t channel = 0; channel < channels; ++channel) {
    Value part = sliceDim(builder, loc, images, 2, channel * height, height);
    RankedTensorType padded = withDim(typeOf(part), 2, stack.rows);
    if (padded != part.getType())
      part = PadOp::create(
          builder, loc, padded, part, SmallVector<int64_t>{0, 0, stack.low, 0},
          SmallVector<int64_t>{0, 0, stack.rows - height - stack.low, 0},
          llvm::APFloat(0.0f));
    parts.push_back(
        reshaped(builder, loc, part, {1, 1, count * stack.rows, width}));
  }
  return concatDim(builder, loc, parts, 1);
}

Value ImageStacker::take(Value image, int64_t count, int64_t kept) {
  SmallVector<int64_t> shape(shapeOf(image));
  SmallVector<Value> parts;
  for (int64_t channel = 0; channel < shape[1]; ++channel) {
    Value part = sliceDim(builder, loc, image, 1, channel, 1);
    part = reshaped(builder, loc, part, {1, count, shape[2] / count, shape[3]});
    parts.push_back(sliceDim(builder, loc, part, 2, 0, kept));
  }
  Value rows = concatDim(builder, loc, parts, 2);
  return reshaped(builder, loc, rows, {1, count * shape[1], kept, shape[3]});
}

static int64_t spanOf(ArrayRef<int64_t> weight, ArrayRef<int64_t> dilations) {
  return (weight[2] - 1) * dilations[0] + 1;
}

static Stack stackOf(ConvOp op) {
  int64_t height = typeOf(op.getInput()).getDimSize(2);
  int64_t stride = op.getStrides()[0];
  int64_t rows =
      llvm::alignTo(op.getPad()[0] + height + op.getPad()[1], stride);
  return {op.getInput(), op.getPad()[0], rows, rows / stride};
}

static Value windowsOf(OpBuilder &builder, ConvOp op, Value image) {
  auto copy = cast<ConvOp>(builder.clone(*op));
  int64_t stride = op.getStrides()[0];
  int64_t below = std::max<int64_t>(
      0, spanOf(shapeOf(op.getWeight()), op.getDilations()) - stride);
  copy.getInputMutable().assign(image);
  copy.setPad({0, below, op.getPad()[2], op.getPad()[3]});
  copy.getResult().setType(withDim(withDim(op.getType(), 0, 1), 2,
                                   typeOf(image).getDimSize(2) / stride));
  return copy;
}

// What an image makes above its result and after it stays in its rows.
static Stack stackOf(ConvTransposeOp op) {
  int64_t height = typeOf(op.getInput()).getDimSize(2);
  int64_t stride = op.getStrides()[0], low = op.getPad()[0];
  int64_t all = (height - 1) * stride +
                spanOf(shapeOf(op.getWeight()), op.getDilations());
  int64_t rows = llvm::divideCeil(
      std::max(all - low, op.getType().getDimSize(2) + low), stride);
  rows = std::max(rows, height);
  return {op.getInput(), 0, rows, rows * stride};
}

static Value windowsOf(OpBuilder &builder, ConvTransposeOp op, Value image) {
  int64_t stride = op.getStrides()[0], low = op.getPad()[0];
  int64_t rows = typeOf(image).getDimSize(2);
  int64_t span = spanOf(shapeOf(op.getWeight()), op.getDilations());
  // Rows of zeros at the end, for what the border above takes.
  int64_t more =
      std::max<int64_t>(0, llvm::divideCeilSigned(stride + low - span, stride));
  if (more > 0)
    image = PadOp::create(
        builder, op.getLoc(), withDim(typeOf(image), 2, rows + more), image,
        SmallVector<int64_t>(4, 0), SmallVector<int64_t>{0, 0, more, 0},
        llvm::APFloat(0.0f));
  auto copy = cast<ConvTransposeOp>(builder.clone(*op));
  copy.getInputMutable().assign(image);
  copy.setPad({low, (rows + more - 1) * stride + span - low - rows * stride,
               op.getPad()[2], op.getPad()[3]});
  copy.getResult().setType(
      withDim(withDim(op.getType(), 0, 1), 2, rows * stride));
  return copy;
}

/// In groups of as many images as one can have rows; whether that takes fewer
/// tasks.
template <typename OpT>
static bool stackAll(OpT op, const ::ane::hw::GenerationInfo &info) {
  if (!hasManyImages(op, info))
    return false;
  OpBuilder builder(op);
  if constexpr (std::is_same_v<OpT, ConvTransposeOp>)
    fillWindow(builder, op, /*axis=*/0);
  const Stack stack = stackOf(op);
  RankedTensorType type = op.getType();
  const int64_t images = type.getDimSize(0), channels = type.getDimSize(1);
  // The rows of zeros beside them.
  const int64_t most = info.maxHeight - 2 * stack.rows;
  const int64_t step =
      std::min(images, most / std::max(stack.rows, stack.resultRows));
  if (step < 1)
    return false;
  const int64_t moved = typeOf(stack.input).getDimSize(1) + channels;
  if (int64_t(llvm::divideCeil(images, step)) * 2 * moved >= images)
    return false;
  builder.setInsertionPoint(op);
  ImageStacker stacker(builder, op.getLoc());
  SmallVector<Value> parts;
  for (int64_t first = 0; first < images; first += step) {
    int64_t count = std::min(step, images - first);
    Value image = windowsOf(builder, op, stacker.put(stack, first, count));
    parts.push_back(stacker.take(image, count, type.getDimSize(2)));
  }
  Value joined = concatDim(builder, op.getLoc(), parts, 1);
  op.getResult().replaceAllUsesWith(
      reshaped(builder, op.getLoc(), joined, type.getShape()));
  op.erase();
  return true;
}

bool mlir::ane::stackImages(ConvOp op, const ::ane::hw::GenerationInfo &info) {
  return stackAll(op, info);
}

bool mlir::ane::stackImages(ConvTransposeOp op,
                            const ::ane::hw::GenerationInfo &info) {
  return stackAll(op, info);
}
