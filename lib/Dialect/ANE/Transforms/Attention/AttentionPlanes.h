//===- AttentionPlanes.h - Operands of products of attention ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images of queries, scores and powers, and the planes of keys and values that
// become coefficients (DecomposeAttention.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONPLANES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONPLANES_H

#include "Attention.h"

namespace mlir::ane {

/// Coefficients that a task before makes: [1, blocks, depth, lanes] of rows, as
/// many of which are side by side.
struct Planes {
  Value value;
  int64_t lanes;

  int64_t countRows() const { return typeOf(value).getDimSize(1) * lanes; }
};

/// One operand of a product with powers: coefficients, or, without lanes, the
/// image that is multiplied with coefficients.
struct ProductOperand {
  Value value;
  std::optional<int64_t> lanes;
};

/// As many lanes as the tile DMA stores side by side, the kernel buffer holds
/// and there are rows for.
int64_t lanesFor(int64_t rows, int64_t depth,
                 const ::ane::hw::GenerationInfo &info);

/// What makes all matrices: a convolution that can be cut into heads.
ConvOp convOf(const Matrices &all);

/// Whether queries, keys and values of all heads are channels of one image
/// whose rows are images, as a convolution makes them of many windows.
bool areHeadsChannels(const Attention &from);

/// Attention of one of these heads, whose images are heads: rows.
Attention attentionOfHead(OpBuilder &builder, const Attention &from,
                          int64_t head);

/// [1, what is summed over, heads, the rest].
Value imageOf(OpBuilder &builder, Location loc, const Matrices &from);

/// The same with planes of `lanes` channels each.
Value planesOf(OpBuilder &builder, Location loc, const Matrices &from,
               int64_t lanes);

/// What is added to all scores as an image, 1 where it is for all heads or
/// queries; null if there is none.
Value maskImage(OpBuilder &builder, Location loc, const Attention &from);

/// The mask of keys as [1, 1, 1, keys].
Matrices maskRow(OpBuilder &builder, Location loc, const Attention &from);

/// The queries, and after their channels what is added to rows and columns of
/// keys; and which of them a key has, as a matrix.
Value withKeyTerms(OpBuilder &builder, Location loc, Value queries,
                   const Attention &from);
Matrices keysOfTerms(OpBuilder &builder, Location loc, const Attention &from);

/// Planes with other terms after those of all rows of keys.
Value withTerms(OpBuilder &builder, Location loc, Value keys, Value terms);

/// An image with a channel of ones after the others.
Value withOnes(OpBuilder &builder, Location loc, Value queries);

/// The product of an image with planes of `lanes` channels.
Value multiplyWith(OpBuilder &builder, Location loc, Value input,
                   Value coefficients, int64_t lanes);

/// Groups of at most `step` keys. Rests that have other lanes are one group.
SmallVector<SmallVector<Planes>> groupsOf(OpBuilder &builder, Location loc,
                                          ArrayRef<Planes> keys, int64_t step);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_ATTENTION_ATTENTIONPLANES_H
