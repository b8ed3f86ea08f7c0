//===- TileGraph.cpp - What the planner of tiles knows of a function ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TileGraph.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/ConvTasks.h"
#include "ane/Dialect/ANE/Utils/Centred.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Tiling.h"
#include "ane/HW/Layout.h"
#include "ane/Simulator/CostModel.h"

using namespace mlir;
using namespace mlir::ane;

// Constants are rounded to halves at last.
static int64_t storedElementBytes(Value value) {
  if (value.getDefiningOp<ConstantOp>() &&
      getElementTypeOrSelf(value.getType()).isF32())
    return sizeof(uint16_t);
  return std::max<int64_t>(1, elementBytes(value.getType()));
}

/// What the task level makes a view of (FormTasks.cpp).
static bool becomesView(Operation *op) {
  if (isa<SliceOp, ConcatOp, ReshapeOp>(op))
    return true;
  if (auto interleave = dyn_cast<InterleaveOp>(op)) {
    auto conv = interleave.getInput().getDefiningOp<ConvOp>();
    return conv && getStoredInterleave(conv);
  }
  auto transpose = dyn_cast<TransposeOp>(op);
  if (!transpose || transpose.getPerm().size() != 4)
    return false;
  auto conv = transpose.getInput().getDefiningOp<ConvOp>();
  return transpose.getPerm()[3] == 3 || isStoredInterleaved(transpose) ||
         (conv && getStoredTranspose(conv));
}

