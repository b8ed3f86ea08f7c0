//===- Passes.td - Checks of other passes ------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TESTING_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_TESTING_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANECheckEquivalence : Pass<"ane-check-equivalence", "::mlir::ModuleOp"> {
  let summary = "Run a pipeline and check that the results of functions are unchanged";
  let description = [{
    Evaluates every function by the definitions of its ops, in f32, on random inputs
    from a seed, before and after the pipeline. A remark gives the largest difference of
    the results; more than `tolerance` times the largest magnitude is an error.

    ```
    ane-opt f.mlir --ane-check-equivalence="pipeline=func.func(ane-decompose)"
    ```
  }];
  let options = [
    Option<"pipeline", "pipeline", "std::string", "\"\"",
           "Passes to run, as for --pass-pipeline without builtin.module">,
    Option<"tolerance", "tolerance", "float", "0.0f",
           "Maximum difference, relative to the largest magnitude; 0: none">,
    Option<"positive", "positive", "bool", "false",
           "Inputs are greater than zero">,
    Option<"seed", "seed", "unsigned", "1", "Seed of the inputs">
  ];
}

def ANEWriteReference : Pass<"ane-write-reference", "::mlir::func::FuncOp"> {
  let summary = "Write inputs and results of a function as .npy files";
  let description = [{
    Evaluates the function by the definitions of its ops, in f32, on random inputs from a
    seed, rounded to f16. `in0.npy`, `in1.npy`, ... and `want0.npy`, ... go
    to `folder`.

    ```
    ane-opt f.mlir --pass-pipeline="builtin.module(func.func(ane-write-reference{folder=out}))"
    ```
  }];
  let options = [
    Option<"folder", "folder", "std::string", "\".\"", "Folder to write the files to; it must exist">,
    Option<"low", "low", "double", "-1.0", "Minimum of an input">,
    Option<"high", "high", "double", "1.0", "Maximum of an input">,
    Option<"step", "step", "double", "0.0", "Inputs are multiples of this; 0 for any">,
    Option<"seed", "seed", "unsigned", "1", "Seed of the inputs">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_TESTING_PASSES_TD
