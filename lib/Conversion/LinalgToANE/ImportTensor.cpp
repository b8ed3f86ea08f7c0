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
  Value slice = SliceOp::create(importer.builder, op.getLoc(),
                                withShape(input->getType(), *sizes), *input,
                                *offsets, *sizes, *strides);
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

/// A tensor with a box of it replaced: along each dimension in turn, what lies
/// before the box, the box, and what lies behind it.
static LogicalResult importInsertSlice(FunctionImporter &importer,
                                       tensor::InsertSliceOp op) {
  FailureOr<Value> source = importer.operand(op, 0);
  auto offsets = staticNumbers(op, op.getMixedOffsets(), "offsets");
  auto sizes = staticNumbers(op, op.getMixedSizes(), "sizes");
  auto strides = staticNumbers(op, op.getMixedStrides(), "strides");
  if (failed(source) || failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  if (llvm::any_of(*strides, [](int64_t stride) { return stride != 1; }))
    return op.emitOpError("has a stride other than 1, but only boxes without "
                          "gaps can be imported");
  ArrayRef<int64_t> whole = op.getDestType().getShape();
  Location loc = op.getLoc();
  Value box = importer.reshape(loc, *source, *sizes);
  Value before = importer.lookup(op.getDest());
  bool isAll = llvm::equal(*sizes, whole);
  if (!before && !isAll)
    return op.emitOpError("writes to a part of a tensor that holds nothing; "
                          "fill it first");
  // Everything along the last dimensions; the box alone along the first ones.
  for (int64_t dim = whole.size() - 1; dim >= 0; --dim) {
    if ((*sizes)[dim] == whole[dim])
      continue;
    SmallVector<Value> parts;
    auto add = [&](int64_t first, int64_t count) {
      if (count == 0)
        return;
      SmallVector<int64_t> at(*offsets), extent(shapeOf(box));
      for (int64_t inner = dim + 1, e = whole.size(); inner != e; ++inner)
        at[inner] = 0;
      at[dim] = first, extent[dim] = count;
      SmallVector<int64_t> ones(whole.size(), 1);
      parts.push_back(SliceOp::create(importer.builder, loc,
                                      withShape(before.getType(), extent),
                                      before, at, extent, ones));
    };
    int64_t first = (*offsets)[dim], end = first + (*sizes)[dim];
    add(0, first);
    parts.push_back(box);
    add(end, whole[dim] - end);
    importer.unify(loc, parts);
    SmallVector<int64_t> shape(shapeOf(box));
    shape[dim] = whole[dim];
    auto type =
        RankedTensorType::get(shape, FunctionImporter::elementType(parts));
    box = ConcatOp::create(importer.builder, loc, type, parts, dim);
  }
  importer.map(op, box);
  return success();
}

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
  importer.add<tensor::InsertSliceOp>(importInsertSlice);
  importer.add<tensor::PadOp>(importPad);
  importer.add<tensor::ReshapeOp>(importReshape<tensor::ReshapeOp>);
  importer.add<tensor::SplatOp>(importSplat);
}
