//===- AttentionSizes.h - What of attention is computed at once -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many heads, queries and keys attention takes at a time, so that L2 holds
// what is between its products (DecomposeAttention.cpp says what these are):
//
//   strips   columns of queries, each of which reads all keys and values
//   blocks   of keys, for all queries of a strip
//   heads    rows, whose scores are computed together
//
// Numbers only; no op is made here.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONSIZES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONSIZES_H

#include "Attention.h"
#include "AttentionMask.h"

namespace mlir::ane {

class AttentionSizes {
public:
  explicit AttentionSizes(const ::ane::hw::GenerationInfo &info) : info(info) {}

  /// Keys that are coefficients of one task.
  int64_t keysOfTask() const { return 8 * int64_t(info.neCount); }

  /// How many keys come first, with as many lanes as possible.
  int64_t firstKeys(int64_t numKeys) const;

  /// Whether `terms` columns after those of the keys start where a row can.
  bool isAligned(const Attention &from, int64_t numKeys, int64_t terms) const;

  /// Whether the mask of keys is a term of the products.
  bool takesMaskAsTerm(const Attention &from) const;

  //===--------------------------------------------------------------------===//
  // With all keys of a query at once
  //===--------------------------------------------------------------------===//

  /// Columns of a strip of one of `rows` rows beside what becomes of it.
  int64_t columnsOfStrip(int64_t width, int64_t rows) const;

  /// Columns of a strip, so that each strip has few keys.
  int64_t columnsOfMasked(const Attention &from,
                          const std::optional<AttentionMask> &mask) const;

  /// Heads whose scores, of `columns` queries, take a part of L2 together.
  /// Powers that are apart from the scores take as much. At least two parts, so
  /// that the result has its rows where the caller wants them; not of the
  /// windows of one head.
  int64_t headsAtOnce(const Attention &from, int64_t columns, bool areWindows,
                      bool arePowersApart) const;

  //===--------------------------------------------------------------------===//
  // With blocks of keys
  //===--------------------------------------------------------------------===//

  /// Whether L2 does not hold the scores of all queries, and blocks can be cut.
  bool needsBlocks(const Attention &from) const;

  /// How many of the last heads have their queries made at once.
  int64_t countWaiting(const Attention &from) const;

  struct Steps {
    int64_t columns;   ///< queries of a strip
    int64_t keys;      ///< at a time
    int64_t parts = 1; ///< in which values are mixed
    /// Powers are products, which do not take the place of their scores.
    bool areProducts = true;
  };

  /// Of a head that has the queries of `headsLeft` heads in L2, itself among
  /// them. 0: its own are made with it.
  Steps stepsOf(const Attention &from, int64_t headsLeft) const;

private:
  int64_t columnsIn(int64_t bytes, int64_t width, int64_t rows) const;
  int64_t bytesOfRow(const Attention &from) const;
  /// Whether L2 holds all queries of a head, what they are made of and what is
  /// mixed at least.
  bool holdsInput(const Attention &from) const;
  Steps stepsOfStrips(const Attention &from) const;
  double costOf(const Attention &from, const Steps &steps) const;

  const ::ane::hw::GenerationInfo &info;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONSIZES_H
