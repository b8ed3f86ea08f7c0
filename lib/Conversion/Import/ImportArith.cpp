//===- ImportArith.cpp - arith and math on tensors ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters fall back to arith and math on tensors where TOSA has no op: square
// roots, divisions, integer powers.
//
//===----------------------------------------------------------------------===//

#include "ImportMath.h"

#include "ane/Conversion/FunctionImporter.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

Value mlir::ane::createUnary(FunctionImporter &importer, Location loc,
                             ActivationKind kind, Value input, double alpha,
                             double beta) {
  return ActivationOp::create(
      importer.builder, loc, input.getType(), input,
      ActivationAttr::get(loc.getContext(), kind, alpha, beta));
}

Value mlir::ane::createBinary(FunctionImporter &importer, Location loc,
                              ElementwiseKind kind, Value lhs, Value rhs) {
  auto type = RankedTensorType::get(broadcastShape(lhs, rhs),
                                    FunctionImporter::elementType({lhs, rhs}));
  return ElementwiseOp::create(importer.builder, loc, type, kind, lhs, rhs,
                               llvm::APFloat(1.0f), llvm::APFloat(0.0f),
                               ActivationAttr());
}

Value mlir::ane::createCompare(FunctionImporter &importer, Location loc,
                               CompareKind kind, Value lhs, Value rhs) {
  auto type = RankedTensorType::get(broadcastShape(lhs, rhs),
                                    FunctionImporter::elementType({lhs, rhs}));
  bool isSame = lhs == rhs && type.getElementType().isF16();
  if (isSame && (kind == CompareKind::Equal || kind == CompareKind::NotEqual)) {
    markNumeric(emitWarning(loc))
        << "compares a value with itself, which asks whether it is NaN; what "
           "the engine makes of NaN is not known, and the answer is that there "
           "is none; look for NaN on the host";
    Attribute answer = importer.builder.getFloatAttr(
        type.getElementType(), kind == CompareKind::Equal ? 1 : 0);
    return ConstantOp::create(importer.builder, loc,
                              DenseElementsAttr::get(type, answer));
  }
  return CompareOp::create(importer.builder, loc, type, kind, lhs, rhs);
}

Value mlir::ane::createAtan2(FunctionImporter &importer, Location loc, Value y,
                             Value x) {
  auto unary = [&](ActivationKind kind, Value value, double alpha = 0,
                   double beta = 0) {
    return createUnary(importer, loc, kind, value, alpha, beta);
  };
  auto binary = [&](ElementwiseKind kind, Value a, Value b) {
    return createBinary(importer, loc, kind, a, b);
  };
  auto below = [&](double number, Value value) {
    return binary(ElementwiseKind::Sub,
                  createNumber(importer, loc, value, number), value);
  };
  auto isLess = [&](Value a, Value b) {
    return createCompare(importer, loc, CompareKind::Less, a, b);
  };
  auto choose = [&](Value condition, Value a, Value b) {
    return createSelect(importer, loc, condition, a, b);
  };
  Value width = unary(ActivationKind::Abs, x),
        height = unary(ActivationKind::Abs, y);
  Value least = binary(ElementwiseKind::Min, width, height),
        most = binary(ElementwiseKind::Max, width, height);
  // The angle of (0, 0) is 0: there is 0 / 1.
  most = binary(ElementwiseKind::Add, most,
                unary(ActivationKind::WhereNonzero, most, 0, 1));
  Value angle = unary(ActivationKind::AtanUnit,
                      binary(ElementwiseKind::Div, least, most));
  angle = choose(isLess(width, height), below(M_PI_2, angle), angle);
  Value zero = createNumber(importer, loc, x, 0);
  angle = choose(isLess(x, zero), below(M_PI, angle), angle);
  return choose(isLess(y, zero), unary(ActivationKind::Neg, angle), angle);
}

Value mlir::ane::createSelect(FunctionImporter &importer, Location loc,
                              Value condition, Value trueValue,
                              Value falseValue) {
  SmallVector<int64_t> shape = broadcastShape(trueValue, falseValue);
  for (auto [size, own] : llvm::zip_equal(shape, shapeOf(condition)))
    size = std::max(size, own);
  auto type = RankedTensorType::get(
      shape, FunctionImporter::elementType({condition, trueValue, falseValue}));
  return SelectOp::create(importer.builder, loc, type, condition, trueValue,
                          falseValue);
}

Value mlir::ane::createNumber(FunctionImporter &importer, Location loc,
                              Value like, double number) {
  auto type =
      RankedTensorType::get(SmallVector<int64_t>(shapeOf(like).size(), 1),
                            importer.builder.getF32Type());
  return ConstantOp::create(
      importer.builder, loc,
      DenseElementsAttr::get(type, static_cast<float>(number)));
}

