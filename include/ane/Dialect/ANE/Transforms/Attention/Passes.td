//===- Passes.td - Attention -------------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEDecomposeAttention : ANE_DecomposePass<"ane-decompose-attention"> {
  let summary = "Expand attention";
  let description = [{
    Expands softmax(Q K) V to products in which keys are channels, so that neither scores
    nor probabilities become coefficients. If L2 does not hold all of it, the pass computes
    head by head and in blocks of keys, and leaves out keys that a mask hides. If there are
    few queries, it multiplies them by the weights of keys and values instead of computing
    keys and values. Rotary embeddings are computed half by half.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PASSES_TD
