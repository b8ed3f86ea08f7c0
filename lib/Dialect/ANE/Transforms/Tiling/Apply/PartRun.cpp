//===- PartRun.cpp - Ops on images that can be cut into parts -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Apply/PartRun.h"

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/IR/Tiling.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

// Rows begin at any image, but not at any column.
int64_t PartRun::getAlign() const { return dim == Columns ? columnAlign : 1; }

// Where tensors are joined along the dimension, or repeated or padded, a part
// of the result would be another op.
static bool changes(Operation *op, unsigned dim) {
  if (auto concat = dyn_cast<ConcatOp>(op))
    return concat.getAxis() == dim;
  return isa<TileOp, PadOp>(op) && typeOf(op->getOperand(0)).getDimSize(dim) !=
                                       typeOf(op->getResult(0)).getDimSize(dim);
}

// What has two dimensions is a matrix, whose rows have their weights in common.
static bool isOfParts(RankedTensorType type, unsigned dim) {
  return dim == PartRun::Images ? type.getRank() > 2 : type.getRank() == 4;
}

bool PartRun::isInProportion(OpOperand &operand, const CutMap &map) const {
  RankedTensorType from = typeOf(operand.get());
  RankedTensorType to = typeOf(operand.getOwner()->getResult(0));
  return map.kind == CutMap::Along && map.dim == dim && isOfParts(from, dim) &&
         from.getDimSize(dim) * map.unit == to.getDimSize(dim) * map.stride;
}

// The rows of all images are columns of one convolution.
static bool sharesWeights(Operation *op) {
  return isa<MatmulOp>(op) && llvm::any_of(op->getOperands(), [](Value value) {
           return bool(value.getDefiningOp<ConstantOp>());
         });
}

bool mlir::ane::isAtBorder(Operation *op) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape ||
      typeOf(reshape.getInput()).getRank() == typeOf(reshape).getRank())
    return false;
  Operation *def = reshape.getInput().getDefiningOp();
  return !def || isa<CastOp>(def) ||
         llvm::any_of(op->getUsers(), llvm::IsaPred<CastOp, func::ReturnOp>);
}

// None where they are not in proportion. What is the same for all indices, such
// as a factor for each channel, comes from outside.
std::optional<PartRun::Maps> PartRun::findMaps(const TileNode &node) const {
  if (isAtBorder(node.op) || sharesWeights(node.op) ||
      !isOfParts(typeOf(node.op->getResult(0)), dim) || changes(node.op, dim))
    return std::nullopt;
  Maps found;
  const TileNode::Operand *entry = node.operands.begin();
  for (OpOperand &operand : node.op->getOpOperands()) {
    CutMap map = getCut(node.op, operand.getOperandNumber(), dim,
                        /*mayChangeRank=*/dim == Images);
    if (operand.get().getDefiningOp<ConstantOp>()) {
      if (map.kind != CutMap::Whole)
        return std::nullopt;
      continue;
    }
    int value = entry++->value;
    bool isSame = map.kind == CutMap::Whole && graph.values[value].def < first;
    if (!isSame && !isInProportion(operand, map))
      return std::nullopt;
    found.push_back(map);
  }
  bool isCut = llvm::any_of(
      found, [](const CutMap &map) { return map.kind == CutMap::Along; });
  return isCut ? std::optional(found) : std::nullopt;
}

