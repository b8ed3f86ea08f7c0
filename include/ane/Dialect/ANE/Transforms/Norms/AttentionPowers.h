//===- AttentionPowers.h - From scores to powers ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a softmax takes between its scores and their sum
// (DecomposeAttention.cpp):
//
//   2^(log2 e (scores - most) - shift), where `most` is their maximum
//
// and the shift keeps sums of many powers within f16; it cancels.
//
// Op by op that is two passes after the maximum: a difference and a table. A
// convolution has a table behind it, and a difference from one channel is a
// product with a narrow matrix, [1 | -1]:
//
//   most | 64 scores                      -> 64 powers
//          64 scores | most               -> 64 powers
//                      most | 64 scores   -> 64 powers
//
// so that channels with the maximum stand between blocks of scores, and each
// of 64 channels takes 65 products. The engines do those in less time than one
// pass takes, and the difference is not rounded on the way.
//
// Where a product has subtracted the maximum already, an identity has the table
// behind it. Channels become rows of few channels for that, which is another
// view of the same bytes: one task has few weights, whatever the number of
// channels.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NORMS_ATTENTIONPOWERS_H
#define ANE_DIALECT_ANE_TRANSFORMS_NORMS_ATTENTIONPOWERS_H

#include "mlir/IR/Builders.h"

namespace ane::hw {
struct GenerationInfo;
} // namespace ane::hw

namespace mlir::ane {

/// The powers of scores whose maximum is along `dim`, op by op.
Value powersOf(OpBuilder &builder, Location loc, Value scores, unsigned dim);

/// The powers of scores that are `blocks` of channels, by products. An infinite
/// score would make others of its block no numbers.
Value powersByProducts(OpBuilder &builder, Location loc, ArrayRef<Value> blocks,
                       const ::ane::hw::GenerationInfo &info);

/// Channels of an identity: so few that its arithmetic is a fifth of a pass by
/// the cost model. A guess: small products may be slower. On M6 such a layer
/// reaches 34 % of the peak (published), which would be half of a pass.
inline constexpr int64_t powerChannels = 32;

/// e^x of scores from which their maximum is subtracted, by an identity if
/// their channels are rows of one.
Value powersInRows(OpBuilder &builder, Location loc, Value below);

/// Whether those take less time for scores [1, channels, rows, columns].
bool areFasterAsProducts(ArrayRef<int64_t> scores,
                         const ::ane::hw::GenerationInfo &info);

/// And whether L2 has room for them beside the scores.
bool arePowersProducts(ArrayRef<int64_t> scores,
                       const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_NORMS_ATTENTIONPOWERS_H
