//===- Target.h - The generation that a module is for -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute `ane.target` of a module names the generation of the engine
// that its programs are for. ane-set-target writes it, first of all passes, and
// convert-ane-to-hwx takes it away: a program says itself what it is for.
// Verifiers and passes measure with the limits of that generation.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_TARGET_H
#define ANE_DIALECT_ANE_IR_TARGET_H

#include "ane/HW/Generation.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::ane {

/// The generation of the innermost module around `op` that names one, else the
/// default. Function passes may call it: nobody but a module pass
/// changes the attribute.
const ::ane::hw::GenerationInfo &getTarget(Operation *op);

void setTarget(ModuleOp module, const ::ane::hw::GenerationInfo &generation);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_IR_TARGET_H
