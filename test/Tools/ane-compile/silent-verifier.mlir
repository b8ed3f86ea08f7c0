// RUN: not ane-compile %s -o %t.hwx 2>&1 | FileCheck %s
// RUN: not ls %t.hwx

// The verifier of tosa.pad fails without an error where its padding is no constant.

// CHECK: silent-verifier.mlir:1:1: error: has an op that its verifier refuses, without saying which or why; remove parts of the file to find it
func.func @net(%x: tensor<4xf32>) -> tensor<14xf32> {
  %a = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %k = tosa.const_shape {values = dense<[4, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.add_shape %a, %k : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %c = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %x, %b, %c : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<14xf32>
  return %0 : tensor<14xf32>
}
