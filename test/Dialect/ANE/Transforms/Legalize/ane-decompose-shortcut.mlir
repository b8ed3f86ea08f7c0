// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// A shortcut takes every second pixel of a tensor that others use and that fills most of L2:
// these pixels first, right behind the tensor, so that they are what stays.
// CHECK-LABEL: @large
// CHECK: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<256x1x1x1xf16>
// CHECK: %[[X:.*]] = ane.activation
// CHECK: %[[P:.*]] = ane.conv %[[X]], %[[W]] {groups = 256 : i64, strides = array<i64: 2, 2>} {{.*}} -> tensor<1x256x28x28xf16>
// CHECK: ane.activation %[[X]]
// CHECK: ane.conv %[[P]], %{{.*}} : tensor<1x256x28x28xf16>, tensor<512x256x1x1xf16> -> tensor<1x512x28x28xf16>
// ZIN-LABEL: @large
// ZIN-NOT: groups
func.func @large(%a: tensor<1x256x56x56xf16>) -> (tensor<1x256x56x56xf16>, tensor<1x512x28x28xf16>) {
  %w = ane.constant dense<0.125> : tensor<512x256x1x1xf16>
  %x = ane.activation %a {function = #ane.act<relu>} : tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  %1 = ane.conv %x, %w {strides = array<i64: 2, 2>} : tensor<1x256x56x56xf16>, tensor<512x256x1x1xf16> -> tensor<1x512x28x28xf16>
  return %0, %1 : tensor<1x256x56x56xf16>, tensor<1x512x28x28xf16>
}

// CHECK-LABEL: @small
// CHECK-NOT: groups
func.func @small(%x: tensor<1x256x28x28xf16>) -> (tensor<1x256x28x28xf16>, tensor<1x512x14x14xf16>) {
  %w = ane.constant dense<0.125> : tensor<512x256x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x256x28x28xf16> -> tensor<1x256x28x28xf16>
  %1 = ane.conv %x, %w {strides = array<i64: 2, 2>} : tensor<1x256x28x28xf16>, tensor<512x256x1x1xf16> -> tensor<1x512x14x14xf16>
  return %0, %1 : tensor<1x256x28x28xf16>, tensor<1x512x14x14xf16>
}
