//===- TensorSizes.h - Tensors that no program can hold ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of MLIR may have no elements, or more than can be counted. Passes that
// divide and multiply by sizes rely on these checks, which come first.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_TENSORSIZES_H
#define ANE_DIALECT_ANE_UTILS_TENSORSIZES_H

#include "mlir/IR/Operation.h"

namespace mlir::ane {

/// Fails with an error for each op of the ane dialect at or below `root` that
/// takes or gives a tensor without elements or with more than 2^40, and for
/// each function whose arguments or results do.
LogicalResult checkTensorSizes(Operation *root);

/// Fails with an error for each argument, result and constant of the functions
/// at or below `root` that has more bytes than 32-bit addresses reach.
LogicalResult checkAddresses(Operation *root);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_TENSORSIZES_H
