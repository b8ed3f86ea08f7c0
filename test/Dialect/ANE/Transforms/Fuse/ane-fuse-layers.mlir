// RUN: ane-opt %s --ane-fold --ane-fuse --canonicalize | FileCheck %s
// RUN: ane-opt %s --ane-fuse=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence="pipeline={ane-fold,ane-fuse} tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-13: computes the same
// ZIN-NOT: ane.elementwise

// Two layers with no function between them are one.
// CHECK-LABEL: func @layers
// CHECK-DAG: %[[W:.*]] = ane.constant dense<{{\[}}[{{\[}}[5.000000e-01]], {{\[}}[-2.500000e-01]]], [{{\[}}[1.000000e+00]], {{\[}}[-1.250000e+00]]]]> : tensor<2x2x1x1xf32>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[2.500000e+00, -1.500000e+00]> : tensor<2xf32>
// CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] bias %[[B]] {activation = #ane.act<relu>}
// CHECK-NEXT: return %[[Y]]
func.func @layers(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %v = ane.constant dense<[[[[0.5]], [[0.25]]], [[[0.0]], [[-0.5]]], [[[0.5]], [[-0.5]]]]> : tensor<3x2x1x1xf16>
  %a = ane.constant dense<[1.0, 2.0, -0.5]> : tensor<3xf16>
  %w = ane.constant dense<[[[[1.0]], [[1.0]], [[0.0]]], [[[1.0]], [[2.0]], [[1.0]]]]> : tensor<2x3x1x1xf16>
  %b = ane.constant dense<[-0.5, -6.0]> : tensor<2xf16>
  %0 = ane.conv %x, %v bias %a : tensor<1x2x3x4xf16>, tensor<3x2x1x1xf16>, tensor<3xf16> -> tensor<1x3x3x4xf16>
  %1 = ane.conv %0, %w bias %b {activation = #ane.act<relu>} : tensor<1x3x3x4xf16>, tensor<2x3x1x1xf16>, tensor<2xf16> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}

// Not where few channels are between them.
// CHECK-LABEL: func @narrow
// CHECK-COUNT-2: ane.conv
func.func @narrow(%x: tensor<1x8x3x4xf16>) -> tensor<1x8x3x4xf16> {
  %v = ane.constant dense<0.5> : tensor<2x8x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<8x2x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x8x3x4xf16>, tensor<2x8x1x1xf16> -> tensor<1x2x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x2x3x4xf16>, tensor<8x2x1x1xf16> -> tensor<1x8x3x4xf16>
  return %1 : tensor<1x8x3x4xf16>
}

// Nor behind a function.
// CHECK-LABEL: func @function
// CHECK-COUNT-2: ane.conv
func.func @function(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %v = ane.constant dense<0.5> : tensor<4x2x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<2x4x1x1xf16>
  %0 = ane.conv %x, %v {activation = #ane.act<relu>} : tensor<1x2x3x4xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x4x3x4xf16>, tensor<2x4x1x1xf16> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}

// Nor where somebody else uses the first one.
// CHECK-LABEL: func @used
// CHECK-COUNT-2: ane.conv
func.func @used(%x: tensor<1x2x3x4xf16>) -> (tensor<1x4x3x4xf16>, tensor<1x2x3x4xf16>) {
  %v = ane.constant dense<0.5> : tensor<4x2x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<2x4x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x2x3x4xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x4x3x4xf16>, tensor<2x4x1x1xf16> -> tensor<1x2x3x4xf16>
  return %0, %1 : tensor<1x4x3x4xf16>, tensor<1x2x3x4xf16>
}

// A layer on images of several sizes is one on each, in front of enlarging it.
// CHECK-LABEL: func @head
// CHECK: %[[A:.*]] = ane.conv %arg1, %{{.*}} : tensor<1x256x2x4xf16>, tensor<16x256x1x1xf32> -> tensor<1x16x2x4xf16>
// CHECK: %[[B:.*]] = ane.conv %arg2, %{{.*}} : tensor<1x256x1x2xf16>, tensor<16x256x1x1xf32> -> tensor<1x16x1x2xf16>
// CHECK: %[[C:.*]] = ane.conv %arg0, %{{.*}} bias %{{.*}} : tensor<1x8x4x8xf16>, tensor<16x8x1x1xf32>, tensor<16xf16> -> tensor<1x16x4x8xf16>
// CHECK: %[[D:.*]] = ane.resize bilinear %[[A]] {half_pixel} : tensor<1x16x2x4xf16> -> tensor<1x16x4x8xf16>
// CHECK: %[[S:.*]] = ane.elementwise add %[[C]], %[[D]] :
// CHECK: %[[E:.*]] = ane.resize bilinear %[[B]] {align_corners} : tensor<1x16x1x2xf16> -> tensor<1x16x4x8xf16>
// CHECK: %[[Y:.*]] = ane.elementwise add %[[S]], %[[E]] {activation = #ane.act<relu>}
// CHECK: return %[[Y]]
func.func @head(%x: tensor<1x8x4x8xf16>, %y: tensor<1x256x2x4xf16>, %z: tensor<1x256x1x2xf16>) -> tensor<1x16x4x8xf16> {
  %w = ane.constant dense<0.03125> : tensor<16x520x1x1xf16>
  %b = ane.constant dense<0.25> : tensor<16xf16>
  %0 = ane.resize bilinear %y {half_pixel} : tensor<1x256x2x4xf16> -> tensor<1x256x4x8xf16>
  %1 = ane.resize bilinear %z {align_corners} : tensor<1x256x1x2xf16> -> tensor<1x256x4x8xf16>
  %2 = ane.concat %0, %x, %1 {axis = 1 : i64} : tensor<1x256x4x8xf16>, tensor<1x8x4x8xf16>, tensor<1x256x4x8xf16> -> tensor<1x520x4x8xf16>
  %3 = ane.conv %2, %w bias %b {activation = #ane.act<relu>} : tensor<1x520x4x8xf16>, tensor<16x520x1x1xf16>, tensor<16xf16> -> tensor<1x16x4x8xf16>
  return %3 : tensor<1x16x4x8xf16>
}

// Channels have weights of their own, and the bias is added once, where there is
// no other image, too.
// CHECK-LABEL: func @own_weights
// CHECK-DAG: %[[V:.*]] = ane.constant dense<5.000000e-01> : tensor<1x256x1x1xf32>
// CHECK-DAG: %[[W:.*]] = ane.constant dense<2.500000e-01> : tensor<1x256x1x1xf32>
// CHECK: %[[A:.*]] = ane.conv %arg0, %[[V]] bias
// CHECK: %[[B:.*]] = ane.conv %arg1, %[[W]] :
// CHECK: %[[C:.*]] = ane.resize bilinear %[[A]]
// CHECK: %[[D:.*]] = ane.resize bilinear %[[B]]
// CHECK: ane.elementwise add %[[C]], %[[D]]
func.func @own_weights(%x: tensor<1x256x2x4xf16>, %y: tensor<1x256x1x2xf16>) -> tensor<1x1x4x8xf16> {
  %v = ane.constant dense<0.5> : tensor<1x256x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<1x256x1x1xf16>
  %vw = ane.concat %v, %w {axis = 1 : i64} : tensor<1x256x1x1xf16>, tensor<1x256x1x1xf16> -> tensor<1x512x1x1xf16>
  %b = ane.constant dense<0.25> : tensor<1xf16>
  %0 = ane.resize bilinear %x {half_pixel} : tensor<1x256x2x4xf16> -> tensor<1x256x4x8xf16>
  %1 = ane.resize bilinear %y {half_pixel} : tensor<1x256x1x2xf16> -> tensor<1x256x4x8xf16>
  %2 = ane.concat %0, %1 {axis = 1 : i64} : tensor<1x256x4x8xf16>, tensor<1x256x4x8xf16> -> tensor<1x512x4x8xf16>
  %3 = ane.conv %2, %vw bias %b : tensor<1x512x4x8xf16>, tensor<1x512x1x1xf16>, tensor<1xf16> -> tensor<1x1x4x8xf16>
  return %3 : tensor<1x1x4x8xf16>
}

// The same where pixels are repeated, as in the necks of detectors.
// CHECK-LABEL: func @repeated
// CHECK: %[[A:.*]] = ane.conv %arg1, {{.*}} -> tensor<1x16x2x4xf16>
// CHECK: %[[B:.*]] = ane.conv %arg0, {{.*}} -> tensor<1x16x4x8xf16>
// CHECK: %[[C:.*]] = ane.resize nearest %[[A]] {half_pixel} : tensor<1x16x2x4xf16> -> tensor<1x16x4x8xf16>
// CHECK: ane.elementwise add %[[B]], %[[C]]
func.func @repeated(%x: tensor<1x8x4x8xf16>, %y: tensor<1x256x2x4xf16>) -> tensor<1x16x4x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x264x1x1xf16>
  %0 = ane.resize nearest %y {half_pixel} : tensor<1x256x2x4xf16> -> tensor<1x256x4x8xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x256x4x8xf16>, tensor<1x8x4x8xf16> -> tensor<1x264x4x8xf16>
  %2 = ane.conv %1, %w : tensor<1x264x4x8xf16>, tensor<16x264x1x1xf16> -> tensor<1x16x4x8xf16>
  return %2 : tensor<1x16x4x8xf16>
}

// Few products take no longer than an addition.
// CHECK-LABEL: func @few
// CHECK-NOT: elementwise
func.func @few(%x: tensor<1x8x4x8xf16>, %y: tensor<1x32x2x4xf16>) -> tensor<1x16x4x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x40x1x1xf16>
  %0 = ane.resize bilinear %y {half_pixel} : tensor<1x32x2x4xf16> -> tensor<1x32x4x8xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x32x4x8xf16>, tensor<1x8x4x8xf16> -> tensor<1x40x4x8xf16>
  %2 = ane.conv %1, %w : tensor<1x40x4x8xf16>, tensor<16x40x1x1xf16> -> tensor<1x16x4x8xf16>
  return %2 : tensor<1x16x4x8xf16>
}

// More channels behind the layer would be more to enlarge.
// CHECK-LABEL: func @more
// CHECK-NOT: elementwise
func.func @more(%x: tensor<1x8x4x8xf16>, %y: tensor<1x256x2x4xf16>) -> tensor<1x272x4x8xf16> {
  %w = ane.constant dense<0.125> : tensor<272x264x1x1xf16>
  %0 = ane.resize bilinear %y {half_pixel} : tensor<1x256x2x4xf16> -> tensor<1x256x4x8xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x256x4x8xf16>, tensor<1x8x4x8xf16> -> tensor<1x264x4x8xf16>
  %2 = ane.conv %1, %w : tensor<1x264x4x8xf16>, tensor<272x264x1x1xf16> -> tensor<1x272x4x8xf16>
  return %2 : tensor<1x272x4x8xf16>
}

// Nor is an image enlarged for one that somebody else has.
// CHECK-LABEL: func @shared
// CHECK-NOT: elementwise
func.func @shared(%x: tensor<1x8x4x8xf16>, %y: tensor<1x256x2x4xf16>) -> (tensor<1x256x4x8xf16>, tensor<1x16x4x8xf16>) {
  %w = ane.constant dense<0.125> : tensor<16x264x1x1xf16>
  %0 = ane.resize bilinear %y {half_pixel} : tensor<1x256x2x4xf16> -> tensor<1x256x4x8xf16>
  %1 = ane.concat %0, %x {axis = 1 : i64} : tensor<1x256x4x8xf16>, tensor<1x8x4x8xf16> -> tensor<1x264x4x8xf16>
  %2 = ane.conv %1, %w : tensor<1x264x4x8xf16>, tensor<16x264x1x1xf16> -> tensor<1x16x4x8xf16>
  return %0, %2 : tensor<1x256x4x8xf16>, tensor<1x16x4x8xf16>
}

// f16 would have few bits of the products, or none.
// CHECK-LABEL: func @small_products
// CHECK-COUNT-2: ane.conv
func.func @small_products(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %v = ane.constant dense<0.0003> : tensor<4x2x1x1xf16>
  %w = ane.constant dense<0.0003> : tensor<2x4x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x2x3x4xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x4x3x4xf16>, tensor<2x4x1x1xf16> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}

// CHECK-LABEL: func @large_products
// CHECK-COUNT-2: ane.conv
func.func @large_products(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %v = ane.constant dense<300.0> : tensor<4x2x1x1xf16>
  %w = ane.constant dense<300.0> : tensor<2x4x1x1xf16>
  %0 = ane.conv %x, %v : tensor<1x2x3x4xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x4x3x4xf16>, tensor<2x4x1x1xf16> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}

// CHECK-LABEL: func @large_bias
// CHECK-COUNT-2: ane.conv
func.func @large_bias(%x: tensor<1x2x3x4xf16>) -> tensor<1x2x3x4xf16> {
  %v = ane.constant dense<0.5> : tensor<4x2x1x1xf16>
  %a = ane.constant dense<30000.0> : tensor<4xf16>
  %w = ane.constant dense<1.0> : tensor<2x4x1x1xf16>
  %0 = ane.conv %x, %v bias %a : tensor<1x2x3x4xf16>, tensor<4x2x1x1xf16>, tensor<4xf16> -> tensor<1x4x3x4xf16>
  %1 = ane.conv %0, %w : tensor<1x4x3x4xf16>, tensor<2x4x1x1xf16> -> tensor<1x2x3x4xf16>
  return %1 : tensor<1x2x3x4xf16>
}