/// What runtime convolutions read as coefficients, also through views: from
/// DRAM. Backwards, since as many ways as there are may lead through views.
static DenseSet<Value> findCoefficients(Block &block) {
  DenseSet<Value> found;
  for (Operation &op : llvm::reverse(block)) {
    if (auto conv = dyn_cast<RuntimeConvOp>(op))
      found.insert(conv.getCoefficients());
    else if (becomesView(&op) && found.contains(op.getResult(0)))
      found.insert(op.operand_begin(), op.operand_end());
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

// Whether strips of the result need strips of an operand at all.
static bool canCut(Operation *op, unsigned dim, bool mayChangeRank) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  if (dim >= shape.size())
    return false;
  // The host converts at the border of the function, all at once.
  if (isa<CastOp>(op) && (isHostElement(op->getOperand(0).getType()) ||
                          isHostElement(op->getResult(0).getType())))
    return false;
  // So is another rank, which the surface does not have.
  return mayChangeRank || !isa<ReshapeOp>(op) ||
         shapeOf(op->getOperand(0)).size() == shape.size();
}

// Strips begin at any multiple of a few indices.
static bool isFewIndices(int64_t unit) {
  constexpr int64_t maxUnit = 8;
  return unit <= maxUnit && llvm::isPowerOf2_64(unit);
}

CutMap mlir::ane::getCut(Operation *op, unsigned index, unsigned dim,
                         bool mayChangeRank) {
  CutMap cut;
  if (!canCut(op, dim, mayChangeRank))
    return cut;
  auto conv = dyn_cast<ConvOp>(op);
  bool isBanded = conv && index == 0 && dim == 1 &&
                  conv->hasAttr(ANEDialect::getBandedAttrName());
  DimMap map = isBanded ? getBandMap(conv) : getDimMap(op, index, dim);
  int64_t size = shapeOf(op->getResult(0))[dim];
  bool isWhole = size == 1 && map.kind != DimMap::Segment;
  if (isWhole || (map.kind == DimMap::Broadcast && isFewIndices(map.unit))) {
    cut.kind = CutMap::Whole;
    return cut;
  }
  if (map.dim < 0 || !isFewIndices(map.getCutUnit()))
    return cut;
  cut.dim = map.dim;
  // Any operand of a concat may be what a strip needs.
  if (map.kind == DimMap::Segment && isa<ConcatOp>(op)) {
    cut.kind = CutMap::Along;
    return cut;
  }
  // In the middle there is more than padding.
  int64_t extent = shapeOf(op->getOperand(index))[map.dim];
  int64_t middle = size / map.unit / 2 * map.unit;
  if (!map.getPart(middle, map.unit, extent))
    return cut;
  cut.kind = map.getSpan() < extent ? CutMap::Along : CutMap::Whole;
  cut.unit = map.unit;
  cut.stride = map.stride;
  cut.span = map.getSpan();
  cut.before = map.before;
  return cut;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

// Parts of the output channels, each of which reads the source.
static int64_t countPasses(ConvOp conv, const ::ane::hw::GenerationInfo &info,
                           bool doubleBuffers) {
  if (conv.getGroups() > 1)
    return 1;
  int64_t channels = shapeOf(conv.getResult())[1];
  int64_t step = ConvTasks(conv, info, doubleBuffers).channelsOfTask(channels);
  return step ? llvm::divideCeil(channels, step) : channels;
}

static uint64_t productsOf(Operation *op) {
  ArrayRef<int64_t> out = shapeOf(op->getResult(0));
  uint64_t count = ShapedType::getNumElements(out);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
    return count * weight[1] * weight[2] * weight[3];
  }
  if (auto conv = dyn_cast<RuntimeConvOp>(op))
    return count * shapeOf(conv.getInput())[1];
  auto matmul = cast<MatmulOp>(op);
  return count *
         shapeOf(
             matmul.getLhs())[out.size() - (matmul.getTransposeLhs() ? 2 : 1)];
}

/// What is computed by the PE; a bound is a table of the NEs.
static bool isPlanar(Operation *op) {
  auto pair = dyn_cast<ElementwiseOp>(op);
  bool isBound =
      pair &&
      (pair.getKind() == ElementwiseKind::Max ||
       pair.getKind() == ElementwiseKind::Min) &&
      (getScalarConstant(pair.getLhs()) || getScalarConstant(pair.getRhs()));
  return !isBound && isa<ElementwiseOp, InterleaveOp, ReduceOp>(op);
}

void TileGraph::setWork(TileNode &node) const {
  Operation *op = node.op;
  if (node.isView)
    return;
  ::ane::sim::TaskWork &work = node.work;
  ArrayRef<int64_t> out = shapeOf(op->getResult(0));
  work.cout = out.size() > 1 ? out[1] : 1;
  if (auto conv = dyn_cast<ConvOp>(op)) {
    work.macs = productsOf(op);
    work.kernelWidth = shapeOf(conv.getWeight())[3];
    work.depthwise = conv.getGroups() > 1;
    work.results = ShapedType::getNumElements(out);
    node.passes = countPasses(conv, info, lowering.conv.doubleBuffers);
  } else if (isa<RuntimeConvOp>(op)) {
    work.macs = productsOf(op);
  } else if (isa<MatmulOp>(op)) {
    work.macs = productsOf(op);
    work.cout = out.back();
  } else {
    for (Value operand : op->getOperands())
      work.elements = std::max<uint64_t>(
          work.elements, ShapedType::getNumElements(shapeOf(operand)));
    work.elements =
        std::max<uint64_t>(work.elements, ShapedType::getNumElements(out));
  }
  node.seconds = ::ane::sim::predict(chip, work).compute;
  node.tasks = node.passes;
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp<ConstantOp>())
      node.weightBytes += ShapedType::getNumElements(shapeOf(operand)) *
                          storedElementBytes(operand);
  // The NEs have no loop over images.
  if (isa<ConvOp>(op)) {
    node.tasks *= out[0];
    node.weightBytes *= out[0];
  }
  // Wider rows than a patch of the PE lie in L2 as channels, where sources and
  // result are apart (KeepInL2.cpp); interleaved ones do not stay there.
  constexpr int64_t patchWidth = 512;
  node.worksInPlace = isa<ElementwiseOp, ActivationOp>(op) &&
                      (out.empty() || widthOfPart(out.back()) <= patchWidth ||
                       (out.size() == 4 && out[2] == 1));
  if (isPlanar(op) && out.size() == 4)
    node.tileRows = int64_t(1) << policy.patch(out[3], out[2], 2).height;
  auto conv = dyn_cast<ConvOp>(op);
  node.isStored = isa<InterleaveOp>(op) ||
                  coefficients.contains(op->getResult(0)) ||
                  (conv && getStoredInterleave(conv));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    node.needsWholeSource = llvm::is_contained(reduce.getAxes(), 2);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int TileGraph::addValue(Value value, int def) {
  int number = values.size();
  numbers[value] = number;
  TileValue entry;
  entry.def = entry.lastUse = def;
  entry.root = number;
  entry.isArgument = def < 0;
  ArrayRef<int64_t> shape = shapeOf(value);
  if (shape.size() <= 4) // no op of a higher rank is cut
    llvm::copy(shape, entry.extents.begin() + (4 - shape.size()));
  auto type = MemRefType::get(
      SmallVector<int64_t>(entry.extents.begin(), entry.extents.end()),
      getElementTypeOrSelf(value.getType()));
  L2Tile tile = getL2Tile(info, policy, type, L2User::ConvResult, false);
  entry.l2Bytes = tile.row * entry.extents[2] * entry.extents[0];
  entry.dramBytes =
      ShapedType::getNumElements(shape) * storedElementBytes(value);
  values.push_back(entry);
  users.emplace_back();
  return number;
}

void TileGraph::addNode(Operation *op) {
  TileNode node;
  node.op = op;
  node.isView = becomesView(op) ||
                (lowering.sequences.centresOnTheWay && isa<ElementwiseOp>(op) &&
                 getCentred(op->getResult(0)));
  int number = nodes.size();
  for (OpOperand &operand : op->getOpOperands()) {
    auto known = numbers.find(operand.get());
    if (known == numbers.end())
      continue; // a constant
    TileNode::Operand entry;
    entry.value = known->second;
    for (unsigned i = 0; i < numCutDims; ++i)
      entry.cuts[i] = getCut(op, operand.getOperandNumber(), firstCutDim + i);
    node.operands.push_back(entry);
    values[entry.value].lastUse = number;
    // Nodes come in order, so that an earlier operand of this one is the last.
    if (users[entry.value].empty() || users[entry.value].back() != number)
      users[entry.value].push_back(number);
  }
  // A constant that is cut with the result must be one that can be.
  for (OpOperand &operand : op->getOpOperands()) {
    if (numbers.count(operand.get()) || node.operands.empty())
      continue;
    for (unsigned i = 0; i < numCutDims; ++i)
      if (!(firstCutDim + i == 1 &&
            op->hasAttr(ANEDialect::getBandedAttrName())) &&
          getCut(op, operand.getOperandNumber(), firstCutDim + i).kind !=
              CutMap::Whole)
        node.operands[0].cuts[i].kind = CutMap::Impossible;
  }
  setWork(node);
  node.result = addValue(op->getResult(0), number);
  nodes.push_back(std::move(node));
}

void TileGraph::findJoined() {
  for (TileNode &node : llvm::reverse(nodes))
    for (int user : users[node.result]) {
      const TileNode &view = nodes[user];
      if (!view.isView || isa<SliceOp>(view.op) || node.joinedIn >= 0)
        continue;
      node.joinedIn = view.joinedIn;
      // What lies over something else takes no memory of its own.
      if (node.joinedIn < 0 && isa<ConcatOp>(view.op) &&
          values[view.result].placedOver < 0)
        node.joinedIn = user;
    }
}

// Additions follow each other up to the first whose sum goes into a function or
// to several users.
void TileGraph::findAdded() {
  for (TileNode &node : nodes) {
    if (!isProductOfRows(node.op))
      continue;
    Value value = (*node.op->user_begin())->getResult(0);
    while (value.hasOneUse() && isPlainSum(*value.user_begin()) &&
           !(isPlainSum(value.getDefiningOp()) &&
             cast<ElementwiseOp>(value.getDefiningOp()).getActivationAttr())) {
      value = (*value.user_begin())->getResult(0);
      node.addedIn = values[numbers.lookup(value)].def;
    }
  }
}

// Where a network gets narrow, few bytes stand for many after them.
void TileGraph::findNarrow() {
  for (TileNode &node : nodes) {
    const TileValue &value = values[node.result];
    auto isOwn = [&](const TileNode::Operand &operand) {
      return values[operand.value].extents == value.extents;
    };
    for (const TileNode::Operand &operand : node.operands) {
      const TileValue &from = values[operand.value];
      if (from.dramBytes >= 2 * value.dramBytes)
        node.isNarrow = !node.isView;
      if (node.worksInPlace && isOwn(operand) && from.def >= 0 &&
          nodes[from.def].isNarrow)
        node.isNarrow = true;
    }
    if (node.worksInPlace && node.isNarrow)
      for (const TileNode::Operand &operand : node.operands)
        if (isOwn(operand) && values[operand.value].def >= 0)
          nodes[values[operand.value].def].isNarrow = false;
  }
}

// Views stream with whoever looks through them.
void TileGraph::setTileRows() {
  for (TileNode &node : llvm::reverse(nodes))
    if (node.isView)
      for (int user : users[node.result])
        node.tileRows = std::max(node.tileRows, nodes[user].tileRows);
}

// Columns around a part are as few as rows can begin at, on one side or on both
// (guess: several layers together need no more).
int64_t TileGraph::widthOfPart(int64_t width) const {
  if (columnParts == 1)
    return width;
  int64_t part =
      llvm::alignTo(llvm::divideCeil(width, columnParts), columnAlign);
  return std::min(width, part + columnAlign * (columnParts == 2 ? 1 : 2));
}

// As canKeep() of KeepInL2.cpp has it.
void TileGraph::findTooWide() {
  auto look = [&](int number) {
    TileValue &value = values[number];
    int64_t width = widthOfPart(value.extents[3]);
    if (value.extents[2] > 1 && width > int64_t(1)
                                            << policy.patch(width, 2, 1).width)
      values[value.root].isTooWide = true;
  };
  for (const TileNode &node : nodes) {
    if (!isPlanar(node.op))
      continue;
    look(node.result);
    for (const TileNode::Operand &operand : node.operands)
      look(operand.value);
  }
}

// What is after another shape of it that nobody else looks at, as tasks write
// through views (TaskEmitter::placeBehindViews).
int TileGraph::getWritten(int value) const {
  for (int def = values[value].def;
       def >= 0 && isa<ReshapeOp, TransposeOp>(nodes[def].op) &&
       nodes[def].isView && !nodes[def].operands.empty() &&
       users[nodes[def].operands[0].value].size() == 1;
       def = values[value].def)
    value = nodes[def].operands[0].value;
  return value;
}

// A view has the memory of what it looks at; what a concat joins has that of
// the concat, unless it is part of something else already.
void TileGraph::setRoots() {
  for (const TileNode &node : llvm::reverse(nodes)) {
    if (!isa<ConcatOp>(node.op))
      continue;
    for (const TileNode::Operand &operand : node.operands) {
      int written = getWritten(operand.value);
      TileValue &part = values[written];
      if (part.root == written && !part.isArgument && part.def >= 0 &&
          !nodes[part.def].isView)
        part.root = values[node.result].root;
    }
  }
  for (const TileNode &node : nodes)
    if (node.isView && !isa<ConcatOp>(node.op) && !node.operands.empty())
      values[node.result].root = values[node.operands[0].value].root;
  // The memory lives as long as any of its views.
  for (TileValue &value : values) {
    TileValue &root = values[value.root];
    root.end = std::max(root.end, value.lastUse);
    if (!value.isArgument && (root.firstDef < 0 || value.def < root.firstDef))
      root.firstDef = value.def;
    root.isResult |= value.isResult;
    root.isArgument |= value.isArgument;
  }
}

// Sums of channels of a convolution and the same channels of a shortcut, joined
// again, lie in the place of the shortcut.
void TileGraph::findOverwriters(const TileNode &node) {
  auto concat = cast<ConcatOp>(node.op);
  SmallVector<int, 4> parts;
  DenseSet<int> slices;
  int source = -1;
  int64_t axis = concat.getAxis(), start = 0;
  for (const TileNode::Operand &operand : node.operands) {
    int part = values[operand.value].def;
    if (part < 0 || !nodes[part].worksInPlace)
      return;
    auto *found =
        llvm::find_if(nodes[part].operands, [&](const TileNode::Operand &from) {
          int def = values[from.value].def;
          auto slice = def < 0 ? SliceOp() : dyn_cast<SliceOp>(nodes[def].op);
          return slice && nodes[def].operands.size() == 1 &&
                 slice.getOffsets()[axis] == start &&
                 values[from.value].extents == values[operand.value].extents &&
                 values[nodes[def].operands[0].value].extents ==
                     values[node.result].extents;
        });
    if (found == nodes[part].operands.end())
      return;
    int slice = values[found->value].def;
    slices.insert(slice);
    int from = nodes[slice].operands[0].value;
    if ((source >= 0 && source != from) ||
        users[found->value] != SmallVector<int, 2>{part})
      return;
    source = from;
    parts.push_back(part);
    start += shapeOf(concat.getInputs()[parts.size() - 1])[axis];
  }
  bool isLast = source >= 0 && values[source].def >= 0 &&
                llvm::is_sorted(parts) &&
                llvm::all_of(users[source], [&](int user) {
                  return user < parts[0] || slices.contains(user);
                });
  if (!isLast || values[source].root != source)
    return;
  values[source].overwriters.assign(parts.begin(), parts.end());
  values[node.result].placedOver = source;
}

bool mlir::ane::isOfShapes(func::FuncOp func) {
  auto isShape = llvm::IsaPred<ShapedType>;
  return llvm::all_of(func.getArgumentTypes(), isShape) &&
         llvm::all_of(func.front(), [&](Operation &op) {
           return llvm::all_of(op.getOperandTypes(), isShape) &&
                  llvm::all_of(op.getResultTypes(), isShape);
         });
}

// Another shape of an argument, of another rank: the surface has this one.
static bool isArgumentOfOtherRank(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape ||
      shapeOf(reshape.getInput()).size() == shapeOf(reshape.getResult()).size())
    return false;
  Value source = reshape.getInput();
  if (auto cast = source.getDefiningOp<CastOp>())
    source = cast.getInput();
  return isa<BlockArgument>(source);
}

