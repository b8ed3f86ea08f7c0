//===- ImportMath.cpp - Functions of the math dialect in several steps ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ane dialect has no function for, by those that it has. Data becomes
// f16, so steps are chosen whose values stay below 65504, and which keep the
// digits of small arguments: log1p and expm1 in place of log and exp.
//
//===----------------------------------------------------------------------===//

#include "ImportMath.h"

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Builds the steps of a function at a place.
struct Steps {
  FunctionImporter &importer;
  Location loc;

  Value number(Value like, double value) const {
    return createNumber(importer, loc, like, value);
  }
  Value unary(ActivationKind kind, Value x, double alpha = 0,
              double beta = 0) const {
    return createUnary(importer, loc, kind, x, alpha, beta);
  }
  Value binary(ElementwiseKind kind, Value x, Value y) const {
    return createBinary(importer, loc, kind, x, y);
  }
  Value add(Value x, Value y) const {
    return binary(ElementwiseKind::Add, x, y);
  }
  Value add(Value x, double y) const { return add(x, number(x, y)); }
  Value sub(Value x, Value y) const {
    return binary(ElementwiseKind::Sub, x, y);
  }
  Value mul(Value x, Value y) const {
    return binary(ElementwiseKind::Mul, x, y);
  }
  Value mul(Value x, double y) const { return mul(x, number(x, y)); }
  Value div(Value x, Value y) const {
    return binary(ElementwiseKind::Div, x, y);
  }
  Value abs(Value x) const { return unary(ActivationKind::Abs, x); }
  Value sqrt(Value x) const { return unary(ActivationKind::Sqrt, x); }
  Value log1p(Value x) const { return unary(ActivationKind::Log1p, x); }
  Value withSignOf(Value size, Value x) const {
    return mul(size, unary(ActivationKind::Sign, x));
  }

  // e^x / 2 + e^-x / 2, by squares of e^(x / 2): e^x may be more than f16 holds
  // where the half of it is not.
  Value cosh(Value x) const {
    auto halfOfPower = [&](double factor) {
      Value root = unary(ActivationKind::Exp, mul(x, factor));
      return mul(root, mul(root, 0.5));
    };
    return add(halfOfPower(0.5), halfOfPower(-0.5));
  }

  // tanh x cosh x, which keeps the digits of small numbers.
  Value sinh(Value x) const {
    return mul(unary(ActivationKind::Tanh, x), cosh(x));
  }

  // With a = |x|: log1p(a + a * (a / (1 + sqrt(1 + a^2)))). That quotient is
  // nearly 1 from 128 on, where the square would leave f16.
  Value asinh(Value x) const {
    constexpr double large = 128;
    Value size = abs(x);
    Value bounded = binary(ElementwiseKind::Min, size, number(size, large));
    Value root = sqrt(add(mul(bounded, bounded), 1));
    Value part = div(bounded, add(root, 1));
    return withSignOf(log1p(add(size, mul(size, part))), x);
  }

  // log1p(x - 1 + sqrt(x - 1) * sqrt(x + 1)).
  Value acosh(Value x) const {
    Value less = add(x, -1);
    return log1p(add(less, mul(sqrt(less), sqrt(add(x, 1)))));
  }

  // With a = |x|: log1p(2 a / (1 - a)) / 2.
  Value atanh(Value x) const {
    Value size = abs(x);
    Value ratio = div(mul(size, 2), add(mul(size, -1), 1));
    return withSignOf(mul(log1p(ratio), 0.5), x);
  }

  // trunc(x), one further from 0 where the fraction is a half or more.
  Value roundAway(Value x) const {
    Value fraction = abs(unary(ActivationKind::Fraction, x));
    Value isUp =
        unary(ActivationKind::WhereNegative, add(fraction, -0.5), 0, 1);
    return add(unary(ActivationKind::Trunc, x), withSignOf(isUp, x));
  }
};

} // namespace

/// `fn` gives the value of `OpT` from that of its operand.
template <typename OpT>
static void addFunctionOfOne(FunctionImporter &importer,
                             Value (*fn)(const Steps &, Value)) {
  importer.addFunction<OpT>(
      [fn](FunctionImporter &importer, Location loc, SmallVector<Value> &x) {
        return fn({importer, loc}, x[0]);
      });
}

template <ActivationKind kind>
static Value asItIs(const Steps &steps, Value x) {
  return steps.unary(kind, x);
}

void mlir::ane::addMathImport(FunctionImporter &importer) {
  using S = const Steps &;
  addFunctionOfOne<math::Log1pOp>(importer, asItIs<ActivationKind::Log1p>);
  addFunctionOfOne<math::ExpM1Op>(importer, asItIs<ActivationKind::Expm1>);
  addFunctionOfOne<math::SinhOp>(importer,
                                 [](S s, Value x) { return s.sinh(x); });
  addFunctionOfOne<math::CoshOp>(importer,
                                 [](S s, Value x) { return s.cosh(x); });
  addFunctionOfOne<math::AsinhOp>(importer,
                                  [](S s, Value x) { return s.asinh(x); });
  addFunctionOfOne<math::AcoshOp>(importer,
                                  [](S s, Value x) { return s.acosh(x); });
  addFunctionOfOne<math::AtanhOp>(importer,
                                  [](S s, Value x) { return s.atanh(x); });
  addFunctionOfOne<math::RoundOp>(importer,
                                  [](S s, Value x) { return s.roundAway(x); });
  addFunctionOfOne<math::Log10Op>(importer, [](S s, Value x) {
    return s.mul(s.unary(ActivationKind::Log2, x), std::log10(2.0));
  });
  addFunctionOfOne<math::CbrtOp>(importer, [](S s, Value x) {
    Value power =
        s.binary(ElementwiseKind::Pow, s.abs(x), s.number(x, 1.0 / 3));
    return s.withSignOf(power, x);
  });
  addFunctionOfOne<math::ErfcOp>(importer, [](S s, Value x) {
    return createNot(s.importer, s.loc, s.unary(ActivationKind::Erf, x));
  });
  addFunctionOfOne<math::TanOp>(importer, [](S s, Value x) {
    return s.div(s.unary(ActivationKind::Sin, x),
                 s.unary(ActivationKind::Cos, x));
  });
  importer.addFunction<math::FmaOp>(
      [](FunctionImporter &importer, Location loc, SmallVector<Value> &x) {
        Steps steps{importer, loc};
        return steps.add(steps.mul(x[0], x[1]), x[2]);
      });
  importer.addFunction<math::CopySignOp>([](FunctionImporter &importer,
                                            Location loc,
                                            SmallVector<Value> &x) {
    Steps steps{importer, loc};
    return steps.mul(steps.abs(x[0]),
                     steps.unary(ActivationKind::WhereNegative, x[1], -1, 1));
  });
}
