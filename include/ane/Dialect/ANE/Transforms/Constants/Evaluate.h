//===- Evaluate.h - What ane tensor ops compute -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of every tensor op as a loop over its result, in f32 and
// without any rounding to f16: what a rewrite must not change. It is written
// for reading; only convolutions and products are fast. The simulator runs
// networks.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATE_H
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATE_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// A tensor in row-major order.
struct Array {
  explicit Array(ArrayRef<int64_t> shape)
      : shape(shape), data(ShapedType::getNumElements(shape), 0.0f) {}

  int64_t dim(unsigned i) const { return shape[i]; }
  /// Row-major position of an index. Dimensions of 1 are broadcast.
  size_t offset(ArrayRef<int64_t> index) const;
  float at(ArrayRef<int64_t> index) const { return data[offset(index)]; }
  float &at(ArrayRef<int64_t> index) { return data[offset(index)]; }

  SmallVector<int64_t> shape;
  std::vector<float> data;
};

/// Whether `function` has a body of one block, and tensors as arguments; an
/// error if not.
LogicalResult checkCanEvaluate(func::FuncOp function);

/// What `function`, for which that is so, returns. Fails with an error at an op
/// without definition. `observe` sees the result of each op, and may change it
/// for the ops after it.
FailureOr<SmallVector<Array>>
evaluate(func::FuncOp function, ArrayRef<Array> arguments,
         llvm::function_ref<void(Value, Array &)> observe = {});

/// The elements of `value` where they follow from constants alone, by ops that
/// move elements or take them one by one. Nothing where they do not, where an
/// operand or result has more than `maxElements`, or for more ops than anybody
/// computes a size or an index with.
std::optional<Array> evaluateConstant(Value value, int64_t maxElements);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATE_H
