// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// Few rows are copied one by one.
// CHECK-LABEL: @few
// CHECK: ane.concat {{.*}} {axis = 1 : i64} : tensor<1x1x40x8xf16>, tensor<1x1x40x8xf16>, tensor<1x1x40x8xf16> -> tensor<1x3x40x8xf16>
func.func @few(%x: tensor<1x3x40x8xf16>) -> tensor<1x3x40x8xf16> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x3x40x8xf16>) -> tensor<1x3x40x8xf16>
  return %0 : tensor<1x3x40x8xf16>
}

// -----

// 640 rows are 32 blocks of 20: 52 copies, each of rows of all images.
// CHECK-LABEL: @many
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 620, 0>, sizes = array<i64: 1, 3, 20, 640>
// CHECK: ane.concat {{.*}} {axis = 2 : i64} : tensor<1x3x20x640xf16>
// CHECK: ane.reshape {{.*}} -> tensor<1x96x20x640xf16>
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 19, 0>, sizes = array<i64: 1, 96, 1, 640>
// CHECK: ane.concat {{.*}} {axis = 2 : i64} : tensor<1x96x1x640xf16>
// CHECK-NOT: ane.matmul
func.func @many(%x: tensor<1x3x640x640xf16>) -> tensor<1x3x640x640xf16> {
  %0 = tosa.reverse %x {axis = 2 : i32} : (tensor<1x3x640x640xf16>) -> tensor<1x3x640x640xf16>
  return %0 : tensor<1x3x640x640xf16>
}

// -----

// No block of 20 rows of 640 can be a height: blocks are smaller.
// CHECK-LABEL: @high
// CHECK: ane.reshape {{.*}} -> tensor<1x32x12800x3xf16>
// CHECK-COUNT-32: ane.slice {{.*}} -> tensor<1x1x12800x3xf16>
func.func @high(%x: tensor<1x640x640x3xf16>) -> tensor<1x640x640x3xf16> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x640x640x3xf16>) -> tensor<1x640x640x3xf16>
  return %0 : tensor<1x640x640x3xf16>
}

// -----

// What is more than blocks of a prime comes first.
// CHECK-LABEL: @prime
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 96, 4>
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 96, 0>, sizes = array<i64: 1, 5, 4>
// CHECK: ane.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x5x4xf16>, tensor<1x96x4xf16> -> tensor<1x101x4xf16>
func.func @prime(%x: tensor<1x101x4xf16>) -> tensor<1x101x4xf16> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x101x4xf16>) -> tensor<1x101x4xf16>
  return %0 : tensor<1x101x4xf16>
}

// -----

// Columns by a matrix of a limited size, the rows of them by copies.
// CHECK-LABEL: @columns
// CHECK: ane.matmul {{.*}} : tensor<1x112x448xf16>, tensor<1x448x448xf32>
// CHECK: ane.concat {{.*}} {axis = 1 : i64} : tensor<16x1x448xf16>
func.func @columns(%x: tensor<1x16x3136xf16>) -> tensor<1x16x3136xf16> {
  %0 = tosa.reverse %x {axis = 2 : i32} : (tensor<1x16x3136xf16>) -> tensor<1x16x3136xf16>
  return %0 : tensor<1x16x3136xf16>
}

// -----

// A prime beyond what a matrix may have.
// CHECK-LABEL: @prime_columns
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 5120>
// CHECK: ane.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : tensor<1x887xf16>, tensor<1x5120xf16> -> tensor<1x6007xf16>
func.func @prime_columns(%x: tensor<1x6007xf16>) -> tensor<1x6007xf16> {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x6007xf16>) -> tensor<1x6007xf16>
  return %0 : tensor<1x6007xf16>
}
