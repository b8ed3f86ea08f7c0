// RUN: ane-opt %s -split-input-file --ane-tile | FileCheck %s
// What is cut computes what the whole did.
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=func.func(ane-tile)" -o /dev/null

// Rows near a border are computed twice, padding stays at the border of the
// image, and strips come one behind the other.
// CHECK-LABEL: @chain
// CHECK: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 10, 8>
// CHECK: %[[A0:.*]] = ane.conv %[[X0]], {{.*}}pad = array<i64: 1, 0, 1, 1>{{.*}} -> tensor<1x4x9x8xf16>
// CHECK: %[[B0:.*]] = ane.conv %[[A0]], {{.*}}pad = array<i64: 1, 0, 1, 1>{{.*}} -> tensor<1x4x8x8xf16>
// CHECK: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 1, 4, 9, 8>
// CHECK: %[[A1:.*]] = ane.conv %[[X1]], {{.*}}pad = array<i64: 0, 1, 1, 1>{{.*}} -> tensor<1x4x8x8xf16>
// CHECK: %[[B1:.*]] = ane.conv %[[A1]], {{.*}}pad = array<i64: 0, 1, 1, 1>{{.*}} -> tensor<1x4x7x8xf16>
// CHECK: ane.concat %[[B0]], %[[B1]] {axis = 2 : i64}
func.func @chain(%x: tensor<1x4x15x8xf16>) -> tensor<1x4x15x8xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x15x8xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x15x8xf16>
  %1 = ane.conv %0, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x15x8xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x15x8xf16>
  return %1 : tensor<1x4x15x8xf16>
}

// -----

