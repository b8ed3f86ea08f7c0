//===- Regroup.cpp - The same op with other dimensions --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

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

bool mlir::ane::isSignificantDim(Operation *op, int64_t dim) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  auto sizeOf = [&](Value value, int64_t dim) {
    return typeOf(value).getRank() == rank ? shapeOf(value)[dim] : 1;
  };
  auto isLarge = [&](Value value) { return sizeOf(value, dim) != 1; };
  if (llvm::any_of(op->getOperands(), isLarge) || isLarge(op->getResult(0)))
    return true;
  auto axes =
      llvm::make_filter_range(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
        return getDimMap(op, 0, dim).kind == DimMap::Reduced;
      });
  return !axes.empty() && *axes.begin() == dim &&
         llvm::all_of(axes, [&](int64_t axis) {
           return sizeOf(op->getOperand(0), axis) == 1;
         });
}

bool mlir::ane::canMergeDims(Operation *op, int64_t first, int64_t second) {
  int64_t inner = shapeOf(op->getResult(0))[second];
  for (unsigned index = 0; index < op->getNumOperands(); ++index) {
    DimMap left = getDimMap(op, index, first);
    DimMap right = getDimMap(op, index, second);
    bool isWhole = right.dim >= 0 && right.isPlain() &&
                   right.kind != DimMap::Reduced &&
                   right.kind != DimMap::Broadcast &&
                   shapeOf(op->getOperand(index))[right.dim] == inner;
    // Only a tile repeats more than one element.
    bool isRun = left.kind == DimMap::Broadcast
                     ? isa<TileOp>(op)
                     : left.kind != DimMap::Reduced && left.stride == 1 &&
                           left.kernel == 1;
    bool isAlike =
        left.kind == right.kind && left.unit == 1 &&
        (left.kind == DimMap::Broadcast || left.kind == DimMap::Reduced);
    if (!isAlike && !(isWhole && isRun))
      return false;
  }
  return true;
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
  copy->getResult(0).setType(type.clone(
      groups.result.empty() ? groups.apply(type.getShape()) : groups.result));
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

Value mlir::ane::repeated(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  if (value.getDefiningOp<ConstantOp>())
    if (FailureOr<ConstantView> view = ConstantView::get(value);
        succeeded(view) && view->isReadable())
      return unroundedConstant(builder, loc, shape,
                               view->broadcast(shape).readFloats());
  SmallVector<int64_t> repeats;
  for (auto [size, extent] : llvm::zip(type.getShape(), shape))
    repeats.push_back(extent / size);
  return TileOp::create(builder, loc, type.clone(shape), value, repeats);
}

bool mlir::ane::isViewOfImages(Operation *op) {
  if (auto concat = dyn_cast<ConcatOp>(op))
    return concat.getAxis() == 0;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return IndexMap(shapeOf(transpose.getInput()), transpose.getPerm())
        .isInOrder();
  auto slice = dyn_cast<SliceOp>(op);
  return slice &&
         shapeOf(slice.getResult()).drop_front() ==
             shapeOf(slice.getInput()).drop_front() &&
         slice.getStrides().front() == 1;
}

void mlir::ane::composeReshapes(Operation *scope) {
  scope->walk([](ReshapeOp op) {
    while (auto before = op.getInput().getDefiningOp<ReshapeOp>()) {
      op.getInputMutable().assign(before.getInput());
      if (before->use_empty())
        before->erase();
    }
    if (op.getInput().getType() == op.getType())
      op.replaceAllUsesWith(op.getInput());
  });
}
