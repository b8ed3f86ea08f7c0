//===- ManyImages.cpp - Images that are channels --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NEs have no loop over images: each has tasks of its own, and a program
// has at most 65,536. The planar engine counts 8,191 in a task. Where an op treats images as it treats channels, or
// channels as rows, they are that, and the op is one task:
//
//   relu(x), N x C x H x W           relu of 1 x N*C x H x W
//   softmax(x, axis = 1), H = 1      softmax of 1 x N x C x W, axis = 2
//
// Windows are of one image that has all images below each other, each in P rows,
// so many that no window of one reaches into another:
//
//   conv(x), pad t, b                conv of 1 x C x N*P x W, P >= t + H + b
//
// A product of so many matrices with a short contraction is a sum of
// element-wise products, one for each index that is summed over.
//
// Planes and rows lie in the same order, so that nothing is moved. More channels
// than an image can have are cut like any long dimension (CutLongDims.cpp).
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

#include "CutLongDims.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Constants/Fold.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t countImages(Operation *op) {
  int64_t images = 1;
  auto look = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && type.getRank() == 4)
      images = std::max(images, type.getDimSize(0));
  };
  llvm::for_each(op->getOperands(), look);
  llvm::for_each(op->getResults(), look);
  return images;
}

/// Of a window, or of what becomes rows and columns of one.
static bool isByChannel(Operation *op) { return isa<PoolOp, ResizeOp>(op); }

/// Operands are tensors of as many dimensions as the result; those of a norm
/// after the first have dimensions for its axes.
static bool hasEqualRanks(Operation *op) {
  unsigned count = isa<LayerNormOp, RmsNormOp>(op) ? 1 : op->getNumOperands();
  return llvm::all_of(op->getOperands().take_front(count), [](Value operand) {
    return typeOf(operand).getRank() == 4;
  });
}

static bool mayJoin(Operation *op, int64_t dim) {
  return !isSignificantDim(op, dim) || !isSignificantDim(op, dim + 1) ||
         canMergeDims(op, dim, dim + 1);
}

static int64_t largestOf(Operation *op, const DimGroups &groups, int64_t dim) {
  int64_t size = groups.apply(shapeOf(op->getResult(0)))[dim];
  return std::max(size, groups.apply(shapeOf(op->getOperand(0)))[dim]);
}

/// More channels than an image can have, of several images.
static bool hasLongChannels(Operation *op,
                            const ::ane::hw::GenerationInfo &info) {
  auto isLong = [&](Value value) {
    RankedTensorType type = typeOf(value);
    return type.getRank() == 4 && type.getDimSize(0) > 1 &&
           type.getDimSize(1) > int64_t(info.maxChannels);
  };
  return llvm::any_of(op->getOperands(), isLong) ||
         llvm::any_of(op->getResults(), isLong);
}

/// The dimensions without images; none where each image is on its own.
static std::optional<DimGroups>
groupsWithoutImages(Operation *op, const ::ane::hw::GenerationInfo &info,
                    bool copiesRows = false) {
  DimGroups channels{{1, 1, 2, 3}}, rows{{1, 2, 2, 3}};
  bool canBeChannels = mayJoin(op, 0);
  // Rows that are too many are cut as well as channels.
  bool canBeRows = !isByChannel(op) && mayJoin(op, 1) &&
                   (hasLongChannels(op, info) ||
                    largestOf(op, rows, 2) <= int64_t(info.maxHeight));
  // More parts of them than that are no program.
  const int64_t most = 64 * int64_t(info.maxChannels);
  if (std::min(largestOf(op, channels, 1), largestOf(op, rows, 1)) > most)
    return std::nullopt;
  if (canBeChannels &&
      (!canBeRows || largestOf(op, channels, 1) <= int64_t(info.maxChannels)))
    return channels;
  if (canBeRows)
    return rows;
  // Rows that become one are copied; that is a task, not one for each image.
  DimGroups columns{{1, 2, 3, 3}};
  bool canBeColumns = copiesRows && !isByChannel(op) && mayJoin(op, 2) &&
                      largestOf(op, columns, 2) <= int64_t(info.maxHeight) &&
                      largestOf(op, columns, 3) <= int64_t(info.maxWidth);
  return canBeColumns ? std::optional(columns) : std::nullopt;
}

