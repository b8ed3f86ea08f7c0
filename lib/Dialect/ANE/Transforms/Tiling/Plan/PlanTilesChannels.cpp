//===- PlanTilesChannels.cpp - What is better channel by channel ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts by channels read no weights twice, so they come before all strips.
//
// Each matrix of a product is tasks of its own, so computing all that depends
// on one before the next costs nothing. It is worth it when the products of all
// together do not fit L2: strips of one head need the keys and values of that
// head only, not those of all again for each strip.
//
// The sum of a convolution and a shortcut lies in the place of the shortcut.
// Where both are large, some channels of the convolution at a time leave room
// for higher strips, and for fewer of them.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

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

static TileGroup findHeads(const TileGraph &graph, int first) {
  int count = graph.nodes.size();
  const TileValue &value = graph.values[graph.nodes[first].result];
  int64_t channels = value.extents[1];
  if (!isa<MatmulOp>(graph.nodes[first].op) || channels < 2 ||
      value.extents[0] != 1 ||
      value.l2Bytes <= int64_t(graph.info.l2SourceBytes) ||
      !isByChannel(graph, first, channels))
    return {};
  // Up to the last product that goes on with it.
  int last = first;
  for (int at = first + 1; at < count && isByChannel(graph, at, channels); ++at)
    if (isa<MatmulOp>(graph.nodes[at].op))
      last = at;
  return {first, last, /*dim=*/1, /*size=*/1, channels};
}

// Whether nobody but `user` needs what the convolution `number` computes.
static bool isConvFor(const TileGraph &graph, int number, int user) {
  auto conv = dyn_cast<ConvOp>(graph.nodes[number].op);
  return conv && conv.getGroups() == 1 &&
         graph.users[graph.nodes[number].result] == SmallVector<int, 2>{user} &&
         !graph.values[graph.nodes[number].result].isResult;
}

// What strips add in a product.
static bool isOfRows(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  return transpose && isProductOfRows(transpose.getInput().getDefiningOp());
}

/// The convolutions just before `last` that it adds to something else.
static TileGroup findSum(const TileGraph &graph, int last) {
  constexpr int64_t parts = 4, lanes = 16;
  const TileNode &node = graph.nodes[last];
  const TileValue &value = graph.values[node.result];
  if (!isa<ElementwiseOp>(node.op) || !node.worksInPlace ||
      node.operands.size() != 2 || value.extents[0] != 1 ||
      value.extents[1] % (parts * lanes) ||
      llvm::any_of(node.op->getOperands(), isOfRows))
    return {};
  bool isPlain = llvm::all_of(node.operands, [&](const auto &operand) {
    return graph.values[operand.value].extents == value.extents;
  });
  int first = last;
  int64_t bytes = 2 * value.l2Bytes;
  for (; first > 0 && isConvFor(graph, first - 1, last); --first)
    for (const TileNode::Operand &operand : graph.nodes[first - 1].operands)
      bytes += graph.values[operand.value].l2Bytes; // no constant is among them
  if (!isPlain || first == last || bytes <= int64_t(graph.info.l2SourceBytes))
    return {};
  return {first, last, /*dim=*/1, value.extents[1] / parts, parts};
}

TilePlan mlir::ane::planChannels(const TileGraph &graph) {
  TilePlan plan;
  plan.plannedBytes = plan.compulsoryBytes = graph.compulsoryBytes;
  int64_t next = 0;
  for (int at = 0, count = graph.nodes.size(); at < count; ++at) {
    TileGroup group = findHeads(graph, at);
    if (group.strips == 1)
      group = findSum(graph, at);
    if (group.strips == 1 || group.first < next)
      continue;
    plan.groups.push_back(group);
    at = group.last;
    next = at + 1;
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {

/// Where the ops of a block are while some of them move. Of a block itself a
/// move loses the order of all.
class OpOrder {
public:
  explicit OpOrder(Block &block) : block(block) { number(); }

  bool isBefore(Operation *a, Operation *b) const {
    return places.lookup(a) < places.lookup(b);
  }
  void moveAfter(Operation *op, Operation *place) {
    op->moveAfter(place);
    settle(op);
  }
  void moveBefore(Operation *op, Operation *place) {
    op->moveBefore(place);
    settle(op);
  }

private:
  void number() {
    double next = 0;
    for (Operation &op : block)
      places[&op] = ++next;
  }
  // Half way between its neighbours, while numbers are in between; the last op,
  // the terminator, does not move.
  void settle(Operation *op) {
    Operation *before = op->getPrevNode();
    double low = before ? places.lookup(before) : 0;
    double high = places.lookup(op->getNextNode()), place = (low + high) / 2;
    if (low < place && place < high)
      places[op] = place;
    else
      number();
  }

  Block &block;
  DenseMap<Operation *, double> places;
};

} // namespace

/// Whether `value` takes no memory of its own while the function runs.
static bool isFree(Value value) {
  return !value.getDefiningOp() || value.getDefiningOp<ConstantOp>();
}

/// An op that frees at least what it needs, such as a sum of two values that
/// nobody else reads, comes as early as it can.
static void hoist(Operation *op, OpOrder &order) {
  // Another shape of a part of something larger is no task, and would only
  // stand between the tasks that compute the parts.
  if (isa<ReshapeOp>(op) && op->hasOneUse() && isa<ConcatOp>(*op->user_begin()))
    return;
  int64_t freed = 0;
  Operation *last = nullptr;
  for (Value operand : op->getOperands()) {
    if (isFree(operand))
      continue;
    if (!operand.hasOneUse())
      return;
    freed += bytesOf(operand);
    Operation *def = operand.getDefiningOp();
    last = !last || order.isBefore(last, def) ? def : last;
  }
  bool isClear = llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return !def || !last || def == last || order.isBefore(def, last);
  });
  // A convolution needs both while it runs, and brings nothing if it frees no
  // more than that.
  int64_t needed = bytesOf(op->getResult(0)) + (isa<ConvOp>(op) ? 1 : 0);
  if (last && isClear && freed >= needed && last->getNextNode() != op)
    order.moveAfter(op, last);
}

/// An op that frees nothing comes as late as it can.
static void sink(Operation *op, OpOrder &order) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    first = !first || order.isBefore(user, first) ? user : first;
  if (!first || first == op->getNextNode())
    return;
  for (Value operand : op->getOperands())
    if (!isFree(operand) &&
        llvm::none_of(operand.getUsers(), [&](Operation *user) {
          return user != op && !order.isBefore(user, first);
        }))
      return;
  // What else is for the same user stays next to it.
  Operation *place = first;
  for (Operation *before = place->getPrevNode();
       before && before != op && before->getNumResults() == 1 &&
       before->hasOneUse() && *before->user_begin() == first;
       before = place->getPrevNode())
    place = before;
  if (place->getPrevNode() != op)
    order.moveBefore(op, place);
}

void mlir::ane::orderOps(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (op.getNumResults() == 1 && !isa<ConstantOp>(op) &&
        isa<RankedTensorType>(op.getResult(0).getType()))
      ops.push_back(&op);
  OpOrder order(block);
  for (Operation *op : llvm::reverse(ops))
    sink(op, order);
  for (Operation *op : ops)
    hoist(op, order);
}
