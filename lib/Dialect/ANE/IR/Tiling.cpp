//===- Tiling.cpp - What a part of a result needs -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are those of the ops' definitions. A window that reaches over the
// border of the image needs fewer rows and keeps that much of its padding; all
// other parts have none.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/Tiling.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Strips by hand
//===----------------------------------------------------------------------===//

static int64_t countWith(Operation *op, StringRef name) {
  int64_t count = 0;
  op->walk([&](Operation *inner) { count += inner->hasAttr(name); });
  return count;
}

int64_t mlir::ane::countTiles(Operation *op) {
  return countWith(op, ANEDialect::getTileAttrName());
}

int64_t mlir::ane::countHolds(Operation *op) {
  return countWith(op, ANEDialect::getHoldAttrName());
}

void mlir::ane::setPlanned(Operation *function) {
  auto set = [&](StringRef name, int64_t count) {
    if (count)
      function->setAttr(
          name, Builder(function->getContext()).getI64IntegerAttr(count));
    else
      function->removeAttr(name);
  };
  set(ANEDialect::getPlannedAttrName(), countTiles(function));
  set(ANEDialect::getHeldAttrName(), countHolds(function));
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Whether `box` has all of dimension `dim` of `shape`.
static bool isWhole(const Box &box, ArrayRef<int64_t> shape, int64_t dim) {
  return box.offsets[dim] == 0 && box.sizes[dim] == shape[dim];
}

/// The bytes of a constant; none of a splat or of what is no constant.
static ArrayRef<char> dataOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return dense.isSplat() ? ArrayRef<char>() : dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  const AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

/// Input channels without those in front of and after which the weight has
/// nothing but zeros for these output channels: at least one, the first and
/// their number.
static std::pair<int64_t, int64_t> bandOf(ConvOp conv, int64_t offset,
                                          int64_t size) {
  ArrayRef<int64_t> shape = shapeOf(conv.getWeight());
  ArrayRef<char> bytes = dataOf(conv.getWeight());
  int64_t outputs = shape[0], inputs = shape[1];
  int64_t channel = bytes.size() / (outputs * inputs);
  if (!channel || offset + size > outputs)
    return {0, inputs};
  auto isZero = [&](int64_t output, int64_t input) {
    return llvm::all_of(
        bytes.slice((output * inputs + input) * channel, channel),
        [](char byte) { return byte == 0; });
  };
  int64_t first = inputs, end = 0;
  for (int64_t output = offset; output != offset + size; ++output) {
    int64_t low = 0, high = inputs;
    while (low < first && isZero(output, low))
      ++low;
    while (high > end && isZero(output, high - 1))
      --high;
    first = std::min(first, low);
    end = std::max(end, high);
  }
  return first < end ? std::pair(first, end - first)
                     : std::pair(int64_t(0), int64_t(1));
}

DimMap mlir::ane::getBandMap(ConvOp conv) {
  ArrayRef<int64_t> shape = shapeOf(conv.getWeight());
  int64_t common = std::gcd(shape[0], shape[1]);
  int64_t unit = shape[0] / common, stride = shape[1] / common;
  int64_t before = -shape[1], behind = -shape[1];
  for (int64_t block = 0; block < common; ++block) {
    auto [low, size] = bandOf(conv, block * unit, unit);
    before = std::max(before, block * stride - low);
    behind = std::max(behind, low + size - block * stride);
  }
  DimMap map = DimMap::window(1, before + behind, stride, 1, before);
  map.unit = unit;
  map.mayCutBlocks = true;
  return map;
}

/// Whether a column of `value` is made of others of a source: some columns of
/// it would need a source from where the DMA may not address it.
static bool isMadeAcrossColumns(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 4;
  Operation *def = value.getDefiningOp();
  if (!def || depth == maxDepth)
    return false;
  if (isa<ConvOp, PoolOp>(def))
    return getDimMap(def, 0, 3).kernel > 1;
  return isa<ActivationOp, ElementwiseOp>(def) &&
         llvm::any_of(def->getOperands(), [&](Value operand) {
           return isMadeAcrossColumns(operand, depth + 1);
         });
}

/// Whether a part of a slice takes its columns of all columns.
static bool cutsColumnsLast(SliceOp slice, const Box &box) {
  ArrayRef<int64_t> shape = shapeOf(slice.getResult());
  return shape.size() == 4 && isWhole(box, shape, 3) &&
         slice.getOffsets()[3] != 0 && isMadeAcrossColumns(slice.getInput());
}

/// What the zeros of a weight and the reach of the DMA say besides the maps.
static void refineBox(Operation *op, unsigned index, const Box &box,
                      Box &needed) {
  auto conv = dyn_cast<ConvOp>(op);
  if (conv && index < 2 && conv->hasAttr(ANEDialect::getBandedAttrName()) &&
      !isWhole(box, shapeOf(conv.getResult()), 1))
    std::tie(needed.offsets[1], needed.sizes[1]) =
        bandOf(conv, box.offsets[1], box.sizes[1]);
  auto slice = dyn_cast<SliceOp>(op);
  if (slice && cutsColumnsLast(slice, box)) {
    needed.offsets[3] = 0;
    needed.sizes[3] = shapeOf(slice.getInput())[3];
  }
}

std::optional<Box> mlir::ane::getOperandBox(Operation *op, unsigned index,
                                            const Box &box) {
  if (!isa<DimMapOpInterface>(op))
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  Box needed = Box::all(shapeOf(op->getOperand(index)));
  unsigned cuts = 0;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim) {
    // All of the result needs all of the operand, but for a slice.
    bool isCut = !isWhole(box, shape, dim);
    if (!isCut && !isa<SliceOp>(op))
      continue;
    DimMap map = getDimMap(op, index, dim);
    int64_t extent = map.dim < 0 ? 0 : needed.sizes[map.dim];
    auto part = map.getPart(box.offsets[dim], box.sizes[dim], extent);
    cuts += isCut;
    if (!part || (cuts > 1 && isa<ReshapeOp>(op)))
      return std::nullopt;
    if (map.dim < 0)
      continue;
    needed.offsets[map.dim] = part->offset;
    needed.sizes[map.dim] = part->size;
  }
  refineBox(op, index, box, needed);
  return needed;
}

