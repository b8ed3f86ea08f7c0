//===- Passes.td - Cuts that may save time -----------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANETileImages : Pass<"ane-tile-images", "::mlir::ModuleOp"> {
  let summary = "Cut batches into images, or join them, and cut wide images into columns";
  let description = [{
    ane-plan-tiles tiles by rows, of all images at once. Before it, this pass cuts
    sequences of ops into parts, which are then planned like any other ops:

    - It cuts a batch into its images, before ane-decompose (`early`), where the neural
      engines compute: each image has its own tasks there in any case, and one after the
      other, images need no more L2 than one.
    - It cuts layers on rows (tokens, for example) that share weights between images into
      groups of images, as many as are fastest (also `early`). One image with few tokens waits
      for its weights; many images exceed L2 with the values between layers. Small
      layers that wait for their weights in any case, such as those on a time embedding,
      stay whole.
    - If layers late in a network wait for their weights, it joins the images of a batch
      to one instead, by stacking their rows (also `early`): `1 x C x N * H x W` loads the
      weights once. Rows of zeros between images replace the padding of windows. Ops on
      single rows are joined with them.
    - If there are hundreds of images, it makes them channels, or channels rows, for each
      op that treats both alike (also `early`, and in ane-cut-long-rows): one task then
      computes all of them. Nothing is moved for that.
    - It cuts an image into columns if L2 does not hold 32 rows of the source and the
      result of a convolution, because tiles of rows would be mostly halo. Each sequence
      of such ops gets the number of parts for which its plan by ane-plan-tiles is
      fastest, if the sequence and the function are faster with parts.

    `parts` forces cuts by columns for all ops that can be cut. So does a `plan`
    (ane-plan-tiles) with `"column_parts": 3`, or
    `"column_parts": [ {"first": 0, "last": 4, "parts": 3} ]` for ops 0 to 4, in the
    numbering of this pass; 1 and `[]` leave ops whole.

    A part is the same ops on a smaller image: its own columns and the halo that they
    need, from a multiple of 32 on. Ops pad at the border of the part as
    at the border of the image, and a slice removes the wrong columns at the end, so that
    the parts compute the same results, bit for bit.

    ```mlir
    %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 1568>, sizes = array<i64: 1, 1, 24, 1632>, strides = array<i64: 1, 1, 1, 1>}
       : tensor<1x1x24x3200xf16> -> tensor<1x1x24x1632xf16>
    %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>}
       : tensor<1x1x24x1632xf16>, tensor<64x1x3x3xf16> -> tensor<1x64x24x1632xf16>
    ```

    Functions with an `ane.tile` or `ane.hold` are unchanged. A plan by hand
    (ane-plan-tiles) numbers the ops after this pass.
  }];
  let options = [
    ANE_FlavourOption,
    Option<"early", "early", "bool", "false",
           "Run before ane-decompose: join images for layers with many weights, and cut "
           "batches into images">,
    Option<"parts", "parts", "int64_t", "0",
           "Number of parts of columns to cut all images into, even if that is not "
           "faster; 0: the fastest number">,
    Option<"plan", "plan", "std::string", "\"\"",
           "JSON file with a plan, which may give the numbers of column parts">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions that were cut">
  ];
}

def ANERematerialize : Pass<"ane-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Recompute values that would wait in DRAM";
  let description = [{
    A value with a late user goes through DRAM if more than the size of L2 is written in
    between. If a few ops compute it from arguments, or from values that are available
    anyway, faster than DRAM writes and reads it, the pass copies these ops to the
    late user; ane-plan-tiles then finds tiles that begin with them. A copy stays
    only if the plan of tiles is cheaper with it. Functions of more than 1024 ops
    are unchanged, because each trial plans the whole function.

    ```mlir
    %skip = ane.conv %image, %w0 ...
    %deep = ... %skip ...            // more than L2 holds
    %y = ane.concat %skip, %deep ...
    // becomes
    %skip = ane.conv %image, %w0 ...
    %deep = ... %skip ...
    %again = ane.conv %image, %w0 ...
    %y = ane.concat %again, %deep ...
    ```
  }];
  let options = [
    ANE_FlavourOption
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numValues", "values", "Values that are recomputed">,
    Statistic<"numOps", "ops", "Ops that recompute them">
  ];
}

def ANECutLongRows : ANE_DecomposePass<"ane-cut-long-rows"> {
  let summary = "Cut rows that are longer than a surface allows";
  let description = [{
    Computes sequences of ops on rows that do not fit into L2 (of sound, for example) for one
    tile of columns after the other. The plan of the ops decides which sequence and how many
    columns. Then any dimension that is longer than a tensor may have is cut into pieces, and
    each op on it is computed piece by piece.

    Arguments and results of such lengths become surfaces of two dimensions for it, with
    padding after the last element where there is no product; `ane.shape` has the shape of the
    network.
  }];
}

def ANESplitLayers : ANE_DecomposePass<"ane-split-layers"> {
  let summary = "Cut layers that do not fit into L2";
  let description = [{
    Computes two 1x1 convolutions with many channels between them by slices of these
    channels. Pointwise ops around them are cut into tiles of
    columns.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PASSES_TD
