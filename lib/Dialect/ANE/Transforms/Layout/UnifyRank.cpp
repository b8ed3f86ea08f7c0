//===- UnifyRank.cpp - Tensors of four dimensions -------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h"
#include "ane/Dialect/ANE/Transforms/Layout/Patterns.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEUNIFYRANK
#include "ane/Dialect/ANE/Transforms/Layout/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct UnifyRank
    : DecomposePass<UnifyRank, mlir::ane::impl::ANEUnifyRankBase<UnifyRank>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    return rewrite(options, {populateRankPatterns});
  }
};
} // namespace
