// RUN: ane-opt %s --split-input-file --ane-form-tasks | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-form-tasks=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// Differences that are squared or multiplied, each with numbers for channels,
// are no task: squares are of sums with minus the means, which a copy leaves in
// L2, and products take both numbers as rows.

// CHECK-LABEL: func.func @norm
// CHECK-NOT: ane.pe_elementwise
// CHECK: ane.ne_bypass %{{.*}} {post_scale = -1.000000e+00 : f32} : memref<1x8x1x1xf16
// CHECK: ane.pe_reduce mean_square %{{.*}} offset %{{.*}} {activation = #ane.act<rsqrt, {{.*}}>} : memref<1x8x16x16xf16{{.*}}, memref<1x8x1x1xf16
// CHECK-NOT: ane.pe_elementwise
// CHECK: ane.pe_normalize %{{.*}}, %{{.*}} : memref<1x8x16x16xf16{{.*}}, memref<1x8x2x1xf16
// CHECK-NOT: ane.pe_elementwise
// CHECK: return
// ZIN-LABEL: func.func @norm
// ZIN: ane.pe_elementwise sub
func.func @norm(%x: tensor<1x8x16x16xf16>, %m: tensor<1x8x1x1xf16>) -> tensor<1x8x16x16xf16> {
  %c = ane.elementwise sub %x, %m : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %f = ane.reduce mean_square %c {axes = array<i64: 2, 3>, activation = #ane.act<rsqrt, 1.0e-5>} : tensor<1x8x16x16xf16> -> tensor<1x8x1x1xf16>
  %y = ane.elementwise mul %f, %c {activation = #ane.act<relu>} : tensor<1x8x1x1xf16>, tensor<1x8x16x16xf16> -> tensor<1x8x16x16xf16>
  return %y : tensor<1x8x16x16xf16>
}

// -----

// One number for all channels, of one row.

// CHECK-LABEL: func.func @all_channels
// CHECK-NOT: ane.pe_elementwise
// CHECK: ane.pe_reduce mean_square %{{.*}} offset %{{.*}} : memref<1x8x1x16xf16{{.*}}, memref<1x1x1x1xf16
// CHECK: ane.pe_normalize %{{.*}}, %{{.*}} {all_channels} : memref<1x8x1x16xf16{{.*}}, memref<1x1x2x1xf16
// CHECK-NOT: ane.pe_elementwise
// CHECK: return
func.func @all_channels(%x: tensor<1x8x1x16xf16>, %m: tensor<1x1x1x1xf16>, %f: tensor<1x1x1x1xf16>) -> (tensor<1x8x1x1xf16>, tensor<1x8x1x16xf16>) {
  %c = ane.elementwise sub %x, %m : tensor<1x8x1x16xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x1x16xf16>
  %s = ane.reduce mean_square %c {axes = array<i64: 3>} : tensor<1x8x1x16xf16> -> tensor<1x8x1x1xf16>
  %y = ane.elementwise mul %c, %f : tensor<1x8x1x16xf16>, tensor<1x1x1x1xf16> -> tensor<1x8x1x16xf16>
  return %s, %y : tensor<1x8x1x1xf16>, tensor<1x8x1x16xf16>
}

// -----

// Some channels of differences have some of the means. Rows that two products
// take are written once.

// CHECK-LABEL: func.func @parts
// CHECK: ane.subview %arg1[0, 4, 0, 0] {{.*}} -> memref<1x4x1x1xf16
// CHECK: ane.pe_normalize %{{.*}}, %{{.*}} : memref<1x4x4x16xf16
// CHECK-NOT: ane.pe_elementwise
// CHECK: return
func.func @parts(%x: tensor<1x8x16x16xf16>, %m: tensor<1x8x1x1xf16>, %f: tensor<1x4x1x1xf16>) -> tensor<1x4x4x16xf16> {
  %c = ane.elementwise sub %x, %m : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %p = ane.slice %c {offsets = array<i64: 0, 4, 8, 0>, sizes = array<i64: 1, 4, 4, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16> -> tensor<1x4x4x16xf16>
  %y = ane.elementwise mul %p, %f : tensor<1x4x4x16xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x4x16xf16>
  return %y : tensor<1x4x4x16xf16>
}

// -----

// CHECK-LABEL: func.func @strips
// CHECK-COUNT-2: ane.ne_bypass {{.*}} : memref<1x8x1x1xf16
// CHECK-NOT: memref<1x8x1x1xf16, {{.*}}ane.ne_bypass
// CHECK-COUNT-2: ane.pe_normalize
// CHECK-NOT: ane.pe_elementwise
// CHECK: return
func.func @strips(%x: tensor<1x8x16x16xf16>, %m: tensor<1x8x1x1xf16>, %f: tensor<1x8x1x1xf16>) -> tensor<1x8x16x16xf16> {
  %a = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16> -> tensor<1x8x8x16xf16>
  %b = ane.slice %x {offsets = array<i64: 0, 0, 8, 0>, sizes = array<i64: 1, 8, 8, 16>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x8x16x16xf16> -> tensor<1x8x8x16xf16>
  %ca = ane.elementwise sub %a, %m : tensor<1x8x8x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x16xf16>
  %cb = ane.elementwise sub %b, %m : tensor<1x8x8x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x16xf16>
  %ya = ane.elementwise mul %ca, %f : tensor<1x8x8x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x16xf16>
  %yb = ane.elementwise mul %cb, %f : tensor<1x8x8x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x8x16xf16>
  %y = ane.concat %ya, %yb {axis = 2 : i64} : tensor<1x8x8x16xf16>, tensor<1x8x8x16xf16> -> tensor<1x8x16x16xf16>
  return %y : tensor<1x8x16x16xf16>
}

// -----

// A difference that somebody else reads is a task, and so is one that is
// scaled, or multiplied with as many numbers as it has elements.

// CHECK-LABEL: func.func @others
// CHECK: ane.pe_elementwise sub
// CHECK: ane.pe_reduce mean_square %{{.*}} offset %{{.*}} : memref<1x8x16x16xf16{{.*}}, memref<1x1x1x1xf16
// CHECK: ane.pe_elementwise sub
// CHECK: ane.pe_elementwise mul
// CHECK: ane.pe_elementwise sub
// CHECK: ane.pe_elementwise mul
func.func @others(%x: tensor<1x8x16x16xf16>, %m: tensor<1x8x1x1xf16>, %f: tensor<1x8x1x1xf16>) -> (tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16>, tensor<1x8x16x16xf16>, tensor<1x8x16x16xf16>) {
  %c = ane.elementwise sub %x, %m : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %s = ane.reduce mean_square %c {axes = array<i64: 2, 3>} : tensor<1x8x16x16xf16> -> tensor<1x8x1x1xf16>
  %d = ane.elementwise sub %x, %m {scale = 2.0 : f32} : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %y = ane.elementwise mul %d, %f : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %e = ane.elementwise sub %x, %f : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x16x16xf16>
  %z = ane.elementwise mul %e, %x : tensor<1x8x16x16xf16>, tensor<1x8x16x16xf16> -> tensor<1x8x16x16xf16>
  return %c, %s, %y, %z : tensor<1x8x16x16xf16>, tensor<1x8x1x1xf16>, tensor<1x8x16x16xf16>, tensor<1x8x16x16xf16>
}
