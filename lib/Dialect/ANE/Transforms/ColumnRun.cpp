//===- ColumnRun.cpp - Ops on images that can be cut by columns -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnRun.h"

#include "TilePlan.h"

#include "ane/Dialect/ANE/IR/Tiling.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

static constexpr unsigned columnDim = 3;

static const CutMap &columnMap(const TileNode::Operand &operand) {
  return operand.cuts[columnDim - firstCutDim];
}

static int64_t columnsOf(const TileGraph &graph, int value) {
  return graph.values[value].extents[columnDim];
}

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

// Where images are joined side by side, columns of the result are those of some
// of them.
static bool joinsColumns(Operation *op) {
  auto concat = dyn_cast<ConcatOp>(op);
  return concat && concat.getAxis() == columnDim;
}

// What has no columns is the same for all parts, if it comes from outside.
static bool isInProportion(const TileGraph &graph, const TileNode &node,
                           const TileNode::Operand &operand, int64_t first) {
  const CutMap &map = columnMap(operand);
  if (map.kind == CutMap::Whole)
    return graph.values[operand.value].def < first;
  return map.kind == CutMap::Along && map.dim == columnDim &&
         columnsOf(graph, operand.value) * map.unit ==
             columnsOf(graph, node.result) * map.stride;
}

bool ColumnRun::grow() {
  if (end == int64_t(graph.nodes.size()))
    return false;
  const TileNode &node = graph.nodes[end];
  if (node.operands.empty() || joinsColumns(node.op) ||
      !llvm::all_of(node.operands, [&](const TileNode::Operand &operand) {
        return isInProportion(graph, node, operand, first);
      }))
    return false;
  SmallVector<int64_t> widths = {columnsOf(graph, node.result)};
  for (const TileNode::Operand &operand : node.operands)
    if (columnMap(operand).kind == CutMap::Along)
      widths.push_back(columnsOf(graph, operand.value));
  int64_t least = *llvm::min_element(widths);
  if (columns)
    least = std::min(least, columns);
  // Multiples of multiples: all widths seen so far are those of `columns`.
  if (least <= columnAlign || (columns && columns % least) ||
      llvm::any_of(widths, [&](int64_t width) { return width % least; }))
    return false;
  columns = least;
  ++end;
  return true;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

int64_t ColumnRun::sizeOfPart(int64_t wanted) const {
  return llvm::alignTo(llvm::divideCeil(columns, wanted), columnAlign);
}

int64_t ColumnRun::countParts(int64_t wanted) const {
  return first == end ? 0 : llvm::divideCeil(columns, sizeOfPart(wanted));
}

int64_t ColumnRun::scaleOf(int value) const {
  return columnsOf(graph, value) / columns;
}

ColumnRun::Range ColumnRun::scaled(Range range, int value) const {
  int64_t scale = scaleOf(value);
  return {range.low * scale, range.high * scale};
}

bool ColumnRun::leaves(const TileNode &node) const {
  return graph.values[node.result].lastUse >= end;
}

// Columns of values that are needed where those that leave are right in `part`.
void ColumnRun::findNeeded(Range part) {
  needed.clear();
  auto need = [&](int value, Range range) {
    range.low = std::max<int64_t>(0, range.low);
    range.high = std::min(columnsOf(graph, value), range.high);
    auto [it, isNew] = needed.try_emplace(value, range);
    it->second.low = std::min(it->second.low, range.low);
    it->second.high = std::max(it->second.high, range.high);
  };
  for (int64_t at = end - 1; at >= first; --at) {
    const TileNode &node = graph.nodes[at];
    if (leaves(node))
      need(node.result, scaled(part, node.result));
    auto range = needed.find(node.result);
    if (range == needed.end())
      continue;
    const auto [low, high] = range->second;
    for (const TileNode::Operand &operand : node.operands) {
      const CutMap &map = columnMap(operand);
      if (map.kind != CutMap::Along)
        continue;
      int64_t begin = low / map.unit * map.stride - map.before;
      int64_t last = llvm::divideCeil(high, map.unit) - 1;
      need(operand.value, {begin, last * map.stride - map.before + map.span});
    }
  }
}

// In columns of the narrowest value, as far as rows can begin there.
ColumnRun::Range ColumnRun::getNeeded(int value) const {
  Range range = needed.lookup(value);
  int64_t scale = scaleOf(value);
  return {int64_t(llvm::alignDown(range.low / scale, columnAlign)),
          int64_t(llvm::divideCeil(range.high, scale))};
}

// What a part has of a result. An op that looks at columns around has those of
// its operand, since others would not be in the same place. An op that does not
// may have fewer: those of the part, which are on their way out, or where it is
// much less; a few columns are not worth another shape.
ColumnRun::Range ColumnRun::findRange(const TileNode &node, Range part) const {
  Range range = {0, columns}, least = getNeeded(node.result);
  bool isByColumn = true;
  for (const TileNode::Operand &operand : node.operands) {
    const CutMap &map = columnMap(operand);
    if (map.kind != CutMap::Along)
      continue;
    Range from = ranges.lookup(operand.value);
    range.low = std::max(range.low, from.low);
    range.high = std::min(range.high, from.high);
    isByColumn &= map.span <= map.stride && map.before == 0;
  }
  bool isMuchLess = least.low > range.low ||
                    range.high - least.high >= columnAlign ||
                    (least.low == part.low && least.high == part.high);
  return isByColumn && isMuchLess ? least : range;
}

// Columns [low, high) of `value`.
static Value sliceColumns(OpBuilder &builder, Value value, int64_t low,
                          int64_t high) {
  Box box = Box::all(cast<RankedTensorType>(value.getType()).getShape());
  box.offsets[columnDim] = low;
  box.sizes[columnDim] = high - low;
  return createSlice(builder, value.getLoc(), value, box);
}

static void setColumns(Operation *op, int64_t columns) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[columnDim] = columns;
  op->getResult(0).setType(type.clone(shape));
  if (auto slice = dyn_cast<SliceOp>(op))
    slice.setSizes(shape);
}

