//===- ANEToHWX.h - Tasks to register programs ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_ANETOHWX_ANETOHWX_H
#define ANE_CONVERSION_ANETOHWX_ANETOHWX_H

#include "ane/HW/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <string>

namespace mlir::ane {

#define GEN_PASS_DECL_CONVERTANETOHWX
#include "ane/Conversion/Passes.h.inc"

struct EncodingOptions {
  ::ane::hw::Generation generation = ::ane::hw::Generation::H13;
  std::string flavour = "clean";
  /// Also mechanisms that no recorded program shows.
  bool allowUnproven = false;
  /// Constants keep their bytes: others than the module of the function use
  /// them, too.
  bool keepConstants = false;
};

/// The most inputs and outputs of a program: its tasks name each by a base.
unsigned maxSurfaces(const ::ane::hw::GenerationInfo &info);

/// The register program of a function whose tasks have layouts and addresses.
/// Weights go from the blobs of the constants into the constant section, and
/// blobs that nothing in the module uses any more are given back.
FailureOr<::ane::hw::Program> encodeProgram(func::FuncOp func,
                                            const EncodingOptions &options);

} // namespace mlir::ane

#endif // ANE_CONVERSION_ANETOHWX_ANETOHWX_H
