//===- TileBound.cpp - DRAM traffic that no plan of tiles avoids ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lower bound on the DRAM bytes of every program for the ops of a function,
// in any order and any strips, if each use of a value and the ops between the
// value and that use see the same computation of it. Beside weights, arguments
// and results, once, it counts what has to be in DRAM at any rate, weights for
// each convolution that has them, and weights that are read again because too
// much would have to be in L2.
//
// Let o be a convolution over all channels with Cout channels and W bytes of
// weights, M the bytes of L2. Call it an event when a task computes some pixels
// of one channel of o: W / Cout bytes of weights come from DRAM for it, as
// nothing else than tasks has coefficients. In L2 are then, of these pixels,
//   - what they are computed from, unless the task reads it from DRAM;
//   - of a value v that o and a later op need (a shortcut), what belongs to
//     them: it is there, as o has used it, and is still needed, as the later op
//     waits for this channel;
//   - the channels of o that are done, if a reader wants all of them.
// Summed over all events, each pixel has Cout of them, that is Cout * A bytes,
// where A = (bytes of the input) + (of such v) + half of those of the result,
// less what was put into DRAM. An event has at most M bytes, so there are at
// least Cout * A / M, and weights are W * A / M bytes or more:
//   weights(o) >= W * (A - sum of D(v)) / M - K / M * Din(o).
// D(v) are the bytes of v that are written to DRAM and read again, Din(o) those
// of the input that tasks of o read, K the most bytes of coefficients of a
// task: what a task reads is there for K / W * Cout events at most. And K < M.
//
// The least of weights + D + Din under these conditions and weights(o) >= W is
// a linear programme. Whatever multipliers 0 <= y(o) <= 1 are taken for its
// conditions,
//   sum of y(o) * W * (A / M - 1)
// is a bound, as long as for no v the sum of y(o) * W / M over the o that count
// it is above what a byte of it in DRAM costs: 2, or 1 where it is an argument,
// a result or stored in any case, and K / M less where it may be a Din.
//
// Where strides leave rows or columns out, nobody has to compute those of the
// ops before, nor to read those of an argument: only what is needed counts.
//
// What belongs to what is followed along one path from v to the later op, with
// the maps of rows and columns that the planner has (TileGraph.h). A path of
// which this is not certain adds nothing.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

constexpr unsigned rowDim = 2, columnDim = 3;
constexpr int maxPath = 512; ///< ops

/// From index t of one dimension at the end of a path: the value here is needed
/// from scale * t + low or before to scale * t + high or after, without gaps.
struct Reach {
  unsigned dim;
  double scale = 1, low = 0, high = 0;
  bool isAll = false;
  /// Part of the indices for which a border was in the way.
  double lost = 0;

  bool step(const TileNode &node, const TileNode::Operand &operand,
            const TileGraph &graph);
  bool arrives(unsigned at) const {
    return isAll || (dim == at && scale == 1 && low <= 0 && high >= 0);
  }
};

/// A convolution over all channels.
struct Dense {
  double weights = 0; ///< W
  double held = 0;    ///< A
  /// Bytes of an argument that it reads: once costs nothing more.
  double argument = 0;
  SmallVector<int, 4> values; ///< with a D
};

/// Of each value channels, rows and columns of which every element is needed
/// for the results; more may be.
class NeededParts {
public:
  explicit NeededParts(const TileGraph &graph);
  /// The part of the value, from 0 to 1; of its channels, of its pixels.
  double get(int value) const { return getChannels(value) * getPixels(value); }
  double getChannels(int value) const { return getPart(value, 0, 1); }
  double getPixels(int value) const { return getPart(value, 1, numCutDims); }

private:
  using Indices = std::array<llvm::BitVector, numCutDims>;
  Indices all(int value) const;
  std::optional<Indices> follow(const TileNode &node,
                                const TileNode::Operand &operand) const;
  double getPart(int value, unsigned first, unsigned end) const;
  void add(int value, Indices indices);

