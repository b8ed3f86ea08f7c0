//===- ANEToLinalg.h - Ops of the engine, for the host ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_ANETOLINALG_ANETOLINALG_H
#define ANE_CONVERSION_ANETOLINALG_ANETOLINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
namespace ane {

#define GEN_PASS_DECL_CONVERTANETOLINALG
#include "ane/Conversion/Passes.h.inc"

/// Whether lowerToLinalg() knows `op`, which is of the ane dialect.
bool hasLinalgForm(Operation *op);

/// Replaces the tensor ops of the ane dialect in `function`. An op that has no
/// such form is an error.
LogicalResult lowerToLinalg(func::FuncOp function);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_ANETOLINALG_ANETOLINALG_H
