// RUN: ane-opt %s --ane-fold --ane-fuse --ane-fold | FileCheck %s
// RUN: ane-opt %s --ane-fold --ane-fuse=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-fold,ane-fuse,ane-fold tolerance=1e-3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-5: computes the same
// ZIN: ane.conv {{.*}} tensor<32x2x1x1xf16>
// ZIN-NOT: tensor<16x2x1x1x

// A gate and what it lets through; the function goes into the epilogue.
// CHECK-LABEL: func @gate
// CHECK-DAG: %[[V:.*]] = ane.conv %arg0, %{{.*}} bias %{{.*}} : tensor<1x2x1x8xf16>, tensor<16x2x1x1xf16>, tensor<16xf16> -> tensor<1x16x1x8xf16>
// CHECK-DAG: %[[G:.*]] = ane.conv %arg0, %{{.*}} bias %{{.*}} {activation = #ane.act<gelu>} : tensor<1x2x1x8xf16>, tensor<16x2x1x1xf16>, tensor<16xf16> -> tensor<1x16x1x8xf16>
// CHECK: ane.elementwise{{ +}}mul %[[V]], %[[G]]
func.func @gate(%x: tensor<1x2x1x8xf16>) -> tensor<1x16x1x8xf16> {
  %w0 = ane.constant dense<0.125> : tensor<16x2x1x1xf16>
  %w1 = ane.constant dense<0.25> : tensor<16x2x1x1xf16>
  %w = ane.concat %w0, %w1 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<32x2x1x1xf16>
  %b0 = ane.constant dense<0.375> : tensor<16xf16>
  %b1 = ane.constant dense<0.5> : tensor<16xf16>
  %b = ane.concat %b0, %b1 {axis = 0 : i64} : tensor<16xf16>, tensor<16xf16> -> tensor<32xf16>
  %0 = ane.conv %x, %w bias %b : tensor<1x2x1x8xf16>, tensor<32x2x1x1xf16>, tensor<32xf16> -> tensor<1x32x1x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x16x1x8xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 16, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x16x1x8xf16>
  %3 = ane.activation %2 {function = #ane.act<gelu>} : tensor<1x16x1x8xf16> -> tensor<1x16x1x8xf16>
  %4 = ane.elementwise mul %1, %3 : tensor<1x16x1x8xf16>, tensor<1x16x1x8xf16> -> tensor<1x16x1x8xf16>
  return %4 : tensor<1x16x1x8xf16>
}

// Queries, of which the factor goes into their weights, and keys, twice; what
// nobody uses is not computed.
// CHECK-LABEL: func @heads
// CHECK-DAG: ane.conv %arg0, %{{.*}} : tensor<1x2x1x8xf16>, tensor<16x2x1x1xf16> -> tensor<1x16x1x8xf16>
// CHECK-DAG: ane.conv %arg0, %{{.*}} : tensor<1x2x1x8xf16>, tensor<16x2x1x1xf32> -> tensor<1x16x1x8xf16>
// CHECK-NOT: ane.elementwise
// CHECK-NOT: ane.conv
// CHECK: return
func.func @heads(%x: tensor<1x2x1x8xf16>) -> (tensor<1x1x16x8xf16>, tensor<1x1x16x8xf16>, tensor<1x1x16x8xf16>) {
  %w0 = ane.constant dense<0.625> : tensor<16x2x1x1xf16>
  %w1 = ane.constant dense<0.75> : tensor<16x2x1x1xf16>
  %w2 = ane.constant dense<0.875> : tensor<16x2x1x1xf16>
  %w = ane.concat %w0, %w1, %w2 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<48x2x1x1xf16>
  %f = ane.constant dense<0.5> : tensor<1x1x1x1xf32>
  %0 = ane.conv %x, %w : tensor<1x2x1x8xf16>, tensor<48x2x1x1xf16> -> tensor<1x48x1x8xf16>
  %1 = ane.reshape %0 : tensor<1x48x1x8xf16> -> tensor<1x3x16x8xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 2, 0, 0>, sizes = array<i64: 1, 1, 16, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x16x8xf16> -> tensor<1x1x16x8xf16>
  %3 = ane.elementwise mul %2, %f : tensor<1x1x16x8xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x16x8xf16>
  %4 = ane.slice %1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 16, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x16x8xf16> -> tensor<1x1x16x8xf16>
  %5 = ane.slice %1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 16, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x16x8xf16> -> tensor<1x1x16x8xf16>
  return %3, %4, %5 : tensor<1x1x16x8xf16>, tensor<1x1x16x8xf16>, tensor<1x1x16x8xf16>
}

// Parts that overlap, few channels, and a user of the whole stay; so do parts
// of an image, which are views.
// CHECK-LABEL: func @stays
// CHECK-COUNT-3: ane.conv %{{.*}} : tensor<1x2x1x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x1x8xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x2x4x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x4x8xf16>
func.func @stays(%x: tensor<1x2x1x8xf16>, %i: tensor<1x2x4x8xf16>) -> (tensor<1x17x1x8xf16>, tensor<1x16x1x8xf16>, tensor<1x15x1x8xf16>, tensor<1x16x1x8xf16>, tensor<1x32x1x8xf16>, tensor<1x16x4x8xf16>) {
  %w0 = ane.constant dense<1.0> : tensor<16x2x1x1xf16>
  %w1 = ane.constant dense<1.125> : tensor<16x2x1x1xf16>
  %w = ane.concat %w0, %w1 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<32x2x1x1xf16>
  %v0 = ane.constant dense<1.25> : tensor<16x2x1x1xf16>
  %v1 = ane.constant dense<1.375> : tensor<16x2x1x1xf16>
  %v = ane.concat %v0, %v1 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<32x2x1x1xf16>
  %u0 = ane.constant dense<1.5> : tensor<16x2x1x1xf16>
  %u1 = ane.constant dense<1.625> : tensor<16x2x1x1xf16>
  %u = ane.concat %u0, %u1 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<32x2x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x2x1x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x1x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 17, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x17x1x8xf16>
  %2 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 16, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x16x1x8xf16>
  %3 = ane.conv %x, %v : tensor<1x2x1x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x1x8xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 15, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x15x1x8xf16>
  %5 = ane.conv %x, %u : tensor<1x2x1x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x1x8xf16>
  %6 = ane.slice %5 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 1, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x1x8xf16> -> tensor<1x16x1x8xf16>
  %7 = ane.conv %i, %w : tensor<1x2x4x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x4x8xf16>
  %8 = ane.slice %7 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x4x8xf16> -> tensor<1x16x4x8xf16>
  return %1, %2, %4, %6, %5, %8 : tensor<1x17x1x8xf16>, tensor<1x16x1x8xf16>, tensor<1x15x1x8xf16>, tensor<1x16x1x8xf16>, tensor<1x32x1x8xf16>, tensor<1x16x4x8xf16>
}

// A part of an image with a function is better off.
// CHECK-LABEL: func @image
// CHECK: ane.conv %arg0, %{{.*}} {activation = #ane.act<sigmoid>} : tensor<1x2x4x8xf16>, tensor<16x2x1x1xf16> -> tensor<1x16x4x8xf16>
func.func @image(%x: tensor<1x2x4x8xf16>) -> tensor<1x16x4x8xf16> {
  %w0 = ane.constant dense<1.75> : tensor<16x2x1x1xf16>
  %w1 = ane.constant dense<1.875> : tensor<16x2x1x1xf16>
  %w = ane.concat %w0, %w1 {axis = 0 : i64} : tensor<16x2x1x1xf16>, tensor<16x2x1x1xf16> -> tensor<32x2x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x2x4x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x4x8xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 16, 4, 8>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x32x4x8xf16> -> tensor<1x16x4x8xf16>
  %2 = ane.activation %1 {function = #ane.act<sigmoid>} : tensor<1x16x4x8xf16> -> tensor<1x16x4x8xf16>
  return %2 : tensor<1x16x4x8xf16>
}

// Rows are windows, and channels become heads: the same.
// CHECK-LABEL: func @heads_of_windows
// CHECK-COUNT-2: ane.conv %arg0, %{{.*}} : tensor<1x2x3x8xf16>, tensor<32x2x1x1xf16> -> tensor<1x32x3x8xf16>
// CHECK-NOT: ane.slice
// CHECK: return
func.func @heads_of_windows(%x: tensor<1x2x3x8xf16>) -> (tensor<1x2x16x3x8xf16>, tensor<1x2x16x3x8xf16>) {
  %w0 = ane.constant dense<0.625> : tensor<32x2x1x1xf16>
  %w1 = ane.constant dense<0.75> : tensor<32x2x1x1xf16>
  %w = ane.concat %w0, %w1 {axis = 0 : i64} : tensor<32x2x1x1xf16>, tensor<32x2x1x1xf16> -> tensor<64x2x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x2x3x8xf16>, tensor<64x2x1x1xf16> -> tensor<1x64x3x8xf16>
  %1 = ane.reshape %0 : tensor<1x64x3x8xf16> -> tensor<2x2x16x3x8xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 2, 16, 3, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x2x16x3x8xf16> -> tensor<1x2x16x3x8xf16>
  %3 = ane.slice %1 {offsets = array<i64: 1, 0, 0, 0, 0>, sizes = array<i64: 1, 2, 16, 3, 8>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x2x16x3x8xf16> -> tensor<1x2x16x3x8xf16>
  return %2, %3 : tensor<1x2x16x3x8xf16>, tensor<1x2x16x3x8xf16>
}
