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
// Windows
//===----------------------------------------------------------------------===//

namespace {

/// The windows of one dimension of an image.
struct Windows {
  int64_t kernel, stride, dilation, before, extent; ///< extent of the input

  /// What results [offset, offset + size) see, and the padding around it.
  struct View {
    int64_t offset, size, before, behind;
  };
  View of(int64_t offset, int64_t size) const {
    int64_t first = offset * stride - before;
    int64_t end =
        (offset + size - 1) * stride - before + (kernel - 1) * dilation + 1;
    int64_t low = std::clamp<int64_t>(first, 0, extent);
    int64_t high = std::clamp<int64_t>(end, low, extent);
    return {low, high - low, low - first, end - high};
  }
};

} // namespace

// Dimension 0 is rows, 1 columns.
static Windows windowsOf(Operation *op, int64_t dim) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return {shapeOf(conv.getWeight())[2 + dim], conv.getStrides()[dim],
            conv.getDilations()[dim], conv.getPad()[2 * dim],
            shapeOf(conv.getInput())[2 + dim]};
  auto pool = cast<PoolOp>(op);
  return {pool.getKernel()[dim], pool.getStrides()[dim], 1,
          pool.getPad()[2 * dim], shapeOf(pool.getInput())[2 + dim]};
}

/// Whether `box` has all of dimension `dim` of `shape`.
static bool isWhole(const Box &box, ArrayRef<int64_t> shape, int64_t dim) {
  return box.offsets[dim] == 0 && box.sizes[dim] == shape[dim];
}

/// Rows and columns of the source of a convolution or pooling. What is not cut
/// stays as it is, also where the last window ends before the border. False
/// when a window would see padding alone.
static bool setWindows(Operation *op, const Box &box, Box &needed) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (int64_t dim : {2, 3}) {
    Windows windows = windowsOf(op, dim - 2);
    Windows::View view = windows.of(box.offsets[dim], box.sizes[dim]);
    bool isCut = !isWhole(box, shape, dim);
    needed.offsets[dim] = isCut ? view.offset : 0;
    needed.sizes[dim] = isCut ? view.size : windows.extent;
    if (view.size <= 0)
      return false;
  }
  return true;
}

static SmallVector<int64_t> padOf(Operation *op, ArrayRef<int64_t> whole,
                                  const Box &box) {
  SmallVector<int64_t> pad;
  for (int64_t dim : {0, 1}) {
    Windows::View view =
        windowsOf(op, dim).of(box.offsets[2 + dim], box.sizes[2 + dim]);
    if (isWhole(box, shapeOf(op->getResult(0)), 2 + dim))
      pad.append({whole[2 * dim], whole[2 * dim + 1]});
    else
      pad.append({view.before, view.behind});
  }
  return pad;
}

