//===- ReadByMaps.cpp - Elements that a map could read --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body may move its window by arithmetic on the numbers of iterations:
//
//   %h = arith.addi (arith.muli %oh, 2), %kh
//   %v = tensor.extract %x[%n, %c, %h, %w]
//
// Where all coordinates are such sums, and never leave the tensor, that is what
// an operand with an indexing map reads; it becomes one here.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ane;

/// Sums and products that nest deeper are left as they are.
static constexpr int maxDepth = 32;

/// `value` as a sum of numbers of iterations; null if it is something else.
static AffineExpr exprOf(Value value, int depth = 0) {
  APInt number;
  MLIRContext *context = value.getContext();
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isSignedIntN(32)
               ? getAffineConstantExpr(number.getSExtValue(), context)
               : AffineExpr();
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return {};
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return getAffineDimExpr(index.getDim(), context);
  SmallVector<AffineExpr> operands;
  for (Value operand : op->getOperands()) {
    AffineExpr expr = exprOf(operand, depth + 1);
    if (!expr)
      return {};
    operands.push_back(expr);
  }
  if (isa<arith::AddIOp>(op))
    return operands[0] + operands[1];
  if (isa<arith::SubIOp>(op))
    return operands[0] - operands[1];
  if (isa<arith::MulIOp>(op) && (isa<AffineConstantExpr>(operands[0]) ||
                                 isa<AffineConstantExpr>(operands[1])))
    return operands[0] * operands[1];
  auto apply = dyn_cast<affine::AffineApplyOp>(op);
  if (!apply)
    return {};
  AffineMap map = apply.getAffineMap();
  ArrayRef<AffineExpr> all(operands);
  return map.getResult(0).replaceDimsAndSymbols(
      all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
}

/// Whether `expr` is a sum of multiples of loops that stays below `size`.
/// `isWindow` becomes true if it follows a parallel and a reduction loop.
static bool staysInside(AffineExpr expr, linalg::GenericOp op, int64_t size,
                        bool &isWindow) {
  SmallVector<int64_t> factors; // of each loop, and a number
  unsigned loops = op.getNumLoops();
  if (failed(getFlattenedAffineExpr(expr, loops, /*numSymbols=*/0, &factors)) ||
      factors.size() != loops + 1)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t low = factors[loops], high = low;
  bool follows[] = {false, false};
  for (unsigned loop = 0; loop != loops; ++loop) {
    int64_t reach;
    if (llvm::MulOverflow(factors[loop], ranges[loop] - 1, reach) ||
        llvm::AddOverflow(reach < 0 ? low : high, reach,
                          reach < 0 ? low : high))
      return false;
    if (factors[loop] != 0)
      follows[kinds[loop] == utils::IteratorType::reduction] = true;
  }
  isWindow |= follows[0] && follows[1];
  return low >= 0 && high < size;
}

/// The map by which `extract` reads, if it moves a window over its source.
static AffineMap mapOf(tensor::ExtractOp extract, linalg::GenericOp op) {
  SmallVector<AffineExpr> exprs;
  RankedTensorType type = extract.getTensor().getType();
  bool isWindow = false;
  for (auto [coordinate, size] :
       llvm::zip_equal(extract.getIndices(), type.getShape())) {
    AffineExpr expr = exprOf(coordinate);
    if (!expr || !staysInside(expr, op, size, isWindow))
      return {};
    exprs.push_back(expr);
  }
  return isWindow ? AffineMap::get(op.getNumLoops(), /*symbolCount=*/0, exprs,
                                   op.getContext())
                  : AffineMap();
}

/// Whether `op` reads anything but constants by its maps. Coefficients that are
/// computed make no window of the engine, but patches do, which elements at
/// places become.
static bool readsData(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return !op.getMatchingBlockArgument(input).use_empty() &&
           !FunctionImporter::constant(input->get());
  });
}

linalg::GenericOp mlir::ane::readByMaps(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || readsData(op))
    return op;
  SmallVector<tensor::ExtractOp> extracts;
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps, own = op.getIndexingMapsArray();
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    Operation *source = extract.getTensor().getDefiningOp();
    AffineMap map = extract.getTensor().getType().hasStaticShape() &&
                            (!source || source->getBlock() != op.getBlock())
                        ? mapOf(extract, op)
                        : AffineMap();
    if (!map)
      continue;
    extracts.push_back(extract);
    inputs.push_back(extract.getTensor());
    maps.push_back(map);
  }
  if (extracts.empty())
    return op;
  own.insert(own.begin() + op.getNumDpsInputs(), maps.begin(), maps.end());
  OpBuilder builder(op);
  auto replacement = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), own,
      op.getIteratorTypesArray());
  Block *body = op.getBlock();
  for (auto [i, extract] : llvm::enumerate(extracts)) {
    BlockArgument arg = body->insertArgument(op.getNumDpsInputs() + i,
                                             extract.getType(), op.getLoc());
    extract.replaceAllUsesWith(arg);
    extract.erase();
  }
  replacement.getRegion().takeBody(op.getRegion());
  op->replaceAllUsesWith(replacement->getResults());
  op.erase();
  // Coordinates that nothing else uses.
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*replacement.getBlock())))
    if (isOpTriviallyDead(&inner))
      inner.erase();
  return replacement;
}
