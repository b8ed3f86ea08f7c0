//===- Patterns.h - Cuts that whole layers propose --------------*- C++ -*-===//
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

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PATTERNS_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PATTERNS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Two convolutions of one row that L2 does not hold.
void populateDecomposeColumnsPatterns(RewritePatternSet &patterns,
                                      const DecomposeOptions &options);
/// Layers between two 1x1 convolutions that L2 does not hold.
void populateDecomposeFeedForwardPatterns(RewritePatternSet &patterns,
                                          const DecomposeOptions &options);
/// The same with all that is computed column by column around it, in strips of
/// columns, where L2 does not hold input and result either.
LogicalResult splitLongLayers(Operation *scope,
                              const DecomposeOptions &options);
/// Convolutions of rows that L2 does not hold, and what is computed column by
/// column with them, become strips of columns.
LogicalResult splitLongRows(Operation *scope, const DecomposeOptions &options);
/// The same where strips of pixels are needed in any case, last of the kind.
void populateSplitForStripsPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PATTERNS_H