int64_t mlir::ane::getCutUnit(Operation *op, int64_t dim) {
  int64_t unit = 1;
  for (unsigned index = 0; index < op->getNumOperands(); ++index)
    unit = std::lcm(unit, getDimMap(op, index, dim).getCutUnit());
  return unit;
}

Value mlir::ane::createSlice(OpBuilder &builder, Location loc, Value value,
                             const Box &box) {
  auto type = cast<RankedTensorType>(value.getType());
  if (box == Box::all(type.getShape()))
    return value;
  return SliceOp::create(
      builder, loc, RankedTensorType::get(box.sizes, type.getElementType()),
      value, box.offsets, box.sizes, SmallVector<int64_t>(box.sizes.size(), 1));
}

/// Operands of which nothing is needed are null.
static Value createConcatPart(OpBuilder &builder, ConcatOp concat,
                              ValueRange operands) {
  SmallVector<Value> parts;
  llvm::copy_if(operands, std::back_inserter(parts),
                [](Value part) { return bool(part); });
  if (parts.size() == 1)
    return parts[0];
  return ConcatOp::create(builder, concat.getLoc(), parts, concat.getAxis());
}

Box mlir::ane::getComputedBox(Operation *op, const Box &box) {
  Box whole = box;
  if (!isa<ReshapeOp>(op))
    return whole;
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0)))) {
    int64_t unit = getDimMap(op, 0, dim).unit;
    if (isWhole(box, shapeOf(op->getResult(0)), dim))
      continue;
    int64_t begin = box.offsets[dim] / unit * unit;
    int64_t end = llvm::alignTo(box.offsets[dim] + box.sizes[dim], unit);
    whole.offsets[dim] = begin;
    whole.sizes[dim] = end - begin;
  }
  return whole;
}

/// The operand has whole blocks, of which the box may have a part.
static Value createReshapePart(OpBuilder &builder, ReshapeOp op, Value operand,
                               const Box &box) {
  Box whole = getComputedBox(op, box), inside = box;
  for (auto [offset, begin] : llvm::zip_equal(inside.offsets, whole.offsets))
    offset -= begin;
  Value part = ReshapeOp::create(
      builder, op.getLoc(),
      RankedTensorType::get(whole.sizes, getElementTypeOrSelf(op.getType())),
      operand);
  return createSlice(builder, op.getLoc(), part, inside);
}

/// What of the padding in front of and after the first operand a part has. What
/// is not cut keeps all, also where the last window ends before the border.
static std::pair<int64_t, int64_t> paddingOf(Operation *op, int64_t dim,
                                             const Box &box, int64_t low,
                                             int64_t high) {
  if (isWhole(box, shapeOf(op->getResult(0)), dim))
    return {low, high};
  DimMap map = getDimMap(op, 0, dim);
  auto part = map.getPart(box.offsets[dim], box.sizes[dim],
                          shapeOf(op->getOperand(0))[map.dim]);
  return {part->before, part->behind};
}

/// Of a convolution or pooling.
static SmallVector<int64_t> padOf(Operation *op, ArrayRef<int64_t> whole,
                                  const Box &box) {
  auto [top, bottom] = paddingOf(op, 2, box, whole[0], whole[1]);
  auto [left, right] = paddingOf(op, 3, box, whole[2], whole[3]);
  return {top, bottom, left, right};
}

