//===- Regroup.cpp - The same op with other dimensions --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

DimGroups DimGroups::lastFour(int64_t from) {
  DimGroups groups;
  for (int64_t dim = 0; dim < from; ++dim)
    groups.to.push_back(std::max<int64_t>(0, dim + groups.rank - from));
  return groups;
}

SmallVector<int64_t> DimGroups::apply(ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> grouped(rank, 1);
  for (auto [group, size] : llvm::zip_equal(to, sizes))
    if (group >= 0)
      grouped[group] *= size;
  return grouped;
}

SmallVector<int64_t> DimGroups::applyToOffsets(ArrayRef<int64_t> offsets,
                                               ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> grouped(rank, 0);
  for (auto [group, offset, size] : llvm::zip_equal(to, offsets, shape))
    if (group >= 0)
      grouped[group] = grouped[group] * size + offset;
  return grouped;
}

SmallVector<int64_t> DimGroups::applyToAxes(ArrayRef<int64_t> axes,
                                            ArrayRef<int64_t> shape) const {
  llvm::SmallBitVector isAxis(rank);
  for (int64_t axis : axes)
    if (to[axis] >= 0)
      isAxis.set(to[axis]);
  for (auto [dim, group] : llvm::enumerate(to))
    if (group >= 0 && shape[dim] != 1 && !llvm::is_contained(axes, dim))
      isAxis.reset(group);
  return SmallVector<int64_t>(isAxis.set_bits());
}

bool mlir::ane::canRegroup(Operation *op) {
  return isa<ActivationOp, CastOp, CompareOp, ConcatOp, ElementwiseOp,
             LayerNormOp, PadOp, ReduceOp, RmsNormOp, SelectOp, SliceOp,
             SoftmaxOp, TileOp>(op);
}

static SmallVector<int64_t> stridesOf(SliceOp op, const DimGroups &groups) {
  SmallVector<int64_t> strides(groups.rank, 1);
  for (auto [dim, group] : llvm::enumerate(groups.to))
    if (group >= 0 && shapeOf(op.getInput())[dim] != 1)
      strides[group] = op.getStrides()[dim];
  return strides;
}

Value mlir::ane::createRegrouped(OpBuilder &builder, Operation *op,
                                 ValueRange operands, const DimGroups &groups) {
  RankedTensorType type = typeOf(op->getResult(0));
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(RankedTensorType::get(
      groups.apply(type.getShape()), type.getElementType()));
  llvm::TypeSwitch<Operation *>(copy)
      .Case<LayerNormOp, ReduceOp, RmsNormOp>([&](auto copy) {
        copy.setAxes(groups.applyToAxes(copy.getAxes(), shape));
      })
      .Case<ConcatOp, SoftmaxOp>(
          [&](auto copy) { copy.setAxis(groups.to[copy.getAxis()]); })
      .Case([&](TileOp copy) {
        copy.setRepeats(groups.apply(copy.getRepeats()));
      })
      .Case([&](PadOp copy) {
        copy.setLow(groups.applyToOffsets(copy.getLow(), shape));
        copy.setHigh(groups.applyToOffsets(copy.getHigh(), shape));
      })
      .Case([&](SliceOp copy) {
        copy.setOffsets(groups.applyToOffsets(copy.getOffsets(), shape));
        copy.setSizes(shapeOf(copy.getResult()));
        copy.setStrides(stridesOf(cast<SliceOp>(op), groups));
      });
  return copy->getResult(0);
}

/// Of the factors and summands of a norm, which have a dimension for each axis.
static SmallVector<int64_t> shapeOfAxes(Operation *op,
                                        const DimGroups &groups) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  auto norm = dyn_cast<LayerNormOp>(op);
  ArrayRef<int64_t> axes =
      norm ? norm.getAxes() : cast<RmsNormOp>(op).getAxes();
  SmallVector<int64_t> grouped = groups.apply(shape), sizes;
  for (int64_t axis : groups.applyToAxes(axes, shape))
    sizes.push_back(grouped[axis]);
  return sizes;
}

Value mlir::ane::createRegrouped(OpBuilder &builder, Operation *op,
                                 const DimGroups &groups) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    bool isOfAxes = isa<LayerNormOp, RmsNormOp>(op) && !operands.empty();
    operands.push_back(constantReshaped(
        builder, op->getLoc(), operand,
        isOfAxes ? shapeOfAxes(op, groups) : groups.apply(shapeOf(operand))));
  }
  return createRegrouped(builder, op, operands, groups);
}
