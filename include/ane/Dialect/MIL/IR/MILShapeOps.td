//===- MILShapeOps.td - Changes of shape -------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILSHAPEOPS_TD
#define ANE_DIALECT_MIL_IR_MILSHAPEOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def BatchToSpaceOp : Statement<"batch_to_space", 15,
    [In<"x", Float, var = "T">, Param<"block_shape", Int32>, Param<"crops", Int32>],
    [Out<"T">]> {
  let summary = "blocks of the batch axis moved into space, then cropped";
}

def DepthToSpaceOp : Statement<"depth_to_space", 15,
    [In<"x", Float, var = "T">, Param<"block_size", Int32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "blocks of channels moved into space";
}

def ExpandDimsOp : Statement<"expand_dims", 15,
    [In<"x", AnyWide, var = "T">, Param<"axes", Int32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "x with new axes of extent 1";
}

def PixelShuffleOp : Statement<"pixel_shuffle", 15,
    [In<"x", Float, var = "T">, Param<"upscale_factor", Int32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "channels moved into space, in the order C, r, r";
}

def PixelUnshuffleOp : Statement<"pixel_unshuffle", 16,
    [In<"x", Float, var = "T">, Param<"downscale_factor", Uint32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "space moved into channels, in the order C, r, r";
}

def ReshapeOp : Statement<"reshape", 15,
    [In<"x", AnyWide, var = "T">, In<"shape", IndexWide, var = "U">],
    [Out<"T">], SameCount<"x">> {
  let summary = "the elements of x in another shape; 0 copies an extent, -1 is inferred";
}

def ReshapeLikeOp : Statement<"reshape_like", 16,
    [In<"x", AnyWide, var = "T">, TupleIn<"ref_tensors">, TupleIn<"begins">,
     TupleIn<"ends">, TupleIn<"end_masks">],
    [Out<"T">], SameCount<"x">> {
  let summary = "the elements of x with extents of other tensors";
}

def ReverseOp : Statement<"reverse", 15,
    [In<"x", AnyWide, var = "T">, OptParam<"axes", Int32, note = "all axes">],
    [Out<"T">], Same<"x">> {
  let summary = "x with some axes in reverse order";
}

def ReverseSequenceOp : Statement<"reverse_sequence", 15,
    [In<"x", AnyWide, var = "T">, In<"lengths", IndexWide, var = "U">,
     OptParam<"seq_axis", Int32, dflt = "0">, OptParam<"batch_axis", Int32, dflt = "0">],
    [Out<"T">], Same<"x">> {
  let summary = "x with the first elements of each sequence in reverse order";
}

def SliceByIndexOp : Statement<"slice_by_index", 15,
    [In<"x", AnyWide, var = "T">, In<"begin", IndexWide, var = "U">,
     In<"end", IndexWide, var = "U">,
     OptParam<"stride", IndexWide, var = "U", note = "1 for each axis">,
     OptParam<"begin_mask", Bool, note = "false for each axis">,
     OptParam<"end_mask", Bool, note = "false for each axis">,
     OptParam<"squeeze_mask", Bool, note = "false for each axis">],
    [Out<"T">]> {
  let summary = "x[begin:end:stride]; a mask ignores a bound or drops an axis";
}

def SliceBySizeOp : Statement<"slice_by_size", 15,
    [In<"x", AnyWide, var = "T">, In<"begin", IndexWide, var = "U">,
     In<"size", IndexWide, var = "U">],
    [Out<"T">]> {
  let summary = "size elements of each axis from begin on; -1 is the rest";
}

def SliceUpdateOp : Statement<"slice_update", 18,
    [In<"x", AnyWide, var = "T">, In<"update", AnyWide, var = "T">,
     In<"begin", IndexWide, var = "U">, In<"end", IndexWide, var = "U">,
     OptParam<"stride", IndexWide, var = "U", note = "1 for each axis">,
     OptParam<"begin_mask", Bool, note = "false for each axis">,
     OptParam<"end_mask", Bool, note = "false for each axis">,
     OptParam<"squeeze_mask", Bool, note = "false for each axis">],
    [Out<"T">], Same<"x">> {
  let summary = "x with x[begin:end:stride] replaced by update";
}

def SlidingWindowsOp : Statement<"sliding_windows", 15,
    [In<"x", AnyWide, var = "T">, Param<"axis", Int32>, Param<"size", Int32>,
     OptParam<"stride", Int32, dflt = "1">],
    [Out<"T">]> {
  let summary = "windows along an axis, stacked";
}

def SpaceToBatchOp : Statement<"space_to_batch", 15,
    [In<"x", Float, var = "T">, Param<"block_shape", Int32>, Param<"paddings", Int32>],
    [Out<"T">]> {
  let summary = "blocks of padded space moved into the batch axis";
}

def SpaceToDepthOp : Statement<"space_to_depth", 15,
    [In<"x", Float, var = "T">, Param<"block_size", Int32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "blocks of space moved into channels";
}

def SqueezeOp : Statement<"squeeze", 15,
    [In<"x", AnyWide, var = "T">, OptParam<"axes", Int32, note = "all axes of extent 1">],
    [Out<"T">], SameCount<"x">> {
  let summary = "x without axes of extent 1";
}

def TransposeOp : Statement<"transpose", 15,
    [In<"x", AnyWide, var = "T">, Param<"perm", Int32>],
    [Out<"T">], SameCount<"x">> {
  let summary = "x with its axes in another order";
}

#endif // ANE_DIALECT_MIL_IR_MILSHAPEOPS_TD
