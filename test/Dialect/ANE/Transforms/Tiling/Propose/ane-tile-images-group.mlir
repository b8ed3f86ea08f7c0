// RUN: ane-opt %s -split-input-file --ane-tile-images=early | FileCheck %s
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=ane-tile-images{early}" -o /dev/null
// RUN: ane-opt %s -split-input-file --ane-tile-images="early flavour=zin-9.509" | FileCheck %s --check-prefix=ZIN
// ZIN-NOT: ane.slice {{.*}}1024

// Many tokens, which L2 does not hold for all images: one image at a time, with all
// that is computed of it, wherever its dimension is. Weights are there once.
// CHECK-LABEL: @tokens
// CHECK: %[[W:.*]] = ane.constant {{.*}} : tensor<192x64x1x1xf16>
// CHECK: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 1, 4096>
// CHECK: %[[T0:.*]] = ane.transpose %[[X0]] {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: %[[N0:.*]] = ane.layer_norm %[[T0]] {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: %[[A0:.*]] = ane.conv %[[N0]], %[[W]] {{.*}} -> tensor<1x192x1x4096xf16>
// CHECK: ane.transpose {{.*}} : tensor<24x8x1x4096xf16> -> tensor<1x24x8x4096xf16>
// CHECK: ane.matmul {{.*}} -> tensor<1x8x8x8xf16>
// CHECK: ane.softmax {{.*}} -> tensor<1x8x8x8xf16>
// CHECK: %[[Y0:.*]] = ane.elementwise add {{.*}}, %[[T0]] : tensor<1x64x1x4096xf16>
// CHECK: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 1, 0, 0, 0>, sizes = array<i64: 1, 64, 1, 4096>
// CHECK: ane.conv {{.*}}, %[[W]] {{.*}} -> tensor<1x192x1x4096xf16>
// CHECK: ane.slice %arg0 {offsets = array<i64: 3, 0, 0, 0>
// CHECK: %[[Y:.*]] = ane.concat %[[Y0]], %{{.*}}, %{{.*}}, %{{.*}} {axis = 2 : i64} {{.*}} -> tensor<1x64x4x4096xf16>
// CHECK: return %[[Y]]
func.func @tokens(%x: tensor<4x64x1x4096xf16>) -> tensor<1x64x4x4096xf16> {
  %w = ane.constant dense<0.015625> : tensor<192x64x1x1xf16>
  %v = ane.constant dense<0.03125> : tensor<64x64x1x1xf16>
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<4x64x1x4096xf16> -> tensor<1x64x4x4096xf16>
  %1 = ane.layer_norm %0 {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x64x4x4096xf16> -> tensor<1x64x4x4096xf16>
  %2 = ane.conv %1, %w : tensor<1x64x4x4096xf16>, tensor<192x64x1x1xf16> -> tensor<1x192x4x4096xf16>
  %3 = ane.reshape %2 : tensor<1x192x4x4096xf16> -> tensor<24x8x4x4096xf16>
  %4 = ane.transpose %3 {perm = array<i64: 2, 0, 1, 3>} : tensor<24x8x4x4096xf16> -> tensor<4x24x8x4096xf16>
  %q = ane.slice %4 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 4, 8, 8, 4096>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<4x24x8x4096xf16> -> tensor<4x8x8x4096xf16>
  %k = ane.slice %4 {offsets = array<i64: 0, 8, 0, 0>, sizes = array<i64: 4, 8, 8, 4096>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<4x24x8x4096xf16> -> tensor<4x8x8x4096xf16>
  %u = ane.slice %4 {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 4, 8, 8, 4096>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<4x24x8x4096xf16> -> tensor<4x8x8x4096xf16>
  %5 = ane.matmul %q, %k {transpose_rhs} : tensor<4x8x8x4096xf16>, tensor<4x8x8x4096xf16> -> tensor<4x8x8x8xf16>
  %6 = ane.softmax %5 {axis = 3 : i64} : tensor<4x8x8x8xf16> -> tensor<4x8x8x8xf16>
  %7 = ane.matmul %6, %u : tensor<4x8x8x8xf16>, tensor<4x8x8x4096xf16> -> tensor<4x8x8x4096xf16>
  %8 = ane.transpose %7 {perm = array<i64: 1, 2, 0, 3>} : tensor<4x8x8x4096xf16> -> tensor<8x8x4x4096xf16>
  %9 = ane.reshape %8 : tensor<8x8x4x4096xf16> -> tensor<1x64x4x4096xf16>
  %10 = ane.conv %9, %v : tensor<1x64x4x4096xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x4x4096xf16>
  %11 = ane.elementwise add %10, %0 : tensor<1x64x4x4096xf16>, tensor<1x64x4x4096xf16> -> tensor<1x64x4x4096xf16>
  return %11 : tensor<1x64x4x4096xf16>
}

// -----

// Few tokens and many weights: as many images as layers need so that they do not wait
// for weights, and L2 holds. A part of what is no batch is what the group has of it.
// CHECK-LABEL: @weights
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 4, 1024, 1, 64>
// CHECK: ane.slice %arg1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 4, 64>
// CHECK: ane.slice %arg0 {offsets = array<i64: 4, 0, 0, 0>, sizes = array<i64: 4, 1024, 1, 64>
// CHECK: ane.slice %arg1 {offsets = array<i64: 0, 0, 4, 0>, sizes = array<i64: 1, 1, 4, 64>
// CHECK: ane.concat {{.*}} : tensor<1x1024x4x64xf16>, tensor<1x1024x4x64xf16> -> tensor<1x1024x8x64xf16>
func.func @weights(%x: tensor<8x1024x1x64xf16>, %f: tensor<1x1x8x64xf16>) -> tensor<1x1024x8x64xf16> {
  %w = ane.constant dense<0.001> : tensor<1024x1024x1x1xf16>
  %v = ane.constant dense<0.002> : tensor<1024x1024x1x1xf16>
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<8x1024x1x64xf16> -> tensor<1x1024x8x64xf16>
  %1 = ane.conv %0, %w : tensor<1x1024x8x64xf16>, tensor<1024x1024x1x1xf16> -> tensor<1x1024x8x64xf16>
  %2 = ane.elementwise mul %1, %f : tensor<1x1024x8x64xf16>, tensor<1x1x8x64xf16> -> tensor<1x1024x8x64xf16>
  %3 = ane.conv %2, %v : tensor<1x1024x8x64xf16>, tensor<1024x1024x1x1xf16> -> tensor<1x1024x8x64xf16>
  %4 = ane.elementwise add %3, %1 : tensor<1x1024x8x64xf16>, tensor<1x1024x8x64xf16> -> tensor<1x1024x8x64xf16>
  %5 = ane.elementwise add %4, %0 : tensor<1x1024x8x64xf16>, tensor<1x1024x8x64xf16> -> tensor<1x1024x8x64xf16>
  return %5 : tensor<1x1024x8x64xf16>
}

// -----

// What is computed of all images at once is, between two runs of groups. So is what
// leaves under another rank, which the host makes.
// CHECK-LABEL: @mean
// CHECK: %[[A0:.*]] = ane.conv {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: %[[A1:.*]] = ane.conv {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: %[[A:.*]] = ane.concat %[[A0]], %[[A1]] {axis = 2 : i64}
// CHECK: %[[M:.*]] = ane.reduce mean %[[A]] {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: ane.elementwise sub %[[A0]], %[[M]]
// CHECK: ane.elementwise sub %[[A1]], %[[M]]
// CHECK: %[[Y:.*]] = ane.concat {{.*}} {axis = 2 : i64}
// CHECK: ane.reshape %[[Y]] : tensor<1x64x2x4096xf16> -> tensor<64x2x4096xf16>
func.func @mean(%x: tensor<2x64x1x4096xf16>) -> tensor<64x2x4096xf16> {
  %w = ane.constant dense<0.015625> : tensor<64x64x1x1xf16>
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<2x64x1x4096xf16> -> tensor<1x64x2x4096xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x64x2x4096xf16> -> tensor<1x64x2x4096xf16>
  %2 = ane.conv %1, %w : tensor<1x64x2x4096xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x2x4096xf16>
  %3 = ane.reduce mean %2 {axes = array<i64: 2>} : tensor<1x64x2x4096xf16> -> tensor<1x64x1x4096xf16>
  %4 = ane.elementwise sub %2, %3 : tensor<1x64x2x4096xf16>, tensor<1x64x1x4096xf16> -> tensor<1x64x2x4096xf16>
  %5 = ane.elementwise mul %4, %0 : tensor<1x64x2x4096xf16>, tensor<1x64x2x4096xf16> -> tensor<1x64x2x4096xf16>
  %6 = ane.elementwise add %5, %1 : tensor<1x64x2x4096xf16>, tensor<1x64x2x4096xf16> -> tensor<1x64x2x4096xf16>
  %7 = ane.reshape %6 : tensor<1x64x2x4096xf16> -> tensor<64x2x4096xf16>
  return %7 : tensor<64x2x4096xf16>
}

// -----

// All images fit, and one is enough for the weights: they stay together.
// CHECK-LABEL: @small
// CHECK-NOT: ane.slice
// CHECK: return
func.func @small(%x: tensor<4x64x1x256xf16>) -> tensor<1x64x4x256xf16> {
  %w = ane.constant dense<0.015625> : tensor<64x64x1x1xf16>
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<4x64x1x256xf16> -> tensor<1x64x4x256xf16>
  %1 = ane.conv %0, %w : tensor<1x64x4x256xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x4x256xf16>
  %2 = ane.elementwise add %1, %0 : tensor<1x64x4x256xf16>, tensor<1x64x4x256xf16> -> tensor<1x64x4x256xf16>
  return %2 : tensor<1x64x4x256xf16>
}

// -----

// What waits for its weights has all images, if it is no trouble to take one from it;
// what is around it goes along, up to what is of groups.
// CHECK-LABEL: @conditions
// CHECK: ane.activation {{.*}} -> tensor<1x1024x1x2xf16>
// CHECK: %[[F:.*]] = ane.conv {{.*}} -> tensor<1x1024x1x2xf16>
// CHECK: %[[G:.*]] = ane.transpose %[[F]] {{.*}} -> tensor<1x1024x2x1xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x1024x1x512xf16>
// CHECK: ane.slice %[[G]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1024, 1, 1>
// CHECK: ane.slice %[[G]] {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 1024, 1, 1>
func.func @conditions(%x: tensor<2x1024x1x512xf16>, %t: tensor<2x1024x1x1xf16>) -> tensor<1x1024x2x512xf16> {
  %w = ane.constant dense<0.001> : tensor<1024x1024x1x1xf16>
  %v = ane.constant dense<0.002> : tensor<1024x1024x1x1xf16>
  %c = ane.transpose %t {perm = array<i64: 2, 1, 3, 0>} : tensor<2x1024x1x1xf16> -> tensor<1x1024x1x2xf16>
  %a = ane.activation %c {function = #ane.act<silu>} : tensor<1x1024x1x2xf16> -> tensor<1x1024x1x2xf16>
  %f = ane.conv %a, %w : tensor<1x1024x1x2xf16>, tensor<1024x1024x1x1xf16> -> tensor<1x1024x1x2xf16>
  %g = ane.transpose %f {perm = array<i64: 0, 1, 3, 2>} : tensor<1x1024x1x2xf16> -> tensor<1x1024x2x1xf16>
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<2x1024x1x512xf16> -> tensor<1x1024x2x512xf16>
  %1 = ane.conv %0, %v : tensor<1x1024x2x512xf16>, tensor<1024x1024x1x1xf16> -> tensor<1x1024x2x512xf16>
  %2 = ane.elementwise mul %1, %g : tensor<1x1024x2x512xf16>, tensor<1x1024x2x1xf16> -> tensor<1x1024x2x512xf16>
  %3 = ane.elementwise add %2, %1 : tensor<1x1024x2x512xf16>, tensor<1x1024x2x512xf16> -> tensor<1x1024x2x512xf16>
  %4 = ane.elementwise add %3, %0 : tensor<1x1024x2x512xf16>, tensor<1x1024x2x512xf16> -> tensor<1x1024x2x512xf16>
  return %4 : tensor<1x1024x2x512xf16>
}
