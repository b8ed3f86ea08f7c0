// RUN: ane-opt %s --ane-decompose | FileCheck %s

// A plane of 2 MiB: L2 does not hold it, so parts are reduced first, and
// then what they gave.
// CHECK-LABEL: func @large_plane
func.func @large_plane(%x: tensor<1x2x4096x256xf16>) -> tensor<1x2x4096x256xf16> {
  // CHECK: %[[P:.*]] = ane.reshape %arg0 : tensor<1x2x4096x256xf16> -> tensor<1x4x2048x256xf16>
  // CHECK: %[[C:.*]] = ane.slice %[[P]]
  // CHECK: %[[M:.*]] = ane.reduce{{ +}}mean %[[C]] {axes = array<i64: 2, 3>}
  // CHECK: %[[D:.*]] = ane.elementwise{{ +}}sub %[[C]], %[[M]]
  // CHECK: ane.reduce{{ +}}mean_square %[[D]] {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 2, 3>} : tensor<1x1x2048x256xf16>
  // f16 holds deviations of the parts, not their mean squares.
  // CHECK: ane.activation %{{.*}} {function = #ane.act<reciprocal>} : tensor<1x2x2x1xf16>
  // CHECK: ane.reduce{{ +}}mean_square %{{.*}} {activation = #ane.act<rsqrt>, axes = array<i64: 2, 3>} : tensor<1x2x4x1xf16>
  // CHECK: %[[E:.*]] = ane.elementwise{{ +}}sub %arg0
  // CHECK: ane.elementwise{{ +}}mul %[[E]]
  %y = ane.layer_norm %x {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x4096x256xf16> -> tensor<1x2x4096x256xf16>
  return %y : tensor<1x2x4096x256xf16>
}

// L2 does not hold all planes: some after the other are read once for mean and
// deviation. What the norm is multiplied with goes into its factors.
// CHECK-LABEL: func @planes
func.func @planes(%x: tensor<1x4x512x512xf16>) -> tensor<1x4x512x512xf16> {
  // CHECK: %[[A:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 512, 512>
  // CHECK: %[[M:.*]] = ane.reduce{{ +}}mean %[[A]] {axes = array<i64: 2, 3>}
  // CHECK: %[[D:.*]] = ane.elementwise{{ +}}sub %[[A]], %[[M]]
  // CHECK: ane.reduce{{ +}}mean_square %[[D]]
  // CHECK: ane.slice %arg0 {offsets = array<i64: 0, 1, 0, 0>
  // CHECK: %[[F:.*]] = ane.elementwise{{ +}}mul {{.*}} -> tensor<1x4x1x1xf16>
  // CHECK: %[[E:.*]] = ane.elementwise{{ +}}sub %arg0
  // CHECK-NEXT: %[[Y:.*]] = ane.elementwise{{ +}}mul %[[E]], %[[F]]
  // CHECK-NEXT: return %[[Y]]
  %g = ane.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]> : tensor<1x4x1x1xf16>
  %n = ane.layer_norm %x {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x512x512xf16> -> tensor<1x4x512x512xf16>
  %y = ane.elementwise mul %n, %g : tensor<1x4x512x512xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x512x512xf16>
  return %y : tensor<1x4x512x512xf16>
}

// CHECK-LABEL: func @small_plane
func.func @small_plane(%x: tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16> {
  // CHECK: ane.reduce{{ +}}mean %arg0 {axes = array<i64: 2, 3>}
  // CHECK: ane.reduce{{ +}}mean_square %{{.*}} {activation = #ane.act<rsqrt{{.*}}>, axes = array<i64: 2, 3>}
  %y = ane.layer_norm %x {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x2x64x64xf16> -> tensor<1x2x64x64xf16>
  return %y : tensor<1x2x64x64xf16>
}

// A row of all channels fits L2, but not beside that of a result on its way.
// CHECK-LABEL: func @wide_row
func.func @wide_row(%x: tensor<1x1368x1x512xf16>, %b: tensor<1x1x1x1xf16>) -> tensor<1x1368x1x512xf16> {
  // CHECK: ane.elementwise{{ +}}add {{.*}} -> tensor<1x684x1x512xf16>
  // CHECK: ane.elementwise{{ +}}add {{.*}} -> tensor<1x684x1x512xf16>
  // CHECK: ane.concat
  %0 = ane.elementwise add %x, %b : tensor<1x1368x1x512xf16>, tensor<1x1x1x1xf16> -> tensor<1x1368x1x512xf16>
  return %0 : tensor<1x1368x1x512xf16>
}

// Parts of a constant that is not rounded yet, too.
// CHECK-LABEL: func @wide_constant
func.func @wide_constant(%x: tensor<1x1024x1x1024xf16>) -> tensor<1x1024x1x1024xf16> {
  %c = ane.constant dense_resource<__elided__> : tensor<1x1024x1x1024xf32>
  // CHECK: ane.elementwise{{ +}}add {{.*}} : tensor<1x256x1x1024xf16>, tensor<1x256x1x1024xf32>
  // CHECK: ane.elementwise{{ +}}add {{.*}} : tensor<1x256x1x1024xf16>, tensor<1x256x1x1024xf32>
  %0 = ane.elementwise add %x, %c : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf32> -> tensor<1x1024x1x1024xf16>
  return %0 : tensor<1x1024x1x1024xf16>
}

// A single reduction of such a plane: of some rows each, and of these with their
// share of the elements.
// CHECK-LABEL: func @reduced_plane
// CHECK: ane.constant dense<0.333333343>
// CHECK-COUNT-3: ane.reduce mean_square %{{.*}} : tensor<1x1x1000x700xf16> -> tensor<1x1x1x1xf16>
// CHECK: ane.elementwise add
// CHECK: ane.activation %{{.*}} {function = #ane.act<sqrt>}
// CHECK-LABEL: func @largest_of_plane
// CHECK: ane.elementwise max %{{.*}} : tensor<1x1x1x1xf16>, tensor<1x1x1x1xf16>
func.func @reduced_plane(%x: tensor<1x1x3000x700xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce mean_square %x {axes = array<i64: 2, 3>, activation = #ane.act<sqrt>} : tensor<1x1x3000x700xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}
func.func @largest_of_plane(%x: tensor<1x1x3000x700xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce max %x {axes = array<i64: 2, 3>} : tensor<1x1x3000x700xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

// f16 may hold the root of a mean of squares, and not the mean: roots are combined.
// CHECK-LABEL: func @root_of_plane
// CHECK-COUNT-3: ane.reduce mean_square %{{.*}} {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 2, 3>} : tensor<1x1x1000x700xf16>
// CHECK: ane.concat
// CHECK: ane.reduce mean_square %{{.*}} {activation = #ane.act<rsqrt>, axes = array<i64: {{.*}}3>} : tensor<1x1x3x1xf16>
func.func @root_of_plane(%x: tensor<1x1x3000x700xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.reduce mean_square %x {axes = array<i64: 2, 3>, activation = #ane.act<rsqrt, 0.01>} : tensor<1x1x3000x700xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}
