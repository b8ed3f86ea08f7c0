//===- MILReductionOps.td - Reductions and norms -----------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILREDUCTIONOPS_TD
#define ANE_DIALECT_MIL_IR_MILREDUCTIONOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def BatchNormOp : Statement<"batch_norm", 15,
    [In<"x", Float, var = "T">, Param<"mean", Float, var = "U", oldVar = "T">,
     Param<"variance", Float, var = "U", oldVar = "T">,
     OptParam<"gamma", Float, var = "U", oldVar = "T", note = "1">,
     OptParam<"beta", Float, var = "U", oldVar = "T", note = "0">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-05">],
    [Out<"T">], Same<"x">> {
  let summary = "gamma (x - mean) / sqrt(variance + epsilon) + beta for each channel";
}

def InstanceNormOp : Statement<"instance_norm", 15,
    [In<"x", Float, var = "T">,
     OptParam<"gamma", Float, var = "U", oldVar = "T", note = "1">,
     OptParam<"beta", Float, var = "U", oldVar = "T", note = "0">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-05">],
    [Out<"T">], Same<"x">> {
  let summary = "gamma (x - mean) / sqrt(variance + epsilon) + beta, statistics over space";
}

def L2NormOp : Statement<"l2_norm", 15,
    [In<"x", Float, var = "T">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-06">],
    [Out<"T">], Same<"x">> {
  let summary = "x / sqrt(sum of x^2 + epsilon) over the last three axes";
}

def LayerNormOp : Statement<"layer_norm", 15,
    [In<"x", Float, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"gamma", Float, var = "U", oldVar = "T", note = "1">,
     OptParam<"beta", Float, var = "U", oldVar = "T", note = "0">,
     OptParam<"epsilon", Float, var = "U", oldVar = "T", dflt = "1e-05">],
    [Out<"T">], Same<"x">> {
  let summary = "gamma (x - mean) / sqrt(variance + epsilon) + beta, statistics over axes";
}

def LocalResponseNormOp : Statement<"local_response_norm", 15,
    [In<"x", Float, var = "T">, Param<"size", Int32>,
     OptParam<"alpha", Float, var = "U", oldVar = "T", dflt = "0.0001">,
     OptParam<"beta", Float, var = "U", oldVar = "T", dflt = "0.75">,
     OptParam<"k", Float, var = "U", oldVar = "T", dflt = "1.0">],
    [Out<"T">], Same<"x">> {
  let summary = "x / (k + alpha/size sum of x^2)^beta over neighbouring channels";
}

def ReduceArgmaxOp : Statement<"reduce_argmax", 15,
    [In<"x", Number, var = "T">, OptParam<"axis", Int32, dflt = "-1">,
     OptParam<"keep_dims", Bool, dflt = "false">,
     OptParam<"output_dtype", Str, dflt = "int32", since = 17>],
    [OutFrom<"output_dtype">]> {
  let summary = "position of the maximum along an axis";
}

def ReduceArgminOp : Statement<"reduce_argmin", 15,
    [In<"x", Number, var = "T">, OptParam<"axis", Int32, dflt = "-1">,
     OptParam<"keep_dims", Bool, dflt = "false">,
     OptParam<"output_dtype", Str, dflt = "int32", since = 17>],
    [OutFrom<"output_dtype">]> {
  let summary = "position of the minimum along an axis";
}

def ReduceL1NormOp : Statement<"reduce_l1_norm", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "sum of absolute values";
}

def ReduceL2NormOp : Statement<"reduce_l2_norm", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "root of the sum of squares";
}

def ReduceLogSumOp : Statement<"reduce_log_sum", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "logarithm of the sum";
}

def ReduceLogSumExpOp : Statement<"reduce_log_sum_exp", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "logarithm of the sum of e^x";
}

def ReduceMaxOp : Statement<"reduce_max", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "maximum";
}

def ReduceMeanOp : Statement<"reduce_mean", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "mean";
}

def ReduceMinOp : Statement<"reduce_min", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "minimum";
}

def ReduceProdOp : Statement<"reduce_prod", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "product";
}

def ReduceSumOp : Statement<"reduce_sum", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "sum";
}

def ReduceSumSquareOp : Statement<"reduce_sum_square", 15,
    [In<"x", Number, var = "T">, OptParam<"axes", Int32, note = "all axes">,
     OptParam<"keep_dims", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "sum of squares";
}

#endif // ANE_DIALECT_MIL_IR_MILREDUCTIONOPS_TD
