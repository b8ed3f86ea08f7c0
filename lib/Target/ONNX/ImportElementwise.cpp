//===- ImportElementwise.cpp - Operators of elements ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

//===----------------------------------------------------------------------===//
// Of one tensor
//===----------------------------------------------------------------------===//

/// The second operand. Up to set 6 an axis says which dimensions of x are those
/// of y, and a slope of PRelu is one for each channel.
static Value secondOf(NodeImporter &node) {
  Value y = node.input(1);
  bool isSlope = node.node.type == "PRelu";
  if (node.opset >= 7 || !(isSlope || node.hasAttribute("axis")))
    return y;
  int64_t rank = node.tensor(0).rank(), own = node.tensor(1).rank();
  int64_t axis = isSlope ? (own == 1 && rank > 1 ? 1 : rank - own)
                         : node.integer("axis", 0);
  axis += axis < 0 ? rank : 0;
  SmallVector<int64_t> shape = node.shapeOf(y);
  for (int64_t dim = axis + own; dim < rank; ++dim)
    shape.push_back(1);
  return node.reshape(y, shape);
}

static ImportFn unary(StringRef type) {
  return [type](NodeImporter &node) {
    return node.set(node.unary(type, node.input(0)));
  };
}

namespace {
/// With attributes as arguments: their names here and there, and defaults.
struct Parameter {
  StringRef attribute, argument;
  double otherwise;
};
} // namespace

static ImportFn withParameters(StringRef type, ArrayRef<Parameter> parameters) {
  return [type,
          parameters = SmallVector<Parameter>(parameters)](NodeImporter &node) {
    Value x = node.input(0);
    SmallVector<mil::NewArgument> arguments = {{"x", x}};
    for (const Parameter &parameter : parameters)
      arguments.emplace_back(
          parameter.argument,
          node.number(node.dataTypeOf(x),
                      node.number(parameter.attribute, parameter.otherwise)));
    return node.set(
        node.emit(type, arguments, node.dataTypeOf(x), node.shapeOf(x)));
  };
}

/// With a guard of 0, which is not MIL's default.
static ImportFn unguarded(StringRef type) {
  return withParameters(type, {{"", "epsilon", 0}});
}

static LogicalResult importNeg(NodeImporter &node) {
  return node.set(node.binary("mul", node.input(0), -1));
}

static LogicalResult importHardSwish(NodeImporter &node) {
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  Value gate = node.emit("sigmoid_hard",
                         {{"alpha", node.number(type, 1.0 / 6)},
                          {"beta", node.number(type, 0.5)},
                          {"x", x}},
                         type, node.shapeOf(x));
  return node.set(node.binary("mul", x, gate));
}

static LogicalResult importMish(NodeImporter &node) {
  Value x = node.input(0);
  return node.set(
      node.binary("mul", x, node.unary("tanh", node.unary("softplus", x))));
}

static Value elu(NodeImporter &node, Value x, double alpha) {
  return node.emit(
      "elu", {{"alpha", node.number(node.dataTypeOf(x), alpha)}, {"x", x}},
      node.dataTypeOf(x), node.shapeOf(x));
}

static LogicalResult importSelu(NodeImporter &node) {
  double alpha = node.number("alpha", 1.67326319217681884765625);
  double gamma = node.number("gamma", 1.05070102214813232421875);
  return node.set(node.binary("mul", elu(node, node.input(0), alpha), gamma));
}

// max(x, 0) + min(0, alpha (e^(x / alpha) - 1)). Of positive x, x / alpha may be
// beyond f16, and so may 1 / alpha: that e^x is 0 below -20 bounds it.
static LogicalResult importCelu(NodeImporter &node) {
  constexpr double largest = 1 << 15;
  double alpha = node.number("alpha", 1);
  if (!(alpha > 0))
    return node.error() << "has alpha = " << alpha << ", but needs more than 0";
  Value x = node.input(0);
  if (alpha == 1)
    return node.set(elu(node, x, 1));
  Value low = node.binary("mul", node.binary("minimum", x, 0.0),
                          std::min(1 / alpha, largest));
  return node.set(node.binary("add", node.unary("relu", x),
                              node.binary("mul", elu(node, low, 1), alpha)));
}

static LogicalResult importGelu(NodeImporter &node) {
  Value x = node.input(0);
  bool isTanh = node.string("approximate", "none") == "tanh";
  return node.set(
      node.emit("gelu",
                {{"mode", node.string(isTanh ? "TANH_APPROXIMATION" : "EXACT")},
                 {"x", x}},
                node.dataTypeOf(x), node.shapeOf(x)));
}

