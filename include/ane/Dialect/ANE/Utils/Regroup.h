//===- Regroup.h - The same op with other dimensions ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that do not care which dimension is which compute the same with ones in
// front, with neighbours as one, in another order, or without ones. What they
// say of dimensions (axes, offsets, borders, repeats) follows.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_REGROUP_H
#define ANE_DIALECT_ANE_UTILS_REGROUP_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace mlir::ane {

/// Dimension d is part of dimension to[d] of `rank`, in order; to[d] is -1 for
/// one of 1 that goes, or that the op treats alike for all indices.
struct DimGroups {
  SmallVector<int64_t> to;
  int64_t rank = 4;
  /// The shape of the result if more is in it than the groups say.
  SmallVector<int64_t> result = {};

  /// The last four of `from` dimensions, after ones if they are fewer; what is
  /// in front of these merges with the first.
  static DimGroups lastFour(int64_t from);

  /// Products: of sizes, repeats.
  SmallVector<int64_t> apply(ArrayRef<int64_t> sizes) const;
  /// Numbers that count elements of dimensions of `shape`: offsets, borders.
  SmallVector<int64_t> applyToOffsets(ArrayRef<int64_t> offsets,
                                      ArrayRef<int64_t> shape) const;
  /// Groups that consist of `axes`, of which some have one element.
  SmallVector<int64_t> applyToAxes(ArrayRef<int64_t> axes,
                                   ArrayRef<int64_t> shape) const;
};

/// Whether `dim` of the result of `op` is more than one element, there or in an
/// operand. Of axes that all have one, a reduction keeps the first.
bool isSignificantDim(Operation *op, int64_t dim);

/// Whether `op` can have two neighbours as one dimension: it reads both of an
/// operand alike, or all of the inner one for each index of the outer one.
bool canMergeDims(Operation *op, int64_t first, int64_t second);

/// Whether createRegrouped() can, of element-wise ops and those that name
/// dimensions by their numbers.
bool canRegroup(Operation *op);

/// What `op` computes, with its dimensions in groups, from operands that are
/// so already, or reshaped to be.
Value createRegrouped(OpBuilder &builder, Operation *op, ValueRange operands,
                      const DimGroups &groups);
Value createRegrouped(OpBuilder &builder, Operation *op,
                      const DimGroups &groups);

/// `value` with dimensions of 1 repeated to `shape`; of a constant the elements
/// are.
Value repeated(OpBuilder &builder, Location loc, Value value,
               ArrayRef<int64_t> shape);

/// Whether `op` takes some images of another tensor, puts images one after the
/// other, or moves dimensions of 1 only: that is no task.
bool isViewOfImages(Operation *op);

/// Gives each reshape what the ones in front of it reshape.
void composeReshapes(Operation *scope);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_REGROUP_H
