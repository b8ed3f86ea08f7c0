//===- Passes.td - Tiles of a plan -------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANETile : Pass<"ane-tile", "::mlir::func::FuncOp"> {
  let summary = "Cut ops into the strips that their attributes ask for";
  let description = [{
    Replaces the ops of each group (`ane.tile`, see ane-plan-tiles) by their parts:
    all ops for the first strip, then all for the second, and so on. Every part
    computes as much as the strip needs, so that rows near a border are computed
    twice, or, with `ane.keep_rows`, copied from the strip before; padding stays at
    the border of the image. What is used outside is put together by a concat. With
    an `innerDim` strips are cut once more, and what is said of strips holds for their
    parts. A convolution with `ane.input_channels` first becomes a sum over parts of
    that many input channels. Of one with `ane.banded`, strips of output channels
    need the input channels for which the weight is not all zeros. A transpose that
    the task of a convolution stores is one of each strip of it. What is added to
    such a convolution with rows as channels is added in its products, where that
    is faster.

    ```mlir
    %y = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>}
       : tensor<1x8x16x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x16x16xf16>
    // becomes
    %x0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, 9, 16>, strides = array<i64: 1, 1, 1, 1>} ...
    %y0 = ane.conv %x0, %w {pad = array<i64: 1, 0, 1, 1>} ...
    %x1 = ane.slice %x {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 8, 9, 16>, strides = array<i64: 1, 1, 1, 1>} ...
    %y1 = ane.conv %x1, %w {pad = array<i64: 0, 1, 1, 1>} ...
    %y = ane.concat %y0, %y1 {axis = 2 : i64} ...
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [Statistic<"numParts", "parts", "Ops that are a part of one">];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PASSES_TD
