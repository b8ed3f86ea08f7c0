// RUN: ane-opt %s -split-input-file --ane-tile-images=early | FileCheck %s
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=ane-tile-images{early}" -o /dev/null
// RUN: ane-opt %s -split-input-file --ane-tile-images="early flavour=zin-9.509" | FileCheck %s --check-prefix=ZIN
// ZIN-NOT: ane.slice {{.*}} -> tensor<1x

// A layer of many weights and few pixels reads them once, for the rows of all images.
// What works on each row, and what the other operands are for all rows, goes along.
// CHECK-LABEL: @rows
// CHECK-DAG: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 2, 4>
// CHECK-DAG: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 1, 0, 0, 0>, sizes = array<i64: 1, 64, 2, 4>
// CHECK: %[[X:.*]] = ane.concat %[[X0]], %[[X1]] {axis = 2 : i64} {{.*}} -> tensor<1x64x4x4xf16>
// CHECK: %[[A:.*]] = ane.conv %[[X]], {{.*}} -> tensor<1x128x4x4xf16>
// CHECK: %[[B:.*]] = ane.activation %[[A]] {{.*}} : tensor<1x128x4x4xf16>
// CHECK: %[[C:.*]] = ane.conv %[[B]], {{.*}} -> tensor<1x64x4x4xf16>
// CHECK: %[[D:.*]] = ane.elementwise add %[[C]], %[[X]] : tensor<1x64x4x4xf16>
// CHECK: %[[E:.*]] = ane.elementwise mul %[[D]], %arg1 : tensor<1x64x4x4xf16>, tensor<1x64x1x4xf16>
// CHECK: %[[F:.*]] = ane.layer_norm %[[E]] {{.*}} -> tensor<1x64x4x4xf16>
// CHECK: %[[G:.*]] = ane.softmax %[[F]] {{.*}} -> tensor<1x64x4x4xf16>
// CHECK: %[[H:.*]] = ane.concat %[[G]], %[[D]] {axis = 1 : i64} {{.*}} -> tensor<1x128x4x4xf16>
// CHECK: %[[I:.*]] = ane.slice %[[H]] {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 1, 64, 4, 4>
// CHECK: %[[J:.*]] = ane.rms_norm %[[I]]
// CHECK-DAG: %[[J0:.*]] = ane.slice %[[J]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 2, 4>
// CHECK-DAG: %[[J1:.*]] = ane.slice %[[J]] {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 64, 2, 4>
// CHECK: %[[Y:.*]] = ane.concat %[[J0]], %[[J1]] {axis = 0 : i64}
// CHECK: return %[[Y]]
func.func @rows(%x: tensor<2x64x2x4xf16>, %f: tensor<1x64x1x4xf16>) -> tensor<2x64x2x4xf16> {
  %w = ane.constant dense<0.015625> : tensor<128x64x1x1xf16>
  %v = ane.constant dense<0.03125> : tensor<64x128x1x1xf16>
  %b = ane.constant dense<0.5> : tensor<64xf16>
  %0 = ane.conv %x, %w : tensor<2x64x2x4xf16>, tensor<128x64x1x1xf16> -> tensor<2x128x2x4xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<2x128x2x4xf16> -> tensor<2x128x2x4xf16>
  %2 = ane.conv %1, %v bias %b : tensor<2x128x2x4xf16>, tensor<64x128x1x1xf16>, tensor<64xf16> -> tensor<2x64x2x4xf16>
  %3 = ane.elementwise add %2, %x : tensor<2x64x2x4xf16>, tensor<2x64x2x4xf16> -> tensor<2x64x2x4xf16>
  %4 = ane.elementwise mul %3, %f : tensor<2x64x2x4xf16>, tensor<1x64x1x4xf16> -> tensor<2x64x2x4xf16>
  %5 = ane.layer_norm %4 {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<2x64x2x4xf16> -> tensor<2x64x2x4xf16>
  %6 = ane.softmax %5 {axis = 1 : i64} : tensor<2x64x2x4xf16> -> tensor<2x64x2x4xf16>
  %7 = ane.concat %6, %3 {axis = 1 : i64} : tensor<2x64x2x4xf16>, tensor<2x64x2x4xf16> -> tensor<2x128x2x4xf16>
  %8 = ane.slice %7 {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 2, 64, 2, 4>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<2x128x2x4xf16> -> tensor<2x64x2x4xf16>
  %9 = ane.rms_norm %8 {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<2x64x2x4xf16> -> tensor<2x64x2x4xf16>
  return %9 : tensor<2x64x2x4xf16>
}

// -----

// Windows see the zeros between images that they are padded with at the border. With
// a stride each image begins at a multiple of it. A window that never reaches its
// padding needs none, nor one that is as wide as it is.
// CHECK-LABEL: @windows
// CHECK: %[[Z:.*]] = ane.constant dense<0.000000e+00> : tensor<1x64x1x5xf{{.*}}>
// CHECK: %[[X:.*]] = ane.concat %{{[0-9]+}}, %[[Z]], %{{[0-9]+}}, %[[Z]], %{{[0-9]+}} {axis = 2 : i64} {{.*}} -> tensor<1x64x17x5xf16>
// CHECK: %[[A:.*]] = ane.conv %[[X]], {{.*}} -> tensor<1x64x17x5xf16>
// CHECK: ane.slice %[[A]] {offsets = array<i64: 0, 0, 12, 0>, sizes = array<i64: 1, 64, 5, 5>
// CHECK: ane.concat {{.*}} {axis = 2 : i64} {{.*}} -> tensor<1x64x17x5xf16>
// CHECK: %[[B:.*]] = ane.conv {{.*}} -> tensor<1x64x9x3xf16>
// CHECK: ane.slice %[[B]] {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 1, 64, 3, 3>
// CHECK: %[[C:.*]] = ane.conv %[[B]], {{.*}} -> tensor<1x64x9x3xf16>
// CHECK: ane.slice %[[C]] {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 1, 64, 3, 3>
func.func @windows(%x: tensor<3x64x5x5xf16>) -> tensor<3x64x3x3xf16> {
  %w = ane.constant dense<0.001953125> : tensor<64x64x3x3xf16>
  %v = ane.constant dense<0.015625> : tensor<64x64x1x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<3x64x5x5xf16>, tensor<64x64x3x3xf16> -> tensor<3x64x5x5xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
     : tensor<3x64x5x5xf16>, tensor<64x64x3x3xf16> -> tensor<3x64x3x3xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 0, 0, 1, 1>}
     : tensor<3x64x3x3xf16>, tensor<64x64x1x3xf16> -> tensor<3x64x3x3xf16>
  return %2 : tensor<3x64x3x3xf16>
}

// -----

// Rows of zeros below an image only: those above the next are the same, and the last
// one has its padding. Dilated windows reach further.
// CHECK-LABEL: @below
// CHECK: ane.concat {{.*}} {axis = 2 : i64} {{.*}} -> tensor<1x64x14x4xf16>
// CHECK: %[[A:.*]] = ane.conv {{.*}}pad = array<i64: 0, 4, 0, 0>{{.*}} -> tensor<1x64x14x4xf16>
// CHECK: ane.slice %[[A]] {offsets = array<i64: 0, 0, 9, 0>, sizes = array<i64: 1, 64, 5, 4>
func.func @below(%x: tensor<2x64x5x4xf16>) -> tensor<2x64x5x4xf16> {
  %w = ane.constant dense<0.001953125> : tensor<64x64x3x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 4, 0, 0>, dilations = array<i64: 2, 1>}
     : tensor<2x64x5x4xf16>, tensor<64x64x3x1xf16> -> tensor<2x64x5x4xf16>
  return %0 : tensor<2x64x5x4xf16>
}

// -----

// A factor for each image, and a norm of its rows, are for one image.
// CHECK-LABEL: @images
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x64x4x4xf16>
// CHECK: ane.elementwise mul {{.*}} -> tensor<1x64x2x4xf16>
// CHECK-NEXT: ane.layer_norm {{.*}} -> tensor<1x64x2x4xf16>
// CHECK: ane.elementwise mul {{.*}} -> tensor<1x64x2x4xf16>
// CHECK-NEXT: ane.layer_norm {{.*}} -> tensor<1x64x2x4xf16>
func.func @images(%x: tensor<2x64x2x4xf16>, %f: tensor<2x64x1x1xf16>) -> tensor<2x64x2x4xf16> {
  %w = ane.constant dense<0.015625> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x64x2x4xf16>, tensor<64x64x1x1xf16> -> tensor<2x64x2x4xf16>
  %1 = ane.elementwise mul %0, %f : tensor<2x64x2x4xf16>, tensor<2x64x1x1xf16> -> tensor<2x64x2x4xf16>
  %2 = ane.layer_norm %1 {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<2x64x2x4xf16> -> tensor<2x64x2x4xf16>
  return %2 : tensor<2x64x2x4xf16>
}

// -----

// More pixels take longer than the weights, which load meanwhile; nor is anything won
// where the weights are computed.
// CHECK-LABEL: @pixels
// CHECK-NOT: ane.slice
// CHECK: return
func.func @pixels(%x: tensor<2x64x32x32xf16>, %v: tensor<64x64x1x1xf16>, %z: tensor<2x64x2x4xf16>)
    -> (tensor<2x64x32x32xf16>, tensor<2x64x2x4xf16>) {
  %w = ane.constant dense<0.015625> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %w : tensor<2x64x32x32xf16>, tensor<64x64x1x1xf16> -> tensor<2x64x32x32xf16>
  %1 = ane.conv %z, %v : tensor<2x64x2x4xf16>, tensor<64x64x1x1xf16> -> tensor<2x64x2x4xf16>
  return %0, %1 : tensor<2x64x32x32xf16>, tensor<2x64x2x4xf16>
}

// -----

// As many rows as an image may have.
// CHECK-LABEL: @tall
// CHECK-NOT: -> tensor<1x64x16385x1xf16>
// CHECK: return
func.func @tall(%x: tensor<16385x64x1x1xf16>) -> tensor<16385x128x1x1xf16> {
  %w = ane.constant dense<0.015625> : tensor<128x64x1x1xf16>
  %0 = ane.conv %x, %w : tensor<16385x64x1x1xf16>, tensor<128x64x1x1xf16> -> tensor<16385x128x1x1xf16>
  return %0 : tensor<16385x128x1x1xf16>
}
