// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-fold,ane-legalize} tolerance=0.002" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=AFTER

// Every op is one on four dimensions and computes the same.
// CHECK-COUNT-40: computes the same
// CHECK-NOT: something else

// Heads that share a key.
// AFTER-LABEL: func.func @repeat
// AFTER: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x2x1x6xf16>, tensor<1x1x3x1xf16> -> tensor<1x2x3x6xf16>
func.func @repeat(%x: tensor<1x2x1x2x3xf16>) -> tensor<1x2x3x2x3xf16> {
  %z = ane.constant dense<0.0> : tensor<1x1x3x1x1xf16>
  %y = ane.elementwise add %x, %z : tensor<1x2x1x2x3xf16>, tensor<1x1x3x1x1xf16> -> tensor<1x2x3x2x3xf16>
  return %y : tensor<1x2x3x2x3xf16>
}
// AFTER-LABEL: func.func @reduce
func.func @reduce(%x: tensor<2x2x3x2x3xf16>) -> tensor<2x2x1x1x3xf16> {
  %y = ane.reduce max %x {axes = array<i64: 2, 3>} : tensor<2x2x3x2x3xf16> -> tensor<2x2x1x1x3xf16>
  return %y : tensor<2x2x1x1x3xf16>
}
func.func @softmax(%x: tensor<1x2x3x2x3xf16>) -> tensor<1x2x3x2x3xf16> {
  %y = ane.softmax %x {axis = 4 : i64} : tensor<1x2x3x2x3xf16> -> tensor<1x2x3x2x3xf16>
  return %y : tensor<1x2x3x2x3xf16>
}
func.func @tile(%x: tensor<2x1x2x3x2xf16>) -> tensor<2x4x2x3x2xf16> {
  %y = ane.tile %x {repeats = array<i64: 1, 4, 1, 1, 1>} : tensor<2x1x2x3x2xf16> -> tensor<2x4x2x3x2xf16>
  return %y : tensor<2x4x2x3x2xf16>
}
// The slice is along the first of two dimensions that become one.
// AFTER-LABEL: func.func @slice
// AFTER: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 2, 4, 3>
func.func @slice(%x: tensor<1x2x4x2x3xf16>) -> tensor<1x2x2x2x3xf16> {
  %y = ane.slice %x {offsets = array<i64: 0, 0, 1, 0, 0>, sizes = array<i64: 1, 2, 2, 2, 3>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<1x2x4x2x3xf16> -> tensor<1x2x2x2x3xf16>
  return %y : tensor<1x2x2x2x3xf16>
}
func.func @concat(%x: tensor<2x2x1x2x3xf16>, %y: tensor<2x2x2x2x3xf16>) -> tensor<2x2x3x2x3xf16> {
  %z = ane.concat %x, %y {axis = 2 : i64} : tensor<2x2x1x2x3xf16>, tensor<2x2x2x2x3xf16> -> tensor<2x2x3x2x3xf16>
  return %z : tensor<2x2x3x2x3xf16>
}
func.func @rms_norm(%x: tensor<1x2x3x2x3xf16>) -> tensor<1x2x3x2x3xf16> {
  %g = ane.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf16>
  %y = ane.rms_norm %x gamma %g {axes = array<i64: 3, 4>, epsilon = 1.0e-2 : f32} : tensor<1x2x3x2x3xf16> gamma tensor<2x3xf16> -> tensor<1x2x3x2x3xf16>
  return %y : tensor<1x2x3x2x3xf16>
}
func.func @layer_norm(%x: tensor<1x2x3x2x3xf16>) -> tensor<1x2x3x2x3xf16> {
  %g = ane.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %b = ane.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf16>
  %y = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 4>, epsilon = 1.0e-2 : f32} : tensor<1x2x3x2x3xf16> gamma tensor<3xf16> beta tensor<3xf16> -> tensor<1x2x3x2x3xf16>
  return %y : tensor<1x2x3x2x3xf16>
}
func.func @matmul(%x: tensor<1x2x3x2x3xf16>, %y: tensor<1x2x3x3x2xf16>) -> tensor<1x2x3x2x2xf16> {
  %z = ane.matmul %x, %y : tensor<1x2x3x2x3xf16>, tensor<1x2x3x3x2xf16> -> tensor<1x2x3x2x2xf16>
  return %z : tensor<1x2x3x2x2xf16>
}

