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
    Afterwards every op is one pass of the target (or identical
    passes for slices of its channels or images). The pass rounds f32 constants to f16,
    once; no other pass rounds them. A finite value beyond f16 is an error, except that it
    is clamped to a magnitude of 65504 if it is a bound, is compared, or (with a warning)
    is added or selected. An op that the engine cannot do is an error with the row of the
    constraint table; the pass does not rewrite it:

    ```
    error: 'ane.conv' op kernel width 17 exceeds the limit of 13 of h13 (conv_l3);
    split the kernel into columns and add the results
    ```
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption];
  let statistics = [
    Statistic<"roundedConstants", "rounded-constants",
              "Number of constants rounded to f16">,
    Statistic<"subnormalElements", "subnormal-elements",
              "Number of elements below the normal range of f16">
  ];
}

def ANECheckSizes : Pass<"ane-check-sizes"> {
  let summary = "Report tensors and ops that are too large for any program";
  let description = [{
    Reports an error for each op whose tensors have more elements than can be counted, or
    that the compiler of the flavour refuses. It rewrites nothing, so
    that a user sees all errors at once, in terms of the network.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let options = [ANE_FlavourOption];
}

def ANESplitWindows : ANE_DecomposePass<"ane-split-windows"> {
  let summary = "Split windows and strides that the engine does not have";
  let description = [{
    Rewrites windows of convolutions and pools that are larger than a kernel, strides above
    4 or unequal ones, transposed convolutions with a stride, resizes,
    and convolutions whose weights, scale or bias are data. Run it before
    ane-unify-rank, because the blocks of pixels that it creates have more than four
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
  let summary = "Scale the arguments of functions to suit their tables";
  let description = [{
    A table of a function that bends near zero has more samples in that region if its
    argument is scaled up. The factor goes into the weights of the producer.
  }];
}

def ANEReduceAngles : ANE_DecomposePass<"ane-reduce-angles"> {
  let summary = "Remove whole turns from positions times frequencies";
  let description = [{
    Rotary embeddings and time steps take the sine of an input times constants. f16 rounds
    the product, and an angle of 500 keeps no bit of its position in a turn. The pass
    splits the input into digits, and multiplies each by the constant without its whole
    turns: f16 holds these products exactly. A sum of inputs and numbers is as exact:
    each input has its own digits.

    An input of f32 may have more bits than f16. It gets a second argument (`ane.low`)
    with what its halves lack, unless `ane.range` says that this does not count:

    ```mlir
    func.func @net(%p: tensor<1x1x1x4xf32> {ane.name = "p"}, %l: tensor<1x1x1x4xf16> {ane.low, ane.name = "p.low"})
    ```
  }];
}

def ANESeparateGates : ANE_DecomposePass<"ane-separate-gates"> {
  let summary = "Compute x g(x) as a product of x and a table of g";
  let description = [{
    Applies the form that ane-choose-function-forms chose (`ane.form`), or that it
    would choose without ranges. A table of silu, elu or hard swish has an absolute
    error of thousandths near zero, whatever the magnitude of x; a table of g and a
    product have a relative error of a thousandth, and less if g is computed as an odd
    function. A convolution that gives x is computed again with the table of g if that is
    faster than a pass over its result.

    ```mlir
    %y = ane.activation %x {ane.form = "gate", function = #ane.act<silu>}
       : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    // becomes
    %g = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    %y = ane.elementwise mul %x, %g : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
    ```
  }];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_LEGALIZE_PASSES_TD
