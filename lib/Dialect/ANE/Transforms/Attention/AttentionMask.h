//===- AttentionMask.h - Keys that some queries see -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant that is added to the scores of attention says which keys have no
// weight: those after a token, or those far from it. For a strip of queries
// the keys that all of its queries have no weight for need no products, and
// where the constant is zero nothing has to be added.
//
//             queries
//        0  -  -  -          -: no weight, 0: nothing is added
//   keys 0  0  -  -
//        0  0  0  -          of the last two queries: keys 0 to 3, of which
//        0  0  0  0          the mask changes 2 and 3
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONMASK_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONMASK_H

#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "ane/Dialect/ANE/IR/ANE.h"

#include <array>
#include <map>
#include <vector>

namespace mlir::ane {

/// Keys from `first` up to `end`, of which the mask changes those from
/// `firstChanged` up to `endChanged`.
struct SeenKeys {
  int64_t first, end;
  int64_t firstChanged, endChanged;
};

class AttentionMask {
public:
  /// None: `mask` is not constant. Its shape is [images, heads, queries, keys],
  /// or [.., keys, queries]; each may be 1.
  static std::optional<AttentionMask> read(Value mask, bool areKeysLast,
                                           int64_t numKeys, int64_t numQueries);

  /// For some queries and all heads, in multiples of `granule` keys. The heads
  /// ask one after the other; the mask is read for the first.
  SeenKeys keysOf(int64_t firstQuery, int64_t count, int64_t granule) const;

  /// Whether all numbers are so small that no score is infinite with them.
  bool isBounded() const;

private:
  SeenKeys findKeys(int64_t firstQuery, int64_t count, int64_t granule) const;
  float at(int64_t image, int64_t key, int64_t query) const {
    return values[image * imageStride + key * keyStride + query * queryStride];
  }

  std::vector<float> values;
  int64_t numKeys = 0, numImages = 0;
  int64_t imageStride = 0, keyStride = 0, queryStride = 0;
  mutable std::map<std::array<int64_t, 3>, SeenKeys> known;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONMASK_H
