//===- ImportTransforms.cpp - TOSA ops that become products ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fourier transforms are products with known matrices, one for the columns and
// one for the rows. Real and imaginary parts stand side by side, so that each
// is one product:
//
//   [P Q] = [a b] [C -S]      [Re]   [ C S] [P]
//                 [S  C]      [Im] = [-S C] [Q]
//
// A scatter chooses rows of what was there and of what comes.
//
//===----------------------------------------------------------------------===//

#include "ImportTosa.h"

#include "ane/Conversion/TosaToANE/TosaToANE.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

namespace {
/// A transform along one dimension, of `size` numbers to the first `count`.
struct Fourier {
  int64_t size, count;
  double sign; // -1 where it goes back
  float at(int64_t from, int64_t to, bool isSine) const {
    double angle = 2 * M_PI * double(from * to % size) / double(size);
    return static_cast<float>(isSine ? sign * std::sin(angle)
                                     : std::cos(angle));
  }
};
} // namespace

static Value matrixOf(FunctionImporter &importer, Location loc, int64_t rows,
                      int64_t columns,
                      function_ref<float(int64_t, int64_t)> element) {
  std::vector<float> factors;
  factors.reserve(rows * columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      factors.push_back(element(row, column));
  auto type =
      RankedTensorType::get({1, rows, columns}, importer.builder.getF32Type());
  return ConstantOp::create(
      importer.builder, loc,
      DenseElementsAttr::get(type, ArrayRef<float>(factors)));
}

static Value multiply(FunctionImporter &importer, Location loc, Value lhs,
                      Value rhs) {
  SmallVector<int64_t> shape = {std::max(shapeOf(lhs)[0], shapeOf(rhs)[0]),
                                shapeOf(lhs)[1], shapeOf(rhs)[2]};
  auto type =
      RankedTensorType::get(shape, FunctionImporter::elementType({lhs, rhs}));
  return MatmulOp::create(importer.builder, loc, type, lhs, rhs,
                          /*transpose_lhs=*/false, /*transpose_rhs=*/false,
                          ActivationAttr());
}

static Value concat(FunctionImporter &importer, Location loc, Value first,
                    Value second, int64_t axis) {
  SmallVector<Value> parts = {first, second};
  importer.unify(loc, parts);
  SmallVector<int64_t> shape(shapeOf(first));
  shape[axis] += shapeOf(second)[axis];
  return ConcatOp::create(importer.builder, loc,
                          withShape(parts[0].getType(), shape), parts, axis);
}

/// The transform of `real` and `imaginary`, which may be null: N x H x W.
static LogicalResult transform(FunctionImporter &importer, Operation *op,
                               Value real, Value imaginary, bool isInverse) {
  constexpr int64_t maxFactors = int64_t(1) << 25;
  Location loc = op->getLoc();
  double sign = isInverse ? -1 : 1;
  int64_t height = shapeOf(real)[1], width = shapeOf(real)[2];
  int64_t count = shapeOf(op->getResult(0))[2];
  if (height > maxFactors / 4 / height || width > maxFactors / 4 / width)
    return op->emitOpError("transforms ")
           << height << " x " << width
           << " numbers, which needs matrices of more than " << maxFactors
           << " factors; transform on the host";
  Fourier columns{width, count, sign}, rows{height, height, sign};
  Value x =
      imaginary ? concat(importer, loc, real, imaginary, /*axis=*/2) : real;
  Value both = multiply(importer, loc, x,
                        matrixOf(importer, loc, shapeOf(x)[2], 2 * count,
                                 [&](int64_t from, int64_t to) {
                                   bool isB = from >= width, isQ = to >= count;
                                   float factor = columns.at(
                                       from % width, to % count, isB != isQ);
                                   return isQ && !isB ? -factor : factor;
                                 }));
  Value stacked = concat(
      importer, loc, sliceDim(importer.builder, loc, both, 2, 0, count),
      sliceDim(importer.builder, loc, both, 2, count, count), /*axis=*/1);
  Value result =
      multiply(importer, loc,
               matrixOf(importer, loc, 2 * height, 2 * height,
                        [&](int64_t to, int64_t from) {
                          bool isIm = to >= height, isQ = from >= height;
                          float factor =
                              rows.at(from % height, to % height, isIm != isQ);
                          return isIm && !isQ ? -factor : factor;
                        }),
               stacked);
  for (int64_t part : {0, 1})
    importer.map(op->getResult(part), sliceDim(importer.builder, loc, result, 1,
                                               part * height, height));
  return success();
}

static LogicalResult importFFT(FunctionImporter &importer, tosa::FFT2dOp op) {
  SmallVector<Value> operands;
  if (failed(importer.operands(op, operands)))
    return failure();
  return transform(importer, op, operands[0], operands[1], op.getInverse());
}

static LogicalResult importRealFFT(FunctionImporter &importer,
                                   tosa::RFFT2dOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  return transform(importer, op, *input, Value(), /*isInverse=*/false);
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// Which rows of `values`, and after them of what comes, one image becomes;
/// an error if there is none, or two for one.
static FailureOr<SmallVector<int64_t>>
rowsOf(tosa::ScatterOp op, ArrayRef<int64_t> indices, int64_t extent) {
  SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, extent));
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (index < 0 || index >= extent)
      return op.emitOpError("writes row ")
             << index << ", but there are " << extent;
    if (rows[index] != index)
      return op.emitOpError("writes row ")
             << index << " twice, which TOSA does not permit";
    rows[index] = extent + static_cast<int64_t>(i);
  }
  return rows;
}

