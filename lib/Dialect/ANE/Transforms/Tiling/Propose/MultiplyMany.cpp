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

Value mlir::ane::multiplyMany(OpBuilder &builder, MatmulOp op,
                              const ::ane::hw::GenerationInfo &info) {
  RankedTensorType type = op.getType(), left = typeOf(op.getLhs()),
                   right = typeOf(op.getRhs());
  if (type.getRank() != 4 || left.getRank() != 4 || right.getRank() != 4 ||
      left.getShape().take_front(2) != right.getShape().take_front(2) ||
      left.getNumElements() == 0 || right.getNumElements() == 0)
    return {};
  const int64_t matrices = type.getDimSize(0) * type.getDimSize(1);
  const int64_t rows = type.getDimSize(2), columns = type.getDimSize(3);
  const int64_t depth = left.getDimSize(op.getTransposeLhs() ? 2 : 3);
  // A sum moves `depth` times as much as a product does: guess that this is
  // worth it where the tasks would be a large part of a program.
  if (matrices <= int64_t(info.maxTasks) / (depth == 1 ? 256 : 4))
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
