//===- Steps.cpp - Building blocks of forms that f16 holds ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

static RankedTensorType halfOf(MLIRContext *context, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float16Type::get(context));
}

Value Steps::activate(Value x, ActivationKind kind, double alpha, double beta) {
  return ActivationOp::create(
      builder, loc, halfOf(x.getContext(), shapeOf(x)), x,
      ActivationAttr::get(x.getContext(), kind, alpha, beta));
}

Value Steps::binary(ElementwiseKind kind, Value lhs, Value rhs, double scale,
                    double bias) {
  SmallVector<int64_t> shape;
  for (auto [a, b] : llvm::zip_equal(shapeOf(lhs), shapeOf(rhs)))
    shape.push_back(std::max(a, b));
  return ElementwiseOp::create(builder, loc, halfOf(lhs.getContext(), shape),
                               kind, lhs, rhs, llvm::APFloat(float(scale)),
                               llvm::APFloat(float(bias)), ActivationAttr());
}

Value Steps::binary(ElementwiseKind kind, Value lhs, double rhs) {
  return binary(kind, lhs, number(rhs, lhs));
}

Value Steps::number(double value, Value like) {
  SmallVector<int64_t> ones(shapeOf(like).size(), 1);
  auto type = RankedTensorType::get(ones, builder.getF32Type());
  return ConstantOp::create(builder, loc,
                            DenseElementsAttr::get(type, float(value)));
}

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
    x = binary(ElementwiseKind::Mul, x, part);
  return x;
}

Value Steps::reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(shapeOf(x)), sorted(axes);
  llvm::sort(sorted);
  for (int64_t axis : sorted)
    shape[axis] = 1;
  return ReduceOp::create(builder, loc, halfOf(x.getContext(), shape), kind, x,
                          sorted);
}

Value Steps::reshape(Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  return ReshapeOp::create(
      builder, loc,
      RankedTensorType::get(shape, getElementTypeOrSelf(x.getType())), x);
}

Value Steps::transpose(Value x, ArrayRef<int64_t> perm) {
  return TransposeOp::create(builder, loc, x, perm);
}
