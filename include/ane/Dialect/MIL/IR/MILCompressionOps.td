//===- MILCompressionOps.td - Compressed constants ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILCOMPRESSIONOPS_TD
#define ANE_DIALECT_MIL_IR_MILCOMPRESSIONOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def ConstexprAffineDequantizeOp : CompressedStatement<"constexpr_affine_dequantize", 16,
    [Param<"quantized_data", Quantized, var = "SrcT">,
     Param<"zero_point", ZeroPoint, var = "ZeroPointT">,
     Param<"scale", Float, var = "DstT">, Param<"axis", Int32>],
    [Out<"DstT">], Same<"quantized_data">> {
  let summary = "constant scale (quantized_data - zero_point)";
}

def ConstexprBlockwiseShiftScaleOp : CompressedStatement<"constexpr_blockwise_shift_scale", 18,
    [Param<"data", Compressed, var = "SrcT">, Param<"scale", Float, var = "DstT">,
     OptParam<"offset", Compressed, var = "OffsetT", note = "0">],
    [Out<"DstT">], Same<"data">> {
  let summary = "constant scale (data - offset), one scale for each block";
}

def ConstexprCastOp : CompressedStatement<"constexpr_cast", 16,
    [Param<"source_val", Fp16>, Param<"output_dtype", Str>],
    [OutFrom<"output_dtype">], Same<"source_val">> {
  let summary = "constant in another element type";
}

def ConstexprLutToDenseOp : CompressedStatement<"constexpr_lut_to_dense", 16,
    [Param<"indices", PaletteIndex, var = "IndicesT">,
     Param<"lut", PaletteValue, var = "T">,
     OptParam<"vector_axis", Int32, note = "the last axis", since = 18>,
     OptParam<"shape", Uint32, note = "see indices", until = 17>],
    [Out<"T">]> {
  let summary = "constant whose elements are indices into a table";
}

def ConstexprLutToSparseOp : CompressedStatement<"constexpr_lut_to_sparse", 18,
    [Param<"indices_mask", Uint1>,
     Param<"indices_nonzero_data", PaletteIndex, var = "IndicesT">,
     Param<"lut", PaletteValue, var = "T">,
     OptParam<"vector_axis", Int32, note = "the last axis">],
    [OutIs<Uint1, "mask">, Out<"T", "nonzero">]> {
  let summary = "sparse constant whose elements are indices into a table";
}

def ConstexprSparseBlockwiseShiftScaleOp : CompressedStatement<"constexpr_sparse_blockwise_shift_scale", 18,
    [Param<"data_mask", Uint1>, Param<"nonzero_data", Compressed, var = "SrcT">,
     Param<"scale", Float, var = "DstT">,
     OptParam<"offset", Compressed, var = "OffsetT", note = "0">],
    [OutIs<Uint1, "mask">, Out<"DstT", "nonzero">]> {
  let summary = "sparse constant scale (data - offset), one scale for each block";
}

def ConstexprSparseToDenseOp : CompressedStatement<"constexpr_sparse_to_dense", 16,
    [Param<"nonzero_data", Compressed, var = "T">, Param<"mask", SparseMask>,
     OptParam<"shape", Uint32, note = "see mask", until = 17>],
    [Out<"T">]> {
  let summary = "constant from a mask and the elements that are not 0";
}

def DequantizeOp : Statement<"dequantize", 17,
    [In<"input", Quantized, var = "SrcT">,
     OptParam<"zero_point", Quantized, var = "SrcT", note = "0">,
     Param<"scale", Float, var = "DstT">,
     OptParam<"axis", Int32, note = "none: one scale for all">],
    [Out<"DstT">], Same<"input">> {
  let summary = "scale (input - zero_point)";
}

def QuantizeOp : Statement<"quantize", 17,
    [In<"input", Float, var = "SrcT">,
     OptParam<"zero_point", Quantized, var = "DstT", note = "0">,
     Param<"scale", Float, var = "SrcT">,
     OptParam<"axis", Int32, note = "none: one scale for all">,
     Param<"output_dtype", Str>],
    [OutFrom<"output_dtype">], Same<"input">> {
  let summary = "input / scale + zero_point, rounded and clipped";
}

#endif // ANE_DIALECT_MIL_IR_MILCOMPRESSIONOPS_TD
