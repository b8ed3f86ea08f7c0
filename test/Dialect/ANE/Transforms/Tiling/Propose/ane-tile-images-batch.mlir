// RUN: ane-opt %s -split-input-file --ane-tile-images=early | FileCheck %s
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=ane-tile-images{early}" -o /dev/null

// Each image is taken through all layers before the next. What there is one of is
// for all of them, and each has its own of what comes for each. Behind another rank,
// where images are rows of a matrix, all are together again.
// CHECK-LABEL: @batch
// CHECK: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 8>
// CHECK: %[[A0:.*]] = ane.conv %[[X0]], {{.*}} -> tensor<1x4x6x8xf16>
// CHECK: %[[B0:.*]] = ane.elementwise mul %[[A0]], %arg1
// CHECK: %[[S0:.*]] = ane.slice %arg2 {offsets = array<i64: 0, 0, 0, 0>
// CHECK: %[[C0:.*]] = ane.elementwise add %[[B0]], %[[S0]]
// CHECK: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 1, 0, 0, 0>
// CHECK: %[[S1:.*]] = ane.slice %arg2 {offsets = array<i64: 1, 0, 0, 0>
// CHECK: %[[C1:.*]] = ane.elementwise add {{.*}}, %[[S1]]
// CHECK: %[[Y:.*]] = ane.concat %[[C0]], %[[C1]] {axis = 0 : i64}
// CHECK: ane.reshape %[[Y]] : tensor<2x4x6x8xf16> -> tensor<2x192xf16>
func.func @batch(%x: tensor<2x4x6x8xf16>, %f: tensor<1x4x1x1xf16>, %s: tensor<2x4x6x8xf16>) -> tensor<2x192xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<2x4x6x8xf16>, tensor<4x4x3x3xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.elementwise mul %0, %f : tensor<2x4x6x8xf16>, tensor<1x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %2 = ane.elementwise add %1, %s : tensor<2x4x6x8xf16>, tensor<2x4x6x8xf16> -> tensor<2x4x6x8xf16>
  %3 = ane.reshape %2 : tensor<2x4x6x8xf16> -> tensor<2x192xf16>
  return %3 : tensor<2x192xf16>
}

// -----

// Channels that are images for a while, as behind a depth-to-space.
// CHECK-LABEL: @channels
// CHECK: %[[A0:.*]] = ane.reshape {{.*}} : tensor<1x16x3x8xf16> -> tensor<8x2x3x8xf16>
// CHECK: %[[B0:.*]] = ane.transpose %[[A0]] {{.*}} -> tensor<8x3x2x8xf16>
// CHECK: ane.reshape %[[B0]] : tensor<8x3x2x8xf16> -> tensor<1x8x6x8xf16>
// CHECK: ane.reshape {{.*}} : tensor<1x16x3x8xf16> -> tensor<8x2x3x8xf16>
func.func @channels(%x: tensor<3x16x3x8xf16>) -> tensor<3x8x6x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x1x1x1xf16>
  %0 = ane.conv %x, %w {groups = 16 : i64} : tensor<3x16x3x8xf16>, tensor<16x1x1x1xf16> -> tensor<3x16x3x8xf16>
  %1 = ane.reshape %0 : tensor<3x16x3x8xf16> -> tensor<24x2x3x8xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<24x2x3x8xf16> -> tensor<24x3x2x8xf16>
  %3 = ane.reshape %2 : tensor<24x3x2x8xf16> -> tensor<3x8x6x8xf16>
  return %3 : tensor<3x8x6x8xf16>
}

// -----

// Two batches of different sizes: of which images would it be?
// CHECK-LABEL: @batches
// CHECK-NOT: ane.slice
// CHECK: return
func.func @batches(%x: tensor<2x4x6x8xf16>, %y: tensor<3x4x6x8xf16>) -> (tensor<2x4x6x8xf16>, tensor<3x4x6x8xf16>) {
  %w = ane.constant dense<0.125> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.conv %y, %w : tensor<3x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<3x4x6x8xf16>
  return %0, %1 : tensor<2x4x6x8xf16>, tensor<3x4x6x8xf16>
}

// -----

// Images that are joined are not cut; a constant for each image cannot be.
// CHECK-LABEL: @joined
// CHECK: ane.concat %arg0, %arg1 {axis = 0 : i64}
// CHECK: ane.conv {{.*}} -> tensor<2x4x6x8xf16>
// CHECK-NEXT: ane.elementwise add {{.*}} -> tensor<2x4x6x8xf16>
func.func @joined(%x: tensor<1x4x6x8xf16>, %y: tensor<1x4x6x8xf16>) -> tensor<2x4x6x8xf16> {
  %c = ane.constant dense<0.5> : tensor<2x1x1x1xf16>
  %0 = ane.concat %x, %y {axis = 0 : i64} : tensor<1x4x6x8xf16>, tensor<1x4x6x8xf16> -> tensor<2x4x6x8xf16>
  %w = ane.constant dense<0.125> : tensor<4x4x1x1xf16>
  %1 = ane.conv %0, %w : tensor<2x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %2 = ane.elementwise add %1, %c : tensor<2x4x6x8xf16>, tensor<2x1x1x1xf16> -> tensor<2x4x6x8xf16>
  return %2 : tensor<2x4x6x8xf16>
}

// -----

