// RUN: ane-opt %s --split-input-file --ane-decompose | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// L2 does not hold two groups: they are reduced one after the other, and then
// the whole image, once more, has one number for each channel. gamma is in the
// numbers, nothing comes between the last two ops.

// CHECK-LABEL: func @large
// CHECK: %[[V:.*]] = ane.reshape %arg0 : tensor<1x8x256x256xf16> -> tensor<1x2x1024x256xf16>
// CHECK: %[[P:.*]] = ane.slice %[[V]]
// CHECK: %[[M:.*]] = ane.reduce{{ +}}mean %[[P]] {axes = array<i64: 2, 3>}
// CHECK: %[[D:.*]] = ane.elementwise{{ +}}sub %[[P]], %[[M]]
// CHECK: %[[F:.*]] = ane.reduce{{ +}}mean_square %[[D]] {activation = #ane.act<rsqrt
// CHECK: %[[MS:.*]] = ane.concat %[[M]]
// CHECK: %[[FS:.*]] = ane.concat %[[F]]
// CHECK: %[[MC:.*]] = ane.conv %[[MS]], %{{.*}} : tensor<1x2x1x1xf16>, tensor<8x2x1x1xf32> -> tensor<1x8x1x1xf16>
// CHECK: %[[FC:.*]] = ane.conv %[[FS]], %{{.*}} : tensor<1x2x1x1xf16>, tensor<8x2x1x1xf32> -> tensor<1x8x1x1xf16>
// CHECK-NEXT: %[[C:.*]] = ane.elementwise{{ +}}sub %arg0, %[[MC]]
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise{{ +}}mul %[[C]], %[[FC]]
// CHECK-NEXT: return %[[Y]]
// ZIN-LABEL: func @large
// ZIN: ane.elementwise{{ +}}sub %{{.*}} : tensor<1x2x1024x256xf16>
func.func @large(%x: tensor<1x8x256x256xf16>) -> tensor<1x8x256x256xf16> {
  %g = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]], [[8.0]]]]> : tensor<1x8x1x1xf16>
  %v = ane.reshape %x : tensor<1x8x256x256xf16> -> tensor<1x2x1024x256xf16>
  %n = ane.layer_norm %v {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x1024x256xf16> -> tensor<1x2x1024x256xf16>
  %r = ane.reshape %n : tensor<1x2x1024x256xf16> -> tensor<1x8x256x256xf16>
  %y = ane.elementwise mul %r, %g : tensor<1x8x256x256xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x256x256xf16>
  return %y : tensor<1x8x256x256xf16>
}

// -----

// L2 does not hold a group: parts of its rows are reduced, each with its own
// mean. The variance is the mean of (s + d)^2 and (s - d)^2, s the deviation of
// a part and d the distance of its mean.

