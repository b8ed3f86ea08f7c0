//===- Predicates.h - What ops and values are -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions that many passes ask of an op or a value, each with one answer.
// What an op says of itself alone is a method of the op (ANETensorOps.td).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_PREDICATES_H
#define ANE_DIALECT_ANE_UTILS_PREDICATES_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include <optional>

namespace mlir::ane {

/// What stands for "no weight" in a mask whose maximum for each query is zero.
/// Scores are far below its magnitude, and the sum with one of them still fits
/// f16.
constexpr float maskedScore = -30000;

/// True for f16 of rank 4, what the engine computes on.
bool isImage(Value value);

/// Whether `value` is computed from constants alone.
bool isConstant(Value value);
/// The one value that all elements of a constant expression have, of a few
/// operations.
std::optional<double> scalarOf(Value value);
/// The one value that all elements of a constant have.
std::optional<float> getSplatValue(Value value);
/// The value of an f16 constant of one element, or of a splat; none otherwise.
std::optional<float> getScalarConstant(Value value);

/// Whether a constant of a network is `number` as f16 holds it, or nearer to it
/// than f16 can tell.
bool isAsHalf(double constant, double number);

/// On what attention became, from its products on and up to ane-split-layers (a
/// bool): whether a column needs few columns, since keys and values are small
/// beside the queries. Else all columns go with one block of keys after the
/// other.
inline constexpr llvm::StringLiteral kByColumnAttrName = "ane.by_column";

/// Whether a column of the result is computed from the same one of the
/// operands.
bool isByColumn(Operation *op, int64_t columns);
/// Whether `op` adds two images of the size of the result.
bool isPlainSum(Operation *op);
/// An elementwise op of `kind` without an epilogue.
ElementwiseOp binaryOf(Value value, ElementwiseKind kind);
/// What an activation of `kind` is computed from, or null.
Value inputOf(Value value, ActivationKind kind);

/// x of x * x, x^2 or square(x).
Value squareRootOf(Value value);

/// The operands of an elementwise op of which one is a number that is not what
/// gives the shape.
struct WithNumber {
  Value data;
  double number;
  bool isNumberFirst;
};
std::optional<WithNumber> withNumber(ElementwiseOp op);
/// What an elementwise op does to one operand: factor * x + summand.
struct Affine {
  double factor, summand;
};
/// That of `op`, without its activation, where its other operand is `number`;
/// none if it is something else.
std::optional<Affine> affineOf(ElementwiseOp op, double number,
                               bool isNumberLeft);

/// data * factor, of a chain of products with numbers; factor 1 for everything
/// that is not scaled.
struct ScaledValue {
  Value data;
  double factor = 1;
};
ScaledValue scaledOf(Value value);

/// factor * sum of `input` (or of its square) over `axes`.
struct ScaledSum {
  Value input;
  SmallVector<int64_t> axes;
  double factor = 1;
  bool isSquare = false;

  bool isMean() const;
};
ScaledSum scaledSumOf(Value value);
/// mean(x), if `op` is mean(x^2) - mean(x)^2.
std::optional<ScaledSum> meanOfVariance(ElementwiseOp op);

/// Whether `op` is a product whose rows are the channels of a 1x1 convolution.
bool isProductOfRows(Operation *op);
/// The transpose or reshape of data that makes `value`.
Operation *movementOf(Value value);
/// The transpose of data that makes `value`.
TransposeOp dataTransposeOf(Value value);
/// True for a function that the engine has: relu, or a table for it.
bool hasTable(ActivationKind kind);

/// Channels that the tile DMA stores side by side (interleave_r1).
inline bool isInterleaveFactor(int64_t factor) {
  return factor == 2 || factor == 4 || factor == 8;
}

/// True if no element of `value` can be below zero. Looks through a few ops.
bool isNonNegative(Value value, unsigned depth = 0);
/// True if `value` is what a layer computes: infinite only if that does not fit
/// f16. Data may be.
bool isFinite(Value value, unsigned depth = 0);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_PREDICATES_H
