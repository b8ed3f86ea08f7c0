//===- ImportElementwise.cpp - MIL operations on single elements ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of one element and of two. What the ane dialect has no function for
// is written with those that it has.
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "ane/Dialect/ANE/IR/FunctionInfo.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Functions of two elements
//===----------------------------------------------------------------------===//

static void addBinary(MILImporter &importer, StringRef name,
                      ElementwiseKind kind) {
  importer.add(name, [kind](Statement &s) {
    Value x = s.tensor("x"), y = s.tensor("y");
    return s.binary(kind, x, y);
  });
}

static Value compare(Statement &s, CompareKind kind, Value x, Value y) {
  if (s.failed())
    return {};
  int64_t rank = std::max(shapeOf(x).size(), shapeOf(y).size());
  Value lhs = s.extendRank(s.toData(x), rank);
  Value rhs = s.extendRank(s.toData(y), rank);
  return s.build<CompareOp>(kind, lhs, rhs);
}

/// floor(x / y) and x - floor(x / y) * y. A quotient by a table may be a little
/// below a whole number, or above, so it starts one too high and comes down
/// while it leaves less than nothing. Products of f16 are rounded, but never
/// from one side of x to the other.
static std::pair<Value, Value> divideFloor(Statement &s) {
  Value x = s.tensor("x"), y = s.tensor("y");
  Value quotient = s.binary(
      ElementwiseKind::Add,
      s.activation(s.binary(ElementwiseKind::Div, x, y), ActivationKind::Floor),
      1.0);
  auto restOf = [&](Value quotient) {
    return s.binary(ElementwiseKind::Sub, x,
                    s.binary(ElementwiseKind::Mul, quotient, y));
  };
  Value sign = s.activation(y, ActivationKind::Sign);
  for (int step = 0; step < 2; ++step) {
    Value turned = s.binary(ElementwiseKind::Mul, restOf(quotient), sign);
    if (s.failed())
      return {};
    Value zero =
        s.constantOf(SmallVector<int64_t>(shapeOf(turned).size(), 1), 0.0f);
    Value below = compare(s, CompareKind::Less, turned, zero);
    quotient = s.binary(ElementwiseKind::Sub, quotient, below);
  }
  return {quotient, restOf(quotient)};
}

static Value importFloorDiv(Statement &s) { return divideFloor(s).first; }

static Value importMod(Statement &s) { return divideFloor(s).second; }

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

static void addUnary(MILImporter &importer, StringRef name,
                     ActivationKind kind) {
  importer.add(
      name, [kind](Statement &s) { return s.activation(s.tensor("x"), kind); });
}

/// A function with parameters, which `first` and `second` name.
static void addParametric(MILImporter &importer, StringRef name,
                          ActivationKind kind, StringRef first,
                          StringRef second = "") {
  importer.add(name, [=](Statement &s) {
    Value x = s.tensor("x");
    double alpha = s.number(first);
    double beta = second.empty() ? 0 : s.number(second);
    return s.failed() ? Value() : s.activation(x, kind, alpha, beta);
  });
}

/// `x + epsilon`, where an epsilon that f16 cannot tell from 0 is none.
static Value addEpsilon(Statement &s, Value x, double epsilon) {
  constexpr double halfOfSmallest = 0x1p-25;
  return std::fabs(epsilon) <= halfOfSmallest
             ? x
             : s.binary(ElementwiseKind::Add, x, epsilon);
}

static Value importLog(Statement &s) {
  Value x = s.tensor("x");
  double epsilon = s.number("epsilon", 1e-45);
  return s.activation(addEpsilon(s, x, epsilon), ActivationKind::Log);
}

static Value importRsqrt(Statement &s) {
  Value x = s.tensor("x");
  double epsilon = s.number("epsilon", 1e-12);
  return s.activation(x, ActivationKind::Rsqrt, epsilon);
}

static Value importInverse(Statement &s) {
  Value x = s.tensor("x");
  double epsilon = s.number("epsilon", 1e-4);
  return s.activation(addEpsilon(s, x, epsilon), ActivationKind::Reciprocal);
}

