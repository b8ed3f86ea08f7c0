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

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_PROPAGATELAYOUT_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_PROPAGATELAYOUT_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/HW/Generation.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {
struct LoweringPolicy;
} // namespace mlir::ane

namespace mlir::ane::layout {

/// Matrix multiplications by constants become convolutions; those of heads take
/// transposes, factors and repetitions.
void addMatmulPatterns(RewritePatternSet &patterns,
                       const LoweringPolicy &policy,
                       const ::ane::hw::GenerationInfo &info, bool heads);
/// Features become channels, of as many tokens as a row may have columns, where
/// constants multiply them. False if nothing has changed; PropagateTokens.cpp.
bool turnTokensToColumns(Operation *root, int64_t maxTokens);
/// Sums that are means become poolings; what windows do not read goes.
void addWindowPatterns(RewritePatternSet &patterns,
                       const LoweringPolicy &policy);

/// The right matrix of a product, K x N after leading ones, as N x K.
Value weightRows(OpBuilder &builder, MatmulOp op, int64_t k, int64_t n);
/// The convolution of an image by weights, N x K or with a window, that `op` is
/// but for the shape.
Value convolved(OpBuilder &builder, MatmulOp op, Value image, Value weight,
                ArrayRef<int64_t> shape);

} // namespace mlir::ane::layout

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_PROPAGATELAYOUT_H
