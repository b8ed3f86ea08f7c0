//===- ColumnRun.h - Ops on images that can be cut by columns ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_COLUMNRUN_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_COLUMNRUN_H

#include "TileGraph.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::ane {

/// Ops in a row whose values have columns in proportion: columns [low, high) of
/// one are computed from a few more of another, in the same place. A part of
/// such ops is the same ops on a smaller image: all its values have the columns
/// that the part is for, and as many around them as the first op needs. Ops pad
/// at the border of the part as they do at that of the image; what that makes
/// wrong is among the columns around, which are cut off where values leave.
/// So parts begin at columns at which rows in memory can begin, nothing is
/// shifted, and what is computed is the same to the last bit.
class ColumnRun {
public:
  ColumnRun(const TileGraph &graph, int64_t first)
      : graph(graph), first(first), end(first) {}

  /// Takes the next op in. False where it cannot be cut with the others.
  bool grow();
  /// Behind the last node.
  int64_t getEnd() const { return end; }
  /// How many parts there are where `wanted` are: each begins at a column at
  /// which rows of all values can begin.
  int64_t countParts(int64_t wanted) const;
  /// Replaces the ops by `wanted` parts of themselves, or fewer.
  void split(int64_t wanted);

private:
  struct Range {
    int64_t low = 0, high = 0;
  };
  int64_t sizeOfPart(int64_t wanted) const;
  int64_t scaleOf(int value) const;
  bool leaves(const TileNode &node) const;
  Range scaled(Range range, int value) const;
  void findNeeded(Range part);
  Range getNeeded(int value) const;
  Range findRange(const TileNode &node, Range part) const;
  Value partOf(OpBuilder &builder, Value whole, int value, Range range);
  void createPart(OpBuilder &builder, Range part);

  const TileGraph &graph;
  int64_t first, end;
  /// Of the narrowest value. Columns of parts are counted in these.
  int64_t columns = 0;
  /// Of the part at hand, by value: the columns of it that are needed; those
  /// that are there, in columns of the narrowest value; and these.
  DenseMap<int, Range> needed, ranges;
  DenseMap<int, Value> parts;
  /// Parts of what leaves.
  llvm::MapVector<Operation *, SmallVector<Value>> leaving;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_COLUMNRUN_H
