//===- ImportTensor.cpp - Ops of tensor that move data --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ane;

/// The result has the elements of the operand in the same order.
template <typename OpTy>
static LogicalResult importReshape(FunctionImporter &importer, OpTy op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(
      op->getResult(0),
      importer.reshape(op.getLoc(), *input,
                       cast<RankedTensorType>(op.getType()).getShape()));
  return success();
}

/// The numbers of a list that may be given by attributes or by values.
static FailureOr<SmallVector<int64_t>>
staticNumbers(Operation *op, ArrayRef<OpFoldResult> list, StringRef what) {
  SmallVector<int64_t> numbers;
  for (OpFoldResult entry : list) {
    std::optional<int64_t> number = getConstantIntValue(entry);
    if (!number)
      return op->emitOpError("has ")
             << what
             << " that are computed, but a program for the engine has "
                "fixed shapes";
    numbers.push_back(*number);
  }
  return numbers;
}

static LogicalResult importExtractSlice(FunctionImporter &importer,
                                        tensor::ExtractSliceOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  auto offsets = staticNumbers(op, op.getMixedOffsets(), "offsets");
  auto sizes = staticNumbers(op, op.getMixedSizes(), "sizes");
  auto strides = staticNumbers(op, op.getMixedStrides(), "strides");
  if (failed(input) || failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  Value slice =
      sliced(importer.builder, op.getLoc(), *input, *offsets, *sizes, *strides);
  importer.map(op,
               importer.reshape(op.getLoc(), slice, op.getType().getShape()));
  return success();
}

static LogicalResult importPad(FunctionImporter &importer, tensor::PadOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  auto low = staticNumbers(op, op.getMixedLowPad(), "paddings");
  auto high = staticNumbers(op, op.getMixedHighPad(), "paddings");
  if (failed(input) || failed(low) || failed(high))
    return failure();
  Value padding = op.getConstantPaddingValue();
  std::optional<double> value =
      padding ? FunctionImporter::splat(padding) : std::nullopt;
  if (!value)
    return op.emitOpError("pads with a value that is not a constant");
  importer.map(op, PadOp::create(importer.builder, op.getLoc(),
                                 withShape(input->getType(),
                                           op.getResultType().getShape()),
                                 *input, *low, *high,
                                 llvm::APFloat(static_cast<float>(*value))));
  return success();
}

static LogicalResult importConcat(FunctionImporter &importer,
                                  tensor::ConcatOp op) {
  SmallVector<Value> inputs;
  if (failed(importer.operands(op, inputs)))
    return failure();
  importer.unify(op.getLoc(), inputs);
  auto type = RankedTensorType::get(op.getResultType().getShape(),
                                    FunctionImporter::elementType(inputs));
  importer.map(op, ConcatOp::create(importer.builder, op.getLoc(), type, inputs,
                                    op.getDim()));
  return success();
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

namespace {
struct Box {
  SmallVector<int64_t> offsets, sizes;
  Value value;

  int64_t end(int64_t dim) const { return offsets[dim] + sizes[dim]; }
};

/// How many elements the boxes hold that were put into a tensor of which
/// nothing else is known, so far.
using Filled = DenseMap<Value, int64_t>;
} // namespace

/// What `op` inserts, and where; with gaps where it has strides.
static FailureOr<Box> boxOf(FunctionImporter &importer,
                            tensor::InsertSliceOp op) {
  FailureOr<Value> source = importer.operand(op, 0);
  auto offsets = staticNumbers(op, op.getMixedOffsets(), "offsets");
  auto sizes = staticNumbers(op, op.getMixedSizes(), "sizes");
  if (failed(source) || failed(offsets) || failed(sizes))
    return failure();
  return Box{*offsets, *sizes, importer.reshape(op.getLoc(), *source, *sizes)};
}

/// `value` with `gap` elements of a number after each along `dim`, but for the
/// last.
static Value spread(FunctionImporter &importer, Location loc, Value value,
                    int64_t dim, int64_t gap, double number) {
  SmallVector<int64_t> shape(shapeOf(value));
  int64_t count = shape[dim];
  int64_t front = ShapedType::getNumElements(ArrayRef(shape).take_front(dim));
  int64_t behind =
      ShapedType::getNumElements(ArrayRef(shape).drop_front(dim + 1));
  value = importer.reshape(loc, value, {front, count, 1, behind});
  value = PadOp::create(
      importer.builder, loc,
      withShape(value.getType(), {front, count, 1 + gap, behind}), value,
      ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{0, 0, gap, 0},
      llvm::APFloat(static_cast<float>(number)));
  shape[dim] = count * (1 + gap);
  value = importer.reshape(loc, value, shape);
  shape[dim] -= gap;
  SmallVector<int64_t> zeros(shape.size(), 0);
  return sliced(importer.builder, loc, value, zeros, shape);
}

/// A box in a tensor that holds one number: padding, also between its elements.
static LogicalResult importPadding(FunctionImporter &importer,
                                   tensor::InsertSliceOp op, const Box &box,
                                   ArrayRef<int64_t> strides, double number) {
  Location loc = op.getLoc();
  Value value = box.value;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (stride > 1 && box.sizes[dim] > 1)
      value = spread(importer, loc, value, dim, stride - 1, number);
  ArrayRef<int64_t> whole = op.getDestType().getShape();
  SmallVector<int64_t> high;
  for (auto [dim, size] : llvm::enumerate(whole))
    high.push_back(size - box.offsets[dim] - shapeOf(value)[dim]);
  if (shapeOf(value) != whole)
    value = PadOp::create(importer.builder, loc,
                          withShape(value.getType(), whole), value, box.offsets,
                          high, llvm::APFloat(static_cast<float>(number)));
  importer.map(op, value);
  return success();
}

/// The boxes that fill `whole`, without gaps and overlaps, as concats: they are
/// cut along a dimension wherever none of them reaches across, and then along
/// another one. Null if they are not such boxes.
static Value assemble(FunctionImporter &importer, Location loc,
                      MutableArrayRef<Box> boxes, const Box &whole,
                      int64_t depth = 0) {
  constexpr int64_t maxDepth = 64;
  if (boxes.size() == 1)
    return boxes[0].offsets == whole.offsets && boxes[0].sizes == whole.sizes
               ? boxes[0].value
               : Value();
  if (depth == maxDepth)
    return {};
  for (int64_t dim = 0, rank = whole.sizes.size(); dim != rank; ++dim) {
    llvm::sort(boxes, [&](const Box &a, const Box &b) {
      return a.offsets[dim] < b.offsets[dim];
    });
    SmallVector<size_t> cuts = {0};
    int64_t reached = boxes[0].end(dim);
    for (size_t i = 1; i < boxes.size(); ++i) {
      if (boxes[i].offsets[dim] >= reached)
        cuts.push_back(i);
      reached = std::max(reached, boxes[i].end(dim));
    }
    if (cuts.size() == 1)
      continue;
    cuts.push_back(boxes.size());
    SmallVector<Value> parts;
    Box part = whole;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      int64_t end = i + 2 < cuts.size() ? boxes[cuts[i + 1]].offsets[dim]
                                        : whole.end(dim);
      part.sizes[dim] = end - part.offsets[dim];
      Value value =
          assemble(importer, loc, boxes.slice(cuts[i], cuts[i + 1] - cuts[i]),
                   part, depth + 1);
      if (!value)
        return {};
      parts.push_back(value);
      part.offsets[dim] = end;
    }
    importer.unify(loc, parts);
    auto type = RankedTensorType::get(whole.sizes,
                                      FunctionImporter::elementType(parts));
    return ConcatOp::create(importer.builder, loc, type, parts, dim);
  }
  return {};
}

/// A box that is put into a tensor of which nothing is known but other boxes.
/// The last of them has the value; those before have none.
static LogicalResult importFilling(FunctionImporter &importer,
                                   tensor::InsertSliceOp op, const Box &box,
                                   Filled &filled) {
  Box whole{SmallVector<int64_t>(box.sizes.size(), 0),
            SmallVector<int64_t>(op.getDestType().getShape()), Value()};
  int64_t elements =
      ShapedType::getNumElements(box.sizes) + filled.lookup(op.getDest());
  auto isDest = [](OpOperand &use) {
    auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return next && next.getDest() == use.get() && next.getSource() != use.get();
  };
  if (elements < ShapedType::getNumElements(whole.sizes)) {
    if (!llvm::all_of(op->getUses(), isDest))
      return op.emitOpError(
          "writes to a slice of an uninitialised tensor; fill "
          "the tensor first");
    filled[op] = elements;
    return success();
  }
  SmallVector<Box> boxes = {box};
  for (auto prior = op.getDest().getDefiningOp<tensor::InsertSliceOp>(); prior;
       prior = prior.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    FailureOr<Box> other = boxOf(importer, prior);
    if (failed(other))
      return failure();
    boxes.push_back(*other);
  }
  Value value = assemble(importer, op.getLoc(), boxes, whole);
  if (!value)
    return op.emitOpError("is the last of ")
           << boxes.size()
           << " boxes that overlap or leave gaps in a tensor that holds "
              "nothing; fill it first, or cut it into boxes side by side";
  importer.map(op, value);
  return success();
}

/// A tensor with a box of it replaced: along each dimension in turn, what lies
/// before the box, the box, and what lies after it.
static Value replaceBox(FunctionImporter &importer, Location loc, Value before,
                        const Box &box) {
  SmallVector<int64_t> whole(shapeOf(before)), ones(whole.size(), 1);
  Value value = box.value;
  // Everything along the last dimensions; the box alone along the first ones.
  for (int64_t dim = whole.size() - 1; dim >= 0; --dim) {
    if (box.sizes[dim] == whole[dim])
      continue;
    SmallVector<Value> parts;
    auto add = [&](int64_t first, int64_t count) {
      if (count == 0)
        return;
      SmallVector<int64_t> at(box.offsets), extent(shapeOf(value));
      for (int64_t inner = dim + 1, e = whole.size(); inner != e; ++inner)
        at[inner] = 0;
      at[dim] = first, extent[dim] = count;
      parts.push_back(sliced(importer.builder, loc, before, at, extent));
    };
    add(0, box.offsets[dim]);
    parts.push_back(value);
    add(box.end(dim), whole[dim] - box.end(dim));
    importer.unify(loc, parts);
    SmallVector<int64_t> shape(shapeOf(value));
    shape[dim] = whole[dim];
    auto type =
        RankedTensorType::get(shape, FunctionImporter::elementType(parts));
    value = ConcatOp::create(importer.builder, loc, type, parts, dim);
  }
  return value;
}

static LogicalResult importInsertSlice(FunctionImporter &importer,
                                       tensor::InsertSliceOp op,
                                       Filled &filled) {
  FailureOr<Box> box = boxOf(importer, op);
  auto strides = staticNumbers(op, op.getMixedStrides(), "strides");
  if (failed(box) || failed(strides))
    return failure();
  if (std::optional<double> number = uniformValue(op.getDest()))
    return importPadding(importer, op, *box, *strides, *number);
  if (llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
    return op.emitOpError("has a stride other than 1, but elements with gaps "
                          "can only be inserted where one number is "
                          "everywhere; fill the destination");
  Value before = importer.lookup(op.getDest());
  if (!before && ArrayRef(box->sizes) != op.getDestType().getShape())
    return importFilling(importer, op, *box, filled);
  importer.map(op, before ? replaceBox(importer, op.getLoc(), before, *box)
                          : box->value);
  return success();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// One number everywhere.
static LogicalResult importSplat(FunctionImporter &importer,
                                 tensor::SplatOp op) {
  std::optional<double> number = FunctionImporter::splat(op.getInput());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!number || !type || !isa<FloatType>(type.getElementType()))
    return op.emitOpError("repeats a scalar that is not a constant float, but "
                          "the engine knows tensors only");
  importer.map(
      op, ConstantOp::create(
              importer.builder, op.getLoc(),
              DenseElementsAttr::get(type.clone(importer.builder.getF32Type()),
                                     static_cast<float>(*number))));
  return success();
}

void mlir::ane::addTensorImport(FunctionImporter &importer) {
  importer.add<tensor::CastOp>(importReshape<tensor::CastOp>);
  importer.add<tensor::CollapseShapeOp>(importReshape<tensor::CollapseShapeOp>);
  importer.add<tensor::ConcatOp>(importConcat);
  // A place to write to; it has no value.
  importer.add<tensor::EmptyOp>(
      [](FunctionImporter &, tensor::EmptyOp) { return success(); });
  importer.add<tensor::ExpandShapeOp>(importReshape<tensor::ExpandShapeOp>);
  importer.add<tensor::ExtractSliceOp>(importExtractSlice);
  importer.add<tensor::InsertSliceOp>(
      [filled = std::make_shared<Filled>()](FunctionImporter &importer,
                                            tensor::InsertSliceOp op) {
        return importInsertSlice(importer, op, *filled);
      });
  importer.add<tensor::PadOp>(importPad);
  importer.add<tensor::ReshapeOp>(importReshape<tensor::ReshapeOp>);
  importer.add<tensor::SplatOp>(importSplat);
}
