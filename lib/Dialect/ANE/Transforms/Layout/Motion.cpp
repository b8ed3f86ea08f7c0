//===- Motion.cpp - Movements through other ops ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Motion.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

Motion Motion::reshape(ArrayRef<int64_t> source, ArrayRef<int64_t> shape) {
  Motion motion(source, shape);
  motion.dims.assign(shape.size(), -1);
  auto isOne = [](ArrayRef<int64_t> sizes, size_t at) {
    return at < sizes.size() && sizes[at] == 1;
  };
  size_t before = 0, at = 0;
  while (before < source.size() || at < shape.size()) {
    if (isOne(source, before) || isOne(shape, at)) {
      if (isOne(source, before) && isOne(shape, at))
        motion.dims[at] = before;
      size_t skipped = isOne(shape, at);
      before += isOne(source, before);
      at += skipped;
      continue;
    }
    size_t firstBefore = before, first = at;
    int64_t left = source[before++], right = shape[at++];
    while (left != right)
      (left < right ? left : right) *=
          left < right ? source[before++] : shape[at++];
    if (before - firstBefore == 1 && at - first == 1)
      motion.dims[first] = firstBefore;
    else
      motion.blocks.push_back({int64_t(first), int64_t(at - first),
                               int64_t(firstBefore),
                               int64_t(before - firstBefore)});
  }
  return motion;
}

Motion Motion::pixels(ArrayRef<int64_t> image, ArrayRef<int64_t> rows) {
  Motion motion(image, rows);
  motion.dims.assign(rows.size(), -1);
  motion.dims.back() = 1;
  motion.blocks.push_back({0, int64_t(rows.size()) - 1, 2, 2});
  return motion;
}

std::optional<Motion> Motion::of(Value value) {
  Operation *op = movementOf(value);
  // Sizes of a tensor without elements do not say which of them are one.
  if (!op || typeOf(value).getNumElements() == 0)
    return std::nullopt;
  ArrayRef<int64_t> source = shapeOf(op->getOperand(0));
  auto transposed = dyn_cast<TransposeOp>(op);
  if (!transposed)
    return reshape(source, shapeOf(value));
  Motion motion(source, shapeOf(value));
  motion.dims.assign(transposed.getPerm().begin(), transposed.getPerm().end());
  motion.transposed = true;
  return motion;
}

bool Motion::operator==(const Motion &other) const {
  if (transposed != other.transposed || dims != other.dims ||
      source.size() != other.source.size())
    return false;
  return llvm::equal(
      blocks, other.blocks, [&](const Block &own, const Block &its) {
        return own.first == its.first && own.firstBefore == its.firstBefore &&
               sizes(own) == other.sizes(its) &&
               sizesBefore(own) == other.sizesBefore(its);
      });
}

std::optional<SmallVector<int64_t>>
Motion::shapeBack(ArrayRef<int64_t> shape) const {
  if (shape.size() != dims.size())
    return std::nullopt;
  SmallVector<int64_t> back(source.size(), 1);
  for (const Block &block : blocks) {
    ArrayRef<int64_t> own = shape.slice(block.first, block.count);
    if (own == sizes(block))
      llvm::copy(sizesBefore(block), back.begin() + block.firstBefore);
    else if (ShapedType::getNumElements(own) != 1)
      return std::nullopt;
  }
  for (auto [dim, size] : llvm::zip_equal(dims, shape))
    if (dim >= 0)
      back[dim] = size;
  return ShapedType::getNumElements(back) == ShapedType::getNumElements(shape)
             ? std::optional(back)
             : std::nullopt;
}

Value Motion::apply(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> shape) const {
  return transposed ? permuted(builder, loc, value, dims)
                    : reshaped(builder, loc, value, shape);
}

bool Motion::canUndo(Value value) const {
  if (!shapeBack(shapeOf(value)))
    return false;
  // In order where a transpose moves dimensions of 1 only.
  return !transposed || isConstant(value) ||
         IndexMap(shapeOf(value), inverse(dims)).isInOrder();
}

Value Motion::undo(OpBuilder &builder, Location loc, Value value) const {
  return transposed ? permuted(builder, loc, value, inverse(dims))
                    : reshaped(builder, loc, value, *shapeBack(shapeOf(value)));
}

// Axes of reductions and norms in the source. Gamma and beta have a dimension
// for each.
static const char *whyNotAxes(Operation *op, ArrayRef<int64_t> axes,
                              ArrayRef<int64_t> dims) {
  SmallVector<int64_t> mapped;
  for (int64_t axis : axes)
    if (dims[axis] >= 0)
      mapped.push_back(dims[axis]);
    else if (shapeOf(op->getOperand(0))[axis] != 1)
      return "an axis is split or merged";
  if (mapped.empty())
    return "its axes go";
  bool hasFactors = op->getNumOperands() > 1;
  if (hasFactors && mapped.size() != axes.size())
    return "an axis of its factors goes";
  if (hasFactors && !llvm::is_sorted(mapped))
    return "axes of its factors change their order";
  return nullptr;
}

const char *Motion::whyNot(Operation *op) const {
  // What is cast is at the border, and may be of types that no other op has.
  if (isa<CastOp>(op) || !(canRegroup(op) || isa<MatmulOp>(op)))
    return "its dimensions cannot change";
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0)),
                    from = shapeOf(op->getOperand(0));
  std::optional<SmallVector<int64_t>> back = shapeBack(shape);
  if (!back)
    return "the sizes of what is split or merged change";
  if (isa<MatmulOp>(op)) {
    int64_t rank = dims.size(), rankBefore = source.size();
    return rankBefore >= 2 && dims[rank - 2] == rankBefore - 2 &&
                   dims[rank - 1] == rankBefore - 1
               ? nullptr
               : "the matrices move";
  }
  auto axes = llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
                  .Case<LayerNormOp, ReduceOp, RmsNormOp>([](auto op) {
                    return SmallVector<int64_t>(op.getAxes());
                  })
                  .Case<ConcatOp, SoftmaxOp>([](auto op) {
                    return SmallVector<int64_t>{int64_t(op.getAxis())};
                  })
                  .Default(SmallVector<int64_t>());
  if (isa<ConcatOp, SoftmaxOp>(op))
    return dims[axes[0]] >= 0 ? nullptr : "its axis goes, is split or merged";
  if (!axes.empty())
    return whyNotAxes(op, axes, dims);
  if (isa<PadOp, SliceOp, TileOp>(op))
    for (auto [dim, to] : llvm::enumerate(dims))
      if (to < 0 && (from[dim] != shape[dim] ||
                     (from[dim] != 1 && !getDimMap(op, 0, dim).isPlain())))
        return "what it changes is split or merged";
  return nullptr;
}

Value Motion::createBefore(OpBuilder &builder, Operation *op,
                           ValueRange operands) const {
  DimGroups groups{dims, int64_t(source.size())};
  groups.result = *shapeBack(shapeOf(op->getResult(0)));
  return createRegrouped(builder, op, operands, groups);
}
