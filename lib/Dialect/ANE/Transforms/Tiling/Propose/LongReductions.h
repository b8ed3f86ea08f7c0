//===- LongReductions.h - Norms and softmax of long dimensions --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGREDUCTIONS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGREDUCTIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::ane {

/// A norm or softmax along dimension `dim` of its input becomes reductions and
/// element-wise ops; others stay.
void expandReductions(Operation *op, int64_t dim);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGREDUCTIONS_H
