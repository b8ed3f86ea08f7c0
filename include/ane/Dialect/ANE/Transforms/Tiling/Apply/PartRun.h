//===- PartRun.h - Ops on images that can be cut into parts -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PARTRUN_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PARTRUN_H

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::ane {

/// Ops in a row whose values are in proportion along one dimension, images of a
/// batch or columns: indices [low, high) of one are computed from the same of
/// another, or a few more. A part is the same ops on less: all its values have
/// the indices that the part is for, and as many around them as the first op
/// needs. Ops pad at the border of the part as they do at that of the image;
/// what that makes wrong is among the indices around, which are cut off where
/// values leave. So parts begin where rows in memory can begin, nothing is
/// shifted, and what is computed is the same to the last bit.
class PartRun {
public:
  enum Dim : unsigned { Images = 0, Columns = 3 };

  PartRun(const TileGraph &graph, Dim dim, int64_t first)
      : graph(graph), dim(dim), first(first), end(first) {}

  /// Takes the next op in. False where it cannot be cut with the others.
  bool grow();
  int64_t getFirst() const { return first; }
  /// After the last node.
  int64_t getEnd() const { return end; }
  /// How many parts there are where `wanted` are: each begins at an index at
  /// which rows of all values can begin.
  int64_t countParts(int64_t wanted) const;
  /// Replaces the ops by `wanted` parts of themselves, or fewer.
  void split(int64_t wanted);

private:
  struct Range {
    int64_t low = 0, high = 0;
  };
  /// How the operands of a node that are no constants follow from its result.
  using Maps = SmallVector<CutMap, 2>;

  int64_t getAlign() const;
  /// Of a value that is in proportion; it has any rank for images.
  int64_t extentOf(int value) const { return extents.lookup(value); }
  bool isInProportion(OpOperand &operand, const CutMap &map) const;
  std::optional<Maps> findMaps(const TileNode &node) const;
  int64_t sizeOfPart(int64_t wanted) const;
  int64_t scaleOf(int value) const { return extentOf(value) / extent; }
  Range scaled(Range range, int value) const;
  bool leaves(const TileNode &node) const;
  void findNeeded(Range part);
  Range getNeeded(int value) const;
  Range findRange(int64_t number, Range part) const;
  Value partOf(OpBuilder &builder, Value whole, int value, Range range);
  void createPart(OpBuilder &builder, Range part);

  const TileGraph &graph;
  Dim dim;
  int64_t first, end;
  /// Of the value that has the least. Indices of parts are counted in these.
  int64_t extent = 0;
  std::vector<Maps> maps; ///< by node, from `first` on
  DenseMap<int, int64_t> extents;
  /// Of the part at hand, by value: the indices of it that are needed; those
  /// that are there, as counted in `extent`; and these.
  DenseMap<int, Range> needed, ranges;
  DenseMap<int, Value> parts;
  /// Parts of what leaves.
  llvm::MapVector<Operation *, SmallVector<Value>> leaving;
};

/// Of another rank than a surface has, which the host makes of all of it.
bool isAtBorder(Operation *op);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PARTRUN_H
