//===- ImportShapes.cpp - StableHLO ops that move data --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

#include "ane/Dialect/ANE/Utils/Search.h"

using namespace mlir;
using namespace mlir::ane;
using stablehlo::numbersOf;

Value mlir::ane::expand(FunctionImporter &importer, Location loc, Value value,
                        ArrayRef<int64_t> dims, int64_t rank) {
  // The dimensions may come in another order.
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  value = importer.transpose(loc, value, order);
  SmallVector<int64_t> shape(rank, 1);
  for (auto [i, size] : llvm::enumerate(shapeOf(value)))
    shape[dims[order[i]]] = size;
  return importer.reshape(loc, value, shape);
}

Value mlir::ane::repeatTo(FunctionImporter &importer, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  SmallVector<int64_t> repeats;
  for (auto [from, to] : llvm::zip_equal(shapeOf(value), shape))
    repeats.push_back(from == to ? 1 : to);
  if (llvm::all_equal(repeats) && (repeats.empty() || repeats.front() == 1))
    return value;
  return TileOp::create(importer.builder, loc,
                        withShape(value.getType(), shape), value, repeats);
}

static ArrayRef<int64_t> resultShape(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType()).getShape();
}

static LogicalResult importBroadcast(FunctionImporter &importer,
                                     stablehlo::BroadcastInDimOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  ArrayRef<int64_t> shape = resultShape(op);
  Value value = expand(importer, op.getLoc(), *input,
                       numbersOf(op.getBroadcastDimensions()), shape.size());
  importer.map(op, repeatTo(importer, op.getLoc(), value, shape));
  return success();
}

static LogicalResult importReshape(FunctionImporter &importer,
                                   stablehlo::ReshapeOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, importer.reshape(op.getLoc(), *input, resultShape(op)));
  return success();
}

static LogicalResult importTranspose(FunctionImporter &importer,
                                     stablehlo::TransposeOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, importer.transpose(op.getLoc(), *input,
                                      numbersOf(op.getPermutation())));
  return success();
}

static LogicalResult importSlice(FunctionImporter &importer,
                                 stablehlo::SliceOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, sliced(importer.builder, op.getLoc(), *input,
                          numbersOf(op.getStartIndices()), resultShape(op),
                          numbersOf(op.getStrides())));
  return success();
}

static LogicalResult importConcatenate(FunctionImporter &importer,
                                       stablehlo::ConcatenateOp op) {
  SmallVector<Value> inputs;
  if (failed(importer.operands(op, inputs)))
    return failure();
  importer.unify(op.getLoc(), inputs);
  auto type = withShape(inputs[0].getType(), resultShape(op));
  importer.map(op, ConcatOp::create(importer.builder, op.getLoc(), type, inputs,
                                    op.getDimension()));
  return success();
}

static LogicalResult importPad(FunctionImporter &importer,
                               stablehlo::PadOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  std::optional<double> number = FunctionImporter::splat(op.getPaddingValue());
  if (!number)
    return op.emitOpError("has a padding value that is not a constant; "
                          "concatenate it");
  for (auto [dim, interior] :
       llvm::enumerate(numbersOf(op.getInteriorPadding())))
    if (interior != 0 && shapeOf(*input)[dim] > 1)
      return op.emitOpError("puts ")
             << interior << " numbers between the elements of dimension " << dim
             << ", which the engine does in a convolution only (lhs_dilate)";
  // Negative padding takes elements away.
  SmallVector<int64_t> low, high, offsets, sizes;
  for (auto [size, before, after] :
       llvm::zip_equal(shapeOf(*input), numbersOf(op.getEdgePaddingLow()),
                       numbersOf(op.getEdgePaddingHigh()))) {
    low.push_back(std::max<int64_t>(before, 0));
    high.push_back(std::max<int64_t>(after, 0));
    offsets.push_back(std::max<int64_t>(-before, 0));
    sizes.push_back(size - offsets.back() - std::max<int64_t>(-after, 0));
    if (sizes.back() < 1)
      return op.emitOpError("leaves nothing of ")
             << size << " elements; fill a constant instead";
  }
  Value value = sliced(importer.builder, op.getLoc(), *input, offsets, sizes);
  if (ArrayRef<int64_t>(sizes) != resultShape(op))
    value = PadOp::create(importer.builder, op.getLoc(),
                          withShape(value.getType(), resultShape(op)), value,
                          low, high, llvm::APFloat(float(*number)));
  importer.map(op, value);
  return success();
}

static LogicalResult importReverse(FunctionImporter &importer,
                                   stablehlo::ReverseOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Value value = *input;
  for (int64_t dim : numbersOf(op.getDimensions()))
    value = reversed(importer.builder, op.getLoc(), value, dim);
  importer.map(op, value);
  return success();
}

/// Whole numbers that are known, as floats.
static LogicalResult importIota(FunctionImporter &importer,
                                stablehlo::IotaOp op) {
  ArrayRef<int64_t> shape = resultShape(op);
  int64_t dim = op.getIotaDimension();
  constexpr int64_t most = 1 << 24; // f32 has all whole numbers below
  if (shape[dim] > most)
    return op.emitOpError("counts to ")
           << shape[dim] << ", but at most " << most << " can be imported";
  Value row =
      createRow(importer.builder, op.getLoc(), shape.size(), dim, shape[dim]);
  row = importer.castTo(op.getLoc(), row, importer.builder.getF32Type());
  importer.map(op, repeatTo(importer, op.getLoc(), row, shape));
  return success();
}

void mlir::ane::addStableHLOShapeImport(FunctionImporter &importer) {
  importer.add<stablehlo::BroadcastInDimOp>(importBroadcast);
  importer.add<stablehlo::ConcatenateOp>(importConcatenate);
  importer.add<stablehlo::IotaOp>(importIota);
  importer.add<stablehlo::PadOp>(importPad);
  importer.add<stablehlo::ReshapeOp>(importReshape);
  importer.add<stablehlo::ReverseOp>(importReverse);
  importer.add<stablehlo::SliceOp>(importSlice);
  importer.add<stablehlo::TransposeOp>(importTranspose);
}
