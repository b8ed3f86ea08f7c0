//===- Passes.td - Passes of several themes ----------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANESetTarget : Pass<"ane-set-target", "::mlir::ModuleOp"> {
  let summary = "Say which generation of the engine a module is for";
  let description = [{
    The first pass of the pipeline. Verifiers and passes after it measure with the
    limits of that generation; a module without the attribute is for the default.
    A module that names another generation is an error.

    ```mlir
    module attributes {ane.target = "h14"} {}
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    Option<"target", "target", "std::string",
           "::ane::hw::defaultTarget().name",
           "Generation of the engine: h13 (M1, A14) or h14 (M2, A15)">
  ];
}

def ANEChooseForm : Pass<"ane-choose-form"> {
  let summary = "Mark functions that are best written as one sequence of tasks";
  let description = [{
    A function of products, norms or reductions can be written as a whole, as one
    sequence of tasks; it then gets the attribute `ane.sequence`, the passes of
    ane-decompose leave it as it is, and ane-form-tasks writes the tasks. Flavour
    zin-9.509 does so wherever it can. Flavour `clean` takes the form that has
    fewer tasks or moves fewer bytes: no rule by form says which, since it depends
    on what stays in L2, so both are tried on copies of the function, by the passes
    of the pipeline behind this one. Such functions have a handful of ops.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    ANE_AllowUnprovenOption
  ];
  let statistics = [Statistic<"sequences", "sequences", "Number of functions marked">];
}

def ANEExpandOps : ANE_DecomposePass<"ane-expand-ops"> {
  let summary = "Rewrite ops that take the engine several passes";
  let description = [{
    Pooling, dilation, reductions over channels, softmax, norms, comparisons,
    resizes, products of matrices, functions without a table and so on become ops
    of one engine pass each. docs/SupportedOps.md lists every rewrite with its
    error. An op for which no way is known stays as it is; `ane-legalize` reports
    it. Patterns of the flavour come first.

    ```mlir
    %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
       : tensor<1x64x8x8xf16> -> tensor<1x64x4x4xf16>
    // becomes
    %w = ane.constant dense<2.500000e-01> : tensor<64x1x2x2xf16>
    %y = ane.conv %x, %w {groups = 64 : i64, strides = array<i64: 2, 2>}
       : tensor<1x64x8x8xf16>, tensor<64x1x2x2xf16> -> tensor<1x64x4x4xf16>
    ```
  }];
}

def ANESplitForL2 : ANE_DecomposePass<"ane-split-for-l2"> {
  let summary = "Cut what L2 or the coefficients of an engine do not hold";
  let description = [{
    Taking ops apart makes others, which may not fit: convolutions of so many input
    channels that the coefficients of one output channel are too many, elementwise
    ops on planes that L2 does not hold, layers whose strips of pixels are needed in
    any case and transposes between those, and convolutions with large windows and
    few output channels, which are faster in phases.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD
