//===- ImportElementwise.cpp - StableHLO functions of elements ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands have one shape; what exporters repeat is taken unrepeated by the
// canonicaliser.
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::ane;

LogicalResult mlir::ane::checkNumeric(FunctionImporter &importer,
                                      Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  if (llvm::all_of(op->getResultTypes(), isFloat) &&
      llvm::all_of(op->getOperandTypes(), isFloat))
    return success();
  for (Value operand : op->getOperands()) {
    Value known = importer.lookup(operand);
    if (!known || !getElementTypeOrSelf(known.getType()).isF32())
      return FunctionImporter::checkFloat(op);
  }
  return success();
}

std::optional<double> mlir::ane::knownNumber(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool repeats = isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp>(op);
    if (!repeats)
      break;
    value = op->getOperand(0);
  }
  return FunctionImporter::splat(value);
}

bool mlir::ane::isNeutral(ElementwiseKind kind, Value init) {
  std::optional<double> number = knownNumber(init);
  if (!number)
    return false;
  constexpr double largestHalf = 65504;
  bool isFlag = getElementTypeOrSelf(init.getType()).isInteger(1);
  switch (kind) {
  case ElementwiseKind::Add:
    return *number == 0;
  case ElementwiseKind::Mul:
    return *number == 1;
  case ElementwiseKind::Max:
    return *number <= (isFlag ? 0 : -largestHalf);
  case ElementwiseKind::Min:
    return *number >= (isFlag ? 1 : largestHalf);
  default:
    return false;
  }
}

template <typename OpTy>
static void addUnary(FunctionImporter &importer, ActivationKind kind) {
  importer.add<OpTy>(
      [kind](FunctionImporter &importer, OpTy op) -> LogicalResult {
        FailureOr<Value> input = importer.operand(op, 0);
        if (failed(input) || failed(checkNumeric(importer, op)))
          return failure();
        importer.map(op, createUnary(importer, op.getLoc(), kind, *input));
        return success();
      });
}

/// `fn` gives the value of the op from that of its operand.
template <typename OpTy>
static void addSteps(FunctionImporter &importer,
                     Value (*fn)(FunctionImporter &, Location, Value)) {
  importer.add<OpTy>(
      [fn](FunctionImporter &importer, OpTy op) -> LogicalResult {
        if (failed(FunctionImporter::checkFloat(op)))
          return failure();
        FailureOr<Value> input = importer.operand(op, 0);
        if (failed(input))
          return failure();
        importer.map(op, fn(importer, op.getLoc(), *input));
        return success();
      });
}

template <typename OpTy>
static void addBinary(FunctionImporter &importer, ElementwiseKind kind) {
  importer.add<OpTy>([kind](FunctionImporter &importer,
                            OpTy op) -> LogicalResult {
    FailureOr<Value> lhs = importer.operand(op, 0),
                     rhs = importer.operand(op, 1);
    if (failed(lhs) || failed(rhs) || failed(checkNumeric(importer, op)))
      return failure();
    // Exporters start a maximum with the least number.
    Value other;
    if (isNeutral(kind, op.getRhs()))
      other = *lhs;
    else if (isNeutral(kind, op.getLhs()))
      other = *rhs;
    bool isMax = kind == ElementwiseKind::Max || kind == ElementwiseKind::Min;
    importer.map(op, isMax && other ? other
                                    : createBinary(importer, op.getLoc(), kind,
                                                   *lhs, *rhs));
    return success();
  });
}

/// An op that integers have, too, with another meaning.
template <typename OpTy>
static void addFloatBinary(FunctionImporter &importer, ElementwiseKind kind) {
  importer.add<OpTy>(
      [kind](FunctionImporter &importer, OpTy op) -> LogicalResult {
        if (failed(FunctionImporter::checkFloat(op)))
          return failure();
        FailureOr<Value> lhs = importer.operand(op, 0),
                         rhs = importer.operand(op, 1);
        if (failed(lhs) || failed(rhs))
          return failure();
        bool isSquare =
            kind == ElementwiseKind::Pow && knownNumber(op.getRhs()) == 2.0;
        importer.map(op, createBinary(importer, op.getLoc(),
                                      isSquare ? ElementwiseKind::Mul : kind,
                                      *lhs, isSquare ? *lhs : *rhs));
        return success();
      });
}

