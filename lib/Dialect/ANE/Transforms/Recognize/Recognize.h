//===- Recognize.h - Parts of ane-recognize ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the matchers share. Sources differ in how they write a step (a quotient
// or a product with a reciprocal, a mean or a scaled sum, a root and its
// reciprocal or both at once); each matcher here sees through one of them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_RECOGNIZE_RECOGNIZE_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_RECOGNIZE_RECOGNIZE_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

#include "ane/Dialect/ANE/Utils/FunctionPattern.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

namespace mlir::ane::recognize {

void addSoftmaxPatterns(RewritePatternSet &patterns, Pass::Statistic &softmaxes,
                        Pass::Statistic &masks);
void addNormPatterns(RewritePatternSet &patterns, Pass::Statistic &norms);
void addActivationPatterns(RewritePatternSet &patterns,
                           Pass::Statistic &activations);

/// Whether `value` is a scalar that is `expected` but for rounding to f32 (or
/// for the digits that a source wrote).
bool isScalar(Value value, double expected, double tolerance = 1e-5);

/// a / b, however it is written: a / b or a * (1 / b). For a product both
/// orders are tried with `accepts`.
struct Quotient {
  Value numerator, denominator;
};
SmallVector<Quotient, 2> quotientsOf(Value value);

/// `value` before it was repeated to a larger shape.
Value withoutBroadcast(Value value);

} // namespace mlir::ane::recognize

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_RECOGNIZE_RECOGNIZE_H
