//===- ReleaseConstants.cpp - Free resources that nothing uses ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Passes.h"
#include "ane/Dialect/ANE/Utils/ConstantBlobs.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANERELEASECONSTANTS
#include "ane/Dialect/ANE/Transforms/Constants/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct ReleaseConstants
    : public ane::impl::ANEReleaseConstantsBase<ReleaseConstants> {
  void runOnOperation() override {
    auto [blobs, bytes] = releaseUnusedBlobs(getOperation());
    releasedBlobs += blobs;
    releasedBytes += bytes;
    markAllAnalysesPreserved();
  }
};
} // namespace