/// Attributes that depend on which part it is.
static void setPartAttributes(Operation *op, Operation *part, const Box &box) {
  ArrayRef<int64_t> whole = shapeOf(op->getResult(0));
  TypeSwitch<Operation *>(part)
      .Case([&](ConvOp conv) {
        conv.setPad(padOf(op, cast<ConvOp>(op).getPad(), box));
        if (int64_t groups = conv.getGroups(); groups > 1)
          conv.setGroups(groups * box.sizes[1] / whole[1]);
      })
      .Case([&](ConvTransposeOp conv) {
        if (int64_t groups = conv.getGroups(); groups > 1)
          conv.setGroups(groups * box.sizes[1] / whole[1]);
      })
      .Case([&](PoolOp pool) {
        pool.setPad(padOf(op, cast<PoolOp>(op).getPad(), box));
      })
      .Case([&](PadOp pad) {
        SmallVector<int64_t> low(pad.getLow()), high(pad.getHigh());
        for (size_t dim = 0; dim < low.size(); ++dim)
          std::tie(low[dim], high[dim]) =
              paddingOf(op, dim, box, low[dim], high[dim]);
        pad.setLow(low);
        pad.setHigh(high);
      })
      .Case([&](TileOp tile) {
        SmallVector<int64_t> repeats(tile.getRepeats());
        for (auto [dim, extent] : llvm::enumerate(shapeOf(tile.getInput())))
          repeats[dim] = box.sizes[dim] / extent;
        tile.setRepeats(repeats);
      })
      .Case([&](SliceOp slice) {
        SmallVector<int64_t> offsets(box.sizes.size(), 0);
        if (cutsColumnsLast(cast<SliceOp>(op), box))
          offsets[3] = cast<SliceOp>(op).getOffsets()[3];
        slice.setOffsets(offsets);
        slice.setSizes(box.sizes);
      });
}

Value mlir::ane::createPart(OpBuilder &builder, Operation *op,
                            ValueRange operands, const Box &box) {
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return createReshapePart(builder, reshape, operands[0], box);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return createConcatPart(builder, concat, operands);
  IRMapping mapping;
  for (auto [old, value] : llvm::zip(op->getOperands(), operands))
    mapping.map(old, value);
  Operation *part = builder.clone(*op, mapping);
  // One value may be two operands that are cut differently.
  part->setOperands(operands);
  part->getResult(0).setType(RankedTensorType::get(
      box.sizes, getElementTypeOrSelf(op->getResult(0).getType())));
  setPartAttributes(op, part, box);
  return part->getResult(0);
}

/// The boxes of all operands; none where the op cannot be cut like that.
static std::optional<SmallVector<Box>> getOperandBoxes(Operation *op,
                                                       const Box &box) {
  SmallVector<Box> boxes;
  for (unsigned index = 0; index < op->getNumOperands(); ++index) {
    std::optional<Box> needed = getOperandBox(op, index, box);
    if (!needed)
      return std::nullopt;
    boxes.push_back(*needed);
  }
  return boxes;
}

Value mlir::ane::createPart(
    OpBuilder &builder, Operation *op, const Box &box,
    llvm::function_ref<Value(OpOperand &, const Box &)> slice) {
  std::optional<SmallVector<Box>> boxes = getOperandBoxes(op, box);
  if (!boxes)
    return {};
  SmallVector<Value> operands;
  for (auto [operand, needed] : llvm::zip_equal(op->getOpOperands(), *boxes))
    operands.push_back(needed.isEmpty() ? Value() : slice(operand, needed));
  return createPart(builder, op, operands, box);
}

SmallVector<Box> mlir::ane::boxesAlong(ArrayRef<int64_t> shape, int64_t dim,
                                       int64_t size) {
  SmallVector<Box> boxes;
  size = std::max<int64_t>(size, 1); // more parts than asked for, but an end
  for (int64_t first = 0; first < shape[dim]; first += size) {
    Box &box = boxes.emplace_back(Box::all(shape));
    box.offsets[dim] = first;
    box.sizes[dim] = std::min(size, shape[dim] - first);
  }
  return boxes;
}

Value mlir::ane::createCut(OpBuilder &builder, Operation *op, int64_t dim,
                           int64_t size) {
  SmallVector<Box> boxes = boxesAlong(shapeOf(op->getResult(0)), dim, size);
  if (!llvm::all_of(boxes, [&](const Box &box) {
        return getOperandBoxes(op, box).has_value();
      }))
    return {};
  SmallVector<Value> parts;
  for (const Box &box : boxes)
    parts.push_back(createPart(
        builder, op, box, [&](OpOperand &operand, const Box &needed) {
          return createSlice(builder, op->getLoc(), operand.get(), needed);
        }));
  return parts.size() == 1
             ? parts.front()
             : ConcatOp::create(builder, op->getLoc(),
                                op->getResult(0).getType(), parts, dim);
}

LogicalResult mlir::ane::replaceByCut(PatternRewriter &rewriter, Operation *op,
                                      int64_t dim, int64_t size) {
  Value cut = createCut(rewriter, op, dim, size);
  if (!cut)
    return rewriter.notifyMatchFailure(op, "is not cut along this dimension");
  rewriter.replaceOp(op, cut);
  return success();
}
