//===- TileRepeats.h - Layers that are like those before --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deep networks are the same layer again and again. Nodes of a graph are alike
// if a search that looks at some nodes around them cannot tell them apart, but
// for the values that they are about: each value of a layer stands for the
// value `period` nodes before it, and what all layers read, such as a mask,
// stands for itself.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEREPEATS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEREPEATS_H

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"

namespace mlir::ane {

class TileRepeats {
public:
  /// `reach`: how many nodes before its end a step of the search may begin.
  TileRepeats(const TileGraph &graph, int reach);

  /// Distances from `number` to earlier nodes in front of which the same kinds
  /// of nodes are as in front of it, shortest first; a few of them.
  SmallVector<int, 4> findPeriods(int number) const;

  /// Whether the node is what that `period` before it is, one layer on.
  bool isRepeated(int number, int period) const;

  /// What `value` is one layer on, as nodes up to `number` have it; -1:
  /// nothing.
  int shift(int value, int number, int period) const;

private:
  void describe(int number, SmallVectorImpl<int64_t> &key) const;
  void describeValue(int value, int node, SmallVectorImpl<int64_t> &key) const;
  void findKinds();
  int64_t distance(int node, int from) const;

  const TileGraph &graph;
  const int reach;
  std::vector<int> kinds; ///< by node
  /// By node: the last one with the same kinds in front of it, or -1.
  std::vector<int> previous;
};

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEREPEATS_H
