// RUN: ane-opt %s --ane-recognize-attention --canonicalize | FileCheck %s
// RUN: ane-opt %s --ane-recognize-attention=flavour=zin-9.509 --canonicalize | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-recognize-attention) tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-recognize-attention,ane-recognize) tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// Every rewrite computes the same, and ane-recognize takes it back.
// SAME-COUNT-8: computes the same
// SAME-NOT: something else

// The sequences of the other flavour are known by products and softmax.
// ZIN-NOT: ane.attention

// CHECK-LABEL: func @rows
// CHECK-NEXT: %[[Y:.*]] = ane.attention %arg0, %arg1, %arg2 : tensor<1x2x6x8xf16>, tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
// CHECK-NEXT: return %[[Y]]
func.func @rows(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x4x8xf16>, %v: tensor<1x2x4x8xf16>) -> tensor<1x2x6x8xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x6x8xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x4xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x6x4xf16> -> tensor<1x2x6x4xf16>
  %y = ane.matmul %p, %v : tensor<1x2x6x4xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// Keys are rows of the scores, and of the mask.
// CHECK-LABEL: func @columns
// CHECK-NEXT: ane.attention %arg0, %arg1, %arg2 mask %arg3 {transpose_query, transpose_result, transpose_scores, transpose_value} : {{.*}} mask tensor<1x1x4x6xf16> -> tensor<1x2x8x6xf16>
func.func @columns(%q: tensor<1x2x8x6xf16>, %k: tensor<1x2x4x8xf16>, %v: tensor<1x2x8x4xf16>, %m: tensor<1x1x4x6xf16>) -> tensor<1x2x8x6xf16> {
  %s = ane.matmul %k, %q : tensor<1x2x4x8xf16>, tensor<1x2x8x6xf16> -> tensor<1x2x4x6xf16>
  %a = ane.elementwise add %m, %s : tensor<1x1x4x6xf16>, tensor<1x2x4x6xf16> -> tensor<1x2x4x6xf16>
  %p = ane.softmax %a {axis = 2 : i64} : tensor<1x2x4x6xf16> -> tensor<1x2x4x6xf16>
  %y = ane.matmul %v, %p : tensor<1x2x8x4xf16>, tensor<1x2x4x6xf16> -> tensor<1x2x8x6xf16>
  return %y : tensor<1x2x8x6xf16>
}

// All heads of an image have its keys and values; the result is transposed.
// CHECK-LABEL: func @shared
// CHECK-NEXT: ane.attention %arg0, %arg1, %arg2 {transpose_key, transpose_query, transpose_result, transpose_value} : tensor<2x3x8x6xf16>, tensor<2x1x8x4xf16>, tensor<2x1x8x4xf16> -> tensor<2x3x8x6xf16>
func.func @shared(%q: tensor<2x3x8x6xf16>, %k: tensor<2x1x8x4xf16>, %v: tensor<2x1x8x4xf16>) -> tensor<2x3x8x6xf16> {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<2x3x8x6xf16>, tensor<2x1x8x4xf16> -> tensor<2x3x6x4xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<2x3x6x4xf16> -> tensor<2x3x6x4xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<2x1x8x4xf16>, tensor<2x3x6x4xf16> -> tensor<2x3x8x6xf16>
  return %y : tensor<2x3x8x6xf16>
}

