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
  let summary = "Fuse ops into weights, windows and epilogues";
  let description = [{
    Fuses ops if the values between them have no other users:

    - idioms: `max(x, 0)` becomes relu, `x * sigmoid(x)` silu, `sum / count` mean, ...;
    - a batch norm (any chain of elementwise ops with a constant for each channel)
      goes into the weights and the bias of the convolution before it, in f32
      and with one multiplication; for a volume, into the convolutions of all planes;
    - a convolution of tokens whose users read only slices of its channels (queries, keys
      and values, or the two halves of a gated layer) becomes one convolution for each
      slice, if the flavour wants it;
    - `ane.pad` goes into convolutions and poolings, and a slice that only removes
      rows that no window reads disappears;
    - activations and scalar factors and summands go into epilogues; an activation
      after a concat goes into the epilogues of all its operands. A flavour may
      keep a scalar after a convolution in the epilogue instead of the weights;
    - reshapes between layers of tokens and attention windows of an image move to
      the side of these layers with fewer channels, if the flavour wants it;
    - if the flavour plans tiles, two adjacent pointwise convolutions become one;
      a pointwise convolution of a concat of images, some of them enlarged, becomes a sum
      of convolutions, each before its enlargement, if that saves more than the
      additions cost;
    - the sum of two pointwise convolutions, one of them with a stride, becomes one over
      the channels of both sources, if the flavour wants it: the same products without
      an addition.

    `test/Dialect/ANE/Transforms/Fuse/ane-fuse.mlir` shows each rewrite, and ops that are not fused.
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
              "Number of convolutions split into slices">,
    Statistic<"layers", "layers",
              "Number of layers that were merged, or moved to smaller images">,
    Statistic<"sums", "sums", "Number of sums of convolutions merged into one">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_FUSE_PASSES_TD
