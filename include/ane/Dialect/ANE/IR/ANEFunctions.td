//===- ANEFunctions.td - Functions of one and of two elements -*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record a function: its name, its parameters, how the engine computes it, and
// what it means in terms of simpler ones. The table behind `infoOf`, the recognition
// of its spelled-out form, its evaluation, the host's code, the MIL text and the range
// of its results come from here; a switch elsewhere has a case only where it does
// better than the definition.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEFUNCTIONS_TD
#define ANE_DIALECT_ANE_IR_ANEFUNCTIONS_TD

include "mlir/IR/EnumAttr.td"

class ANE_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::ane";
}

//===----------------------------------------------------------------------===//
// Of two elements
//===----------------------------------------------------------------------===//

def Pair_Add : I32EnumCase<"Add", 0, "add">;
def Pair_Sub : I32EnumCase<"Sub", 1, "sub">;
def Pair_Mul : I32EnumCase<"Mul", 2, "mul">;
def Pair_Max : I32EnumCase<"Max", 3, "max">;
def Pair_Min : I32EnumCase<"Min", 4, "min">;
def Pair_Div : I32EnumCase<"Div", 5, "div">;
def Pair_Pow : I32EnumCase<"Pow", 6, "pow">;

def ANE_ElementwiseKind : ANE_Enum<"ElementwiseKind", "a function of two elements",
  [Pair_Add, Pair_Sub, Pair_Mul, Pair_Max, Pair_Min, Pair_Div, Pair_Pow]>;

//===----------------------------------------------------------------------===//
// Of one element
//===----------------------------------------------------------------------===//

/// A function named `name`; names are those of MIL where it has one.
class ANE_Function<string symbol, int value, string name>
    : I32EnumCase<symbol, value, name> {
  /// How many of alpha and beta it has.
  int parameters = 0;
  /// Whether it is of x / alpha where alpha is not 0. ane-stretch-tables writes it.
  bit canStretch = 0;
  /// The member of ane::hw::TableFunction that computes it in one pass; empty where
  /// there is none.
  string table = "";
  /// Whether one pass computes it without a table of its own name.
  bit isOnePass = 0;
  /// Bounds of its results, whatever the argument; empty where there is none.
  string low = "";
  string high = "";
  /// The MIL operation that is this function of `x`, without other arguments.
  string mil = "";
  /// What it means: operators are functions and pairs, leaves are `$x`, `$alpha`,
  /// `$beta` and numbers in quotes. The numbers after the argument of a function are
  /// its parameters.
  dag definition = ?;
  /// Whether ane-fuse makes the function of ops that spell its definition.
  bit isFused = 0;
}

// Straight pieces.
def Fn_Relu : ANE_Function<"Relu", 0, "relu"> {
  let isOnePass = 1;
  let low = "0";
  let mil = "relu";
}
def Fn_LeakyRelu : ANE_Function<"LeakyRelu", 1, "leaky_relu"> { // alpha: slope below 0
  let parameters = 1;
  let table = "LeakyRelu";
}
def Fn_Clamp : ANE_Function<"Clamp", 2, "clamp"> { // alpha, beta: bounds
  let parameters = 2;
  let table = "Clamp";
}
def Fn_HardSigmoid : ANE_Function<"HardSigmoid", 8, "hard_sigmoid"> {
  let parameters = 2;
  let table = "HardSigmoid";
  let low = "0";
  let high = "1";
  let definition = (Fn_Clamp (Pair_Add (Pair_Mul $x, $alpha), $beta), "0", "1");
}
def Fn_HardSwish : ANE_Function<"HardSwish", 9, "hard_swish"> {
  let table = "HardSwish";
  let low = "-0.375";
  let definition = (Pair_Mul $x, (Fn_HardSigmoid $x, "0.16666666666666666", "0.5"));
}
def Fn_ThresholdedRelu : ANE_Function<"ThresholdedRelu", 30, "thresholded_relu"> {
  let parameters = 1; // x where x > alpha, else 0
  let table = "ThresholdedRelu";
}
def Fn_Abs : ANE_Function<"Abs", 18, "abs"> {
  let low = "0";
  let mil = "abs";
}
def Fn_Neg : ANE_Function<"Neg", 19, "neg">;
def Fn_Sign : ANE_Function<"Sign", 24, "sign"> { // -1, 0, 1
  let table = "Sign";
  let low = "-1";
  let high = "1";
  let mil = "sign";
}
def Fn_Square : ANE_Function<"Square", 25, "square"> {
  let low = "0";
  let mil = "square";
  let definition = (Pair_Mul $x, $x);
}

// Whole numbers.
def Fn_Floor : ANE_Function<"Floor", 21, "floor"> { let mil = "floor"; }
def Fn_Ceil : ANE_Function<"Ceil", 22, "ceil"> { let mil = "ceil"; }
def Fn_Round : ANE_Function<"Round", 23, "round"> { let mil = "round"; } // halves to even
def Fn_Trunc : ANE_Function<"Trunc", 37, "trunc"> {
  let table = "Trunc";
  let definition = (Pair_Mul (Fn_Sign $x), (Fn_Floor (Fn_Abs $x)));
}
def Fn_Fraction : ANE_Function<"Fraction", 38, "fraction"> {
  let table = "Fraction";
  let low = "-1";
  let high = "1";
  let definition = (Pair_Sub $x, (Fn_Trunc $x));
}

// Two values: alpha where it holds, beta where not.
def Fn_WhereNonzero : ANE_Function<"WhereNonzero", 34, "where_nonzero"> {
  let parameters = 2;
  let table = "WhereNonzero";
}
def Fn_WherePositive : ANE_Function<"WherePositive", 35, "where_positive"> {
  let parameters = 2;
  let table = "WherePositive";
}
def Fn_WhereNegative : ANE_Function<"WhereNegative", 36, "where_negative"> {
  let parameters = 2;
  let table = "WhereNegative";
}

// Powers and logarithms.
def Fn_Exp : ANE_Function<"Exp", 11, "exp"> {
  let isOnePass = 1; // the table of exp2, with a factor before it
  let low = "0";
  let mil = "exp";
}
def Fn_Exp2 : ANE_Function<"Exp2", 12, "exp2"> {
  let table = "Exp2";
  let low = "0";
  let mil = "exp2";
}
def Fn_Log : ANE_Function<"Log", 13, "log">;
def Fn_Log2 : ANE_Function<"Log2", 14, "log2"> {
  let table = "Log2";
  let definition = (Pair_Mul (Fn_Log $x), "1.4426950408889634");
}
def Fn_Sqrt : ANE_Function<"Sqrt", 15, "sqrt"> {
  let table = "Sqrt";
  let low = "0";
}
def Fn_Rsqrt : ANE_Function<"Rsqrt", 16, "rsqrt"> { // 1 / sqrt(x + alpha)
  let parameters = 1;
  let table = "Rsqrt";
  let low = "0";
}
def Fn_Reciprocal : ANE_Function<"Reciprocal", 17, "reciprocal"> {
  let table = "Reciprocal";
}
def Fn_Log1p : ANE_Function<"Log1p", 41, "log1p">; // log(1 + x), right near 0
def Fn_Expm1 : ANE_Function<"Expm1", 42, "expm1">; // e^x - 1, right near 0
// log1p(x) / x for |x| up to 1/2.
def Fn_Log1pFactor : ANE_Function<"Log1pFactor", 43, "log1p_factor"> {
  let table = "Log1pFactor";
  let low = "0.8";
  let high = "1.4";
}
def Fn_Elu : ANE_Function<"Elu", 3, "elu"> { // alpha: scale below 0
  let parameters = 1;
  let table = "Elu";
}
// elu(x) / x for x from -8 on.
def Fn_EluFactor : ANE_Function<"EluFactor", 44, "elu_factor"> {
  let parameters = 1;
  let table = "EluFactor";
}

// Between two bounds.
def Fn_Sigmoid : ANE_Function<"Sigmoid", 4, "sigmoid"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "Sigmoid";
  let low = "0";
  let high = "1";
  let mil = "sigmoid";
}
def Fn_Tanh : ANE_Function<"Tanh", 5, "tanh"> {
  let table = "Tanh";
  let low = "-1";
  let high = "1";
  let mil = "tanh";
}
def Fn_ScaledTanh : ANE_Function<"ScaledTanh", 28, "scaled_tanh"> {
  let parameters = 2;
  let table = "ScaledTanh";
  let definition = (Pair_Mul (Fn_Tanh (Pair_Mul $x, $beta)), $alpha);
}
def Fn_Erf : ANE_Function<"Erf", 20, "erf"> {
  let table = "Erf";
  let low = "-1";
  let high = "1";
  let mil = "erf";
}
def Fn_Softsign : ANE_Function<"Softsign", 29, "softsign"> {
  let low = "-1";
  let high = "1";
  let mil = "softsign";
  let definition = (Pair_Mul $x, (Fn_Reciprocal (Pair_Add (Fn_Abs $x), "1")));
}

