//===- Passes.td - Composite ops ---------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_RECOGNIZE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_RECOGNIZE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANERecognize : Pass<"ane-recognize"> {
  let summary = "Recognise softmax, norms and activations from their formulas";
  let description = [{
    Replaces formulas of primitive ops by the composite op. It runs first, because the
    formula in f16 can overflow where the composite op does not.

    - `exp(x - max(x)) / sum(exp(x - max(x)))` becomes a softmax, also without the
      maximum or with a product by a reciprocal. The logarithm of a softmax becomes scores
      minus the logarithm of a sum, because f16 does not hold small probabilities;
    - `x * rsqrt(mean(x * x) + e)` becomes an rms_norm, and with `x - mean(x)` for `x` a
      layer_norm; a constant factor or summand after it becomes gamma or beta. In a
      group norm the rows of the image stay rows;
    - `x * (1 + erf(x / sqrt 2)) / 2` and the form with tanh become a gelu,
      `1 / (1 + exp(-x))` becomes a sigmoid;
    - an ane.attention of an importer becomes its products and softmax, so that the
      passes after this one see them; ane-recognize-attention puts them together;
    - for a constant mask that is added to the scores of a softmax, the pass subtracts
      its maximum along the axis, which does not change the result, and replaces elements
      below -30000 by -30000, whose probability is 0 as well. Other constants beyond f16
      in the scores of a softmax are replaced too, with a warning.

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

def ANERecognizeAttention : ANE_DecomposePass<"ane-recognize-attention"> {
  let summary = "Recognise attention from its products and softmax";
  let description = [{
    Replaces `softmax(Q K + mask) V` by an ane.attention, if the flavour has a way of its
    own for it. The pass comes right before ane-decompose-attention, because until then
    passes move transposes and scales through the products. Keys and values are those of
    each head, or the same for all heads of an image.

    ```mlir
    %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x16x16xf16>
    %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x16x16xf16> -> tensor<1x2x16x16xf16>
    %y = ane.matmul %p, %v : tensor<1x2x16x16xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x16x8xf16>
    // becomes
    %y = ane.attention %q, %k, %v : tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x16x8xf16>
    ```
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_RECOGNIZE_PASSES_TD
