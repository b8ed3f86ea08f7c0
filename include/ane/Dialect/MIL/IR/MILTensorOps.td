//===- MILTensorOps.td - Gathering and filling -------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILTENSOROPS_TD
#define ANE_DIALECT_MIL_IR_MILTENSOROPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def ArgsortOp : Statement<"argsort", 15,
    [In<"x", Number, var = "T">, OptParam<"axis", Int32, dflt = "-1">,
     OptParam<"ascending", Bool, dflt = "false">],
    [OutIs<Int32>], Same<"x">> {
  let summary = "positions of the elements along an axis in sorted order";
}

def BandPartOp : Statement<"band_part", 15,
    [In<"x", Any, var = "T">, OptParam<"lower", Int32, dflt = "-1">,
     OptParam<"upper", Int32, dflt = "-1">],
    [Out<"T">], Same<"x">> {
  let summary = "x inside a band around the diagonal of the last two axes, else 0";
}

def ConcatOp : Statement<"concat", 15,
    [TupleIn<"values", var = "T">, Param<"axis", Int32>,
     OptParam<"interleave", Bool, dflt = "false">],
    [Out<"T">]> {
  let summary = "tensors joined along an axis, element by element with interleave";
}

def CumsumOp : Statement<"cumsum", 15,
    [In<"x", Number, var = "T">, OptParam<"axis", Int32, dflt = "0">,
     OptParam<"exclusive", Bool, dflt = "false">,
     OptParam<"reverse", Bool, dflt = "false">],
    [Out<"T">], Same<"x">> {
  let summary = "running sum along an axis";
}

def FillOp : Statement<"fill", 15,
    [In<"shape", Int32>, OptParam<"value", Any, var = "T", dflt = "0.0">],
    [Out<"T">]> {
  let summary = "tensor of one value";
}

def FillLikeOp : Statement<"fill_like", 16,
    [In<"ref_tensor", Any, var = "T">, OptParam<"value", Any, var = "U", dflt = "0.0">],
    [Out<"U">], Same<"ref_tensor">> {
  let summary = "tensor of one value in the shape of another tensor";
}

def Flatten2dOp : Statement<"flatten2d", 15,
    [In<"x", Any, var = "T">, OptParam<"axis", Int32, dflt = "1">],
    [Out<"T">], SameCount<"x">> {
  let summary = "x as a matrix; the axes before and behind axis are joined";
}

def GatherOp : Statement<"gather", 15,
    [In<"x", NumberWide, var = "T">, In<"indices", IndexWider, var = "I">,
     OptParam<"axis", Int32, dflt = "0">,
     OptParam<"batch_dims", Int32, dflt = "0", since = 16>,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">]> {
  let summary = "slices of x along an axis, picked by indices";
}

def GatherAlongAxisOp : Statement<"gather_along_axis", 15,
    [In<"x", NumberWide, var = "T">, In<"indices", IndexWider, var = "I">,
     OptParam<"axis", Int32, dflt = "0">,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">]> {
  let summary = "elements of x along an axis, picked by indices of its shape";
}

def GatherNdOp : Statement<"gather_nd", 15,
    [In<"x", NumberWide, var = "T">, In<"indices", IndexWider, var = "I">,
     OptParam<"batch_dims", Int32, dflt = "0", since = 16>,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">]> {
  let summary = "slices of x, picked by coordinates";
}

def IdentityOp : Statement<"identity", 15,
    [AnyIn<"x">],
    [OutAny<>], Same<"x">> {
  let summary = "x";
}

def NonMaximumSuppressionOp : Statement<"non_maximum_suppression", 15,
    [In<"boxes", Float, var = "T">, In<"scores", Float, var = "T">,
     Param<"iou_threshold", Float, var = "T">, Param<"max_boxes", Int32>,
     OptParam<"per_class_suppression", Bool, dflt = "false">,
     OptParam<"score_threshold", Float, var = "T", note = "all boxes", until = 16>],
    [Out<"T", "kept_boxes">, Out<"T", "kept_scores">, OutIs<Int32, "indices">,
     OldOutIs<Int32, "count", 16>]> {
  let summary = "boxes that overlap no better one";
}

def NonZeroOp : Statement<"non_zero", 15,
    [In<"x", Any, var = "T">],
    [OutIs<Int32>]> {
  let summary = "coordinates of the elements that are not 0";
}

def OneHotOp : Statement<"one_hot", 15,
    [In<"indices", Int32>, In<"one_hot_vector_size", Int32>,
     OptParam<"axis", Int32, dflt = "-1">,
     OptParam<"on_value", Any, var = "T", dflt = "1">,
     OptParam<"off_value", Any, var = "T", dflt = "0">],
    [Out<"T">]> {
  let summary = "on_value at the index, off_value elsewhere";
}

