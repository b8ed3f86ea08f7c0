//===- FoldEvaluate.h - Ops on constants ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLDEVALUATE_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLDEVALUATE_H

#include "ane/Dialect/ANE/Utils/ConstantView.h"

namespace mlir::ane {

/// The value of an op: `view` points into `bytes`, or, when that is empty, into
/// the operand that it only shows in another way.
struct Evaluated {
  ConstantView view;
  std::optional<AsmResourceBlob> bytes;
};

/// Whether all elements of a value that is a constant, or becomes one, are the
/// same one.
using IsSplat = llvm::function_ref<bool(Value)>;

/// Whether evaluate() knows this op, with these element types and this size.
bool canEvaluate(Operation *op, IsSplat isSplat);

/// Whether the result of such an op is a splat, whatever its size.
bool staysSplat(Operation *op, IsSplat isSplat);

/// Computes an op that canEvaluate() accepts. A splat in gives a splat out, as
/// one element.
Evaluated evaluate(Operation *op, ArrayRef<ConstantView> operands);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLDEVALUATE_H
