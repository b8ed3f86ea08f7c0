//===- Passes.h - L2 and DRAM -----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ane {

#define GEN_PASS_DECL
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/ANE/Transforms/Memory/Passes.h.inc"

/// ane-keep-in-l2 that leaves the plan in `text` rather than in the file that
/// its options name.
std::unique_ptr<Pass> createKeepInL2(const ANEKeepInL2Options &options,
                                     std::string *text);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_MEMORY_PASSES_H
