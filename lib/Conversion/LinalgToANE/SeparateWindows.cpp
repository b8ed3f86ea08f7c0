//===- SeparateWindows.cpp - Windows over results of a body ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusion moves elementwise ops into the body of the convolution or pooling that
// reads their result, where they are computed for each place of the window:
//
//   acc + f(x[h + k], y[h + k])
//
// Here they become an op of their own again, over the elements of the image,
//
//   z[i] = f(x[i], y[i])      acc + z[h + k]
//
// so that the window is one that the engine has. The same goes for a search.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "ane/Conversion/LinalgToANE/LinalgToANE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::ane;

namespace {
/// A value that a body computes from elements of inputs, and what is known of
/// the place of these: each dimension of any of them follows one of `exprs`,
/// which has `sizes` elements, or none.
struct Side {
  Value value;
  SmallVector<Operation *> ops; // in order
  SmallVector<OpOperand *> inputs;
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> sizes;

  bool hasWindow() const {
    return llvm::any_of(
        exprs, [](AffineExpr expr) { return !isa<AffineDimExpr>(expr); });
  }
};
} // namespace

/// What `value` is computed from. Nothing if that is more than elements of
/// inputs, or if their places are not of that kind.
static std::optional<Side> sideOf(linalg::GenericOp op, Value value) {
  Side side;
  side.value = value;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t next = 0; next != values.size(); ++next) {
    if (auto arg = dyn_cast<BlockArgument>(values[next])) {
      if (arg.getOwner() != op.getBlock())
        continue;
      if (arg.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      side.inputs.push_back(op.getDpsInputOperand(arg.getArgNumber()));
      continue;
    }
    Operation *inner = values[next].getDefiningOp();
    if (inner->getBlock() != op.getBlock())
      continue;
    if (isa<linalg::IndexOp>(inner) || inner->getNumRegions() ||
        !isMemoryEffectFree(inner) || isa<tensor::ExtractOp>(inner))
      return std::nullopt;
    side.ops.push_back(inner);
    values.insert(inner->operand_begin(), inner->operand_end());
  }
  llvm::sort(side.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  side.ops.erase(llvm::unique(side.ops), side.ops.end());
  for (OpOperand *input : side.inputs)
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(input).getResults())) {
      if (expr == getAffineConstantExpr(0, op.getContext()))
        continue;
      int64_t size = op.getShape(input)[dim];
      auto *found = llvm::find(side.exprs, expr);
      if (isa<AffineConstantExpr>(expr) ||
          (found != side.exprs.end() &&
           side.sizes[found - side.exprs.begin()] != size))
        return std::nullopt;
      if (found != side.exprs.end())
        continue;
      side.exprs.push_back(expr);
      side.sizes.push_back(size);
    }
  return side;
}

/// The value of `side` for all elements, as a tensor with a dimension for each
/// of its expressions.
static Value compute(OpBuilder &builder, linalg::GenericOp op,
                     const Side &side) {
  if (auto arg = dyn_cast<BlockArgument>(side.value))
    return op.getDpsInputOperand(arg.getArgNumber())->get();
  unsigned rank = side.exprs.size();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : side.inputs) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults()) {
      auto *found = llvm::find(side.exprs, expr);
      results.push_back(
          found == side.exprs.end()
              ? expr // 0
              : builder.getAffineDimExpr(found - side.exprs.begin()));
    }
    inputs.push_back(input->get());
    maps.push_back(
        AffineMap::get(rank, /*symbolCount=*/0, results, op.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  Location loc = op.getLoc();
  Value empty =
      tensor::EmptyOp::create(builder, loc, side.sizes, side.value.getType());
  auto fill = [&](OpBuilder &inner, Location, ValueRange args) {
    IRMapping mapping;
    for (auto [input, arg] : llvm::zip(side.inputs, args))
      mapping.map(op.getMatchingBlockArgument(input), arg);
    for (Operation *bodyOp : side.ops)
      inner.clone(*bodyOp, mapping);
    linalg::YieldOp::create(inner, loc, mapping.lookup(side.value));
  };
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, empty.getType(), inputs, empty,
                                   maps, loops, fill)
      .getResult(0);
}

/// Which places of the result `side` counts for: its map.
static AffineMap mapOf(linalg::GenericOp op, const Side &side) {
  if (auto arg = dyn_cast<BlockArgument>(side.value))
    return op.getMatchingIndexingMap(op.getDpsInputOperand(arg.getArgNumber()));
  return AffineMap::get(op.getNumLoops(), /*symbolCount=*/0, side.exprs,
                        op.getContext());
}

