//===- LowerControl.cpp - StableHLO's loops and branches ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops and branches become those of scf, which other front ends have, too, and
// which flattenBranches() takes apart where conditions are known.
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::ane;

/// The number in a tensor without dimensions.
static Value numberIn(OpBuilder &builder, Location loc, Value tensor) {
  return tensor::ExtractOp::create(builder, loc, tensor, ValueRange());
}

/// Moves the block of `from` to `to`; `end` makes its terminator.
static void moveBlock(RewriterBase &rewriter, Region &from, Region &to,
                      llvm::function_ref<void(stablehlo::ReturnOp)> end) {
  to.takeBody(from);
  auto ret = cast<stablehlo::ReturnOp>(to.front().getTerminator());
  rewriter.setInsertionPoint(ret);
  end(ret);
  rewriter.eraseOp(ret);
}

static void lowerLoop(RewriterBase &rewriter, stablehlo::WhileOp op) {
  rewriter.setInsertionPoint(op);
  auto loop = scf::WhileOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                   op.getInits());
  moveBlock(
      rewriter, op.getCond(), loop.getBefore(), [&](stablehlo::ReturnOp ret) {
        Value condition = numberIn(rewriter, ret.getLoc(), ret.getOperand(0));
        scf::ConditionOp::create(rewriter, ret.getLoc(), condition,
                                 loop.getBefore().getArguments());
      });
  moveBlock(rewriter, op.getBody(), loop.getAfter(),
            [&](stablehlo::ReturnOp ret) {
              scf::YieldOp::create(rewriter, ret.getLoc(), ret.getOperands());
            });
  rewriter.replaceOp(op, loop);
}

/// The ops of a branch where the builder stands; what it returns.
static SmallVector<Value> inlineBranch(RewriterBase &rewriter, Block &block) {
  Operation *end = block.getTerminator();
  SmallVector<Value> results(end->getOperands());
  rewriter.eraseOp(end);
  rewriter.inlineBlockBefore(&block, rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint());
  return results;
}

/// The branches from `first` on, each of which asks whether it is meant but for
/// the last one, which is for all other indices, too.
static SmallVector<Value> buildBranches(RewriterBase &rewriter, Operation *op,
                                        unsigned first) {
  Block &block = op->getRegion(first).front();
  if (first + 1 == op->getNumRegions())
    return inlineBranch(rewriter, block);
  Location loc = op->getLoc();
  Value condition = op->getOperand(0);
  auto type = cast<RankedTensorType>(condition.getType());
  if (!type.getElementType().isInteger(1)) {
    auto number = DenseElementsAttr::get(
        type, rewriter.getIntegerAttr(type.getElementType(), first));
    condition = stablehlo::CompareOp::create(
        rewriter, loc, type.clone(rewriter.getI1Type()), condition,
        stablehlo::ConstantOp::create(rewriter, loc, type, number),
        stablehlo::ComparisonDirection::EQ, stablehlo::ComparisonTypeAttr());
  }
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(),
                                  numberIn(rewriter, loc, condition),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, inlineBranch(rewriter, block));
  rewriter.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, buildBranches(rewriter, op, first + 1));
  return llvm::to_vector_of<Value>(branch.getResults());
}

static void lowerBranches(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  if (op->getNumResults() == 0)
    return rewriter.eraseOp(op);
  SmallVector<Value> results = buildBranches(rewriter, op, 0);
  rewriter.replaceOp(op, results);
}

/// Both sides of branches whose condition is data, and what it chooses of them;
/// whether there were any.
static bool chooseByData(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<scf::IfOp> branches;
  for (Operation &op : function.front())
    if (auto branch = dyn_cast<scf::IfOp>(op);
        branch && branch.elseBlock() &&
        branch.getCondition().getDefiningOp<tensor::ExtractOp>())
      branches.push_back(branch);
  for (scf::IfOp branch : branches) {
    auto flag = branch.getCondition().getDefiningOp<tensor::ExtractOp>();
    rewriter.setInsertionPoint(branch);
    SmallVector<Value> yes = inlineBranch(rewriter, *branch.thenBlock()),
                       no = inlineBranch(rewriter, *branch.elseBlock()), chosen;
    for (auto [a, b] : llvm::zip_equal(yes, no))
      chosen.push_back(stablehlo::SelectOp::create(
          rewriter, branch.getLoc(), a.getType(), flag.getTensor(), a, b));
    rewriter.replaceOp(branch, chosen);
  }
  return !branches.empty();
}

/// What the values of `found` are computed from, too.
static void addSources(llvm::SetVector<Operation *> &found) {
  for (size_t i = 0; i != found.size(); ++i)
    for (Value operand : found[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        found.insert(op);
}

/// Indices that follow from constants become constants.
static void foldIndices(func::FuncOp function) {
  llvm::SetVector<Operation *> sources;
  auto add = [&](ValueRange indices) {
    for (Value index : indices)
      if (Operation *op = index.getDefiningOp())
        sources.insert(op);
  };
  function.walk([&](Operation *op) {
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
      add(gather.getStartIndices());
    if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
      add(slice.getStartIndices());
    if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op))
      add(update.getStartIndices());
  });
  addSources(sources);
  IRRewriter rewriter(function.getContext());
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    SmallVector<Value> results;
    rewriter.setInsertionPoint(&op);
    bool isFoldable =
        sources.contains(&op) && !op.hasTrait<OpTrait::ConstantLike>();
    if (isFoldable && succeeded(rewriter.tryFold(&op, results)) &&
        !results.empty())
      rewriter.replaceOp(&op, results);
  }
}

void mlir::ane::flattenStableHLO(func::FuncOp function) {
  constexpr int maxNesting = 32;
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  IRRewriter rewriter(function.getContext());
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<stablehlo::CaseOp, stablehlo::IfOp, stablehlo::WhileOp>(op))
      ops.push_back(op);
  });
  // Inner ones first.
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
      lowerLoop(rewriter, loop);
    else
      lowerBranches(rewriter, op);
  }
  for (int nesting = 0; nesting != maxNesting; ++nesting) {
    flattenBranches(function);
    if (!chooseByData(rewriter, function))
      break;
  }
  foldIndices(function);
}
