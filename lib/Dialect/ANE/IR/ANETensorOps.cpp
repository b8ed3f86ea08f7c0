//===- ANETensorOps.cpp - The tensor level of the ane dialect -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::ane;

#define GET_OP_CLASSES
#include "ane/Dialect/ANE/IR/ANEOps.cpp.inc"

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
LogicalResult ConvOp::verify() { return success(); }
void ConvOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ConvTransposeOp::verify() { return success(); }
LogicalResult MatmulOp::verify() { return success(); }
void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ElementwiseOp::verify() { return success(); }
void ElementwiseOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ActivationOp::verify() { return success(); }
void ActivationOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult PoolOp::verify() { return success(); }
LogicalResult ReduceOp::verify() { return success(); }
LogicalResult ConcatOp::verify() { return success(); }
void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult SliceOp::verify() { return success(); }
OpFoldResult SliceOp::fold(FoldAdaptor) { return {}; }
void SliceOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult PadOp::verify() { return success(); }
OpFoldResult PadOp::fold(FoldAdaptor) { return {}; }
void PadOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult TransposeOp::verify() { return success(); }
OpFoldResult TransposeOp::fold(FoldAdaptor) { return {}; }
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ReshapeOp::verify() { return success(); }
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return {}; }
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ResizeOp::verify() { return success(); }
LogicalResult CastOp::verify() { return success(); }
OpFoldResult CastOp::fold(FoldAdaptor) { return {}; }
