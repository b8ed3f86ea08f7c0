//===- CentreNorms.cpp - Norms of what is far from 0 ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine sums in f32 and stores means in f16. A mean of 200 is off by up to
// 1/16, which all elements of a row of deviation 1 are off by after it. What is
// left of them is near 0, and has been subtracted without rounding: its own mean
// is that error, and the norm subtracts it.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/AccuracyGoal.h"

#include <cmath>

namespace mlir::ane {
#define GEN_PASS_DEF_ANECENTRENORMS
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

/// A mean of so many deviations is off by 8 roundings of a result near 1.
static constexpr double largestRatio = 8;

/// The least mean, in deviations, of elements in `range`. A deviation is at most
/// half of the distance of its ends.
static double leastRatio(const NumberRange &range, double epsilon) {
  if (range.isEmpty() || range.isAssumed() || range.contains(0))
    return 0;
  double mean = std::min(std::fabs(range.low), std::fabs(range.high));
  return mean / std::sqrt(std::pow((range.high - range.low) / 2, 2) + epsilon);
}

namespace {
struct CentreNorms : public mlir::ane::impl::ANECentreNormsBase<CentreNorms> {
  void runOnOperation() override {
    auto norms = llvm::to_vector(getOperation().getOps<LayerNormOp>());
    if (norms.empty())
      return markAllAnalysesPreserved();
    AccuracyGoal goal = getAccuracyGoal(getOperation());
    RangeAnalysis ranges(getOperation(), WeightsRead::OfKnown);
    for (LayerNormOp op : norms) {
      auto measured = op->getAttrOfType<FloatAttr>(kMeanRatioAttrName);
      double ratio = measured ? measured.getValueAsDouble()
                              : leastRatio(ranges.get(op.getInput()),
                                           op.getEpsilon().convertToDouble());
      op->removeAttr(kMeanRatioAttrName);
      bool isKnownSmall = measured && ratio <= largestRatio;
      if (goal == AccuracyGoal::Best ? isKnownSmall : ratio <= largestRatio)
        continue;
      OpBuilder builder(op);
      Steps steps(builder, op.getLoc());
      Value mean = steps.reduce(ReduceKind::Mean, op.getInput(), op.getAxes());
      op.getInputMutable().assign(steps.sub(op.getInput(), mean));
      ++centred;
    }
  }
};
} // namespace
