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
    that does not care, until they meet their inverse or the border of the
    function. Constants on the way are moved instead. A matrix multiplication by a
    constant becomes a convolution where its rows are an image or its pixels, and
    a sum over planes that is divided by their size becomes an average pooling.

    A convolution along a sequence that has one element in each row (H = T, W = 1)
    has it in one row instead. A flavour may want the rows.

    Where several products of rows (tokens) with constants hang together, all ops
    between them change over: tokens become columns of an image, features its
    channels. The movements between the heads of attention then meet and go, the
    factor of scores moves to the queries or keys, and heads that share keys and
    values are groups of a matrix multiplication, not copies. Next to attention of
    many images or windows one product is enough: each image is a row then, and
    heads are channels. The norm in front of a cut into windows is behind it. A
    flavour may want the rows.

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
  let summary = "Give tensors four dimensions";
  let description = [{
    Tensors of fewer dimensions get dimensions of 1 in front, those of more become
    several of four, or have dimensions merged that no op tells apart. Reshapes of
    the source format move behind what is done element by element.
  }];
}

def ANEMoveShuffles : ANE_DecomposePass<"ane-move-shuffles"> {
  let summary = "Move depth-to-space to where it needs no copy";
  let description = [{
    A depth-to-space between convolutions moves behind the next one, or through L2,
    where the flavour wants it; else the tile DMA interleaves what it stores.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_LAYOUT_PASSES_TD
