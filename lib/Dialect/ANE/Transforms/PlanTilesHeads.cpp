//===- PlanTilesHeads.cpp - Attention head by head ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each matrix of a product is tasks of its own, so computing all that depends
// on one before the next costs nothing. It is worth it when the products of all
// together do not fit L2: strips of one head need the keys and values of that
// head only, not those of all again for each strip.
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

using namespace mlir;
using namespace mlir::ane;

// Whether the result of `number` is computed channel by channel from channels.
static bool isByChannel(const TileGraph &graph, int number, int64_t channels) {
  const TileNode &node = graph.nodes[number];
  if (graph.values[node.result].extents[1] != channels)
    return false;
  return llvm::all_of(node.operands, [&](const TileNode::Operand &operand) {
    const CutMap &map = operand.cuts[1 - firstCutDim];
    return map.kind == CutMap::Whole ||
           (map.kind == CutMap::Along && map.dim == 1 && map.isPlain());
  });
}

TilePlan mlir::ane::planHeads(const TileGraph &graph) {
  TilePlan plan;
  plan.plannedBytes = plan.compulsoryBytes = graph.compulsoryBytes;
  int count = graph.nodes.size();
  for (int first = 0; first < count; ++first) {
    const TileValue &value = graph.values[graph.nodes[first].result];
    int64_t channels = value.extents[1];
    if (!isa<MatmulOp>(graph.nodes[first].op) || channels < 2 ||
        value.extents[0] != 1 ||
        value.l2Bytes <= int64_t(graph.info.l2SourceBytes) ||
        !isByChannel(graph, first, channels))
      continue;
    // Up to the last product that goes on with it.
    int last = first;
    for (int at = first + 1; at < count && isByChannel(graph, at, channels);
         ++at)
      if (isa<MatmulOp>(graph.nodes[at].op))
        last = at;
    plan.groups.push_back({first, last, /*dim=*/1, /*size=*/1, channels});
    first = last;
  }
  return plan;
}
