//===- Attention.h - Matrices and sizes of attention ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ane.attention as its lowering sees it, and parts of it: some heads, or what
// is as good as its mask.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// [N, H, rows, columns]; `isTransposed` when what is summed over is not where
/// an image has its channels.
struct Matrices {
  Value value;
  bool isTransposed = false;
  ArrayRef<int64_t> shape() const { return typeOf(value).getShape(); }
  int64_t count() const { return shape()[0] * shape()[1]; }
};

/// A number for each query and row of keys, or column of keys, which is added
/// to its scores. Key k is of row or column k / inner % count.
struct KeyTerm {
  Value value; ///< of all heads and queries, `count` numbers each
  int64_t count, inner;
};

/// softmax(cap(Q K) + mask) V.
struct Attention {
  AttentionOp op;
  Matrices queries;              ///< [.., depth, queries]
  Matrices keys;                 ///< [.., keys, depth]
  Matrices values;               ///< [.., width, keys]
  Value mask;                    ///< added to the scores, or null
  SmallVector<KeyTerm, 2> terms; ///< added to them as well
  Value sink;                    ///< [.., queries, 1] after the scores, or null
  ActivationAttr cap; ///< a function of the scores in front of that, or null
  bool isResultTransposed = false;
  bool areKeysLast = false; ///< in the mask
  /// The mask is computed and has one number for each key.
  bool isMaskOfKeys = false;
  int64_t images, heads, numQueries, numKeys, depth, width;
  /// Keys and values of all heads of an image are the same.
  bool isShared = false;

  /// `op` has four dimensions.
  explicit Attention(AttentionOp op);
  Location getLoc() const { return AttentionOp(op).getLoc(); }
  /// Rows of L2 that the queries of a head take where the mask and the maximum
  /// of the scores are terms of their products.
  int64_t queryChannels() const { return depth + isMaskOfKeys + 1; }
};

/// `op` where it can be taken apart by a way of its own; says why not.
FailureOr<Attention> getAttention(AttentionOp op, PatternRewriter &rewriter);

/// Says of the ops after `before` (null: from the first of the block) that `op`
/// has become whether they are by column.
void markColumns(Operation *before, AttentionOp op);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H