// CHECK-LABEL: func @capped
// CHECK: ane.attention %arg0, %arg1, %arg2 mask %arg3 {cap = #ane.act<scaled_tanh, 5.000000e+01, 1.000000e+00>, transpose_key}
func.func @capped(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x8x4xf16>, %v: tensor<1x2x4x8xf16>, %m: tensor<1x1x6x4xf16>) -> tensor<1x2x6x8xf16> {
  %c = ane.constant dense<50.0> : tensor<1x1x1x1xf16>
  %s = ane.matmul %q, %k {activation = #ane.act<tanh>} : tensor<1x2x6x8xf16>, tensor<1x2x8x4xf16> -> tensor<1x2x6x4xf16>
  %t = ane.elementwise mul %s, %c : tensor<1x2x6x4xf16>, tensor<1x1x1x1xf16> -> tensor<1x2x6x4xf16>
  %a = ane.elementwise add %t, %m : tensor<1x2x6x4xf16>, tensor<1x1x6x4xf16> -> tensor<1x2x6x4xf16>
  %p = ane.softmax %a {axis = 3 : i64} : tensor<1x2x6x4xf16> -> tensor<1x2x6x4xf16>
  %y = ane.matmul %p, %v : tensor<1x2x6x4xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// CHECK-LABEL: func @sink
// CHECK-NEXT: ane.attention %arg0, %arg1, %arg2 sink %arg3 {transpose_key}
func.func @sink(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x8x4xf16>, %v: tensor<1x2x4x8xf16>, %x: tensor<1x2x6x1xf16>) -> tensor<1x2x6x8xf16> {
  %s = ane.matmul %q, %k : tensor<1x2x6x8xf16>, tensor<1x2x8x4xf16> -> tensor<1x2x6x4xf16>
  %a = ane.concat %s, %x {axis = 3 : i64} : tensor<1x2x6x4xf16>, tensor<1x2x6x1xf16> -> tensor<1x2x6x5xf16>
  %p = ane.softmax %a {axis = 3 : i64} : tensor<1x2x6x5xf16> -> tensor<1x2x6x5xf16>
  %w = ane.slice %p {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 6, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x6x5xf16> -> tensor<1x2x6x4xf16>
  %y = ane.matmul %w, %v : tensor<1x2x6x4xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// Keys are pixels of two rows and three columns, and heads are counted with the images
// after the first product.
// CHECK-LABEL: func @terms
// CHECK-DAG: %[[A:.*]] = ane.reshape %{{.*}} : tensor<2x5x2x1xf16> -> tensor<1x2x5x2xf16>
// CHECK-DAG: %[[B:.*]] = ane.reshape %{{.*}} : tensor<2x5x1x3xf16> -> tensor<1x2x5x3xf16>
// CHECK: ane.attention %arg0, %arg1, %arg2 terms %[[B]], %[[A]] {term_strides = array<i64: 1, 3>, transpose_key} : {{.*}} -> tensor<1x2x5x8xf16>
func.func @terms(%q: tensor<1x2x5x8xf16>, %k: tensor<1x2x8x6xf16>, %v: tensor<1x2x6x8xf16>, %r: tensor<2x5x2x4xf16>, %c: tensor<2x5x4x3xf16>, %o: tensor<2x5x4x1xf16>) -> tensor<2x5x8xf16> {
  %s = ane.matmul %q, %k : tensor<1x2x5x8xf16>, tensor<1x2x8x6xf16> -> tensor<1x2x5x6xf16>
  %i = ane.reshape %s : tensor<1x2x5x6xf16> -> tensor<2x5x2x3xf16>
  %t0 = ane.matmul %r, %o : tensor<2x5x2x4xf16>, tensor<2x5x4x1xf16> -> tensor<2x5x2x1xf16>
  %t1 = ane.matmul %o, %c {transpose_lhs} : tensor<2x5x4x1xf16>, tensor<2x5x4x3xf16> -> tensor<2x5x1x3xf16>
  %a = ane.elementwise add %i, %t0 : tensor<2x5x2x3xf16>, tensor<2x5x2x1xf16> -> tensor<2x5x2x3xf16>
  %b = ane.elementwise add %a, %t1 : tensor<2x5x2x3xf16>, tensor<2x5x1x3xf16> -> tensor<2x5x2x3xf16>
  %f = ane.reshape %b : tensor<2x5x2x3xf16> -> tensor<2x1x5x6xf16>
  %p = ane.softmax %f {axis = 3 : i64} : tensor<2x1x5x6xf16> -> tensor<2x1x5x6xf16>
  %w = ane.reshape %v : tensor<1x2x6x8xf16> -> tensor<2x1x6x8xf16>
  %y = ane.matmul %p, %w : tensor<2x1x5x6xf16>, tensor<2x1x6x8xf16> -> tensor<2x1x5x8xf16>
  %z = ane.reshape %y : tensor<2x1x5x8xf16> -> tensor<2x5x8xf16>
  return %z : tensor<2x5x8xf16>
}

// Not attention: weights that somebody else needs, and a constant matrix.
// CHECK-LABEL: func @returned
// CHECK-NOT: ane.attention
func.func @returned(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x8x4xf16>, %v: tensor<1x2x4x8xf16>) -> (tensor<1x2x6x8xf16>, tensor<1x2x6x4xf16>) {
  %s = ane.matmul %q, %k : tensor<1x2x6x8xf16>, tensor<1x2x8x4xf16> -> tensor<1x2x6x4xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x6x4xf16> -> tensor<1x2x6x4xf16>
  %y = ane.matmul %p, %v : tensor<1x2x6x4xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
  return %y, %p : tensor<1x2x6x8xf16>, tensor<1x2x6x4xf16>
}

// CHECK-LABEL: func @constant_values
// CHECK-NOT: ane.attention
func.func @constant_values(%q: tensor<1x2x6x8xf16>, %k: tensor<1x2x8x4xf16>) -> tensor<1x2x6x8xf16> {
  %v = ane.constant dense<0.5> : tensor<1x2x4x8xf16>
  %s = ane.matmul %q, %k : tensor<1x2x6x8xf16>, tensor<1x2x8x4xf16> -> tensor<1x2x6x4xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x6x4xf16> -> tensor<1x2x6x4xf16>
  %y = ane.matmul %p, %v : tensor<1x2x6x4xf16>, tensor<1x2x4x8xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}
