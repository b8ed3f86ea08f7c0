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
  let summary = "Evaluate constants-only values";
  let description = [{
    Replaces an op whose operands are all constants by a constant. Chains of
    transposes, reshapes and slices are composed into one strided view of the bytes
    and copied once, for the first user that is not such an op; a slice without gaps is not
    copied. Elementwise functions are computed in f32.

    Resources are freed with their last use, so the peak of memory is about
    the size of the weights and the largest result. Constants without bytes
    (elided ones) and their users are unchanged.

    `test/Dialect/ANE/Transforms/Constants/ane-fold.mlir` shows each case.
  }];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
  let statistics = [
    Statistic<"foldedValues", "folded-values", "Number of values replaced by constants">,
    Statistic<"copiedBytes", "copied-bytes", "Bytes copied out of views">,
    Statistic<"sharedBytes", "shared-bytes", "Bytes shared with their source">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANEReleaseConstants : Pass<"ane-release-constants", "::mlir::ModuleOp"> {
  let summary = "Free the bytes of resources that no operation uses";
  let description = [{
    The context keeps the bytes of every `dense_resource` for its whole life, even
    without uses. This pass frees them. It considers uses in this
    module only: do not run it if the context holds other modules.
  }];
  let statistics = [
    Statistic<"releasedBlobs", "released-blobs", "Number of resources freed">,
    Statistic<"releasedBytes", "released-bytes", "Bytes of the resources freed">
  ];
}

def ANESaturateConstants : Pass<"ane-saturate-constants"> {
  let summary = "Clamp constants in sums and selections to the range of f16";
  let description = [{
    Networks write masks with the lowest f32 number. In f16 it is infinite, and the
    difference of two infinities is NaN. The pass clamps a constant that is added,
    subtracted or selected to a magnitude of 65504, with a warning. A constant factor is
    unchanged. An infinity stays one, except where products with zeros move what it
    is in (windows, slices, pads, resizes), which would make NaN of its neighbours.

    ```mlir
    %low = ane.constant dense<-3.4e+38> : tensor<1x1xf32>   // becomes -65504
    %0 = ane.select %c, %low, %x : tensor<4x4xf16>, tensor<1x1xf32>, tensor<4x4xf16> -> tensor<4x4xf16>
    ```
  }];
  let statistics = [
    Statistic<"saturated", "saturated", "Number of constants changed">
  ];
}

#endif // ANE_DIALECT_ANE_TRANSFORMS_CONSTANTS_PASSES_TD
