//===- HWXToANE.h - Register programs back to tensor ops --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_HWXTOANE_HWXTOANE_H
#define ANE_CONVERSION_HWXTOANE_HWXTOANE_H

#include "ane/Dialect/HWX/IR/HWX.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
namespace ane {

#define GEN_PASS_DECL_ANELIFT
#include "ane/Conversion/Passes.h.inc"

/// Makes a function of ane ops that computes what `program` does, before it.
/// What is not understood is an error at the task.
FailureOr<func::FuncOp> liftProgram(hwx::ProgramOp program);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_HWXTOANE_HWXTOANE_H
