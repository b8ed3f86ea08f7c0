//===- LongReductions.cpp - Norms and softmax of long dimensions ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of the reductions that they consist of can be cut along what it reduces,
// and all that is scaled by them, element by element:
//
//   softmax(x)   p = exp(x - max(x)), p / sum(p)
//   norm(x)      d = x - mean(x), d / sqrt(mean(d^2) + epsilon)
//
//===----------------------------------------------------------------------===//

#include "LongReductions.h"

#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;

// The share of one element among itself; infinity times 0 is NaN, as before.
static void replaceByOne(SoftmaxOp op) {
  OpBuilder builder(op);
  SmallVector<int64_t> ones(op.getType().getRank(), 1);
  Value zero = splatConstant(builder, op.getLoc(), ones, 0);
  op.replaceAllUsesWith(binary(builder, op.getLoc(), ElementwiseKind::Mul,
                               op.getInput(), zero, /*scale=*/1, /*bias=*/1));
  op.erase();
}

void mlir::ane::expandReductions(Operation *op, int64_t dim) {
  if (auto softmax = dyn_cast<SoftmaxOp>(op);
      softmax && softmax.getType().getDimSize(softmax.getAxis()) == 1)
    return replaceByOne(softmax);
  if (!isa<LayerNormOp, RmsNormOp, SoftmaxOp>(op) ||
      getDimMap(op, 0, dim).kind != DimMap::Reduced)
    return;
  Value input = op->getOperand(0);
  RankedTensorType type = typeOf(input);
  Location loc = op->getLoc();
  OpBuilder builder(op);
  auto pair = [&](ElementwiseKind kind, Value lhs, Value rhs) {
    return binary(builder, loc, kind, lhs, rhs);
  };
  auto act = [&](Value value, ActivationKind kind) -> Value {
    return ActivationOp::create(
        builder, loc, value.getType(), value,
        ActivationAttr::get(builder.getContext(), kind, 0));
  };
  Value result;
  if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
    SmallVector<int64_t> axes{int64_t(softmax.getAxis())};
    Value powers =
        act(pair(ElementwiseKind::Sub, input,
                 ReduceOp::create(builder, loc, ReduceKind::Max, input, axes)),
            ActivationKind::Exp);
    // A sum of as many ones is more than f16 has.
    constexpr int64_t most = 1 << 15;
    float scale =
        1.0f / llvm::PowerOf2Ceil(llvm::divideCeil(type.getDimSize(dim), most));
    Value factor = unroundedConstant(
        builder, loc, SmallVector<int64_t>(type.getRank(), 1), {scale});
    Value sum =
        ReduceOp::create(builder, loc, ReduceKind::Sum,
                         pair(ElementwiseKind::Mul, powers, factor), axes);
    result = pair(ElementwiseKind::Mul, powers,
                  act(sum, ActivationKind::Reciprocal));
    result.getDefiningOp<ElementwiseOp>().setScaleAttr(
        builder.getF32FloatAttr(scale));
  } else {
    auto centred = dyn_cast<LayerNormOp>(op);
    auto other = dyn_cast<RmsNormOp>(op);
    ArrayRef<int64_t> axes = centred ? centred.getAxes() : other.getAxes();
    llvm::APFloat epsilon = centred ? centred.getEpsilon() : other.getEpsilon();
    result = input;
    if (centred)
      result =
          pair(ElementwiseKind::Sub, input,
               ReduceOp::create(builder, loc, ReduceKind::Mean, input, axes));
    auto factor =
        ReduceOp::create(builder, loc, ReduceKind::MeanSquare, result, axes);
    factor.setActivationAttr(
        rsqrtOf(builder.getContext(), epsilon.convertToFloat()));
    result = pair(ElementwiseKind::Mul, result, factor);
    SmallVector<int64_t> shape(type.getRank(), 1);
    for (int64_t axis : axes)
      shape[axis] = type.getDimSize(axis);
    auto apply = [&](ElementwiseKind kind, Value factors) {
      if (factors)
        result =
            pair(kind, result, constantReshaped(builder, loc, factors, shape));
    };
    apply(ElementwiseKind::Mul,
          centred ? centred.getGamma() : other.getGamma());
    apply(ElementwiseKind::Add, centred ? centred.getBeta() : Value());
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}
