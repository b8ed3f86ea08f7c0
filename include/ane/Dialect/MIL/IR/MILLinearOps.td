//===- MILLinearOps.td - Convolution and product -----------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILLINEAROPS_TD
#define ANE_DIALECT_MIL_IR_MILLINEAROPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def AvgPoolOp : Statement<"avg_pool", 15,
    [OptParam<"exclude_padding_from_average", Bool, dflt = "false">,
     In<"x", Float, var = "T">, Param<"kernel_sizes", Int32>,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     Param<"pad_type", Str>, OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"ceil_mode", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "mean over a window";
}

def ConvOp : Statement<"conv", 15,
    [In<"x", Float, var = "T">, In<"weight", Float, var = "U", oldVar = "T">,
     OptIn<"bias", Float, var = "U", oldVar = "T", note = "none">,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     OptParam<"pad_type", Str, dflt = "valid">,
     OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"dilations", Int32, note = "1 for each spatial axis">,
     OptParam<"groups", Int32, dflt = "1">],
    [Out<"T">]> {
  let summary = "cross-correlation of x [n, Cin, *D] with weight [Cout, Cin/groups, *K]";
}

def ConvQuantizedOp : Statement<"conv_quantized", 15,
    [In<"x", Float, var = "T">, In<"weight", Uint8, var = "U">,
     OptParam<"bias", Uint8, var = "U", note = "none">, Param<"quantization_type", Str>,
     OptParam<"nbits", Int32, dflt = "8">, Param<"quant_scale", Float, var = "T">,
     Param<"quant_bias", Float, var = "T">,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     OptParam<"pad_type", Str, dflt = "valid">,
     OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"dilations", Int32, note = "1 for each spatial axis">,
     OptParam<"groups", Int32, dflt = "1">],
    [Out<"T">]> {
  let summary = "convolution with quantised weights";
}

def ConvTransposeOp : Statement<"conv_transpose", 15,
    [In<"x", Float, var = "T">, In<"weight", Float, var = "U", oldVar = "T">,
     OptIn<"bias", Float, var = "U", oldVar = "T", note = "none">,
     OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"output_shape", Int32, note = "as the input and the pads say">,
     OptParam<"pad_type", Str, dflt = "valid">,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     OptParam<"dilations", Int32, note = "1 for each spatial axis">,
     OptParam<"groups", Int32, dflt = "1">],
    [Out<"T">]> {
  let summary = "transposed convolution of x [n, Cin, *D] with weight [Cin, Cout/groups, *K]";
}

def EinsumOp : Statement<"einsum", 15,
    [TupleIn<"values", var = "T">, Param<"equation", Str>],
    [Out<"T">]> {
  let summary = "sum of products as an equation says";
}

def L2PoolOp : Statement<"l2_pool", 15,
    [In<"x", Float, var = "T">, Param<"kernel_sizes", Int32>,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     Param<"pad_type", Str>, OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"ceil_mode", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "root of the sum of squares over a window";
}

def LinearOp : Statement<"linear", 15,
    [In<"x", Number, var = "T">, Param<"weight", Number, var = "U", oldVar = "T">,
     OptParam<"bias", Number, var = "U", oldVar = "T", note = "none">],
    [Out<"T">]> {
  let summary = "x times the transposed weight, plus bias";
}

def MatmulOp : Statement<"matmul", 15,
    [In<"x", Number, var = "T">, In<"y", Number, var = "U", oldVar = "T">,
     OptParam<"transpose_x", Bool, dflt = "false">,
     OptParam<"transpose_y", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "matrix product over the last two axes";
}

def MaxPoolOp : Statement<"max_pool", 15,
    [In<"x", Float, var = "T">, Param<"kernel_sizes", Int32>,
     OptParam<"strides", Int32, note = "1 for each spatial axis">,
     Param<"pad_type", Str>, OptParam<"pad", Int32, note = "0 for each side">,
     OptParam<"ceil_mode", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "maximum over a window";
}

def ScaledDotProductAttentionOp : Statement<"scaled_dot_product_attention", 18,
    [In<"query", Float, var = "T">, In<"key", Float, var = "T">,
     In<"value", Float, var = "T">, OptIn<"attn_mask", Mask, var = "M", note = "no mask">],
    [Out<"T">]> {
  let summary = "softmax(query key^T / sqrt(E) + mask) value";
}

#endif // ANE_DIALECT_MIL_IR_MILLINEAROPS_TD
