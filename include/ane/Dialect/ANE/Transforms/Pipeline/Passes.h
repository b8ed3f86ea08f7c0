//===- Passes.h - Passes of several themes ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_H
#define ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::ane {

#define GEN_PASS_DECL
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_H
