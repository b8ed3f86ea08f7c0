//===- MILElementwiseOps.td - Functions of elements --------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILELEMENTWISEOPS_TD
#define ANE_DIALECT_MIL_IR_MILELEMENTWISEOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def AbsOp : Statement<"abs", 15,
    [In<"x", Number, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x without its sign";
}

def AcosOp : Statement<"acos", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "arc cosine of x";
}

def AddOp : Statement<"add", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x + y";
}

def AsinOp : Statement<"asin", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "arc sine of x";
}

def AtanOp : Statement<"atan", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "arc tangent of x";
}

def AtanhOp : Statement<"atanh", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "area hyperbolic tangent of x";
}

def CastOp : Statement<"cast", 15,
    [In<"x", AnyWide, var = "T">, Param<"dtype", Str>],
    [OutFrom<"dtype">], Same<"x">> {
  let summary = "x as elements of another type";
}

def CeilOp : Statement<"ceil", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "least integer not below x";
}

def ClipOp : Statement<"clip", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "T">,
     Param<"beta", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "min(max(x, alpha), beta)";
}

def CosOp : Statement<"cos", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "cosine of x";
}

def CoshOp : Statement<"cosh", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "hyperbolic cosine of x";
}

def EqualOp : Statement<"equal", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x = y";
}

def ErfOp : Statement<"erf", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "error function of x";
}

def ExpOp : Statement<"exp", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "e^x";
}

def Exp2Op : Statement<"exp2", 15,
    [In<"x", Number, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "2^x";
}

def FloorOp : Statement<"floor", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "greatest integer not above x";
}

def FloorDivOp : Statement<"floor_div", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "floor(x / y)";
}

def GreaterOp : Statement<"greater", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x > y";
}

def GreaterEqualOp : Statement<"greater_equal", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x >= y";
}

def InverseOp : Statement<"inverse", 15,
    [In<"x", Float, var = "T">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-4">],
    [Out<"T">], Same<"x">> {
  let summary = "1 / (x + epsilon)";
}

def LessOp : Statement<"less", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x < y";
}

def LessEqualOp : Statement<"less_equal", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x <= y";
}

def LogOp : Statement<"log", 15,
    [In<"x", Float, var = "T">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-45">],
    [Out<"T">], Same<"x">> {
  let summary = "natural logarithm of x + epsilon";
}

def LogicalAndOp : Statement<"logical_and", 15,
    [In<"x", Bool, var = "T">, In<"y", Bool, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x and y";
}

def LogicalNotOp : Statement<"logical_not", 15,
    [In<"x", Bool>],
    [OutIs<Bool>], Same<"x">> {
  let summary = "not x";
}

def LogicalOrOp : Statement<"logical_or", 15,
    [In<"x", Bool, var = "T">, In<"y", Bool, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x or y";
}

def LogicalXorOp : Statement<"logical_xor", 15,
    [In<"x", Bool, var = "T">, In<"y", Bool, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "either x or y";
}

def MaximumOp : Statement<"maximum", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "greater of x and y";
}

def MinimumOp : Statement<"minimum", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "smaller of x and y";
}

def ModOp : Statement<"mod", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x - y floor(x / y)";
}

def MulOp : Statement<"mul", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x y";
}

def NotEqualOp : Statement<"not_equal", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [OutIs<Bool>], Broadcast<["x", "y"]>> {
  let summary = "x differs from y";
}

def PowOp : Statement<"pow", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x to the power of y";
}

def RealDivOp : Statement<"real_div", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x / y";
}

def RoundOp : Statement<"round", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x rounded to an integer";
}

def RsqrtOp : Statement<"rsqrt", 15,
    [In<"x", Float, var = "T">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-12">],
    [Out<"T">], Same<"x">> {
  let summary = "1 / sqrt(x + epsilon)";
}

def SignOp : Statement<"sign", 15,
    [In<"x", Number, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "-1, 0 or 1";
}

def SinOp : Statement<"sin", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "sine of x";
}

def SinhOp : Statement<"sinh", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "hyperbolic sine of x";
}

def SqrtOp : Statement<"sqrt", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "square root of x";
}

def SquareOp : Statement<"square", 15,
    [In<"x", Number, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x^2";
}

def SubOp : Statement<"sub", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "T">],
    [Out<"T">], Broadcast<["x", "y"]>> {
  let summary = "x - y";
}

def TanOp : Statement<"tan", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "tangent of x";
}

def TanhOp : Statement<"tanh", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "hyperbolic tangent of x";
}

def ThresholdOp : Statement<"threshold", 15,
    [In<"x", Number, var = "T">, Param<"alpha", Number, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "max(x, alpha)";
}

#endif // ANE_DIALECT_MIL_IR_MILELEMENTWISEOPS_TD
