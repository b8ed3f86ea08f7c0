//===- Steps.h - Building blocks of forms that f16 holds --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H

#include "ane/Dialect/ANE/Utils/Builders.h"

namespace mlir::ane {

/// Builds the steps of a form.
struct Steps : AneBuilder {
  using AneBuilder::AneBuilder;

  /// factor * x, with factors that f16 holds.
  Value scaled(Value x, double factor);
};

/// `x * y` in numbers of f16's normal range, which a number alone may be
/// outside of: the factors to multiply with one after the other.
SmallVector<double, 2> factorsInHalf(double factor);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_STEPS_H