// e^x / 2 + e^-x / 2, by squares of e^(x / 2): e^x may be more than f16 holds
// where the half of it is not.
static Value importCosh(Statement &s) {
  Value half = s.binary(ElementwiseKind::Mul, s.tensor("x"), 0.5);
  auto halfOfPower = [&](Value exponent) {
    Value root = s.activation(exponent, ActivationKind::Exp);
    return s.binary(ElementwiseKind::Mul, root,
                    s.binary(ElementwiseKind::Mul, root, 0.5));
  };
  Value up = halfOfPower(half);
  Value down = halfOfPower(s.activation(half, ActivationKind::Neg));
  return s.binary(ElementwiseKind::Add, up, down);
}

// tanh x cosh x, which keeps the digits of small numbers.
static Value importSinh(Statement &s) {
  Value x = s.tensor("x");
  Value tanh = s.activation(x, ActivationKind::Tanh);
  return s.binary(ElementwiseKind::Mul, tanh, importCosh(s));
}

/// 1 + factor * x.
static Value onePlus(Statement &s, Value x, double factor) {
  return s.binary(ElementwiseKind::Add,
                  s.binary(ElementwiseKind::Mul, x, factor), 1.0);
}

// atan(x / sqrt(1 - x^2)): both factors of 1 - x^2 are exact near 0.
static Value importAsin(Statement &s) {
  Value x = s.tensor("x");
  Value less = onePlus(s, x, -1), more = onePlus(s, x, 1);
  Value side = s.activation(s.binary(ElementwiseKind::Mul, less, more),
                            ActivationKind::Sqrt);
  return s.activation(s.binary(ElementwiseKind::Div, x, side),
                      ActivationKind::Atan);
}

// 2 atan(sqrt((1 - x) / (1 + x))).
static Value importAcos(Statement &s) {
  Value x = s.tensor("x");
  Value less = onePlus(s, x, -1), more = onePlus(s, x, 1);
  Value ratio = s.binary(ElementwiseKind::Div, less, more);
  Value half = s.activation(s.activation(ratio, ActivationKind::Sqrt),
                            ActivationKind::Atan);
  return s.binary(ElementwiseKind::Mul, half, 2.0);
}

// log((1 + x) / (1 - x)) / 2, and near 0, where that has few digits, the sum
// x + x^3 / 3 + x^5 / 5.
static Value importAtanh(Statement &s) {
  Value x = s.tensor("x");
  Value more = onePlus(s, x, 1), less = onePlus(s, x, -1);
  Value ratio = s.binary(ElementwiseKind::Div, more, less);
  Value far = s.binary(ElementwiseKind::Mul,
                       s.activation(ratio, ActivationKind::Log), 0.5);
  if (!far)
    return {};
  Value square = s.activation(x, ActivationKind::Square);
  Value series = s.binary(ElementwiseKind::Add,
                          s.binary(ElementwiseKind::Mul, square, 0.2), 1.0 / 3);
  series = onePlus(s, s.binary(ElementwiseKind::Mul, series, square), 1);
  Value near = s.binary(ElementwiseKind::Mul, x, series);
  SmallVector<int64_t> ones(shapeOf(x).size(), 1);
  constexpr float border = 0.25f;
  Value distance = s.activation(x, ActivationKind::Abs);
  Value isFar = s.build<CompareOp>(CompareKind::Greater, distance,
                                   s.constantOf(ones, border));
  return s.build<SelectOp>(isFar, far, near);
}

static Value importTan(Statement &s) {
  Value x = s.tensor("x");
  Value sin = s.activation(x, ActivationKind::Sin);
  Value cos = s.activation(x, ActivationKind::Cos);
  return s.binary(ElementwiseKind::Div, sin, cos);
}

static Value importThreshold(Statement &s) {
  Value x = s.tensor("x");
  return s.binary(ElementwiseKind::Max, x, s.number("alpha"));
}

// alpha * x + beta
static Value importLinearActivation(Statement &s) {
  Value x = s.tensor("x");
  double alpha = s.number("alpha"), beta = s.number("beta", 0.0);
  return s.binary(ElementwiseKind::Add,
                  s.binary(ElementwiseKind::Mul, x, alpha), beta);
}

// min(beta, x) for x >= 0, min(beta, alpha * x) below
static Value importClampedRelu(Statement &s) {
  Value x = s.tensor("x");
  double alpha = s.number("alpha"), beta = s.number("beta");
  return s.binary(ElementwiseKind::Min,
                  s.activation(x, ActivationKind::LeakyRelu, alpha), beta);
}

// The engine lets through what is above the threshold, MIL what is equal too:
// for f16, that is what is above the number below.
static Value importThresholdedRelu(Statement &s) {
  Value x = s.tensor("x");
  double alpha = s.number("alpha");
  llvm::APFloat threshold(alpha);
  bool inexact;
  threshold.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmTowardPositive,
                    &inexact);
  threshold.next(/*nextDown=*/true);
  if (!threshold.isFinite()) {
    s.error() << "has the threshold " << alpha
              << ", but must have one that fp16 can hold";
    return {};
  }
  return s.activation(x, ActivationKind::ThresholdedRelu,
                      threshold.convertToDouble());
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static void addCompare(MILImporter &importer, StringRef name,
                       CompareKind kind) {
  importer.add(name, [kind](Statement &s) -> Value {
    Value x = s.tensor("x"), y = s.tensor("y");
    return compare(s, kind, x, y);
  });
}

// Truth is 1 and falsehood 0.
static Value importLogicalNot(Statement &s) {
  Value x = s.toData(s.tensor("x"));
  if (s.failed())
    return {};
  SmallVector<int64_t> ones(shapeOf(x).size(), 1);
  return s.build<CompareOp>(CompareKind::Equal, x, s.constantOf(ones, 0.0f));
}

static Value importLogicalXor(Statement &s) {
  Value x = s.tensor("x"), y = s.tensor("y");
  return s.activation(s.binary(ElementwiseKind::Sub, x, y),
                      ActivationKind::Abs);
}

static Value importSelect(Statement &s) {
  Value cond = s.tensor("cond"), a = s.tensor("a"), b = s.tensor("b");
  if (s.failed())
    return {};
  int64_t rank =
      std::max({shapeOf(cond).size(), shapeOf(a).size(), shapeOf(b).size()});
  cond = s.extendRank(cond, rank);
  a = s.extendRank(s.toData(a), rank);
  b = s.extendRank(s.toData(b), rank);
  return s.build<SelectOp>(cond, a, b);
}

//===----------------------------------------------------------------------===//
// One parameter for each channel
//===----------------------------------------------------------------------===//

/// The argument, one number for each of the channels (dimension 1) of `x` or
/// one for all, as a tensor that broadcasts. Nothing when all are equal to
/// `neutral`.
static Value channelParameter(Statement &s, StringRef argument, Value x,
                              float scale = 1) {
  std::vector<float> values = s.numbers(argument);
  if (s.failed())
    return {};
  ArrayRef<int64_t> shape = shapeOf(x);
  if (shape.size() < 2) {
    s.error() << "has an input of rank " << shape.size()
              << ", but channels are dimension 1";
    return {};
  }
  if (values.size() != 1 && static_cast<int64_t>(values.size()) != shape[1]) {
    s.error() << "argument '" << argument << "' has " << values.size()
              << " elements, but must have one for each of the " << shape[1]
              << " channels";
    return {};
  }
  for (float &value : values)
    value *= scale;
  SmallVector<int64_t> sizes(shape.size(), 1);
  sizes[1] = values.size();
  return s.constantOf(sizes, values);
}

// relu(x) - alpha * relu(-x)
static Value importPrelu(Statement &s) {
  Value x = s.tensor("x");
  std::vector<float> alphas = s.numbers("alpha");
  if (s.failed())
    return {};
  if (llvm::all_equal(alphas))
    return s.activation(x, ActivationKind::LeakyRelu, alphas.front());
  Value minusAlpha = channelParameter(s, "alpha", x, -1);
  Value below =
      s.activation(s.activation(x, ActivationKind::Neg), ActivationKind::Relu);
  Value above = s.activation(x, ActivationKind::Relu);
  return s.binary(ElementwiseKind::Add, above,
                  s.binary(ElementwiseKind::Mul, below, minusAlpha));
}