// A dimension with one element goes with either side, but does not join them.
func.func @softmax_of_one(%x: tensor<5x4x1x2x3xf16>) -> tensor<5x4x1x2x3xf16> {
  %y = ane.softmax %x {axis = 2 : i64} : tensor<5x4x1x2x3xf16> -> tensor<5x4x1x2x3xf16>
  return %y : tensor<5x4x1x2x3xf16>
}
func.func @sum_beside_one(%x: tensor<2x3x1x4x2xf16>) -> tensor<2x1x1x4x2xf16> {
  %y = ane.reduce sum %x {axes = array<i64: 1>} : tensor<2x3x1x4x2xf16> -> tensor<2x1x1x4x2xf16>
  return %y : tensor<2x1x1x4x2xf16>
}
func.func @slice_beside_one(%x: tensor<3x2x1x4x2x2xf16>) -> tensor<3x2x1x2x2x2xf16> {
  %y = ane.slice %x {offsets = array<i64: 0, 0, 0, 1, 0, 0>, sizes = array<i64: 3, 2, 1, 2, 2, 2>, strides = array<i64: 1, 1, 1, 2, 1, 1>} : tensor<3x2x1x4x2x2xf16> -> tensor<3x2x1x2x2x2xf16>
  return %y : tensor<3x2x1x2x2x2xf16>
}
func.func @concat_beside_one(%x: tensor<2x2x1x2x2x3xf16>, %y: tensor<2x2x1x1x2x3xf16>) -> tensor<2x2x1x3x2x3xf16> {
  %z = ane.concat %x, %y {axis = 3 : i64} : tensor<2x2x1x2x2x3xf16>, tensor<2x2x1x1x2x3xf16> -> tensor<2x2x1x3x2x3xf16>
  return %z : tensor<2x2x1x3x2x3xf16>
}
func.func @tile_beside_one(%x: tensor<2x2x1x2x3xf16>) -> tensor<2x2x1x6x3xf16> {
  %y = ane.tile %x {repeats = array<i64: 1, 1, 1, 3, 1>} : tensor<2x2x1x2x3xf16> -> tensor<2x2x1x6x3xf16>
  return %y : tensor<2x2x1x6x3xf16>
}
func.func @pad(%x: tensor<2x3x1x2x3xf16>) -> tensor<2x3x1x4x3xf16> {
  %y = ane.pad %x {low = array<i64: 0, 0, 0, 2, 0>, high = array<i64: 0, 0, 0, 0, 0>, value = 1.0 : f32} : tensor<2x3x1x2x3xf16> -> tensor<2x3x1x4x3xf16>
  return %y : tensor<2x3x1x4x3xf16>
}

// More kinds of dimensions than four: one after the other.
func.func @pad_all(%x: tensor<2x1x2x3x2xf16>) -> tensor<3x2x4x4x4xf16> {
  %y = ane.pad %x {low = array<i64: 1, 0, 2, 1, 1>, high = array<i64: 0, 1, 0, 0, 1>, value = 1.0 : f32} : tensor<2x1x2x3x2xf16> -> tensor<3x2x4x4x4xf16>
  return %y : tensor<3x2x4x4x4xf16>
}
func.func @slice_all(%x: tensor<2x3x4x3x5xf16>) -> tensor<1x2x2x1x2xf16> {
  %y = ane.slice %x {offsets = array<i64: 1, 1, 0, 2, 1>, sizes = array<i64: 1, 2, 2, 1, 2>, strides = array<i64: 1, 1, 3, 1, 2>} : tensor<2x3x4x3x5xf16> -> tensor<1x2x2x1x2xf16>
  return %y : tensor<1x2x2x1x2xf16>
}
// What is behind is no row where it is longer than one can be.
func.func @slice_long(%x: tensor<2x2x34x10x50xf16>) -> tensor<1x1x2x3x2xf16> {
  %y = ane.slice %x {offsets = array<i64: 1, 0, 3, 2, 1>, sizes = array<i64: 1, 1, 2, 3, 2>, strides = array<i64: 1, 1, 3, 1, 2>} : tensor<2x2x34x10x50xf16> -> tensor<1x1x2x3x2xf16>
  return %y : tensor<1x1x2x3x2xf16>
}
func.func @tile_all(%x: tensor<2x1x2x1x3xf16>) -> tensor<4x2x2x2x6xf16> {
  %y = ane.tile %x {repeats = array<i64: 2, 2, 1, 2, 2>} : tensor<2x1x2x1x3xf16> -> tensor<4x2x2x2x6xf16>
  return %y : tensor<4x2x2x2x6xf16>
}
func.func @reduce_every_second(%x: tensor<2x3x2x3x2xf16>) -> tensor<1x3x1x3x1xf16> {
  %y = ane.reduce mean_square %x {axes = array<i64: 0, 2, 4>} : tensor<2x3x2x3x2xf16> -> tensor<1x3x1x3x1xf16>
  return %y : tensor<1x3x1x3x1xf16>
}
func.func @compare_every_second(%x: tensor<2x3x2x3x2xf16>, %y: tensor<1x3x1x3x1xf16>) -> tensor<2x3x2x3x2xf16> {
  %z = ane.compare lt %x, %y : tensor<2x3x2x3x2xf16>, tensor<1x3x1x3x1xf16> -> tensor<2x3x2x3x2xf16>
  return %z : tensor<2x3x2x3x2xf16>
}

// A constant is repeated at once.
// AFTER-LABEL: func.func @subtract_every_second
// AFTER-NOT: ane.tile
// AFTER: ane.elementwise
func.func @subtract_every_second(%x: tensor<2x2x2x2x2xf16>) -> tensor<2x2x2x2x2xf16> {
  %k = ane.constant dense<[[[[[0.5], [-0.5]]], [[[1.5], [2.5]]]]]> : tensor<1x2x1x2x1xf32>
  %y = ane.elementwise sub %k, %x : tensor<1x2x1x2x1xf32>, tensor<2x2x2x2x2xf16> -> tensor<2x2x2x2x2xf16>
  return %y : tensor<2x2x2x2x2xf16>
}