static LogicalResult importFastGelu(NodeImporter &node) {
  Value x = node.input(0);
  if (node.has(1))
    x = node.binary("add", x, node.input(1));
  return node.set(
      node.emit("gelu", {{"mode", node.string("TANH_APPROXIMATION")}, {"x", x}},
                node.dataTypeOf(x), node.shapeOf(x)));
}

static LogicalResult importBiasGelu(NodeImporter &node) {
  Value x = node.binary("add", node.input(0), node.input(1));
  return node.set(node.emit("gelu", {{"mode", node.string("EXACT")}, {"x", x}},
                            node.dataTypeOf(x), node.shapeOf(x)));
}

static LogicalResult importQuickGelu(NodeImporter &node) {
  Value x = node.input(0);
  double alpha = node.number("alpha", 1.702);
  return node.set(node.binary(
      "mul", x, node.unary("sigmoid", node.binary("mul", x, alpha))));
}

static LogicalResult importPRelu(NodeImporter &node) {
  Value x = node.input(0);
  Value low = node.binary("minimum", x, 0.0);
  return node.set(node.binary("add", node.unary("relu", x),
                              node.binary("mul", low, secondOf(node))));
}

// Bounds are attributes up to set 10, inputs then, and either may be absent.
static LogicalResult importClip(NodeImporter &node) {
  Value x = node.input(0);
  std::optional<double> bounds[2];
  for (unsigned i : {0u, 1u}) {
    StringRef name = i == 0 ? "min" : "max";
    if (node.hasAttribute(name))
      bounds[i] = node.number(name, 0);
    else if (node.has(i + 1) && node.tensor(i + 1).known &&
             node.tensor(i + 1).count() == 1)
      bounds[i] = node.tensor(i + 1).known->front();
    else if (node.has(i + 1))
      x = node.binary(i == 0 ? "maximum" : "minimum", x, node.input(i + 1));
  }
  DataType type = node.dataTypeOf(x);
  if (bounds[0] && bounds[1] && isFloat(type))
    x = node.emit("clip",
                  {{"alpha", node.number(type, *bounds[0])},
                   {"beta", node.number(type, *bounds[1])},
                   {"x", x}},
                  type, node.shapeOf(x));
  else if (bounds[0])
    x = node.binary("maximum", x, *bounds[0]);
  if (bounds[1] && !(bounds[0] && isFloat(type)))
    x = node.binary("minimum", x, *bounds[1]);
  return node.set(x);
}

static LogicalResult importThresholdedRelu(NodeImporter &node) {
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  Value isAbove = node.emit(
      "greater", {{"x", x}, {"y", node.number(type, node.number("alpha", 1))}},
      DataType::Bool, node.shapeOf(x));
  return node.set(node.emit(
      "select", {{"a", x}, {"b", node.number(type, 0)}, {"cond", isAbove}},
      type, node.shapeOf(x)));
}

static LogicalResult importSoftsign(NodeImporter &node) {
  Value x = node.input(0);
  return node.set(
      node.binary("real_div", x, node.binary("add", node.unary("abs", x), 1)));
}

// Integers are int32. Of those that become narrower the last bits are left: x
// modulo 256, and where there is a sign that of x + 128, less 128. Of a float
// beyond the type ONNX leaves open what becomes.
static Value castTo(NodeImporter &node, DataType type) {
  Value result = node.cast(node.input(0), type);
  DataType from = node.tensor(0).type;
  if (!isInteger(from) || !isNarrow(type))
    return result;
  auto [low, high] = endsOf(type);
  auto [least, most] = endsOf(from);
  if (low <= least && most <= high)
    return result;
  if (low != 0)
    result = node.binary("sub", result, low);
  result = node.binary("mod", result, high - low + 1);
  return low == 0 ? result : node.binary("add", result, low);
}

static LogicalResult importCast(NodeImporter &node) {
  auto type = static_cast<DataType>(node.integer("to", 0));
  if (!isFloat(type) && !isInteger(type) && type != DataType::Bool)
    return node.error() << "to " << describe(type) << " is not imported";
  if (node.tensor(0).factor && isFloat(type) && type != DataType::Float16) {
    Tensor sum = node.tensor(0);
    sum.type = DataType::Float;
    return node.set(std::move(sum));
  }
  Value x = node.input(0);
  if (type == DataType::Bool && node.dataTypeOf(x) != DataType::Bool) {
    Value zero = node.number(node.dataTypeOf(x), 0);
    return node.set(node.emit("not_equal", {{"x", x}, {"y", zero}},
                              DataType::Bool, node.shapeOf(x)));
  }
  return node.set(castTo(node, type));
}

static LogicalResult importCastLike(NodeImporter &node) {
  return node.set(castTo(node, node.tensor(1).type));
}

// A factor of a sum goes to what scales it, which has fewer elements.
static LogicalResult importMul(NodeImporter &node) {
  for (unsigned index : {0, 1}) {
    const Tensor &sum = node.tensor(index), &scale = node.tensor(1 - index);
    if (!sum.factor || !isFloat(sum.type) || scale.factor ||
        scale.count() > sum.count())
      continue;
    Value factor =
        node.binary("mul", index ? node.input(0) : secondOf(node), *sum.factor);
    return node.set(node.binary("mul", sum.value, factor));
  }
  return node.set(node.binary("mul", node.input(0), secondOf(node)));
}

// log(x + sqrt(x^2 - 1)), and for all x with the sign of x around
// log(|x| + sqrt(x^2 + 1)). f16 holds half of the sum for all x: that and log(2).
static ImportFn inverseOfCosh(bool isSinh) {
  return [isSinh](NodeImporter &node) {
    Value x = node.input(0);
    Value size = isSinh ? node.unary("abs", x) : x;
    Value square = node.binary("mul", size, size);
    Value root =
        node.unary("sqrt", node.binary("add", square, isSinh ? 1 : -1));
    Value sum = node.binary("add", node.binary("mul", size, 0.5),
                            node.binary("mul", root, 0.5));
    Value result = node.emit(
        "log", {{"x", sum}, {"epsilon", node.number(node.dataTypeOf(x), 0)}},
        node.dataTypeOf(x), node.shapeOf(x));
    result = node.binary("add", result, std::log(2.0));
    if (isSinh)
      result = node.binary("mul", node.unary("sign", x), result);
    return node.set(result);
  };
}

// Towards 0 by lambda, and 0 within it.
static LogicalResult importShrink(NodeImporter &node) {
  double lambda = node.number("lambd", 0.5), bias = node.number("bias", 0);
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  auto part = [&](StringRef comparison, double bound, double summand,
                  Value otherwise) {
    Value isIn =
        node.emit(comparison, {{"x", x}, {"y", node.number(type, bound)}},
                  DataType::Bool, node.shapeOf(x));
    return node.emit("select",
                     {{"a", node.binary("add", x, summand)},
                      {"b", otherwise},
                      {"cond", isIn}},
                     type, node.shapeOf(x));
  };
  Value low = part("less", -lambda, bias, node.number(type, 0));
  return node.set(part("greater", lambda, -bias, low));
}

// Bounds: which infinity counts.
static LogicalResult importIsInf(NodeImporter &node) {
  Value x = node.input(0);
  DataType type = node.dataTypeOf(x);
  constexpr double largest = 65504;
  bool low = node.integer("detect_negative", 1),
       high = node.integer("detect_positive", 1);
  if (low && high)
    x = node.unary("abs", x);
  else if (low)
    x = node.binary("mul", x, -1);
  else if (!high)
    return node.error() << "looks for neither infinity";
  return node.set(node.emit("greater",
                            {{"x", x}, {"y", node.number(type, largest)}},
                            DataType::Bool, node.shapeOf(x)));
}

//===----------------------------------------------------------------------===//
// Of two and more
//===----------------------------------------------------------------------===//

static ImportFn binary(StringRef type) {
  return [type](NodeImporter &node) {
    return node.set(node.binary(type, node.input(0), secondOf(node)));
  };
}

static ImportFn comparison(StringRef type) {
  return [type](NodeImporter &node) -> LogicalResult {
    Value x = node.input(0), y = secondOf(node);
    // MIL compares numbers.
    if (node.dataTypeOf(x) == DataType::Bool &&
        !StringRef(type).starts_with("logical_")) {
      x = node.cast(x, DataType::Int32);
      y = node.cast(y, DataType::Int32);
    }
    return node.set(node.emit(type, {{"x", x}, {"y", y}}, DataType::Bool,
                              node.broadcast(x, y)));
  };
}

static LogicalResult importDiv(NodeImporter &node) {
  Value x = node.input(0), y = secondOf(node);
  if (isFloat(node.tensor(0).type))
    return node.set(node.binary("real_div", x, y));
  // Integers towards 0.
  Value size =
      node.binary("floor_div", node.unary("abs", x), node.unary("abs", y));
  Value sign = node.binary("mul", node.unary("sign", x), node.unary("sign", y));
  return node.set(node.binary("mul", sign, size));
}

static LogicalResult importMod(NodeImporter &node) {
  Value x = node.input(0), y = secondOf(node);
  if (node.integer("fmod", 0)) {
    // With the sign of the dividend.
    Value size = node.binary("mod", node.unary("abs", x), node.unary("abs", y));
    return node.set(node.binary("mul", node.unary("sign", x), size));
  }
  return node.set(node.binary("mod", x, y));
}

static LogicalResult importPow(NodeImporter &node) {
  Value x = node.input(0), y = secondOf(node);
  return node.set(node.binary("pow", x, node.cast(y, node.dataTypeOf(x))));
}

/// Of any number of tensors.
static ImportFn variadic(StringRef type, bool isMean = false) {
  return [type, isMean](NodeImporter &node) -> LogicalResult {
    Value x = node.input(0);
    for (unsigned i = 1; i < node.inputCount(); ++i) {
      if (!node.has(i))
        return LogicalResult(node.error() << "has no input " << i);
      Value y = node.input(i);
      x = node.binary(type, x, y);
    }
    if (isMean && node.inputCount() > 1)
      x = node.binary("mul", x, 1.0 / node.inputCount());
    return node.set(x);
  };
}

static LogicalResult importWhere(NodeImporter &node) {
  Value condition = node.input(0), a = node.input(1), b = node.input(2);
  auto shape = broadcastShapes(node.shapeOf(condition), node.broadcast(a, b));
  if (!shape)
    return node.error() << "its inputs cannot be broadcast to each other";
  return node.set(node.emit("select", {{"a", a}, {"b", b}, {"cond", condition}},
                            node.dataTypeOf(a), *shape));
}

void onnx::addElementwiseImport(ImportTable &table) {
  for (auto [onnx, mil] :
       std::initializer_list<std::pair<StringRef, StringRef>>{
           {"Abs", "abs"},           {"Acos", "acos"},   {"Asin", "asin"},
           {"Atan", "atan"},         {"Atanh", "atanh"}, {"Ceil", "ceil"},
           {"Cos", "cos"},           {"Cosh", "cosh"},   {"Erf", "erf"},
           {"Exp", "exp"},           {"Floor", "floor"}, {"Not", "logical_not"},
           {"Relu", "relu"},         {"Round", "round"}, {"Sigmoid", "sigmoid"},
           {"Sign", "sign"},         {"Sin", "sin"},     {"Sinh", "sinh"},
           {"Softplus", "softplus"}, {"Sqrt", "sqrt"},   {"Tan", "tan"},
           {"Tanh", "tanh"}})
    table[("." + onnx).str()] = unary(mil);
  for (auto [onnx, mil] :
       std::initializer_list<std::pair<StringRef, StringRef>>{{"Add", "add"},
                                                              {"Sub", "sub"}})
    table[("." + onnx).str()] = {binary(mil), 2};
  for (auto [onnx, mil] :
       std::initializer_list<std::pair<StringRef, StringRef>>{
           {"And", "logical_and"},
           {"Equal", "equal"},
           {"Greater", "greater"},
           {"GreaterOrEqual", "greater_equal"},
           {"Less", "less"},
           {"LessOrEqual", "less_equal"},
           {"Or", "logical_or"},
           {"Xor", "logical_xor"}})
    table[("." + onnx).str()] = {comparison(mil), 2};
  table[".Log"] = unguarded("log");
  table[".Reciprocal"] = unguarded("inverse");
  table[".Elu"] = withParameters("elu", {{"alpha", "alpha", 1}});
  table[".LeakyRelu"] =
      withParameters("leaky_relu", {{"alpha", "alpha", 0.01}});
  table[".HardSigmoid"] = withParameters(
      "sigmoid_hard", {{"alpha", "alpha", 0.2}, {"beta", "beta", 0.5}});
  table[".Max"] = variadic("maximum");
  table[".Min"] = variadic("minimum");
  table[".Sum"] = variadic("add");
  table[".Mean"] = variadic("add", /*isMean=*/true);
  table[".Acosh"] = inverseOfCosh(/*isSinh=*/false);
  table[".Asinh"] = inverseOfCosh(/*isSinh=*/true);
  // Of floats of 8 bits.
  table[".Cast"] = {importCast, 1, {"saturate", "round_mode"}};
  table[".CastLike"] = {importCastLike, 2, {"saturate", "round_mode"}};
  table[".IsInf"] = importIsInf;
  table[".Shrink"] = importShrink;
  table[".Celu"] = importCelu;
  table[".Clip"] = importClip;
  table[".Div"] = {importDiv, 2};
  table[".Gelu"] = importGelu;
  table[".HardSwish"] = importHardSwish;
  table[".Mish"] = importMish;
  table[".Mod"] = {importMod, 2};
  table[".Mul"] = {importMul, 2};
  table[".Neg"] = importNeg;
  table[".PRelu"] = {importPRelu, 2};
  table[".Pow"] = {importPow, 2};
  table[".Selu"] = importSelu;
  table[".Softsign"] = importSoftsign;
  table[".ThresholdedRelu"] = importThresholdedRelu;
  table[".Where"] = {importWhere, 3};
  table["com.microsoft.BiasGelu"] = {importBiasGelu, 2};
  table["com.microsoft.FastGelu"] = importFastGelu;
  table["com.microsoft.Gelu"] = importGelu;
  table["com.microsoft.QuickGelu"] = importQuickGelu;
}
