//===- Passes.h - The passes over the mil dialect ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_TRANSFORMS_PASSES_H
#define ANE_DIALECT_MIL_TRANSFORMS_PASSES_H

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ane::mil {

#define GEN_PASS_DECL
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/MIL/Transforms/Passes.h.inc"

} // namespace mlir::ane::mil

#endif // ANE_DIALECT_MIL_TRANSFORMS_PASSES_H