/// Output channels of a convolution that are cut: whole groups, or any where
/// there is one group. The input channels of these groups.
static std::optional<std::pair<int64_t, int64_t>>
inputChannels(ConvOp conv, int64_t offset, int64_t size) {
  int64_t in = shapeOf(conv.getInput())[1], groups = conv.getGroups();
  int64_t perGroup = shapeOf(conv.getResult())[1] / groups;
  if (groups == 1 || size == perGroup * groups)
    return std::pair(int64_t(0), in);
  if (offset % perGroup || size % perGroup)
    return std::nullopt;
  return std::pair(offset / perGroup * (in / groups),
                   size / perGroup * (in / groups));
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

static std::optional<Box> getConvBox(ConvOp conv, Value operand,
                                     const Box &box) {
  Box needed = Box::all(shapeOf(operand));
  bool isBanded = conv->hasAttr(ANEDialect::getBandedAttrName()) &&
                  !isWhole(box, shapeOf(conv.getResult()), 1);
  if (operand != conv.getInput()) { // weight, bias, scale: output channels
    needed.offsets[0] = box.offsets[1];
    needed.sizes[0] = box.sizes[1];
    if (isBanded && operand == conv.getWeight())
      std::tie(needed.offsets[1], needed.sizes[1]) =
          bandOf(conv, box.offsets[1], box.sizes[1]);
    return needed;
  }
  auto channels = inputChannels(conv, box.offsets[1], box.sizes[1]);
  if (!channels)
    return std::nullopt;
  needed.offsets[0] = box.offsets[0];
  needed.sizes[0] = box.sizes[0];
  std::tie(needed.offsets[1], needed.sizes[1]) =
      isBanded ? bandOf(conv, box.offsets[1], box.sizes[1]) : *channels;
  if (!setWindows(conv, box, needed))
    return std::nullopt;
  return needed;
}

/// Images and output channels: with several groups, whole ones.
static std::optional<Box> getConvTransposeBox(ConvTransposeOp conv,
                                              Value operand, const Box &box) {
  ArrayRef<int64_t> shape = shapeOf(conv.getResult());
  int64_t in = shapeOf(conv.getInput())[1], groups = conv.getGroups();
  int64_t perGroup = shape[1] / groups;
  bool isByGroup = groups > 1 && !isWhole(box, shape, 1);
  if (!isWhole(box, shape, 2) || !isWhole(box, shape, 3) ||
      (isByGroup && (box.offsets[1] % perGroup || box.sizes[1] % perGroup)))
    return std::nullopt;
  Box needed = Box::all(shapeOf(operand));
  bool isInput = operand == conv.getInput();
  if (isInput) {
    needed.offsets[0] = box.offsets[0];
    needed.sizes[0] = box.sizes[0];
  } else if (operand != conv.getWeight()) { // bias, scale
    needed.offsets[0] = box.offsets[1];
    needed.sizes[0] = box.sizes[1];
    return needed;
  } else if (groups == 1) {
    needed.offsets[1] = box.offsets[1];
    needed.sizes[1] = box.sizes[1];
  }
  if (isByGroup) { // input channels, of which the weight has its rows
    needed.offsets[isInput] = box.offsets[1] / perGroup * (in / groups);
    needed.sizes[isInput] = box.sizes[1] / perGroup * (in / groups);
  }
  return needed;
}

static std::optional<Box> getPoolBox(PoolOp pool, const Box &box) {
  Box needed = box;
  if (!setWindows(pool, box, needed))
    return std::nullopt;
  return needed;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// Element by element; a dimension of 1 is broadcast.
static Box getBroadcastBox(Value operand, const Box &box) {
  Box needed = box;
  for (auto [dim, size] : llvm::enumerate(shapeOf(operand)))
    if (size == 1) {
      needed.offsets[dim] = 0;
      needed.sizes[dim] = 1;
    }
  return needed;
}

/// Statistics over `axes` want these whole.
static std::optional<Box> getNormBox(Operation *op, unsigned index,
                                     ArrayRef<int64_t> axes, const Box &box) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  if (!llvm::all_of(axes,
                    [&](int64_t axis) { return isWhole(box, shape, axis); }))
    return std::nullopt;
  return index == 0 ? box : Box::all(shapeOf(op->getOperand(index)));
}

static Box getReduceBox(ReduceOp reduce, const Box &box) {
  Box needed = box;
  for (int64_t axis : reduce.getAxes()) {
    needed.offsets[axis] = 0;
    needed.sizes[axis] = shapeOf(reduce.getInput())[axis];
  }
  return needed;
}

static Box getMatmulBox(MatmulOp op, unsigned index, const Box &box) {
  Value operand = op->getOperand(index);
  ArrayRef<int64_t> shape = shapeOf(operand);
  int64_t rank = shape.size();
  Box needed = getBroadcastBox(operand, box);
  bool transposed = index == 0 ? op.getTransposeLhs() : op.getTransposeRhs();
  // The dimension that the result shares with the operand, and the other one.
  int64_t from = rank - 2 + index,
          shared = transposed ? rank - 1 - index : from;
  int64_t other = 2 * rank - 3 - shared;
  needed.offsets[shared] = box.offsets[from];
  needed.sizes[shared] = box.sizes[from];
  needed.offsets[other] = 0;
  needed.sizes[other] = shape[other];
  return needed;
}

/// All input channels; coefficients of the rows and of whole planes.
static std::optional<Box> getRuntimeConvBox(RuntimeConvOp op, unsigned index,
                                            const Box &box) {
  Box needed = Box::all(shapeOf(op->getOperand(index)));
  if (index == 0) {
    needed.offsets[2] = box.offsets[2];
    needed.sizes[2] = box.sizes[2];
    needed.offsets[3] = box.offsets[3];
    needed.sizes[3] = box.sizes[3];
    return needed;
  }
  int64_t lanes = op.getLanes();
  if (box.offsets[1] % lanes || box.sizes[1] % lanes)
    return std::nullopt;
  needed.offsets[1] = box.offsets[1] / lanes;
  needed.sizes[1] = box.sizes[1] / lanes;
  if (needed.sizes[2] != 1) {
    needed.offsets[2] = box.offsets[2];
    needed.sizes[2] = box.sizes[2];
  }
  return needed;
}

/// Whether a column of `value` is made of others of a source: some columns of
/// it would need a source from where the DMA may not address it.
static bool isMadeAcrossColumns(Value value, unsigned depth = 0) {
  constexpr unsigned maxDepth = 4;
  Operation *def = value.getDefiningOp();
  if (!def || depth == maxDepth)
    return false;
  if (isa<ConvOp, PoolOp>(def))
    return windowsOf(def, 1).kernel > 1;
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

static Box getSliceBox(SliceOp slice, const Box &box) {
  Box needed = box;
  for (size_t dim = 0; dim < box.sizes.size(); ++dim) {
    if (dim == 3 && cutsColumnsLast(slice, box)) {
      needed.sizes[dim] = shapeOf(slice.getInput())[dim];
      continue;
    }
    int64_t stride = slice.getStrides()[dim];
    needed.offsets[dim] = slice.getOffsets()[dim] + box.offsets[dim] * stride;
    needed.sizes[dim] = (box.sizes[dim] - 1) * stride + 1;
  }
  return needed;
}

/// A box that is cut along one dimension is, for each index of the dimensions
/// before it, one run of elements; where the other shape has a dimension with
/// the same elements before it, the run lies in some indices of that, of which
/// one makes several of ours or the other way round.
static std::optional<Box> getReshapeBox(ReshapeOp op, const Box &box) {
  ArrayRef<int64_t> from = shapeOf(op.getInput()), to = shapeOf(op.getResult());
  Box needed = Box::all(from);
  int64_t cut = -1;
  for (size_t dim = 0; dim < to.size(); ++dim) {
    if (isWhole(box, to, dim))
      continue;
    if (cut >= 0)
      return std::nullopt;
    cut = dim;
  }
  if (cut < 0)
    return needed;
  auto product = [](ArrayRef<int64_t> sizes) {
    return ShapedType::getNumElements(sizes);
  };
  int64_t before = product(to.take_front(cut));
  int64_t inner = product(to.drop_front(cut + 1));
  for (size_t dim = 0; dim < from.size(); ++dim) {
    int64_t each = product(from.drop_front(dim + 1));
    int64_t first = box.offsets[cut] * inner;
    int64_t end = first + box.sizes[cut] * inner;
    bool isWholeIndices = first % each == 0 && end % each == 0;
    if (from[dim] == 1 || product(from.take_front(dim)) != before ||
        (!isWholeIndices && each % inner))
      continue;
    needed.offsets[dim] = first / each;
    needed.sizes[dim] = llvm::divideCeil(end, each) - first / each;
    return needed;
  }
  return std::nullopt;
}

/// What of the input is inside; none when all of the box is border.
static std::optional<Box> getPadBox(PadOp pad, const Box &box) {
  Box needed = box;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(pad.getInput()))) {
    int64_t first = box.offsets[dim] - pad.getLow()[dim];
    needed.offsets[dim] = std::clamp<int64_t>(first, 0, extent);
    needed.sizes[dim] = std::clamp<int64_t>(first + box.sizes[dim], 0, extent) -
                        needed.offsets[dim];
    if (needed.sizes[dim] < 1)
      return std::nullopt;
  }
  return needed;
}

