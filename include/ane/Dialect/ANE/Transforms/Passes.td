//===- Passes.td - The passes over the ane dialect ---------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the pipeline, so that this file is the table of contents of the
// lowering. Each pass lives in lib/Dialect/ANE/Transforms/<Name>.cpp, its test in
// test/Dialect/ANE/Transforms/<flag>.mlir.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

//===----------------------------------------------------------------------===//
// Simplify: constants, layout of the source format, epilogues
//===----------------------------------------------------------------------===//

def ANEFold : Pass<"ane-fold", "::mlir::ModuleOp"> {
  let summary = "Evaluate what depends on constants only";
  let description = [{
    Replaces an op all of whose operands are constants by a constant. Chains of
    transposes, reshapes and slices are composed into one strided view of the bytes
    and copied once, where something else needs them; a slice without gaps is not
    copied at all. Functions of elements are computed in single precision.

    Resources that lose their last use are freed on the way, so the peak is about
    the size of the weights and the largest result. Constants whose bytes are not
    there (elided ones) stay, and so does what depends on them.

    `test/Dialect/ANE/Transforms/ane-fold.mlir` shows each case.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"foldedValues", "folded-values", "Number of values made constants">,
    Statistic<"copiedBytes", "copied-bytes", "Bytes copied out of views">,
    Statistic<"sharedBytes", "shared-bytes", "Bytes shared with their source">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANEReleaseConstants : Pass<"ane-release-constants", "::mlir::ModuleOp"> {
  let summary = "Free the bytes of resources that no operation uses";
  let description = [{
    The context keeps the bytes of every `dense_resource` for its whole life, also
    when nothing refers to them any more. This pass drops them. It looks at the
    module only: run it where the context holds no other one.
  }];
  let statistics = [
    Statistic<"releasedBlobs", "released-blobs", "Number of resources freed">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANESaturateConstants : Pass<"ane-saturate-constants"> {
  let summary = "Make the largest f16 of constants beyond it in sums and choices";
  let description = [{
    Masks are written with the lowest f32. In f16 that is an infinity, and less
    another one no number. What is added, subtracted or chosen becomes 65504 in
    magnitude, with a warning; a constant that is a factor stays as it is.

    ```mlir
    %low = ane.constant dense<-3.4e+38> : tensor<1x1xf32>   // becomes -65504
    %0 = ane.select %c, %low, %x : tensor<4x4xf16>, tensor<1x1xf32>, tensor<4x4xf16> -> tensor<4x4xf16>
    ```
  }];
  let statistics = [
    Statistic<"saturated", "saturated", "Number of constants that were changed">
  ];
}

def ANERecognize : Pass<"ane-recognize"> {
  let summary = "Put together softmax, norms and gelu from their formulas";
  let description = [{
    Sources without an op for them spell them out. In f16 the formula, step by step,
    overflows where the composite op does not, so this comes first.

    - `exp(x - max(x)) / sum(exp(x - max(x)))` is a softmax, also without the
      maximum and with a product by a reciprocal; the logarithm of one is a difference
      of scores and the logarithm of a sum, as f16 does not hold small weights;
    - `x * rsqrt(mean(x * x) + e)` is an rms_norm, and with `x - mean(x)` for `x` a
      layer_norm; a constant factor or summand behind it is its gamma or beta, and
      the rows of the image stay rows in a group norm;
    - `x * (1 + erf(x / sqrt 2)) / 2` is a gelu, so is the form with tanh, and
      `1 / (1 + exp(-x))` is a sigmoid;
    - of a constant that is added to the argument of a softmax, the maximum along the
      axis is subtracted, which changes nothing; then what is below -30000 becomes
      -30000, a weight of 0 all the same. Other numbers beyond f16 on the way to a
      softmax become that as well, with a warning.

    ```mlir
    %e = ane.activation %x {function = #ane.act<exp>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    %s = ane.reduce sum %e {axes = array<i64: 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x1xf16>
    %y = ane.elementwise div %e, %s : tensor<1x4x8x8xf16>, tensor<1x4x8x1xf16> -> tensor<1x4x8x8xf16>
    // becomes
    %y = ane.softmax %x {axis = 3 : i64} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"softmaxes", "softmaxes", "Number of softmaxes recognised">,
    Statistic<"norms", "norms", "Number of norms recognised">,
    Statistic<"activations", "activations", "Number of activations recognised">,
    Statistic<"masks", "masks", "Number of masks rewritten">
  ];
}

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
  let options = [
    ANE_FlavourOption
  ];
}

def ANEFuse : Pass<"ane-fuse", "::mlir::ModuleOp"> {
  let summary = "Use the weights, windows and epilogues of the engine's ops";
  let description = [{
    Several ops that are one become one, where nobody else uses what is between:

    - idioms: `max(x, 0)` is relu, `x * sigmoid(x)` silu, `sum / count` mean, ...;
    - a batch norm (any chain of elementwise ops with a constant for each channel)
      goes into the weights and the bias of the convolution before it, in single
      precision and with one multiplication, or of those of all planes of a volume;
    - a convolution of tokens that is only used in parts of its channels, as
      queries, keys and values or a gate and what it lets through, becomes one
      convolution for each part, if the flavour wants it;
    - `ane.pad` goes into convolutions and poolings, and a slice that only cuts off
      rows that no window reaches goes away;
    - activations and scalar factors and summands go into epilogues, an activation
      behind a concat into those of all that is joined. A flavour may
      want a scalar behind a convolution in its epilogue, too, not in the weights;
    - where windows of an image are between layers of tokens, the reshapes move to
      the side of these layers that has fewer channels, if the flavour wants it;
    - where strips are planned, two pointwise convolutions with nothing between
      them are one, and a pointwise convolution of several images, of which some
      have been enlarged, is the sum of convolutions of each, in front
      of enlarging it, where that saves more than to add takes;
    - the sum of two pointwise convolutions, one of them with a stride, is one over
      the channels of both sources, if the flavour wants it. The products are the
      same, and nobody adds.

    `test/Dialect/ANE/Transforms/ane-fuse.mlir` shows each rewrite and what stays.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption
  ];
  let statistics = [
    Statistic<"idioms", "idioms", "Number of idioms recognised">,
    Statistic<"affineMaps", "affine-maps", "Number of ops fused into weights">,
    Statistic<"windows", "windows", "Number of pads and slices fused">,
    Statistic<"epilogues", "epilogues", "Number of ops fused into epilogues">,
    Statistic<"slices", "slices",
              "Number of convolutions that became their parts">,
    Statistic<"layers", "layers",
              "Number of layers that became one, or are on smaller images">,
    Statistic<"sums", "sums", "Number of sums of convolutions that became one">
  ];
}

//===----------------------------------------------------------------------===//
// Legalize: only ops that the target does in one pass
//===----------------------------------------------------------------------===//

def ANEDecompose : Pass<"ane-decompose"> {
  let summary = "Take apart what the engine cannot do in one pass";
  let description = [{
    Rewrites pooling, dilation, strides over 2, constant operands, reductions over
    channels and so on into ops of one engine pass each. docs/SupportedOps.md
    lists every rewrite with its error. An op for which no way is known stays as
    it is; `ane-legalize` reports it.

    A flavour may write a whole function (of products, norms, reductions) as one
    sequence of tasks; with `sequences`, the function is then left as it is and
    marked. Flavour `clean` tries both ways and takes the sequence where it needs
    fewer tasks or fewer bytes.

    ```mlir
    %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
       : tensor<1x64x8x8xf16> -> tensor<1x64x4x4xf16>
    // becomes
    %w = ane.constant dense<2.500000e-01> : tensor<64x1x2x2xf16>
    %y = ane.conv %x, %w {groups = 64 : i64, strides = array<i64: 2, 2>}
       : tensor<1x64x8x8xf16>, tensor<64x1x2x2xf16> -> tensor<1x64x4x4xf16>
    ```
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    ANE_AllowUnprovenOption,
    Option<"sequences", "sequences", "bool", "true",
           "Leave functions whole that the flavour writes as one sequence of tasks">
  ];
}

def ANELegalize : Pass<"ane-legalize", "::mlir::ModuleOp"> {
  let summary = "Round constants to f16 and check every limit of the engine";
  let description = [{
    Afterwards every op is one that the target does in one pass (or in identical
    passes for parts of its channels or images). f32 constants become f16 exactly
    once, here; a finite value beyond f16 is an error, or 65504 in magnitude where
    it is a bound, is compared, or (with a warning) is added or chosen. What the
    engine cannot do is reported with the row of the constraint table that forbids
    it:

    ```
    error: 'ane.conv' op kernel width 17 exceeds the limit of 13 of h13 (conv_l3);
    split the kernel into columns and add the results
    ```
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    ANE_AllowUnprovenOption
  ];
  let statistics = [
    Statistic<"roundedConstants", "rounded-constants",
              "Number of constants rounded to f16">,
    Statistic<"subnormalElements", "subnormal-elements",
              "Number of elements below the normal range of f16">
  ];
}

//===----------------------------------------------------------------------===//
// Tile: strips through several ops
//===----------------------------------------------------------------------===//

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
    ANE_TargetOption,
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

def ANEPlanTiles : Pass<"ane-plan-tiles", "::mlir::func::FuncOp"> {
  let summary = "Choose which ops are computed strip by strip";
  let description = [{
    Writes `ane.tile` on ops that ane-tile is to cut: groups of ops whose
    intermediate results then fit L2. The plan has the least DRAM traffic and time
    that a search over the order of the function finds; for each value it weighs
    staying in L2 as a whole, strips with rows computed twice or kept and weights
    streamed again, and DRAM.

    A function with an `ane.tile` anywhere was planned by hand and stays as it is;
    with `channels` it gets `ane.planned`, so that it does behind ane-tile, too.
    `plan` names a JSON file with such a plan, as `dump` writes it, or is `none`:
    then nothing is cut.

    ```json
    {"function": "f", "ops": 9, "column_parts": 1, "groups": [ {"first": 0, "last": 4, "dim": 2, "size": 8} ] }
    ```
    Ops count from 0 in their order behind ane-legalize, without constants; `names`
    of a dumped plan lists them. `"keep": true` in a group
    is `ane.keep_rows` on its ops: rows that two strips need are computed once.
    `"keep": "narrow"` is that on ops whose results are at most half as large as
    something that they come from, where few bytes stand for many. `residency`
    says of results of ops whether they stay in L2 between tasks or go through
    DRAM: `[ {"op": 3, "in": "l2"}, {"op": 4, "in": "dram"} ]` is `ane.hold` on ops 3
    and 4; `both` says nothing, in a dumped plan of an op whose strips are here and
    there. With `"argument": 0` it is about what tasks load of that argument: whether
    it stays for the next one that loads the same. What it does not name, ane-keep-in-l2 chooses. `"dim": [2, 1], "size":
    [16, 64]` cuts strips of 16 rows once more, by 64 channels: all parts of one
    strip come before those of the next, and `keep` is about these. In memory columns
    begin at multiples of 32, and convolutions read around theirs, so that
    convolutions are cut by columns before: `column_parts` and `image_parts`
    are for ane-tile-images, and ops are those behind it; `{"function": "f",
    "column_parts": 4}` leaves the strips of the parts to the search. A transform script
    (`tile_sizes [0, 0, 16, 32]`) may cut by both, too; its loops import takes apart.
    `"reductions": [{"op": 3, "input_channels": 64} ]` is `ane.input_channels` on a
    convolution, which becomes a sum over parts of 64 input channels, rounded
    one by one. A file may hold
    an array of plans, one for each function; other functions are planned as without
    it. Keys of `dump` that are not shown here may be missing; a key that `dump` does
    not write, or a file for none of the functions, is an error.

    Deep networks are one layer again and again: where a layer is like the one
    before it, and the search has come to it in the same states, it gets what that
    one got (TileRepeats.h), which is what the search would find; `copied_ops` in the
    file says for how many ops. A plan by hand has no figures of a search.

    With `remarks`, and in the file, is how far the plan is from a bound below which
    no program for these ops can be (TileBound.cpp), and whether the search has left
    out any plan:

    ```
    remark: plan: 169607168 bytes of DRAM traffic, 4.757 times the least; 1 groups, exact; no plan has less than 88080384 bytes, gap 0.926
    ```
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    Option<"channels", "channels", "bool", "false",
           "Only cut what is better channel by channel: products of matrices "
           "that do not fit L2, convolutions that are added to something large; "
           "put ops where they take memory for a short time">,
    Option<"plan", "plan", "std::string", "\"\"", "JSON file with a plan to take instead of searching for one, or none to "
           "cut nothing">,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file to write the plan to, in the form that plan takes; of a "
           "module with one function">,
    Option<"remarks", "remarks", "bool", "false",
           "Say how far the plan is from the least traffic, and from a bound on it">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numGroups", "groups", "Groups of ops that are cut">,
    Statistic<"plannedBytes", "planned-bytes", "DRAM traffic of the plan">,
    Statistic<"compulsoryBytes", "compulsory-bytes", "DRAM traffic that no plan can avoid">
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
    ANE_TargetOption,
    ANE_FlavourOption
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"numValues", "values", "Values that are computed again">,
    Statistic<"numOps", "ops", "Ops that do so">
  ];
}

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
  let options = [ANE_TargetOption];
  let statistics = [Statistic<"numParts", "parts", "Ops that are a part of one">];
}

//===----------------------------------------------------------------------===//
// Lay out and form tasks
//===----------------------------------------------------------------------===//

def ANEFormTasks : Pass<"ane-form-tasks", "::mlir::func::FuncOp"> {
  let summary = "One task for each pass of the engine";
  let description = [{
    Replaces legal tensor ops by tasks on memrefs in DRAM. Results of the function
    become arguments with `ane.output`; slices, concats and reshapes that keep the
    width become views; a convolution whose coefficients exceed the buffer of an
    NE becomes several tasks, in flavour `clean` also one where coefficients then
    load while the task before runs and L2 holds source and result. Casts and
    reshapes at the border disappear: the surface has the shape behind them, and
    the host converts.
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    ANE_AllowUnprovenOption
  ];
  let statistics = [Statistic<"numTasks", "tasks", "Number of tasks formed">];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
}

def ANEKeepInL2 : Pass<"ane-keep-in-l2", "::mlir::func::FuncOp"> {
  let summary = "Tensors that stay in L2 between tasks";
  let description = [{
    Chooses what saves the most bytes of DRAM traffic and fits in L2 at every
    task, beside the tiles of what is still moved:

    - an intermediate tensor from the first task that writes it to the last that
      reads it. Where that is one task and all of it, it becomes a result of the
      task; else an `ane.l2_buffer`, with the same views as the buffer had;
    - what a task has loaded, until the next task that loads the same elements,
      also of a tensor that is too large or too long alive to stay for ever;
    - a result of an elementwise task in the place of a source that dies there.

    All sets of tensors that may be alive at a task are followed, so the choice is
    the best one as long as there are few of them; with more, the most promising
    sets are, and more of these where none of them leaves room for the tiles of a
    task behind. The choice is never worse than the greedy one by bytes saved for
    a byte of L2 and task of life. Where addresses leave gaps that are too small,
    the tensors that save least go back to DRAM, and return if others that went
    behind them have made room.

    An intermediate tensor with `ane.hold`, on the op that makes it or on its
    buffer, is where that says, `#ane.space<l2>` or `#ane.space<dram>`, and the
    others are chosen around it; an error says why it cannot be. Of an op that
    is cut, it is said of all strips. On an argument of the function it says whether
    what a task loads of it stays for the next that loads the same. With `dump`, what became of the ops of the
    plan in that file is added to it as `residency`, see ane-plan-tiles.
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    Option<"dump", "dump", "std::string", "\"\"",
           "JSON file that ane-plan-tiles has dumped a plan to; what stays in L2 is "
           "added to it">
  ];
  let statistics = [
    Statistic<"kept", "kept", "Tensors that stay in L2">,
    Statistic<"keptLoads", "kept-loads", "Loads of what is in L2 already">
  ];
}

def ANEAssignLayout : Pass<"ane-assign-layout", "::mlir::func::FuncOp"> {
  let summary = "Strides of every tensor in DRAM";
  let description = [{
    Planar: rows are padded to the granularity of the tile DMA (64 bytes), planes
    and images follow without a gap. Views get the strides of what they look at
    and their offset.
  }];
  let options = [
    ANE_TargetOption
  ];
}

def ANESchedule : Pass<"ane-schedule", "::mlir::func::FuncOp"> {
  let summary = "The order of tasks";
  let description = [{
    Coefficients of a task load while the task before it runs, as far as the DRAM
    has time beside it and the kernel buffers have room. Among the first `window`
    tasks that are left and wait for nobody, one goes first where it, or the one
    behind it, gains by that; else the order of the program stays. What is alive
    grows over half of L2 by no such change, and two tasks that load the same rows
    one after the other stay together.

    The order is the same on every run. A flavour may want the order of the
    program (`zin-9.509`). Runs before `ane-keep-in-l2`, since the order decides
    what can stay in L2; behind `ane-allocate-l2` it is an error.
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    Option<"window", "window", "unsigned", "16",
           "Among how many tasks that could go next one is chosen; below 2: the "
           "order stays">
  ];
  let statistics = [Statistic<"moved", "moved", "Tasks that have another place">];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def ANEAllocateDram : Pass<"ane-allocate-dram", "::mlir::func::FuncOp"> {
  let summary = "Offsets of intermediate tensors in the scratch region";
  let description = [{
    Buffers whose lives overlap get disjoint ranges; others share bytes. Largest
    first, each at the lowest offset that is free during its life. The size of the
    region becomes the attribute `ane.scratch_bytes` of the function.
  }];
  let options = [
    ANE_TargetOption
  ];
  let statistics = [
    Statistic<"scratchBytes", "scratch-bytes", "Bytes of the region">,
    Statistic<"bufferBytes", "buffer-bytes", "Bytes of all buffers together">
  ];
}

def ANEAllocateL2 : Pass<"ane-allocate-l2", "::mlir::func::FuncOp"> {
  let summary = "Addresses in L2, tile heights";
  let description = [{
    Gives every L2 memref its address and strides: a row of all channels, then the
    next row, padded where rows would meet in the same banks. A source that does
    not fit is cut into tiles of rows. A result is staged where the flavour wants
    it and there is room, else streamed.
  }];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption
  ];
  let statistics = [Statistic<"tiledTasks", "tiled-tasks", "Tasks cut into tiles of rows">];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def ANEVerifyMemory : Pass<"ane-verify-memory", "::mlir::func::FuncOp"> {
  let summary = "Check that nothing lies over what is still needed";
  let description = [{
    Computes from the tasks alone when each tensor in L2 and in scratch memory is
    needed, and from the types where it lies; then, task by task, what is there.
    So that no program is written that has one, these are errors; nothing changes:

    - an end beyond the memory (`memory_c1`), bytes that another holds, tiles
      included (`memory_c2`);
    - a surface or constant that does not lie as a program says (`memory_c3`);
    - a tensor or tile that lies over itself (`memory_c4`);
    - reading what no earlier task writes, also by the caller (`memory_c5`), or a
      tensor that another was written over in part (`memory_c6`);
    - writing to an input or constant (`memory_c7`).
  }];
  let options = [
    ANE_TargetOption
  ];
}

def ANECheckEquivalence : Pass<"ane-check-equivalence", "::mlir::ModuleOp"> {
  let summary = "Run a pipeline and check that functions compute what they did";
  let description = [{
    Evaluates every function by the definitions of its ops, in f32, for inputs
    from a seed, before and after the pipeline. A remark says how far the results
    are apart; more than `tolerance` times the largest magnitude is an error.

    ```
    ane-opt f.mlir --ane-check-equivalence="pipeline=func.func(ane-decompose)"
    ```
  }];
  let options = [
    Option<"pipeline", "pipeline", "std::string", "\"\"",
           "Passes to run, as for --pass-pipeline without builtin.module">,
    Option<"tolerance", "tolerance", "float", "0.0f",
           "Largest difference, as a part of the largest magnitude; 0: none">,
    Option<"positive", "positive", "bool", "false",
           "Inputs are greater than zero">,
    Option<"seed", "seed", "unsigned", "1", "Seed of the inputs">
  ];
}

def ANEWriteReference : Pass<"ane-write-reference", "::mlir::func::FuncOp"> {
  let summary = "Write inputs of a function and what it computes from them as .npy files";
  let description = [{
    Evaluates the function by the definitions of its ops, in f32, for inputs from a
    seed that are rounded to f16. `in0.npy`, `in1.npy`, ... and `want0.npy`, ... go
    to `folder`.

    ```
    ane-opt f.mlir --pass-pipeline="builtin.module(func.func(ane-write-reference{folder=out}))"
    ```
  }];
  let options = [
    Option<"folder", "folder", "std::string", "\".\"", "Folder to write the files to; it must exist">,
    Option<"low", "low", "double", "-1.0", "Least value of an input">,
    Option<"high", "high", "double", "1.0", "Largest value of an input">,
    Option<"step", "step", "double", "0.0", "Inputs are multiples of this; 0 for any">,
    Option<"seed", "seed", "unsigned", "1", "Seed of the inputs">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_PASSES_TD