Value mlir::ane::createNot(FunctionImporter &importer, Location loc,
                           Value input) {
  return createBinary(importer, loc, ElementwiseKind::Sub,
                      createNumber(importer, loc, input, 1), input);
}

FailureOr<Value> mlir::ane::multiplyAlong(FunctionImporter &importer,
                                          Operation *op, Value value,
                                          int64_t axis) {
  constexpr int64_t maxFactors = 16;
  int64_t factors = shapeOf(value)[axis];
  if (factors > maxFactors)
    return op->emitOpError("multiplies ")
           << factors << " elements, but at most " << maxFactors
           << " can be imported; use a sum of logarithms";
  Value product;
  for (int64_t i = 0; i < factors; ++i) {
    Value factor = sliceDim(importer.builder, op->getLoc(), value, axis, i, 1);
    product = product ? createBinary(importer, op->getLoc(),
                                     ElementwiseKind::Mul, product, factor)
                      : factor;
  }
  return product;
}

template <typename OpTy>
static void addUnary(FunctionImporter &importer, ActivationKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer,
                            OpTy op) -> LogicalResult {
    FailureOr<Value> input = importer.operand(op, 0);
    if (failed(input))
      return failure();
    importer.map(op, ActivationOp::create(
                         importer.builder, op.getLoc(), input->getType(),
                         *input, ActivationAttr::get(op.getContext(), kind)));
    return success();
  });
}

template <typename OpTy>
static void addBinary(FunctionImporter &importer, ElementwiseKind kind) {
  importer.add<OpTy>(
      [kind](FunctionImporter &importer, OpTy op) -> LogicalResult {
        FailureOr<Value> lhs = importer.operand(op, 0);
        FailureOr<Value> rhs = importer.operand(op, 1);
        if (failed(lhs) || failed(rhs))
          return failure();
        importer.map(op, createBinary(importer, op.getLoc(), kind, *lhs, *rhs));
        return success();
      });
}

/// x^n for a constant n that is the same everywhere.
static LogicalResult importFPowI(FunctionImporter &importer, math::FPowIOp op) {
  FailureOr<Value> base = importer.operand(op, 0);
  if (failed(base))
    return failure();
  std::optional<double> exponent = FunctionImporter::splat(op.getRhs());
  if (!exponent)
    return op.emitOpError("has an exponent that is not one constant for all "
                          "elements; use an elementwise power of floats");
  if (*exponent == 2) {
    importer.map(op, createBinary(importer, op.getLoc(), ElementwiseKind::Mul,
                                  *base, *base));
    return success();
  }
  SmallVector<int64_t> ones(shapeOf(*base).size(), 1);
  auto type = RankedTensorType::get(ones, importer.builder.getF32Type());
  Value power = ConstantOp::create(
      importer.builder, op.getLoc(),
      DenseElementsAttr::get(type, static_cast<float>(*exponent)));
  importer.map(op, createBinary(importer, op.getLoc(), ElementwiseKind::Pow,
                                *base, power));
  return success();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// NaNs compare as they do on the engine: data has none.
static std::optional<CompareKind> compareKind(arith::CmpFPredicate predicate) {
  using arith::CmpFPredicate;
  switch (predicate) {
  case CmpFPredicate::OEQ:
  case CmpFPredicate::UEQ:
    return CompareKind::Equal;
  case CmpFPredicate::ONE:
  case CmpFPredicate::UNE:
    return CompareKind::NotEqual;
  case CmpFPredicate::OGT:
  case CmpFPredicate::UGT:
    return CompareKind::Greater;
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGE:
    return CompareKind::GreaterEqual;
  case CmpFPredicate::OLT:
  case CmpFPredicate::ULT:
    return CompareKind::Less;
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULE:
    return CompareKind::LessEqual;
  default:
    return std::nullopt;
  }
}

static std::optional<CompareKind> compareKind(arith::CmpIPredicate predicate) {
  using arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::eq:
    return CompareKind::Equal;
  case CmpIPredicate::ne:
    return CompareKind::NotEqual;
  case CmpIPredicate::sgt:
  case CmpIPredicate::ugt:
    return CompareKind::Greater;
  case CmpIPredicate::sge:
  case CmpIPredicate::uge:
    return CompareKind::GreaterEqual;
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return CompareKind::Less;
  case CmpIPredicate::sle:
  case CmpIPredicate::ule:
    return CompareKind::LessEqual;
  }
  llvm_unreachable("all predicates are handled");
}

