//===- Passes.td - What one pass can do --------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

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
  let dependentDialects = ["::mlir::ane::ANEDialect"];
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

#endif // ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PASSES_TD