// alpha * ln(1 + exp(beta * x))
static Value importSoftplusParametric(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  Value alpha = channelParameter(s, "alpha", x);
  Value beta = channelParameter(s, "beta", x);
  Value inner = s.activation(s.binary(ElementwiseKind::Mul, x, beta),
                             ActivationKind::Softplus);
  return s.binary(ElementwiseKind::Mul, inner, alpha);
}

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

static Value importGelu(Statement &s) {
  Value x = s.tensor("x");
  StringRef mode = s.string("mode", "EXACT");
  if (s.failed())
    return {};
  if (mode == "EXACT")
    return s.activation(x, ActivationKind::Gelu);
  if (mode == "TANH_APPROXIMATION")
    return s.activation(x, ActivationKind::GeluTanh);
  if (mode == "SIGMOID_APPROXIMATION")
    return s.activation(x, ActivationKind::GeluSigmoid);
  s.error() << "mode is '" << mode
            << "', but must be EXACT, TANH_APPROXIMATION or "
               "SIGMOID_APPROXIMATION";
  return {};
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

// Data is f16 whatever the program says, so most casts say nothing. What f16
// holds is a whole number without its fraction, however large it is.
static Value importCast(Statement &s) {
  StringRef type = s.string("dtype");
  if (s.failed())
    return {};
  bool isFloat = type == "fp16" || type == "fp32";
  TypedAttr known = s.constant("x");
  if (isFloat && getIntegers(known)) {
    auto tensor = dyn_cast<RankedTensorType>(known.getType());
    std::vector<float> values = s.numbers("x");
    return s.constantOf(tensor ? tensor.getShape() : ArrayRef<int64_t>(),
                        values);
  }
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  Builder builder = s.attributes();
  if (isFloat)
    return s.toData(x);
  if (type == "bool") {
    SmallVector<int64_t> ones(shapeOf(x).size(), 1);
    x = s.toData(x);
    return s.build<CompareOp>(CompareKind::NotEqual, x,
                              s.constantOf(ones, 0.0f));
  }
  bool isByte = type == "int8" || type == "uint8";
  if (isByte || isWideInteger(s.resultElementType())) {
    x = s.toData(x);
    if (!s.isInteger("x") && !s.isBoolean("x"))
      x = s.activation(x, ActivationKind::Trunc);
    if (!isByte)
      return x;
    // What comes from constants alone is still in f32.
    x = s.toElementType(x, builder.getF16Type());
    return s.toElementType(x, type == "int8"
                                  ? builder.getI8Type()
                                  : builder.getIntegerType(8, false));
  }
  s.error() << "makes " << type
            << ", but the engine computes on fp16; do it outside of the "
               "network";
  return {};
}

/// 'scale' or 'zero_point' of a quantisation next to `input`: one for all, or
/// one for each element of 'axis'.
static Value quantizationParameter(Statement &s, StringRef argument,
                                   Value input) {
  std::vector<float> values = s.numbers(argument);
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(input).size(), 1);
  if (values.size() != 1) {
    int64_t axis = s.axis("axis", shape.size());
    if (!s.failed() && int64_t(values.size()) != shapeOf(input)[axis])
      s.error() << "argument '" << argument << "' has " << values.size()
                << " elements, but must have one for each of the "
                << shapeOf(input)[axis] << " of dimension " << axis;
    if (s.failed())
      return {};
    shape[axis] = values.size();
  }
  return s.constantOf(shape, values);
}

// round(input / scale) + zero_point, as far as bytes go
static Value importQuantize(Statement &s) {
  Value input = s.tensor("input");
  StringRef type = s.string("output_dtype");
  if (!s.failed() && type != "int8" && type != "uint8")
    s.error() << "output_dtype is '" << type << "', but must be int8 or uint8";
  if (s.failed())
    return {};
  Value y = s.binary(ElementwiseKind::Div, input,
                     quantizationParameter(s, "scale", input));
  Value zeroPoint;
  if (s.has("zero_point"))
    zeroPoint = quantizationParameter(s, "zero_point", input);
  Builder builder = s.attributes();
  return s.toBytes(y,
                   type == "int8" ? builder.getI8Type()
                                  : builder.getIntegerType(8, false),
                   zeroPoint);
}

