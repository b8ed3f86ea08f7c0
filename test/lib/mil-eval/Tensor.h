//===- Tensor.h - Values of the evaluator -----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every number is a double, whatever its type in the program: the evaluator
// computes what the operations mean, not how a machine rounds on the way. Only
// `cast`, `quantize` and constants go through the values that a type has. All
// element types but 64-bit integers fit a double exactly.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_TOOLS_MIL_EVAL_TENSOR_H
#define ANE_TEST_TOOLS_MIL_EVAL_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::ane::mileval {

using Shape = SmallVector<int64_t, 6>;

/// More elements than this in one value are refused: 1 GB of doubles.
constexpr int64_t kMaxElements = int64_t(1) << 27;

/// Product of the extents; -1 when it exceeds kMaxElements.
int64_t countElements(ArrayRef<int64_t> shape);
/// "1x3x8x8", or "scalar".
std::string shapeText(ArrayRef<int64_t> shape);
/// Distance between neighbours in each dimension, in elements.
Shape stridesOf(ArrayRef<int64_t> shape);

/// A tensor, a scalar (no dimensions) or a string (`data` is empty).
struct Tensor {
  Type element;
  Shape shape;
  std::vector<double> data;
  std::string text;

  Tensor() = default;
  /// All zeros. The count of elements must have been checked.
  Tensor(Type element, ArrayRef<int64_t> shape);
  int64_t size() const { return data.size(); }
  int64_t rank() const { return shape.size(); }
};

/// The value of `type` that `value` becomes: floats round to nearest even,
/// integers saturate and cut the fraction off, bool is `value != 0`.
double convertTo(Type type, double value);

/// Calls `body(index, position)` for every element of a row-major array.
template <typename Body> void forEachIndex(ArrayRef<int64_t> shape, Body body) {
  if (llvm::is_contained(shape, 0))
    return;
  Shape index(shape.size(), 0);
  for (int64_t position = 0;; ++position) {
    body(ArrayRef<int64_t>(index), position);
    int64_t dim = int64_t(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

/// A .npy file; the element type becomes that of the array.
llvm::Expected<Tensor> readNpy(StringRef path, MLIRContext *context);
/// Floats as float32, integers up to 32 bits and bools in their own type.
llvm::Error writeNpy(StringRef path, const Tensor &tensor);

} // namespace mlir::ane::mileval

#endif // ANE_TEST_TOOLS_MIL_EVAL_TENSOR_H
