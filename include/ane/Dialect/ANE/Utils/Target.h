//===- Target.h - The option `target` of passes -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_TARGET_H
#define ANE_DIALECT_ANE_UTILS_TARGET_H

#include "ane/HW/Generation.h"

#include "mlir/IR/Operation.h"

namespace mlir::ane {

/// "h13" -> H13. Where programs of no such generation can be made, that is
/// reported at `op`, with the names that there are.
FailureOr<::ane::hw::Generation> getTarget(Operation *op, StringRef target);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_TARGET_H
