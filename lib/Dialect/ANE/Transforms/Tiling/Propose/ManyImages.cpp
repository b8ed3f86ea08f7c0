//===- ManyImages.cpp - Images that are channels --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NEs have no loop over images: each has tasks of its own, and a program has
// at most 65,536. The planar engine counts 8,191 in a task. Where an op treats
// images as it treats channels, or channels as rows, they are that, and the op
// is one task:
//
//   relu(x), N x C x H x W           relu of 1 x N*C x H x W
//   softmax(x, axis = 1), H = 1      softmax of 1 x N x C x W, axis = 2
//
// Windows are of images below each other (StackImages.cpp), products of many
// matrices are sums of products of elements (MultiplyMany.cpp).
//
// Planes and rows lie in the same order, so that nothing is moved. More channels
// than an image can have are cut like any long dimension (CutLongDims.cpp).
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

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
  // Those of weights are channels.
  if (isa<ConvOp, ConvTransposeOp>(op))
    return shapeOf(op->getResult(0))[0];
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

bool mlir::ane::hasManyImages(Operation *op,
                              const ::ane::hw::GenerationInfo &info) {
  // Guess: a batch of this many is none of a network; a program has tasks for a
  // few hundred ops of each of its images.
  const int64_t most = info.maxTasks / 256;
  auto isEmpty = [](Value value) {
    return typeOf(value).getNumElements() == 0;
  };
  return op->getNumOperands() > 0 &&
         (countImages(op) > most || hasLongChannels(op, info)) &&
         llvm::none_of(op->getOperands(), isEmpty) &&
         llvm::none_of(op->getResults(), isEmpty);
}

// What is computed from constants alone: it is folded, and takes no task.
using FoldedOps = DenseSet<Operation *>;
static FoldedOps collectFolded(Operation *scope) {
  FoldedOps folded;
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isFolded =
        op->getNumOperands() > 0
            ? llvm::all_of(op->getOperands(),
                           [&](Value operand) {
                             return folded.contains(operand.getDefiningOp());
                           })
            : isa<ConstantOp>(op);
    if (isFolded)
      folded.insert(op);
  });
  return folded;
}

static bool isJoined(Operation *op, const FoldedOps &folded,
                     const ::ane::hw::GenerationInfo &info) {
  if (!isa<ANEDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      !(canRegroup(op) || isByChannel(op)) || !hasManyImages(op, info) ||
      !hasEqualRanks(op) || folded.contains(op))
    return false;
  // The host casts arguments and results as they are.
  return !isa<CastOp>(op) || !(isHostElement(op->getResult(0).getType()) ||
                               isHostElement(op->getOperand(0).getType()));
}

// Nothing is copied to read images, or to put what ops compute one after the
// other.
static bool isFree(Operation *op) {
  auto isView = [](Value part) {
    Operation *def = part.getDefiningOp();
    return !def || isa<ReshapeOp, SliceOp>(def);
  };
  return isViewOfImages(op) &&
         !(isa<ConcatOp>(op) && llvm::any_of(op->getOperands(), isView));
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
static bool splitDims(OpT op, const FoldedOps &folded,
                      const ::ane::hw::GenerationInfo &info) {
  if (!isJoined(op, folded, info) || groupsWithoutImages(op, info))
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
// Exchanges
//===----------------------------------------------------------------------===//

// N x C x H x W to N x H x C x W with images as channels: each of C planes is put
// between the others, or each of H rows, whichever are fewer. Other orders of the
// last three dimensions are no tasks of each image.
static bool exchangeRows(TransposeOp op, const FoldedOps &folded,
                         const ::ane::hw::GenerationInfo &info) {
  if (op.getPerm() != ArrayRef<int64_t>{0, 2, 1, 3} ||
      !hasManyImages(op, info) || isViewOfImages(op) || folded.contains(op))
    return false;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  const int64_t images = shape[0], channels = shape[1], rows = shape[2],
                columns = shape[3];
  Value below = reshaped(builder, loc, op.getInput(),
                         {1, images, channels * rows, columns});
  SmallVector<Value> parts;
  for (int64_t i = 0, count = std::min(channels, rows); i < count; ++i)
    parts.push_back(
        channels <= rows
            ? reshaped(builder, loc,
                       sliceDim(builder, loc, below, 2, i * rows, rows),
                       {1, images * rows, 1, columns})
            : sliceDim(builder, loc, below, 2, i, channels, /*stride=*/rows));
  op.replaceAllUsesWith(reshaped(builder, loc,
                                 concatDim(builder, loc, parts, 2),
                                 op.getType().getShape()));
  op.erase();
  return true;
}

bool mlir::ane::areTooManyImages(Operation *scope,
                                 const ::ane::hw::GenerationInfo &info) {
  // Guess: a transpose takes one for each row of an image, and there are other
  // ops.
  const int64_t most = info.maxTasks / 16;
  const FoldedOps folded = collectFolded(scope);
  int64_t tasks = 0;
  scope->walk([&](Operation *op) {
    if (isa<ANEDialect>(op->getDialect()) && op->getNumResults() == 1 &&
        !folded.contains(op) && !isa<ReshapeOp>(op) &&
        hasManyImages(op, info) && !isFree(op))
      tasks += countImages(op);
  });
  return tasks > most;
}

int64_t mlir::ane::joinManyImages(Operation *scope,
                                  const ::ane::hw::GenerationInfo &info) {
  int64_t count = 0;
  const FoldedOps folded = collectFolded(scope);
  scope->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<ConvOp, ConvTransposeOp>(
            [&](auto op) { count += stackImages(op, info); })
        .Case<PadOp, TileOp>(
            [&](auto op) { count += splitDims(op, folded, info); })
        .Case([&](TransposeOp op) { count += exchangeRows(op, folded, info); });
  });
  scope->walk([&](MatmulOp op) {
    OpBuilder builder(op);
    if (Value product = multiplyMany(builder, op, info)) {
      op.replaceAllUsesWith(product);
      op.erase();
      ++count;
    }
  });
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (isJoined(op, folded, info))
      ops.push_back(op);
  });
  if (count == 0 && llvm::all_of(ops, isFree))
    return 0;
  for (Operation *op : ops) {
    OpBuilder builder(op);
    std::optional<DimGroups> groups = groupsWithoutImages(op, info);
    if (!groups && isa<CompareOp, ElementwiseOp, SelectOp>(op)) {
      repeatOperands(builder, op);
      groups = groupsWithoutImages(op, info);
    }
    if (!groups)
      groups = groupsWithoutImages(op, info, /*copiesRows=*/true);
    if (!groups)
      continue;
    Value joined = createRegrouped(builder, op, *groups);
    op->getResult(0).replaceAllUsesWith(
        reshaped(builder, op->getLoc(), joined, shapeOf(op->getResult(0))));
    op->erase();
    ++count;
  }
  if (count > 0) {
    foldConstants(scope); // windows with zeros
    composeReshapes(scope);
    scope->walk([&](func::FuncOp func) { joinSurfaces(func, info); });
  }
  return count;
}
