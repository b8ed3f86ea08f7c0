//===- ImportQuantized.cpp - TOSA networks of 8-bit integers --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes are whole numbers, which f16 holds exactly up to 2048, and the engine
// accumulates products in single precision. So an 8-bit convolution is one of
// f16 without the zero points. Its 32-bit accumulator does not fit f16; it is
// kept smaller by a power of 2 (FunctionImporter::Scaled), which costs no
// precision. A rescale makes bytes of it again. f16 has 11 bits, so a result
// that lies near the middle of two bytes may become the other one.
//
//===----------------------------------------------------------------------===//

#include "ImportTosa.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

FailureOr<SmallVector<double>> mlir::ane::numbersOf(Operation *op, Value source,
                                                    StringRef what) {
  auto constant = dyn_cast_or_null<DenseIntElementsAttr>(
      FunctionImporter::constant(source));
  if (!constant)
    return op->emitOpError("has ") << what << " that is not a constant";
  constexpr int64_t most = 1 << 20; // one for each channel
  if (constant.getNumElements() > most)
    return op->emitOpError("has ")
           << constant.getNumElements() << " values of " << what
           << ", but at most " << most << " are read";
  SmallVector<double> numbers;
  for (const APInt &value : constant.getValues<APInt>())
    numbers.push_back(value.getSExtValue());
  return numbers;
}

FailureOr<Value> mlir::ane::withoutZeroPoint(FunctionImporter &importer,
                                             Operation *op, Value value,
                                             Value zeroPoint, StringRef what) {
  std::optional<double> number = FunctionImporter::splat(zeroPoint);
  if (!number)
    return op->emitOpError("has ") << what << " that is not a constant";
  if (*number == 0)
    return value;
  return createBinary(importer, op->getLoc(), ElementwiseKind::Sub, value,
                      createNumber(importer, op->getLoc(), value, *number));
}

// From 1024 to 2048 f16 has whole numbers only: a sum with 1536 rounds. The
// second clamp changes nothing, but what is rounded to f16 in front of it is
// not merged with what comes after.
Value mlir::ane::createByte(FunctionImporter &importer, Location loc,
                            Value value, double zeroPoint) {
  constexpr double whole = 1536;
  double low = -128 - zeroPoint, high = 127 - zeroPoint;
  value = createUnary(importer, loc, ActivationKind::Clamp, value, low, high);
  value = createBinary(importer, loc, ElementwiseKind::Add, value,
                       createNumber(importer, loc, value, whole));
  value = createUnary(importer, loc, ActivationKind::Clamp, value, low + whole,
                      high + whole);
  return createBinary(importer, loc, ElementwiseKind::Sub, value,
                      createNumber(importer, loc, value, whole - zeroPoint));
}

namespace {
/// What a rescale multiplies with, for each channel or once.
struct Factors {
  SmallVector<double> values;
  double largest = 0;
};
} // namespace

static FailureOr<Factors> factorsOf(tosa::RescaleOp op) {
  auto multipliers = numbersOf(op, op.getMultiplier(), "a multiplier");
  auto shifts = numbersOf(op, op.getShift(), "a shift");
  if (failed(multipliers) || failed(shifts))
    return failure();
  Factors factors;
  for (auto [multiplier, shift] : llvm::zip_equal(*multipliers, *shifts)) {
    factors.values.push_back(std::ldexp(multiplier, -static_cast<int>(shift)));
    factors.largest = std::max(factors.largest, factors.values.back());
  }
  if (!(factors.largest > 0))
    return op.emitOpError("multiplies with 0, which leaves nothing of its "
                          "input");
  return factors;
}

/// `value` times `factors` and a number.
static FailureOr<Value> multiply(FunctionImporter &importer, tosa::RescaleOp op,
                                 Value value, const Factors &factors,
                                 double by) {
  Location loc = op.getLoc();
  if (factors.values.size() == 1)
    return createBinary(
        importer, loc, ElementwiseKind::Mul, value,
        createNumber(importer, loc, value, factors.values[0] * by));
  SmallVector<int64_t> shape(shapeOf(value).size(), 1);
  if (shape.empty() ||
      shapeOf(value).back() != static_cast<int64_t>(factors.values.size()))
    return op.emitOpError("has ")
           << factors.values.size() << " multipliers, but its input has "
           << shapeOf(value).size() << " dimensions, and the last one is "
           << (shape.empty() ? 0 : shapeOf(value).back());
  shape.back() = factors.values.size();
  SmallVector<float> numbers;
  for (double factor : factors.values)
    numbers.push_back(static_cast<float>(factor * by));
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  Value vector = ConstantOp::create(
      importer.builder, loc, DenseElementsAttr::get(type, ArrayRef(numbers)));
  return createBinary(importer, loc, ElementwiseKind::Mul, value, vector);
}

