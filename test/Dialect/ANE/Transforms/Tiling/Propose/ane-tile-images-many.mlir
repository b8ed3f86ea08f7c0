// More images than a program has tasks are not cut, since no cut could be compiled: each would be
// looked at, which took forever.
// RUN: ane-opt %s --ane-tile-images=early | FileCheck %s
// RUN: not ane-compile %s -o %t.hwx 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: which holds more than 1099511627776 elements; give the network less at a time

// CHECK: ane.activation %{{.*}} : tensor<2000000000x4x8x32xf16> -> tensor<2000000000x4x8x32xf16>
func.func @f(%x: tensor<2000000000x4x8x32xf16>) -> tensor<2000000000x4x8x32xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<2000000000x4x8x32xf16> -> tensor<2000000000x4x8x32xf16>
  return %0 : tensor<2000000000x4x8x32xf16>
}