/// Whole copies, of what is copied.
static std::optional<Box> getTileBox(TileOp tile, const Box &box) {
  Box needed = box;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(tile.getInput()))) {
    if (tile.getRepeats()[dim] == 1)
      continue;
    if (box.offsets[dim] % extent || box.sizes[dim] % extent)
      return std::nullopt;
    needed.offsets[dim] = 0;
    needed.sizes[dim] = extent;
  }
  return needed;
}

/// Images and channels; rows and columns are sampled anywhere.
static std::optional<Box> getResizeBox(ResizeOp resize, const Box &box) {
  ArrayRef<int64_t> shape = shapeOf(resize.getResult());
  if (!isWhole(box, shape, 2) || !isWhole(box, shape, 3))
    return std::nullopt;
  Box needed = Box::all(shapeOf(resize.getInput()));
  for (int64_t dim : {0, 1}) {
    needed.offsets[dim] = box.offsets[dim];
    needed.sizes[dim] = box.sizes[dim];
  }
  return needed;
}

/// Columns come in groups of the factor, channels have a factor times as many.
static std::optional<Box> getInterleaveBox(InterleaveOp op, const Box &box) {
  int64_t factor = op.getFactor();
  if (box.offsets[3] % factor || box.sizes[3] % factor)
    return std::nullopt;
  Box needed = box;
  needed.offsets[3] /= factor;
  needed.sizes[3] /= factor;
  needed.offsets[1] *= factor;
  needed.sizes[1] *= factor;
  return needed;
}

