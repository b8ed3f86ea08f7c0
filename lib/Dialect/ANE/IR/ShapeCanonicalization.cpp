//===- ShapeCanonicalization.cpp - Simpler ways to move elements ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::ane;

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {
}
OpFoldResult SliceOp::fold(FoldAdaptor) { return {}; }
void SliceOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
OpFoldResult PadOp::fold(FoldAdaptor) { return {}; }
void PadOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
OpFoldResult TransposeOp::fold(FoldAdaptor) { return {}; }
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &,
                                              MLIRContext *) {}
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return {}; }
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &,
                                            MLIRContext *) {}
