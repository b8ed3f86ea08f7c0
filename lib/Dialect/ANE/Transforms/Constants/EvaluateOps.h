//===- EvaluateOps.h - What ane tensor ops compute --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of each op on arrays in row-major order. Sums run over their
// elements in order.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

namespace mlir::ane {

using GetArray = llvm::function_ref<const Array &(Value)>;

/// The result of `op`, whose operands `get` has; an error at an op without
/// definition.
FailureOr<Array> evaluateOp(Operation *op, GetArray get);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_EVALUATEOPS_H
