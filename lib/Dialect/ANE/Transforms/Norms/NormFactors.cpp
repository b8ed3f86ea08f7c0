//===- NormFactors.cpp - What convolutions take over from a norm ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormFactors.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/HW/HalfRounding.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

FailureOr<NormFactors> mlir::ane::readFactors(int64_t channels, Value gamma,
                                              Value beta) {
  NormFactors factors;
  factors.scale.assign(channels, 1.0f);
  for (auto [value, values] :
       {std::pair(gamma, &factors.scale), std::pair(beta, &factors.offset)})
    if (value) {
      FailureOr<SmallVector<float>> read = readConstant(value);
      if (failed(read))
        return failure();
      *values = *read;
    }
  return factors;
}

// A 1x1 convolution by constants: W f(x) + b.
static bool takesFactors(ConvOp conv) {
  return isImage(conv.getResult()) && conv.getGroups() == 1 &&
         conv.hasUnitKernel() && !conv.getScale() &&
         conv.getWeight().getDefiningOp<ConstantOp>() &&
         (!conv.getBias() || conv.getBias().getDefiningOp<ConstantOp>()) &&
         !conv.hasPadding();
}

static FailureOr<TakenFactors> takeFactors(ConvOp conv,
                                           const NormFactors &factors) {
  FailureOr<SmallVector<float>> weight = readConstant(conv.getWeight());
  if (failed(weight))
    return failure();
  TakenFactors taken{conv, std::move(*weight), {}};
  int64_t outputs = typeOf(conv.getResult()).getDimSize(1);
  if (conv.getBias()) {
    FailureOr<SmallVector<float>> given = readConstant(conv.getBias());
    if (failed(given))
      return failure();
    taken.bias = *given;
  } else if (!factors.offset.empty()) {
    taken.bias.assign(outputs, 0.0f);
  }
  int64_t inputs = factors.scale.size();
  for (int64_t o = 0; o < outputs; ++o) {
    double sum = 0;
    for (int64_t i = 0; i < inputs; ++i) {
      float &value = taken.weight[o * inputs + i];
      if (!factors.offset.empty())
        sum += double(value) * factors.offset[i];
      value *= factors.scale[i];
    }
    if (!factors.offset.empty())
      taken.bias[o] += sum;
  }
  return taken;
}

FailureOr<SmallVector<TakenFactors>>
mlir::ane::takeFactors(Operation *norm, const NormFactors &factors) {
  SmallVector<TakenFactors> all;
  for (Operation *user : norm->getUsers())
    if (auto conv = dyn_cast<ConvOp>(user); !conv || !takesFactors(conv))
      return failure();
  for (Operation *user : norm->getUsers()) {
    FailureOr<TakenFactors> taken = ::takeFactors(cast<ConvOp>(user), factors);
    if (failed(taken))
      return failure();
    all.push_back(std::move(*taken));
  }
  if (all.empty())
    return failure();
  return all;
}

void mlir::ane::replaceWeights(PatternRewriter &rewriter,
                               const TakenFactors &taken, bool areRounded) {
  ConvOp conv = taken.conv;
  Location loc = conv.getLoc();
  rewriter.setInsertionPoint(conv);
  ArrayRef<int64_t> shape = typeOf(conv.getWeight()).getShape();
  Value weight, bias;
  if (llvm::all_equal(taken.weight))
    weight = splatConstant(rewriter, loc, shape, taken.weight.front());
  else if (areRounded)
    weight = arrayConstant(rewriter, loc, shape, taken.weight);
  else
    weight = unroundedConstant(rewriter, loc, shape, taken.weight);
  if (!taken.bias.empty())
    bias = unroundedConstant(rewriter, loc, {int64_t(taken.bias.size())},
                             taken.bias);
  rewriter.modifyOpInPlace(conv, [&] {
    conv.getWeightMutable().assign(weight);
    if (bias)
      conv.getBiasMutable().assign(bias);
  });
}
