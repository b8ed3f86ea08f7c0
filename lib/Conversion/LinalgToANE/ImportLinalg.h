//===- ImportLinalg.h - Parts of the linalg import --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers for linalg and tensor, one function a theme; LinalgToANE.cpp
// puts them together.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H
#define ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace ane {

/// Named convolutions and poolings.
void addLinalgWindowImport(FunctionImporter &importer);
/// Everything that is described well enough by its maps and its body:
/// elementwise ops, broadcasts, transposes, fills, reductions, contractions.
void addLinalgLoopImport(FunctionImporter &importer);
/// tensor.*
void addTensorImport(FunctionImporter &importer);

/// Ends the import of an op: its result is `result`, computed from nothing,
/// combined with what its destination held before (if that changes anything).
LogicalResult mapWithInit(FunctionImporter &importer, linalg::LinalgOp op,
                          Value result, ElementwiseKind kind);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H