/// Integers are numbers where they are known at compile time.
static LogicalResult checkKnown(Operation *op, Value lhs, Value rhs) {
  if (getElementTypeOrSelf(lhs.getType()).isF32() &&
      getElementTypeOrSelf(rhs.getType()).isF32())
    return success();
  return op->emitOpError("computes with integers that are not known at compile "
                         "time, but the engine computes on floats; compute "
                         "with floats, or run it on the host");
}

/// Whole numbers of the network can be compared, also with constants that f16
/// has: most are the numbers of iterations.
static LogicalResult checkComparable(Operation *op, Value lhs, Value rhs) {
  auto isKnown = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isF32();
  };
  if (isKnown(lhs) == isKnown(rhs))
    return success();
  FailureOr<ConstantView> view = ConstantView::get(isKnown(lhs) ? lhs : rhs);
  if (failed(view) || !view->isReadable())
    return checkKnown(op, lhs, rhs);
  for (float number : view->readFloats())
    if (!isWholeHalf(static_cast<int64_t>(number)))
      return op->emitOpError("compares integers of the network with ")
             << static_cast<int64_t>(number)
             << ", which fp16 does not hold exactly; compare them outside of "
                "the network";
  return success();
}

template <typename OpTy>
static LogicalResult importCompare(FunctionImporter &importer, OpTy op) {
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (std::is_same_v<OpTy, arith::CmpIOp> &&
      failed(checkComparable(op, *lhs, *rhs)))
    return failure();
  // Indices are never below 0, other integers may be.
  bool isUnsigned =
      StringRef(stringifyEnum(op.getPredicate())).starts_with("u") &&
      isa<IntegerType>(getElementTypeOrSelf(op.getLhs().getType()));
  std::optional<CompareKind> kind = compareKind(op.getPredicate());
  if (!kind || isUnsigned)
    return op.emitOpError("compares by '")
           << stringifyEnum(op.getPredicate())
           << "', but the engine only knows the six orders of two numbers; "
              "use one of eq, ne, lt, le, gt and ge of floats or signed "
              "integers";
  importer.map(op, createCompare(importer, op.getLoc(), *kind, *lhs, *rhs));
  return success();
}

static bool isSame(Value a, Value b) {
  Attribute first, second;
  return a == b || (matchPattern(a, m_Constant(&first)) &&
                    matchPattern(b, m_Constant(&second)) && first == second);
}

/// x > y ? x : y and its relatives: a maximum or a minimum.
static std::optional<ElementwiseKind> boundOf(arith::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return std::nullopt;
  bool straight = isSame(compare.getLhs(), op.getTrueValue()) &&
                  isSame(compare.getRhs(), op.getFalseValue());
  bool crossed = isSame(compare.getLhs(), op.getFalseValue()) &&
                 isSame(compare.getRhs(), op.getTrueValue());
  std::optional<CompareKind> kind = compareKind(compare.getPredicate());
  if ((!straight && !crossed) || !kind)
    return std::nullopt;
  bool greater =
      *kind == CompareKind::Greater || *kind == CompareKind::GreaterEqual;
  bool less = *kind == CompareKind::Less || *kind == CompareKind::LessEqual;
  if (!greater && !less)
    return std::nullopt;
  return greater == straight ? ElementwiseKind::Max : ElementwiseKind::Min;
}

/// What a choice gives whose condition asks for numbers beyond f16, which data
/// is not: a cast to integers that saturates chooses the largest one so.
static Value withoutSaturation(arith::SelectOp op) {
  constexpr double beyondHalf = 65536;
  if (!isa<IntegerType>(getElementTypeOrSelf(op.getType())))
    return {};
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  std::optional<double> bound =
      compare ? FunctionImporter::splat(compare.getRhs()) : std::nullopt;
  std::optional<CompareKind> kind =
      bound ? compareKind(compare.getPredicate()) : std::nullopt;
  if (!kind || std::isinf(*bound))
    return {};
  bool isAbove =
      *kind == CompareKind::Greater || *kind == CompareKind::GreaterEqual;
  bool isBelow = *kind == CompareKind::Less || *kind == CompareKind::LessEqual;
  if ((isAbove && *bound >= beyondHalf) || (isBelow && *bound <= -beyondHalf))
    return op.getFalseValue();
  return {};
}

