//===- Fold.h - Ops on constants as constants -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLD_H
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLD_H

namespace mlir {
class Operation;

namespace ane {

/// As ane-fold does, for a pass whose rewrites others take for constants.
void foldConstants(Operation *root);

} // namespace ane
} // namespace mlir

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_FOLD_H
