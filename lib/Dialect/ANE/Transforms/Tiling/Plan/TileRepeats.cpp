//===- TileRepeats.cpp - Layers that are like those before ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRepeats.h"

#include "llvm/ADT/bit.h"

#include <map>

using namespace mlir;
using namespace mlir::ane;

TileRepeats::TileRepeats(const TileGraph &graph, int reach)
    : graph(graph), reach(reach), previous(graph.nodes.size() + 1, -1) {
  findKinds();
  // A sum of the last `reach` kinds that goes along the nodes.
  constexpr uint64_t factor = 0x9e3779b97f4a7c15;
  uint64_t power = 1, sum = 0;
  for (int i = 0; i < reach; ++i)
    power *= factor;
  DenseMap<uint64_t, int> last;
  for (int number = 1, count = graph.nodes.size(); number <= count; ++number) {
    sum = sum * factor + kinds[number - 1] + 1;
    if (number > reach)
      sum -= power * (kinds[number - 1 - reach] + 1);
    if (number < reach)
      continue;
    auto [known, isNew] = last.try_emplace(sum >> 2, number);
    if (!isNew) {
      previous[number] = known->second;
      known->second = number;
    }
  }
}

// What is further away than steps see is all the same.
int64_t TileRepeats::distance(int node, int from) const {
  return std::clamp<int64_t>(int64_t(node) - from, -2 * reach, 2 * reach);
}

// All that the search asks of a value, but which one it is.
void TileRepeats::describeValue(int number, int node,
                                SmallVectorImpl<int64_t> &key) const {
  const TileValue &value = graph.values[number];
  for (const TileValue *entry : {&value, &graph.values[value.root]}) {
    key.append(entry->extents.begin(), entry->extents.end());
    key.append({entry->l2Bytes, entry->dramBytes, entry->isResult,
                entry->isArgument, entry->isTooWide, entry->placedOver >= 0,
                distance(entry->def, node), distance(entry->lastUse, node),
                distance(entry->firstDef, node), distance(entry->end, node)});
    // They are sorted. A batch has one for each image: a step sees those near
    // it, and whether there are others before and after.
    ArrayRef<int> writers = entry->overwriters;
    const int *first = llvm::lower_bound(writers, node - 2 * reach + 1),
              *last = llvm::lower_bound(writers, node + 2 * reach);
    key.append({last - first, first != writers.begin(), last != writers.end()});
    for (; first != last; ++first)
      key.push_back(*first - node);
  }
  key.push_back(value.root == number);
}

void TileRepeats::describe(int number, SmallVectorImpl<int64_t> &key) const {
  const TileNode &node = graph.nodes[number];
  auto concat = dyn_cast<ConcatOp>(node.op);
  const int64_t axis = concat ? concat.getAxis() : -1;
  key.append(
      {reinterpret_cast<intptr_t>(node.op->getName().getAsOpaquePointer()),
       axis, node.isView, node.worksInPlace, node.isStored, node.isNarrow,
       node.needsWholeSource, node.joinedIn >= 0,
       distance(node.joinedIn, number), node.addedIn >= 0,
       distance(node.addedIn, number), node.tileRows, node.weightBytes,
       node.passes, node.tasks, llvm::bit_cast<int64_t>(node.seconds)});
  describeValue(node.result, number, key);
  ArrayRef<int> users = graph.users[node.result];
  key.push_back(users.size() > 1);
  for (int user : users)
    if (user - number < 2 * reach)
      key.push_back(user - number);
  for (const TileNode::Operand &operand : node.operands) {
    key.push_back(-1);
    for (const CutMap &cut : operand.cuts)
      key.append(
          {cut.kind, cut.dim, cut.unit, cut.stride, cut.span, cut.before});
    describeValue(operand.value, number, key);
  }
}

void TileRepeats::findKinds() {
  std::map<SmallVector<int64_t, 0>, int> known;
  for (int number = 0, count = graph.nodes.size(); number < count; ++number) {
    SmallVector<int64_t, 0> key;
    describe(number, key);
    kinds.push_back(
        known.try_emplace(std::move(key), known.size()).first->second);
  }
}

SmallVector<int, 4> TileRepeats::findPeriods(int number) const {
  constexpr unsigned most = 4;
  SmallVector<int, 4> periods;
  for (int at = previous[number]; at >= 0 && periods.size() < most;
       at = previous[at])
    periods.push_back(number - at);
  return periods;
}

int TileRepeats::shift(int value, int number, int period) const {
  const TileValue &entry = graph.values[value];
  if (entry.def < 0)
    return value;
  int def = entry.def + period, count = graph.nodes.size();
  // What each layer has for the end, such as one of the parts of a result, is
  // there long before as well, but is of a kind with that of the next.
  bool isForAll = entry.def < number - period - reach &&
                  graph.values[entry.root].end >= number &&
                  (def >= count || kinds[def] != kinds[entry.def]);
  if (isForAll)
    return value;
  return def < count ? graph.nodes[def].result : -1;
}

bool TileRepeats::isRepeated(int number, int period) const {
  if (number < period || kinds[number] != kinds[number - period])
    return false;
  const TileNode &node = graph.nodes[number],
                 &before = graph.nodes[number - period];
  auto isSame = [&](int value, int other) {
    if (value < 0 || other < 0)
      return value == other;
    return shift(other, number, period) == value;
  };
  auto isSameValue = [&](int value, int other) {
    const TileValue &one = graph.values[value], &two = graph.values[other];
    return isSame(value, other) && isSame(one.root, two.root) &&
           isSame(one.placedOver, two.placedOver) &&
           isSame(graph.values[one.root].placedOver,
                  graph.values[two.root].placedOver);
  };
  return isSameValue(node.result, before.result) &&
         llvm::all_of(llvm::zip_equal(node.operands, before.operands),
                      [&](auto pair) {
                        return isSameValue(std::get<0>(pair).value,
                                           std::get<1>(pair).value);
                      });
}
