//===- Steps.cpp - Building blocks of forms that f16 holds ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

SmallVector<double, 2> mlir::ane::factorsInHalf(double factor) {
  double magnitude = std::fabs(factor);
  if (magnitude == 0 || !std::isfinite(magnitude) ||
      (magnitude >= smallestNormalHalf && magnitude <= largestHalf))
    return {factor};
  // A power of two, which changes no digit, and the rest.
  double power = magnitude < 1 ? 0x1p-13 : 0x1p+13;
  SmallVector<double, 2> factors{power};
  llvm::append_range(factors, factorsInHalf(factor / power));
  return factors;
}

Value Steps::scaled(Value x, double factor) {
  if (factor == 1)
    return x;
  for (double part : factorsInHalf(factor))
    x = mul(x, part);
  return x;
}
