//===- MILActivationOps.td - Activation functions ----------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILACTIVATIONOPS_TD
#define ANE_DIALECT_MIL_IR_MILACTIVATIONOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def ClampedReluOp : Statement<"clamped_relu", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">,
     Param<"beta", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "min(beta, x) where x is not negative, else min(beta, alpha x)";
}

def EluOp : Statement<"elu", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x where positive, else alpha (e^x - 1)";
}

def GeluOp : Statement<"gelu", 15,
    [In<"x", Float, var = "T">, OptParam<"mode", Str, dflt = "EXACT">],
    [Out<"T">], Same<"x">> {
  let summary = "x Phi(x), exact or by tanh or sigmoid";
}

def LeakyReluOp : Statement<"leaky_relu", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x where not negative, else alpha x";
}

def LinearActivationOp : Statement<"linear_activation", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">,
     Param<"beta", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "alpha x + beta";
}

def PreluOp : Statement<"prelu", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x where not negative, else alpha x with alpha for each channel";
}

def ReluOp : Statement<"relu", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "max(x, 0)";
}

def Relu6Op : Statement<"relu6", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "min(max(x, 0), 6)";
}

def ScaledTanhOp : Statement<"scaled_tanh", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">,
     Param<"beta", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "alpha tanh(beta x)";
}

def SigmoidOp : Statement<"sigmoid", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "1 / (1 + e^-x)";
}

def SigmoidHardOp : Statement<"sigmoid_hard", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">,
     Param<"beta", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "min(max(alpha x + beta, 0), 1)";
}

def SiluOp : Statement<"silu", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x sigmoid(x)";
}

def SoftmaxOp : Statement<"softmax", 15,
    [In<"x", Float, var = "T">, OptParam<"axis", Int32, dflt = "-1">],
    [Out<"T">], Same<"x">> {
  let summary = "e^x / sum of e^x along an axis";
}

def SoftplusOp : Statement<"softplus", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "ln(1 + e^x)";
}

def SoftplusParametricOp : Statement<"softplus_parametric", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">,
     Param<"beta", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "alpha ln(1 + e^(beta x)) with parameters for each channel";
}

def SoftsignOp : Statement<"softsign", 15,
    [In<"x", Float, var = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x / (1 + |x|)";
}

def ThresholdedReluOp : Statement<"thresholded_relu", 15,
    [In<"x", Float, var = "T">, Param<"alpha", Float, var = "U", oldVar = "T">],
    [Out<"T">], Same<"x">> {
  let summary = "x where at least alpha, else 0";
}

#endif // ANE_DIALECT_MIL_IR_MILACTIVATIONOPS_TD
