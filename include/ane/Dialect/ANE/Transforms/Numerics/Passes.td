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

include "mlir/Pass/PassBase.td"

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
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "Generation of the engine (default: that of the module, or h13)">
  ];
  let statistics = [
    Statistic<"scaledSums", "scaled-sums", "Number of convolutions that were scaled">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_NUMERICS_PASSES_TD