/// Rows at indices that a search found: a product with a matrix of zeros and
/// ones.
static LogicalResult importComputedScatter(FunctionImporter &importer,
                                           tosa::ScatterOp op, Value values,
                                           Value indices, Value input) {
  Location loc = op.getLoc();
  int64_t batches = shapeOf(values)[0], extent = shapeOf(values)[1];
  int64_t count = shapeOf(indices)[1];
  if (auto why = checkTake(batches, extent, count))
    return op.emitOpError(*why);
  Value row = createRow(importer.builder, loc, 3, 1, extent);
  Value chosen =
      createCompare(importer, loc, CompareKind::Equal,
                    importer.reshape(loc, indices, {batches, 1, count}), row);
  Value isWritten = ReduceOp::create(
      importer.builder, loc, withShape(chosen.getType(), {batches, extent, 1}),
      ReduceKind::Max, chosen, ArrayRef<int64_t>{2});
  importer.map(op,
               createSelect(importer, loc, isWritten,
                            multiply(importer, loc, chosen, input), values));
  return success();
}

static LogicalResult importScatter(FunctionImporter &importer,
                                   tosa::ScatterOp op) {
  constexpr int64_t maxBatches = 64;
  Location loc = op.getLoc();
  FailureOr<Value> values = importer.operand(op, 0),
                   input = importer.operand(op, 2);
  if (failed(values) || failed(input))
    return failure();
  auto known = dyn_cast_or_null<DenseIntElementsAttr>(
      FunctionImporter::constant(op.getIndices()));
  Value computed = known ? Value() : importer.lookup(op.getIndices());
  if (computed)
    return importComputedScatter(importer, op, *values, computed, *input);
  if (!known)
    return op.emitOpError(
        "writes at indices that come from outside, which fp16 may not hold, "
        "and the DMA of the engine has fixed addresses; scatter on the host");
  if (known.isSplat() && shapeOf(*input)[1] > 1)
    return op.emitOpError("writes row ")
           << known.getSplatValue<APInt>().getSExtValue()
           << " twice, which TOSA does not permit";
  auto numbers =
      llvm::map_to_vector(known.getValues<APInt>(), [](const APInt &number) {
        return number.getSExtValue();
      });
  int64_t batches = shapeOf(*values)[0], extent = shapeOf(*values)[1];
  int64_t count = shapeOf(*input)[1];
  Value both = concat(importer, loc, *values, *input, /*axis=*/1);
  ArrayRef<int64_t> all(numbers), first = all.take_front(count);
  bool isSame = llvm::all_of(llvm::seq<int64_t>(0, batches), [&](int64_t i) {
    return all.slice(i * count, count) == first;
  });
  if (!isSame && batches > maxBatches)
    return op.emitOpError("writes other rows in each of ")
           << batches << " batches, but only " << maxBatches
           << " can be imported; cut them into parts";
  SmallVector<Value> parts;
  for (int64_t batch = 0; batch < (isSame ? 1 : batches); ++batch) {
    auto rows = rowsOf(op, all.slice(batch * count, count), extent);
    if (failed(rows))
      return failure();
    if (auto why = checkTakeAt(extent + count, *rows))
      return op.emitOpError(*why);
    Value image =
        isSame ? both : sliceDim(importer.builder, loc, both, 0, batch, 1);
    parts.push_back(takeAt(importer.builder, loc, image, /*axis=*/1, *rows));
  }
  Value result = parts.front();
  for (Value part : ArrayRef(parts).drop_front())
    result = concat(importer, loc, result, part, /*axis=*/0);
  importer.map(op, result);
  return success();
}

