//===- Tiling.h - What a part of a result needs -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that says how an op of the tensor level is cut: which box of
// each operand a box of its result needs, and what op computes it from these.
// ane-plan-tiles counts with it, ane-tile applies it, and TilingInterface, for
// the tiling of others, is written with it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_TILING_H
#define ANE_DIALECT_ANE_IR_TILING_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ane {

/// A box of a tensor: the elements from offsets[d] on, sizes[d] of them.
struct Box {
  SmallVector<int64_t, 4> offsets, sizes;

  bool isEmpty() const { return llvm::is_contained(sizes, 0); }
  /// All of a tensor.
  static Box all(ArrayRef<int64_t> shape) {
    return {SmallVector<int64_t, 4>(shape.size(), 0),
            SmallVector<int64_t, 4>(shape)};
  }
  bool operator==(const Box &other) const {
    return offsets == other.offsets && sizes == other.sizes;
  }
};

/// Parts of a tensor, each of `size` indices of a dimension, the last one of
/// what is left.
SmallVector<Box> boxesAlong(ArrayRef<int64_t> shape, int64_t dim, int64_t size);

/// How many ops below `op` have `ane.tile`.
int64_t countTiles(Operation *op);
/// How many ops below `op` have `ane.hold`.
int64_t countHolds(Operation *op);
/// Says on a function that its strips were chosen by hand, if any were, and how
/// many ops that concerns, so that passes cannot lose some without a word; also
/// how many have `ane.hold`.
void setPlanned(Operation *function);

/// Parts of the result of `op` start along dimension `dim` at multiples of
/// this, and are that long: groups of channels, copies, ...
int64_t getCutUnit(Operation *op, int64_t dim);

/// What output channels of a banded convolution need of the input channels, by
/// the zeros of the weight: less than what the op says without looking there.
DimMap getBandMap(ConvOp conv);

/// The least box of operand `index` from which `box` of the result of `op` can
/// be computed; none when the op cannot be cut like that. An empty box is one
/// that nothing is needed of, which a concat says.
std::optional<Box> getOperandBox(Operation *op, unsigned index, const Box &box);

/// What createPart() computes so that `box` is part of it: whole blocks of a
/// reshape, else the box itself.
Box getComputedBox(Operation *op, const Box &box);

/// Computes `box` of the result of `op` from the boxes of its operands that
/// getOperandBox() names, null where that is empty. Padding stays at the border
/// of the image only.
Value createPart(OpBuilder &builder, Operation *op, ValueRange operands,
                 const Box &box);

/// The same from what `slice` makes of each operand and its box. Null, and
/// nothing is created, where the op cannot be cut like that.
Value createPart(OpBuilder &builder, Operation *op, const Box &box,
                 llvm::function_ref<Value(OpOperand &, const Box &)> slice);

/// A box of `value`; `value` itself when it is all of it.
Value createSlice(OpBuilder &builder, Location loc, Value value,
                  const Box &box);

/// `op` in parts of `size` indices along `dim` of its result, joined. Null, and
/// nothing is created, where it cannot be cut like that.
Value createCut(OpBuilder &builder, Operation *op, int64_t dim, int64_t size);
/// Such parts in place of `op`, for a pattern.
LogicalResult replaceByCut(PatternRewriter &rewriter, Operation *op,
                           int64_t dim, int64_t size);

/// Attaches TilingInterface to the ops of the tensor level.
void registerTilingInterface(DialectRegistry &registry);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_TILING_H
