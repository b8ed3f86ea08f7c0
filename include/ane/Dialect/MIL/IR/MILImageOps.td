//===- MILImageOps.td - Resizing ---------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the table of MIL operations; MILStatement.td says how to read it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILIMAGEOPS_TD
#define ANE_DIALECT_MIL_IR_MILIMAGEOPS_TD

include "ane/Dialect/MIL/IR/MILStatement.td"

def AffineOp : Statement<"affine", 15,
    [In<"x", Float, var = "T">, In<"transform_matrix", Float, var = "T">,
     Param<"output_height", Int32>, Param<"output_width", Int32>,
     Param<"sampling_mode", Str>, Param<"padding_mode", Str>,
     Param<"padding_value", Float, var = "T">, Param<"coordinates_mode", Str>,
     Param<"align_corners", Bool>],
    [Out<"T">]> {
  let summary = "x resampled where an affine map of the output grid points";
}

def CropOp : Statement<"crop", 15,
    [In<"x", Float, var = "T">, Param<"crop_height", Int32>, Param<"crop_width", Int32>],
    [Out<"T">]> {
  let summary = "x without a border of its last two axes";
}

// The mode is misspelt so in coremltools.
def CropResizeOp : Statement<"crop_resize", 15,
    [In<"x", Float, var = "T">,
     OptIn<"boxes", Box, note = "see roi", var = "BOX_T", since = 17>,
     OptIn<"box_indices", BoxIndex, var = "BOX_INDEX_T", note = "0, 1, 2, ...", since = 17>,
     OptParam<"target_height", Int32, dflt = "1">,
     OptParam<"target_width", Int32, dflt = "1">,
     OptParam<"normalized_coordinates", Bool, dflt = "false">,
     OptParam<"spatial_scale", Fp32, dflt = "1.0">,
     OptParam<"box_coordinate_mode", Str, dflt = "CONRNERS_HEIGHT_FIRST">,
     OptParam<"sampling_mode", Str, dflt = "DEFAULT">,
     OptParam<"pad_value", Float, var = "T", dflt = "0.0", since = 16>,
     OptIn<"roi", Float, var = "T", note = "see boxes", until = 16>],
    [Out<"T">]> {
  let summary = "regions of x, each resized to one size";
}

def ResampleOp : Statement<"resample", 15,
    [In<"x", Float, var = "T">, In<"coordinates", NumberWide, var = "U">,
     Param<"sampling_mode", Str>, Param<"padding_mode", Str>,
     Param<"padding_value", Float, var = "T">, Param<"coordinates_mode", Str>,
     Param<"align_corners", Bool>],
    [Out<"T">]> {
  let summary = "x at given coordinates";
}

def ResizeOp : Statement<"resize", 17,
    [In<"x", Number, var = "T">, In<"shape", Extent, var = "U", oldVar = "T">,
     Param<"resized_dims", Uint32>, OptParam<"interpolation_mode", Str, dflt = "LINEAR">,
     OptParam<"sampling_mode", Str, dflt = "DEFAULT">],
    [Out<"T">]> {
  let summary = "x with some axes at another extent";
}

def ResizeBilinearOp : Statement<"resize_bilinear", 15,
    [In<"x", Float, var = "T">, OptParam<"target_size_height", Int32, dflt = "1">,
     OptParam<"target_size_width", Int32, dflt = "1">,
     OptParam<"sampling_mode", Str, dflt = "DEFAULT">],
    [Out<"T">]> {
  let summary = "x with its last two axes at another extent, interpolated";
}

def ResizeNearestNeighborOp : Statement<"resize_nearest_neighbor", 15,
    [In<"x", Float, var = "T">, Param<"target_size_height", Int32>,
     Param<"target_size_width", Int32>],
    [Out<"T">]> {
  let summary = "x with its last two axes at another extent, nearest element";
}

def UpsampleBilinearOp : Statement<"upsample_bilinear", 15,
    [In<"x", Float, var = "T">,
     OptParam<"scale_factor_height", Scale, var = "U", dflt = "1">,
     OptParam<"scale_factor_width", Scale, var = "U", dflt = "1">,
     OptParam<"align_corners", Bool, dflt = "true">,
     OptParam<"half_pixel_centers", Bool, note = "not align_corners", since = 16>],
    [Out<"T">]> {
  let summary = "x with its last two axes scaled, interpolated";
}

def UpsampleNearestNeighborOp : Statement<"upsample_nearest_neighbor", 15,
    [In<"x", Float, var = "T">,
     OptParam<"scale_factor_height", Scale, var = "U", dflt = "1">,
     OptParam<"scale_factor_width", Scale, var = "U", dflt = "1">],
    [Out<"T">]> {
  let summary = "x with its last two axes scaled, nearest element";
}

#endif // ANE_DIALECT_MIL_IR_MILIMAGEOPS_TD
