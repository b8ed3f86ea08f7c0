// REQUIRES: numpy
// RUN: mkdir -p %t
// RUN: %python -c "import numpy as np; x = np.tile([99, 101], (1, 2, 4, 4)).astype(np.float32); x[0, 0] -= 100; np.save(r'%t/input0.npy', x)"
// RUN: ane-opt %s --ane-measure-ranges=folder=%t | FileCheck %s

// One channel has a mean of 100 deviations, the other of none.
// CHECK: ane.range = [-1.000000e+00, 1.010000e+02, 1.000000e+00]
// CHECK: ane.activation %arg0 {ane.range = [1.000000e+00, 1.010000e+02, 1.000000e+00]
// CHECK: ane.layer_norm %arg0 {ane.mean_ratio = 99.99
// CHECK: ane.layer_norm %0 {ane.mean_ratio = 1.000000e+02
func.func @measured(%x: tensor<1x2x4x8xf16>) -> (tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>) {
  %a = ane.activation %x {function = #ane.act<abs>} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %y = ane.layer_norm %x {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %z = ane.layer_norm %a {axes = array<i64: 2, 3>, epsilon = 0.0 : f32} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  return %y, %z : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>
}
