//===- Passes.td - Constants -------------------------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_PASSES_TD
#define ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_PASSES_TD

include "ane/Dialect/ANE/Transforms/PassOptions.td"

def ANEFold : Pass<"ane-fold", "::mlir::ModuleOp"> {
  let summary = "Evaluate what depends on constants only";
  let description = [{
    Replaces an op all of whose operands are constants by a constant. Chains of
    transposes, reshapes and slices are composed into one strided view of the bytes
    and copied once, where something else needs them; a slice without gaps is not
    copied at all. Functions of elements are computed in single precision.

    Resources that lose their last use are freed on the way, so the peak is about
    the size of the weights and the largest result. Constants whose bytes are not
    there (elided ones) stay, and so does what depends on them.

    `test/Dialect/ANE/Transforms/Constants/ane-fold.mlir` shows each case.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"foldedValues", "folded-values", "Number of values made constants">,
    Statistic<"copiedBytes", "copied-bytes", "Bytes copied out of views">,
    Statistic<"sharedBytes", "shared-bytes", "Bytes shared with their source">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANEReleaseConstants : Pass<"ane-release-constants", "::mlir::ModuleOp"> {
  let summary = "Free the bytes of resources that no operation uses";
  let description = [{
    The context keeps the bytes of every `dense_resource` for its whole life, also
    when nothing refers to them any more. This pass drops them. It looks at the
    module only: run it where the context holds no other one.
  }];
  let statistics = [
    Statistic<"releasedBlobs", "released-blobs", "Number of resources freed">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANESaturateConstants : Pass<"ane-saturate-constants"> {
  let summary = "Make the largest f16 of constants beyond it in sums and choices";
  let description = [{
    Masks are written with the lowest f32. In f16 that is an infinity, and less
    another one no number. What is added, subtracted or chosen becomes 65504 in
    magnitude, with a warning; a constant that is a factor stays as it is.

    ```mlir
    %low = ane.constant dense<-3.4e+38> : tensor<1x1xf32>   // becomes -65504
    %0 = ane.select %c, %low, %x : tensor<4x4xf16>, tensor<1x1xf32>, tensor<4x4xf16> -> tensor<4x4xf16>
    ```
  }];
  let statistics = [
    Statistic<"saturated", "saturated", "Number of constants that were changed">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_PASSES_TD
