//===- StableHLOToANE.h - StableHLO to the ane dialect ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_STABLEHLOTOANE_STABLEHLOTOANE_H
#define ANE_CONVERSION_STABLEHLOTOANE_STABLEHLOTOANE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
namespace ane {

class FunctionImporter;

#define GEN_PASS_DECL_CONVERTSTABLEHLOTOANE
#include "ane/Conversion/Passes.h.inc"

/// Teaches `importer` the StableHLO ops.
void addStableHLOImport(FunctionImporter &importer);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_STABLEHLOTOANE_STABLEHLOTOANE_H
