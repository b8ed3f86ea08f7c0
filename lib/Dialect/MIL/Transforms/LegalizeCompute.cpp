//===- LegalizeCompute.cpp - Composite statements taken apart -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"

#include "mlir/IR/TypeUtilities.h"

#include "mlir/Dialect/Traits.h"
#include <cmath>

using namespace mlir;
using namespace mlir::ane::mil;

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

// One step of an elementwise chain with a scalar.
static Value withScalar(Rewriting &r, StringRef type, Value x, double number,
                        const Twine &suffix) {
  Value scalar = r.b.number(elementOf(x), number, suffix + "_by");
  return r.b.binary(type, x, scalar, suffix);
}

//===----------------------------------------------------------------------===//
// Bias
//===----------------------------------------------------------------------===//

void mlir::ane::mil::splitBias(Rewriting &r) {
  RankedTensorType type = r.s.getResultTensor();
  Value product =
      r.b.emit(r.s.getType(), copyArguments(r.s, {"bias"}), type, "product");
  Value bias = r.s.get("bias");
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[type.getRank() < 2 ? 0 : 1] =
      cast<RankedTensorType>(bias.getType()).getNumElements();
  r.replaceBy("add", {{"x", product}, {"y", r.b.widen(bias, shape, "bias")}});
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// The exact form becomes the one with tanh: Apple's compiler has one table for
// both (*seen* in compiled programs), and tanh is known to be taken.
void mlir::ane::mil::decomposeGelu(Rewriting &r) {
  Value x = r.s.get("x");
  if (r.s.getString("mode", "EXACT") == "SIGMOID_APPROXIMATION") {
    Value scaled = withScalar(r, "mul", x, 1.702, "scaled");
    Value gate = r.b.emit("sigmoid", {{"x", scaled}}, x.getType(), "gate");
    return r.replaceBy("mul", {{"x", x}, {"y", gate}});
  }
  Value square = r.b.binary("mul", x, x, "square");
  Value small = withScalar(r, "mul", square, 0.044715, "small");
  Value factor = withScalar(r, "add", small, 1, "factor");
  Value inner = r.b.binary("mul", x, factor, "inner");
  Value scaled = withScalar(r, "mul", inner, std::sqrt(2 / M_PI), "scaled");
  Value tanh = r.b.emit("tanh", {{"x", scaled}}, x.getType(), "tanh");
  Value gate = withScalar(r, "add", tanh, 1, "gate");
  Value half = withScalar(r, "mul", x, 0.5, "half");
  r.replaceBy("mul", {{"x", half}, {"y", gate}});
}

void mlir::ane::mil::rootToPow(Rewriting &r) {
  Value x = r.s.get("x");
  bool isReciprocal = r.s.is("rsqrt");
  double epsilon = isReciprocal ? r.s.getNumber("epsilon").value_or(1e-12) : 0;
  Value scalar =
      r.b.number(elementOf(x), isReciprocal ? -0.5 : 0.5, "exponent");
  // The default is nothing in fp16.
  if (!r.b.builder.getFloatAttr(elementOf(x), epsilon).getValue().isZero())
    x = withScalar(r, "add", x, epsilon, "sum");
  r.replaceBy("pow", {{"x", x}, {"y", scalar}});
}

void mlir::ane::mil::squareToMul(Rewriting &r) {
  r.replaceBy("mul", {{"x", r.s.get("x")}, {"y", r.s.get("x")}});
}

void mlir::ane::mil::widenVector(Rewriting &r) {
  SmallVector<NewArgument> arguments = copyArguments(r.s);
  for (NewArgument &argument : arguments) {
    Value value = argument.values.front();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != 1 || !value.getDefiningOp<ConstOp>())
      continue;
    SmallVector<int64_t> shape(r.s.getResultTensor().getRank(), 1);
    shape.back() = type.getDimSize(0);
    argument.values.front() = r.b.widen(value, shape, argument.name);
  }
  r.replaceBy(r.s.getType(), arguments);
}

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

void mlir::ane::mil::convertEpsilon(Rewriting &r) {
  SmallVector<NewArgument> arguments = copyArguments(r.s, {"epsilon"});
  Value scale = r.s.has("gamma") ? r.s.get("gamma") : r.s.get("beta");
  arguments.emplace_back(
      "epsilon",
      r.b.number(elementOf(scale), *r.s.getNumber("epsilon"), "epsilon"));
  r.replaceBy(r.s.getType(), arguments);
}

namespace {
// The mean over axes that stay, with extent 1.
struct Mean {
  Rewriting &r;
  SmallVector<int64_t> axes;

