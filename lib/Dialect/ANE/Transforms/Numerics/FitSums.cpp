//===- FitSums.cpp - Keep running sums within the engine's ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A running sum of products is lost from hw::sumLimit on, whatever its result
// is. With weights and bias of 2^-k, and the multiplier after the sum of 2^k,
// nothing else changes: powers of two are exact, but in what they push below
// the smallest normal half, and in the sums of 2^-16 of fixed point, which
// become sums of 2^(k-16). So k is small where the bound is only one.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h"

#include "ane/Dialect/ANE/IR/Target.h"
#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/HW/Sums.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"

#include <cmath>

#define DEBUG_TYPE "ane-fit-sums"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEFITSUMS
#include "ane/Dialect/ANE/Transforms/Numerics/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;

namespace {

/// The powers of two that sums are brought down by at most. What data showed is
/// near what sums will be. A bound from what ops mean is often far above it: 4
/// leaves sums of 2^-12, which are all digits of results from 1 on.
constexpr int maxByData = 10, maxByBound = 4;

struct FitSums : public mlir::ane::impl::ANEFitSumsBase<FitSums> {
  using Base::Base;

  void runOnOperation() override {
    info = &getTarget(getOperation());
    limit = hw::sumLimit(info->sums);
    RangeAnalysis ranges(getOperation(), WeightsRead::OfKnown);
    // Before anything is changed: what is new has no range.
    SmallVector<Excess> excesses;
    getOperation()->walk([&](Operation *op) {
      if (!isa<ConvOp, MatmulOp>(op))
        return;
      RangeSource source = RangeSource::Known;
      for (Value operand : op->getOperands())
        source = std::max(source, ranges.get(operand).source);
      if (source == RangeSource::Assumed)
        return; // nobody knows anything
      std::optional<double> bound = ranges.runningSum(op);
      if (bound && *bound >= limit && std::isfinite(*bound))
        excesses.push_back({op, *bound, source});
    });
    for (const Excess &excess : excesses)
      fit(excess);
    llvm::SmallSetVector<Operation *, 8> originals;
    for (auto &[key, value] : constants)
      originals.insert(key.first.getDefiningOp());
    for (Operation *original : originals)
      if (original->use_empty())
        original->erase();
    // What data shows holds for this form of the network alone.
    getOperation()->walk([](Operation *op) { op->removeAttr(kRangeAttrName); });
    if (excesses.empty())
      markAllAnalysesPreserved();
  }

private:
  struct Excess {
    Operation *op;
    double bound;
    RangeSource source;
  };

  void fit(const Excess &excess);
  void remark(const Excess &excess, const Twine &why);
  bool asksForRanges();
  std::string losesWeights(ArrayRef<float> weights, float factor) const;
  Value scaled(ConvOp conv, Value constant, ArrayRef<float> values,
               float factor);

  const hw::GenerationInfo *info = nullptr;
  double limit = 0;
  llvm::DenseMap<std::pair<Value, int>, Value> constants;
};

} // namespace

/// Whether the user said, or data showed, what values are. Only then is a bound
/// worth a remark: those of what ops mean are far above most sums.
bool FitSums::asksForRanges() {
  func::FuncOp function = getOperation();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, kRangeAttrName))
      return true;
  return false;
}

void FitSums::remark(const Excess &excess, const Twine &why) {
  LDBG() << "leaves " << excess.op->getName() << ": " << why;
  if (!asksForRanges())
    return;
  std::string bound;
  llvm::raw_string_ostream(bound) << llvm::format("%.4g", excess.bound);
  emitRemark(excess.op->getLoc())
      << excess.op->getName() << ": a running sum may reach " << bound
      << ", and " << info->name << " loses sums of " << int64_t(limit)
      << " or more; " << why
      << (excess.source == RangeSource::Data
              ? "; scale its operands down and its result up"
              : "; --calibrate FOLDER measures the sums on data");
}

/// Why weights cannot be this much smaller; empty where they can. Halves below
/// 2^-14 have fewer digits, and count as zero where halves are added up. That
/// is no loss below the last digit of the largest weight.
std::string FitSums::losesWeights(ArrayRef<float> weights, float factor) const {
  const double loss = info->sums == hw::SumArithmetic::HalfSums
                          ? smallestNormalHalf
                          : smallestHalf / 2;
  constexpr double lastDigit = 0x1p-12;
  double largest = 0;
  bool becomesSubnormal = false;
  for (float weight : weights) {
    const double size = std::fabs(weight) * double(factor);
    largest = std::max(largest, size);
    becomesSubnormal |= size != 0 && size < smallestNormalHalf;
  }
  if (!becomesSubnormal || loss <= largest * lastDigit)
    return "";
  std::string text;
  llvm::raw_string_ostream(text)
      << "weights of at most " << llvm::format("%.4g", largest / factor)
      << " would lose digits if they were scaled by " << factor;
  return text;
}

Value FitSums::scaled(ConvOp conv, Value constant, ArrayRef<float> values,
                      float factor) {
  Value &entry = constants[{constant, std::ilogb(factor)}];
  if (entry)
    return entry;
  SmallVector<float> products(values);
  for (float &value : products)
    value *= factor;
  OpBuilder builder(constant.getDefiningOp());
  builder.setInsertionPointAfter(constant.getDefiningOp());
  entry = createConstant(builder, constant.getLoc(),
                         cast<RankedTensorType>(constant.getType()), products);
  return entry;
}

void FitSums::fit(const Excess &excess) {
  const int exponent = std::ilogb(excess.bound / limit) + 1;
  auto conv = dyn_cast<ConvOp>(excess.op);
  if (!conv)
    return remark(excess, "its factors are not constants");
  const int most = excess.source == RangeSource::Data ? maxByData : maxByBound;
  if (exponent > most)
    return remark(excess, "sums of 2^-16 would become sums of 2^" +
                              Twine(exponent - 16) + " if it were scaled");
  FailureOr<SmallVector<float>> weights = readConstant(conv.getWeight());
  std::optional<float> scale =
      conv.getScale() ? getSplatValue(conv.getScale()) : 1.0f;
  if (failed(weights) || !scale)
    return remark(excess, "its weights or its scale are not constants");
  const float factor = std::ldexp(1.0f, -exponent);
  std::string reason = losesWeights(*weights, factor);
  if (!reason.empty())
    return remark(excess, reason);
  const float after = *scale / factor;
  if (after > largestHalf)
    return remark(excess, "its scale has no room");
  conv.getWeightMutable().assign(
      scaled(conv, conv.getWeight(), *weights, factor));
  auto weightType = cast<RankedTensorType>(conv.getWeight().getType());
  OpBuilder builder(conv);
  auto type = RankedTensorType::get(weightType.getDimSize(0),
                                    weightType.getElementType());
  conv.getScaleMutable().assign(
      createConstant(builder, conv.getLoc(), type,
                     SmallVector<float>(weightType.getDimSize(0), after)));
  ++scaledSums;
}
