//===- DecomposeNorms.cpp - Norms before what is around them --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Norms/Passes.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEDECOMPOSENORMS
#include "ane/Dialect/ANE/Transforms/Norms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct DecomposeNorms
    : DecomposePass<DecomposeNorms,
                    mlir::ane::impl::ANEDecomposeNormsBase<DecomposeNorms>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    return rewrite(options,
                   {populateGroupNormPatterns, populateNormFactorPatterns});
  }
};
} // namespace
