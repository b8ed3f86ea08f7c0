// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-keep-in-l2))' | FileCheck %s

// Of thirteen tensors, 8,192 sets may be alive at a time, and the 1,024 that promise most hold too
// many of them for the tiles of the sum behind. With more sets there is room for three, and the
// search goes on to the last two, of which it takes the one that saves more bytes; by bytes saved
// for a byte and task, which is what is left where no set has room, it would be the other one.
// CHECK-LABEL: func.func @crowded
// CHECK-COUNT-3: ane.task -> memref<1x64x32x32xf16, #ane.space<l2>>
// CHECK-NOT: ane.task ->
// CHECK: ane.pe_elementwise add
// CHECK-NOT: ane.task ->
// CHECK: ane.task -> memref<1x168x64x64xf16, #ane.space<l2>>
// CHECK-NOT: ane.task ->
func.func @crowded(%x: tensor<1x64x32x32xf16>, %s: tensor<1x4096x1x64xf16>, %t: tensor<1x4096x1x64xf16>, %y: tensor<1x192x64x32xf16>, %z: tensor<1x168x64x64xf16>)
    -> (tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>,
        tensor<1x4096x1x64xf16>, tensor<1x192x64x32xf16>, tensor<1x192x64x32xf16>, tensor<1x168x64x64xf16>) {
  %a0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a1 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a2 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a3 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a4 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a5 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a6 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a7 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a8 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a9 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a10 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a11 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %a12 = ane.activation %x {function = #ane.act<abs>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %sum = ane.elementwise add %s, %t : tensor<1x4096x1x64xf16>, tensor<1x4096x1x64xf16> -> tensor<1x4096x1x64xf16>
  %b0 = ane.activation %a0 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b1 = ane.activation %a1 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b2 = ane.activation %a2 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b3 = ane.activation %a3 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b4 = ane.activation %a4 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b5 = ane.activation %a5 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b6 = ane.activation %a6 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b7 = ane.activation %a7 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b8 = ane.activation %a8 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b9 = ane.activation %a9 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b10 = ane.activation %a10 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b11 = ane.activation %a11 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %b12 = ane.activation %a12 {function = #ane.act<neg>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %p = ane.activation %y {function = #ane.act<abs>} : tensor<1x192x64x32xf16> -> tensor<1x192x64x32xf16>
  %p1 = ane.activation %p {function = #ane.act<neg>} : tensor<1x192x64x32xf16> -> tensor<1x192x64x32xf16>
  %q = ane.activation %z {function = #ane.act<abs>} : tensor<1x168x64x64xf16> -> tensor<1x168x64x64xf16>
  %p2 = ane.activation %p {function = #ane.act<relu>} : tensor<1x192x64x32xf16> -> tensor<1x192x64x32xf16>
  %q1 = ane.activation %q {function = #ane.act<neg>} : tensor<1x168x64x64xf16> -> tensor<1x168x64x64xf16>
  return %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8, %b9, %b10, %b11, %b12, %sum, %p1, %p2, %q1 : tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16>,
        tensor<1x4096x1x64xf16>, tensor<1x192x64x32xf16>, tensor<1x192x64x32xf16>, tensor<1x168x64x64xf16>
}
