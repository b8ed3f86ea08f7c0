//===- Passes.td - Transposes and reshapes -----------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEPropagateLayout : Pass<"ane-propagate-layout"> {
  let summary = "Sink transposes and reshapes until they cancel";
  let description = [{
    Moves transposes and reshapes of data towards the results, through every op
    that allows it, until they meet their inverse or the border of the
    function. Constant operands are transposed instead. A matrix multiplication by a
    constant becomes a convolution if its rows are an image or its pixels, and
    a sum over planes divided by their size becomes an average pooling.

    A convolution along a sequence with one element in each row (H = T, W = 1)
    gets the sequence in one row instead. A flavour may keep the rows.

    If several products of rows (tokens) with constants are connected, all ops
    between them are converted: tokens become columns of an image, features its
    channels. The transposes around the heads of attention then cancel, the
    scale of scores moves to the queries or keys, and heads that share keys and
    values become groups of a matrix multiplication instead of copies. Next to attention
    of many images or attention windows one product is enough: each image becomes a row,
    and heads become channels. A norm before the partition into attention windows moves
    after it. A flavour may keep the rows.

    ```mlir
    %r = ane.reshape %x : tensor<1x16x5x5xf16> -> tensor<1x1x400xf16>
    %y = ane.matmul %r, %w : tensor<1x1x400xf16>, tensor<1x400x10xf32> -> tensor<1x1x10xf16>
    // becomes, with the weight transposed and reshaped to 10x16x5x5
    %c = ane.conv %x, %w1 : tensor<1x16x5x5xf16>, tensor<10x16x5x5xf32> -> tensor<1x10x1x1xf16>
    %y = ane.reshape %c : tensor<1x10x1x1xf16> -> tensor<1x1x10xf16>
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption
  ];
}

def ANEUnifyRank : ANE_DecomposePass<"ane-unify-rank"> {
  let summary = "Rewrite tensors to four dimensions";
  let description = [{
    Tensors of lower rank get leading dimensions of 1. Tensors of higher rank become
    several tensors of four dimensions, or have dimensions merged that no op distinguishes.
    Reshapes of the source format move after elementwise ops.
  }];
}

def ANEMoveShuffles : ANE_DecomposePass<"ane-move-shuffles"> {
  let summary = "Move depth-to-space so that it needs no copy";
  let description = [{
    Moves a depth-to-space between convolutions after the next one, or through L2,
    if the flavour wants it; otherwise the tile DMA interleaves the result while it stores.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PASSES_TD
