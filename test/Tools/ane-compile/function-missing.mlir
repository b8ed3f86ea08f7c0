// RUN: not ane-compile %s --function=main -o %t.hwx 2>&1 | FileCheck %s
// CHECK: error: there is no function 'main' in the module; it has 'only'

func.func @only(%x: tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}
