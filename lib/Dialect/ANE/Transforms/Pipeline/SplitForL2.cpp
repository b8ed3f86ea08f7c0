//===- SplitForL2.cpp - Parts of what is too large ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandOps.h"

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Pipeline/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/CutLongDims.h"
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
    if (failed(split(options)))
      return failure();
    // What ops become may have longer dimensions than they have. Parts of it are
    // ops of several passes again; each round has shorter ones.
    constexpr int maxRounds = 4;
    for (int round = 0; round < maxRounds && cutLong(options); ++round)
      if (failed(rewrite(options, populateUnifyRankPatterns)) ||
          failed(rewrite(options, populateExpandPatterns)) ||
          failed(split(options)))
        return failure();
    return success();
  }

private:
  // Each looks at what the one before has left.
  LogicalResult split(const DecomposeOptions &options) {
    for (PopulatePatterns patterns :
         {populateSplitForStripsPatterns, populateFewOutputsPatterns,
          populateSplitPatterns})
      if (failed(rewrite(options, {patterns})))
        return failure();
    return success();
  }

  bool cutLong(const DecomposeOptions &options) {
    int64_t cut = shortenDims(getOperation(), options.generation);
    rewritten += cut;
    return cut > 0;
  }
};
} // namespace
