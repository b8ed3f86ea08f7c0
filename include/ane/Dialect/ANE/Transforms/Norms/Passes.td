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
  let summary = "Take norms of groups apart, and their factors into weights";
  let description = [{
    Norms of groups of channels become sums and products that strips of rows can go
    through. Factors and offsets of other norms, and subtracting the mean, go into
    the weights of the convolutions behind them, before these are cut. Softmax and
    the norms themselves are left to ane-expand-ops.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_NORMS_PASSES_TD