/// What lies in an operand; nothing of it when the box is elsewhere.
static Box getConcatBox(ConcatOp concat, unsigned index, const Box &box) {
  int64_t axis = concat.getAxis(), start = 0;
  // A cut along another dimension: the operands before this one do not matter.
  if (box.offsets[axis] == 0 &&
      box.sizes[axis] == shapeOf(concat.getResult())[axis]) {
    Box needed = box;
    needed.sizes[axis] = shapeOf(concat.getInputs()[index])[axis];
    return needed;
  }
  // All of thousands are asked one after the other, and most have one type: to
  // compare that is quicker than to ask it.
  Type type;
  int64_t extent = 0;
  for (Value input : concat.getInputs().take_front(index + 1)) {
    start += extent;
    if (input.getType() != type) {
      type = input.getType();
      extent = shapeOf(input)[axis];
    }
  }
  int64_t low = std::clamp<int64_t>(box.offsets[axis] - start, 0, extent);
  int64_t high = std::clamp<int64_t>(
      box.offsets[axis] + box.sizes[axis] - start, low, extent);
  Box needed = box;
  needed.offsets[axis] = low;
  needed.sizes[axis] = high - low;
  return needed;
}

int64_t mlir::ane::getCutUnit(Operation *op, int64_t dim) {
  auto perGroup = [&](auto conv) {
    return dim == 1 ? shapeOf(conv.getResult())[1] / int64_t(conv.getGroups())
                    : 1;
  };
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<ConvOp, ConvTransposeOp>(
          [&](auto conv) { return conv.getGroups() > 1 ? perGroup(conv) : 1; })
      .Case([&](RuntimeConvOp conv) {
        return dim == 1 ? int64_t(conv.getLanes()) : 1;
      })
      .Case([&](TileOp tile) {
        return tile.getRepeats()[dim] > 1 ? shapeOf(tile.getInput())[dim] : 1;
      })
      .Case([&](InterleaveOp op) {
        return dim == 3 ? int64_t(op.getFactor()) : 1;
      })
      .Default([](Operation *) { return 1; });
}

