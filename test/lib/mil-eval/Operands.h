//===- Operands.h - What several operations need ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_TOOLS_MIL_EVAL_OPERANDS_H
#define ANE_TEST_TOOLS_MIL_EVAL_OPERANDS_H

#include "Interpreter.h"

#include <optional>

namespace mlir::ane::mileval {

inline int64_t dot(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i)
    sum += index[i] * strides[i];
  return sum;
}

/// As numpy does it, from the right; nullopt when the shapes do not fit.
std::optional<Shape> broadcast(ArrayRef<int64_t> a, ArrayRef<int64_t> b);
/// Strides by which an index of `target` finds its element in `shape`.
Shape broadcastStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> target);

/// A result of `shape` whose elements are those of `from` at `source(index)`,
/// or `fill` where that is negative.
template <typename Source>
LogicalResult yieldMoved(Call &call, const Tensor &from,
                         ArrayRef<int64_t> shape, Source source,
                         double fill = 0) {
  if (call.failed())
    return failure();
  FailureOr<Tensor> result = call.make(shape);
  if (failed(result))
    return failure();
  forEachIndex(shape, [&](ArrayRef<int64_t> index, int64_t position) {
    int64_t place = source(index);
    result->data[position] = place < 0 ? fill : from.data[place];
  });
  return call.yield(std::move(*result));
}

/// `c[m][n] += a[m][k] * b[k][n]` on dense matrices.
void multiplyAdd(const double *a, const double *b, double *c, int64_t m,
                 int64_t n, int64_t k);

/// How a window moves along the spatial dimensions, always three of them: the
/// missing ones in front have extent 1.
struct Window {
  int64_t kernel[3], stride[3], dilation[3], before[3];
  int64_t in[3], out[3];
  /// Dimensions that the program has.
  int64_t spatial;
};

/// Reads strides, pad_type, pad and dilations of an op on `x` (n, c, spatial)
/// and computes the extents of its result.
FailureOr<Window> readWindow(Call &call, const Tensor &x,
                             ArrayRef<int64_t> kernel);

} // namespace mlir::ane::mileval

#endif // ANE_TEST_TOOLS_MIL_EVAL_OPERANDS_H
