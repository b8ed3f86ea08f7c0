//===- Patterns.h - Attention and rotary embeddings -------------*- C++ -*-===//
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

#ifndef ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PATTERNS_H
#define ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PATTERNS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Attention with keys as channels.
void populateDecomposeAttentionPatterns(RewritePatternSet &patterns,
                                        const DecomposeOptions &options);
/// The same for few queries, where keys and values are not computed.
void populateFewQueriesPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
/// Rotary embeddings, half by half.
void populateRotaryPatterns(RewritePatternSet &patterns,
                            const DecomposeOptions &options);
/// What `ops` need of it.
SmallVector<ConcatOp> resultsOfAttention(ArrayRef<Operation *> ops);
/// Attention of which only strips of columns are used: the sums of the first
/// one wait for it, in L2 where there is room.
void cutAttentionInStrips(ConcatOp results,
                          const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PATTERNS_H
