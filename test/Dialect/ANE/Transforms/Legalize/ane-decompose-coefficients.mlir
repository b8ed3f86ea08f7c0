// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// An NE holds 65,536 bytes of coefficients, those of one output channel at least: 668 input
// channels of 7 x 7. Of 1,024, the parts of two halves are added.
// CHECK-LABEL: @large
// CHECK: ane.conv {{.*}} : tensor<1x512x16x16xf16>, tensor<16x512x7x7xf16>
// CHECK: ane.conv {{.*}} : tensor<1x512x16x16xf16>, tensor<16x512x7x7xf16>
// CHECK: ane.elementwise add
// ZIN-LABEL: @large
// ZIN: ane.conv {{.*}} : tensor<1x1024x16x16xf16>, tensor<16x1024x7x7xf16>
func.func @large(%x: tensor<1x1024x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %w = ane.constant dense<0.125> : tensor<16x1024x7x7xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 3, 3, 3, 3>} : tensor<1x1024x16x16xf16>, tensor<16x1024x7x7xf16> -> tensor<1x16x16x16xf16>
  return %0 : tensor<1x16x16x16xf16>
}
