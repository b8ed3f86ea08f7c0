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
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/PlanCost.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Layers between two 1x1 convolutions that L2 does not hold, some channels at a
/// time; with them all that is computed column by column for them, where that
/// is better in tiles of columns.
LogicalResult splitLongLayers(Operation *scope, const DecomposeOptions &options,
                              PlanCost &cost);
/// Convolutions of rows that L2 does not hold, and what is computed column by
/// column with them, in tiles of columns.
LogicalResult splitLongRows(Operation *scope, const DecomposeOptions &options);
/// What is done later to the clone of a candidate: tiles of long rows, and sums
/// for convolutions with more input channels than L2 holds.
LogicalResult completeCandidate(func::FuncOp clone,
                                const DecomposeOptions &options);
/// The same where strips of pixels are needed in any case, last of the kind.
void populateSplitForStripsPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PATTERNS_H
