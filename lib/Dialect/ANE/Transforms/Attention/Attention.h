//===- Attention.h - Finds attention ----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(Q K + mask) V, however its matrices are turned. There may be one more
// score for each query, a sink, which takes a share and has no value.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

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
  MatmulOp product;              ///< the second one
  Matrices queries;              ///< [.., depth, queries]
  Matrices keys;                 ///< [.., keys, depth]
  Matrices values;               ///< [.., width, keys]
  Value mask;                    ///< added to the scores, or null
  SmallVector<KeyTerm, 2> terms; ///< in place of the mask
  Value sink;                    ///< [.., queries, 1] after the scores, or null
  ActivationAttr cap; ///< a function of the scores in front of that, or null
  bool isResultTransposed = false;
  bool areKeysLast = false; ///< in the mask
  /// The mask is computed and has one number for each key.
  bool isMaskOfKeys = false;
  int64_t images, heads, numQueries, numKeys, depth, width;
  /// Keys and values of all heads of an image are the same.
  bool isShared = false;
  /// Rows of L2 that the queries of a head take where the mask and the maximum
  /// of the scores are terms of their products.
  int64_t queryChannels() const { return depth + isMaskOfKeys + 1; }
};

/// None: `product` is no second product of attention, or one of its matrices is
/// constant.
std::optional<Attention> matchAttention(MatmulOp product);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTION_H
