//===- CheckEquivalence.cpp - Does a pipeline change what is computed? ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "ane/Dialect/ANE/Transforms/Testing/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <random>

namespace mlir::ane {
#define GEN_PASS_DEF_ANECHECKEQUIVALENCE
#include "ane/Dialect/ANE/Transforms/Testing/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// Multiples of 1/8 in [-2, 2], or in (0, 2], so that sums of them are exact.
static SmallVector<Array> makeArguments(func::FuncOp function, bool positive,
                                        uint32_t seed) {
  std::mt19937 random(seed);
  SmallVector<Array> arguments;
  for (Type type : function.getArgumentTypes()) {
    Array array(cast<RankedTensorType>(type).getShape());
    for (float &value : array.data)
      value = positive ? (1 + random() % 16) * 0.125f
                       : (static_cast<int>(random() % 33) - 16) * 0.125f;
    arguments.push_back(std::move(array));
  }
  return arguments;
}

namespace {

struct CheckEquivalence
    : public mlir::ane::impl::ANECheckEquivalenceBase<CheckEquivalence> {
  using Base::Base;

  // The pipeline's ops may be of any dialect that its passes depend on.
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager passes("builtin.module");
    if (succeeded(parsePassPipeline(pipeline, passes, llvm::nulls())))
      passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    SmallVector<SmallVector<Array>> before;
    if (failed(evaluateAll(before)))
      return signalPassFailure();
    OpPassManager passes("builtin.module");
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (failed(parsePassPipeline(pipeline, passes, stream))) {
      emitError(getOperation().getLoc(), "cannot parse the pipeline: ")
          << message;
      return signalPassFailure();
    }
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    SmallVector<SmallVector<Array>> after;
    if (failed(evaluateAll(after)))
      return signalPassFailure();
    if (after.size() != before.size()) {
      emitError(getOperation().getLoc(), "the pipeline leaves ")
          << after.size() << " of " << before.size()
          << " functions; check each in a module of its own";
      return signalPassFailure();
    }
    for (auto [function, x, y] : llvm::zip_equal(getFunctions(), before, after))
      if (failed(compare(function, x, y)))
        signalPassFailure();
  }

private:
  /// Those that have a body.
  SmallVector<func::FuncOp> getFunctions() {
    return llvm::filter_to_vector(
        getOperation().getOps<func::FuncOp>(),
        [](func::FuncOp function) { return !function.isExternal(); });
  }

  LogicalResult evaluateAll(SmallVectorImpl<SmallVector<Array>> &results) {
    for (func::FuncOp function : getFunctions()) {
      if (failed(checkCanEvaluate(function)))
        return failure();
      FailureOr<SmallVector<Array>> result =
          evaluate(function, makeArguments(function, positive, seed));
      if (failed(result))
        return failure();
      results.push_back(std::move(*result));
    }
    return success();
  }

  LogicalResult compare(func::FuncOp function, ArrayRef<Array> before,
                        ArrayRef<Array> after) {
    float largest = 0, difference = 0;
    for (auto [x, y] : llvm::zip_equal(before, after)) {
      if (x.data.size() != y.data.size())
        return function.emitError("returns ")
               << y.data.size() << " elements, but returned " << x.data.size();
      for (auto [a, b] : llvm::zip_equal(x.data, y.data)) {
        largest = std::max(largest, std::fabs(a));
        // Also not a number, which compares unequal to everything.
        float distance = std::fabs(a - b);
        difference = a == b                 ? difference
                     : distance == distance ? std::max(difference, distance)
                                            : INFINITY;
      }
    }
    std::string text;
    llvm::raw_string_ostream(text)
        << "largest difference " << llvm::format("%.3g", difference)
        << ", largest magnitude " << llvm::format("%.3g", largest);
    // Infinities that are the same have no distance, of infinitely many.
    if (difference != 0 && !(difference <= tolerance * largest))
      return emitError(function.getLoc(), "@")
             << function.getName() << " computes something else: " << text;
    emitRemark(function.getLoc(), "@")
        << function.getName() << " computes the same: " << text;
    return success();
  }
};

} // namespace
