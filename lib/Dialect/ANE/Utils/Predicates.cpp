//===- Predicates.cpp - What ops and values are ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Evaluate.h"
#include "ane/HW/Float16.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::ane;

bool mlir::ane::isImage(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getRank() == 4 &&
         type.getElementType().isF16();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

bool mlir::ane::isAsHalf(double constant, double number) {
  constexpr double halfOfRounding = 0x1p-12;
  return std::fabs(constant - number) <= halfOfRounding * std::fabs(number) ||
         constant == ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(number));
}

// Each op once: an expression may use a value many times. Whatever is computed
// from more ops than any table is counts as data; otherwise each op of a long
// chain would look at all before it.
bool mlir::ane::isConstant(Value value) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !isa_and_nonnull<ANEDialect>(op->getDialect()))
      return false;
    if (!seen.insert(op).second)
      continue;
    constexpr unsigned maxOps = 256;
    if (seen.size() > maxOps)
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

static std::optional<double> scalarOf(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  if (isa<ConstantOp>(op))
    return getConstantSplat(value);
  if (isa<ReshapeOp, TransposeOp, CastOp, TileOp, SliceOp>(op))
    return scalarOf(op->getOperand(0), depth - 1);
  if (auto act = dyn_cast<ActivationOp>(op)) {
    std::optional<double> input = scalarOf(act.getInput(), depth - 1);
    if (!input)
      return std::nullopt;
    float result = *input;
    applyActivation(act.getFunction(), result);
    return result;
  }
  auto binary = dyn_cast<ElementwiseOp>(op);
  if (!binary || !binary.isPlain())
    return std::nullopt;
  std::optional<double> lhs = scalarOf(binary.getLhs(), depth - 1);
  std::optional<double> rhs =
      lhs ? scalarOf(binary.getRhs(), depth - 1) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  float result = *lhs, other = *rhs;
  applyElementwise(binary.getKind(), result, other);
  return result;
}

std::optional<double> mlir::ane::scalarOf(Value value) {
  constexpr int longestExpression = 16;
  return ::scalarOf(value, longestExpression);
}

std::optional<float> mlir::ane::getSplatValue(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  ElementsAttr attr = constant ? constant.getValue() : ElementsAttr();
  if (!attr || attr.getNumElements() == 0)
    return std::nullopt;
  // Large constants that are no splat attribute are weights, not scalars.
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!(dense && dense.isSplat()) &&
      attr.getNumElements() > maxElementsOfAttribute)
    return std::nullopt;
  FailureOr<SmallVector<float>> values = readConstant(value);
  if (failed(values) || !llvm::all_equal(*values))
    return std::nullopt;
  return values->front();
}

// The bits of the first element of a constant.
static std::optional<uint16_t> firstHalf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat())
      return dense.getSplatValue<APFloat>().bitcastToAPInt().getZExtValue();
    return std::nullopt;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || value.getNumElements() != 1)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || blob->getData().size() < 2)
    return std::nullopt;
  uint16_t bits;
  std::memcpy(&bits, blob->getData().data(), sizeof(bits));
  return bits;
}

std::optional<float> mlir::ane::getScalarConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant ||
      !cast<ShapedType>(constant.getType()).getElementType().isF16())
    return std::nullopt;
  std::optional<uint16_t> bits = firstHalf(constant.getValue());
  if (!bits)
    return std::nullopt;
  return ::ane::hw::fromHalfBits(*bits);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool mlir::ane::isByColumn(Operation *op, int64_t columns) {
  if (op->getNumResults() != 1 || !isImage(op->getResult(0)))
    return false;
  ArrayRef<int64_t> shape = typeOf(op->getResult(0)).getShape();
  if (shape[0] != 1 || shape[2] != 1 || shape[3] != columns)
    return false;
  if (auto conv = dyn_cast<ConvOp>(op))
    return conv.isByPixel();
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return norm.getAxes() == ArrayRef<int64_t>{1};
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return norm.getAxes() == ArrayRef<int64_t>{1};
  if (auto concat = dyn_cast<ConcatOp>(op))
    return concat.getAxis() == 1;
  if (auto slice = dyn_cast<SliceOp>(op)) {
    ArrayRef<int64_t> from = typeOf(slice.getInput()).getShape();
    return from[0] == 1 && from[2] == 1 && from[3] == columns;
  }
  return isa<ActivationOp, ElementwiseOp>(op);
}