//===----------------------------------------------------------------------===//
// What is kept from one run to the next
//===----------------------------------------------------------------------===//

// What nobody writes is a constant (foldVariables).
static LogicalResult importVariable(FunctionImporter &,
                                    tosa::VariableReadOp op) {
  return op.emitOpError("reads a variable, but the engine keeps no state "
                        "between runs; make it an argument, and the value "
                        "that is written to it a result");
}

void mlir::ane::foldVariables(ModuleOp module) {
  llvm::StringMap<ElementsAttr> known;
  for (auto variable : module.getOps<tosa::VariableOp>()) {
    auto value = dyn_cast_or_null<ElementsAttr>(variable.getInitialValueAttr());
    if (value && isa<FloatType>(value.getElementType()))
      known[variable.getName()] = value;
  }
  module.walk(
      [&](tosa::VariableWriteOp write) { known.erase(write.getName()); });
  module.walk([&](tosa::VariableReadOp read) {
    ElementsAttr value = known.lookup(read.getName());
    if (!value || value.getType() != read.getOutput1().getType())
      return;
    OpBuilder builder(read);
    auto constant =
        tosa::ConstOp::create(builder, read.getLoc(), value.getType(), value);
    read.getOutput1().replaceAllUsesWith(constant.getResult());
    read.erase();
  });
}

/// Integers that are not known.
template <typename... OpTys>
static void addIntegers(FunctionImporter &importer) {
  (importer.add<OpTys>([](FunctionImporter &, OpTys op) -> LogicalResult {
    return op->emitOpError("computes with the bits of integers, but the engine "
                           "computes on floats; compute with floats, or run it "
                           "on the host");
  }),
   ...);
}

void mlir::ane::addTosaTransformImport(FunctionImporter &importer) {
  importer.add<tosa::FFT2dOp>(importFFT);
  importer.add<tosa::RFFT2dOp>(importRealFFT);
  importer.add<tosa::ScatterOp>(importScatter);
  importer.add<tosa::VariableReadOp>(importVariable);
  importer.add<tosa::VariableWriteOp>(
      [](FunctionImporter &, tosa::VariableWriteOp op) -> LogicalResult {
        return op.emitOpError(
            "writes a variable, but the engine keeps no state "
            "between runs; return the value");
      });
  addIntegers<tosa::ArithmeticRightShiftOp, tosa::BitwiseAndOp,
              tosa::BitwiseNotOp, tosa::BitwiseOrOp, tosa::BitwiseXorOp,
              tosa::ClzOp, tosa::IntDivOp, tosa::LogicalLeftShiftOp,
              tosa::LogicalRightShiftOp>(importer);
}
