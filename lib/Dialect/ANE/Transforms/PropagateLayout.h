//===- PropagateLayout.h - Parts of ane-propagate-layout --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The helpers and the groups of patterns of the pass; PropagateLayout.cpp says
// how they work together.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_PROPAGATELAYOUT_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_PROPAGATELAYOUT_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Generation.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {
struct LoweringPolicy;
} // namespace mlir::ane

namespace mlir::ane::layout {

/// Matrix multiplications by constants become convolutions.
void addMatmulPatterns(RewritePatternSet &patterns,
                       const LoweringPolicy &policy,
                       const ::ane::hw::GenerationInfo &info);
/// Reshapes and transposes of attention meet; PropagateHeads.cpp.
void addHeadPatterns(RewritePatternSet &patterns);
/// Features become channels, of as many tokens as a row may have columns, where
/// constants multiply them. False if nothing has changed; PropagateTokens.cpp.
bool turnTokensToColumns(Operation *root, int64_t maxTokens);
/// Sums that are means become poolings; what windows do not read goes.
void addWindowPatterns(RewritePatternSet &patterns,
                       const LoweringPolicy &policy);

RankedTensorType withShape(Value value, ArrayRef<int64_t> shape);

/// Whether `value` is computed from constants alone.
bool isConstant(Value value);
/// The one value of a constant expression, if it is simple enough.
std::optional<double> scalarOf(Value value);

/// Whether an op has no epilogue.
bool isPlain(ElementwiseOp op);

/// These make nothing when there is nothing to do.
Value transpose(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> perm);
Value reshape(OpBuilder &builder, Location loc, Value value,
              ArrayRef<int64_t> shape);

/// The matrix `weight`, K x N (N x K if `isTransposed`) behind leading ones, as
/// N x K.
Value weightRows(OpBuilder &builder, Location loc, Value weight,
                 bool isTransposed, int64_t k, int64_t n);

/// The permutation that undoes `perm`.
SmallVector<int64_t> inverse(ArrayRef<int64_t> perm);
/// The transpose or reshape of data that makes `value`.
Operation *movementOf(Value value);
/// The transpose of data that makes `value`.
TransposeOp dataTransposeOf(Value value);

} // namespace mlir::ane::layout

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_PROPAGATELAYOUT_H
