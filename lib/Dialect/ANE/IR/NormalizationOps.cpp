//===- NormalizationOps.cpp - Softmax and norms ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.softmax, ane.layer_norm, ane.rms_norm: rules and result types. The engine
// has none of them; ane-decompose takes them apart.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

//===----------------------------------------------------------------------===//
// ane.softmax
//===----------------------------------------------------------------------===//

static InferredType inferSoftmax(SoftmaxOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  // softmax_c1: the axis is a dimension of the input.
  int64_t axis = op.getAxis();
  if (failed(checkAxes(emit, axis, input.getRank())))
    return failure();
  // softmax_c2: the result has the type of the input.
  return input;
}
ANE_DEFINE_INFERENCE(SoftmaxOp, inferSoftmax)

//===----------------------------------------------------------------------===//
// ane.layer_norm, ane.rms_norm
//===----------------------------------------------------------------------===//

/// Axes that are not none, and an epsilon that keeps roots real.
template <typename AdaptorT>
static LogicalResult checkNorm(AdaptorT op, EmitError emit) {
  if (failed(checkAxes(emit, op.getAxes(), typeOf(op.getInput()).getRank())))
    return failure();
  if (op.getAxes().empty())
    return fail(emit, "has no axes, but a mean needs at least one");
  if (float epsilon = op.getEpsilon().convertToFloat(); !(epsilon >= 0))
    return fail(emit, "epsilon is ", epsilon, ", but must not be below 0");
  return success();
}

/// `vector` has the sizes of the normalized dimensions.
template <typename AdaptorT>
static LogicalResult checkFactor(AdaptorT op, EmitError emit, Value vector,
                                 StringRef name) {
  if (!vector)
    return success();
  RankedTensorType input = typeOf(op.getInput()), type = typeOf(vector);
  if (failed(checkRank(emit, name, type, op.getAxes().size())))
    return failure();
  for (auto [i, axis] : llvm::enumerate(op.getAxes()))
    if (type.getDimSize(i) != input.getDimSize(axis))
      return fail(emit, "dimension ", i, " of ", name, " is ",
                  type.getDimSize(i), ", but must be ", input.getDimSize(axis),
                  ", which is dimension ", axis, " of the input");
  return success();
}

static InferredType inferLayerNorm(LayerNormOp::Adaptor op, EmitError emit) {
  // layer_norm_c1: axes are dimensions in increasing order, at least one;
  // layer_norm_c2: epsilon is not negative.
  if (failed(checkNorm(op, emit)))
    return failure();
  // layer_norm_c3: gamma and beta have the sizes of the axes.
  if (failed(checkFactor(op, emit, op.getGamma(), "gamma")) ||
      failed(checkFactor(op, emit, op.getBeta(), "beta")))
    return failure();
  // layer_norm_c4: the result has the type of the input.
  return typeOf(op.getInput());
}
ANE_DEFINE_INFERENCE(LayerNormOp, inferLayerNorm)

static InferredType inferRmsNorm(RmsNormOp::Adaptor op, EmitError emit) {
  // rms_norm_c1: axes are dimensions in increasing order, at least one;
  // rms_norm_c2: epsilon is not negative.
  if (failed(checkNorm(op, emit)))
    return failure();
  // rms_norm_c3: gamma has the sizes of the axes.
  if (failed(checkFactor(op, emit, op.getGamma(), "gamma")))
    return failure();
  // rms_norm_c4: the result has the type of the input.
  return typeOf(op.getInput());
}
ANE_DEFINE_INFERENCE(RmsNormOp, inferRmsNorm)
