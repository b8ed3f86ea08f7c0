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
  let summary = "Take attention apart";
  let description = [{
    softmax(Q K) V becomes products whose keys are channels, so that neither scores
    nor weights become coefficients: head by head and in blocks of keys where L2
    does not hold all, without the keys that a mask hides. Few queries multiply
    keys and values before these are computed. Rotary embeddings are done half by
    half.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_ATTENTION_PASSES_TD