bool mlir::ane::isPlainSum(Operation *sum) {
  auto op = dyn_cast_or_null<ElementwiseOp>(sum);
  return op && op.getKind() == ElementwiseKind::Add && op.isUnscaled() &&
         op.getLhs().getType() == op.getType() &&
         op.getRhs().getType() == op.getType() && shapeOf(op).size() == 4 &&
         shapeOf(op)[0] == 1;
}

ElementwiseOp mlir::ane::binaryOf(Value value, ElementwiseKind kind) {
  auto op = value.getDefiningOp<ElementwiseOp>();
  return op && op.getKind() == kind && op.isPlain() ? op : ElementwiseOp();
}

Value mlir::ane::inputOf(Value value, ActivationKind kind) {
  auto op = value.getDefiningOp<ActivationOp>();
  return op && op.getFunction().getKind() == kind ? op.getInput() : Value();
}

Value mlir::ane::squareRootOf(Value value) {
  if (Value input = inputOf(value, ActivationKind::Square))
    return input;
  if (ElementwiseOp power = binaryOf(value, ElementwiseKind::Pow))
    return scalarOf(power.getRhs()) == 2 ? power.getLhs() : Value();
  ElementwiseOp product = binaryOf(value, ElementwiseKind::Mul);
  return product && product.getLhs() == product.getRhs() ? product.getLhs()
                                                         : Value();
}

std::optional<WithNumber> mlir::ane::withNumber(ElementwiseOp op) {
  for (bool first : {false, true}) {
    Value data = op->getOperand(first);
    std::optional<double> number = scalarOf(op->getOperand(!first));
    if (number && shapeOf(data) == shapeOf(op.getResult()))
      return WithNumber{data, *number, first};
  }
  return std::nullopt;
}

std::optional<Affine> mlir::ane::affineOf(ElementwiseOp op, double number,
                                          bool isNumberLeft) {
  double factor = 1, summand = 0;
  switch (op.getKind()) {
  case ElementwiseKind::Add:
    summand = number;
    break;
  case ElementwiseKind::Sub:
    factor = isNumberLeft ? -1 : 1;
    summand = isNumberLeft ? number : -number;
    break;
  case ElementwiseKind::Mul:
    factor = number;
    break;
  case ElementwiseKind::Div:
    if (isNumberLeft || number == 0)
      return std::nullopt;
    factor = 1 / number;
    break;
  default:
    return std::nullopt;
  }
  double scale = op.getScale().convertToFloat();
  return Affine{scale * factor,
                scale * summand + op.getBias().convertToFloat()};
}

ScaledValue mlir::ane::scaledOf(Value value) {
  // Formulas have one or two; each of a long chain would walk all of it.
  constexpr int maxFactors = 8;
  ScaledValue scaled{value};
  for (int i = 0; i < maxFactors; ++i) {
    auto op = scaled.data.getDefiningOp<ElementwiseOp>();
    auto number = op && op.isPlain() ? withNumber(op) : std::nullopt;
    auto step = number ? affineOf(op, number->number, number->isNumberFirst)
                       : std::nullopt;
    if (!step || step->summand != 0 || step->factor == 0)
      break;
    scaled = {number->data, scaled.factor * step->factor};
  }
  return scaled;
}

bool ScaledSum::isMean() const {
  double count = 1;
  for (int64_t axis : axes)
    count *= shapeOf(input)[axis];
  return !axes.empty() && isAsHalf(factor, 1 / count);
}

