//===- LowerFunctions.cpp - Functions of scalars, for the host ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What arith and math have an op for, and definitions made of it.
//
//===----------------------------------------------------------------------===//

#include "LowerFunctions.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// f32 arithmetic that reads like the definitions.
class Numbers {
public:
  explicit Numbers(HostBuilder &host) : host(host) {}

  Value num(double value) const {
    return host.number(HostType{host.builder.getF32Type()}, value);
  }
  template <typename OpTy, typename... Args> Value op(Args... args) const {
    return OpTy::create(host.builder, host.loc, args...);
  }
  Value add(Value x, Value y) const { return op<arith::AddFOp>(x, y); }
  Value add(Value x, double y) const { return add(x, num(y)); }
  Value sub(Value x, Value y) const { return op<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) const { return op<arith::MulFOp>(x, y); }
  Value mul(Value x, double y) const { return mul(x, num(y)); }
  Value div(Value x, Value y) const { return op<arith::DivFOp>(x, y); }
  Value max(Value x, double y) const {
    return op<arith::MaximumFOp>(x, num(y));
  }
  Value clamp(Value x, double low, double high) const {
    return op<arith::MinimumFOp>(max(x, low), num(high));
  }
  Value select(arith::CmpFPredicate holds, Value x, double bound, Value yes,
               Value no) const {
    Value condition = op<arith::CmpFOp>(holds, x, num(bound));
    return op<arith::SelectOp>(condition, yes, no);
  }

  // For definitions.
  Value number(double value) const { return num(value); }
  Value apply(ActivationAttr function, Value x) const;
  Value apply(ElementwiseKind kind, Value lhs, Value rhs) const;

private:
  HostBuilder &host;
};

} // namespace

Value Numbers::apply(ElementwiseKind kind, Value lhs, Value rhs) const {
  switch (kind) {
  case ElementwiseKind::Add:
    return add(lhs, rhs);
  case ElementwiseKind::Sub:
    return sub(lhs, rhs);
  case ElementwiseKind::Mul:
    return mul(lhs, rhs);
  case ElementwiseKind::Max:
    return op<arith::MaximumFOp>(lhs, rhs);
  case ElementwiseKind::Min:
    return op<arith::MinimumFOp>(lhs, rhs);
  case ElementwiseKind::Div:
    return div(lhs, rhs);
  case ElementwiseKind::Pow:
    return op<math::PowFOp>(lhs, rhs);
  }
  llvm_unreachable("the enum is closed");
}

Value Numbers::apply(ActivationAttr function, Value x) const {
  using Predicate = arith::CmpFPredicate;
  double a = function.getAlpha(), b = function.getBeta();
  if (function.isStretched())
    x = div(x, num(a));
  switch (function.getKind()) {
  case ActivationKind::Relu:
    return max(x, 0);
  case ActivationKind::LeakyRelu:
    return select(Predicate::OLT, x, 0, mul(x, a), x);
  case ActivationKind::Clamp:
    return clamp(x, a, b);
  case ActivationKind::Abs:
    return op<math::AbsFOp>(x);
  case ActivationKind::Neg:
    return op<arith::NegFOp>(x);
  case ActivationKind::Floor:
    return op<math::FloorOp>(x);
  case ActivationKind::Ceil:
    return op<math::CeilOp>(x);
  case ActivationKind::Round:
    return op<math::RoundEvenOp>(x);
  case ActivationKind::Trunc:
    return op<math::TruncOp>(x);
  case ActivationKind::Sign:
    return select(Predicate::OGT, x, 0, num(1),
                  select(Predicate::OLT, x, 0, num(-1), x));
  case ActivationKind::ThresholdedRelu:
    return select(Predicate::OGT, x, a, x, num(0));
  case ActivationKind::WhereNonzero:
    return select(Predicate::UNE, x, 0, num(a), num(b));
  case ActivationKind::WherePositive:
    return select(Predicate::OGT, x, 0, num(a), num(b));
  case ActivationKind::WhereNegative:
    return select(Predicate::OLT, x, 0, num(a), num(b));
  case ActivationKind::Elu:
    return select(Predicate::OLT, x, 0, mul(op<math::ExpM1Op>(x), a), x);
  case ActivationKind::Sigmoid: {
    Value power = op<math::ExpOp>(op<arith::NegFOp>(x));
    return div(num(1), add(power, 1));
  }
  case ActivationKind::Tanh:
    return op<math::TanhOp>(x);
  case ActivationKind::Softplus: {
    // Without overflow.
    Value size = op<arith::NegFOp>(op<math::AbsFOp>(x));
    return add(max(x, 0), op<math::Log1pOp>(op<math::ExpOp>(size)));
  }
  case ActivationKind::Exp:
    return op<math::ExpOp>(x);
  case ActivationKind::Exp2:
    return op<math::Exp2Op>(x);
  case ActivationKind::Log:
    return op<math::LogOp>(x);
  case ActivationKind::Log2:
    return op<math::Log2Op>(x);
  case ActivationKind::Sqrt:
    return op<math::SqrtOp>(x);
  case ActivationKind::Rsqrt:
    return div(num(1), op<math::SqrtOp>(add(x, a)));
  case ActivationKind::Reciprocal:
    return div(num(1), x);
  case ActivationKind::Erf:
    return op<math::ErfOp>(x);
  case ActivationKind::Sin:
    return op<math::SinOp>(x);
  case ActivationKind::Cos:
    return op<math::CosOp>(x);
  case ActivationKind::Atan:
    return op<math::AtanOp>(x);
  case ActivationKind::Log1p:
    return op<math::Log1pOp>(x);
  case ActivationKind::Expm1:
    return op<math::ExpM1Op>(x);
  case ActivationKind::EluFactor:
    return select(Predicate::OEQ, x, 0, num(a),
                  select(Predicate::OLT, x, 0,
                         div(mul(op<math::ExpM1Op>(x), a), x), num(1)));
  case ActivationKind::Log1pFactor:
    x = clamp(x, -0.5, 0.5);
    return select(Predicate::OEQ, x, 0, num(1), div(op<math::Log1pOp>(x), x));
  default:
    return evaluateDefinition(function, x, *this);
  }
}

Value mlir::ane::lowerActivation(HostBuilder &builder, ActivationAttr function,
                                 Value x) {
  return function ? Numbers(builder).apply(function, x) : x;
}

Value mlir::ane::lowerElementwise(HostBuilder &builder, ElementwiseKind kind,
                                  Value lhs, Value rhs) {
  return Numbers(builder).apply(kind, lhs, rhs);
}

Value mlir::ane::lowerCompare(HostBuilder &builder, CompareKind kind, Value lhs,
                              Value rhs) {
  using Predicate = arith::CmpFPredicate;
  auto predicate = [&] {
    switch (kind) {
    case CompareKind::Equal:
      return Predicate::OEQ;
    case CompareKind::NotEqual:
      return Predicate::UNE;
    case CompareKind::Less:
      return Predicate::OLT;
    case CompareKind::LessEqual:
      return Predicate::OLE;
    case CompareKind::Greater:
      return Predicate::OGT;
    case CompareKind::GreaterEqual:
      return Predicate::OGE;
    }
    llvm_unreachable("the enum is closed");
  }();
  return arith::CmpFOp::create(builder.builder, builder.loc, predicate, lhs,
                               rhs);
}
