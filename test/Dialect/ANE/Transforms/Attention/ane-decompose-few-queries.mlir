// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-decompose{sequences=false}) tolerance=0.004" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=AFTER

// CHECK-COUNT-4: computes the same
// CHECK-NOT: something else

// Two heads of two queries and four numbers go through the weights of the keys:
// what is multiplied with the tokens has three numbers.
// AFTER-LABEL: func.func @few_queries
// Tokens stay as they are: an image, then coefficients.
// AFTER-NOT: ane.transpose %arg1
// AFTER: ane.runtime_conv %arg1, %{{.*}} : tensor<1x3x1x16xf16>, tensor<1x4x1x3xf16> -> tensor<1x4x1x16xf16>
// AFTER: ane.reduce max %{{.*}} {axes = array<i64: 3>} : tensor<1x4x1x16xf16>
// AFTER: ane.runtime_conv %{{.*}}, %arg1 : tensor<1x16x1x4xf16>, tensor<1x3x1x16xf16> -> tensor<1x3x1x4xf16>
// AFTER-NOT: ane.transpose %arg1
// AFTER-NOT: runtime_conv
func.func @few_queries(%q: tensor<1x2x4x2xf16>, %x: tensor<1x3x1x16xf16>) -> tensor<1x2x4x2xf16> {
  %wk = ane.constant dense<[[[[-0.52]], [[0.09]], [[-0.26]]], [[[0.21]], [[0.25]], [[-0.87]]], [[[-0.97]], [[0.67]], [[-0.48]]], [[[-0.53]], [[0.99]], [[-0.06]]], [[[0.67]], [[-0.05]], [[0.28]]], [[[-0.70]], [[0.27]], [[0.74]]], [[[0.05]], [[0.48]], [[0.34]]], [[[-0.87]], [[0.52]], [[0.18]]]]> : tensor<8x3x1x1xf16>
  %wv = ane.constant dense<[[[[-0.40]], [[-0.94]], [[0.73]]], [[[-0.05]], [[0.44]], [[0.76]]], [[[0.43]], [[0.84]], [[-0.21]]], [[[0.60]], [[-0.11]], [[0.87]]], [[[0.76]], [[-0.81]], [[-0.73]]], [[[-0.57]], [[0.93]], [[-0.13]]], [[[0.25]], [[-0.40]], [[0.01]]], [[[-0.23]], [[-0.30]], [[0.17]]]]> : tensor<8x3x1x1xf16>
  %bk = ane.constant dense<[-0.41, 0.54, 0.75, -0.91, 0.23, -0.91, 0.44, -0.34]> : tensor<8xf16>
  %bv = ane.constant dense<[0.76, 0.96, 0.01, 1.00, -0.38, -0.85, 0.20, -0.94]> : tensor<8xf16>
  %k = ane.conv %x, %wk bias %bk : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16>, tensor<8xf16> -> tensor<1x8x1x16xf16>
  %v = ane.conv %x, %wv bias %bv : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16>, tensor<8xf16> -> tensor<1x8x1x16xf16>
  %keys = ane.reshape %k : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %values = ane.reshape %v : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %s = ane.matmul %q, %keys {transpose_lhs} : tensor<1x2x4x2xf16>, tensor<1x2x4x16xf16> -> tensor<1x2x2x16xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x2x16xf16> -> tensor<1x2x2x16xf16>
  %y = ane.matmul %values, %p {transpose_rhs} : tensor<1x2x4x16xf16>, tensor<1x2x2x16xf16> -> tensor<1x2x4x2xf16>
  return %y : tensor<1x2x4x2xf16>
}

// Other tokens for the values, a mask of keys, queries and results in rows.
// AFTER-LABEL: func.func @few_queries_masked
// AFTER-COUNT-2: ane.runtime_conv
// AFTER-NOT: runtime_conv
func.func @few_queries_masked(%q: tensor<1x2x2x4xf16>, %x: tensor<1x3x1x16xf16>, %z: tensor<1x2x1x16xf16>, %mask: tensor<1x1x1x16xf16>) -> tensor<1x2x2x6xf16> {
  %wk = ane.constant dense<[[[[-0.52]], [[0.09]], [[-0.26]]], [[[0.21]], [[0.25]], [[-0.87]]], [[[-0.97]], [[0.67]], [[-0.48]]], [[[-0.53]], [[0.99]], [[-0.06]]], [[[0.67]], [[-0.05]], [[0.28]]], [[[-0.70]], [[0.27]], [[0.74]]], [[[0.05]], [[0.48]], [[0.34]]], [[[-0.87]], [[0.52]], [[0.18]]]]> : tensor<8x3x1x1xf16>
  %wv = ane.constant dense<[[[[0.17]], [[0.81]]], [[[0.36]], [[0.86]]], [[[0.71]], [[0.98]]], [[[0.34]], [[-0.67]]], [[[0.72]], [[0.93]]], [[[0.81]], [[0.14]]], [[[0.43]], [[-0.58]]], [[[0.66]], [[0.15]]], [[[-0.43]], [[-0.87]]], [[[0.71]], [[0.98]]], [[[-0.82]], [[0.60]]], [[[-0.18]], [[-0.70]]]]> : tensor<12x2x1x1xf16>
  %k = ane.conv %x, %wk : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16> -> tensor<1x8x1x16xf16>
  %v = ane.conv %z, %wv : tensor<1x2x1x16xf16>, tensor<12x2x1x1xf16> -> tensor<1x12x1x16xf16>
  %keys = ane.reshape %k : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %values = ane.reshape %v : tensor<1x12x1x16xf16> -> tensor<1x2x6x16xf16>
  %s = ane.matmul %q, %keys : tensor<1x2x2x4xf16>, tensor<1x2x4x16xf16> -> tensor<1x2x2x16xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x2x2x16xf16>, tensor<1x1x1x16xf16> -> tensor<1x2x2x16xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x2x2x16xf16> -> tensor<1x2x2x16xf16>
  %y = ane.matmul %p, %values {transpose_rhs} : tensor<1x2x2x16xf16>, tensor<1x2x6x16xf16> -> tensor<1x2x2x6xf16>
  return %y : tensor<1x2x2x6xf16>
}