// CHECK-LABEL: func @large_plane
// CHECK: %[[V:.*]] = ane.reshape %arg0 : tensor<1x8x512x256xf16> -> tensor<1x2x2048x256xf16>
// CHECK: %[[P:.*]] = ane.slice %[[V]] {offsets = array<i64: 0, 0, 0, 0>
// CHECK: %[[M:.*]] = ane.reduce{{ +}}mean %[[P]]
// CHECK: %[[D:.*]] = ane.elementwise{{ +}}sub %[[P]], %[[M]]
// CHECK: %[[F:.*]] = ane.reduce{{ +}}mean_square %[[D]] {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 2, 3>} : tensor<1x1x2048x256xf16> -> tensor<1x1x1x1xf16>
// CHECK: ane.slice %[[V]] {offsets = array<i64: 0, 1, 0, 0>
// CHECK: ane.concat %[[M]], %{{.*}} -> tensor<1x2x1x1xf16>
// CHECK: %[[MEANS:.*]] = ane.reshape %{{.*}} -> tensor<1x1x2x1xf16>
// CHECK: %[[MEAN:.*]] = ane.conv %[[MEANS]], %{{.*}} -> tensor<1x1x1x1xf16>
// CHECK: %[[AWAY:.*]] = ane.elementwise{{ +}}sub %[[MEANS]], %[[MEAN]]
// CHECK: %[[S:.*]] = ane.activation %{{.*}} {function = #ane.act<reciprocal>} : tensor<1x1x2x1xf16>
// CHECK: %[[MORE:.*]] = ane.elementwise{{ +}}add %[[S]], %[[AWAY]]
// CHECK: %[[LESS:.*]] = ane.elementwise{{ +}}sub %[[S]], %[[AWAY]]
// CHECK: %[[ALL:.*]] = ane.concat %[[MORE]], %[[LESS]] {axis = 2 : i64}
// CHECK: ane.reduce{{ +}}mean_square %[[ALL]] {activation = #ane.act<rsqrt>, axes = array<i64: 2, 3>}
// CHECK: ane.elementwise{{ +}}sub %arg0, %{{.*}} : tensor<1x8x512x256xf16>, tensor<1x8x1x1xf16>
func.func @large_plane(%x: tensor<1x8x512x256xf16>) -> tensor<1x8x512x256xf16> {
  %v = ane.reshape %x : tensor<1x8x512x256xf16> -> tensor<1x1x4096x256xf16>
  %n = ane.layer_norm %v {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x1x4096x256xf16> -> tensor<1x1x4096x256xf16>
  %r = ane.reshape %n : tensor<1x1x4096x256xf16> -> tensor<1x8x512x256xf16>
  return %r : tensor<1x8x512x256xf16>
}

// -----

// Differences that are squared and those that are multiplied are apart: each is
// part of the task that does so.

// CHECK-LABEL: func @small
// CHECK: %[[V:.*]] = ane.reshape %arg0 : tensor<1x4x6x2xf16> -> tensor<1x2x12x2xf16>
// CHECK: %[[M:.*]] = ane.reduce{{ +}}mean %[[V]]
// CHECK: %[[D:.*]] = ane.elementwise{{ +}}sub %[[V]], %[[M]] : tensor<1x2x12x2xf16>, tensor<1x2x1x1xf16>
// CHECK: ane.reduce{{ +}}mean_square %[[D]]
// CHECK: %[[C:.*]] = ane.elementwise{{ +}}sub %arg0, %{{.*}} : tensor<1x4x6x2xf16>, tensor<1x4x1x1xf16>
// CHECK: ane.elementwise{{ +}}mul %[[C]], %{{.*}} : tensor<1x4x6x2xf16>, tensor<1x4x1x1xf16>
func.func @small(%x: tensor<1x4x6x2xf16>) -> tensor<1x4x6x2xf16> {
  %v = ane.reshape %x : tensor<1x4x6x2xf16> -> tensor<1x2x12x2xf16>
  %n = ane.layer_norm %v {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x12x2xf16> -> tensor<1x2x12x2xf16>
  %r = ane.reshape %n : tensor<1x2x12x2xf16> -> tensor<1x4x6x2xf16>
  return %r : tensor<1x4x6x2xf16>
}

// -----

// In front of the norm two views have become one: there is no image of the same
// type as behind it.

// CHECK-LABEL: func @joined_views
// CHECK: ane.reshape %arg0 : tensor<1x8x3x2xf16> -> tensor<1x2x12x2xf16>
// CHECK: %[[V:.*]] = ane.reshape %arg0 : tensor<1x8x3x2xf16> -> tensor<1x4x6x2xf16>
// CHECK: %[[C:.*]] = ane.elementwise{{ +}}sub %[[V]], %{{.*}} : tensor<1x4x6x2xf16>, tensor<1x4x1x1xf16>
// CHECK: ane.elementwise{{ +}}mul %[[C]], %{{.*}} : tensor<1x4x6x2xf16>, tensor<1x4x1x1xf16>
func.func @joined_views(%x: tensor<1x8x3x2xf16>) -> tensor<1x4x6x2xf16> {
  %v = ane.reshape %x : tensor<1x8x3x2xf16> -> tensor<1x2x12x2xf16>
  %n = ane.layer_norm %v {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x12x2xf16> -> tensor<1x2x12x2xf16>
  %r = ane.reshape %n : tensor<1x2x12x2xf16> -> tensor<1x4x6x2xf16>
  return %r : tensor<1x4x6x2xf16>
}

// -----

// Factors and offsets of channels behind each other are one convolution.

// CHECK-LABEL: func @factors
// CHECK-DAG: %[[W:.*]] = ane.constant dense<{{\[+}}6.000000e+00]]], {{\[+}}2.000000e+01]]]]> : tensor<2x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[8.000000e+00, 2.600000e+01]> : tensor<2xf32>
// CHECK: %[[Y:.*]] = ane.conv %arg0, %[[W]] bias %[[B]] {activation = #ane.act<relu>, groups = 2 : i64}
// CHECK-NEXT: return %[[Y]]
func.func @factors(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %a = ane.constant dense<[[[[2.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %b = ane.constant dense<[[[[1.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  %c = ane.constant dense<[[[[3.0]], [[5.0]]]]> : tensor<1x2x1x1xf32>
  %d = ane.constant dense<[[[[5.0]], [[11.0]]]]> : tensor<1x2x1x1xf32>
  %0 = ane.elementwise mul %x, %a : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %1 = ane.elementwise add %0, %b : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %2 = ane.elementwise mul %1, %c : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise add %2, %d {activation = #ane.act<relu>} : tensor<1x2x4x4xf16>, tensor<1x2x1x1xf32> -> tensor<1x2x4x4xf16>
  return %3 : tensor<1x2x4x4xf16>
}

// -----

// The engine counts 8191 rows that are reduced one by one.

// CHECK-LABEL: func @many_rows
// CHECK: %[[A:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 4200, 4>
// CHECK: %[[R:.*]] = ane.reduce{{ +}}max %[[A]] {axes = array<i64: 3>}
// CHECK: %[[B:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 4200, 0>, sizes = array<i64: 1, 2, 4200, 4>
// CHECK: %[[S:.*]] = ane.reduce{{ +}}max %[[B]] {axes = array<i64: 3>}
// CHECK: ane.concat %[[R]], %[[S]] {axis = 2 : i64}
func.func @many_rows(%x: tensor<1x2x8400x4xf16>) -> tensor<1x2x8400x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x2x8400x4xf16> -> tensor<1x2x8400x1xf16>
  return %y : tensor<1x2x8400x1xf16>
}

// -----

// A norm of all channels and pixels of an image that L2 holds: the means and
// deviations of channels, and those of all. The image stays as it is.

// CHECK-LABEL: func @image
// CHECK: %[[SHARES:.*]] = ane.constant dense<1.953130e-03> : tensor<1x512x1x1xf16>
// CHECK: %[[MEANS:.*]] = ane.reduce{{ +}}mean %arg0 {axes = array<i64: 3>} {{.*}} -> tensor<1x512x1x1xf16>
// CHECK: %[[MEAN:.*]] = ane.conv %[[MEANS]], %[[SHARES]]
// CHECK: %[[CENTRED:.*]] = ane.elementwise{{ +}}sub %arg0, %[[MEAN]]
// CHECK: %[[FACTORS:.*]] = ane.reduce{{ +}}mean_square %[[CENTRED]] {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 3>}
// CHECK: %[[ROWS:.*]] = ane.reshape %[[FACTORS]] : tensor<1x512x1x1xf16> -> tensor<1x1x512x1xf16>
// CHECK: %[[DEVIATIONS:.*]] = ane.activation %[[ROWS]] {function = #ane.act<reciprocal>}
// CHECK: %[[FACTOR:.*]] = ane.reduce{{ +}}mean_square %[[DEVIATIONS]] {activation = #ane.act<rsqrt>, axes = array<i64: 2, 3>}
// CHECK: ane.elementwise{{ +}}mul %[[CENTRED]], %[[FACTOR]] : tensor<1x512x1x1000xf16>
// ZIN-LABEL: func @image
// ZIN-NOT: ane.conv
// ZIN: return
func.func @image(%x: tensor<1x512x1x1000xf16>) -> tensor<1x512x1x1000xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 1, 3>, epsilon = 1.0e-5 : f32} : tensor<1x512x1x1000xf16> -> tensor<1x512x1x1000xf16>
  return %y : tensor<1x512x1x1000xf16>
}