template <typename OpTy>
static void addLogic(FunctionImporter &importer,
                     Value (*fn)(FunctionImporter &, Location, Value, Value)) {
  importer.add<OpTy>(
      [fn](FunctionImporter &importer, OpTy op) -> LogicalResult {
        if (!getElementTypeOrSelf(op.getType()).isInteger(1))
          return op.emitOpError("computes with the bits of ")
                 << op.getType()
                 << ", but the engine computes on floats; run it on the host";
        FailureOr<Value> lhs = importer.operand(op, 0);
        FailureOr<Value> rhs = importer.operand(op, op->getNumOperands() - 1);
        if (failed(lhs) || failed(rhs))
          return failure();
        importer.map(op, fn(importer, op.getLoc(), *lhs, *rhs));
        return success();
      });
}

static LogicalResult importClamp(FunctionImporter &importer,
                                 stablehlo::ClampOp op) {
  SmallVector<Value> operands;
  if (failed(importer.operands(op, operands)) ||
      failed(checkNumeric(importer, op)))
    return failure();
  Location loc = op.getLoc();
  auto min = knownNumber(op.getMin()), max = knownNumber(op.getMax());
  if (min && max) {
    importer.map(op, createUnary(importer, loc, ActivationKind::Clamp,
                                 operands[1], *min, *max));
    return success();
  }
  int64_t rank = shapeOf(operands[1]).size();
  auto bound = [&](Value value) {
    return shapeOf(value).empty() ? expand(importer, loc, value, {}, rank)
                                  : value;
  };
  Value result = createBinary(importer, loc, ElementwiseKind::Max, operands[1],
                              bound(operands[0]));
  importer.map(op, createBinary(importer, loc, ElementwiseKind::Min, result,
                                bound(operands[2])));
  return success();
}

static CompareKind compareKind(stablehlo::ComparisonDirection direction) {
  using stablehlo::ComparisonDirection;
  switch (direction) {
  case ComparisonDirection::EQ:
    return CompareKind::Equal;
  case ComparisonDirection::NE:
    return CompareKind::NotEqual;
  case ComparisonDirection::GE:
    return CompareKind::GreaterEqual;
  case ComparisonDirection::GT:
    return CompareKind::Greater;
  case ComparisonDirection::LE:
    return CompareKind::LessEqual;
  case ComparisonDirection::LT:
    return CompareKind::Less;
  }
  llvm_unreachable("a direction that is none");
}

static LogicalResult importCompare(FunctionImporter &importer,
                                   stablehlo::CompareOp op) {
  FailureOr<Value> lhs = importer.operand(op, 0), rhs = importer.operand(op, 1);
  if (failed(lhs) || failed(rhs))
    return failure();
  importer.map(op, createCompare(importer, op.getLoc(),
                                 compareKind(op.getComparisonDirection()), *lhs,
                                 *rhs));
  return success();
}

static LogicalResult importSelect(FunctionImporter &importer,
                                  stablehlo::SelectOp op) {
  SmallVector<Value> operands;
  if (failed(importer.operands(op, operands)))
    return failure();
  Location loc = op.getLoc();
  Value condition = operands[0];
  if (shapeOf(condition).empty())
    condition =
        expand(importer, loc, condition, {}, shapeOf(operands[1]).size());
  Value result =
      createSelect(importer, loc, condition, operands[1], operands[2]);
  if (!getElementTypeOrSelf(result.getType()).isF32() &&
      failed(FunctionImporter::checkWhole(op)))
    return failure();
  importer.map(op, result);
  return success();
}

