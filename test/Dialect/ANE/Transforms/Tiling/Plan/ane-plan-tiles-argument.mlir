// RUN: ane-compile %s --stop-after=tile -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ane-compile %s -o %t.hwx

// The surface of an argument has the shape behind the first reshape: strips are
// those of an argument of this shape, not slices of another rank.

// CHECK-LABEL: func @argument
// CHECK-NOT: ane.slice %arg0
// CHECK: %[[X:.*]] = ane.reshape %arg0
// CHECK: ane.slice %[[X]] {{.*}} -> tensor<1x256x32x64xf16>
func.func @argument(%x: tensor<256x64x64xf16>) -> tensor<1x256x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x1x1xf16>
  %0 = ane.reshape %x : tensor<256x64x64xf16> -> tensor<1x256x64x64xf16>
  %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x256x64x64xf16> -> tensor<1x256x64x64xf16>
  %2 = ane.conv %1, %w : tensor<1x256x64x64xf16>, tensor<256x256x1x1xf16> -> tensor<1x256x64x64xf16>
  %3 = ane.elementwise add %2, %0 : tensor<1x256x64x64xf16>, tensor<1x256x64x64xf16> -> tensor<1x256x64x64xf16>
  return %3 : tensor<1x256x64x64xf16>
}
