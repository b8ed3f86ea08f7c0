//===- SplitForL2.cpp - Parts of what is too large ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANESPLITFORL2
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct SplitForL2
    : DecomposePass<SplitForL2,
                    mlir::ane::impl::ANESplitForL2Base<SplitForL2>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    // Each looks at what the one before has left.
    for (PopulatePatterns patterns :
         {populateSplitForStripsPatterns, populateFewOutputsPatterns,
          populateSplitPatterns})
      if (failed(rewrite(options, {patterns})))
        return failure();
    return success();
  }
};
} // namespace
