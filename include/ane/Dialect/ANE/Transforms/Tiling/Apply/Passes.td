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
  let summary = "Cut ops into the tiles of their attributes";
  let description = [{
    Replaces the ops of each group (`ane.tile`, see ane-plan-tiles) by ops on tiles:
    all ops for the first tile, then all for the second, and so on. Each op
    computes the slice that its users need for the tile, so the halo is computed
    twice, or, with `ane.keep_rows`, copied from the previous tile; padding stays at
    the border of the image. A concat joins results with users outside the group. With
    an `innerDim` tiles are cut once more, and the same holds for inner tiles.

    - A convolution with `ane.input_channels` first becomes a sum over slices of
      that many input channels.
    - In a convolution with `ane.banded`, a tile of output channels reads only the input
      channels for which its weight is not all zeros.
    - A transpose that the task of a convolution stores becomes one transpose for each tile.
    - An addition to such a convolution with rows as channels is done in its products, if
      that is faster.

    The pass does not choose tiles.

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
  let statistics = [Statistic<"numParts", "parts", "Ops that compute a tile">];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_APPLY_PASSES_TD
