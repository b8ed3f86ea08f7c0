//===- ExpandOps.cpp - Ops of several engine passes -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandOps.h"

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEEXPANDOPS
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

void mlir::ane::populateExpandPatterns(RewritePatternSet &patterns,
                                       const DecomposeOptions &options) {
  if (auto populate = options.policy.planar.populatePatterns)
    populate(patterns, options);
  for (PopulatePatterns populate :
       {populateDecomposeConvPatterns, populateDecomposeElementwisePatterns,
        populateDecomposeLayoutPatterns, populateDecomposeLogicPatterns,
        populateDecomposeNormPatterns, populateDecomposePoolPatterns,
        populateDecomposeResizePatterns, populateDecomposeShapePatterns})
    populate(patterns, options);
}

namespace {
struct ExpandOps
    : DecomposePass<ExpandOps, mlir::ane::impl::ANEExpandOpsBase<ExpandOps>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    return rewrite(options, populateExpandPatterns);
  }
};
} // namespace