/// What is constant keeps its type; data is f16 whatever the source says.
static LogicalResult importConvert(FunctionImporter &importer,
                                   stablehlo::ConvertOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Location loc = op.getLoc();
  Type to = getElementTypeOrSelf(op.getType()),
       from = getElementTypeOrSelf(op.getOperand().getType());
  bool isConstant = getElementTypeOrSelf(input->getType()).isF32();
  // What is below 0 has no place in an unsigned type, however wide.
  bool keepsSign =
      !to.isUnsignedInteger() || from.isUnsignedInteger() || from.isInteger(1);
  bool isWide =
      isa<IntegerType>(from) && isa<IntegerType>(to) && keepsSign &&
      (to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth() || to == from);
  if (to.isF16() || to.isF32() || to.isBF16() || to.isF64())
    importer.map(op, isConstant && to.isF16() ? importer.castTo(loc, *input, to)
                                              : *input);
  else if (to.isInteger(1))
    importer.map(op, createCompare(importer, loc, CompareKind::NotEqual, *input,
                                   createNumber(importer, loc, *input, 0)));
  else if (isWide)
    importer.map(op, *input);
  else if (isa<FloatType>(from) && (to.isInteger(32) || to.isInteger(64)))
    importer.map(op, createUnary(importer, loc, ActivationKind::Trunc, *input));
  else
    return op.emitOpError("makes ")
           << to << " of " << from
           << ", but the engine makes floats, booleans and integers of 32 and "
              "64 bits only; convert outside of the network";
  return success();
}

/// The cube root, of negative numbers too.
static Value cubeRoot(FunctionImporter &importer, Location loc, Value x) {
  Value size = createUnary(importer, loc, ActivationKind::Abs, x);
  Value root = createBinary(importer, loc, ElementwiseKind::Pow, size,
                            createNumber(importer, loc, x, 1.0 / 3));
  return createBinary(importer, loc, ElementwiseKind::Mul, root,
                      createUnary(importer, loc, ActivationKind::Sign, x));
}

static Value tangent(FunctionImporter &importer, Location loc, Value x) {
  return createBinary(importer, loc, ElementwiseKind::Div,
                      createUnary(importer, loc, ActivationKind::Sin, x),
                      createUnary(importer, loc, ActivationKind::Cos, x));
}

/// trunc(x), one further from 0 where the fraction is a half or more.
static Value roundAway(FunctionImporter &importer, Location loc, Value x) {
  auto unary = [&](ActivationKind kind, Value of) {
    return createUnary(importer, loc, kind, of);
  };
  Value fraction =
      unary(ActivationKind::Abs, unary(ActivationKind::Fraction, x));
  Value isUp = createCompare(importer, loc, CompareKind::GreaterEqual, fraction,
                             createNumber(importer, loc, x, 0.5));
  Value step = createBinary(importer, loc, ElementwiseKind::Mul, isUp,
                            unary(ActivationKind::Sign, x));
  return createBinary(importer, loc, ElementwiseKind::Add,
                      unary(ActivationKind::Trunc, x), step);
}

std::optional<ActivationKind> mlir::ane::namedFunction(StringRef name) {
  return llvm::StringSwitch<std::optional<ActivationKind>>(name)
      .Cases({"chlo.erf", "mhlo.erf"}, ActivationKind::Erf)
      .Default(std::nullopt);
}

static LogicalResult importNamed(FunctionImporter &importer, Operation *op,
                                 std::optional<ActivationKind> kind) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op->getResult(0),
               kind ? createUnary(importer, op->getLoc(), *kind, *input)
                    : *input);
  return success();
}

static LogicalResult importComposite(FunctionImporter &importer,
                                     stablehlo::CompositeOp op) {
  // Others are calls by now.
  return importNamed(importer, op, namedFunction(op.getName()));
}

/// Functions that exporters name without having an op for them.
static LogicalResult importCustomCall(FunctionImporter &importer,
                                      stablehlo::CustomCallOp op) {
  std::optional<ActivationKind> kind = namedFunction(op.getCallTargetName());
  bool isIdentity =
      llvm::is_contained({"Sharding", "SPMDFullToShardShape",
                          "SPMDShardToFullShape", "xla.sdy.FuncResultSharding"},
                         op.getCallTargetName());
  if ((!kind && !isIdentity) || op.getInputs().size() != 1 ||
      op->getNumResults() != 1 || op->getResultTypes() != op->getOperandTypes())
    return op.emitOpError("calls '")
           << op.getCallTargetName()
           << "', a function of another compiler; write it with ops, or run it "
              "on the host";
  return importNamed(importer, op, kind);
}

