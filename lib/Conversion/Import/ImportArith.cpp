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

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::ane;

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

static Value createBinary(FunctionImporter &importer, Location loc,
                          ElementwiseKind kind, Value lhs, Value rhs) {
  auto type = RankedTensorType::get(broadcastShape(lhs, rhs),
                                    FunctionImporter::elementType({lhs, rhs}));
  return ElementwiseOp::create(importer.builder, loc, type, kind, lhs, rhs,
                               llvm::APFloat(1.0f), llvm::APFloat(0.0f),
                               ActivationAttr());
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

/// A comparison is only part of a select.
static LogicalResult importCompare(FunctionImporter &, arith::CmpFOp) {
  return success();
}

static bool isSame(Value a, Value b) {
  Attribute first, second;
  return a == b || (matchPattern(a, m_Constant(&first)) &&
                    matchPattern(b, m_Constant(&second)) && first == second);
}

/// x > y ? x : y and its relatives: a maximum or a minimum.
static LogicalResult importSelect(FunctionImporter &importer,
                                  arith::SelectOp op) {
  using arith::CmpFPredicate;
  auto fail = [&]() -> LogicalResult {
    return op.emitOpError("chooses by something else than an order of its two "
                          "values, but only maxima and minima can be imported");
  };
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return fail();
  bool straight = isSame(compare.getLhs(), op.getTrueValue()) &&
                  isSame(compare.getRhs(), op.getFalseValue());
  bool crossed = isSame(compare.getLhs(), op.getFalseValue()) &&
                 isSame(compare.getRhs(), op.getTrueValue());
  bool greater, less;
  switch (compare.getPredicate()) {
  case CmpFPredicate::OGT:
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGT:
  case CmpFPredicate::UGE:
    greater = true, less = false;
    break;
  case CmpFPredicate::OLT:
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULT:
  case CmpFPredicate::ULE:
    greater = false, less = true;
    break;
  default:
    return fail();
  }
  if (!straight && !crossed)
    return fail();
  Value lhs = importer.lookup(compare.getLhs());
  Value rhs = importer.lookup(compare.getRhs());
  if (!lhs || !rhs)
    return fail();
  bool isMax = straight ? greater : less;
  importer.map(op,
               createBinary(importer, op.getLoc(),
                            isMax ? ElementwiseKind::Max : ElementwiseKind::Min,
                            lhs, rhs));
  return success();
}

/// Data is f16 whatever the source says.
template <typename OpTy>
static LogicalResult importFloatCast(FunctionImporter &importer, OpTy op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  importer.map(op, *input);
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
  importer.add<arith::CmpFOp>(importCompare);
  importer.add<arith::ExtFOp>(importFloatCast<arith::ExtFOp>);
  importer.add<arith::SelectOp>(importSelect);
  importer.add<arith::TruncFOp>(importFloatCast<arith::TruncFOp>);
  importer.add<math::FPowIOp>(importFPowI);
}