def PadOp : Statement<"pad", 15,
    [In<"x", Float, var = "T">, In<"pad", Int32>,
     OptParam<"mode", Str, dflt = "constant">,
     OptParam<"constant_val", Float, var = "T", dflt = "0.0">],
    [Out<"T">]> {
  let summary = "x with a border";
}

def RandomBernoulliOp : EffectStatement<"random_bernoulli", 15,
    [In<"shape", Int32>, OptParam<"prob", Float, var = "T", dflt = "0.5">,
     OptParam<"seed", Int32, dflt = "-1">],
    [Out<"T">]> {
  let summary = "1 with a probability, else 0";
}

def RandomCategoricalOp : EffectStatement<"random_categorical", 15,
    [In<"x", Float, var = "T">, OptParam<"mode", Str, dflt = "logits">,
     OptParam<"size", Int32, dflt = "1">, OptParam<"seed", Int32, dflt = "-1">],
    [OutAny<>]> {
  let summary = "indices drawn by their probabilities";
}

def RandomNormalOp : EffectStatement<"random_normal", 15,
    [In<"shape", Int32>, OptParam<"mean", Float, var = "T", dflt = "0.0">,
     OptParam<"stddev", Float, var = "T", dflt = "1.0">,
     OptParam<"seed", Int32, dflt = "-1">],
    [Out<"T">]> {
  let summary = "numbers of a normal distribution";
}

def RandomUniformOp : EffectStatement<"random_uniform", 15,
    [In<"shape", Int32>, OptParam<"low", Float, var = "T", dflt = "0.0">,
     OptParam<"high", Float, var = "T", dflt = "1.0">,
     OptParam<"seed", Int32, dflt = "-1">],
    [Out<"T">]> {
  let summary = "numbers of a uniform distribution";
}

def Range1dOp : Statement<"range_1d", 15,
    [In<"end", Number, var = "T">, In<"start", Number, var = "T">,
     In<"step", Number, var = "T">],
    [Out<"T">]> {
  let summary = "start, start + step, ... before end";
}

def ScatterOp : Statement<"scatter", 15,
    [In<"data", Number, var = "T">, In<"indices", Int32>,
     In<"updates", Number, var = "T">, OptParam<"axis", Int32, dflt = "0">,
     OptParam<"mode", Str, dflt = "add">,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">], Same<"data">> {
  let summary = "data with slices along an axis combined with updates";
}

def ScatterAlongAxisOp : Statement<"scatter_along_axis", 15,
    [In<"data", Number, var = "T">, In<"indices", Int32>,
     In<"updates", Number, var = "T">, OptParam<"axis", Int32, dflt = "0">,
     OptParam<"mode", Str, dflt = "add">,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">], Same<"data">> {
  let summary = "data with elements along an axis combined with updates";
}

def ScatterNdOp : Statement<"scatter_nd", 15,
    [In<"data", Number, var = "T">, In<"indices", Int32>,
     In<"updates", Number, var = "T">, OptParam<"mode", Str, dflt = "add">,
     OptParam<"validate_indices", Bool, dflt = "false", since = 17>],
    [Out<"T">], Same<"data">> {
  let summary = "data with slices at coordinates combined with updates";
}

def ShapeOp : Statement<"shape", 15,
    [In<"x", Any, var = "T">],
    [OutIs<Int32>]> {
  let summary = "extents of x";
}

def SplitOp : Statement<"split", 15,
    [In<"x", Any, var = "T">,
     OptParam<"num_splits", Int32, note = "as split_sizes says">,
     OptParam<"split_sizes", Int32, note = "equal parts">, Param<"axis", Int32>],
    [ManyOut<"T">]> {
  let summary = "x cut along an axis";
}

def StackOp : Statement<"stack", 15,
    [TupleIn<"values", var = "T">, Param<"axis", Int32>],
    [Out<"T">]> {
  let summary = "tensors joined along a new axis";
}

def TileOp : Statement<"tile", 15,
    [In<"x", Any, var = "T">, In<"reps", Int32>],
    [Out<"T">]> {
  let summary = "x repeated along its axes";
}

def TopkOp : Statement<"topk", 15,
    [In<"x", NumberWide, var = "T">, OptParam<"k", IndexWide, var = "K", dflt = "1">,
     OptParam<"axis", Int32, dflt = "-1">, OptParam<"ascending", Bool, dflt = "false">,
     OptParam<"sort", Bool, dflt = "true", since = 16>,
     OptParam<"return_indices", Bool, dflt = "true", since = 16>,
     OptParam<"output_indices_dtype", Str, dflt = "int32", since = 17>],
    [Out<"T", "values">, OptOutFrom<"output_indices_dtype", "indices">]> {
  let summary = "greatest or smallest elements along an axis";
}

#endif // ANE_DIALECT_MIL_IR_MILTENSOROPS_TD
