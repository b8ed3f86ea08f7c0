//===- LinalgToANE.h - linalg to the ane dialect ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_LINALGTOANE_LINALGTOANE_H
#define ANE_CONVERSION_LINALGTOANE_LINALGTOANE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
namespace ane {

class FunctionImporter;

#define GEN_PASS_DECL_CONVERTLINALGTOANE
#include "ane/Conversion/Passes.h.inc"

/// Teaches `importer` the ops of linalg and tensor.
void addLinalgImport(FunctionImporter &importer);
/// Convolutions and poolings whose bodies compute what they read: that becomes
/// an op of its own.
void separateWindows(func::FuncOp function);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_LINALGTOANE_LINALGTOANE_H