  const TileGraph &graph;
  std::vector<SmallVector<Indices, 1>> needed; ///< by value, largest first
};

class Bound {
public:
  explicit Bound(const TileGraph &graph)
      : graph(graph), needed(graph), l2Bytes(graph.info.l2Bytes),
        taskBytes(graph.info.neCount * graph.info.kernelBufferBytes) {}
  int64_t run();

private:
  void addDense(int number);
  void addShortcuts(int join);
  void followPath(int value, int join, int from);
  const TileNode::Operand *goOn(int number);
  void addInput(int number, Dense &op);
  void addResult(int number, Dense &op);
  double countSkipped() const;
  double countShared() const;
  double countStored() const;
  double weigh();
  double getRoom(int value) const;

  const TileGraph &graph;
  const NeededParts needed;
  double l2Bytes, taskBytes;         ///< M, K
  llvm::MapVector<int, Dense> dense; ///< by node
  DenseSet<int> shortcutRoots, inputRoots;
  // Of the path that is followed.
  bool needsAll = false; ///< an op after needs all channels
  bool hasAll = false;   ///< all channels of what is here go into it
  bool isMerged = false; ///< and all that a reshape joins
  SmallVector<int, 16> found;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

NeededParts::Indices NeededParts::all(int value) const {
  Indices indices;
  for (unsigned i = 0; i < numCutDims; ++i)
    indices[i].resize(graph.values[value].extents[firstCutDim + i], true);
  return indices;
}

static double partOf(ArrayRef<llvm::BitVector> indices) {
  double part = 1;
  for (const llvm::BitVector &along : indices)
    part *= double(along.count()) / along.size();
  return part;
}

double NeededParts::getPart(int value, unsigned first, unsigned end) const {
  if (needed[value].empty())
    return 0;
  return partOf(ArrayRef(needed[value].front()).slice(first, end - first));
}

// Whether indices of the result need all that lies between the first and the
// last that they need of an operand.
static bool hasGaps(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  return conv && !conv.hasUnitDilations();
}

// Whether each index of the result needs all along a dimension that the planner
// does not cut, or cuts together with constants.
static bool needsAllOf(Operation *op, unsigned dim, const CutMap &map) {
  auto conv = dyn_cast<ConvOp>(op);
  if (conv && conv.getGroups() == 1 && dim == 1)
    return true;
  return map.kind == CutMap::Whole && isa<ConvOp, ReduceOp>(op);
}

// Of an operand, for what is needed of the result. None where it is not
// certain.
std::optional<NeededParts::Indices>
NeededParts::follow(const TileNode &node,
                    const TileNode::Operand &operand) const {
  const Indices &result = needed[node.result].front();
  Indices indices = all(operand.value);
  // No other op has elements that none of its result needs.
  bool mayLeaveOut = isa<SliceOp, ConvOp, PoolOp>(node.op);
  if (!mayLeaveOut &&
      llvm::all_of(result, [](const auto &part) { return part.all(); }))
    return indices;
  for (unsigned i = 0; i < numCutDims; ++i) {
    const CutMap &map = operand.cuts[i];
    bool isWhole = result[i].all() &&
                   (map.kind == CutMap::Whole || !isa<SliceOp>(node.op));
    if (map.kind != CutMap::Along &&
        (isWhole || needsAllOf(node.op, firstCutDim + i, map)))
      continue;
    // Of a concat, maps say what an operand may have to do with it.
    auto concat = dyn_cast<ConcatOp>(node.op);
    bool isPartOfConcat =
        concat && concat.getAxis() == firstCutDim + i && !result[i].all();
    if (map.kind != CutMap::Along || map.dim < firstCutDim ||
        map.dim >= firstCutDim + numCutDims || isPartOfConcat ||
        (hasGaps(node.op) && !(isWhole && map.stride == 1)))
      return std::nullopt;
    llvm::BitVector &part = indices[map.dim - firstCutDim];
    int64_t extent = part.size();
    part.reset();
    for (unsigned at : result[i].set_bits()) {
      int64_t begin = int64_t(at / map.unit) * map.stride - map.before;
      int64_t end = std::min(extent, begin + map.span);
      begin = std::max<int64_t>(0, begin);
      if (begin < end)
        part.set(begin, end);
    }
  }
  return indices;
}

NeededParts::NeededParts(const TileGraph &graph)
    : graph(graph), needed(graph.values.size()) {
  // What is a result, not what only has its memory.
  for (size_t value = 0; value < needed.size(); ++value)
    if (graph.values[value].lastUse == int(graph.nodes.size()))
      needed[value] = {all(value)};
  for (const TileNode &node : llvm::reverse(graph.nodes)) {
    if (needed[node.result].empty())
      continue;
    for (const TileNode::Operand &operand : node.operands)
      if (std::optional<Indices> indices = follow(node, operand))
        add(operand.value, std::move(*indices));
  }
}

// What two users need is of this form if it is the same but for one dimension.
// Of what is not, such as some heads and some tokens, only a few are kept until
// others join them; the largest part counts.
void NeededParts::add(int value, Indices indices) {
  constexpr unsigned maxParts = 4;
  SmallVector<Indices, 1> &known = needed[value];
  for (auto *part = known.begin(); part != known.end(); ++part) {
    unsigned other = 0, count = 0;
    for (unsigned i = 0; i < numCutDims; ++i)
      if ((*part)[i] != indices[i])
        other = i, ++count;
    if (count > 1)
      continue;
    indices[other] |= (*part)[other];
    known.erase(part);
    return add(value, std::move(indices));
  }
  double size = partOf(indices);
  auto *place = llvm::find_if(
      known, [&](const Indices &part) { return partOf(part) < size; });
  known.insert(place, std::move(indices));
  if (known.size() > maxParts)
    known.pop_back();
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

bool Reach::step(const TileNode &node, const TileNode::Operand &operand,
                 const TileGraph &graph) {
  if (isAll)
    return true;
  if (dim < firstCutDim || dim >= firstCutDim + numCutDims)
    return false;
  const CutMap &map = operand.cuts[dim - firstCutDim];
  const TileValue &from = graph.values[operand.value];
  if (map.kind == CutMap::Impossible)
    return false;
  if (map.kind == CutMap::Whole)
    return isAll = isa<ConvOp, ReduceOp>(node.op) || from.extents[dim] == 1;
  if (map.unit == 1 ? map.span < map.stride : map.span != 1 || map.stride != 1)
    return false;
  // Blocks that are wholly inside.
  int unit = map.unit;
  low = (low + unit - 1) / unit;
  high = (high + 2 - 2 * unit) / unit;
  scale /= unit;
  int64_t blocks = graph.values[node.result].extents[dim] / unit;
  int64_t extent = from.extents[map.dim];
  int64_t end = (blocks - 1) * map.stride - map.before + map.span;
  lost += double(std::max<int64_t>(0, -map.before) +
                 std::max<int64_t>(0, extent - end)) /
          extent;
  scale *= map.stride;
  low = low * map.stride - map.before;
  high = high * map.stride - map.before + map.span - 1;
  dim = map.dim;
  return true;
}

// The part of an operand of which each index can be ascribed to one index of
// the result that needs it.
static double getCover(const TileGraph &graph, const TileNode &node,
                       const TileNode::Operand &operand) {
  double cover = 1;
  for (unsigned dim : {rowDim, columnDim}) {
    const CutMap &map = operand.cuts[dim - firstCutDim];
    if (map.kind == CutMap::Whole)
      continue; // every index needs all
    if (map.kind != CutMap::Along || map.dim != dim || map.unit != 1)
      return 0;
    int64_t extent = graph.values[operand.value].extents[dim], covered = 0;
    int64_t width = std::min(map.span, map.stride);
    int64_t skipped = std::clamp(map.before, 0, int(map.span - width));
    for (int64_t i = 0; i < graph.values[node.result].extents[dim]; ++i) {
      int64_t begin = i * map.stride - map.before + skipped;
      covered += std::max<int64_t>(0, std::min(extent, begin + width) -
                                          std::max<int64_t>(0, begin));
    }
    cover *= double(covered) / extent;
  }
  return cover;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Bytes of its coefficients; 0 for any other op.
static int64_t getCoefficientBytes(const TileGraph &graph,
                                   const TileNode &node) {
  if (auto conv = dyn_cast<ConvOp>(node.op))
    return conv.getGroups() == 1 && node.operands.size() == 1
               ? bytesOf(conv.getWeight())
               : 0;
  if (!isa<RuntimeConvOp>(node.op) || node.operands.size() != 2)
    return 0;
  const TileValue &coefficients = graph.values[node.operands[1].value];
  return coefficients.extents[2] == 1 ? coefficients.dramBytes : 0;
}

// Those of small images are loaded while the task runs, more than K.
void Bound::addDense(int number) {
  constexpr int64_t smallImage = 8;
  const TileNode &node = graph.nodes[number];
  const auto &extents = graph.values[node.result].extents;
  double bytes = getCoefficientBytes(graph, node);
  if (bytes > 0 && (extents[2] > smallImage || extents[3] > smallImage))
    dense[number].weights = bytes;
}

// Of a value that is a shortcut, all is counted as that.
void Bound::addInput(int number, Dense &op) {
  const TileNode &node = graph.nodes[number];
  const TileNode::Operand &input = node.operands[0];
  const TileValue &value = graph.values[input.value];
  if (shortcutRoots.contains(value.root))
    return;
  double bytes = value.dramBytes * getCover(graph, node, input);
  if (graph.values[value.root].isArgument) {
    if (op.weights <= taskBytes)
      return;
    op.argument = value.dramBytes;
  }
  inputRoots.insert(value.root);
  op.held += bytes;
}

// Also as a part of what is joined there.
static bool isInResult(const TileGraph &graph, int number) {
  const TileValue &value = graph.values[number];
  if (graph.values[value.root].isResult)
    return true;
  int concat = value.def >= 0 ? graph.nodes[value.def].joinedIn : -1;
  return concat >= 0 &&
         graph.values[graph.values[graph.nodes[concat].result].root].isResult;
}

void Bound::addResult(int number, Dense &op) {
  int result = graph.nodes[number].result;
  const TileValue &value = graph.values[result];
  if (isInResult(graph, result) || graph.nodes[number].isStored)
    return;
  double cover = 0;
  for (int user : graph.users[result])
    if (isa<ConvOp>(graph.nodes[user].op) &&
        getCoefficientBytes(graph, graph.nodes[user]) > 0)
      cover = std::max(cover, getCover(graph, graph.nodes[user],
                                       graph.nodes[user].operands[0]));
  if (cover == 0)
    return;
  op.held += value.dramBytes * cover / 2;
  op.values.push_back(result);
}

//===----------------------------------------------------------------------===//
// Shortcuts
//===----------------------------------------------------------------------===//

static const TileNode::Operand *findLatest(const TileGraph &graph,
                                           const TileNode &node, int except) {
  const TileNode::Operand *latest = nullptr;
  for (const TileNode::Operand &operand : node.operands)
    if (operand.value != except &&
        (!latest ||
         graph.values[operand.value].def > graph.values[latest->value].def))
      latest = &operand;
  return latest;
}

static bool isChannelConcat(Operation *op) {
  auto concat = dyn_cast<ConcatOp>(op);
  return concat && concat.getAxis() == 1 &&
         cast<ShapedType>(concat.getType()).getRank() == 4;
}

// What the path goes on with, or null where it is not certain.
const TileNode::Operand *Bound::goOn(int number) {
  const TileNode &node = graph.nodes[number];
  const TileNode::Operand *next = findLatest(graph, node, /*except=*/-1);
  if (!next)
    return nullptr;
  const auto &from = graph.values[next->value].extents;
  const auto &to = graph.values[node.result].extents;
  if (auto conv = dyn_cast<ConvOp>(node.op)) {
    if (conv.getGroups() == 1) {
      if (needsAll && hasAll && dense.count(number))
        found.push_back(number);
      needsAll = hasAll = true;
      isMerged = false;
    } else {
      hasAll &= from[1] == to[1] && int64_t(conv.getGroups()) == from[1];
    }
    return next;
  }
  if (isa<ElementwiseOp, ActivationOp, ReduceOp, PoolOp>(node.op))
    return next;
  if (isa<ReshapeOp, TransposeOp>(node.op)) {
    hasAll = false;
    isMerged |= isa<ReshapeOp>(node.op);
    return next;
  }
  if (isa<SliceOp>(node.op)) {
    hasAll &= from[1] == to[1];
    return next;
  }
  if (auto concat = dyn_cast<ConcatOp>(node.op)) {
    // Any of the operands has a part of what is needed.
    bool isPart = isMerged && from[concat.getAxis()] == 1;
    return needsAll && (isChannelConcat(node.op) || isPart) ? next : nullptr;
  }
  return nullptr;
}

// From what the later op needs beside the value, back to the value.
void Bound::followPath(int value, int join, int from) {
  const TileNode &last = graph.nodes[join];
  auto *start = llvm::find_if(last.operands, [&](const auto &operand) {
    return operand.value == from;
  });
  Reach rows{rowDim}, columns{columnDim};
  if (!rows.step(last, *start, graph) || !columns.step(last, *start, graph))
    return;
  needsAll = hasAll = isChannelConcat(last.op);
  isMerged = false;
  found.clear();
  int at = from, def = graph.values[value].def;
  for (int length = 0; at != value; ++length) {
    int number = graph.values[at].def;
    if (number <= def || length == maxPath)
      return;
    const TileNode::Operand *next = goOn(number);
    if (!next || !rows.step(graph.nodes[number], *next, graph) ||
        !columns.step(graph.nodes[number], *next, graph))
      return;
    at = next->value;
  }
  double part = 1 - rows.lost - columns.lost;
  if (!needsAll || !hasAll || !rows.arrives(rowDim) ||
      !columns.arrives(columnDim) || part <= 0)
    return;
  for (int number : found) {
    Dense &op = dense[number];
    if (llvm::is_contained(op.values, value))
      continue;
    op.values.push_back(value);
    op.held += part * graph.values[value].dramBytes;
    shortcutRoots.insert(graph.values[value].root);
  }
}

// Values that an op needs together with what was computed from them.
void Bound::addShortcuts(int join) {
  const TileNode &node = graph.nodes[join];
  if (node.operands.size() < 2)
    return;
  if (isChannelConcat(node.op)) {
    // Its reader needs all of it at once.
    if (llvm::none_of(graph.users[node.result], [&](int user) {
          const TileNode &reader = graph.nodes[user];
          return dense.count(user) &&
                 getCover(graph, reader, reader.operands[0]) == 1;
        }))
      return;
  } else if (!isa<ElementwiseOp>(node.op)) {
    return;
  }
  for (const TileNode::Operand &operand : node.operands) {
    const TileValue &value = graph.values[operand.value];
    auto isSame = [&](unsigned dim) {
      const CutMap &map = operand.cuts[dim - firstCutDim];
      return map.kind == CutMap::Along && map.dim == dim && map.isPlain();
    };
    if (!isSame(rowDim) || !isSame(columnDim) ||
        (value.def >= 0 && graph.nodes[value.def].isView))
      continue;
    const TileNode::Operand *other = findLatest(graph, node, operand.value);
    if (other && graph.values[other->value].def > value.def)
      followPath(operand.value, join, other->value);
  }
}

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

// What a byte of it in DRAM costs, less what is counted as read by
// convolutions.
double Bound::getRoom(int number) const {
  const TileValue &value = graph.values[number];
  const TileValue &root = graph.values[value.root];
  bool isThere = root.isArgument || isInResult(graph, number) ||
                 (value.def >= 0 && graph.nodes[value.def].isStored);
  return (isThere ? 1 : 2) -
         (inputRoots.contains(value.root) ? taskBytes / l2Bytes : 0);
}

// Of arguments and weights, what is not needed.
double Bound::countSkipped() const {
  double bytes = 0;
  for (size_t value = 0; value < graph.values.size(); ++value)
    if (graph.values[value].isArgument && graph.values[value].def < 0)
      bytes += graph.values[value].dramBytes * (1 - needed.get(value));
  for (const TileNode &node : graph.nodes)
    if (auto conv = dyn_cast<ConvOp>(node.op))
      bytes +=
          bytesOf(conv.getWeight()) * (1 - needed.getChannels(node.result));
  return bytes;
}

// Convolutions do not share what they read of coefficients.
double Bound::countShared() const {
  double bytes = 0;
  DenseSet<Value> counted;
  for (const TileNode &node : graph.nodes)
    if (auto conv = dyn_cast<ConvOp>(node.op))
      if (conv.getWeight().getDefiningOp<ConstantOp>() &&
          !counted.insert(conv.getWeight()).second)
        bytes += bytesOf(conv.getWeight());
  return bytes;
}

// Written and read once each.
double Bound::countStored() const {
  double bytes = 0;
  for (const TileNode &node : graph.nodes) {
    const TileValue &value = graph.values[node.result];
    if (node.isStored && !isInResult(graph, node.result))
      bytes += value.dramBytes;
    if (!isa<RuntimeConvOp>(node.op) || node.operands.size() != 2)
      continue;
    const TileValue &coefficients = graph.values[node.operands[1].value];
    if (!graph.values[coefficients.root].isArgument)
      bytes += coefficients.dramBytes;
  }
  return bytes;
}

// Multipliers one by one, those with the most for a byte of weights first.
double Bound::weigh() {
  auto getGain = [&](const Dense &op) {
    return op.weights * (op.held / l2Bytes - 1) -
           taskBytes / l2Bytes * op.argument;
  };
  std::vector<std::tuple<double, int, const Dense *>> order;
  for (auto &[number, op] : dense)
    if (double gain = getGain(op); gain > 0)
      order.emplace_back(-gain / op.weights, number, &op);
  llvm::sort(order);
  DenseMap<int, double> rooms;
  double bytes = 0;
  for (auto [gain, number, op] : order) {
    double load = op->weights / l2Bytes, multiplier = 1;
    for (int value : op->values)
      multiplier = std::min(
          multiplier,
          rooms.try_emplace(value, getRoom(value)).first->second / load);
    for (int value : op->values)
      rooms[value] -= multiplier * load;
    bytes += multiplier * getGain(*op);
  }
  return bytes;
}

int64_t Bound::run() {
  int count = graph.nodes.size();
  for (int number = 0; number < count; ++number)
    addDense(number);
  for (int number = 0; number < count; ++number)
    addShortcuts(number);
  for (auto &[number, op] : dense) {
    addInput(number, op);
    addResult(number, op);
    op.held *= needed.getPixels(graph.nodes[number].result);
  }
  return std::max<int64_t>(
      0, graph.compulsoryBytes +
             int64_t(countShared() + countStored() + weigh() - countSkipped()));
}

int64_t mlir::ane::boundTraffic(const TileGraph &graph) {
  if (graph.info.l2Bytes == 0 ||
      graph.info.l2Bytes <
          uint64_t(graph.info.neCount) * graph.info.kernelBufferBytes)
    return graph.compulsoryBytes;
  return Bound(graph).run();
}
