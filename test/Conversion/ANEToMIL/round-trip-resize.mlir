// Resizing comes back as it was.
//
// RUN: ane-opt %s --convert-ane-to-mil --convert-mil-to-ane | FileCheck %s

// CHECK: ane.resize nearest %{{.*}} {half_pixel} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
// CHECK: ane.resize bilinear %{{.*}} {half_pixel} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
// CHECK: ane.resize bilinear %{{.*}} {align_corners} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
// CHECK: ane.resize bilinear %{{[^ ]*}} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
func.func @main(%x: tensor<1x2x3x4xf16>) -> (tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>) {
  %0 = ane.resize nearest %x {half_pixel} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
  %2 = ane.resize bilinear %x {align_corners} : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
  %3 = ane.resize bilinear %x : tensor<1x2x3x4xf16> -> tensor<1x2x6x8xf16>
  return %0, %1, %2, %3 : tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>
}
