//===- Patterns.h - Softmax, norms and their parts --------------*- C++ -*-===//
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

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NORMS_PATTERNS_H
#define ANE_DIALECT_ANE_TRANSFORMS_NORMS_PATTERNS_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Norms of tokens whose mean is left to the convolutions after them.
void populateAbsorbCentringPatterns(RewritePatternSet &patterns,
                                    const DecomposeOptions &options);
/// Factors and offsets of norms into what is after them, before that is cut.
void populateNormFactorPatterns(RewritePatternSet &patterns,
                                const DecomposeOptions &options);
/// Norms of groups of channels, which strips of rows go through.
void populateGroupNormPatterns(RewritePatternSet &patterns,
                               const DecomposeOptions &options);
/// Softmax and norms.
void populateDecomposeNormPatterns(RewritePatternSet &patterns,
                                   const DecomposeOptions &options);
/// Weights that take the mean of `count` channels: 1 / count each. f16 has few
/// of these numbers, so the two next to it take turns: their sum is 1.
Value channelShares(OpBuilder &builder, Location loc, int64_t count);
/// Into how many parts of equal height an image is cut so that L2 holds two
/// planes of one.
int64_t partsOfPlane(RankedTensorType type,
                     const ::ane::hw::GenerationInfo &info);
/// Mean over `axes`. A plane that L2 does not hold is reduced part by part.
Value reduceMean(OpBuilder &builder, Location loc, Value value,
                 ArrayRef<int64_t> axes, const ::ane::hw::GenerationInfo &info);
/// 1 / sqrt(x + epsilon), with an epsilon that f16 has.
ActivationAttr rsqrtOf(MLIRContext *context, float epsilon);
/// That of the mean square of what has a mean of 0.
Value reciprocalDeviation(OpBuilder &builder, Location loc, Value centred,
                          ArrayRef<int64_t> axes, float epsilon,
                          const ::ane::hw::GenerationInfo &info);
/// The reciprocal deviation of all of a channel from those of parts of equal
/// size, in its rows, and how far the means that those are from are from that
/// of the channel, if they differ. f16 holds deviations where it does not hold
/// their squares.
Value joinDeviations(OpBuilder &builder, Location loc, Value factors,
                     Value distances = {});

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_NORMS_PATTERNS_H
