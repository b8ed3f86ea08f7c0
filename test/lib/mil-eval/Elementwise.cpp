//===- Elementwise.cpp - Operations on elements, one by one ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "Operands.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

template <typename Function>
static LogicalResult mapElements(Call &call, Function function) {
  if (call.failed())
    return failure();
  const Tensor &x = call["x"];
  FailureOr<Tensor> result = call.make(x.shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    result->data[i] = function(x.data[i]);
  return call.yield(std::move(*result));
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double softplus(double x) {
  return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0);
}

static void addUnary(OpTable &table, StringRef names,
                     double (*function)(double)) {
  table.add(names, "x",
            [=](Call &call) { return mapElements(call, function); });
}

static void addMathOps(OpTable &table) {
  addUnary(table, "abs", [](double x) { return std::fabs(x); });
  addUnary(table, "acos", [](double x) { return std::acos(x); });
  addUnary(table, "asin", [](double x) { return std::asin(x); });
  addUnary(table, "atan", [](double x) { return std::atan(x); });
  addUnary(table, "atanh", [](double x) { return std::atanh(x); });
  addUnary(table, "ceil", [](double x) { return std::ceil(x); });
  addUnary(table, "cos", [](double x) { return std::cos(x); });
  addUnary(table, "cosh", [](double x) { return std::cosh(x); });
  addUnary(table, "erf", [](double x) { return std::erf(x); });
  addUnary(table, "exp", [](double x) { return std::exp(x); });
  addUnary(table, "exp2", [](double x) { return std::exp2(x); });
  addUnary(table, "floor", [](double x) { return std::floor(x); });
  addUnary(table, "logical_not", [](double x) { return double(x == 0); });
  // Halves go to the even neighbour, as numpy does it.
  addUnary(table, "round", [](double x) { return std::nearbyint(x); });
  addUnary(table, "sign", [](double x) { return double((x > 0) - (x < 0)); });
  addUnary(table, "sin", [](double x) { return std::sin(x); });
  addUnary(table, "sinh", [](double x) { return std::sinh(x); });
  addUnary(table, "sqrt", [](double x) { return std::sqrt(x); });
  addUnary(table, "square", [](double x) { return x * x; });
  addUnary(table, "tan", [](double x) { return std::tan(x); });
  addUnary(table, "tanh", [](double x) { return std::tanh(x); });
  addUnary(table, "relu", [](double x) { return x > 0 ? x : 0.0; });
  addUnary(table, "relu6",
           [](double x) { return std::min(std::max(x, 0.0), 6.0); });
  addUnary(table, "sigmoid", sigmoid);
  addUnary(table, "silu", [](double x) { return x * sigmoid(x); });
  addUnary(table, "softplus", softplus);
  addUnary(table, "softsign", [](double x) { return x / (1 + std::fabs(x)); });
}

static void addShiftedOps(OpTable &table) {
  table.add("log", "x", [](Call &call) {
    double epsilon = call.number("epsilon", 1e-45);
    return mapElements(call, [=](double x) { return std::log(x + epsilon); });
  });
  table.add("rsqrt", "x", [](Call &call) {
    double epsilon = call.number("epsilon", 1e-12);
    return mapElements(call,
                       [=](double x) { return 1 / std::sqrt(x + epsilon); });
  });
  table.add("inverse", "x", [](Call &call) {
    double epsilon = call.number("epsilon", 1e-4);
    return mapElements(call, [=](double x) { return 1 / (x + epsilon); });
  });
  table.add("clip", "x alpha beta", [](Call &call) {
    double low = call.number("alpha", 0), high = call.number("beta", 0);
    return mapElements(
        call, [=](double x) { return std::min(std::max(x, low), high); });
  });
  table.add("threshold", "x alpha", [](Call &call) {
    double low = call.number("alpha", 0);
    return mapElements(call, [=](double x) { return std::max(x, low); });
  });
}

static void addParametricOps(OpTable &table) {
  using Function = double (*)(double, double, double);
  auto add = [&](StringRef name, StringRef required, Function function) {
    table.add(name, required, [=](Call &call) {
      double alpha = call.number("alpha", 0), beta = call.number("beta", 0);
      return mapElements(call,
                         [=](double x) { return function(x, alpha, beta); });
    });
  };
  add("leaky_relu", "x alpha",
      [](double x, double alpha, double) { return x >= 0 ? x : alpha * x; });
  add("elu", "x alpha", [](double x, double alpha, double) {
    return x > 0 ? x : alpha * std::expm1(x);
  });
  add("clamped_relu", "x alpha beta", [](double x, double alpha, double beta) {
    return std::min(beta, x >= 0 ? x : alpha * x);
  });
  add("thresholded_relu", "x alpha",
      [](double x, double alpha, double) { return x >= alpha ? x : 0.0; });
  add("linear_activation", "x alpha beta",
      [](double x, double alpha, double beta) { return alpha * x + beta; });
  add("scaled_tanh", "x alpha beta", [](double x, double alpha, double beta) {
    return alpha * std::tanh(beta * x);
  });
  add("sigmoid_hard", "x alpha beta", [](double x, double alpha, double beta) {
    return std::min(std::max(alpha * x + beta, 0.0), 1.0);
  });
}

static LogicalResult evalGelu(Call &call) {
  StringRef mode = call.text("mode", "EXACT");
  if (mode == "EXACT")
    return mapElements(call, [](double x) {
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    });
  if (mode == "TANH_APPROXIMATION")
    return mapElements(call, [](double x) {
      double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
      return 0.5 * x * (1 + std::tanh(inner));
    });
  if (mode == "SIGMOID_APPROXIMATION")
    return mapElements(call, [](double x) { return x * sigmoid(1.702 * x); });
  return call.fail("mode is '" + mode +
                   "', expected EXACT, TANH_APPROXIMATION or "
                   "SIGMOID_APPROXIMATION");
}

// One parameter for each channel; channels are dimension 1.
static LogicalResult
evalPerChannel(Call &call, double (*function)(double, double, double)) {
  const Tensor &x = call["x"], &alpha = call["alpha"];
  const Tensor *beta = call.find("beta");
  if (x.rank() < 2)
    return call.fail("x has rank " + Twine(x.rank()) + ", expected at least 2");
  int64_t channels = x.shape[1], inner = stridesOf(x.shape)[1];
  auto fits = [&](const Tensor &t) {
    return t.size() == channels || t.size() == 1;
  };
  if (!fits(alpha) || (beta && !fits(*beta)))
    return call.fail("has parameters of " + Twine(alpha.size()) +
                     " elements for " + Twine(channels) + " channels");
  FailureOr<Tensor> result = call.make(x.shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = x.size(); i < e; ++i) {
    int64_t channel = i / inner % channels;
    double a = alpha.data[alpha.size() == 1 ? 0 : channel];
    double b = beta ? beta->data[beta->size() == 1 ? 0 : channel] : 0;
    result->data[i] = function(x.data[i], a, b);
  }
  return call.yield(std::move(*result));
}

static void addChannelOps(OpTable &table) {
  table.add("prelu", "x alpha", [](Call &call) {
    return evalPerChannel(call, [](double x, double alpha, double) {
      return x >= 0 ? x : alpha * x;
    });
  });
  table.add("softplus_parametric", "x alpha beta", [](Call &call) {
    return evalPerChannel(call, [](double x, double alpha, double beta) {
      return alpha * softplus(beta * x);
    });
  });
}

//===----------------------------------------------------------------------===//
// Binary, select
//===----------------------------------------------------------------------===//

std::optional<Shape> mileval::broadcast(ArrayRef<int64_t> a,
                                        ArrayRef<int64_t> b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      return std::nullopt;
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

Shape mileval::broadcastStrides(ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> target) {
  Shape strides = stridesOf(shape), result(target.size(), 0);
  size_t missing = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    result[missing + i] = shape[i] == 1 ? 0 : strides[i];
  return result;
}

static LogicalResult evalBinary(Call &call,
                                double (*function)(double, double)) {
  const Tensor &x = call["x"], &y = call["y"];
  std::optional<Shape> shape = broadcast(x.shape, y.shape);
  if (!shape)
    return call.fail("x is " + shapeText(x.shape) + " and y " +
                     shapeText(y.shape) + ", which do not broadcast");
  FailureOr<Tensor> result = call.make(*shape);
  if (failed(result))
    return failure();
  if (x.shape == y.shape) {
    for (int64_t i = 0, e = x.size(); i < e; ++i)
      result->data[i] = function(x.data[i], y.data[i]);
    return call.yield(std::move(*result));
  }
  Shape xs = broadcastStrides(x.shape, *shape);
  Shape ys = broadcastStrides(y.shape, *shape);
  forEachIndex(*shape, [&](ArrayRef<int64_t> index, int64_t position) {
    result->data[position] =
        function(x.data[dot(index, xs)], y.data[dot(index, ys)]);
  });
  return call.yield(std::move(*result));
}

static LogicalResult evalSelect(Call &call) {
  const Tensor &cond = call["cond"], &a = call["a"], &b = call["b"];
  std::optional<Shape> shape = broadcast(a.shape, b.shape);
  if (shape)
    shape = broadcast(*shape, cond.shape);
  if (!shape)
    return call.fail("cond is " + shapeText(cond.shape) + ", a " +
                     shapeText(a.shape) + " and b " + shapeText(b.shape) +
                     ", which do not broadcast");
  FailureOr<Tensor> result = call.make(*shape);
  if (failed(result))
    return failure();
  Shape cs = broadcastStrides(cond.shape, *shape);
  Shape as = broadcastStrides(a.shape, *shape);
  Shape bs = broadcastStrides(b.shape, *shape);
  forEachIndex(*shape, [&](ArrayRef<int64_t> index, int64_t position) {
    result->data[position] = cond.data[dot(index, cs)] != 0
                                 ? a.data[dot(index, as)]
                                 : b.data[dot(index, bs)];
  });
  return call.yield(std::move(*result));
}

static void addBinaryOps(OpTable &table) {
  auto add = [&](StringRef name, double (*function)(double, double)) {
    table.add(name, "x y",
              [=](Call &call) { return evalBinary(call, function); });
  };
  add("add", [](double x, double y) { return x + y; });
  add("sub", [](double x, double y) { return x - y; });
  add("mul", [](double x, double y) { return x * y; });
  add("real_div", [](double x, double y) { return x / y; });
  add("floor_div", [](double x, double y) { return std::floor(x / y); });
  add("mod", [](double x, double y) { return x - std::floor(x / y) * y; });
  add("pow", [](double x, double y) { return std::pow(x, y); });
  add("maximum", [](double x, double y) { return std::max(x, y); });
  add("minimum", [](double x, double y) { return std::min(x, y); });
  add("equal", [](double x, double y) { return double(x == y); });
  add("not_equal", [](double x, double y) { return double(x != y); });
  add("less", [](double x, double y) { return double(x < y); });
  add("less_equal", [](double x, double y) { return double(x <= y); });
  add("greater", [](double x, double y) { return double(x > y); });
  add("greater_equal", [](double x, double y) { return double(x >= y); });
  add("logical_and", [](double x, double y) { return double(x && y); });
  add("logical_or", [](double x, double y) { return double(x || y); });
  add("logical_xor", [](double x, double y) { return double(!x != !y); });
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

// The declared type is the truth; the argument only has to agree.
static LogicalResult checkDtype(Call &call, StringRef argument) {
  Type element = call.resultElement();
  StringRef name = call.text(argument, "");
  std::string declared;
  if (auto integer = dyn_cast_or_null<IntegerType>(element))
    declared = integer.isSignlessInteger(1)
                   ? "bool"
                   : (integer.isUnsigned() ? "uint" : "int") +
                         std::to_string(integer.getWidth());
  else if (isa_and_nonnull<BFloat16Type>(element))
    declared = "bf16";
  else if (element)
    declared = "fp" + std::to_string(element.getIntOrFloatBitWidth());
  if (!name.empty() && name != declared)
    return call.fail(argument + " is '" + name + "', but the result is " +
                     declared);
  return failure(call.failed());
}

static LogicalResult evalCast(Call &call) {
  Type type = call.resultElement();
  if (!type || failed(checkDtype(call, "dtype")))
    return failure();
  return mapElements(call, [=](double x) { return convertTo(type, x); });
}

// `scale` and `zero_point` are scalars, or vectors along `axis`.
static LogicalResult
evalScaled(Call &call, function_ref<double(double, double, double)> function) {
  const Tensor &x = call["input"], &scale = call["scale"];
  const Tensor *zero = call.find("zero_point");
  int64_t axis = call.axis("axis", 0, std::max<int64_t>(x.rank(), 1));
  if (call.failed())
    return failure();
  int64_t extent = x.rank() ? x.shape[axis] : 1;
  int64_t inner = x.rank() ? stridesOf(x.shape)[axis] : 1;
  auto fits = [&](const Tensor &t) {
    return t.size() == 1 || t.size() == extent;
  };
  if (!fits(scale) || (zero && !fits(*zero)))
    return call.fail("scale has " + Twine(scale.size()) +
                     " elements, but the axis " + Twine(extent));
  FailureOr<Tensor> result = call.make(x.shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = x.size(); i < e; ++i) {
    int64_t k = i / inner % extent;
    result->data[i] =
        function(x.data[i], scale.data[scale.size() == 1 ? 0 : k],
                 zero ? zero->data[zero->size() == 1 ? 0 : k] : 0.0);
  }
  return call.yield(std::move(*result));
}

static LogicalResult evalQuantize(Call &call) {
  Type type = call.resultElement();
  if (!type || failed(checkDtype(call, "output_dtype")))
    return failure();
  return evalScaled(call, [=](double x, double scale, double zero) {
    return convertTo(type, std::nearbyint(x / scale) + zero);
  });
}

static LogicalResult evalDequantize(Call &call) {
  return evalScaled(call, [](double x, double scale, double zero) {
    return scale * (x - zero);
  });
}

void mileval::addElementwiseOps(OpTable &table) {
  addMathOps(table);
  addShiftedOps(table);
  addParametricOps(table);
  addChannelOps(table);
  addBinaryOps(table);
  table.add("gelu", "x", evalGelu);
  table.add("select", "cond a b", evalSelect);
  table.add("cast", "x", evalCast);
  table.add("identity", "x", [](Call &call) {
    return mapElements(call, [](double x) { return x; });
  });
  table.add("quantize", "input scale", evalQuantize);
  table.add("dequantize", "input scale", evalDequantize);
}
