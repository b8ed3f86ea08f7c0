// RUN: ane-opt %s -split-input-file --ane-tile-images | FileCheck %s

// Rows of 640 columns are too wide for the PE to have them in L2, those of parts are not.
// What comes behind the stride is better whole.
// CHECK-LABEL: @planar
// CHECK: ane.conv {{.*}} -> tensor<1x64x96x258xf16>
// CHECK: ane.elementwise {{.*}} -> tensor<1x64x96x258xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x64x48x129xf16>
// CHECK: ane.concat {{.*}} {axis = 3 : i64} {{.*}} -> tensor<1x64x48x320xf16>
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x64x48x320xf16>
// CHECK-NEXT: return
func.func @planar(%x: tensor<1x4x96x640xf16>) -> tensor<1x64x48x320xf16> {
  %u = ane.constant dense<0.125> : tensor<64x4x3x3xf16>
  %v = ane.constant dense<0.0625> : tensor<64x64x3x3xf16>
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %u {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x96x640xf16>, tensor<64x4x3x3xf16> -> tensor<1x64x96x640xf16>
  %1 = ane.elementwise mul %0, %c : tensor<1x64x96x640xf16>, tensor<1x1x1x1xf16> -> tensor<1x64x96x640xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 0, 1, 0, 1>, strides = array<i64: 2, 2>}
     : tensor<1x64x96x640xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x48x320xf16>
  %3 = ane.conv %2, %v {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x64x48x320xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x48x320xf16>
  %4 = ane.conv %3, %v {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x64x48x320xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x48x320xf16>
  return %4 : tensor<1x64x48x320xf16>
}
