//===- ShrinkStrips.cpp - Strips of no more than is used ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop all strips are of one size (TilingInterface.cpp), also the last one
// and those at the border of an image. After it each op computes as much as
// the slices of its result have, from as much of its operands.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/FunctionImporter.h"
#include "ane/Dialect/ANE/IR/Tiling.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::ane;

/// The least box with all that is used of the result of `op`, if that can be
/// computed; none when something uses all of it.
static std::optional<Box> getUsedBox(Operation *op) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  if (op->use_empty())
    return std::nullopt;
  SmallVector<int64_t> low(shape), high(shape.size(), 0);
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice)
      return std::nullopt;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t first = slice.getOffsets()[dim];
      int64_t length =
          (slice.getSizes()[dim] - 1) * slice.getStrides()[dim] + 1;
      low[dim] = std::min(low[dim], first);
      high[dim] = std::max(high[dim], first + length);
    }
  }
  Box box;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t unit = getCutUnit(op, dim);
    int64_t first = low[dim] / unit * unit;
    box.offsets.push_back(first);
    box.sizes.push_back(int64_t(llvm::alignTo(high[dim], unit)) - first);
  }
  if (box == Box::all(shape))
    return std::nullopt;
  bool isLess = false;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Box> needed =
        getOperandBox(op, operand.getOperandNumber(), box);
    if (!needed)
      return std::nullopt;
    isLess |= !(*needed == Box::all(shapeOf(operand.get())));
  }
  // Part of a reshape may be a slice of one of as much.
  return isLess ? std::optional(box) : std::nullopt;
}

/// Then nothing uses `op` any more.
static void shrink(RewriterBase &rewriter, Operation *op, const Box &box) {
  rewriter.setInsertionPoint(op);
  Value part =
      createPart(rewriter, op, box, [&](OpOperand &use, const Box &needed) {
        return createSlice(rewriter, op->getLoc(), use.get(), needed);
      });
  for (Operation *user :
       llvm::make_early_inc_range(op->getResult(0).getUsers())) {
    auto slice = cast<SliceOp>(user);
    if (slice.getType() == part.getType()) { // then it is all
      rewriter.replaceOp(slice, part);
      continue;
    }
    SmallVector<int64_t> offsets(slice.getOffsets());
    for (size_t dim = 0; dim < offsets.size(); ++dim)
      offsets[dim] -= box.offsets[dim];
    slice.getInputMutable().assign(part);
    slice.setOffsets(offsets);
  }
}

void mlir::ane::shrinkStrips(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  // Users first. A slice that is new stands in front of its user, and is next.
  for (Operation *op = &function.front().back(), *before; op; op = before) {
    bool isCut = op->getNumResults() == 1 && op->getNumOperands() > 0 &&
                 isa<RankedTensorType>(op->getResult(0).getType());
    if (std::optional<Box> box = isCut ? getUsedBox(op) : std::nullopt)
      shrink(rewriter, op, *box);
    before = op->getPrevNode();
    if (auto slice = dyn_cast<SliceOp>(op))
      if (slice.getInput().getType() == slice.getType())
        rewriter.replaceAllUsesWith(slice.getResult(), slice.getInput());
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  }
}
