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
    ane-plan-tiles cuts by rows, of all images at once. Before it, this pass cuts
    ops in a row into parts, which are then planned like any other ops:

    - A batch into its images, if that is faster. Each has tasks of its own in any
      case; one after the other they need no more of L2 than one of them. Around
      products of tensors, depth-to-space and images of another size that is done
      before ane-decompose (`early`), which knows better ways for one image.
    - Layers on rows, such as tokens, of which all images have the weights in common:
      into groups of as many images as are the fastest (`early`). One image waits for
      its weights if it has few tokens, and of many images L2 does not hold what
      lives from layer to layer. What waits for its weights in any case, and is small,
      such as what a network computes of the time that it is given, stays whole.
    - Where layers wait for their weights, late in a network, the images of a batch
      become one instead, with the rows of all of them below each other (`early`, too),
      which is `1 x C x N * H x W` and loads the weights once. Between images are the
      rows of zeros that a window sees. What works on each row goes along.
    - Images of which L2 does not hold 32 rows of what a convolution reads and writes,
      since strips of their rows are mostly halo, into parts of columns. Each run of
      such ops has the number of parts for which its plan by ane-plan-tiles is the
      fastest, if that is faster than without parts, and the function is, too.

    `images` and `parts` say instead what is done, to all ops that can be cut. So
    does a `plan` (ane-plan-tiles) with `"image_parts": 4` for a batch of four, and
    `"column_parts": 3` for all ops that can be cut, or
    `"column_parts": [ {"first": 0, "last": 4, "parts": 3} ]` for ops 0 to 4, as this
    pass counts them; 1 and `[]` leave them whole.

    A part is the same ops on a smaller image: the columns that it is for and as many
    around them as are needed, from a multiple of 32 on. Ops pad at its border as they
    do at that of the image, and what that makes wrong is cut off at the end, so that
    the parts compute what the whole did, bit for bit.

    ```mlir
    %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 1568>, sizes = array<i64: 1, 1, 24, 1632>, strides = array<i64: 1, 1, 1, 1>}
       : tensor<1x1x24x3200xf16> -> tensor<1x1x24x1632xf16>
    %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>}
       : tensor<1x1x24x1632xf16>, tensor<64x1x3x3xf16> -> tensor<1x64x24x1632xf16>
    ```

    Functions with an `ane.tile` or `ane.hold` are left as they are. The ops of a plan
    by hand (ane-plan-tiles) are those behind this pass.
  }];
  let options = [
    ANE_FlavourOption,
    Option<"images", "images", "bool", "false",
           "Cut all batches into images, whether that is faster or not">,
    Option<"early", "early", "bool", "false",
           "Run before ane-decompose: join images for layers of many weights, cut "
           "batches of the ops that it does better for one image, and of those "
           "around them">,
    Option<"parts", "parts", "int64_t", "0",
           "Cut all images into this many parts of columns, whether that is "
           "faster or not; 0: as many as are fastest">,
    Option<"plan", "plan", "std::string", "\"\"",
           "A file that may say how many parts of images and of columns to take">,
    ANE_AllowUnprovenOption
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions in parts">
  ];
}

def ANERematerialize : Pass<"ane-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Compute values again that would wait in DRAM";
  let description = [{
    A value that is wanted again after more was written than L2 holds waits in
    DRAM. Where a few ops compute it from arguments, or from values that are there
    for other reasons, faster than it is written and read, they are copied to the
    late user; ane-plan-tiles then finds strips that begin with them. A copy stays
    only if the plan of tiles costs less with it. Functions of more than 1024 ops
    are left as they are, since each trial plans all of them.

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
    Statistic<"numValues", "values", "Values that are computed again">,
    Statistic<"numOps", "ops", "Ops that do so">
  ];
}

def ANECutLongRows : ANE_DecomposePass<"ane-cut-long-rows"> {
  let summary = "Cut rows that are longer than a surface's";
  let description = [{
    A row of more elements than a surface may have, of sound for example, becomes an
    image of rows, with all that is done to it; ops on rows that L2 does not hold
    become parts of a few columns.
  }];
}

def ANESplitLayers : ANE_DecomposePass<"ane-split-layers"> {
  let summary = "Cut layers that L2 does not hold";
  let description = [{
    Two 1x1 convolutions with many channels between them are computed some of these
    channels at a time; what is computed column by column around them, and
    convolutions of rows that L2 does not hold, become strips of columns.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_PASSES_TD
