//===- Passes.td - Passes over ranges of numbers -----------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before anything is rounded to f16: what numbers values can be, and forms whose
// intermediate results f16 holds. docs/Numerics.md is about all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANESetRanges : Pass<"ane-set-ranges", "::mlir::ModuleOp"> {
  let summary = "Set the value ranges of arguments";
  let description = [{
    Writes `ane.range` on arguments; the range analysis reads it.
    `ane-compile --range NAME=LOW:HIGH` runs this pass.

    ```mlir
    func.func @main(%x: tensor<1x8xf32> {ane.range = [-1.0, 1.0]})
    ```
  }];
  let options = [
    ListOption<"ranges", "ranges", "std::string",
               "NAME=LOW:HIGH for an argument, by its name or its number from 0">
  ];
}

def ANEMeasureRanges : Pass<"ane-measure-ranges", "::mlir::ModuleOp"> {
  let summary = "Measure the value ranges on data";
  let description = [{
    Runs the network in f32 on arrays and writes the minimum and maximum of each
    value as `ane.range`, with the smallest magnitude other than 0, and the largest mean of
    a layer_norm, in deviations, as `ane.mean_ratio`. The folder contains
    `.npy` files named after the arguments: `x.npy`, or `x.0.npy`, `x.1.npy` for
    several runs; or a subfolder for each run. Arrays of other element types are
    converted. `ane-compile --calibrate` runs this pass.
  }];
  let options = [
    Option<"folder", "folder", "std::string", "\"\"", "Folder with the arrays">
  ];
}

def ANECheckRanges : Pass<"ane-check-ranges", "::mlir::func::FuncOp"> {
  let summary = "Warn about values that f16 does not hold";
  let description = [{
    Derives, from ranges that the user gave (`--range`) or that were measured
    (`--calibrate`), which values leave f16 and which are so small that f16 keeps few of
    their bits. The first such value of each chain gets a warning. Without given or
    measured ranges there are no warnings.
  }];
}

def ANEPrintRanges : Pass<"ane-print-ranges"> {
  let summary = "Print the value ranges as remarks";
  let description = [{
    Emits one remark for each result of an ane op and each argument: the interval, the
    smallest magnitude other than 0, `whole` if all elements are integers, `nan` if there
    may be NaN, and `assumed` if only the element type of an argument bounds it. For
    convolutions and matrix products it also gives a bound of the running sum.

    ```
    remark: [0, 1] least 9.35762e-14
    remark: [-3.81e+10, 3.81e+10] assumed, running sum 3.81e+10
    ```
  }];
}

def ANEFitSums : Pass<"ane-fit-sums", "::mlir::func::FuncOp"> {
  let summary = "Scale convolutions whose running sums the engine would lose";
  let description = [{
    The engines lose a running sum of 32768 or more, even if later terms would
    reduce it. If the bound on the sum of magnitudes of a convolution's products is larger
    than that, the pass divides the weights and the bias by a power of two and multiplies
    `scale`, which the task applies after the bias, by it. The power is at most 2^4 if
    the bound follows from ops, and 2^10 if it follows from data. A sum that only the type
    of an argument bounds is unchanged.

    If a convolution cannot be scaled and some argument has a given range
    (`--range`, `--calibrate`), a remark gives the reason; bounds from ops alone are far
    above most sums.

    ```mlir
    %y = ane.conv %x, %w bias %b : tensor<1x64x8x8xf16>, tensor<4x64x1x1xf16>, tensor<4xf16> -> tensor<1x4x8x8xf16>
    // becomes
    %y = ane.conv %x, %w_4 bias %b scale %s : tensor<1x64x8x8xf16>, tensor<4x64x1x1xf16>, tensor<4xf16> scale tensor<4xf16> -> tensor<1x4x8x8xf16>
    ```
  }];
  let statistics = [
    Statistic<"scaledSums", "scaled-sums", "Number of convolutions that were scaled">
  ];
}

def ANEKeepInRange : Pass<"ane-keep-in-range", "::mlir::func::FuncOp"> {
  let summary = "Rewrite formulas so that f16 holds their intermediate results";
  let description = [{
    Runs while constants are f32 and nothing is rounded yet. (1) It replaces formulas by
    better ones: `log(1 + e^x)` by a softplus, `mean(x^2) - mean(x)^2` by the mean
    of squared distances, quotients of powers by tanh or sigmoid. (2) It moves logarithms
    to the operands, so that f16 holds the logarithm of an epsilon like 1e-10. (3) If a
    root or a quotient brings back a value that leaves f16, or whose epsilon f16 rounds to
    0, all values between are divided by a unit of the data: for the length of a
    vector by its largest element, which multiplies the result; in `x / |x|` the units
    cancel. Values that no later op brings back are unchanged.

    With `sums-are-wide`, a root of a sum of squares is unchanged, because the engine
    does not round the sum before the root.

    ```mlir
    %q = ane.elementwise mul %x, %x : tensor<1x8x64xf16>, tensor<1x8x64xf16> -> tensor<1x8x64xf16>
    %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x8x64xf16> -> tensor<1x8x1xf16>
    %y = ane.activation %s {function = #ane.act<sqrt>} : tensor<1x8x1xf16> -> tensor<1x8x1xf16>
    // becomes, without sums-are-wide
    %m = max(max(|x|) / 4, 2^-14)
    %y = sqrt(sum((x * (1 / m))^2)) * m
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption,
    Option<"sumsAreWide", "sums-are-wide", "bool", "true",
           "The engine computes roots of sums before it rounds">
  ];
  let statistics = [
    Statistic<"forms", "forms", "Number of values that are computed by another formula">
  ];
}

def ANECentreNorms : Pass<"ane-centre-norms", "::mlir::func::FuncOp"> {
  let summary = "Subtract a large mean before a norm, which finds the rest of it";
  let description = [{
    The engine rounds a mean to f16. Where it is large beside the deviation of a row,
    that rounding is an error of all elements of the row. The pass subtracts such a mean
    in front of an `ane.layer_norm`, which then subtracts the mean of what is left. This
    is done where the mean may be more than 8 deviations: by what data showed
    (`ane.mean_ratio`, which ane-measure-ranges writes), or where the range of the elements
    leaves no other mean; with the goal `best` also where nothing is known.

    ```mlir
    %y = ane.layer_norm %x {ane.mean_ratio = 200.0, axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<4x64xf16> -> tensor<4x64xf16>
    // becomes
    %m = ane.reduce mean %x {axes = array<i64: 1>} : tensor<4x64xf16> -> tensor<4x1xf16>
    %c = ane.elementwise sub %x, %m : tensor<4x64xf16>, tensor<4x1xf16> -> tensor<4x64xf16>
    %y = ane.layer_norm %c {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<4x64xf16> -> tensor<4x64xf16>
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"centred", "centred", "Number of norms with a mean subtracted in front">
  ];
}

def ANEMoveScales : Pass<"ane-move-scales", "::mlir::func::FuncOp"> {
  let summary = "Scale a factor instead of the product";
  let description = [{
    If a matrix product or a convolution may leave f16 and its user scales it down,
    the pass scales one of the factors instead, if the flavour wants it: a weight,
    or the smaller of two tensors. This covers attention scores that ane-propagate-layout
    did not rewrite, and layers. A constant that is added in between is scaled, too.

    ```mlir
    %p = ane.matmul %q, %k {transpose_rhs} : tensor<2x24x128xf16>, tensor<2x24x128xf16> -> tensor<2x24x24xf16>
    %s = ane.elementwise mul %p, %c : tensor<2x24x24xf16>, tensor<1x1x1xf32> -> tensor<2x24x24xf16>
    // becomes
    %0 = ane.elementwise mul %q, %c : tensor<2x24x128xf16>, tensor<1x1x1xf32> -> tensor<2x24x128xf16>
    %s = ane.matmul %0, %k {transpose_rhs} : tensor<2x24x128xf16>, tensor<2x24x128xf16> -> tensor<2x24x24xf16>
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [
    ANE_FlavourOption
  ];
  let statistics = [
    Statistic<"moved", "moved", "Number of scales moved">
  ];
}

def ANESetAccuracyGoal : Pass<"ane-set-accuracy-goal", "::mlir::ModuleOp"> {
  let summary = "Say whether a network has to be fast or exact";
  let description = [{
    Writes `ane.accuracy_goal` on the module, which passes read that can compute
    something in more than one way. `ane-compile --accuracy-goal` runs it.

    ```mlir
    module attributes {ane.accuracy_goal = "fast"} {}
    ```
  }];
  let options = [
    Option<"goal", "goal", "std::string", "\"balanced\"",
           "fast (the fewest tasks), balanced (networks in f16's own precision) or "
           "best (each function as well)">
  ];
}

def ANEChooseFunctionForms : Pass<"ane-choose-function-forms", "::mlir::ModuleOp"> {
  let summary = "Choose by error and tasks how functions are computed";
  let description = [{
    Functions that have more than one form (`x g(x)`: silu, gelu, hard swish, elu)
    get the one with the fewest tasks whose error the goal of the module allows, for
    the arguments that ranges know. The choice is `ane.form` of the op, and may be
    changed by hand; ane-separate-gates does it. The module counts them.

    ```mlir
    %y = ane.activation %x {ane.form = "odd_gate", function = #ane.act<silu>}
       : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption];
  let statistics = [
    Statistic<"chosen", "chosen", "Number of functions with more than one form">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_PASSES_TD