/// So that channels can become rows of operands that are the same for all of one
/// of these.
static void repeatOperands(OpBuilder &builder, Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> wanted(shapeOf(operand.get()));
    if (wanted[1] == 1 && wanted[2] == 1)
      continue;
    for (int64_t dim : {1, 2})
      wanted[dim] = shape[dim];
    if (ArrayRef(wanted) != shapeOf(operand.get()))
      operand.set(repeated(builder, op->getLoc(), operand.get(), wanted));
  }
}

static bool hasManyImages(Operation *op,
                          const ::ane::hw::GenerationInfo &info) {
  // Guess: a batch of this many is none of a network; a program has tasks for a
  // few hundred ops of each of its images.
  const int64_t most = info.maxTasks / 256;
  return op->getNumOperands() > 0 &&
         (countImages(op) > most || hasLongChannels(op, info));
}

static bool isJoined(Operation *op, const ::ane::hw::GenerationInfo &info) {
  if (!isa<ANEDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      !(canRegroup(op) || isByChannel(op)) || !hasManyImages(op, info) ||
      !hasEqualRanks(op))
    return false;
  // The host casts arguments and results as they are.
  return !isa<CastOp>(op) || !(isHostElement(op->getResult(0).getType()) ||
                               isHostElement(op->getOperand(0).getType()));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

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
static bool stackImages(OpT op, const ::ane::hw::GenerationInfo &info) {
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

//===----------------------------------------------------------------------===//
// Borders and copies
//===----------------------------------------------------------------------===//

static Value createAlong(OpBuilder &builder, PadOp op, Value value,
                         RankedTensorType type, int64_t dim) {
  SmallVector<int64_t> low(4, 0), high(4, 0);
  low[dim] = op.getLow()[dim];
  high[dim] = op.getHigh()[dim];
  return PadOp::create(builder, op.getLoc(), type, value, low, high,
                       op.getValue());
}

static Value createAlong(OpBuilder &builder, TileOp op, Value value,
                         RankedTensorType type, int64_t dim) {
  SmallVector<int64_t> repeats(4, 1);
  repeats[dim] = op.getRepeats()[dim];
  return TileOp::create(builder, op.getLoc(), type, value, repeats);
}

// Along one dimension after the other, the last one first.
template <typename OpT>
static bool splitDims(OpT op, const ::ane::hw::GenerationInfo &info) {
  if (!isJoined(op, info) || groupsWithoutImages(op, info))
    return false;
  OpBuilder builder(op);
  Value value = op.getInput();
  for (int64_t dim = 3; dim >= 0; --dim) {
    RankedTensorType type =
        withDim(typeOf(value), dim, op.getType().getDimSize(dim));
    if (type != value.getType())
      value = createAlong(builder, op, value, type, dim);
  }
  op.replaceAllUsesWith(value);
  op.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Index `k` of the contraction of a matrix, [.., rows, 1] or [.., 1, columns].
static Value sliceOf(OpBuilder &builder, MatmulOp op, bool isRhs, int64_t k) {
  Value matrix = isRhs ? op.getRhs() : op.getLhs();
  bool isTransposed = isRhs ? op.getTransposeRhs() : op.getTransposeLhs();
  int64_t dim = isRhs == isTransposed ? 3 : 2;
  Value part = sliceDim(builder, op.getLoc(), matrix, dim, k, 1);
  SmallVector<int64_t> shape(shapeOf(part));
  if (isTransposed) // one of both is 1
    std::swap(shape[2], shape[3]);
  return constantReshaped(builder, op.getLoc(), part, shape);
}

/// A sum of element-wise products; null where it is no better.
static Value multiplyOut(OpBuilder &builder, MatmulOp op,
                         const ::ane::hw::GenerationInfo &info) {
  RankedTensorType type = op.getType(), left = typeOf(op.getLhs());
  if (type.getRank() != 4 || left.getRank() != 4 ||
      typeOf(op.getRhs()).getRank() != 4)
    return {};
  int64_t matrices = type.getDimSize(0) * type.getDimSize(1);
  int64_t depth = left.getDimSize(op.getTransposeLhs() ? 2 : 3);
  // Summands are rounded to f16, one after the other.
  constexpr int64_t maxDepth = 16;
  if (matrices < int64_t(info.maxTasks) / 4 || depth > maxDepth)
    return {};
  Value sum;
  for (int64_t k = 0; k < depth; ++k) {
    Value part = binary(builder, op.getLoc(), ElementwiseKind::Mul,
                        sliceOf(builder, op, /*isRhs=*/false, k),
                        sliceOf(builder, op, /*isRhs=*/true, k));
    sum = sum ? binary(builder, op.getLoc(), ElementwiseKind::Add, sum, part)
              : part;
  }
  return activated(builder, op.getLoc(), sum, op.getActivationAttr());
}

//===----------------------------------------------------------------------===//
// Surfaces
//===----------------------------------------------------------------------===//

/// Whether images and channels of a tensor are more than an image has channels:
/// as channels or rows they can be cut (CutLongDims.cpp).
static bool isJoinedSurface(RankedTensorType type,
                            const ::ane::hw::GenerationInfo &info) {
  return type && type.getRank() == 4 && type.getDimSize(0) > 1 &&
         type.getDimSize(0) * type.getDimSize(1) > int64_t(info.maxChannels);
}

static bool hasOneImage(RankedTensorType type) {
  return type.getRank() == 4 && type.getDimSize(0) == 1;
}

/// An argument that all users see with one image has that.
static void joinArgument(func::FuncOp func, BlockArgument argument,
                         const ::ane::hw::GenerationInfo &info) {
  auto cast =
      dyn_cast<CastOp>(argument.hasOneUse() ? *argument.user_begin() : nullptr);
  Value used = cast ? cast.getResult() : Value(argument);
  auto reshape =
      used.use_empty() ? ReshapeOp() : dyn_cast<ReshapeOp>(*used.user_begin());
  if (!isJoinedSurface(dyn_cast<RankedTensorType>(argument.getType()), info) ||
      !reshape || !hasOneImage(reshape.getType()) ||
      !llvm::all_of(used.getUsers(), [&](Operation *user) {
        return isa<ReshapeOp>(user) &&
               user->getResult(0).getType() == reshape.getType();
      }))
    return;
  ArrayRef<int64_t> shape = reshape.getType().getShape();
  keepNetworkShape(func, argument);
  argument.setType(typeOf(argument).clone(shape));
  if (cast)
    used.setType(cast.getType().clone(shape));
}

static void joinResult(func::FuncOp func, OpOperand &result,
                       const ::ane::hw::GenerationInfo &info) {
  auto type = dyn_cast<RankedTensorType>(result.get().getType());
  auto cast = result.get().getDefiningOp<CastOp>();
  auto reshape =
      (cast ? cast.getInput() : result.get()).getDefiningOp<ReshapeOp>();
  if (!isJoinedSurface(type, info) || !reshape || !reshape->hasOneUse() ||
      !hasOneImage(typeOf(reshape.getInput())))
    return;
  ArrayRef<int64_t> shape = typeOf(reshape.getInput()).getShape();
  keepNetworkShape(func, result);
  reshape.getResult().setType(reshape.getType().clone(shape));
  if (cast)
    cast.getResult().setType(type.clone(shape));
}

static void joinSurfaces(func::FuncOp func,
                         const ::ane::hw::GenerationInfo &info) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return;
  for (BlockArgument argument : func.getArguments())
    joinArgument(func, argument, info);
  Operation *terminator = func.front().getTerminator();
  for (OpOperand &result : terminator->getOpOperands())
    joinResult(func, result, info);
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 terminator->getOperandTypes()));
}

int64_t mlir::ane::joinManyImages(Operation *scope,
                                  const ::ane::hw::GenerationInfo &info) {
  int64_t count = 0;
  scope->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<ConvOp, ConvTransposeOp>(
            [&](auto op) { count += stackImages(op, info); })
        .Case<PadOp, TileOp>([&](auto op) { count += splitDims(op, info); });
  });
  scope->walk([&](MatmulOp op) {
    OpBuilder builder(op);
    if (Value sum = multiplyOut(builder, op, info)) {
      op.replaceAllUsesWith(sum);
      op.erase();
      ++count;
    }
  });
  scope->walk([&](Operation *op) {
    if (!isJoined(op, info))
      return;
    OpBuilder builder(op);
    std::optional<DimGroups> groups = groupsWithoutImages(op, info);
    if (!groups && isa<CompareOp, ElementwiseOp, SelectOp>(op)) {
      repeatOperands(builder, op);
      groups = groupsWithoutImages(op, info);
    }
    if (!groups)
      groups = groupsWithoutImages(op, info, /*copiesRows=*/true);
    if (!groups)
      return;
    Value joined = createRegrouped(builder, op, *groups);
    op->getResult(0).replaceAllUsesWith(
        reshaped(builder, op->getLoc(), joined, shapeOf(op->getResult(0))));
    op->erase();
    ++count;
  });
  if (count > 0) {
    foldConstants(scope); // windows with zeros
    scope->walk([&](func::FuncOp func) { joinSurfaces(func, info); });
  }
  return count;
}
