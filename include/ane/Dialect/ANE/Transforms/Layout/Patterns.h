//===- Patterns.h - Patterns that move and unify shapes ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pattern that finds no way leaves its op alone: ane-legalize reports it with
// the row of the constraint table that stands in the way.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PATTERNS_H
#define ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PATTERNS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Transposes, tiles, and what is done to columns; products of matrices.
void populateDecomposeLayoutPatterns(RewritePatternSet &patterns,
                                     const DecomposeOptions &options);
/// Depth-to-space without DRAM, for the graph as the others leave it.
void populateShufflePatterns(RewritePatternSet &patterns,
                             const DecomposeOptions &options);
/// What ane-unify-rank applies.
void populateUnifyRankPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
/// Transposes of other ranks than four, and columns that are interleaved.
void populateLayoutRankPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PATTERNS_H