std::optional<Box> mlir::ane::getOperandBox(Operation *op, unsigned index,
                                            const Box &box) {
  Value operand = op->getOperand(index);
  using Result = std::optional<Box>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](ConvOp conv) { return getConvBox(conv, operand, box); })
      .Case([&](ConvTransposeOp conv) {
        return getConvTransposeBox(conv, operand, box);
      })
      .Case([&](PoolOp pool) { return getPoolBox(pool, box); })
      .Case([&](MatmulOp op) { return Result(getMatmulBox(op, index, box)); })
      .Case([&](RuntimeConvOp op) { return getRuntimeConvBox(op, index, box); })
      .Case<ElementwiseOp, CompareOp, SelectOp, ActivationOp>(
          [&](auto) { return Result(getBroadcastBox(operand, box)); })
      .Case([&](CastOp cast) -> Result {
        // The host casts a whole tensor at the border of the function.
        if (isHostElement(operand.getType()) || isHostElement(cast.getType()))
          return std::nullopt;
        return getBroadcastBox(operand, box);
      })
      .Case([&](SoftmaxOp op) {
        return getNormBox(op, index, {int64_t(op.getAxis())}, box);
      })
      .Case<LayerNormOp, RmsNormOp>(
          [&](auto op) { return getNormBox(op, index, op.getAxes(), box); })
      .Case([&](ReduceOp op) { return Result(getReduceBox(op, box)); })
      .Case([&](TransposeOp op) {
        Box needed = box;
        for (auto [to, from] : llvm::enumerate(op.getPerm())) {
          needed.offsets[from] = box.offsets[to];
          needed.sizes[from] = box.sizes[to];
        }
        return Result(needed);
      })
      .Case([&](SliceOp op) { return Result(getSliceBox(op, box)); })
      .Case([&](ReshapeOp op) { return getReshapeBox(op, box); })
      .Case([&](PadOp op) { return getPadBox(op, box); })
      .Case([&](TileOp op) { return getTileBox(op, box); })
      .Case([&](ResizeOp op) { return getResizeBox(op, box); })
      .Case([&](InterleaveOp op) { return getInterleaveBox(op, box); })
      .Case([&](ConcatOp op) { return Result(getConcatBox(op, index, box)); })
      .Default([](Operation *) { return std::nullopt; });
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

/// The operand may have more than the box, see getReshapeBox().
static Value createReshapePart(OpBuilder &builder, ReshapeOp op, Value operand,
                               const Box &box) {
  ArrayRef<int64_t> to = shapeOf(op.getResult());
  int64_t spare = ShapedType::getNumElements(shapeOf(operand)) -
                  ShapedType::getNumElements(box.sizes);
  Box inside = box, whole = box;
  for (size_t dim = 0; dim < to.size() && spare; ++dim)
    if (!isWhole(box, to, dim)) {
      int64_t rest = ShapedType::getNumElements(box.sizes) / box.sizes[dim];
      int64_t size = ShapedType::getNumElements(shapeOf(operand)) / rest;
      std::optional<Box> source = getReshapeBox(op, box);
      // The first index of ours that the operand has.
      int64_t low = box.offsets[dim];
      while (low > 0 && [&] {
        Box one = box;
        one.offsets[dim] = low - 1;
        one.sizes[dim] = box.offsets[dim] + box.sizes[dim] - low + 1;
        return getReshapeBox(op, one) == source;
      }())
        --low;
      whole.sizes[dim] = size;
      inside.offsets[dim] = box.offsets[dim] - low;
      spare = 0;
    }
  Value part = ReshapeOp::create(
      builder, op.getLoc(),
      RankedTensorType::get(whole.sizes, getElementTypeOrSelf(op.getType())),
      operand);
  if (whole.sizes == box.sizes)
    return part;
  return createSlice(builder, op.getLoc(), part, inside);
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
        for (size_t dim = 0; dim < low.size(); ++dim) {
          int64_t end = box.offsets[dim] + box.sizes[dim];
          int64_t border = whole[dim] - high[dim];
          low[dim] = std::max<int64_t>(0, low[dim] - box.offsets[dim]);
          high[dim] = std::max<int64_t>(0, end - border);
        }
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
