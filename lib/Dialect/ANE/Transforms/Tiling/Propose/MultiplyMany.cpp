//===- MultiplyMany.cpp - Products of many matrices -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of matrices is a task for each of them. Of very many it is a product
// of elements and the sum of these along rows:
//
//   x y, N x H x I x K and N x H x K x J
//     sum over k of x[m, i, 1, k] * y[m, 1, j, k], m one of N * H
//
// That moves K times as many elements as there are results, in a number of tasks
// that does not grow with the matrices.
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

/// The matrices with what is summed over last, in another shape.
static Value shapedAs(OpBuilder &builder, Location loc, Value matrix,
                      bool isTransposed, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> own = shapeOf(matrix);
  if (isTransposed && own[2] != 1 && own[3] != 1)
    matrix = permuted(builder, loc, matrix, {0, 1, 3, 2});
  return constantReshaped(builder, loc, matrix, shape);
}

/// A sum moves as many times as much as a product does as it has terms: guess
/// that this is worth it where the tasks would be a large part of a program.
static int64_t tooMany(const ::ane::hw::GenerationInfo &info) {
  return info.maxTasks / 4;
}

/// Of heads that share a matrix, a product of all their rows with it.
static MatmulOp joinHeads(OpBuilder &builder, MatmulOp op,
                          const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> left = shapeOf(op.getLhs()), right = shapeOf(op.getRhs());
  if (left.size() != 4 || right.size() != 4 || left[1] == 1 || right[1] != 1 ||
      op.getTransposeLhs() || left[0] * left[1] <= tooMany(info))
    return {};
  auto joined = [](RankedTensorType type) {
    ArrayRef<int64_t> shape = type.getShape();
    return type.clone({shape[0], 1, shape[1] * shape[2], shape[3]});
  };
  Value lhs = reshaped(builder, op.getLoc(), op.getLhs(),
                       joined(typeOf(op.getLhs())).getShape());
  return MatmulOp::create(builder, op.getLoc(), joined(op.getType()), lhs,
                          op.getRhs(), /*transpose_lhs=*/false,
                          op.getTransposeRhs(), op.getActivationAttr());
}

Value mlir::ane::multiplyMany(OpBuilder &builder, MatmulOp op,
                              const ::ane::hw::GenerationInfo &info) {
  if (MatmulOp joined = joinHeads(builder, op, info)) {
    Value product = multiplyMany(builder, joined, info);
    if (product)
      joined.erase();
    else
      product = joined;
    return reshaped(builder, op.getLoc(), product, op.getType().getShape());
  }
  RankedTensorType type = op.getType(), left = typeOf(op.getLhs()),
                   right = typeOf(op.getRhs());
  if (type.getRank() != 4 || left.getRank() != 4 || right.getRank() != 4 ||
      left.getShape().take_front(2) != right.getShape().take_front(2) ||
      left.getNumElements() == 0 || right.getNumElements() == 0)
    return {};
  const int64_t matrices = type.getDimSize(0) * type.getDimSize(1);
  const int64_t rows = type.getDimSize(2), columns = type.getDimSize(3);
  const int64_t depth = left.getDimSize(op.getTransposeLhs() ? 2 : 3);
  if (matrices <= tooMany(info) / (depth == 1 ? 64 : 1))
    return {};
  Location loc = op.getLoc();
  SmallVector<int64_t> ofLeft = {matrices, rows, 1, depth},
                       ofRight = {matrices, 1, columns, depth};
  if (depth == 1)
    std::swap(ofRight[2], ofRight[3]); // nothing is summed: columns lie in rows
  Value product = binary(
      builder, loc, ElementwiseKind::Mul,
      shapedAs(builder, loc, op.getLhs(), op.getTransposeLhs(), ofLeft),
      shapedAs(builder, loc, op.getRhs(), !op.getTransposeRhs(), ofRight));
  if (depth > 1)
    product = ReduceOp::create(builder, loc, withDim(typeOf(product), 3, 1),
                               ReduceKind::Sum, product, ArrayRef<int64_t>{3});
  return activated(builder, loc,
                   constantReshaped(builder, loc, product, type.getShape()),
                   op.getActivationAttr());
}
