// A size beyond the result is all of it, however large and whatever the others are.
// RUN: ane-opt %s --ane-tile -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=WHOLE

// CHECK-COUNT-8: function = #ane.act<relu>{{.*}} -> tensor<1x4x1x32xf16>
// WHOLE: function = #ane.act<abs>{{.*}} -> tensor<1x4x8x32xf16>
// WHOLE-NOT: function = #ane.act<abs>
func.func @f(%x: tensor<1x4x8x32xf16>) -> (tensor<1x4x8x32xf16>, tensor<1x4x8x32xf16>) {
  %0 = ane.activation %x {function = #ane.act<relu>, ane.tile = #ane.tile<group = 0, dim = 2, size = 1>} : tensor<1x4x8x32xf16> -> tensor<1x4x8x32xf16>
  %1 = ane.activation %x {function = #ane.act<abs>, ane.tile = #ane.tile<group = 0, dim = 2, size = 4611686018427387904>} : tensor<1x4x8x32xf16> -> tensor<1x4x8x32xf16>
  return %0, %1 : tensor<1x4x8x32xf16>, tensor<1x4x8x32xf16>
}