  Value of(Value x, const Twine &suffix) {
    auto type = cast<RankedTensorType>(x.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t axis : axes)
      shape[axis] = 1;
    return r.b.emit("reduce_mean",
                    {{"axes", r.b.integers(axes, suffix + "_axes")},
                     {"keep_dims", r.b.boolean(true, suffix + "_keep")},
                     {"x", x}},
                    type.clone(shape), suffix);
  }
};
} // namespace

static SmallVector<int64_t> getAxes(const Statement &s, int64_t rank) {
  SmallVector<int64_t> axes;
  if (!s.has("axes"))
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  SmallVector<int64_t> given = *s.getIntegers("axes");
  for (int64_t axis : given)
    axes.push_back(axis < 0 ? axis + rank : axis);
  llvm::sort(axes);
  return axes;
}

// (x - mean) * pow(mean((x - mean)^2) + epsilon, -0.5) * gamma + beta
void mlir::ane::mil::decomposeLayerNorm(Rewriting &r) {
  Value x = r.s.get("x");
  auto type = cast<RankedTensorType>(x.getType());
  Mean mean{r, getAxes(r.s, type.getRank())};
  Value center =
      r.b.emit("sub", {{"x", x}, {"y", mean.of(x, "mean")}}, type, "center");
  Value square = r.b.binary("mul", center, center, "square");
  Value variance = mean.of(square, "variance");
  Value sum = withScalar(r, "add", variance,
                         r.s.getNumber("epsilon").value_or(1e-5), "sum");
  Value scale = withScalar(r, "pow", sum, -0.5, "scale");
  SmallVector<int64_t> shape(type.getRank(), 1);
  for (int64_t axis : mean.axes)
    shape[axis] = type.getDimSize(axis);

  // The last of the three steps is the one with the name.
  SmallVector<std::pair<StringRef, Value>> steps{{"mul", scale}};
  if (r.s.has("gamma"))
    steps.push_back({"mul", r.b.widen(r.s.get("gamma"), shape, "gamma")});
  if (r.s.has("beta"))
    steps.push_back({"add", r.b.widen(r.s.get("beta"), shape, "beta")});
  Value value = center;
  for (auto [step, operand] : ArrayRef(steps).drop_back())
    value = r.b.emit(step, {{"x", value}, {"y", operand}}, type, "normal");
  r.replaceBy(steps.back().first, {{"x", value}, {"y", steps.back().second}});
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static Value emitMatmul(Rewriting &r, Value x, Value y, bool transposeY,
                        const Twine &suffix) {
  auto a = cast<RankedTensorType>(x.getType());
  auto b = cast<RankedTensorType>(y.getType());
  SmallVector<int64_t> shape;
  OpTrait::util::getBroadcastedShape(a.getShape().drop_back(2),
                                     b.getShape().drop_back(2), shape);
  shape.push_back(a.getDimSize(a.getRank() - 2));
  shape.push_back(b.getDimSize(b.getRank() - (transposeY ? 2 : 1)));
  return r.b.emit("matmul",
                  {{"transpose_x", r.b.boolean(false, suffix + "_tx")},
                   {"transpose_y", r.b.boolean(transposeY, suffix + "_ty")},
                   {"x", x},
                   {"y", y}},
                  a.clone(shape), suffix);
}

// A bool mask says what is seen; what is not gets -10000, which fp16 holds.
static Value getAddedMask(Rewriting &r, Type element) {
  Value mask = r.s.get("attn_mask");
  if (!elementOf(mask).isInteger(1))
    return mask;
  auto type = cast<RankedTensorType>(mask.getType());
  return r.b.emit("select",
                  {{"a", r.b.number(element, 0, "seen")},
                   {"b", r.b.number(element, -10000, "unseen")},
                   {"cond", mask}},
                  type.clone(element), "mask");
}

void mlir::ane::mil::decomposeAttention(Rewriting &r) {
  Value query = r.s.get("query");
  double width = cast<RankedTensorType>(query.getType()).getShape().back();
  Value scores = emitMatmul(r, query, r.s.get("key"), true, "scores");
  scores = withScalar(r, "mul", scores, 1 / std::sqrt(width), "scaled");
  if (r.s.has("attn_mask"))
    scores = r.b.emit(
        "add", {{"x", scores}, {"y", getAddedMask(r, elementOf(scores))}},
        scores.getType(), "masked");
  Value weights =
      r.b.emit("softmax", {{"axis", r.b.integer(-1, "axis")}, {"x", scores}},
               scores.getType(), "weights");
  r.replaceBy("matmul", {{"transpose_x", r.b.boolean(false, "tx")},
                         {"transpose_y", r.b.boolean(false, "ty")},
                         {"x", weights},
                         {"y", r.s.get("value")}});
}