// One matrix for all batches; one for every second.
// AFTER-LABEL: func.func @matmul_broadcast
// AFTER-NOT: ane.tile
// AFTER: ane.matmul {{.*}} : tensor<2x6x2x3xf16>, tensor<1x1x3x2xf16> -> tensor<2x6x2x2xf16>
func.func @matmul_broadcast(%x: tensor<2x2x3x2x3xf16>, %y: tensor<1x1x1x3x2xf16>) -> tensor<2x2x3x2x2xf16> {
  %z = ane.matmul %x, %y : tensor<2x2x3x2x3xf16>, tensor<1x1x1x3x2xf16> -> tensor<2x2x3x2x2xf16>
  return %z : tensor<2x2x3x2x2xf16>
}
func.func @matmul_every_second(%x: tensor<2x1x3x2x3xf16>, %y: tensor<1x2x1x2x3xf16>) -> tensor<2x2x3x2x2xf16> {
  %z = ane.matmul %x, %y {transpose_rhs} : tensor<2x1x3x2x3xf16>, tensor<1x2x1x2x3xf16> -> tensor<2x2x3x2x2xf16>
  return %z : tensor<2x2x3x2x2xf16>
}
func.func @bytes(%x: tensor<2x2x3x2x3xf16>) -> (tensor<2x2x3x2x3xui8>, tensor<2x2x3x2x3xf16>) {
  %zero = ane.constant dense<0.0> : tensor<1x1x1x1x1xf16>
  %c = ane.compare gt %x, %zero : tensor<2x2x3x2x3xf16>, tensor<1x1x1x1x1xf16> -> tensor<2x2x3x2x3xf16>
  %b = ane.cast %c : tensor<2x2x3x2x3xf16> -> tensor<2x2x3x2x3xui8>
  %y = ane.elementwise mul %c, %x : tensor<2x2x3x2x3xf16>, tensor<2x2x3x2x3xf16> -> tensor<2x2x3x2x3xf16>
  return %b, %y : tensor<2x2x3x2x3xui8>, tensor<2x2x3x2x3xf16>
}
// Attention to windows, with what is added for each head, or for each window.
// AFTER-LABEL: func.func @attention_windows
// AFTER: ane.runtime_conv
// AFTER-NEXT: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x2x3x2xf16>, tensor<1x2x3x2xf16>
// AFTER-NOT: ane.matmul
func.func @attention_windows(%q: tensor<1x2x3x2x4xf16>, %k: tensor<1x2x3x2x4xf16>, %v: tensor<1x2x3x2x4xf16>) -> tensor<1x2x3x2x4xf16> {
  %m = ane.constant dense<[[[[[0.0, 1.0], [2.0, 3.0]], [[-1.0, 0.5], [1.5, -2.0]], [[4.0, 0.0], [0.0, 4.0]]]]]> : tensor<1x1x3x2x2xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x3x2x4xf16>, tensor<1x2x3x2x4xf16> -> tensor<1x2x3x2x2xf16>
  %1 = ane.elementwise add %0, %m : tensor<1x2x3x2x2xf16>, tensor<1x1x3x2x2xf16> -> tensor<1x2x3x2x2xf16>
  %2 = ane.softmax %1 {axis = 4 : i64} : tensor<1x2x3x2x2xf16> -> tensor<1x2x3x2x2xf16>
  %3 = ane.matmul %2, %v : tensor<1x2x3x2x2xf16>, tensor<1x2x3x2x4xf16> -> tensor<1x2x3x2x4xf16>
  return %3 : tensor<1x2x3x2x4xf16>
}
// AFTER-LABEL: func.func @attention_windows_4
// AFTER: ane.runtime_conv
// AFTER-NEXT: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x2x3x2xf16>, tensor<1x2x3x2xf16>
// AFTER-NOT: ane.matmul
func.func @attention_windows_4(%q: tensor<2x3x2x4xf16>, %k: tensor<2x3x2x4xf16>, %v: tensor<2x3x2x4xf16>) -> tensor<2x3x2x4xf16> {
  %m = ane.constant dense<[[[[0.0, 1.0], [2.0, 3.0]], [[-1.0, 0.5], [1.5, -2.0]], [[4.0, 0.0], [0.0, 4.0]]]]> : tensor<1x3x2x2xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<2x3x2x4xf16>, tensor<2x3x2x4xf16> -> tensor<2x3x2x2xf16>
  %1 = ane.elementwise add %0, %m : tensor<2x3x2x2xf16>, tensor<1x3x2x2xf16> -> tensor<2x3x2x2xf16>
  %2 = ane.softmax %1 {axis = 3 : i64} : tensor<2x3x2x2xf16> -> tensor<2x3x2x2xf16>
  %3 = ane.matmul %2, %v : tensor<2x3x2x2xf16>, tensor<2x3x2x4xf16> -> tensor<2x3x2x4xf16>
  return %3 : tensor<2x3x2x4xf16>
}
// AFTER-LABEL: func.func @attention_window_masks
// AFTER: ane.runtime_conv
// AFTER-NEXT: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x2x3x2xf16>, tensor<1x2x3x2xf16>
// AFTER-NOT: ane.matmul
func.func @attention_window_masks(%q: tensor<1x2x3x2x4xf16>, %k: tensor<1x2x3x2x4xf16>, %v: tensor<1x2x3x2x4xf16>) -> tensor<1x2x3x2x4xf16> {
  %m = ane.constant dense<[[[[[0.0, 1.0], [2.0, 3.0]]], [[[-1.0, 0.5], [1.5, -2.0]]]]]> : tensor<1x2x1x2x2xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x3x2x4xf16>, tensor<1x2x3x2x4xf16> -> tensor<1x2x3x2x2xf16>
  %1 = ane.elementwise add %0, %m : tensor<1x2x3x2x2xf16>, tensor<1x2x1x2x2xf16> -> tensor<1x2x3x2x2xf16>
  %2 = ane.softmax %1 {axis = 4 : i64} : tensor<1x2x3x2x2xf16> -> tensor<1x2x3x2x2xf16>
  %3 = ane.matmul %2, %v : tensor<1x2x3x2x2xf16>, tensor<1x2x3x2x4xf16> -> tensor<1x2x3x2x4xf16>
  return %3 : tensor<1x2x3x2x4xf16>
}
// What is added for each row and each column of keys is a part of the product.
// AFTER-LABEL: func.func @relative_positions(
// AFTER: ane.concat %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x32x2x6xf16>, tensor<1x3x2x6xf16>, tensor<1x2x2x6xf16> -> tensor<1x37x2x6xf16>
// AFTER-NOT: ane.elementwise add
// AFTER: ane.runtime_conv %{{.*}} : tensor<1x37x1x6xf16>, tensor<1x6x1x37xf16>
// AFTER-NOT: ane.elementwise add
// AFTER: return
func.func @relative_positions(%q: tensor<1x2x6x32xf16>, %k: tensor<1x2x6x32xf16>, %v: tensor<1x2x6x32xf16>, %r: tensor<1x2x32x2xf16>, %c: tensor<1x2x32x3xf16>) -> tensor<1x2x6x32xf16> {
  %a = ane.matmul %q, %r : tensor<1x2x6x32xf16>, tensor<1x2x32x2xf16> -> tensor<1x2x6x2xf16>
  %rows = ane.reshape %a : tensor<1x2x6x2xf16> -> tensor<2x6x2x1xf16>
  %b = ane.matmul %q, %c : tensor<1x2x6x32xf16>, tensor<1x2x32x3xf16> -> tensor<1x2x6x3xf16>
  %columns = ane.reshape %b : tensor<1x2x6x3xf16> -> tensor<2x6x1x3xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x6x32xf16>, tensor<1x2x6x32xf16> -> tensor<1x2x6x6xf16>
  %1 = ane.reshape %0 : tensor<1x2x6x6xf16> -> tensor<2x6x2x3xf16>
  %2 = ane.elementwise add %1, %rows : tensor<2x6x2x3xf16>, tensor<2x6x2x1xf16> -> tensor<2x6x2x3xf16>
  %3 = ane.elementwise add %columns, %2 : tensor<2x6x1x3xf16>, tensor<2x6x2x3xf16> -> tensor<2x6x2x3xf16>
  %4 = ane.reshape %3 : tensor<2x6x2x3xf16> -> tensor<1x2x6x6xf16>
  %5 = ane.softmax %4 {axis = 3 : i64} : tensor<1x2x6x6xf16> -> tensor<1x2x6x6xf16>
  %6 = ane.matmul %5, %v : tensor<1x2x6x6xf16>, tensor<1x2x6x32xf16> -> tensor<1x2x6x32xf16>
  return %6 : tensor<1x2x6x32xf16>
}
// Columns behind those of the keys would not start where a row can.
// AFTER-LABEL: func.func @relative_positions_narrow(
// AFTER-COUNT-2: ane.elementwise add
func.func @relative_positions_narrow(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x6x8xf16>, %v: tensor<1x2x6x8xf16>, %r: tensor<1x2x8x2xf16>, %c: tensor<1x2x8x3xf16>) -> tensor<1x2x6x8xf16> {
  %a = ane.matmul %q, %r : tensor<1x2x6x8xf16>, tensor<1x2x8x2xf16> -> tensor<1x2x6x2xf16>
  %rows = ane.reshape %a : tensor<1x2x6x2xf16> -> tensor<2x6x2x1xf16>
  %b = ane.matmul %q, %c : tensor<1x2x6x8xf16>, tensor<1x2x8x3xf16> -> tensor<1x2x6x3xf16>
  %columns = ane.reshape %b : tensor<1x2x6x3xf16> -> tensor<2x6x1x3xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16> -> tensor<1x2x6x6xf16>
  %1 = ane.reshape %0 : tensor<1x2x6x6xf16> -> tensor<2x6x2x3xf16>
  %2 = ane.elementwise add %1, %rows : tensor<2x6x2x3xf16>, tensor<2x6x2x1xf16> -> tensor<2x6x2x3xf16>
  %3 = ane.elementwise add %columns, %2 : tensor<2x6x1x3xf16>, tensor<2x6x2x3xf16> -> tensor<2x6x2x3xf16>
  %4 = ane.reshape %3 : tensor<2x6x2x3xf16> -> tensor<1x2x6x6xf16>
  %5 = ane.softmax %4 {axis = 3 : i64} : tensor<1x2x6x6xf16> -> tensor<1x2x6x6xf16>
  %6 = ane.matmul %5, %v : tensor<1x2x6x6xf16>, tensor<1x2x6x8xf16> -> tensor<1x2x6x8xf16>
  return %6 : tensor<1x2x6x8xf16>
}
// What may be infinite is no part of a product.
// AFTER-LABEL: func.func @masks_of_positions(
// AFTER-COUNT-2: ane.elementwise add
func.func @masks_of_positions(%q: tensor<1x2x6x32xf16>, %k: tensor<1x2x6x32xf16>, %v: tensor<1x2x6x32xf16>, %rows: tensor<2x6x2x1xf16>, %columns: tensor<2x6x1x3xf16>) -> tensor<1x2x6x32xf16> {
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x6x32xf16>, tensor<1x2x6x32xf16> -> tensor<1x2x6x6xf16>
  %1 = ane.reshape %0 : tensor<1x2x6x6xf16> -> tensor<2x6x2x3xf16>
  %2 = ane.elementwise add %1, %rows : tensor<2x6x2x3xf16>, tensor<2x6x2x1xf16> -> tensor<2x6x2x3xf16>
  %3 = ane.elementwise add %columns, %2 : tensor<2x6x1x3xf16>, tensor<2x6x2x3xf16> -> tensor<2x6x2x3xf16>
  %4 = ane.reshape %3 : tensor<2x6x2x3xf16> -> tensor<1x2x6x6xf16>
  %5 = ane.softmax %4 {axis = 3 : i64} : tensor<1x2x6x6xf16> -> tensor<1x2x6x6xf16>
  %6 = ane.matmul %5, %v : tensor<1x2x6x6xf16>, tensor<1x2x6x32xf16> -> tensor<1x2x6x32xf16>
  return %6 : tensor<1x2x6x32xf16>
}
// Heads as a layer in front of windows makes them: its channels, and its rows are windows. Keys
// alone are transposed, and what is added to all windows is one row.
// AFTER-LABEL: func.func @heads_are_channels(
// AFTER-DAG: %[[Q:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 3, 5>
// AFTER-DAG: %[[K:.*]] = ane.slice %arg1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 3, 5>
// AFTER-DAG: %[[T:.*]] = ane.transpose %[[K]] {perm = array<i64: 0, 3, 2, 1>} : tensor<1x16x3x5xf16> -> tensor<1x5x3x16xf16>
// AFTER: ane.runtime_conv %[[Q]], %[[T]]
// AFTER: ane.elementwise add {{.*}} : tensor<1x5x3x5xf16>, tensor<1x5x1x5xf16> -> tensor<1x5x3x5xf16>
// AFTER: %[[V:.*]] = ane.slice %arg2 {offsets = array<i64: 0, 16, 0, 0>
// AFTER: ane.runtime_conv %{{.*}}, %[[V]]
// AFTER: %[[R:.*]] = ane.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x16x3x5xf16>, tensor<1x16x3x5xf16> -> tensor<1x32x3x5xf16>
// AFTER-NEXT: return %[[R]]
func.func @heads_are_channels(%x: tensor<1x32x3x5xf16>, %y: tensor<1x32x3x5xf16>, %z: tensor<1x32x3x5xf16>) -> tensor<1x32x3x5xf16> {
  %m = ane.constant dense<[[[[-0.125, -1.0, 0.875, 1.75, -1.5], [-2.0, 1.75, 0.0, -0.25, -0.5], [1.75, 1.75, 1.125, -0.875, -0.25], [-0.875, 1.0, -2.0, -1.5, -0.75], [-1.75, 0.375, -1.875, 0.125, 1.75]], [[1.0, 1.375, 1.125, 1.5, -1.0], [0.875, -1.25, -1.75, -1.0, 1.875], [-0.375, 0.0, 1.375, 0.375, 1.25], [2.0, 1.0, 0.75, 1.25, -0.25], [0.625, -1.875, 0.125, -0.75, 0.5]]]]> : tensor<1x2x5x5xf16>
  %x1 = ane.reshape %x : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %y1 = ane.reshape %y : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %z1 = ane.reshape %z : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %q = ane.transpose %x1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %k = ane.transpose %y1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %v = ane.transpose %z1 {perm = array<i64: 2, 0, 1, 3>} : tensor<2x16x3x5xf16> -> tensor<3x2x16x5xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<3x2x5x16xf16>, tensor<3x2x5x16xf16> -> tensor<3x2x5x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<3x2x5x5xf16>, tensor<1x2x5x5xf16> -> tensor<3x2x5x5xf16>
  %2 = ane.softmax %1 {axis = 3 : i64} : tensor<3x2x5x5xf16> -> tensor<3x2x5x5xf16>
  %3 = ane.matmul %2, %v {transpose_rhs} : tensor<3x2x5x5xf16>, tensor<3x2x16x5xf16> -> tensor<3x2x5x16xf16>
  %4 = ane.transpose %3 {perm = array<i64: 1, 3, 0, 2>} : tensor<3x2x5x16xf16> -> tensor<2x16x3x5xf16>
  %5 = ane.reshape %4 : tensor<2x16x3x5xf16> -> tensor<1x32x3x5xf16>
  return %5 : tensor<1x32x3x5xf16>
}
// AFTER-LABEL: func.func @heads_are_channels_window_masks(
// AFTER: ane.elementwise add {{.*}} : tensor<1x5x3x5xf16>, tensor<1x5x3x5xf16> -> tensor<1x5x3x5xf16>
func.func @heads_are_channels_window_masks(%x: tensor<1x32x3x5xf16>, %y: tensor<1x32x3x5xf16>, %z: tensor<1x32x3x5xf16>) -> tensor<1x32x3x5xf16> {
  %m = ane.constant dense<[[[[-1.25, -0.375, 0.125, 0.25, -1.125], [-1.5, 1.75, 1.75, -1.375, 0.75], [-1.5, 1.25, -0.875, -1.875, 0.25], [1.375, 1.25, -1.125, -1.75, -1.75], [1.0, 0.625, 0.125, 2.0, -0.125]]], [[[-1.75, 0.375, -2.0, -1.5, -1.25], [-1.75, -0.5, 1.25, 0.25, 0.0], [-0.875, -1.75, 0.625, 0.5, 0.875], [-1.0, 1.0, 1.0, 1.625, 1.0], [-1.25, 2.0, 0.125, 1.375, -0.125]]], [[[0.375, 1.375, 0.0, 0.375, 0.625], [-2.0, 1.25, 0.5, -1.875, 1.0], [-1.0, -1.625, 0.625, 1.625, 0.75], [0.75, 0.125, 1.875, -1.875, -1.625], [-1.875, 0.875, 0.0, 1.625, 0.375]]]]> : tensor<3x1x5x5xf16>
  %x1 = ane.reshape %x : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %y1 = ane.reshape %y : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %z1 = ane.reshape %z : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %q = ane.transpose %x1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %k = ane.transpose %y1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %v = ane.transpose %z1 {perm = array<i64: 2, 0, 1, 3>} : tensor<2x16x3x5xf16> -> tensor<3x2x16x5xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<3x2x5x16xf16>, tensor<3x2x5x16xf16> -> tensor<3x2x5x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<3x2x5x5xf16>, tensor<3x1x5x5xf16> -> tensor<3x2x5x5xf16>
  %2 = ane.softmax %1 {axis = 3 : i64} : tensor<3x2x5x5xf16> -> tensor<3x2x5x5xf16>
  %3 = ane.matmul %2, %v {transpose_rhs} : tensor<3x2x5x5xf16>, tensor<3x2x16x5xf16> -> tensor<3x2x5x16xf16>
  %4 = ane.transpose %3 {perm = array<i64: 1, 3, 0, 2>} : tensor<3x2x5x16xf16> -> tensor<2x16x3x5xf16>
  %5 = ane.reshape %4 : tensor<2x16x3x5xf16> -> tensor<1x32x3x5xf16>
  return %5 : tensor<1x32x3x5xf16>
}
// AFTER-LABEL: func.func @heads_are_channels_all_masks(
// AFTER: ane.elementwise add {{.*}} : tensor<1x5x3x5xf16>, tensor<1x5x3x5xf16> -> tensor<1x5x3x5xf16>
func.func @heads_are_channels_all_masks(%x: tensor<1x32x3x5xf16>, %y: tensor<1x32x3x5xf16>, %z: tensor<1x32x3x5xf16>) -> tensor<1x32x3x5xf16> {
  %m = ane.constant dense<[[[[0.5, -0.625, 0.875, -0.625, 0.5], [0.875, 0.0, 0.375, 1.0, -1.25], [-1.875, -1.0, 0.375, 2.0, -0.25], [0.125, -0.125, 0.5, -0.625, 1.375], [-1.25, -1.25, 0.5, 0.625, -0.25]], [[1.5, -0.75, -1.375, 0.625, -0.375], [1.5, 0.125, -0.25, -1.125, -1.75], [-0.5, 0.5, -0.625, 0.125, 0.625], [-1.375, 0.75, -1.0, 1.25, 0.25], [0.125, 1.625, 0.75, 1.25, 0.25]]], [[[1.25, 1.25, -1.75, 1.25, -0.875], [-0.5, -2.0, 1.75, 2.0, 1.375], [-0.25, -1.75, 1.625, 0.25, 0.625], [-0.25, -1.5, 0.25, -1.125, -0.125], [-1.75, -1.75, 2.0, -0.5, 1.375]], [[-1.625, -2.0, 1.75, -1.125, -0.75], [2.0, 0.375, -0.125, -1.875, 1.25], [-1.625, -1.125, 0.625, -1.0, 0.0], [1.75, -1.625, 0.75, -0.25, -0.5], [-1.125, -1.125, -0.75, -0.125, 0.125]]], [[[-1.0, -2.0, 1.875, 1.125, -1.625], [0.125, -0.125, 0.125, 1.375, -1.625], [1.75, 0.5, -2.0, -1.625, -1.0], [-1.75, -1.125, -1.625, -1.5, 1.75], [-1.75, -1.375, 2.0, 2.0, 1.875]], [[0.5, -0.75, 0.5, -1.5, 0.75], [1.0, 1.0, 0.375, 0.875, 0.0], [-0.5, 0.625, 1.375, -1.125, -1.0], [-2.0, 1.0, -1.375, -0.625, -1.75], [0.875, 1.625, 1.0, -1.75, 1.375]]]]> : tensor<3x2x5x5xf16>
  %x1 = ane.reshape %x : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %y1 = ane.reshape %y : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %z1 = ane.reshape %z : tensor<1x32x3x5xf16> -> tensor<2x16x3x5xf16>
  %q = ane.transpose %x1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %k = ane.transpose %y1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x16x3x5xf16> -> tensor<3x2x5x16xf16>
  %v = ane.transpose %z1 {perm = array<i64: 2, 0, 1, 3>} : tensor<2x16x3x5xf16> -> tensor<3x2x16x5xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<3x2x5x16xf16>, tensor<3x2x5x16xf16> -> tensor<3x2x5x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<3x2x5x5xf16>, tensor<3x2x5x5xf16> -> tensor<3x2x5x5xf16>
  %2 = ane.softmax %1 {axis = 3 : i64} : tensor<3x2x5x5xf16> -> tensor<3x2x5x5xf16>
  %3 = ane.matmul %2, %v {transpose_rhs} : tensor<3x2x5x5xf16>, tensor<3x2x16x5xf16> -> tensor<3x2x5x16xf16>
  %4 = ane.transpose %3 {perm = array<i64: 1, 3, 0, 2>} : tensor<3x2x5x16xf16> -> tensor<2x16x3x5xf16>
  %5 = ane.reshape %4 : tensor<2x16x3x5xf16> -> tensor<1x32x3x5xf16>
  return %5 : tensor<1x32x3x5xf16>
}
// Behind the first product windows and heads are counted together; also where heads are channels.
// AFTER-LABEL: func.func @relative_positions_of_windows(
// AFTER-NOT: ane.elementwise add
// AFTER: ane.runtime_conv %{{.*}} : tensor<1x37x2x6xf16>, tensor<1x6x2x37xf16>
// AFTER-NOT: ane.elementwise add
// AFTER: return
func.func @relative_positions_of_windows(%x: tensor<1x64x2x6xf16>, %y: tensor<1x64x2x6xf16>, %z: tensor<1x64x2x6xf16>, %r: tensor<1x4x32x2xf16>, %c: tensor<1x4x32x3xf16>) -> tensor<1x4x6x32xf16> {
  %x1 = ane.reshape %x : tensor<1x64x2x6xf16> -> tensor<2x32x2x6xf16>
  %y1 = ane.reshape %y : tensor<1x64x2x6xf16> -> tensor<2x32x2x6xf16>
  %z1 = ane.reshape %z : tensor<1x64x2x6xf16> -> tensor<2x32x2x6xf16>
  %q = ane.transpose %x1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x32x2x6xf16> -> tensor<2x2x6x32xf16>
  %k = ane.transpose %y1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x32x2x6xf16> -> tensor<2x2x6x32xf16>
  %v1 = ane.transpose %z1 {perm = array<i64: 2, 0, 3, 1>} : tensor<2x32x2x6xf16> -> tensor<2x2x6x32xf16>
  %v = ane.reshape %v1 : tensor<2x2x6x32xf16> -> tensor<1x4x6x32xf16>
  %q1 = ane.reshape %q : tensor<2x2x6x32xf16> -> tensor<1x4x6x32xf16>
  %a = ane.matmul %q1, %r : tensor<1x4x6x32xf16>, tensor<1x4x32x2xf16> -> tensor<1x4x6x2xf16>
  %rows = ane.reshape %a : tensor<1x4x6x2xf16> -> tensor<4x6x2x1xf16>
  %b = ane.matmul %q1, %c : tensor<1x4x6x32xf16>, tensor<1x4x32x3xf16> -> tensor<1x4x6x3xf16>
  %columns = ane.reshape %b : tensor<1x4x6x3xf16> -> tensor<4x6x1x3xf16>
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<2x2x6x32xf16>, tensor<2x2x6x32xf16> -> tensor<2x2x6x6xf16>
  %1 = ane.reshape %0 : tensor<2x2x6x6xf16> -> tensor<4x6x2x3xf16>
  %2 = ane.elementwise add %1, %rows : tensor<4x6x2x3xf16>, tensor<4x6x2x1xf16> -> tensor<4x6x2x3xf16>
  %3 = ane.elementwise add %columns, %2 : tensor<4x6x1x3xf16>, tensor<4x6x2x3xf16> -> tensor<4x6x2x3xf16>
  %4 = ane.reshape %3 : tensor<4x6x2x3xf16> -> tensor<1x4x6x6xf16>
  %5 = ane.softmax %4 {axis = 3 : i64} : tensor<1x4x6x6xf16> -> tensor<1x4x6x6xf16>
  %6 = ane.matmul %5, %v : tensor<1x4x6x6xf16>, tensor<1x4x6x32xf16> -> tensor<1x4x6x32xf16>
  return %6 : tensor<1x4x6x32xf16>
}
// Channels go behind the pixels first, so that windows are cut out of rows with all of them; with
// more than six dimensions one goes after the other.
// AFTER-LABEL: func.func @windows_of_planes(
// AFTER: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x1x40x36xf16> -> tensor<1x36x1x40xf16>
// AFTER: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>} : tensor<2x3x2x120xf16> -> tensor<2x2x3x120xf16>
// AFTER-NOT: ane.transpose
func.func @windows_of_planes(%x: tensor<40x2x3x2x3xf16>) -> tensor<2x2x3x3x40xf16> {
  %y = ane.transpose %x {perm = array<i64: 1, 3, 2, 4, 0>} : tensor<40x2x3x2x3xf16> -> tensor<2x2x3x3x40xf16>
  return %y : tensor<2x2x3x3x40xf16>
}
// AFTER-LABEL: func.func @seven_dimensions(
// AFTER-COUNT-6: ane.transpose
func.func @seven_dimensions(%x: tensor<2x3x2x3x2x3x2xf16>) -> tensor<2x3x2x3x2x3x2xf16> {
  %y = ane.transpose %x {perm = array<i64: 6, 5, 4, 3, 2, 1, 0>} : tensor<2x3x2x3x2x3x2xf16> -> tensor<2x3x2x3x2x3x2xf16>
  return %y : tensor<2x3x2x3x2x3x2xf16>
}
// A matrix for all rows of an image: weights of a layer. As many
// matrices as rows are products of their own.
// AFTER-LABEL: func.func @matrix_of_rows(
// AFTER: ane.runtime_conv %arg1, %{{.*}} : tensor<1x3x5x7xf16>, tensor<1x2x1x3xf16> -> tensor<1x2x5x7xf16>
// AFTER-NEXT: return
func.func @matrix_of_rows(%m: tensor<1x1x2x3xf16>, %x: tensor<1x3x5x7xf16>) -> tensor<1x2x5x7xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<1x3x5x7xf16> -> tensor<1x5x3x7xf16>
  %1 = ane.matmul %m, %0 : tensor<1x1x2x3xf16>, tensor<1x5x3x7xf16> -> tensor<1x5x2x7xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x5x2x7xf16> -> tensor<1x2x5x7xf16>
  return %2 : tensor<1x2x5x7xf16>
}
// AFTER-LABEL: func.func @matrices_of_rows(
// AFTER-NOT: ane.runtime_conv
// AFTER: ane.matmul
func.func @matrices_of_rows(%m: tensor<1x5x2x3xf16>, %x: tensor<1x3x5x7xf16>) -> tensor<1x5x2x7xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 1, 3>} : tensor<1x3x5x7xf16> -> tensor<1x5x3x7xf16>
  %1 = ane.matmul %m, %0 : tensor<1x5x2x3xf16>, tensor<1x5x3x7xf16> -> tensor<1x5x2x7xf16>
  return %1 : tensor<1x5x2x7xf16>
}
// One more score for each query, which has no value: a channel behind the keys.
// AFTER-LABEL: func.func @sinks(
// AFTER: ane.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x5x3x4xf16>, tensor<1x1x3x4xf16> -> tensor<1x6x3x4xf16>
// AFTER: ane.reduce {{.*}}max %{{.*}} : tensor<1x6x3x4xf16> -> tensor<1x1x3x4xf16>
// AFTER: %[[P:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 5, 3, 4>
// AFTER: ane.runtime_conv %[[P]]
// AFTER-NOT: ane.matmul
// AFTER: return
func.func @sinks(%q: tensor<1x6x4x8xf16>, %k: tensor<1x6x5x8xf16>, %v: tensor<1x6x5x8xf16>, %sink: tensor<1x6x4x1xf16>, %m: tensor<1x1x4x5xf16>) -> tensor<1x6x4x8xf16> {
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x6x4x8xf16>, tensor<1x6x5x8xf16> -> tensor<1x6x4x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<1x6x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x6x4x5xf16>
  %2 = ane.concat %1, %sink {axis = 3 : i64} : tensor<1x6x4x5xf16>, tensor<1x6x4x1xf16> -> tensor<1x6x4x6xf16>
  %3 = ane.softmax %2 {axis = 3 : i64} : tensor<1x6x4x6xf16> -> tensor<1x6x4x6xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 6, 4, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x6x4x6xf16> -> tensor<1x6x4x5xf16>
  %5 = ane.matmul %4, %v : tensor<1x6x4x5xf16>, tensor<1x6x5x8xf16> -> tensor<1x6x4x8xf16>
  return %5 : tensor<1x6x4x8xf16>
}
// AFTER-LABEL: func.func @sinks_of_groups(
// AFTER-NOT: ane.matmul
// AFTER: return
func.func @sinks_of_groups(%q: tensor<2x3x4x8xf16>, %k: tensor<2x1x5x8xf16>, %v: tensor<2x1x5x8xf16>, %sink: tensor<2x3x4x1xf16>, %m: tensor<1x1x4x5xf16>) -> tensor<2x3x4x8xf16> {
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<2x3x4x8xf16>, tensor<2x1x5x8xf16> -> tensor<2x3x4x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<2x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<2x3x4x5xf16>
  %2 = ane.concat %1, %sink {axis = 3 : i64} : tensor<2x3x4x5xf16>, tensor<2x3x4x1xf16> -> tensor<2x3x4x6xf16>
  %3 = ane.softmax %2 {axis = 3 : i64} : tensor<2x3x4x6xf16> -> tensor<2x3x4x6xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 3, 4, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<2x3x4x6xf16> -> tensor<2x3x4x5xf16>
  %5 = ane.matmul %4, %v : tensor<2x3x4x5xf16>, tensor<2x1x5x8xf16> -> tensor<2x3x4x8xf16>
  return %5 : tensor<2x3x4x8xf16>
}
// It is no sink that comes first, or takes the value of a key.
// AFTER-LABEL: func.func @sinks_in_front(
// AFTER: ane.matmul
func.func @sinks_in_front(%q: tensor<1x6x4x8xf16>, %k: tensor<1x6x5x8xf16>, %v: tensor<1x6x5x8xf16>, %sink: tensor<1x6x4x1xf16>, %m: tensor<1x1x4x5xf16>) -> tensor<1x6x4x8xf16> {
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x6x4x8xf16>, tensor<1x6x5x8xf16> -> tensor<1x6x4x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<1x6x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x6x4x5xf16>
  %2 = ane.concat %1, %sink {axis = 3 : i64} : tensor<1x6x4x5xf16>, tensor<1x6x4x1xf16> -> tensor<1x6x4x6xf16>
  %3 = ane.softmax %2 {axis = 3 : i64} : tensor<1x6x4x6xf16> -> tensor<1x6x4x6xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 0, 1>, sizes = array<i64: 1, 6, 4, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x6x4x6xf16> -> tensor<1x6x4x5xf16>
  %5 = ane.matmul %4, %v : tensor<1x6x4x5xf16>, tensor<1x6x5x8xf16> -> tensor<1x6x4x8xf16>
  return %5 : tensor<1x6x4x8xf16>
}
// AFTER-LABEL: func.func @sinks_and_keys(
// AFTER: ane.matmul
func.func @sinks_and_keys(%q: tensor<1x6x4x8xf16>, %k: tensor<1x6x5x8xf16>, %v: tensor<1x6x4x8xf16>, %sink: tensor<1x6x4x1xf16>, %m: tensor<1x1x4x5xf16>) -> tensor<1x6x4x8xf16> {
  %0 = ane.matmul %q, %k {transpose_rhs} : tensor<1x6x4x8xf16>, tensor<1x6x5x8xf16> -> tensor<1x6x4x5xf16>
  %1 = ane.elementwise add %0, %m : tensor<1x6x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x6x4x5xf16>
  %2 = ane.concat %1, %sink {axis = 3 : i64} : tensor<1x6x4x5xf16>, tensor<1x6x4x1xf16> -> tensor<1x6x4x6xf16>
  %3 = ane.softmax %2 {axis = 3 : i64} : tensor<1x6x4x6xf16> -> tensor<1x6x4x6xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 6, 4, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x6x4x6xf16> -> tensor<1x6x4x4xf16>
  %5 = ane.matmul %4, %v : tensor<1x6x4x4xf16>, tensor<1x6x4x8xf16> -> tensor<1x6x4x8xf16>
  return %5 : tensor<1x6x4x8xf16>
}