void ColumnRun::createPart(OpBuilder &builder, Range part) {
  findNeeded(part);
  ranges.clear();
  parts.clear();
  for (int64_t at = first; at < end; ++at) {
    const TileNode &node = graph.nodes[at];
    for (const TileNode::Operand &operand : node.operands)
      if (columnMap(operand).kind == CutMap::Along)
        ranges.try_emplace(operand.value, getNeeded(operand.value));
    Range range = ranges[node.result] = findRange(node, part);
    IRMapping mapping;
    const TileNode::Operand *entry = node.operands.begin();
    for (Value operand : node.op->getOperands())
      if (!operand.getDefiningOp<ConstantOp>())
        if (int value = entry->value; columnMap(*entry++).kind == CutMap::Along)
          mapping.map(operand, partOf(builder, operand, value, range));
    Operation *clone = builder.clone(*node.op, mapping);
    Range own = scaled(range, node.result);
    setColumns(clone, own.high - own.low);
    parts[node.result] = clone->getResult(0);
    if (leaves(node))
      leaving[node.op].push_back(
          partOf(builder, clone->getResult(0), node.result, part));
  }
}

// Columns `range` of an operand, from outside or of the part of one inside.
Value ColumnRun::partOf(OpBuilder &builder, Value whole, int value,
                        Range range) {
  auto [it, isNew] = parts.try_emplace(value);
  Range own = scaled(ranges.lookup(value), value);
  if (isNew)
    it->second = sliceColumns(builder, whole, own.low, own.high);
  Range wanted = scaled(range, value);
  return sliceColumns(builder, it->second, wanted.low - own.low,
                      wanted.high - own.low);
}

void ColumnRun::split(int64_t wanted) {
  int64_t size = sizeOfPart(wanted);
  Operation *last = graph.nodes[end - 1].op;
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  for (int64_t low = 0; low < columns; low += size)
    createPart(builder, {low, std::min(columns, low + size)});
  for (auto &[op, values] : leaving) {
    Value whole = ConcatOp::create(
        builder, op->getLoc(), op->getResult(0).getType(), values, columnDim);
    op->getResult(0).replaceUsesWithIf(whole, [&](OpOperand &use) {
      return whole.getDefiningOp()->isBeforeInBlock(use.getOwner());
    });
  }
  for (int64_t at = end - 1; at >= first; --at)
    graph.nodes[at].op->erase();
}
