//===- IndexMap.h - Where reshapes and transposes put elements --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algebra of ops that move elements and compute none: reshapes, transposes,
// interleaves, depth-to-space, and what they are together. Passes ask it whether
// several of them cancel, are one reshape or one transpose, and what a dimension
// of the result is made of.
//
// Each dimension of a value is a list of digits, outermost first; a digit of
// `size` values moves by `step` elements of the source in row-major order. The
// index along the dimension is a number in these digits. For x of 2 x 6 x 4:
//
//   x                              {24, 2}  {4, 6}          {1, 4}
//   transposed by 0, 2, 1          {24, 2}  {1, 4}          {4, 6}
//   .. reshaped to 2 x 2 x 12      {24, 2}  {2, 2}          {1, 2} {4, 6}
//   .. reshaped to 2 x 4 x 6       {24, 2}  {1, 4}          {4, 6}
//
// Digits that continue each other are one ({4, 6} {1, 4} is {1, 24}), so equal
// maps have equal digits. A dimension of 1 has none.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_INDEXMAP_H
#define ANE_DIALECT_ANE_IR_INDEXMAP_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::ane {

class IndexMap {
public:
  struct Digit {
    int64_t step, size;
    bool operator==(const Digit &other) const {
      return step == other.step && size == other.size;
    }
  };
  using Digits = SmallVector<Digit, 4>; ///< outermost first

  /// A digit of one dimension of the source: `step` of its indices.
  struct SourceDigit {
    int64_t dim, step, size;
    bool operator==(const SourceDigit &other) const {
      return dim == other.dim && step == other.step && size == other.size;
    }
  };

  /// The source itself.
  explicit IndexMap(ArrayRef<int64_t> source);
  /// A transposed source.
  IndexMap(ArrayRef<int64_t> source, ArrayRef<int64_t> perm);

  ArrayRef<int64_t> getSource() const { return source; }
  SmallVector<int64_t> getShape() const;
  int64_t getRank() const { return dims.size(); }

  /// Adds a reshape, transpose or interleave; false, and no change, if the op is
  /// none or its result has no digits.
  bool apply(Operation *op);
  /// False, and no change, where a dimension would begin within a digit that has
  /// no such part.
  bool reshape(ArrayRef<int64_t> shape);
  /// Dimension i is dimension perm[i] of before.
  void transpose(ArrayRef<int64_t> perm);
  /// The innermost `size` indices of dimension `from` go after those of `to`,
  /// as in an interleave, and twice in a depth-to-space. False, and no change,
  /// where there is no such part.
  bool moveInnermost(int64_t from, int64_t to, int64_t size);
  /// Adds what `next` does to a value of this shape.
  bool compose(const IndexMap &next);
  /// The source as made of the value; none if its dimensions have no digits.
  std::optional<IndexMap> inverse() const;

  const Digits &getDigits(int64_t dim) const { return dims[dim]; }
  /// The same by dimensions of the source; none where a digit has a part of one.
  std::optional<SmallVector<SourceDigit, 4>> getSourceDigits(int64_t dim) const;
  /// All digits, where neighbours that continue each other are one of at most
  /// `most`: what a transpose moves as a whole.
  Digits getBlocks(int64_t most = INT64_MAX) const;
  /// Whether the elements are in the order of the source: a reshape of it.
  bool isInOrder() const;
  /// The dimensions sorted by where the source has them; one of 1 stays after
  /// its neighbour.
  SmallVector<int64_t> getSourceOrder() const;
  /// The element of the source at an index of the value.
  int64_t getElement(ArrayRef<int64_t> index) const;

  bool operator==(const IndexMap &other) const {
    return source == other.source && dims == other.dims;
  }

private:
  SmallVector<int64_t, 4> source;
  SmallVector<Digits, 4> dims;
};

/// For each dimension of `shape`, the dimension of `other` that it is, and -1
/// for 1s, where a reshape between the two makes 1s come and go and nothing else.
std::optional<SmallVector<int64_t>> matchDims(ArrayRef<int64_t> shape,
                                              ArrayRef<int64_t> other);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_INDEXMAP_H