// Bytes become an accumulator or the other way round, or bytes of another
// scale.
static LogicalResult importRescale(FunctionImporter &importer,
                                   tosa::RescaleOp op) {
  FailureOr<Factors> factors = factorsOf(op);
  auto outputZp = numbersOf(op, op.getOutputZp(), "an output zero point");
  if (failed(factors) || failed(outputZp))
    return failure();
  if (op.getInputUnsigned() || op.getOutputUnsigned())
    return op.emitOpError("works on unsigned integers, but only signed ones "
                          "can be imported");
  FunctionImporter::Scaled input{Value(), 1};
  if (auto scaled = importer.lookupScaled(op.getInput())) {
    input = *scaled;
  } else {
    FailureOr<Value> value = importer.operand(op, 0);
    if (failed(value))
      return failure();
    input.data = *value;
  }
  std::optional<double> inputZp = FunctionImporter::splat(op.getInputZp());
  if (!inputZp)
    return op.emitOpError("has an input zero point that is not a constant");
  Location loc = op.getLoc();
  if (*inputZp != 0)
    input.data = createBinary(
        importer, loc, ElementwiseKind::Sub, input.data,
        createNumber(importer, loc, input.data, *inputZp / input.factor));
  Type type = getElementTypeOrSelf(op.getType());
  if (type.isSignlessInteger(8)) {
    FailureOr<Value> value =
        multiply(importer, op, input.data, *factors, input.factor);
    if (failed(value))
      return failure();
    importer.map(op, createByte(importer, loc, *value, outputZp->front()));
    return success();
  }
  if (!type.isSignlessInteger(32) || outputZp->front() != 0)
    return op.emitOpError("makes ")
           << type << " with the zero point " << outputZp->front()
           << ", but only bytes, and 32-bit integers without a zero point, can "
              "be imported";
  double factor = factors->largest;
  FailureOr<Value> data = input.data;
  if (factors->values.size() > 1)
    data = multiply(importer, op, input.data, *factors, 1 / factor);
  if (failed(data))
    return failure();
  importer.mapScaled(op, *data, input.factor * factor);
  return success();
}

/// What an operand of integers stands for: an accumulator, a constant of them,
/// or bytes, also in a wider type.
static FailureOr<FunctionImporter::Scaled>
integersOf(FunctionImporter &importer, Operation *op, unsigned index) {
  constexpr double limit = 32768;
  Value source = op->getOperand(index);
  if (auto scaled = importer.lookupScaled(source))
    return *scaled;
  auto constant = dyn_cast_or_null<DenseIntElementsAttr>(
      FunctionImporter::constant(source));
  FailureOr<Value> value = importer.operand(op, index);
  if (failed(value))
    return failure();
  double largest = 1;
  if (constant)
    for (const APInt &number : distinctNumbers(constant))
      largest = std::max<double>(largest, std::abs(number.getSExtValue()));
  if (largest <= limit)
    return FunctionImporter::Scaled{*value, 1};
  double factor = std::exp2(std::ceil(std::log2(largest / limit)));
  return FunctionImporter::Scaled{
      createBinary(importer, op->getLoc(), ElementwiseKind::Mul, *value,
                   createNumber(importer, op->getLoc(), *value, 1 / factor)),
      factor};
}

static Value times(FunctionImporter &importer, Location loc, Value value,
                   double factor) {
  return factor == 1 ? value
                     : createBinary(importer, loc, ElementwiseKind::Mul, value,
                                    createNumber(importer, loc, value, factor));
}

/// Sums and differences of accumulators; floats are what they always were.
template <typename OpTy>
static void addAccumulation(FunctionImporter &importer, ElementwiseKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer,
                            OpTy op) -> LogicalResult {
    Location loc = op.getLoc();
    if (importer.lookupScaled(op->getOperand(0)) ||
        importer.lookupScaled(op->getOperand(1))) {
      auto lhs = integersOf(importer, op, 0), rhs = integersOf(importer, op, 1);
      if (failed(lhs) || failed(rhs))
        return failure();
      // The larger factor is for both, so that none leaves f16.
      double factor = std::max(lhs->factor, rhs->factor);
      Value left = times(importer, loc, lhs->data, lhs->factor / factor);
      Value right = times(importer, loc, rhs->data, rhs->factor / factor);
      importer.mapScaled(op->getResult(0),
                         createBinary(importer, loc, kind, left, right),
                         factor);
      return success();
    }
    return importBinary(importer, op, kind);
  });
}

