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
  let summary = "Say which numbers the arguments of a network are";
  let description = [{
    Writes `ane.range` on arguments, which the analysis of ranges reads.
    `ane-compile --range NAME=LOW:HIGH` runs it.

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
  let summary = "Find out from data which numbers values are";
  let description = [{
    Runs the network on arrays in single precision and writes the smallest and
    the largest element of each value as `ane.range`, with the smallest magnitude
    that is not 0. The folder holds `.npy` files named after the arguments,
    `x.npy`, and for more than one run `x.0.npy`, `x.1.npy`; or a folder for each
    run. Arrays of other element types are converted. `ane-compile --calibrate` runs
    it.
  }];
  let options = [
    Option<"folder", "folder", "std::string", "\"\"", "Where the arrays are">
  ];
}

def ANECheckRanges : Pass<"ane-check-ranges", "::mlir::func::FuncOp"> {
  let summary = "Warn of values that f16 does not hold";
  let description = [{
    Of what the user says of arguments (`--range`), or data shows (`--calibrate`),
    it follows which values leave f16, and which are so small that few of their
    bits are left. The first one on each way gets a warning. Where nobody says
    anything nothing follows, and nothing is said.
  }];
}

def ANEPrintRanges : Pass<"ane-print-ranges"> {
  let summary = "Say as remarks which numbers values can be";
  let description = [{
    One remark for each result of an ane op and each argument: the interval, the
    smallest magnitude of what is not 0, `whole` for whole numbers, `nan` where
    there may be some, and `assumed` where only the element type of an argument
    bounds it. Convolutions and products of matrices also say how large a running
    sum of theirs can become.

    ```
    remark: [0, 1] least 9.35762e-14
    remark: [-3.81e+10, 3.81e+10] assumed, running sum 3.81e+10
    ```
  }];
}

def ANEFitSums : Pass<"ane-fit-sums", "::mlir::func::FuncOp"> {
  let summary = "Scale convolutions whose running sums the engine would lose";
  let description = [{
    The engines lose a running sum of 32768 or more, also where later terms would
    bring it back. Where ranges bound the sum of the magnitudes of a convolution's
    products by more than that, weights become smaller by a power of two, and the
    multiplier after the sum larger: `scale`, before which the task has the bias,
    smaller as well. By 2^4 at most where ops bound the sum, by 2^10 where data does.
    What is bounded by nothing but the type of an argument stays.

    Where it cannot be done, a remark says why, if some argument has a range that the
    user gave (`--range`, `--calibrate`): bounds of ops alone are far above most sums.

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
  let summary = "Choose forms whose intermediate results f16 holds";
  let description = [{
    While constants are f32 and nothing is rounded yet. Formulas with a better
    spelling get it (`log(1 + e^x)` is a softplus, `mean(x^2) - mean(x)^2` the mean
    of squares of distances, quotients of powers are tanh or sigmoid). Logarithms are
    taken of the parts of what they are of, so that a guard of 1e-10 is a number
    that f16 holds. And where a root or a quotient brings back what leaves f16, or
    what has a guard that f16 rounds to 0, values are divided by units of the data
    from where they grow to where they are back: in the length of a vector by its
    largest element, which is multiplied with at the end; in `x / |x|` nothing is
    left to multiply with.

    A root of a sum of squares is left to an engine that adds up without rounding,
    with `sums-are-wide`.

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
           "The engine takes roots of sums before it rounds them">
  ];
  let statistics = [
    Statistic<"forms", "forms", "Number of values that are computed otherwise">
  ];
}

def ANEMoveScales : Pass<"ane-move-scales", "::mlir::func::FuncOp"> {
  let summary = "Scale what is multiplied, not the product";
  let description = [{
    A product of matrices, or a convolution, that may leave f16 and is scaled down
    behind, has one of its factors scaled instead, if the flavour wants it: a weight,
    or the smaller one of two tensors. That is for what ane-propagate-layout has left
    of scores of attention, and for layers. A constant that is added in between is
    scaled, too.

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
    Statistic<"moved", "moved", "Number of scales that were moved">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_PASSES_TD