static LogicalResult importSelect(FunctionImporter &importer,
                                  arith::SelectOp op) {
  Value whole = withoutSaturation(op);
  if (Value value = whole ? importer.lookup(whole) : Value()) {
    importer.map(op, value);
    return success();
  }
  FailureOr<Value> condition = importer.operand(op, 0);
  FailureOr<Value> trueValue = importer.operand(op, 1);
  FailureOr<Value> falseValue = importer.operand(op, 2);
  if (failed(condition) || failed(trueValue) || failed(falseValue))
    return failure();
  if (shapeOf(*condition).size() != shapeOf(*trueValue).size())
    return op.emitOpError("chooses between whole tensors, but the engine has "
                          "no control flow; choose element by element, with a "
                          "condition of the rank of the values");
  Location loc = op.getLoc();
  Type element =
      FunctionImporter::elementType({*condition, *trueValue, *falseValue});
  if (!element.isF32() && failed(FunctionImporter::checkWhole(op)))
    return failure();
  if (std::optional<ElementwiseKind> kind = boundOf(op))
    importer.map(op,
                 createBinary(importer, loc, *kind, *trueValue, *falseValue));
  else
    importer.map(
        op, createSelect(importer, loc, *condition, *trueValue, *falseValue));
  return success();
}

/// Booleans combine, and integers that are known at compile time.
template <typename OpTy>
static void addIntegers(FunctionImporter &importer, ElementwiseKind kind,
                        bool isLogic = false) {
  importer.add<OpTy>([=](FunctionImporter &importer, OpTy op) -> LogicalResult {
    FailureOr<Value> lhs = importer.operand(op, 0);
    FailureOr<Value> rhs = importer.operand(op, 1);
    if (failed(lhs) || failed(rhs))
      return failure();
    bool isBool = getElementTypeOrSelf(op.getType()).isInteger(1);
    if (isBool != isLogic || (!isBool && failed(checkKnown(op, *lhs, *rhs))))
      return isBool == isLogic
                 ? failure()
                 : op.emitOpError("works on the bits of a number, but the "
                                  "engine computes on floats; run it on the "
                                  "host, or use i1 for booleans");
    importer.map(op, createBinary(importer, op.getLoc(), kind, *lhs, *rhs));
    return success();
  });
}

static LogicalResult importXor(FunctionImporter &importer, arith::XOrIOp op) {
  FailureOr<Value> lhs = importer.operand(op, 0);
  FailureOr<Value> rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (!getElementTypeOrSelf(op.getType()).isInteger(1))
    return op.emitOpError("works on the bits of a number, but the engine "
                          "computes on floats; run it on the host, or use i1 "
                          "for booleans");
  importer.map(op, createCompare(importer, op.getLoc(), CompareKind::NotEqual,
                                 *lhs, *rhs));
  return success();
}

/// Data is f16 whatever the source says. Signed ops see a true boolean as -1,
/// unsigned ones see a byte without its sign.
template <typename OpTy>
static LogicalResult importFloatCast(FunctionImporter &importer, OpTy op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  bool isSigned = isa<arith::SIToFPOp, arith::ExtSIOp>(op.getOperation());
  bool isUnsigned = isa<arith::UIToFPOp, arith::ExtUIOp>(op.getOperation());
  if (isUnsigned && from.isSignlessInteger(8))
    return op->emitOpError("reads signed bytes as unsigned ones, which the "
                           "engine does not; give them the type ui8");
  Value result = *input;
  if (isSigned && from.isInteger(1))
    result = createUnary(importer, op->getLoc(), ActivationKind::Neg, result);
  importer.map(op->getResult(0), result);
  return success();
}

/// Whether `value` is clamped to what signed integers of `width` bits are.
static bool isClampedTo(Value value, unsigned width) {
  constexpr int maxSteps = 8;
  double high = std::ldexp(1.0, static_cast<int>(width) - 1) - 1;
  bool hasLow = false, hasHigh = false;
  for (int step = 0; step != maxSteps && !(hasLow && hasHigh); ++step) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp,
                        math::CeilOp, math::TruncOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    bool isLow = isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(op);
    if (!isLow && !isa_and_nonnull<arith::MinimumFOp, arith::MinNumFOp>(op))
      return false;
    std::optional<double> bound = FunctionImporter::splat(op->getOperand(1));
    if (!bound || *bound < -high - 1 || *bound > high)
      return false;
    (isLow ? hasLow : hasHigh) = true;
    value = op->getOperand(0);
  }
  return hasLow && hasHigh;
}

/// Whatever f16 holds is, without its fraction, a whole number that 32 bits
/// have; fewer bits have what is clamped to them.
template <typename OpTy>
static LogicalResult importIntegerCast(FunctionImporter &importer, OpTy op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Type type = getElementTypeOrSelf(op.getType());
  if (type.getIntOrFloatBitWidth() < 32 &&
      !(isa<arith::FPToSIOp>(op.getOperation()) &&
        isClampedTo(op.getIn(), type.getIntOrFloatBitWidth())))
    return op.emitOpError("makes ")
           << type << " of " << getElementTypeOrSelf(op.getIn().getType())
           << ", which may be too small for it; make i32 or i64, or "
              "clamp it first";
  bool isWhole = isa<arith::TruncIOp>(op.getOperation());
  importer.map(op, isWhole ? *input
                           : createUnary(importer, op.getLoc(),
                                         ActivationKind::Trunc, *input));
  return success();
}

void mlir::ane::addArithImport(FunctionImporter &importer) {
  addBinary<arith::AddFOp>(importer, ElementwiseKind::Add);
  addBinary<arith::DivFOp>(importer, ElementwiseKind::Div);
  addBinary<arith::MaximumFOp>(importer, ElementwiseKind::Max);
  addBinary<arith::MaxNumFOp>(importer, ElementwiseKind::Max);
  addBinary<arith::MinimumFOp>(importer, ElementwiseKind::Min);
  addBinary<arith::MinNumFOp>(importer, ElementwiseKind::Min);
  addBinary<arith::MulFOp>(importer, ElementwiseKind::Mul);
  addBinary<arith::SubFOp>(importer, ElementwiseKind::Sub);
  addBinary<math::PowFOp>(importer, ElementwiseKind::Pow);
  addUnary<arith::NegFOp>(importer, ActivationKind::Neg);
  addUnary<math::AbsFOp>(importer, ActivationKind::Abs);
  addUnary<math::CeilOp>(importer, ActivationKind::Ceil);
  addUnary<math::ErfOp>(importer, ActivationKind::Erf);
  addUnary<math::Exp2Op>(importer, ActivationKind::Exp2);
  addUnary<math::ExpOp>(importer, ActivationKind::Exp);
  addUnary<math::FloorOp>(importer, ActivationKind::Floor);
  addUnary<math::Log2Op>(importer, ActivationKind::Log2);
  addUnary<math::LogOp>(importer, ActivationKind::Log);
  addUnary<math::RsqrtOp>(importer, ActivationKind::Rsqrt);
  addUnary<math::SqrtOp>(importer, ActivationKind::Sqrt);
  addUnary<math::TanhOp>(importer, ActivationKind::Tanh);
  addUnary<math::AtanOp>(importer, ActivationKind::Atan);
  addUnary<math::CosOp>(importer, ActivationKind::Cos);
  addUnary<math::RoundEvenOp>(importer, ActivationKind::Round);
  addUnary<math::SinOp>(importer, ActivationKind::Sin);
  addUnary<math::TruncOp>(importer, ActivationKind::Trunc);
  addIntegers<arith::AddIOp>(importer, ElementwiseKind::Add);
  addIntegers<arith::AndIOp>(importer, ElementwiseKind::Min, /*isLogic=*/true);
  addIntegers<arith::MulIOp>(importer, ElementwiseKind::Mul);
  addIntegers<arith::OrIOp>(importer, ElementwiseKind::Max, /*isLogic=*/true);
  addIntegers<arith::SubIOp>(importer, ElementwiseKind::Sub);
  addMathImport(importer);
  importer.add<arith::CmpFOp>(importCompare<arith::CmpFOp>);
  importer.add<arith::CmpIOp>(importCompare<arith::CmpIOp>);
  importer.add<arith::ExtFOp>(importFloatCast<arith::ExtFOp>);
  importer.add<arith::ExtSIOp>(importFloatCast<arith::ExtSIOp>);
  importer.add<arith::ExtUIOp>(importFloatCast<arith::ExtUIOp>);
  importer.add<arith::FPToSIOp>(importIntegerCast<arith::FPToSIOp>);
  importer.add<arith::IndexCastOp>(importFloatCast<arith::IndexCastOp>);
  importer.add<arith::SelectOp>(importSelect);
  importer.add<arith::SIToFPOp>(importFloatCast<arith::SIToFPOp>);
  importer.add<arith::TruncFOp>(importFloatCast<arith::TruncFOp>);
  importer.add<arith::TruncIOp>(importIntegerCast<arith::TruncIOp>);
  importer.add<arith::UIToFPOp>(importFloatCast<arith::UIToFPOp>);
  importer.add<arith::XOrIOp>(importXor);
  importer.add<math::FPowIOp>(importFPowI);
  importer.addFunction<math::Atan2Op>([](FunctionImporter &importer,
                                         Location loc,
                                         SmallVector<Value> &operands) {
    return createAtan2(importer, loc, operands[0], operands[1]);
  });
}