TileGraph::TileGraph(func::FuncOp func, const MemoryTarget &memory,
                     const LoweringPolicy &lowering, int64_t columnParts)
    : lowering(lowering), info(*memory.generation),
      chip(::ane::hw::chipOf(memory.generation->id)), policy(*memory.policy),
      columnParts(columnParts), coefficients(findCoefficients(func.front())) {
  for (BlockArgument argument : func.getArguments()) {
    addValue(argument, -1);
    compulsoryBytes += values.back().dramBytes;
  }
  for (Operation &op : func.front().without_terminator())
    if (isArgumentOfOtherRank(&op))
      addValue(op.getResult(0), -1);
    else if (op.getNumResults() == 1 && !isa<ConstantOp>(op))
      addNode(&op);
  llvm::SmallDenseSet<Value> constants;
  for (const TileNode &node : nodes)
    for (Value operand : node.op->getOperands())
      if (operand.getDefiningOp<ConstantOp>() &&
          constants.insert(operand).second)
        compulsoryBytes += ShapedType::getNumElements(shapeOf(operand)) *
                           storedElementBytes(operand);
  for (Value result : func.front().getTerminator()->getOperands()) {
    auto known = numbers.find(result);
    if (known == numbers.end())
      continue;
    TileValue &value = values[known->second];
    value.isResult = true;
    value.lastUse = nodes.size();
    compulsoryBytes += value.dramBytes;
  }
  setRoots();
  setTileRows();
  findTooWide();
  findNarrow();
  for (const TileNode &node : nodes)
    if (isa<ConcatOp>(node.op))
      findOverwriters(node);
  findJoined();
  findAdded();
}
