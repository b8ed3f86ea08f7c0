//===- Passes.td - Passes of several themes ----------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

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
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_TargetOption,
    ANE_FlavourOption,
    ANE_AllowUnprovenOption,
    Option<"sequences", "sequences", "bool", "true",
           "Leave functions whole that the flavour writes as one sequence of tasks">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD
