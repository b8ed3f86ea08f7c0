//===- Evaluate.h - The functions of the ane ops on floats ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What activations and elementwise functions mean, in single precision and
// without the tables of the engine. For constants; the simulator has the
// engine's own.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_EVALUATE_H
#define ANE_DIALECT_ANE_UTILS_EVALUATE_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include <cmath>

namespace mlir::ane {

/// values[i] = function(values[i]).
void applyActivation(ActivationAttr function, MutableArrayRef<float> values);
/// As IEEE 754 defines them: NaN if one of the two is, whatever their order.
inline float maximumOf(float x, float y) {
  return x > y || std::isnan(x) ? x : y;
}
inline float minimumOf(float x, float y) {
  return x < y || std::isnan(x) ? x : y;
}
/// Whether the relation holds.
bool applyCompare(CompareKind kind, float lhs, float rhs);
/// lhs[i] = function(lhs[i], rhs[i]).
void applyElementwise(ElementwiseKind function, MutableArrayRef<float> lhs,
                      ArrayRef<float> rhs);

/// Where an element of a resized dimension comes from: (1 - weight) times
/// element `index` plus weight times the next.
struct ResizeTap {
  int64_t index;
  float weight;
};
/// The taps of dimension `dim` (2 or 3). Nothing for nearest sampling by
/// another factor than a whole one, where the ways to round differ.
std::optional<SmallVector<ResizeTap>> getResizeTaps(ResizeOp op, unsigned dim);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_EVALUATE_H