// Depth-to-space of one image stays in L2, of two it does not: ane-decompose gets
// them one by one.
// CHECK-LABEL: @shuffle
// CHECK-COUNT-2: ane.transpose {{.*}} -> tensor<1x2x3x2x8x2xf16>
// CHECK: ane.concat {{.*}} {axis = 0 : i64}
func.func @shuffle(%x: tensor<2x8x3x8xf16>) -> tensor<2x2x6x16xf16> {
  %0 = ane.reshape %x : tensor<2x8x3x8xf16> -> tensor<2x2x2x2x3x8xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<2x2x2x2x3x8xf16> -> tensor<2x2x3x2x8x2xf16>
  %2 = ane.reshape %1 : tensor<2x2x3x2x8x2xf16> -> tensor<2x2x6x16xf16>
  return %2 : tensor<2x2x6x16xf16>
}

// -----

// The host makes another rank of a result as a whole.
// CHECK-LABEL: @rank_of_result
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x4x6x8xf16>
// CHECK: %[[Y:.*]] = ane.concat
// CHECK: ane.reshape %[[Y]] : tensor<2x4x6x8xf16> -> tensor<2x4x48xf16>
func.func @rank_of_result(%x: tensor<2x4x6x8xf16>) -> tensor<2x4x48xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.reshape %0 : tensor<2x4x6x8xf16> -> tensor<2x4x48xf16>
  return %1 : tensor<2x4x48xf16>
}

// -----

// What makes images of one, or adds some, is left whole.
// CHECK-LABEL: @more_images
// CHECK: ane.tile {{.*}} -> tensor<2x4x6x8xf16>
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x4x6x8xf16>
// CHECK: ane.pad {{.*}} -> tensor<4x4x6x8xf16>
func.func @more_images(%x: tensor<1x4x6x8xf16>, %y: tensor<2x4x6x8xf16>) -> tensor<4x4x6x8xf16> {
  %0 = ane.tile %x {repeats = array<i64: 2, 1, 1, 1>} : tensor<1x4x6x8xf16> -> tensor<2x4x6x8xf16>
  %w = ane.constant dense<0.125> : tensor<4x4x1x1xf16>
  %s = ane.elementwise add %0, %y : tensor<2x4x6x8xf16>, tensor<2x4x6x8xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.conv %s, %w : tensor<2x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %2 = ane.pad %1 {high = array<i64: 1, 0, 0, 0>, low = array<i64: 1, 0, 0, 0>, value = 0.0 : f32} : tensor<2x4x6x8xf16> -> tensor<4x4x6x8xf16>
  return %2 : tensor<4x4x6x8xf16>
}

// -----

// What nobody uses has no parts.
// CHECK-LABEL: @unused
// CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x4x6x8xf16>
// CHECK-NOT: ane.activation
func.func @unused(%x: tensor<2x4x6x8xf16>) -> tensor<2x4x6x8xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x4x6x8xf16>, tensor<4x4x1x1xf16> -> tensor<2x4x6x8xf16>
  %1 = ane.activation %x {function = #ane.act<abs>} : tensor<2x4x6x8xf16> -> tensor<2x4x6x8xf16>
  return %0 : tensor<2x4x6x8xf16>
}

// -----

// Products of the tokens of one image are better alone; a layer on the tokens of all
// of them reads its weights once.
// CHECK-LABEL: @tokens
// CHECK: ane.matmul {{.*}} : tensor<2x8x16xf16>, tensor<1x16x16xf16> -> tensor<2x8x16xf16>
// CHECK-COUNT-2: ane.matmul {{.*}} : tensor<1x8x16xf16>, tensor<1x8x16xf16> -> tensor<1x8x8xf16>
// CHECK: ane.matmul {{.*}} : tensor<2x8x8xf16>, tensor<1x8x4xf16> -> tensor<2x8x4xf16>
func.func @tokens(%x: tensor<2x8x16xf16>) -> tensor<2x8x4xf16> {
  %w = ane.constant dense<0.125> : tensor<1x16x16xf16>
  %v = ane.constant dense<0.25> : tensor<1x8x4xf16>
  %0 = ane.matmul %x, %w : tensor<2x8x16xf16>, tensor<1x16x16xf16> -> tensor<2x8x16xf16>
  %1 = ane.matmul %0, %x {transpose_rhs} : tensor<2x8x16xf16>, tensor<2x8x16xf16> -> tensor<2x8x8xf16>
  %2 = ane.matmul %1, %v : tensor<2x8x8xf16>, tensor<1x8x4xf16> -> tensor<2x8x4xf16>
  return %2 : tensor<2x8x4xf16>
}

// -----

// Planes of one image are no batch.
// CHECK-LABEL: @planes
// CHECK-NOT: ane.slice
func.func @planes(%x: tensor<1x8x4x16xf16>) -> tensor<2x4x4x4xf16> {
  %0 = ane.reshape %x : tensor<1x8x4x16xf16> -> tensor<2x4x4x16xf16>
  %1 = ane.matmul %0, %0 {transpose_rhs} : tensor<2x4x4x16xf16>, tensor<2x4x4x16xf16> -> tensor<2x4x4x4xf16>
  return %1 : tensor<2x4x4x4xf16>
}

// -----

// The planar engine counts images itself, in one task.
// CHECK-LABEL: @planar
// CHECK-NOT: ane.slice
func.func @planar(%x: tensor<2x4x6x8xf16>) -> tensor<2x4x6x8xf16> {
  %0 = ane.elementwise add %x, %x : tensor<2x4x6x8xf16>, tensor<2x4x6x8xf16> -> tensor<2x4x6x8xf16>
  return %0 : tensor<2x4x6x8xf16>
}
