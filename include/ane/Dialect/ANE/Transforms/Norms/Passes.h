//===- Passes.h - Softmax and norms -----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ane {

#define GEN_PASS_DECL
#include "ane/Dialect/ANE/Transforms/Norms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/ANE/Transforms/Norms/Passes.h.inc"

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_H