ScaledSum mlir::ane::scaledSumOf(Value value) {
  ScaledSum sum{value, {}};
  while (!sum.isSquare) {
    ScaledValue scaled = scaledOf(sum.input);
    auto op = scaled.data.getDefiningOp<ReduceOp>();
    if (!op || op.getActivationAttr())
      break;
    bool isMean = op.getKind() == ReduceKind::Mean ||
                  op.getKind() == ReduceKind::MeanSquare;
    bool isSquare = op.getKind() == ReduceKind::SumSquare ||
                    op.getKind() == ReduceKind::MeanSquare;
    if (!isMean && !isSquare && op.getKind() != ReduceKind::Sum)
      break;
    sum.input = op.getInput();
    sum.factor *= scaled.factor;
    sum.isSquare = isSquare;
    for (int64_t axis : op.getAxes()) {
      if (isMean)
        sum.factor /= shapeOf(op.getInput())[axis];
      if (!llvm::is_contained(sum.axes, axis))
        sum.axes.push_back(axis);
    }
  }
  llvm::sort(sum.axes);
  if (sum.axes.empty() || sum.isSquare)
    return sum;
  if (Value root = squareRootOf(sum.input)) {
    sum.input = root;
    sum.isSquare = true;
  }
  return sum;
}

std::optional<ScaledSum> mlir::ane::meanOfVariance(ElementwiseOp op) {
  Value root = op.getKind() == ElementwiseKind::Sub ? squareRootOf(op.getRhs())
                                                    : Value();
  if (!root)
    return std::nullopt;
  ScaledSum squares = scaledSumOf(op.getLhs()), mean = scaledSumOf(root);
  if (!squares.isSquare || !squares.isMean() || mean.isSquare ||
      !mean.isMean() || mean.axes != squares.axes ||
      mean.input != squares.input)
    return std::nullopt;
  return mean;
}

bool mlir::ane::isProductOfRows(Operation *op) {
  auto conv = dyn_cast_or_null<ConvOp>(op);
  if (!conv || !conv->hasOneUse() || conv.getBias() || conv.getScale() ||
      conv.getActivationAttr() ||
      !conv->hasAttr(ANEDialect::getBandedAttrName()) ||
      shapeOf(conv.getWeight())[2] * shapeOf(conv.getWeight())[3] != 1 ||
      !conv.hasUnitStrides())
    return false;
  auto transpose = dyn_cast<TransposeOp>(*conv->user_begin());
  return transpose && transpose->hasOneUse() &&
         transpose.getPerm() ==
             ArrayRef<int64_t>((ArrayRef<int64_t>{0, 2, 1, 3}));
}

Operation *mlir::ane::movementOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<TransposeOp, ReshapeOp>(op) || isConstant(value))
    return nullptr;
  return op;
}

TransposeOp mlir::ane::dataTransposeOf(Value value) {
  return dyn_cast_or_null<TransposeOp>(movementOf(value));
}

bool mlir::ane::hasTable(ActivationKind kind) { return infoOf(kind).isOnePass; }

//===----------------------------------------------------------------------===//
// Sign
//===----------------------------------------------------------------------===//

static bool isNonNegativeElementwise(ElementwiseOp op, unsigned depth) {
  if (op.getScale().convertToFloat() < 0 || op.getBias().convertToFloat() < 0)
    return false;
  bool lhs = mlir::ane::isNonNegative(op.getLhs(), depth);
  bool rhs = mlir::ane::isNonNegative(op.getRhs(), depth);
  switch (op.getKind()) {
  case ElementwiseKind::Max:
    return lhs || rhs;
  case ElementwiseKind::Add:
  case ElementwiseKind::Mul:
  case ElementwiseKind::Min:
  case ElementwiseKind::Div:
    return lhs && rhs;
  default:
    return false;
  }
}

// Large constants are weights of the network, which have both signs.
static bool isNonNegativeConstant(Value value) {
  constexpr int64_t maxElements = 1 << 16;
  if (typeOf(value).getNumElements() > maxElements)
    return false;
  FailureOr<SmallVector<float>> values = mlir::ane::readConstant(value);
  return succeeded(values) &&
         llvm::all_of(*values, [](float element) { return element >= 0; });
}