bool PartRun::grow() {
  if (end == int64_t(graph.nodes.size()))
    return false;
  const TileNode &node = graph.nodes[end];
  std::optional<Maps> found = findMaps(node);
  if (!found)
    return false;
  SmallVector<std::pair<int, int64_t>> sizes = {
      {node.result, typeOf(node.op->getResult(0)).getDimSize(dim)}};
  auto operands =
      llvm::make_filter_range(node.op->getOperands(), [](Value value) {
        return !value.getDefiningOp<ConstantOp>();
      });
  for (auto [value, operand, map] : llvm::zip(operands, node.operands, *found))
    if (map.kind == CutMap::Along)
      sizes.emplace_back(operand.value, typeOf(value).getDimSize(dim));
  int64_t least = extent ? extent : sizes[0].second;
  for (auto [value, size] : sizes)
    least = std::min(least, size);
  // Those of before are multiples of the least so far.
  if (least <= getAlign() || extent % least ||
      llvm::any_of(sizes, [&](auto &size) { return size.second % least; }))
    return false;
  extent = least;
  extents.insert(sizes.begin(), sizes.end());
  maps.push_back(*found);
  ++end;
  return true;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

int64_t PartRun::sizeOfPart(int64_t wanted) const {
  return llvm::alignTo(llvm::divideCeil(extent, wanted), getAlign());
}

int64_t PartRun::countParts(int64_t wanted) const {
  return extent ? llvm::divideCeil(extent, sizeOfPart(wanted)) : 0;
}

PartRun::Range PartRun::scaled(Range range, int value) const {
  int64_t scale = scaleOf(value);
  return {range.low * scale, range.high * scale};
}

bool PartRun::leaves(const TileNode &node) const {
  return graph.values[node.result].lastUse >= end;
}

// What is needed of values such that those that leave are right in `part`.
void PartRun::findNeeded(Range part) {
  needed.clear();
  auto need = [&](int value, Range range) {
    range.low = std::max<int64_t>(0, range.low);
    range.high = std::min(extentOf(value), range.high);
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
    for (auto [operand, map] :
         llvm::zip_equal(node.operands, maps[at - first])) {
      if (map.kind != CutMap::Along)
        continue;
      int64_t begin = low / map.unit * map.stride - map.before;
      int64_t last = llvm::divideCeil(high, map.unit) - 1;
      need(operand.value, {begin, last * map.stride - map.before + map.span});
    }
  }
}

// As counted in `extent`, from where rows can begin.
PartRun::Range PartRun::getNeeded(int value) const {
  Range range = needed.lookup(value);
  int64_t scale = scaleOf(value);
  return {int64_t(llvm::alignDown(range.low / scale, getAlign())),
          int64_t(llvm::divideCeil(range.high, scale))};
}

// What a part has of a result. An op that looks at indices around has those of
// its operand, since others would not be in the same place. An op that does not
// may have fewer: those of the part, which are on their way out, or where it is
// much less; a few columns are not worth another shape.
PartRun::Range PartRun::findRange(int64_t number, Range part) const {
  const TileNode &node = graph.nodes[number];
  Range range = {0, extent}, least = getNeeded(node.result);
  bool looksAround = false;
  for (auto [operand, map] :
       llvm::zip_equal(node.operands, maps[number - first])) {
    if (map.kind != CutMap::Along)
      continue;
    Range from = ranges.lookup(operand.value);
    range.low = std::max(range.low, from.low);
    range.high = std::min(range.high, from.high);
    looksAround |= map.span > map.stride || map.before != 0;
  }
  bool isMuchLess = least.low > range.low ||
                    range.high - least.high >= getAlign() ||
                    (least.low == part.low && least.high == part.high);
  return !looksAround && isMuchLess ? least : range;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

// Indices [low, high) of `value`.
static Value sliceOf(OpBuilder &builder, Value value, unsigned dim, int64_t low,
                     int64_t high) {
  Box box = Box::all(typeOf(value).getShape());
  box.offsets[dim] = low;
  box.sizes[dim] = high - low;
  return createSlice(builder, value.getLoc(), value, box);
}

static void setExtent(Operation *op, unsigned dim, int64_t extent) {
  RankedTensorType type = typeOf(op->getResult(0));
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  op->getResult(0).setType(type.clone(shape));
  if (auto slice = dyn_cast<SliceOp>(op))
    slice.setSizes(shape);
}

// `range` of an operand, from outside or of the part of one inside.
Value PartRun::partOf(OpBuilder &builder, Value whole, int value, Range range) {
  auto [it, isNew] = parts.try_emplace(value);
  Range own = scaled(ranges.lookup(value), value);
  if (isNew)
    it->second = sliceOf(builder, whole, dim, own.low, own.high);
  Range wanted = scaled(range, value);
  return sliceOf(builder, it->second, dim, wanted.low - own.low,
                 wanted.high - own.low);
}

void PartRun::createPart(OpBuilder &builder, Range part) {
  findNeeded(part);
  ranges.clear();
  parts.clear();
  for (int64_t at = first; at < end; ++at) {
    const TileNode &node = graph.nodes[at];
    const Maps &own = maps[at - first];
    if (!needed.contains(node.result))
      continue; // nobody uses it
    for (auto [operand, map] : llvm::zip_equal(node.operands, own))
      if (map.kind == CutMap::Along)
        ranges.try_emplace(operand.value, getNeeded(operand.value));
    Range range = ranges[node.result] = findRange(at, part);
    IRMapping mapping;
    size_t next = 0;
    for (Value operand : node.op->getOperands()) {
      if (operand.getDefiningOp<ConstantOp>())
        continue;
      if (own[next].kind == CutMap::Along)
        mapping.map(operand,
                    partOf(builder, operand, node.operands[next].value, range));
      ++next;
    }
    Operation *clone = builder.clone(*node.op, mapping);
    Range indices = scaled(range, node.result);
    setExtent(clone, dim, indices.high - indices.low);
    parts[node.result] = clone->getResult(0);
    if (leaves(node))
      leaving[node.op].push_back(
          partOf(builder, clone->getResult(0), node.result, part));
  }
}

void PartRun::split(int64_t wanted) {
  int64_t size = sizeOfPart(wanted);
  Operation *last = graph.nodes[end - 1].op;
  OpBuilder builder(last->getContext());
  builder.setInsertionPointAfter(last);
  for (int64_t low = 0; low < extent; low += size)
    createPart(builder, {low, std::min(extent, low + size)});
  for (auto &[op, values] : leaving) {
    Value whole = ConcatOp::create(builder, op->getLoc(),
                                   op->getResult(0).getType(), values, dim);
    op->getResult(0).replaceUsesWithIf(whole, [&](OpOperand &use) {
      return whole.getDefiningOp()->isBeforeInBlock(use.getOwner());
    });
  }
  for (int64_t at = end - 1; at >= first; --at)
    graph.nodes[at].op->erase();
}
