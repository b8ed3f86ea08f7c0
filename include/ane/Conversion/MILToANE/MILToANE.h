//===- MILToANE.h - MIL to the ane dialect ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_MILTOANE_MILTOANE_H
#define ANE_CONVERSION_MILTOANE_MILTOANE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace mlir {
namespace ane {

#define GEN_PASS_DECL_CONVERTMILTOANE
#include "ane/Conversion/Passes.h.inc"

/// A statement that the host does, and why.
struct MILHostStatement {
  std::string name; ///< "gather"
  Location location;
  std::string reason;
};

/// Replaces the program of `module` by a function of ane ops, made of the one
/// called `function`, or of the only one. `milRoot` is the folder that
/// @model_path stands for. With `host`, what the engine cannot do becomes ops
/// of linalg, tensor, arith and scf, and `host` names the statements.
LogicalResult importMIL(ModuleOp module, StringRef function, StringRef milRoot,
                        SmallVectorImpl<MILHostStatement> *host = nullptr);

} // namespace ane
} // namespace mlir

#endif // ANE_CONVERSION_MILTOANE_MILTOANE_H
