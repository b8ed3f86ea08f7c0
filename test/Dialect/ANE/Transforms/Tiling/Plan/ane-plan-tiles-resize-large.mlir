// RUN: ane-opt %s --ane-decompose --canonicalize --ane-legalize --ane-plan-tiles=remarks | FileCheck %s

// Eight rows need three of the source, not nine. The planner counts that, and it
// decides how high strips are.
// CHECK: ane.conv {{.*}} {ane.banded, ane.tile = #ane.tile<group = {{[0-9]+}}, dim = 1, size = 13>}
func.func @eightfold(%x: tensor<1x64x32x64xf16>, %y: tensor<1x64x256x512xf16>) -> tensor<1x16x256x512xf16> {
  %w = ane.constant dense<0.125> : tensor<16x64x1x1xf16>
  %0 = ane.activation %y {function = #ane.act<relu>} : tensor<1x64x256x512xf16> -> tensor<1x64x256x512xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x64x32x64xf16> -> tensor<1x64x256x512xf16>
  %2 = ane.elementwise add %0, %1 : tensor<1x64x256x512xf16>, tensor<1x64x256x512xf16> -> tensor<1x64x256x512xf16>
  %3 = ane.conv %2, %w : tensor<1x64x256x512xf16>, tensor<16x64x1x1xf16> -> tensor<1x16x256x512xf16>
  return %3 : tensor<1x16x256x512xf16>
}

// What one product of a strip reads has to lie in L2 side by side.
// CHECK-LABEL: func @sum
// CHECK: ane.conv {{.*}} {ane.banded, ane.tile = #ane.tile<group = {{[0-9]+}}, dim = 1, size = 6>}
func.func @sum(%x: tensor<1x64x64x128xf16>, %y: tensor<1x64x128x256xf16>, %z: tensor<1x64x256x512xf16>) -> tensor<1x16x256x512xf16> {
  %w = ane.constant dense<0.125> : tensor<16x64x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<relu>} : tensor<1x64x256x512xf16> -> tensor<1x64x256x512xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x64x64x128xf16> -> tensor<1x64x256x512xf16>
  %2 = ane.resize bilinear %y {half_pixel} : tensor<1x64x128x256xf16> -> tensor<1x64x256x512xf16>
  %3 = ane.elementwise add %0, %1 : tensor<1x64x256x512xf16>, tensor<1x64x256x512xf16> -> tensor<1x64x256x512xf16>
  %4 = ane.elementwise add %3, %2 : tensor<1x64x256x512xf16>, tensor<1x64x256x512xf16> -> tensor<1x64x256x512xf16>
  %5 = ane.conv %4, %w : tensor<1x64x256x512xf16>, tensor<16x64x1x1xf16> -> tensor<1x16x256x512xf16>
  return %5 : tensor<1x16x256x512xf16>
}
