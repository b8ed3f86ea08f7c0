//===- Passes.td - Epilogues and windows -------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_FUSE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_FUSE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

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

    `test/Dialect/ANE/Transforms/Fuse/ane-fuse.mlir` shows each rewrite and what stays.
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

#endif // ANE_DIALECT_ANE_TRANSFORMS_FUSE_PASSES_TD
