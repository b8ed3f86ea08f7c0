//===- SplitWindows.cpp - Windows that the engine has ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESPLITWINDOWS
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct SplitWindows
    : DecomposePass<SplitWindows,
                    mlir::ane::impl::ANESplitWindowsBase<SplitWindows>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    return rewrite(
        options,
        {populateRuntimeEpiloguePatterns, populateRuntimeConvPatterns,
         populateLargePoolPatterns, populateDecomposePhasesPatterns,
         populateDecomposeTransposedPatterns, populateDecomposeWindowPatterns});
  }
};
} // namespace
