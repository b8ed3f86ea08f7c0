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
// A product of so many matrices with a short contraction is a sum of
// element-wise products, one for each index that is summed over.
//
// Planes and rows lie in the same order, so that nothing is moved. More channels
// than an image can have are cut like any long dimension (CutLongDims.cpp).
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

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

/// The dimensions without images; none where each image is on its own.
static std::optional<DimGroups>
groupsWithoutImages(Operation *op, const ::ane::hw::GenerationInfo &info) {
  DimGroups channels{{1, 1, 2, 3}}, rows{{1, 2, 2, 3}};
  bool canBeChannels = mayJoin(op, 0);
  bool canBeRows = !isByChannel(op) && mayJoin(op, 1) &&
                   largestOf(op, rows, 2) <= int64_t(info.maxHeight);
  // More parts of them than that are no program.
  const int64_t most = 64 * int64_t(info.maxChannels);
  if (std::min(largestOf(op, channels, 1), largestOf(op, rows, 1)) > most)
    return std::nullopt;
  if (canBeChannels &&
      (!canBeRows || largestOf(op, channels, 1) <= int64_t(info.maxChannels)))
    return channels;
  return canBeRows ? std::optional(rows) : std::nullopt;
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

static bool isJoined(Operation *op, const ::ane::hw::GenerationInfo &info) {
  // Guess: a batch of this many is none of a network; a program has tasks for a
  // few hundred ops of each of its images.
  const int64_t most = info.maxTasks / 256;
  if (!isa<ANEDialect>(op->getDialect()) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0 || !(canRegroup(op) || isByChannel(op)) ||
      countImages(op) <= most || !hasEqualRanks(op))
    return false;
  // The host casts arguments and results as they are.
  return !isa<CastOp>(op) || !(isHostElement(op->getResult(0).getType()) ||
                               isHostElement(op->getOperand(0).getType()));
}

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
  if (ActivationAttr activation = op.getActivationAttr())
    sum = ActivationOp::create(builder, op.getLoc(), type, sum, activation);
  return sum;
}

int64_t mlir::ane::joinManyImages(Operation *scope,
                                  const ::ane::hw::GenerationInfo &info) {
  int64_t count = 0;
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
      return;
    Value joined = createRegrouped(builder, op, *groups);
    op->getResult(0).replaceAllUsesWith(
        reshaped(builder, op->getLoc(), joined, shapeOf(op->getResult(0))));
    op->erase();
    ++count;
  });
  return count;
}
