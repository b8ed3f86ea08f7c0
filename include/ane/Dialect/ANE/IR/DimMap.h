//===- DimMap.h - What a dimension of a result needs ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How an op of the tensor level reads an operand along one dimension of its
// result. Each op declares it in TableGen (ANEInterfaces.td) for each operand;
// whoever cuts, merges or moves dimensions reads it and asks no op by name.
//
// All that are not opaque have one form. The result is blocks of `unit` indices;
// block b needs the `kernel` indices b * stride - before + k * dilation of
// dimension `dim` of the operand:
//
//   parallel    unit 1, stride 1, kernel 1         elementwise, transpose
//   window      kernel, stride, dilation, before   convolution, pooling, padding:
//                                                  outside the operand is padding
//   segment     stride, before                     slice; concat: outside the
//                                                  operand are other operands
//   blocks      unit, stride = kernel              groups, interleave, split and
//                                                  merge of a reshape
//   reduced     all of `dim`                       reduction, softmax
//   broadcast   the same for every `unit` indices  dimensions of 1, output channels
//                                                  for an input, repetition
//   opaque      all of the operand for any index   resized rows, casts on the host
//
// A dimension of the operand that no dimension of the result names is read as a
// whole: one that is summed over, such as input channels of a convolution.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_DIMMAP_H
#define ANE_DIALECT_ANE_IR_DIMMAP_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::ane {

struct DimMap {
  enum Kind : uint8_t {
    Opaque,
    Parallel,
    Window,
    Segment,
    Blocks,
    Reduced,
    Broadcast
  };
  Kind kind = Opaque;
  /// A part of a block needs what all of it does, as where a reshape splits a
  /// dimension; else the op is cut between blocks only.
  bool mayCutBlocks = false;
  int64_t dim = -1; ///< of the operand
  int64_t unit = 1, stride = 1, kernel = 1, dilation = 1, before = 0;

  static DimMap opaque() { return {}; }
  static DimMap parallel(int64_t dim);
  static DimMap window(int64_t dim, int64_t kernel, int64_t stride,
                       int64_t dilation, int64_t before);
  static DimMap segment(int64_t dim, int64_t stride, int64_t before);
  /// Each `unit` indices are made of their own `stride` indices of the operand.
  static DimMap blocks(int64_t dim, int64_t unit, int64_t stride,
                       bool mayCutBlocks = false);
  static DimMap reduced(int64_t dim);
  /// Every `unit` indices need all of `dim`, if there is one.
  static DimMap broadcast(int64_t dim = -1, int64_t unit = 1);

  /// An operand of `shape`, element by element: a dimension of 1 is broadcast.
  static DimMap elementwise(ArrayRef<int64_t> shape, int64_t dim);
  /// Matrices of a product.
  static DimMap matrix(ArrayRef<int64_t> shape, int64_t dim, bool isRhs,
                       bool isTransposed);
  /// The same elements in another shape.
  static DimMap reshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                        int64_t dim);

  /// Indices that a block spans in the operand, with gaps.
  int64_t getSpan() const { return (kernel - 1) * dilation + 1; }
  /// Whether index i needs index i of an operand of the same extent, alone.
  bool isPlain() const {
    return unit == 1 && stride == 1 && kernel == 1 && before == 0;
  }
  /// What cuts must be multiples of.
  int64_t getCutUnit() const { return mayCutBlocks ? 1 : unit; }

  /// Indices of the operand, and how many more in front of and after these are
  /// outside of it.
  struct Part {
    int64_t offset, size, before, behind;
  };
  /// What `size` indices of the result from `offset` on need of `dim`, which
  /// has `extent`; all of it for an operand that does not vary. Nothing where
  /// the op cannot be cut like that.
  std::optional<Part> getPart(int64_t offset, int64_t size,
                              int64_t extent) const;
};

/// How `op` reads operand `index` along dimension `dim` of its result; opaque if
/// it is not of the tensor level.
DimMap getDimMap(Operation *op, unsigned index, int64_t dim);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_DIMMAP_H