// scale * (input - zero_point)
static Value importDequantize(Statement &s) {
  Value y = s.toData(s.tensor("input"));
  if (s.failed())
    return {};
  if (s.has("zero_point"))
    y = s.binary(ElementwiseKind::Sub, y,
                 quantizationParameter(s, "zero_point", y));
  return y ? s.binary(ElementwiseKind::Mul, y,
                      quantizationParameter(s, "scale", y))
           : Value();
}

static Value importIdentity(Statement &s) { return s.tensor("x"); }

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void addUnaries(MILImporter &importer) {
  for (const FunctionInfo &info : allFunctions())
    if (!info.mil.empty())
      addUnary(importer, info.mil, info.kind);
  addUnary(importer, "silu", ActivationKind::Silu);
  addUnary(importer, "sqrt", ActivationKind::Sqrt);
  addParametric(importer, "clip", ActivationKind::Clamp, "alpha", "beta");
  addParametric(importer, "elu", ActivationKind::Elu, "alpha");
  addParametric(importer, "leaky_relu", ActivationKind::LeakyRelu, "alpha");
  addParametric(importer, "scaled_tanh", ActivationKind::ScaledTanh, "alpha",
                "beta");
  addParametric(importer, "sigmoid_hard", ActivationKind::HardSigmoid, "alpha",
                "beta");
  importer.add("relu6", [](Statement &s) {
    return s.activation(s.tensor("x"), ActivationKind::Clamp, 0, 6);
  });
}

void mlir::ane::addMILElementwiseImport(MILImporter &importer) {
  addUnaries(importer);
  addBinary(importer, "add", ElementwiseKind::Add);
  addBinary(importer, "logical_and", ElementwiseKind::Mul);
  addBinary(importer, "logical_or", ElementwiseKind::Max);
  addBinary(importer, "maximum", ElementwiseKind::Max);
  addBinary(importer, "minimum", ElementwiseKind::Min);
  addBinary(importer, "mul", ElementwiseKind::Mul);
  addBinary(importer, "pow", ElementwiseKind::Pow);
  addBinary(importer, "real_div", ElementwiseKind::Div);
  addBinary(importer, "sub", ElementwiseKind::Sub);
  addCompare(importer, "equal", CompareKind::Equal);
  addCompare(importer, "greater", CompareKind::Greater);
  addCompare(importer, "greater_equal", CompareKind::GreaterEqual);
  addCompare(importer, "less", CompareKind::Less);
  addCompare(importer, "less_equal", CompareKind::LessEqual);
  addCompare(importer, "not_equal", CompareKind::NotEqual);
  importer.takeIntegers({"cast", "equal", "greater", "greater_equal",
                         "identity", "less", "less_equal", "maximum", "minimum",
                         "not_equal", "select"});
  importer.add("acos", importAcos);
  importer.add("asin", importAsin);
  importer.add("atanh", importAtanh);
  importer.add("cast", importCast);
  importer.add("clamped_relu", importClampedRelu);
  importer.add("cosh", importCosh);
  importer.add("dequantize", importDequantize);
  importer.add("floor_div", importFloorDiv);
  importer.add("gelu", importGelu);
  importer.add("identity", importIdentity);
  importer.add("inverse", importInverse);
  importer.add("linear_activation", importLinearActivation);
  importer.add("log", importLog);
  importer.add("logical_not", importLogicalNot);
  importer.add("logical_xor", importLogicalXor);
  importer.add("mod", importMod);
  importer.add("prelu", importPrelu);
  importer.add("quantize", importQuantize);
  importer.add("rsqrt", importRsqrt);
  importer.add("select", importSelect);
  importer.add("softplus_parametric", importSoftplusParametric);
  importer.add("sinh", importSinh);
  importer.add("tan", importTan);
  importer.add("threshold", importThreshold);
  importer.add("thresholded_relu", importThresholdedRelu);
}
