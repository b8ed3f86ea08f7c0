//===- ExpandAttention.h - Attention as products and softmax ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_EXPANDATTENTION_H
#define ANE_DIALECT_ANE_UTILS_EXPANDATTENTION_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// Replaces each ane.attention in `scope` by a product of queries and keys, a
/// softmax, and a product with the values.
void expandAttention(Operation *scope);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_EXPANDATTENTION_H
