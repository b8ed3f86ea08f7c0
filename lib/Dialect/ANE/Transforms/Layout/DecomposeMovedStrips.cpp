//===- DecomposeMovedStrips.cpp - Transposes of what comes in strips ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Columns that are computed in strips, since L2 does not hold all of them, are
// put together in DRAM. Where nobody wants them like that but a transpose, it
// is one of each strip, as long as L2 has it:
//
//   transpose(concat(a, b))  ->  concat(transpose(a), transpose(b))
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

struct TransposeStrips : public OpRewritePattern<TransposeOp> {
  TransposeStrips(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation) {}

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat || !isImage(op.getResult()) || concat.getAxis() != 3 ||
        op.getPerm()[3] == 3 ||
        typeOf(op).getNumElements() * 4 <= int64_t(info.l2SourceBytes))
      return rewriter.notifyMatchFailure(op, "no strips that L2 does not hold");
    int64_t align = info.dmaAlign / sizeof(uint16_t);
    for (Value strip : concat.getInputs())
      if (!strip.getDefiningOp() || isa<SliceOp>(strip.getDefiningOp()) ||
          typeOf(strip).getDimSize(3) % align)
        return rewriter.notifyMatchFailure(op, "not computed in strips");
    SmallVector<Value> strips;
    for (Value strip : concat.getInputs()) {
      rewriter.setInsertionPointAfterValue(strip);
      strips.push_back(permuted(rewriter, op.getLoc(), strip, op.getPerm()));
    }
    rewriter.setInsertionPoint(op);
    int64_t axis = llvm::find(op.getPerm(), 3) - op.getPerm().begin();
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), strips, axis);
    return success();
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateMovedStripsPatterns(RewritePatternSet &patterns,
                                            const DecomposeOptions &options) {
  if (options.policy.tiling.transposesTiles)
    patterns.add<TransposeStrips>(patterns.getContext(), options);
}