// A branch, a stride, and a result inside that is used outside, too.
// CHECK-LABEL: @branch
// Columns are not cut, though no window reaches the last one.
// CHECK: ane.slice %arg0 {{.*}} -> tensor<1x4x7x16xf16>
// CHECK: ane.conv
// CHECK-COUNT-2: ane.elementwise
// CHECK-COUNT-2: ane.conv
// CHECK-COUNT-2: ane.elementwise
// CHECK-DAG: ane.concat {{.*}} {axis = 2 : i64} : tensor<1x4x4x8xf16>, tensor<1x4x4x8xf16>
// CHECK-DAG: ane.concat {{.*}} {axis = 2 : i64} : tensor<1x4x4x8xf16>, tensor<1x4x4x8xf16>
func.func @branch(%x: tensor<1x4x16x16xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %x2 = ane.constant dense<0.25> : tensor<1x4x1x1xf16>
  %p = ane.constant dense<0.5> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 3, dim = 2, size = 4>, pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>}
     : tensor<1x4x16x16xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.conv %x, %p {ane.tile = #ane.tile<group = 3, dim = 2, size = 4>, strides = array<i64: 2, 2>}
     : tensor<1x4x16x16xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  %2 = ane.elementwise add %0, %1 {ane.tile = #ane.tile<group = 3, dim = 2, size = 4>}
     : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %3 = ane.elementwise max %2, %x2 {ane.tile = #ane.tile<group = 3, dim = 2, size = 4>}
     : tensor<1x4x8x8xf16>, tensor<1x4x1x1xf16> -> tensor<1x4x8x8xf16>
  return %2, %3 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

// -----

// Pooling of windows that reach over the border; rows that are joined.
// CHECK-LABEL: @pool
// CHECK-COUNT-3: ane.pool average
// CHECK-NOT: ane.pool
// CHECK: ane.concat
func.func @pool(%x: tensor<1x4x5x8xf16>, %y: tensor<1x4x7x8xf16>) -> tensor<1x4x6x8xf16> {
  %0 = ane.concat %x, %y {axis = 2 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>}
     : tensor<1x4x5x8xf16>, tensor<1x4x7x8xf16> -> tensor<1x4x12x8xf16>
  %1 = ane.pool average %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 2>, kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 1>}
     : tensor<1x4x12x8xf16> -> tensor<1x4x6x8xf16>
  return %1 : tensor<1x4x6x8xf16>
}

// -----

// Attention over parts of the queries, which are columns, then rows.
// CHECK-LABEL: @attention
// CHECK: ane.slice %arg0 {{.*}}sizes = array<i64: 1, 2, 8, 32>
// CHECK: ane.matmul {{.*}} -> tensor<1x2x32x64xf16>
// CHECK: ane.softmax {{.*}} -> tensor<1x2x32x64xf16>
// CHECK: ane.matmul {{.*}} -> tensor<1x2x8x32xf16>
// CHECK: ane.reshape {{.*}} -> tensor<1x16x1x32xf16>
// CHECK: ane.concat {{.*}} {axis = 3 : i64}
func.func @attention(%q: tensor<1x2x8x64xf16>, %k: tensor<1x2x8x64xf16>, %v: tensor<1x2x8x64xf16>) -> tensor<1x16x1x64xf16> {
  %0 = ane.matmul %q, %k {transpose_lhs, ane.tile = #ane.tile<group = 0, dim = 2, size = 32>}
     : tensor<1x2x8x64xf16>, tensor<1x2x8x64xf16> -> tensor<1x2x64x64xf16>
  %1 = ane.softmax %0 {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 32>} : tensor<1x2x64x64xf16> -> tensor<1x2x64x64xf16>
  %2 = ane.matmul %v, %1 {transpose_rhs, ane.tile = #ane.tile<group = 0, dim = 3, size = 32>}
     : tensor<1x2x8x64xf16>, tensor<1x2x64x64xf16> -> tensor<1x2x8x64xf16>
  %3 = ane.reshape %2 {ane.tile = #ane.tile<group = 0, dim = 3, size = 32>} : tensor<1x2x8x64xf16> -> tensor<1x16x1x64xf16>
  return %3 : tensor<1x16x1x64xf16>
}

// -----

// Channels of a depthwise convolution, with their weights.
// CHECK-LABEL: @channels
// CHECK: ane.conv {{.*}}groups = 3 : i64{{.*}} tensor<3x1x3x3xf16> -> tensor<1x3x6x6xf16>
// CHECK: ane.conv {{.*}} tensor<1x1x3x3xf16> -> tensor<1x1x6x6xf16>
func.func @channels(%x: tensor<1x4x8x8xf16>) -> tensor<1x4x6x6xf16> {
  %w = ane.constant dense<0.125> : tensor<4x1x3x3xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 1, size = 3>, groups = 4 : i64}
     : tensor<1x4x8x8xf16>, tensor<4x1x3x3xf16> -> tensor<1x4x6x6xf16>
  return %0 : tensor<1x4x6x6xf16>
}

// -----

// Rows of a depth-to-space are pairs; a window that wants half a pair cuts it
// off behind the views.
// CHECK-LABEL: @shuffle
// CHECK: ane.interleave {{.*}} -> tensor<1x2x5x16xf16>
// CHECK: ane.reshape {{.*}} -> tensor<1x1x10x16xf16>
// CHECK: ane.slice {{.*}} -> tensor<1x1x9x16xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x1x8x16xf16>
func.func @shuffle(%x: tensor<1x4x8x8xf16>) -> tensor<1x1x16x16xf16> {
  %w = ane.constant dense<0.125> : tensor<1x1x3x3xf16>
  %0 = ane.interleave %x {factor = 2 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x4x8x8xf16> -> tensor<1x2x8x16xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1, 3>, ane.tile = #ane.tile<group = 0, dim = 1, size = 4>} : tensor<1x2x8x16xf16> -> tensor<1x8x2x16xf16>
  %2 = ane.reshape %1 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>} : tensor<1x8x2x16xf16> -> tensor<1x1x16x16xf16>
  %3 = ane.conv %2, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>}
     : tensor<1x1x16x16xf16>, tensor<1x1x3x3xf16> -> tensor<1x1x16x16xf16>
  return %3 : tensor<1x1x16x16xf16>
}

// -----

// Strips without a row of the next: where any has one, all are copied to the result, from
// what is used inside.
// CHECK-LABEL: @leaves
// CHECK: %[[A0:.*]] = ane.conv %{{.*}} -> tensor<1x4x5x8xf16>
// CHECK: %[[S0:.*]] = ane.slice %[[A0]] {{.*}} -> tensor<1x4x4x8xf16>
// CHECK: ane.conv %[[A0]]
// CHECK: %[[A1:.*]] = ane.conv %{{.*}} -> tensor<1x4x4x8xf16>
// CHECK: %[[S1:.*]] = ane.slice %[[A1]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 4, 8>
// CHECK: ane.conv %[[A1]]
// CHECK: ane.concat %[[S0]], %[[S1]] {axis = 2 : i64}
func.func @leaves(%x: tensor<1x4x8x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %w = ane.constant dense<1.0> : tensor<4x4x1x1xf16>
  %v = ane.constant dense<1.0> : tensor<4x4x2x1xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x4x8x8xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x8x8xf16>
  %1 = ane.conv %0, %v {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, pad = array<i64: 0, 1, 0, 0>} : tensor<1x4x8x8xf16>, tensor<4x4x2x1xf16> -> tensor<1x4x8x8xf16>
  return %0, %1 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

// -----

// The DMA cannot start at column 31, of which column 32 of the result is made: all
// columns are computed.
// CHECK-LABEL: @columns_of_windows
// CHECK: %[[C:.*]] = ane.conv {{.*}} -> tensor<1x1x8x96xf16>
// CHECK: ane.slice %[[C]] {offsets = array<i64: 0, 0, 0, 32>
func.func @columns_of_windows(%x: tensor<1x1x16x96xf16>) -> tensor<1x1x16x64xf16> {
  %w = ane.constant dense<0.125> : tensor<1x1x1x3xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 0, 0, 1, 1>}
     : tensor<1x1x16x96xf16>, tensor<1x1x1x3xf16> -> tensor<1x1x16x96xf16>
  %1 = ane.slice %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 1, 16, 64>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x1x16x96xf16> -> tensor<1x1x16x64xf16>
  return %1 : tensor<1x1x16x64xf16>
}

// -----

// A reshape is cut along one dimension: it gives all channels of its strip,
// though some are needed.
// CHECK-LABEL: @channels_behind_reshape
// CHECK: ane.reshape {{.*}} : tensor<1x8x8x8xf16> -> tensor<1x8x4x16xf16>
// CHECK: ane.slice {{.*}} -> tensor<1x3x4x16xf16>
// CHECK: ane.reshape {{.*}} : tensor<1x8x8x8xf16> -> tensor<1x8x4x16xf16>
// CHECK: ane.slice {{.*}} -> tensor<1x3x4x16xf16>
func.func @channels_behind_reshape(%x: tensor<1x8x16x8xf16>) -> tensor<1x3x8x16xf16> {
  %0 = ane.activation %x {function = #ane.act<neg>, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>} : tensor<1x8x16x8xf16> -> tensor<1x8x16x8xf16>
  %1 = ane.reshape %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x8x16x8xf16> -> tensor<1x8x8x16xf16>
  %2 = ane.slice %1 {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, offsets = array<i64: 0, 3, 0, 0>, sizes = array<i64: 1, 3, 8, 16>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x8x8x16xf16> -> tensor<1x3x8x16xf16>
  %3 = ane.activation %2 {function = #ane.act<relu>, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x3x8x16xf16> -> tensor<1x3x8x16xf16>
  return %3 : tensor<1x3x8x16xf16>
}

// -----

// Rows of some channels are kept for the next strip: what is copied lies
// behind the first of them.
// CHECK-LABEL: @kept_channels
func.func @kept_channels(%x: tensor<1x8x16x8xf16>) -> tensor<1x4x16x8xf16> {
  %w = ane.constant dense<0.125> : tensor<4x3x3x3xf16>
  %0 = ane.activation %x {function = #ane.act<neg>, ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>} : tensor<1x8x16x8xf16> -> tensor<1x8x16x8xf16>
  %1 = ane.slice %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, offsets = array<i64: 0, 3, 0, 0>, sizes = array<i64: 1, 3, 16, 8>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x8x16x8xf16> -> tensor<1x3x16x8xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>} : tensor<1x3x16x8xf16>, tensor<4x3x3x3xf16> -> tensor<1x4x16x8xf16>
  return %2 : tensor<1x4x16x8xf16>
}

// -----

// Of columns from 32 on, a window needs one more in front, where no row can begin: it begins
// with the first. What is behind them is not computed.
// CHECK-LABEL: @columns_in_front
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 9, 65>
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x4x8x64xf16>
// CHECK: ane.slice %[[A]] {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 4, 8, 32>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 7, 0>, sizes = array<i64: 1, 4, 9, 65>
// CHECK: ane.concat
func.func @columns_in_front(%x: tensor<1x4x16x96xf16>) -> tensor<1x4x16x32xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %v = ane.constant dense<0.25> : tensor<4x4x1x1xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x16x96xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x16x96xf16>
  %1 = ane.slice %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 4, 16, 64>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x16x96xf16> -> tensor<1x4x16x64xf16>
  %2 = ane.conv %1, %v {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>}
     : tensor<1x4x16x64xf16>, tensor<4x4x1x1xf16> -> tensor<1x4x16x64xf16>
  %3 = ane.slice %2 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>, offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 16, 32>, strides = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x16x64xf16> -> tensor<1x4x16x32xf16>
  return %3 : tensor<1x4x16x32xf16>
}

// -----

// What a task stores transposed stays so in strips.
// CHECK-LABEL: @stored_transposed
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x8x2x16xf16>
// CHECK: %[[B:.*]] = ane.conv {{.*}} -> tensor<1x8x2x16xf16>
// CHECK: %[[C:.*]] = ane.conv {{.*}} -> tensor<1x8x1x16xf16>
// CHECK: %[[AT:.*]] = ane.transpose %[[A]] {perm = array<i64: 0, 3, 2, 1>} : tensor<1x8x2x16xf16> -> tensor<1x16x2x8xf16>
// CHECK: %[[BT:.*]] = ane.transpose %[[B]]
// CHECK: %[[CT:.*]] = ane.transpose %[[C]]
// CHECK: %[[T:.*]] = ane.concat %[[AT]], %[[BT]], %[[CT]] {axis = 2 : i64}
// CHECK-NEXT: return %[[T]]
func.func @stored_transposed(%x: tensor<1x4x5x16xf16>) -> tensor<1x16x5x8xf16> {
  %w = ane.constant dense<0.125> : tensor<8x4x1x1xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 2>}
     : tensor<1x4x5x16xf16>, tensor<8x4x1x1xf16> -> tensor<1x8x5x16xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x8x5x16xf16> -> tensor<1x16x5x8xf16>
  return %1 : tensor<1x16x5x8xf16>
}

// -----

// Of a banded weight, a strip of output channels needs the input channels that
// are no zeros for it: one, two, and one of nothing but zeros.
// CHECK-LABEL: @banded
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 3, 16>
// CHECK: ane.conv {{.*}} tensor<1x1x3x16xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x3x16xf16>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 2, 3, 16>
// CHECK: ane.slice {{.*}} {offsets = array<i64: 1, 1, 0, 0>, sizes = array<i64: 1, 2, 1, 1>
// CHECK: ane.conv {{.*}} tensor<1x2x3x16xf16>, tensor<1x2x1x1xf16> -> tensor<1x1x3x16xf16>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 3, 16>
// CHECK: ane.conv
func.func @banded(%x: tensor<1x4x3x16xf16>) -> tensor<1x3x3x16xf16> {
  %w = ane.constant dense<[[[[2.0]], [[0.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.5]], [[0.25]], [[0.0]]], [[[0.0]], [[0.0]], [[0.0]], [[0.0]]]]> : tensor<3x4x1x1xf16>
  %0 = ane.conv %x, %w {ane.banded, ane.tile = #ane.tile<group = 0, dim = 1, size = 1>}
     : tensor<1x4x3x16xf16>, tensor<3x4x1x1xf16> -> tensor<1x3x3x16xf16>
  return %0 : tensor<1x3x3x16xf16>
}

// -----

// The slice needs channels from the second on, which are columns in front of
// the transpose: no row can begin there, so the strips have all columns.
// CHECK-LABEL: @columns_behind_transpose
// CHECK: %[[X:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 4, 64>
// CHECK: %[[T:.*]] = ane.transpose %[[X]] {{.*}} -> tensor<1x64x4x3xf16>
// CHECK: ane.slice %[[T]] {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 63, 4, 3>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 4, 0>, sizes = array<i64: 1, 3, 4, 64>
func.func @columns_behind_transpose(%x: tensor<1x3x8x64xf16>) -> tensor<1x3x8x32xf16> {
  %0 = ane.transpose %x {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, perm = array<i64: 0, 3, 2, 1>}
     : tensor<1x3x8x64xf16> -> tensor<1x64x8x3xf16>
  %1 = ane.slice %0 {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>,
                     offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 32, 8, 3>, strides = array<i64: 1, 2, 1, 1>}
     : tensor<1x64x8x3xf16> -> tensor<1x32x8x3xf16>
  %2 = ane.transpose %1 {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, perm = array<i64: 0, 3, 2, 1>}
     : tensor<1x32x8x3xf16> -> tensor<1x3x8x32xf16>
  return %2 : tensor<1x3x8x32xf16>
}

// -----

// Strips of channels are strips of columns behind the transpose: those of 20
// would end where no row can begin, so it stays an op behind all of them.
// CHECK-LABEL: @channels_to_columns
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x20x8x16xf16>
// CHECK: %[[B:.*]] = ane.conv {{.*}} -> tensor<1x20x8x16xf16>
// CHECK: %[[C:.*]] = ane.concat %[[A]], %[[B]] {axis = 1 : i64}
// CHECK: ane.transpose %[[C]]
// CHECK-NOT: ane.concat
func.func @channels_to_columns(%x: tensor<1x4x8x16xf16>) -> tensor<1x16x8x40xf16> {
  %w = ane.constant dense<0.125> : tensor<40x4x1x1xf16>
  %0 = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 1, size = 20>}
     : tensor<1x4x8x16xf16>, tensor<40x4x1x1xf16> -> tensor<1x40x8x16xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x40x8x16xf16> -> tensor<1x16x8x40xf16>
  return %1 : tensor<1x16x8x40xf16>
}
