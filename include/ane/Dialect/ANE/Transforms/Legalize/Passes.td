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

def ANECheckSizes : Pass<"ane-check-sizes"> {
  let summary = "Report tensors and ops that no program can have";
  let description = [{
    One error for each op whose tensors have more elements than can be counted, or
    that the compiler which the flavour follows refuses. Nothing is rewritten, so
    that a user sees all of them at once, in terms of the network.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption];
}

def ANESplitWindows : ANE_DecomposePass<"ane-split-windows"> {
  let summary = "Take apart windows and strides that the engine does not have";
  let description = [{
    Windows of convolutions and pools that no kernel covers, strides above 4 or
    unequal ones, transposed convolutions with a stride, images of another size,
    and convolutions whose weights, scale or bias are data. It comes before
    ane-unify-rank, since the blocks of pixels that it makes have more than four
    dimensions.

    ```mlir
    %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>}
       : tensor<1x4x4x4xf16>, tensor<4x3x2x2xf16> -> tensor<1x3x8x8xf16>
    // becomes a convolution with 12 channels, one block of 2 x 2 pixels for each
    // pixel of %x, and a reshape, a transpose and a reshape of the blocks
    ```
  }];
}

def ANEStretchTables : ANE_DecomposePass<"ane-stretch-tables"> {
  let summary = "Give functions an argument that suits their table";
  let description = [{
    Tables of functions that bend near zero have more samples there when their
    argument is larger; the factor goes into the weights in front of them.
  }];
}

def ANEReduceAngles : ANE_DecomposePass<"ane-reduce-angles"> {
  let summary = "Take whole turns off positions times frequencies";
  let description = [{
    The sine of an input times constants, as rotary embeddings and time steps take
    it: f16 rounds the product, and an angle of 500 has no bit left that tells
    where in a turn it is. The input becomes digits, whose products with what is
    left of whole turns f16 holds exactly.
  }];
}

def ANESeparateGates : ANE_DecomposePass<"ane-separate-gates"> {
  let summary = "Compute x g(x) as a product with a table of g";
  let description = [{
    A table of silu, elu or hard swish is off by thousandths near zero, whatever
    the size of x; a table of g and a product are off by a thousandth of the
    result. It takes two more passes, so it is done where the size of x is not
    known, and not behind a norm.

    ```mlir
    %y = ane.activation %x {function = #ane.act<silu>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    // becomes
    %g = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    %y = ane.elementwise mul %x, %g : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    ```
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PASSES_TD
