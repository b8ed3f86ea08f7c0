//===- Passes.td - Rewrites from one dialect to another ----*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_PASSES_TD
#define ANE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// TosaToANE
//===----------------------------------------------------------------------===//

def ConvertTosaToANE : Pass<"convert-tosa-to-ane", "::mlir::ModuleOp"> {
  let summary = "Import a TOSA network into the ane dialect";
  let description = [{
    Imports one function, written in TOSA and in the elementwise ops of `math`
    and `arith` on tensors, op by op. Afterwards the module holds that function
    alone.

    - Data is `f16`: an `f32` argument is cast when it enters, an `f16` value is
      cast back where an `f32` result leaves. What is computed from constants
      alone keeps its type, so that folding loses no precision.
    - Data is NCHW: an NHWC op becomes a transpose, the op in NCHW and a
      transpose back. Weights are transposed too (OHWI to OIHW), which undoes
      the transposes that exporters write.
    - Whatever cannot be imported is an error that says what would help.

    ```mlir
    func.func @net(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32> {
      %y = tosa.sigmoid %x : (tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
      return %y : tensor<1x8x8x3xf32>
    }
    // becomes
    func.func @net(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32> {
      %0 = ane.cast %x : tensor<1x8x8x3xf32> -> tensor<1x8x8x3xf16>
      %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x8x8x3xf16> -> tensor<1x8x8x3xf16>
      %2 = ane.cast %1 : tensor<1x8x8x3xf16> -> tensor<1x8x8x3xf32>
      return %2 : tensor<1x8x8x3xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The function to import; needed when the module has several">
  ];
  let dependentDialects = ["::mlir::ane::ANEDialect"];
}

#endif // ANE_CONVERSION_PASSES_TD