// A number times a gate.
def Fn_Softplus : ANE_Function<"Softplus", 10, "softplus"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "Softplus";
  let low = "0";
  let mil = "softplus";
}
def Fn_Silu : ANE_Function<"Silu", 7, "silu"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "Silu";
  let low = "-0.2785";
  let definition = (Pair_Mul $x, (Fn_Sigmoid $x));
  let isFused = 1;
}
def Fn_Mish : ANE_Function<"Mish", 45, "mish"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "Mish";
  let low = "-0.3089";
  let definition = (Pair_Mul $x, (Fn_Tanh (Fn_Softplus $x)));
  let isFused = 1;
}
def Fn_Gelu : ANE_Function<"Gelu", 6, "gelu"> { // the erf form
  let parameters = 1;
  let canStretch = 1;
  let table = "GeluErf";
  let low = "-0.17";
  let definition = (Pair_Mul (Pair_Mul $x, "0.5"),
    (Pair_Add (Fn_Erf (Pair_Mul $x, "0.70710678118654752")), "1"));
}
def Fn_GeluTanh : ANE_Function<"GeluTanh", 26, "gelu_tanh"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "GeluTanh";
  let low = "-0.1701";
  let definition = (Pair_Mul (Pair_Mul $x, "0.5"),
    (Pair_Add
      (Fn_Tanh (Pair_Mul
        (Pair_Mul $x, (Pair_Add (Pair_Mul (Pair_Mul $x, $x), "0.044715"), "1")),
        "0.79788456080286536")),
      "1"));
}
def Fn_GeluSigmoid : ANE_Function<"GeluSigmoid", 27, "gelu_sigmoid"> {
  let parameters = 1;
  let canStretch = 1;
  let table = "GeluSigmoid";
  let low = "-0.1637";
  let definition = (Pair_Mul $x, (Fn_Sigmoid (Pair_Mul $x, "1.702")));
}

// Angles.
def Fn_Sin : ANE_Function<"Sin", 31, "sin"> {
  let low = "-1";
  let high = "1";
  let mil = "sin";
}
def Fn_Cos : ANE_Function<"Cos", 32, "cos"> {
  let low = "-1";
  let high = "1";
  let mil = "cos";
}
def Fn_Atan : ANE_Function<"Atan", 33, "atan"> {
  let low = "-1.5708";
  let high = "1.5708";
  let mil = "atan";
}
def Fn_SinQuarter : ANE_Function<"SinQuarter", 39, "sin_quarter"> { // |x| up to 2
  let table = "Sine";
  let low = "-1";
  let high = "1";
  let definition = (Fn_Sin $x);
}
def Fn_AtanUnit : ANE_Function<"AtanUnit", 40, "atan_unit"> { // |x| up to 1
  let table = "ArcTangent";
  let low = "-1.5708";
  let high = "1.5708";
  let definition = (Fn_Atan $x);
}

def ANE_ActivationKind : ANE_Enum<"ActivationKind", "a function of one element", [
  Fn_Relu, Fn_LeakyRelu, Fn_Clamp, Fn_Elu, Fn_Sigmoid, Fn_Tanh, Fn_Gelu, Fn_Silu,
  Fn_HardSigmoid, Fn_HardSwish, Fn_Softplus, Fn_Exp, Fn_Exp2, Fn_Log, Fn_Log2, Fn_Sqrt,
  Fn_Rsqrt, Fn_Reciprocal, Fn_Abs, Fn_Neg, Fn_Erf, Fn_Floor, Fn_Ceil, Fn_Round, Fn_Sign,
  Fn_Square, Fn_GeluTanh, Fn_GeluSigmoid, Fn_ScaledTanh, Fn_Softsign, Fn_ThresholdedRelu,
  Fn_Sin, Fn_Cos, Fn_Atan, Fn_WhereNonzero, Fn_WherePositive, Fn_WhereNegative, Fn_Trunc,
  Fn_Fraction, Fn_SinQuarter, Fn_AtanUnit, Fn_Log1p, Fn_Expm1, Fn_Log1pFactor,
  Fn_EluFactor, Fn_Mish
]>;

#endif // ANE_DIALECT_ANE_IR_ANEFUNCTIONS_TD
