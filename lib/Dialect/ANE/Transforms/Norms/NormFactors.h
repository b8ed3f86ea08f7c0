//===- NormFactors.h - What convolutions take over from a norm --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution of one pixel after a norm of channels can have what the norm
// does to each channel in its weights and bias:
//
//   W (gamma x + beta) + b = (W gamma) x + (W beta + b)
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NORMS_NORMFACTORS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NORMS_NORMFACTORS_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::ane {

/// Up to so many channels, products with a matrix take less time than a pass
/// over all of them.
constexpr int64_t maxNarrowChannels = 128;

/// gamma and beta of a norm of channels; ones and nothing if there are none.
struct NormFactors {
  SmallVector<float> scale, offset;
};

/// Fails if one is no constant that can be read.
FailureOr<NormFactors> readFactors(int64_t channels, Value gamma, Value beta);

/// Of a convolution after the norm: what it has with the factors.
struct TakenFactors {
  ConvOp conv;
  SmallVector<float> weight;
  SmallVector<float> bias; ///< none: it has no bias then, either
};

/// Of all users of a norm. Fails if there are none, or if one of them is no 1x1
/// convolution by constants.
FailureOr<SmallVector<TakenFactors>> takeFactors(Operation *norm,
                                                 const NormFactors &factors);

/// Gives them to the convolution. `areRounded`: weights are numbers of f16.
void replaceWeights(PatternRewriter &rewriter, const TakenFactors &taken,
                    bool areRounded);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NORMS_NORMFACTORS_H
