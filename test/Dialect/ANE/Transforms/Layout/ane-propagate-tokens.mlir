// RUN: ane-opt %s --split-input-file --ane-propagate-layout | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-propagate-layout=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// A layer: its tokens are columns, but for the border.

// CHECK-LABEL: func.func @layer
// CHECK: %[[X:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x1x24x64xf16> -> tensor<1x64x1x24xf16>
// CHECK: %[[N:.*]] = ane.layer_norm %[[X]] {axes = array<i64: 1>
// CHECK: %[[H:.*]] = ane.conv %[[N]], %{{.*}} : tensor<1x64x1x24xf16>, tensor<128x64x1x1xf32> -> tensor<1x128x1x24xf16>
// CHECK: %[[B:.*]] = ane.elementwise add %[[H]], %{{.*}} : tensor<1x128x1x24xf16>, tensor<1x128x1x1xf32>
// CHECK: %[[G:.*]] = ane.activation %[[B]]
// CHECK: %[[Y:.*]] = ane.conv %[[G]], %{{.*}} : tensor<1x128x1x24xf16>, tensor<64x128x1x1xf32> -> tensor<1x64x1x24xf16>
// CHECK: %[[S:.*]] = ane.elementwise add %[[Y]], %[[X]]
// CHECK-NOT: ane.matmul
// CHECK: return
// ZIN-LABEL: func.func @layer
// ZIN-COUNT-2: ane.matmul
func.func @layer(%x: tensor<1x24x64xf16>) -> tensor<1x24x64xf16> {
  %w0 = ane.constant dense<[[0.5, 0.25]]> : tensor<1x2xf32>
  %w1 = ane.tile %w0 {repeats = array<i64: 64, 64>} : tensor<1x2xf32> -> tensor<64x128xf32>
  %w2 = ane.tile %w0 {repeats = array<i64: 64, 64>} : tensor<1x2xf32> -> tensor<64x128xf32>
  %b0 = ane.tile %w0 {repeats = array<i64: 1, 64>} : tensor<1x2xf32> -> tensor<1x128xf32>
  %n = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  %r = ane.reshape %n : tensor<1x24x64xf16> -> tensor<24x64xf16>
  %h = ane.matmul %r, %w1 : tensor<24x64xf16>, tensor<64x128xf32> -> tensor<24x128xf16>
  %b = ane.elementwise add %h, %b0 : tensor<24x128xf16>, tensor<1x128xf32> -> tensor<24x128xf16>
  %g = ane.activation %b {function = #ane.act<gelu>} : tensor<24x128xf16> -> tensor<24x128xf16>
  %y = ane.matmul %g, %w2 {transpose_rhs} : tensor<24x128xf16>, tensor<64x128xf32> -> tensor<24x64xf16>
  %z = ane.reshape %y : tensor<24x64xf16> -> tensor<1x24x64xf16>
  %s = ane.elementwise add %z, %x : tensor<1x24x64xf16>, tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  return %s : tensor<1x24x64xf16>
}

// -----

// The sum at the border stays outside: one transpose, not two. Constants with a
// row for each token are turned, too, and parts of the features are channels.

// CHECK-LABEL: func.func @border
// CHECK: %[[S:.*]] = ane.elementwise add %arg0, %arg1 : tensor<1x24x64xf16>
// CHECK: ane.transpose
// CHECK: %[[C:.*]] = ane.conv
// CHECK: %[[P:.*]] = ane.elementwise mul %[[C]], %{{.*}} : tensor<1x64x1x24xf16>, tensor<1x64x1x24xf32>
// CHECK-DAG: %[[L:.*]] = ane.slice %[[P]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 1, 24>
// CHECK-DAG: %[[R:.*]] = ane.slice %[[P]] {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 1, 32, 1, 24>
// CHECK: ane.concat %[[R]], %[[L]] {axis = 1 : i64}
// CHECK: ane.reduce max %{{.*}} {axes = array<i64: 1>}
func.func @border(%x: tensor<1x24x64xf16>, %y: tensor<1x24x64xf16>) -> tensor<1x24x1xf16> {
  %w0 = ane.constant dense<[[[0.5, 0.25]]]> : tensor<1x1x2xf32>
  %w = ane.tile %w0 {repeats = array<i64: 1, 64, 32>} : tensor<1x1x2xf32> -> tensor<1x64x64xf32>
  %f = ane.tile %w0 {repeats = array<i64: 1, 24, 32>} : tensor<1x1x2xf32> -> tensor<1x24x64xf32>
  %s = ane.elementwise add %x, %y : tensor<1x24x64xf16>, tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  %m = ane.matmul %s, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %p = ane.elementwise mul %m, %f : tensor<1x24x64xf16>, tensor<1x24x64xf32> -> tensor<1x24x64xf16>
  %l = ane.slice %p {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 24, 32>, strides = array<i64: 1, 1, 1>} : tensor<1x24x64xf16> -> tensor<1x24x32xf16>
  %r = ane.slice %p {offsets = array<i64: 0, 0, 32>, sizes = array<i64: 1, 24, 32>, strides = array<i64: 1, 1, 1>} : tensor<1x24x64xf16> -> tensor<1x24x32xf16>
  %c = ane.concat %r, %l {axis = 2 : i64} : tensor<1x24x32xf16>, tensor<1x24x32xf16> -> tensor<1x24x64xf16>
  %n = ane.matmul %c, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %q = ane.reduce max %n {axes = array<i64: 2>} : tensor<1x24x64xf16> -> tensor<1x24x1xf16>
  return %q : tensor<1x24x1xf16>
}

// -----

// Attention as exporters spell it: no data moves between its products.

// CHECK-LABEL: func.func @attention
// CHECK: ane.transpose
// CHECK-NOT: ane.transpose {{.*}}f16>
// CHECK: %[[QS:.*]] = ane.elementwise mul %{{.*}}, %{{.*}} : tensor<1x64x1x24xf16>, tensor<1x1x1x1xf32>
// CHECK: %[[Q:.*]] = ane.reshape %[[QS]] : tensor<1x64x1x24xf16> -> tensor<1x4x16x24xf16>
// CHECK: %[[S:.*]] = ane.matmul %[[Q]], %{{.*}} {transpose_lhs} : tensor<1x4x16x24xf16>, tensor<1x4x16x24xf16> -> tensor<1x4x24x24xf16>
// CHECK: %[[M:.*]] = ane.elementwise add %[[S]], %{{.*}} : tensor<1x4x24x24xf16>, tensor<1x1x1x24xf32>
// CHECK: %[[P:.*]] = ane.softmax %[[M]] {axis = 3 : i64}
// CHECK: %[[O:.*]] = ane.matmul %{{.*}}, %[[P]] {transpose_rhs} : tensor<1x4x16x24xf16>, tensor<1x4x24x24xf16> -> tensor<1x4x16x24xf16>
// CHECK: %[[F:.*]] = ane.reshape %[[O]] : tensor<1x4x16x24xf16> -> tensor<1x64x1x24xf16>
// CHECK: %[[Y:.*]] = ane.conv %[[F]]
// CHECK: %[[Z:.*]] = ane.elementwise add %[[Y]]
// CHECK: %[[R:.*]] = ane.transpose %[[Z]] {perm = array<i64: 0, 2, 3, 1>}
// CHECK: ane.reshape %[[R]] : tensor<1x1x24x64xf16> -> tensor<1x24x64xf16>
func.func @attention(%x: tensor<1x24x64xf16>) -> tensor<1x24x64xf16> {
  %w0 = ane.constant dense<[[[0.5, 0.25]]]> : tensor<1x1x2xf32>
  %w = ane.tile %w0 {repeats = array<i64: 1, 64, 32>} : tensor<1x1x2xf32> -> tensor<1x64x64xf32>
  %mask = ane.tile %w0 {repeats = array<i64: 1, 1, 12>} : tensor<1x1x2xf32> -> tensor<1x1x24xf32>
  %eighth = ane.constant dense<0.125> : tensor<4x24x24xf32>
  %q0 = ane.matmul %x, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %q1 = ane.reshape %q0 : tensor<1x24x64xf16> -> tensor<1x24x4x16xf16>
  %q2 = ane.transpose %q1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x24x4x16xf16> -> tensor<1x4x24x16xf16>
  %k0 = ane.matmul %x, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %k1 = ane.reshape %k0 : tensor<1x24x64xf16> -> tensor<1x24x4x16xf16>
  %k2 = ane.transpose %k1 {perm = array<i64: 0, 2, 3, 1>} : tensor<1x24x4x16xf16> -> tensor<1x4x16x24xf16>
  %v0 = ane.matmul %x, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %v1 = ane.reshape %v0 : tensor<1x24x64xf16> -> tensor<1x24x4x16xf16>
  %v2 = ane.transpose %v1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x24x4x16xf16> -> tensor<1x4x24x16xf16>
  %q3 = ane.reshape %q2 : tensor<1x4x24x16xf16> -> tensor<4x24x16xf16>
  %k3 = ane.reshape %k2 : tensor<1x4x16x24xf16> -> tensor<4x16x24xf16>
  %v3 = ane.reshape %v2 : tensor<1x4x24x16xf16> -> tensor<4x24x16xf16>
  %s = ane.matmul %q3, %k3 : tensor<4x24x16xf16>, tensor<4x16x24xf16> -> tensor<4x24x24xf16>
  %f = ane.elementwise mul %s, %eighth : tensor<4x24x24xf16>, tensor<4x24x24xf32> -> tensor<4x24x24xf16>
  %m = ane.elementwise add %f, %mask : tensor<4x24x24xf16>, tensor<1x1x24xf32> -> tensor<4x24x24xf16>
  %m4 = ane.reshape %m : tensor<4x24x24xf16> -> tensor<1x4x24x24xf16>
  %p = ane.softmax %m4 {axis = 3 : i64} : tensor<1x4x24x24xf16> -> tensor<1x4x24x24xf16>
  %p3 = ane.reshape %p : tensor<1x4x24x24xf16> -> tensor<4x24x24xf16>
  %o = ane.matmul %p3, %v3 : tensor<4x24x24xf16>, tensor<4x24x16xf16> -> tensor<4x24x16xf16>
  %o4 = ane.reshape %o : tensor<4x24x16xf16> -> tensor<1x4x24x16xf16>
  %t = ane.transpose %o4 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x24x16xf16> -> tensor<1x24x4x16xf16>
  %r = ane.reshape %t : tensor<1x24x4x16xf16> -> tensor<1x24x64xf16>
  %y = ane.matmul %r, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %z = ane.elementwise add %y, %x : tensor<1x24x64xf16>, tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  return %z : tensor<1x24x64xf16>
}

// -----

// Two groups of keys and values, repeated by a sum and by a tile.

// CHECK-LABEL: func.func @groups
// CHECK: %[[S:.*]] = ane.matmul %{{.*}}, %{{.*}} {transpose_rhs} : tensor<2x3x24x16xf16>, tensor<2x1x24x16xf16> -> tensor<2x3x24x24xf16>
// CHECK: %[[M:.*]] = ane.elementwise add %[[S]], %{{.*}} : tensor<2x3x24x24xf16>, tensor<1x1x24x24xf32>
// CHECK: %[[P:.*]] = ane.softmax %[[M]] {axis = 3 : i64} : tensor<2x3x24x24xf16>
// CHECK: %[[O:.*]] = ane.matmul %{{.*}}, %[[P]] {transpose_lhs, transpose_rhs} : tensor<2x1x24x16xf16>, tensor<2x3x24x24xf16> -> tensor<2x3x16x24xf16>
// CHECK: ane.reshape %[[O]] : tensor<2x3x16x24xf16> -> tensor<1x6x16x24xf16>
func.func @groups(%q: tensor<1x6x24x16xf16>, %k: tensor<1x2x24x16xf16>, %v: tensor<1x2x24x16xf16>) -> tensor<1x6x16x24xf16> {
  %zero = ane.constant dense<0.0> : tensor<1x2x3x24x16xf32>
  %row = ane.constant dense<[[[[0.0, -1.0]]]]> : tensor<1x1x1x2xf32>
  %mask = ane.tile %row {repeats = array<i64: 1, 1, 24, 12>} : tensor<1x1x1x2xf32> -> tensor<1x1x24x24xf32>
  %k5 = ane.reshape %k : tensor<1x2x24x16xf16> -> tensor<1x2x1x24x16xf16>
  %ks = ane.elementwise add %k5, %zero : tensor<1x2x1x24x16xf16>, tensor<1x2x3x24x16xf32> -> tensor<1x2x3x24x16xf16>
  %k6 = ane.reshape %ks : tensor<1x2x3x24x16xf16> -> tensor<1x6x24x16xf16>
  %v5 = ane.reshape %v : tensor<1x2x24x16xf16> -> tensor<1x2x1x24x16xf16>
  %vs = ane.tile %v5 {repeats = array<i64: 1, 1, 3, 1, 1>} : tensor<1x2x1x24x16xf16> -> tensor<1x2x3x24x16xf16>
  %v6 = ane.reshape %vs : tensor<1x2x3x24x16xf16> -> tensor<1x6x24x16xf16>
  %s = ane.matmul %q, %k6 {transpose_rhs} : tensor<1x6x24x16xf16>, tensor<1x6x24x16xf16> -> tensor<1x6x24x24xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x6x24x24xf16>, tensor<1x1x24x24xf32> -> tensor<1x6x24x24xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x6x24x24xf16> -> tensor<1x6x24x24xf16>
  %o = ane.matmul %p, %v6 : tensor<1x6x24x24xf16>, tensor<1x6x24x16xf16> -> tensor<1x6x24x16xf16>
  %t = ane.transpose %o {perm = array<i64: 0, 1, 3, 2>} : tensor<1x6x24x16xf16> -> tensor<1x6x16x24xf16>
  return %t : tensor<1x6x16x24xf16>
}

// -----

// More tokens than a row of the engine has columns stay rows.

// CHECK-LABEL: func.func @many
// CHECK: ane.matmul
// CHECK: ane.matmul
func.func @many(%x: tensor<1x20000x16xf16>) -> tensor<1x20000x16xf16> {
  %w = ane.constant dense<0.5> : tensor<1x16x16xf32>
  %y = ane.matmul %x, %w : tensor<1x20000x16xf16>, tensor<1x16x16xf32> -> tensor<1x20000x16xf16>
  %z = ane.matmul %y, %w : tensor<1x20000x16xf16>, tensor<1x16x16xf32> -> tensor<1x20000x16xf16>
  return %z : tensor<1x20000x16xf16>
}

// -----

// So does the only product, which needs as many transposes either way.

// CHECK-LABEL: func.func @alone
// CHECK: ane.matmul
func.func @alone(%x: tensor<1x24x64xf16>) -> tensor<1x24x64xf16> {
  %w = ane.constant dense<0.5> : tensor<1x64x64xf32>
  %y = ane.matmul %x, %w : tensor<1x24x64xf16>, tensor<1x64x64xf32> -> tensor<1x24x64xf16>
  %z = ane.elementwise add %y, %x : tensor<1x24x64xf16>, tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  return %z : tensor<1x24x64xf16>
}

// -----

// Of four dimensions the last two are exchanged, or they are not.

// CHECK-LABEL: func.func @other_permutation
// CHECK: ane.matmul
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x8x16xf16> -> tensor<1x16x2x8xf16>
func.func @other_permutation(%x: tensor<1x2x8x4xf16>, %y: tensor<1x2x4x16xf16>) -> tensor<1x16x2x8xf16> {
  %m = ane.matmul %x, %y : tensor<1x2x8x4xf16>, tensor<1x2x4x16xf16> -> tensor<1x2x8x16xf16>
  %t = ane.transpose %m {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x8x16xf16> -> tensor<1x16x2x8xf16>
  return %t : tensor<1x16x2x8xf16>
}

// -----

// Columns would no longer be where they are: the transpose stays in front.

// CHECK-LABEL: func.func @columns
// CHECK: %[[T:.*]] = ane.transpose %arg0
// CHECK: ane.reshape %[[T]]
func.func @columns(%x: tensor<1x10x5x4xf16>) -> tensor<1x20x10xf16> {
  %t = ane.transpose %x {perm = array<i64: 0, 2, 3, 1>} : tensor<1x10x5x4xf16> -> tensor<1x5x4x10xf16>
  %r = ane.reshape %t : tensor<1x5x4x10xf16> -> tensor<1x20x10xf16>
  return %r : tensor<1x20x10xf16>
}

// -----

// Repeated along more than heads, and scores of fewer elements than queries.

// CHECK-LABEL: func.func @not_groups
// CHECK: ane.tile
// CHECK: ane.matmul %{{.*}} : tensor<1x6x4x16xf16>, tensor<1x6x4x16xf16> -> tensor<1x6x4x4xf16>
// CHECK: ane.elementwise mul %{{.*}} : tensor<1x6x4x4xf16>
func.func @not_groups(%q: tensor<1x6x4x16xf16>, %k: tensor<1x2x1x1x16xf16>) -> tensor<1x6x4x4xf16> {
  %number = ane.constant dense<0.5> : tensor<1x1x1x1xf32>
  %ks = ane.tile %k {repeats = array<i64: 1, 1, 3, 4, 1>} : tensor<1x2x1x1x16xf16> -> tensor<1x2x3x4x16xf16>
  %k6 = ane.reshape %ks : tensor<1x2x3x4x16xf16> -> tensor<1x6x4x16xf16>
  %s = ane.matmul %q, %k6 {transpose_rhs} : tensor<1x6x4x16xf16>, tensor<1x6x4x16xf16> -> tensor<1x6x4x4xf16>
  %f = ane.elementwise mul %s, %number : tensor<1x6x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x6x4x4xf16>
  return %f : tensor<1x6x4x4xf16>
}

// -----

// Tokens of another number of features are other tokens: between both layers the features
// are columns again.

// CHECK-LABEL: func.func @other_features
// CHECK: %[[A:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1>} : tensor<1x64x24xf16> -> tensor<1x24x64xf16>
// CHECK: %[[B:.*]] = ane.reshape %[[A]] : tensor<1x24x64xf16> -> tensor<1x1x48x32xf16>
// CHECK: ane.transpose %[[B]] {perm = array<i64: 0, 3, 1, 2>} : tensor<1x1x48x32xf16> -> tensor<1x32x1x48xf16>
func.func @other_features(%x: tensor<1x24x64xf16>) -> tensor<1x48x32xf16> {
  %w0 = ane.constant dense<[[[0.5, 0.25]]]> : tensor<1x1x2xf32>
  %w1 = ane.tile %w0 {repeats = array<i64: 1, 64, 64>} : tensor<1x1x2xf32> -> tensor<1x64x128xf32>
  %w2 = ane.tile %w0 {repeats = array<i64: 1, 32, 32>} : tensor<1x1x2xf32> -> tensor<1x32x64xf32>
  %n = ane.layer_norm %x {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x24x64xf16> -> tensor<1x24x64xf16>
  %h = ane.matmul %n, %w1 : tensor<1x24x64xf16>, tensor<1x64x128xf32> -> tensor<1x24x128xf16>
  %g = ane.activation %h {function = #ane.act<gelu>} : tensor<1x24x128xf16> -> tensor<1x24x128xf16>
  %y = ane.matmul %g, %w1 {transpose_rhs} : tensor<1x24x128xf16>, tensor<1x64x128xf32> -> tensor<1x24x64xf16>
  %r = ane.reshape %y : tensor<1x24x64xf16> -> tensor<1x48x32xf16>
  %m = ane.layer_norm %r {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x48x32xf16> -> tensor<1x48x32xf16>
  %i = ane.matmul %m, %w2 : tensor<1x48x32xf16>, tensor<1x32x64xf32> -> tensor<1x48x64xf16>
  %j = ane.activation %i {function = #ane.act<gelu>} : tensor<1x48x64xf16> -> tensor<1x48x64xf16>
  %z = ane.matmul %j, %w2 {transpose_rhs} : tensor<1x48x64xf16>, tensor<1x32x64xf32> -> tensor<1x48x32xf16>
  return %z : tensor<1x48x32xf16>
}

// -----

// Windows of an image: their norm is behind the cut, each is a row of the image whose columns
// are its tokens, and heads are channels. One layer in front of attention and one behind it.

// CHECK-LABEL: func.func @windows
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x3x2x3x32xf16>
// CHECK: %[[X:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x9x32xf16> -> tensor<1x32x4x9xf16>
// CHECK: %[[N:.*]] = ane.layer_norm %[[X]] gamma %{{.*}} {axes = array<i64: 1>
// CHECK: %[[C:.*]] = ane.conv %[[N]], %{{.*}} : tensor<1x32x4x9xf16>, tensor<96x32x1x1xf32> -> tensor<1x96x4x9xf16>
// CHECK: ane.reshape %[[C]] : tensor<1x96x4x9xf16> -> tensor<3x2x16x4x9xf16>
// CHECK: ane.softmax
// CHECK: %[[O:.*]] = ane.reshape %{{.*}} : tensor<2x16x4x9xf16> -> tensor<1x32x4x9xf16>
// CHECK: ane.conv %[[O]], %{{.*}} : tensor<1x32x4x9xf16>, tensor<32x32x1x1xf32> -> tensor<1x32x4x9xf16>
// CHECK-NOT: ane.layer_norm
func.func @windows(%x: tensor<1x6x6x32xf16>, %gamma: tensor<32xf16>) -> tensor<4x9x32xf16> {
  %w0 = ane.constant dense<[[[0.5, 0.25]]]> : tensor<1x1x2xf32>
  %w1 = ane.tile %w0 {repeats = array<i64: 1, 32, 48>} : tensor<1x1x2xf32> -> tensor<1x32x96xf32>
  %w2 = ane.tile %w0 {repeats = array<i64: 1, 32, 16>} : tensor<1x1x2xf32> -> tensor<1x32x32xf32>
  %n = ane.layer_norm %x gamma %gamma {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x6x6x32xf16> gamma tensor<32xf16> -> tensor<1x6x6x32xf16>
  %0 = ane.reshape %n : tensor<1x6x6x32xf16> -> tensor<2x3x2x3x32xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x3x2x3x32xf16> -> tensor<2x2x3x3x32xf16>
  %2 = ane.reshape %1 : tensor<2x2x3x3x32xf16> -> tensor<4x9x32xf16>
  %3 = ane.matmul %2, %w1 : tensor<4x9x32xf16>, tensor<1x32x96xf32> -> tensor<4x9x96xf16>
  %4 = ane.reshape %3 : tensor<4x9x96xf16> -> tensor<4x9x3x2x16xf16>
  %5 = ane.transpose %4 {perm = array<i64: 2, 0, 3, 1, 4>} : tensor<4x9x3x2x16xf16> -> tensor<3x4x2x9x16xf16>
  %q0 = ane.slice %5 {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 4, 2, 9, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<3x4x2x9x16xf16> -> tensor<1x4x2x9x16xf16>
  %k0 = ane.slice %5 {offsets = array<i64: 1, 0, 0, 0, 0>, sizes = array<i64: 1, 4, 2, 9, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<3x4x2x9x16xf16> -> tensor<1x4x2x9x16xf16>
  %v0 = ane.slice %5 {offsets = array<i64: 2, 0, 0, 0, 0>, sizes = array<i64: 1, 4, 2, 9, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<3x4x2x9x16xf16> -> tensor<1x4x2x9x16xf16>
  %q = ane.reshape %q0 : tensor<1x4x2x9x16xf16> -> tensor<4x2x9x16xf16>
  %k = ane.reshape %k0 : tensor<1x4x2x9x16xf16> -> tensor<4x2x9x16xf16>
  %v = ane.reshape %v0 : tensor<1x4x2x9x16xf16> -> tensor<4x2x9x16xf16>
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<4x2x9x16xf16>, tensor<4x2x9x16xf16> -> tensor<4x2x9x9xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<4x2x9x9xf16> -> tensor<4x2x9x9xf16>
  %m = ane.matmul %p, %v : tensor<4x2x9x9xf16>, tensor<4x2x9x16xf16> -> tensor<4x2x9x16xf16>
  %6 = ane.transpose %m {perm = array<i64: 0, 2, 1, 3>} : tensor<4x2x9x16xf16> -> tensor<4x9x2x16xf16>
  %7 = ane.reshape %6 : tensor<4x9x2x16xf16> -> tensor<4x9x32xf16>
  %8 = ane.matmul %7, %w2 : tensor<4x9x32xf16>, tensor<1x32x32xf32> -> tensor<4x9x32xf16>
  return %8 : tensor<4x9x32xf16>
}

// -----

// The norm of windows goes behind the cut for all layers, unless somebody else has them, too.

// CHECK-LABEL: func.func @norm_of_windows
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x2x2x2x8xf16>
// CHECK: ane.rms_norm %{{.*}} {axes = array<i64: 1>, {{.*}} -> tensor<1x8x1x16xf16>
// CHECK-COUNT-2: ane.conv
// CHECK-LABEL: func.func @norm_for_others
// CHECK: ane.rms_norm %arg0 {axes = array<i64: 3>
func.func @norm_of_windows(%x: tensor<1x4x4x8xf16>) -> (tensor<4x4x8xf16>, tensor<4x4x8xf16>) {
  %w = ane.constant dense<0.5> : tensor<1x8x8xf32>
  %v = ane.constant dense<0.25> : tensor<1x8x8xf32>
  %n = ane.rms_norm %x {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x4x8xf16> -> tensor<1x4x4x8xf16>
  %0 = ane.reshape %n : tensor<1x4x4x8xf16> -> tensor<2x2x2x2x8xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x2x2x2x8xf16> -> tensor<2x2x2x2x8xf16>
  %2 = ane.reshape %1 : tensor<2x2x2x2x8xf16> -> tensor<4x4x8xf16>
  %3 = ane.matmul %2, %w : tensor<4x4x8xf16>, tensor<1x8x8xf32> -> tensor<4x4x8xf16>
  %4 = ane.matmul %2, %v : tensor<4x4x8xf16>, tensor<1x8x8xf32> -> tensor<4x4x8xf16>
  return %3, %4 : tensor<4x4x8xf16>, tensor<4x4x8xf16>
}
func.func @norm_for_others(%x: tensor<1x4x4x8xf16>) -> (tensor<4x4x8xf16>, tensor<4x4x8xf16>) {
  %w = ane.constant dense<0.5> : tensor<1x8x8xf32>
  %n = ane.rms_norm %x {axes = array<i64: 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x4x8xf16> -> tensor<1x4x4x8xf16>
  %0 = ane.reshape %n : tensor<1x4x4x8xf16> -> tensor<2x2x2x2x8xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x2x2x2x8xf16> -> tensor<2x2x2x2x8xf16>
  %2 = ane.reshape %1 : tensor<2x2x2x2x8xf16> -> tensor<4x4x8xf16>
  %3 = ane.matmul %2, %w : tensor<4x4x8xf16>, tensor<1x8x8xf32> -> tensor<4x4x8xf16>
  return %3, %2 : tensor<4x4x8xf16>, tensor<4x4x8xf16>
}

// -----

// Rows are what attention has matrices for: windows of three by three pixels, and not the rows of
// one image, all of whose pixels see each other.

// CHECK-LABEL: func.func @windows_of_pixels
// CHECK: ane.conv %{{.*}} : tensor<1x32x4x9xf16>, tensor<64x32x1x1xf32> -> tensor<1x64x4x9xf16>
// CHECK-LABEL: func.func @one_image
// CHECK-NOT: tensor<1x32x5x5xf16>
// CHECK: return
func.func @windows_of_pixels(%x: tensor<4x3x3x32xf16>) -> tensor<4x2x9x9xf16> {
  %w0 = ane.constant dense<[[[[0.5, 0.25]]]]> : tensor<1x1x1x2xf32>
  %w = ane.tile %w0 {repeats = array<i64: 1, 1, 32, 32>} : tensor<1x1x1x2xf32> -> tensor<1x1x32x64xf32>
  %0 = ane.matmul %x, %w : tensor<4x3x3x32xf16>, tensor<1x1x32x64xf32> -> tensor<4x3x3x64xf16>
  %1 = ane.reshape %0 : tensor<4x3x3x64xf16> -> tensor<4x9x2x2x16xf16>
  %2 = ane.transpose %1 {perm = array<i64: 2, 0, 3, 1, 4>} : tensor<4x9x2x2x16xf16> -> tensor<2x4x2x9x16xf16>
  %q = ane.slice %2 {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 4, 2, 9, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x4x2x9x16xf16> -> tensor<1x4x2x9x16xf16>
  %k = ane.slice %2 {offsets = array<i64: 1, 0, 0, 0, 0>, sizes = array<i64: 1, 4, 2, 9, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x4x2x9x16xf16> -> tensor<1x4x2x9x16xf16>
  %3 = ane.matmul %q, %k {transpose_rhs} : tensor<1x4x2x9x16xf16>, tensor<1x4x2x9x16xf16> -> tensor<1x4x2x9x9xf16>
  %4 = ane.reshape %3 : tensor<1x4x2x9x9xf16> -> tensor<4x2x9x9xf16>
  return %4 : tensor<4x2x9x9xf16>
}
func.func @one_image(%x: tensor<1x5x5x32xf16>) -> tensor<1x2x25x25xf16> {
  %w0 = ane.constant dense<[[[[0.5, 0.25]]]]> : tensor<1x1x1x2xf32>
  %w = ane.tile %w0 {repeats = array<i64: 1, 1, 32, 32>} : tensor<1x1x1x2xf32> -> tensor<1x1x32x64xf32>
  %0 = ane.matmul %x, %w : tensor<1x5x5x32xf16>, tensor<1x1x32x64xf32> -> tensor<1x5x5x64xf16>
  %1 = ane.reshape %0 : tensor<1x5x5x64xf16> -> tensor<1x25x2x2x16xf16>
  %2 = ane.transpose %1 {perm = array<i64: 2, 0, 3, 1, 4>} : tensor<1x25x2x2x16xf16> -> tensor<2x1x2x25x16xf16>
  %q = ane.slice %2 {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 1, 2, 25, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x1x2x25x16xf16> -> tensor<1x1x2x25x16xf16>
  %k = ane.slice %2 {offsets = array<i64: 1, 0, 0, 0, 0>, sizes = array<i64: 1, 1, 2, 25, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : tensor<2x1x2x25x16xf16> -> tensor<1x1x2x25x16xf16>
  %3 = ane.matmul %q, %k {transpose_rhs} : tensor<1x1x2x25x16xf16>, tensor<1x1x2x25x16xf16> -> tensor<1x1x2x25x25xf16>
  %4 = ane.reshape %3 : tensor<1x1x2x25x25xf16> -> tensor<1x2x25x25xf16>
  return %4 : tensor<1x2x25x25xf16>
}

// -----

// Rotary embeddings: the sum has one movement instead of two for that of the
// cosines and sines, which all heads share.

// CHECK-LABEL: func.func @rotated
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x4x16x24xf16>, %[[Y:[^:]*]]: tensor<1x4x16x24xf16>, %[[COS:[^:]*]]: {{.*}}, %[[SIN:[^:]*]]: tensor
// CHECK-DAG: %[[C:.*]] = ane.transpose %[[COS]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x24x1x16xf16> -> tensor<1x1x16x24xf16>
// CHECK-DAG: %[[S:.*]] = ane.transpose %[[SIN]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x24x1x16xf16> -> tensor<1x1x16x24xf16>
// CHECK-DAG: %[[A:.*]] = ane.elementwise mul %[[X]], %[[C]]
// CHECK-DAG: %[[B:.*]] = ane.elementwise mul %[[Y]], %[[S]]
// CHECK: %[[SUM:.*]] = ane.elementwise add %[[A]], %[[B]] : tensor<1x4x16x24xf16>
// CHECK: %[[R:.*]] = ane.transpose %[[SUM]]
// CHECK: return %[[R]]
func.func @rotated(%x: tensor<1x4x16x24xf16>, %y: tensor<1x4x16x24xf16>, %cos: tensor<1x24x1x16xf16>, %sin: tensor<1x24x1x16xf16>) -> tensor<1x24x4x16xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x16x24xf16> -> tensor<1x24x4x16xf16>
  %1 = ane.elementwise mul %0, %cos : tensor<1x24x4x16xf16>, tensor<1x24x1x16xf16> -> tensor<1x24x4x16xf16>
  %2 = ane.transpose %y {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x16x24xf16> -> tensor<1x24x4x16xf16>
  %3 = ane.elementwise mul %2, %sin : tensor<1x24x4x16xf16>, tensor<1x24x1x16xf16> -> tensor<1x24x4x16xf16>
  %4 = ane.elementwise add %1, %3 : tensor<1x24x4x16xf16>, tensor<1x24x4x16xf16> -> tensor<1x24x4x16xf16>
  return %4 : tensor<1x24x4x16xf16>
}

// A sum with what is not moved joins nothing.

// CHECK-LABEL: func.func @scaled
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x4x16x24xf16>, %[[Y:[^:]*]]: {{.*}}, %[[F:[^:]*]]: tensor
// CHECK: %[[T:.*]] = ane.transpose %[[X]]
// CHECK: %[[M:.*]] = ane.elementwise mul %[[T]], %[[F]]
// CHECK: ane.elementwise add %[[M]], %[[Y]]
func.func @scaled(%x: tensor<1x4x16x24xf16>, %y: tensor<1x24x4x16xf16>, %factors: tensor<1x24x1x16xf16>) -> tensor<1x24x4x16xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x4x16x24xf16> -> tensor<1x24x4x16xf16>
  %1 = ane.elementwise mul %0, %factors : tensor<1x24x4x16xf16>, tensor<1x24x1x16xf16> -> tensor<1x24x4x16xf16>
  %2 = ane.elementwise add %1, %y : tensor<1x24x4x16xf16>, tensor<1x24x4x16xf16> -> tensor<1x24x4x16xf16>
  return %2 : tensor<1x24x4x16xf16>
}

// -----

// Two values that convolutions take moved: so does their sum, which else would
// be a third movement.

// CHECK-LABEL: func.func @sum_of_moved
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x6x5x8xf16>, %[[Y:[^:]*]]: tensor
// CHECK-DAG: %[[A:.*]] = ane.transpose %[[X]]
// CHECK-DAG: %[[B:.*]] = ane.transpose %[[Y]]
// CHECK: %[[SUM:.*]] = ane.elementwise add %[[A]], %[[B]]
// CHECK: ane.conv %[[SUM]]
func.func @sum_of_moved(%x: tensor<1x6x5x8xf16>, %y: tensor<1x6x5x8xf16>, %w: tensor<8x8x3x3xf16>) -> (tensor<1x8x4x3xf16>, tensor<1x8x4x3xf16>, tensor<1x8x4x3xf16>) {
  %a = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x6x5x8xf16> -> tensor<1x8x6x5xf16>
  %b = ane.transpose %y {perm = array<i64: 0, 3, 1, 2>} : tensor<1x6x5x8xf16> -> tensor<1x8x6x5xf16>
  %sum = ane.elementwise add %a, %b : tensor<1x8x6x5xf16>, tensor<1x8x6x5xf16> -> tensor<1x8x6x5xf16>
  %0 = ane.conv %a, %w : tensor<1x8x6x5xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x4x3xf16>
  %1 = ane.conv %b, %w : tensor<1x8x6x5xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x4x3xf16>
  %2 = ane.conv %sum, %w : tensor<1x8x6x5xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x4x3xf16>
  return %0, %1, %2 : tensor<1x8x4x3xf16>, tensor<1x8x4x3xf16>, tensor<1x8x4x3xf16>
}

// -----

// The layer that is smaller than the image comes next to the other user of the
// image; the one that is as large stays.

// CHECK-LABEL: func.func @early
// CHECK: %[[I:.*]] = ane.activation
// CHECK: ane.activation %[[I]]
// CHECK: ane.conv %[[I]], %{{.*}} -> tensor<1x4x6x5xf16>
// CHECK: ane.reduce

// CHECK-LABEL: func.func @no_smaller
// CHECK: ane.reduce
// CHECK: ane.conv
func.func @early(%x: tensor<1x8x6x5xf16>, %y: tensor<1x8x6x5xf16>) -> (tensor<1x8x6x5xf16>, tensor<1x8x6x1xf16>, tensor<1x4x6x5xf16>) {
  %image = ane.activation %x {function = #ane.act<tanh>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x5xf16>
  %0 = ane.activation %image {function = #ane.act<sigmoid>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x5xf16>
  %1 = ane.reduce max %y {axes = array<i64: 3>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x1xf16>
  %w = ane.constant dense<0.5> : tensor<4x8x1x1xf16>
  %2 = ane.conv %image, %w : tensor<1x8x6x5xf16>, tensor<4x8x1x1xf16> -> tensor<1x4x6x5xf16>
  return %0, %1, %2 : tensor<1x8x6x5xf16>, tensor<1x8x6x1xf16>, tensor<1x4x6x5xf16>
}

func.func @no_smaller(%x: tensor<1x8x6x5xf16>, %y: tensor<1x8x6x5xf16>) -> (tensor<1x8x6x5xf16>, tensor<1x8x6x1xf16>, tensor<1x8x6x5xf16>) {
  %image = ane.activation %x {function = #ane.act<tanh>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x5xf16>
  %0 = ane.activation %image {function = #ane.act<sigmoid>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x5xf16>
  %1 = ane.reduce max %y {axes = array<i64: 3>} : tensor<1x8x6x5xf16> -> tensor<1x8x6x1xf16>
  %w = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %2 = ane.conv %image, %w : tensor<1x8x6x5xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x6x5xf16>
  return %0, %1, %2 : tensor<1x8x6x5xf16>, tensor<1x8x6x1xf16>, tensor<1x8x6x5xf16>
}
