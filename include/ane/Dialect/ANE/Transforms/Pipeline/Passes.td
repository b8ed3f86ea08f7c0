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
  let summary = "Set the target generation of a module";
  let description = [{
    Writes `ane.target`; it is the first pass of the pipeline. Verifiers and later passes
    use the limits of that generation; a module without the attribute has the default
    target. If the module already names another generation, this is an error.

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
  let summary = "Mark functions that become one sequence of tasks";
  let description = [{
    Some functions of a few products, norms or reductions can be lowered as a whole to one
    sequence of tasks. The pass marks them with the attribute `ane.sequence`: the passes of
    ane-decompose then skip them, and ane-form-tasks emits the tasks. Flavour
    zin-9.509 marks every such function. Flavour `clean` compares both forms and takes
    the one with fewer tasks or fewer bytes. Because this depends on the tensors that stay
    in L2, it runs the remaining passes of the pipeline on two copies of the function.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    ANE_AllowUnprovenOption
  ];
  let statistics = [Statistic<"sequences", "sequences", "Number of functions marked">];
}

def ANEExpandOps : ANE_DecomposePass<"ane-expand-ops"> {
  let summary = "Expand ops that take several passes of the engine";
  let description = [{
    Expands pooling, dilation, reductions over channels, softmax, norms, comparisons,
    resizes, matrix products, functions without a table and others to ops
    of one engine pass each. docs/SupportedOps.md lists every rewrite with its
    error. An op without a known expansion is unchanged; `ane-legalize` reports
    it. Patterns of the flavour have priority.

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
  let summary = "Split ops that do not fit into L2 or the coefficient buffer";
  let description = [{
    Splits ops that the expansion left too large: convolutions with so many input
    channels that the coefficients of one output channel exceed the buffer, elementwise
    ops on planes that do not fit into L2, layers that need tiles of pixels in
    any case, convolutions with large windows and few output channels, which are
    faster in phases, and ops that have become longer in a dimension than a tensor
    may be, whose parts are expanded again.
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_PIPELINE_PASSES_TD
