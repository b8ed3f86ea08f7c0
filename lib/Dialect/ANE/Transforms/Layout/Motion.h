//===- Motion.h - Movements through other ops -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op computes of a moved value, it can compute of the source and have
// moved: op(M(x)) = M(op'(x)). M is a transpose, a reshape, or any other that has
// the elements of its result in blocks of dimensions:
//
//   - A dimension that is one of the source, whole, is free: op' says of that
//     what op says of this (axes, offsets, matrices of a product).
//   - Of dimensions that M splits or merges, op must be the same for all indices
//     (DimMap: parallel, or broadcast for all of them); so is op'.
//   - Dimensions of 1 come and go.
//
//   x, 1 x 6 x 5 x 4     R(x), 1 x 2 x 3 x 20      dims {0, -1, -1, -1}
//                        T(x), 1 x 4 x 6 x 5       dims {0, 3, 1, 2}
//                        reshaped, 6 x 5 x 1 x 4   dims {1, 2, -1, 3}
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_MOTION_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_MOTION_H

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane::layout {

class Motion {
public:
  static Motion reshape(ArrayRef<int64_t> source, ArrayRef<int64_t> shape);
  /// Of an image, 1 x C x H x W, of which rows are the pixels: .. x C.
  static Motion pixels(ArrayRef<int64_t> image, ArrayRef<int64_t> rows);
  /// Of the transpose or reshape that makes a value of data, or none.
  static std::optional<Motion> of(Value value);

  /// For each dimension of the value, that of the source which it is; -1 of 1s
  /// and of what is in a block.
  ArrayRef<int64_t> getDims() const { return dims; }
  ArrayRef<int64_t> getSource() const { return source; }
  bool isTransposed() const { return transposed; }
  /// Whether no dimension is split or merged.
  bool keepsDims() const { return blocks.empty(); }
  bool operator==(const Motion &other) const;

  /// The shape in front of the movement of a value with other sizes of whole
  /// dimensions, or with 1s for all of a block. None if it has none.
  std::optional<SmallVector<int64_t>> shapeBack(ArrayRef<int64_t> shape) const;
  /// What the movement makes of `value`, which then has `shape`.
  Value apply(OpBuilder &builder, Location loc, Value value,
              ArrayRef<int64_t> shape) const;
  /// Whether what it makes `value` of is constant, or a reshape of it.
  bool canUndo(Value value) const;
  /// Makes that.
  Value undo(OpBuilder &builder, Location loc, Value value) const;

  /// Why `op`, whose data is moved like that, cannot be in front of the movement;
  /// null if it can.
  const char *whyNot(Operation *op) const;
  /// `op` in front of it.
  Value createBefore(OpBuilder &builder, Operation *op,
                     ValueRange operands) const;

private:
  Motion(ArrayRef<int64_t> source, ArrayRef<int64_t> shape)
      : source(source), shape(shape) {}

  /// Dimensions that are split or merged: as many elements of the value and of
  /// the source.
  struct Block {
    int64_t first, count, firstBefore, countBefore;
  };
  ArrayRef<int64_t> sizes(const Block &block) const {
    return ArrayRef(shape).slice(block.first, block.count);
  }
  ArrayRef<int64_t> sizesBefore(const Block &block) const {
    return ArrayRef(source).slice(block.firstBefore, block.countBefore);
  }

  SmallVector<int64_t> source, shape, dims;
  SmallVector<Block, 2> blocks;
  bool transposed = false;
};

} // namespace mlir::ane::layout

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_LAYOUT_MOTION_H