// Tokens that come in rows are turned for the keys alone: the image of the values' product is
// as they come.
// AFTER-LABEL: func.func @few_queries_of_rows
// AFTER: ane.runtime_conv %{{.*}}, %{{.*}} : tensor<1x3x1x16xf16>, tensor<1x4x1x3xf16> -> tensor<1x4x1x16xf16>
// AFTER: %[[ROWS:.*]] = ane.transpose %arg1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x1x16x3xf16> -> tensor<1x16x1x3xf16>
// AFTER: ane.runtime_conv %[[ROWS]], %{{.*}} : tensor<1x16x1x3xf16>, tensor<1x4x1x16xf16> -> tensor<1x4x1x3xf16>
func.func @few_queries_of_rows(%q: tensor<1x2x4x2xf16>, %x: tensor<1x1x16x3xf16>) -> tensor<1x2x4x2xf16> {
  %wk = ane.constant dense<[[[[-0.52]], [[0.09]], [[-0.26]]], [[[0.21]], [[0.25]], [[-0.87]]], [[[-0.97]], [[0.67]], [[-0.48]]], [[[-0.53]], [[0.99]], [[-0.06]]], [[[0.67]], [[-0.05]], [[0.28]]], [[[-0.70]], [[0.27]], [[0.74]]], [[[0.05]], [[0.48]], [[0.34]]], [[[-0.87]], [[0.52]], [[0.18]]]]> : tensor<8x3x1x1xf16>
  %wv = ane.constant dense<[[[[-0.40]], [[-0.94]], [[0.73]]], [[[-0.05]], [[0.44]], [[0.76]]], [[[0.43]], [[0.84]], [[-0.21]]], [[[0.60]], [[-0.11]], [[0.87]]], [[[0.76]], [[-0.81]], [[-0.73]]], [[[-0.57]], [[0.93]], [[-0.13]]], [[[0.25]], [[-0.40]], [[0.01]]], [[[-0.23]], [[-0.30]], [[0.17]]]]> : tensor<8x3x1x1xf16>
  %t = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x1x16x3xf16> -> tensor<1x3x1x16xf16>
  %k = ane.conv %t, %wk : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16> -> tensor<1x8x1x16xf16>
  %v = ane.conv %t, %wv : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16> -> tensor<1x8x1x16xf16>
  %keys = ane.reshape %k : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %values = ane.reshape %v : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %s = ane.matmul %q, %keys {transpose_lhs} : tensor<1x2x4x2xf16>, tensor<1x2x4x16xf16> -> tensor<1x2x2x16xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x2x16xf16> -> tensor<1x2x2x16xf16>
  %y = ane.matmul %values, %p {transpose_rhs} : tensor<1x2x4x16xf16>, tensor<1x2x2x16xf16> -> tensor<1x2x4x2xf16>
  return %y : tensor<1x2x4x2xf16>
}

// A function of the keys is not a product.
// AFTER-LABEL: func.func @keys_behind_relu
// AFTER: ane.conv %arg1, %{{.*}} {activation = #ane.act<relu>}
func.func @keys_behind_relu(%q: tensor<1x2x4x2xf16>, %x: tensor<1x3x1x16xf16>) -> tensor<1x2x4x2xf16> {
  %wk = ane.constant dense<[[[[-0.52]], [[0.09]], [[-0.26]]], [[[0.21]], [[0.25]], [[-0.87]]], [[[-0.97]], [[0.67]], [[-0.48]]], [[[-0.53]], [[0.99]], [[-0.06]]], [[[0.67]], [[-0.05]], [[0.28]]], [[[-0.70]], [[0.27]], [[0.74]]], [[[0.05]], [[0.48]], [[0.34]]], [[[-0.87]], [[0.52]], [[0.18]]]]> : tensor<8x3x1x1xf16>
  %wv = ane.constant dense<[[[[-0.40]], [[-0.94]], [[0.73]]], [[[-0.05]], [[0.44]], [[0.76]]], [[[0.43]], [[0.84]], [[-0.21]]], [[[0.60]], [[-0.11]], [[0.87]]], [[[0.76]], [[-0.81]], [[-0.73]]], [[[-0.57]], [[0.93]], [[-0.13]]], [[[0.25]], [[-0.40]], [[0.01]]], [[[-0.23]], [[-0.30]], [[0.17]]]]> : tensor<8x3x1x1xf16>
  %k = ane.conv %x, %wk {activation = #ane.act<relu>} : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16> -> tensor<1x8x1x16xf16>
  %v = ane.conv %x, %wv : tensor<1x3x1x16xf16>, tensor<8x3x1x1xf16> -> tensor<1x8x1x16xf16>
  %keys = ane.reshape %k : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %values = ane.reshape %v : tensor<1x8x1x16xf16> -> tensor<1x2x4x16xf16>
  %s = ane.matmul %q, %keys {transpose_lhs} : tensor<1x2x4x2xf16>, tensor<1x2x4x16xf16> -> tensor<1x2x2x16xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x2x16xf16> -> tensor<1x2x2x16xf16>
  %y = ane.matmul %values, %p {transpose_rhs} : tensor<1x2x4x16xf16>, tensor<1x2x2x16xf16> -> tensor<1x2x4x2xf16>
  return %y : tensor<1x2x4x2xf16>
}