// Two accumulators up to 2^15: their product is kept smaller by as much, half
// of it before, where whole numbers stay normal ones of f16.
static LogicalResult importMul(FunctionImporter &importer, tosa::MulOp op) {
  Location loc = op.getLoc();
  // Its shift is 0 for floats: the verifier of TOSA says so.
  if (!getElementTypeOrSelf(op.getType()).isSignlessInteger(32))
    return importBinary(importer, op, ElementwiseKind::Mul);
  std::optional<double> shift = FunctionImporter::splat(op.getShift());
  if (!shift)
    return op.emitOpError("has a shift that is not a constant");
  auto lhs = integersOf(importer, op, 0), rhs = integersOf(importer, op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  constexpr double smaller[] = {0x1p-7, 0x1p-8};
  Value left = times(importer, loc, lhs->data, smaller[0]);
  Value right = times(importer, loc, rhs->data, smaller[1]);
  double factor = lhs->factor * rhs->factor / (smaller[0] * smaller[1]);
  importer.mapScaled(
      op, createBinary(importer, loc, ElementwiseKind::Mul, left, right),
      std::ldexp(factor, -static_cast<int>(*shift)));
  return success();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The rows of `value` as those of images with one channel, no higher than one
/// may be.
static SmallVector<int64_t> asRows(ArrayRef<int64_t> shape) {
  constexpr int64_t maxRows = 16384;
  int64_t rows = 1, images = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  while (images < maxRows && (rows % images || rows / images > maxRows))
    ++images;
  if (rows % images) // more than any program has tasks for
    images = rows;
  return {images, 1, rows / images, shape.back()};
}

// Bytes to bytes: lines that bend at some bytes, a + b x and the bend at k
// times max(x - k, 0) for all k. All of them are whole numbers, so it is exact:
// a pointwise convolution makes a channel for each bend, another adds them up.
static LogicalResult importTable(FunctionImporter &importer, tosa::TableOp op) {
  auto table = numbersOf(op, op->getOperand(1), "a table");
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(table) || failed(input))
    return failure();
  constexpr int64_t least = -128, entries = 256;
  if (table->size() != entries || shapeOf(*input).empty())
    return op.emitOpError("has a table of ")
           << table->size() << " elements for " << op->getOperand(0).getType()
           << ", but only one of " << entries
           << " for the bytes of a tensor with dimensions can be imported";
  SmallVector<float> starts, bends;
  double slope = 0;
  for (int64_t i = 0; i + 1 < entries; ++i) {
    double next = (*table)[i + 1] - (*table)[i];
    if (next == slope)
      continue;
    starts.push_back(-(least + i));
    bends.push_back(next - slope);
    slope = next;
  }
  if (bends.empty()) { // the same for every byte
    starts.push_back(0);
    bends.push_back(0);
  }
  Location loc = op.getLoc();
  OpBuilder &builder = importer.builder;
  auto constant = [&](ArrayRef<int64_t> shape, ArrayRef<float> values) {
    return ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            RankedTensorType::get(shape, builder.getF32Type()), values));
  };
  auto conv = [&](Value image, Value weight, Value bias, bool isBent) {
    SmallVector<int64_t> shape(shapeOf(image)), ones(2, 1), zeros(4, 0);
    shape[1] = shapeOf(weight)[0];
    return ConvOp::create(
        builder, loc, withShape(image.getType(), shape), image, weight, bias,
        /*scale=*/Value(), ones, zeros, ones, /*groups=*/1,
        isBent ? ActivationAttr::get(op.getContext(), ActivationKind::Relu)
               : ActivationAttr());
  };
  bool isImage = shapeOf(*input).size() == 4;
  Value data = isImage ? importer.toImage(loc, *input) : *input;
  SmallVector<int64_t> shape(shapeOf(data));
  int64_t count = bends.size();
  Value value = importer.reshape(loc, data, asRows(shape));
  Value weight = constant({count, 1, 1, 1}, SmallVector<float>(count, 1.0f));
  Value bias = constant({count}, starts);
  value = conv(value, weight, bias, /*isBent=*/true);
  weight = constant({1, count, 1, 1}, bends);
  bias = constant({1}, {static_cast<float>(table->front())});
  value = conv(value, weight, bias, /*isBent=*/false);
  value = importer.reshape(loc, value, shape);
  importer.map(op, isImage ? importer.toNHWC(loc, value) : value);
  return success();
}

void mlir::ane::addTosaQuantizedImport(FunctionImporter &importer) {
  addAccumulation<tosa::AddOp>(importer, ElementwiseKind::Add);
  addAccumulation<tosa::SubOp>(importer, ElementwiseKind::Sub);
  importer.add<tosa::MulOp>(importMul);
  importer.add<tosa::RescaleOp>(importRescale);
  importer.add<tosa::TableOp>(importTable);
}
