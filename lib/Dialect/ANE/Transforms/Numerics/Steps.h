//===- Steps.h - Building blocks of forms that f16 holds --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/IR/Builders.h"

namespace mlir::ane {

/// Builds ops on f16 tensors at one place.
class Steps {
public:
  Steps(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value activate(Value x, ActivationKind kind, double alpha = 0,
                 double beta = 0);
  /// Dimensions of 1 are broadcast. The result is f16.
  Value binary(ElementwiseKind kind, Value lhs, Value rhs, double scale = 1,
               double bias = 0);
  Value binary(ElementwiseKind kind, Value lhs, double rhs);
  Value scaled(Value x, double factor);
  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes);
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value transpose(Value x, ArrayRef<int64_t> perm);
  /// A constant of one element, of the rank of `like`.
  Value number(double value, Value like);

private:
  OpBuilder &builder;
  Location loc;
};

/// `x * y` in numbers of f16's normal range, which a number alone may be
/// outside of: the factors to multiply with one after the other.
SmallVector<double, 2> factorsInHalf(double factor);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H
