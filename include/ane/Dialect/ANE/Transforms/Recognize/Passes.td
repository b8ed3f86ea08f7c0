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

#endif // ANE_DIALECT_ANE_TRANSFORMS_RECOGNIZE_PASSES_TD
