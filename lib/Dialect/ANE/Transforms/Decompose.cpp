//===- Decompose.cpp - Take apart what the engine cannot do ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "ane/Dialect/ANE/Transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEDECOMPOSE
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct Decompose : public mlir::ane::impl::ANEDecomposeBase<Decompose> {
  using Base::Base;

  void runOnOperation() override {
    auto generation = ::ane::hw::parseGeneration(target);
    if (!generation.ok()) {
      emitError(getOperation()->getLoc(),
                std::string(generation.status().message()));
      return signalPassFailure();
    }
    DecomposeOptions options = {::ane::hw::info(*generation), allowUnproven};
    RewritePatternSet patterns(&getContext());
    populateDecomposePoolPatterns(patterns, options);
    GreedyRewriteConfig config;
    // Top-down: a pool whose input is a pool sees what became of it.
    config.setUseTopDownTraversal(true);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      emitError(getOperation()->getLoc(),
                "rewriting did not come to an end after ")
          << config.getMaxIterations() << " rounds";
      return signalPassFailure();
    }
  }
};
} // namespace
