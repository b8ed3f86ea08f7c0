// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-keep-in-l2,ane-allocate-dram,ane-allocate-l2,ane-verify-memory))' | FileCheck %s

// The last rows of %p go to the front of a larger tensor in the same place. It
// is that large from then on only: as long as %p is there, so is %q, which would
// not fit beside all of it.
// CHECK-LABEL: func.func @larger_later
// CHECK-NOT: ane.buffer
// CHECK: %[[PLACE:.*]] = ane.l2_buffer {shared} : memref<1x64x128x64xf16
// CHECK: %[[C:.*]] = ane.subview %[[PLACE]][0, 0, 0, 0] : {{.*}} -> memref<1x64x128x64xf16
// CHECK: ane.subview %[[PLACE]][0, 0, 0, 0] : {{.*}} -> memref<1x64x32x64xf16
// CHECK: ane.subview %[[C]][0, 0, 2, 0] : {{.*}} -> memref<1x64x126x64xf16
// CHECK-NOT: ane.buffer
func.func @larger_later(%x: tensor<1x64x176x64xf16>, %y: tensor<1x64x32x64xf16>, %z: tensor<1x64x126x64xf16>)
    -> (tensor<1x64x176x64xf16>, tensor<1x64x32x64xf16>, tensor<1x64x128x64xf16>) {
  %q = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x176x64xf16> -> tensor<1x64x176x64xf16>
  %p = ane.activation %y {function = #ane.act<abs>} : tensor<1x64x32x64xf16> -> tensor<1x64x32x64xf16>
  %0 = ane.activation %q {function = #ane.act<neg>} : tensor<1x64x176x64xf16> -> tensor<1x64x176x64xf16>
  %1 = ane.activation %p {function = #ane.act<neg>} : tensor<1x64x32x64xf16> -> tensor<1x64x32x64xf16>
  %s = ane.slice %p {offsets = array<i64: 0, 0, 30, 0>, sizes = array<i64: 1, 64, 2, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x32x64xf16> -> tensor<1x64x2x64xf16>
  %r = ane.activation %z {function = #ane.act<abs>} : tensor<1x64x126x64xf16> -> tensor<1x64x126x64xf16>
  %c = ane.concat %s, %r {axis = 2 : i64} : tensor<1x64x2x64xf16>, tensor<1x64x126x64xf16> -> tensor<1x64x128x64xf16>
  %2 = ane.activation %c {function = #ane.act<neg>} : tensor<1x64x128x64xf16> -> tensor<1x64x128x64xf16>
  return %0, %1, %2 : tensor<1x64x176x64xf16>, tensor<1x64x32x64xf16>, tensor<1x64x128x64xf16>
}

// The other way round: %q comes when the place of %p is no more as large as
// that.
// CHECK-LABEL: func.func @smaller_later
// CHECK-NOT: ane.buffer
// CHECK: ane.l2_buffer {shared} : memref<1x64x128x64xf16
// CHECK-NOT: ane.buffer
// CHECK: return
func.func @smaller_later(%x: tensor<1x64x176x64xf16>, %y: tensor<1x64x128x64xf16>, %z: tensor<1x64x30x64xf16>)
    -> (tensor<1x64x176x64xf16>, tensor<1x64x128x64xf16>, tensor<1x64x32x64xf16>) {
  %p = ane.activation %y {function = #ane.act<abs>} : tensor<1x64x128x64xf16> -> tensor<1x64x128x64xf16>
  %1 = ane.activation %p {function = #ane.act<neg>} : tensor<1x64x128x64xf16> -> tensor<1x64x128x64xf16>
  %s = ane.slice %p {offsets = array<i64: 0, 0, 126, 0>, sizes = array<i64: 1, 64, 2, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x64xf16> -> tensor<1x64x2x64xf16>
  %r = ane.activation %z {function = #ane.act<abs>} : tensor<1x64x30x64xf16> -> tensor<1x64x30x64xf16>
  %c = ane.concat %s, %r {axis = 2 : i64} : tensor<1x64x2x64xf16>, tensor<1x64x30x64xf16> -> tensor<1x64x32x64xf16>
  %q = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x176x64xf16> -> tensor<1x64x176x64xf16>
  %0 = ane.activation %q {function = #ane.act<neg>} : tensor<1x64x176x64xf16> -> tensor<1x64x176x64xf16>
  %2 = ane.activation %c {function = #ane.act<neg>} : tensor<1x64x32x64xf16> -> tensor<1x64x32x64xf16>
  return %0, %1, %2 : tensor<1x64x176x64xf16>, tensor<1x64x128x64xf16>, tensor<1x64x32x64xf16>
}
