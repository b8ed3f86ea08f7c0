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
#include "ane/Conversion/TosaToANE/TosaToANE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

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
  auto type =
      withElementType(lhs.getType(), FunctionImporter::elementType({lhs, rhs}));
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
  power = importer.castTo(op.getLoc(), power,
                          getElementTypeOrSelf(base->getType()));
  importer.map(op, createBinary(importer, op.getLoc(), ElementwiseKind::Pow,
                                *base, power));
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
  importer.add<math::FPowIOp>(importFPowI);
}