bool mlir::ane::isNonNegative(Value value, unsigned depth) {
  // Deep enough for a chain of pools, shallow enough for graphs of any size.
  constexpr unsigned maxDepth = 12;
  Operation *def = value.getDefiningOp();
  if (!def || ++depth > maxDepth)
    return false;
  if (auto function = def->getAttrOfType<ActivationAttr>("activation"))
    return function.isNeverNegative();
  return llvm::TypeSwitch<Operation *, bool>(def)
      .Case([&](ConstantOp) { return isNonNegativeConstant(value); })
      .Case([&](ActivationOp op) { return op.getFunction().isNeverNegative(); })
      .Case(
          [&](ElementwiseOp op) { return isNonNegativeElementwise(op, depth); })
      .Case([&](ConvOp op) {
        return !op.getBias() && !op.getScale() &&
               mlir::ane::isNonNegative(op.getInput(), depth) &&
               isNonNegativeConstant(op.getWeight());
      })
      .Case([&](ConcatOp op) {
        return llvm::all_of(op.getInputs(), [&](Value input) {
          return mlir::ane::isNonNegative(input, depth);
        });
      })
      .Case([&](PadOp op) {
        return op.getValue().convertToFloat() >= 0 &&
               mlir::ane::isNonNegative(op.getInput(), depth);
      })
      .Case<PoolOp, ReduceOp, SliceOp, TransposeOp, ReshapeOp, ResizeOp,
            CastOp>([&](auto op) {
        return mlir::ane::isNonNegative(op.getInput(), depth);
      })
      .Default(false);
}

// As far as a result of these is finite for finite data.
static bool keepsFinite(ActivationAttr function) {
  if (!function)
    return true;
  switch (function.getKind()) {
  case ActivationKind::Relu:
  case ActivationKind::LeakyRelu:
  case ActivationKind::Clamp:
  case ActivationKind::Sigmoid:
  case ActivationKind::Tanh:
  case ActivationKind::Gelu:
  case ActivationKind::GeluTanh:
  case ActivationKind::Silu:
    return true;
  default:
    return false;
  }
}

// What is added may be a mask.
static bool isSmall(float number) { return std::abs(number) < 30000; }

static bool hasSmallNumbers(Value bias) {
  FailureOr<SmallVector<float>> numbers = mlir::ane::readConstant(bias);
  return succeeded(numbers) && llvm::all_of(*numbers, isSmall);
}

bool mlir::ane::isFinite(Value value, unsigned depth) {
  constexpr unsigned maxDepth = 6;
  Operation *def = value.getDefiningOp();
  if (!def || ++depth > maxDepth)
    return false;
  auto areFinite = [&](Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isFinite(operand, depth);
    });
  };
  return llvm::TypeSwitch<Operation *, bool>(def)
      .Case<ConvOp, ConvTransposeOp>([](auto op) {
        return keepsFinite(op.getActivationAttr()) &&
               (!op.getBias() || hasSmallNumbers(op.getBias()));
      })
      .Case([](MatmulOp op) { return keepsFinite(op.getActivationAttr()); })
      .Case([](RuntimeConvOp) { return true; })
      .Case([&](ConstantOp) {
        // Large ones that are not the same everywhere are not read for this.
        constexpr int64_t maxElements = 1 << 16;
        std::optional<float> splat = getSplatValue(value);
        return splat ? isSmall(*splat)
                     : typeOf(value).getNumElements() <= maxElements &&
                           hasSmallNumbers(value);
      })
      .Case([&](ActivationOp op) {
        return keepsFinite(op.getFunction()) && areFinite(op);
      })
      .Case([&](ElementwiseOp op) {
        return op.getKind() != ElementwiseKind::Div &&
               keepsFinite(op.getActivationAttr()) && areFinite(op);
      })
      .Case<SliceOp, ReshapeOp, TransposeOp, ConcatOp, InterleaveOp, TileOp>(
          [&](auto op) { return areFinite(op); })
      .Default(false);
}
