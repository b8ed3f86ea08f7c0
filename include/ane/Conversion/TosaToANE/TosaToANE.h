//===- TosaToANE.h - TOSA to the ane dialect --------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_TOSATOANE_TOSATOANE_H
#define ANE_CONVERSION_TOSATOANE_TOSATOANE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
namespace ane {

class FunctionImporter;

#define GEN_PASS_DECL_CONVERTTOSATOANE
#include "ane/Conversion/Passes.h.inc"

/// Teaches `importer` the TOSA ops.
void addTosaImport(FunctionImporter &importer);
/// Reads of variables that nobody writes become constants.
void foldVariables(ModuleOp module);
/// Shapes that follow from sizes, which are known, become constants.
void addKnownShapePatterns(RewritePatternSet &patterns);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_TOSATOANE_TOSATOANE_H