/// A window in the form that has no more than two inputs: an image and a
/// kernel, or the shape of one.
static void replaceWindow(linalg::GenericOp op, const Combiner &combiner,
                          ArrayRef<Side> sides) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Side &side : sides) {
    inputs.push_back(compute(builder, op, side));
    maps.push_back(mapOf(op, side));
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (sides.size() == 1) {
    SmallVector<AffineExpr> kernel;
    SmallVector<int64_t> sizes;
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction) {
        kernel.push_back(builder.getAffineDimExpr(loop));
        sizes.push_back(ranges[loop]);
      }
    inputs.push_back(
        tensor::EmptyOp::create(builder, loc, sizes, sides[0].value.getType()));
    maps.push_back(AffineMap::get(ranges.size(), /*symbolCount=*/0, kernel,
                                  op.getContext()));
  }
  OpOperand *init = op.getDpsInitOperand(0);
  maps.push_back(op.getMatchingIndexingMap(init));
  auto fill = [&](OpBuilder &inner, Location, ValueRange args) {
    IRMapping mapping;
    mapping.map(op.getMatchingBlockArgument(init), args.back());
    for (auto [side, arg] : llvm::zip(sides, args))
      mapping.map(side.value, arg);
    if (sides.size() == 2)
      inner.clone(*combiner.value.getDefiningOp(), mapping);
    Operation *combined = inner.clone(*combiner.op, mapping);
    linalg::YieldOp::create(inner, loc, combined->getResults());
  };
  auto window = linalg::GenericOp::create(builder, loc, op.getResultTypes(),
                                          inputs, init->get(), maps,
                                          op.getIteratorTypesArray(), fill);
  op->replaceAllUsesWith(window->getResults());
  op.erase();
}

/// What a search compares with the best that it knows: an operand of what it
/// yields as a float. Null if it is none, or an element of an input.
static Value comparedOf(linalg::GenericOp op) {
  for (auto [i, yielded] :
       llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    BlockArgument best = op.getMatchingBlockArgument(op.getDpsInitOperand(i));
    Operation *choice = yielded.getDefiningOp();
    if (!isa<FloatType>(yielded.getType()) || !choice)
      continue;
    bool isSelect = isa<arith::SelectOp>(choice);
    auto operands = choice->getOperands().drop_front(isSelect ? 1 : 0);
    if (operands.size() == 2 && llvm::is_contained(operands, best)) {
      Value x = operands[0] == best ? operands[1] : operands[0];
      return isa<BlockArgument>(x) ? Value() : x;
    }
  }
  return {};
}

/// A search of what its body computes: that becomes an op of its own.
static void separateSearch(linalg::GenericOp op) {
  Value x = comparedOf(op);
  std::optional<Side> side = x ? sideOf(op, x) : std::nullopt;
  if (!side || side->inputs.empty())
    return;
  auto isOfSide = [&](Operation *user) {
    return llvm::is_contained(side->ops, user);
  };
  for (Operation *inner : side->ops)
    if (inner != x.getDefiningOp() &&
        !llvm::all_of(inner->getUsers(), isOfSide))
      return;
  for (BlockArgument arg : op.getRegionInputArgs())
    if (!llvm::all_of(arg.getUsers(), isOfSide))
      return;
  OpBuilder builder(op);
  Value computed = compute(builder, op, *side);
  SmallVector<AffineMap> maps = {mapOf(op, *side)};
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  auto fill = [&](OpBuilder &inner, Location, ValueRange args) {
    IRMapping mapping;
    mapping.map(op.getRegionOutputArgs(), args.drop_front());
    mapping.map(x, args.front());
    for (Operation &bodyOp : *op.getBlock())
      if (!isOfSide(&bodyOp))
        inner.clone(bodyOp, mapping);
  };
  auto search = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), computed, op.getOutputs(),
      maps, op.getIteratorTypesArray(), fill);
  op->replaceAllUsesWith(search->getResults());
  op.erase();
}

static void separate(linalg::GenericOp op) {
  if (op.getNumDpsInits() == 2 && op.hasPureTensorSemantics() &&
      op.getNumReductionLoops() == 1 && !op.hasDynamicShape())
    return separateSearch(op);
  if (op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      op.getNumReductionLoops() == 0 || op.hasDynamicShape())
    return;
  std::optional<Combiner> combiner = combinerOf(op);
  if (!combiner)
    return;
  auto whole = sideOf(op, combiner->value);
  if (!whole || !whole->hasWindow())
    return;
  // An image, and the shape of a window after it.
  if (combiner->value == op.getBlock()->getArgument(0) &&
      op.getNumDpsInputs() == 2)
    return;
  // An image times a kernel, on which no window moves.
  auto product = combiner->value.getDefiningOp<arith::MulFOp>();
  if (product && combiner->kind == ReduceKind::Sum) {
    auto image = sideOf(op, product.getLhs()),
         kernel = sideOf(op, product.getRhs());
    if (!image->hasWindow())
      std::swap(image, kernel);
    if (!kernel->hasWindow() && !kernel->inputs.empty()) {
      if (!isMultiplyAdd(op) || image->inputs[0]->getOperandNumber() != 0)
        replaceWindow(op, *combiner, {*image, *kernel});
      return;
    }
  }
  replaceWindow(op, *combiner, {*whole});
}

void mlir::ane::separateWindows(func::FuncOp function) {
  multiplyFloats(function);
  SmallVector<linalg::GenericOp> ops;
  function.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops)
    separate(readByMaps(op));
}
