//===- Passes.td - Softmax and norms -----------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEDecomposeNorms : ANE_DecomposePass<"ane-decompose-norms"> {
  let summary = "Expand group norms, and fold factors of norms into weights";
  let description = [{
    Expands norms of groups of channels to sums and products that can be tiled by rows.
    Factors and offsets of other norms, and the subtraction of the mean, go into
    the weights of the convolutions after them, before these are cut. It does not expand
    softmax and the other norms; ane-expand-ops does.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_TD
