//===- CheckSizes.cpp - Tensors that no program can have ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/TensorSizes.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANECHECKSIZES
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

namespace {
struct CheckSizes : mlir::ane::impl::ANECheckSizesBase<CheckSizes> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering))
      return signalPassFailure();
    bool isAccepted = succeeded(checkTensorSizes(getOperation())) &&
                      succeeded(checkAddresses(getOperation()));
    if (auto check = lowering->policy->planar.check)
      getOperation()->walk(
          [&](Operation *op) { isAccepted &= succeeded(check(op)); });
    if (!isAccepted)
      signalPassFailure();
  }
};
} // namespace