void mlir::ane::addStableHLOElementwiseImport(FunctionImporter &importer) {
  using namespace stablehlo;
  addUnary<AbsOp>(importer, ActivationKind::Abs);
  addUnary<CeilOp>(importer, ActivationKind::Ceil);
  addUnary<CosineOp>(importer, ActivationKind::Cos);
  addUnary<ExpOp>(importer, ActivationKind::Exp);
  addUnary<Expm1Op>(importer, ActivationKind::Expm1);
  addUnary<FloorOp>(importer, ActivationKind::Floor);
  addUnary<Log1pOp>(importer, ActivationKind::Log1p);
  addUnary<LogOp>(importer, ActivationKind::Log);
  addUnary<LogisticOp>(importer, ActivationKind::Sigmoid);
  addUnary<NegOp>(importer, ActivationKind::Neg);
  addUnary<RoundEvenOp>(importer, ActivationKind::Round);
  addUnary<RsqrtOp>(importer, ActivationKind::Rsqrt);
  addUnary<SignOp>(importer, ActivationKind::Sign);
  addUnary<SineOp>(importer, ActivationKind::Sin);
  addUnary<SqrtOp>(importer, ActivationKind::Sqrt);
  addUnary<TanhOp>(importer, ActivationKind::Tanh);
  addUnary<chlo::ErfOp>(importer, ActivationKind::Erf);
  addUnary<chlo::SquareOp>(importer, ActivationKind::Square);
  addSteps<chlo::ErfcOp>(
      importer, [](FunctionImporter &importer, Location loc, Value x) {
        return createNot(importer, loc,
                         createUnary(importer, loc, ActivationKind::Erf, x));
      });
  addSteps<CbrtOp>(importer, cubeRoot);
  addSteps<RoundAwayOp>(importer, roundAway);
  addSteps<TanOp>(importer, tangent);
  addBinary<stablehlo::AddOp>(importer, ElementwiseKind::Add);
  addBinary<stablehlo::MaxOp>(importer, ElementwiseKind::Max);
  addBinary<stablehlo::MinOp>(importer, ElementwiseKind::Min);
  addBinary<stablehlo::SubOp>(importer, ElementwiseKind::Sub);
  addFloatBinary<stablehlo::DivOp>(importer, ElementwiseKind::Div);
  addFloatBinary<stablehlo::MulOp>(importer, ElementwiseKind::Mul);
  addFloatBinary<stablehlo::PowOp>(importer, ElementwiseKind::Pow);
  addLogic<AndOp>(importer, [](FunctionImporter &importer, Location loc,
                               Value lhs, Value rhs) {
    return createBinary(importer, loc, ElementwiseKind::Min, lhs, rhs);
  });
  addLogic<OrOp>(importer, [](FunctionImporter &importer, Location loc,
                              Value lhs, Value rhs) {
    return createBinary(importer, loc, ElementwiseKind::Max, lhs, rhs);
  });
  addLogic<XorOp>(importer, [](FunctionImporter &importer, Location loc,
                               Value lhs, Value rhs) {
    return createCompare(importer, loc, CompareKind::NotEqual, lhs, rhs);
  });
  addLogic<NotOp>(importer,
                  [](FunctionImporter &importer, Location loc, Value input,
                     Value) { return createNot(importer, loc, input); });
  importer.addFunction<IsFiniteOp>([](FunctionImporter &importer, Location loc,
                                      SmallVector<Value> &operands) {
    Value size = createUnary(importer, loc, ActivationKind::Abs, operands[0]);
    Value limit = createNumber(importer, loc, size,
                               std::numeric_limits<double>::infinity());
    return createCompare(importer, loc, CompareKind::Less, size, limit);
  });
  importer.addFunction<Atan2Op>([](FunctionImporter &importer, Location loc,
                                   SmallVector<Value> &operands) {
    return createAtan2(importer, loc, operands[0], operands[1]);
  });
  importer.add<stablehlo::ClampOp>(importClamp);
  importer.add<stablehlo::CompareOp>(importCompare);
  importer.add<stablehlo::CompositeOp>(importComposite);
  importer.add<stablehlo::ConvertOp>(importConvert);
  importer.add<stablehlo::CustomCallOp>(importCustomCall);
  importer.add<stablehlo::SelectOp>(importSelect);
}
