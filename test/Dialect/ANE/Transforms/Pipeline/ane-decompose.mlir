// RUN: ane-opt %s --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-decompose=allow-unproven --split-input-file | FileCheck %s --check-prefix=UNPROVEN

//===----------------------------------------------------------------------===//
// Average pooling
//===----------------------------------------------------------------------===//

// A window without border is one depthwise convolution with 1/n.
// CHECK-LABEL: @average_inside
// CHECK: %[[W:.*]] = ane.constant dense<2.5{{0*}}e-01> : tensor<6x1x2x2xf16>
// CHECK: ane.conv %{{.*}}, %[[W]] {groups = 6 : i64, strides = array<i64: 2, 2>}
// CHECK-NOT: ane.elementwise
// CHECK-NOT: ane.pool
func.func @average_inside(%x: tensor<1x6x8x8xf16>) -> tensor<1x6x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
     : tensor<1x6x8x8xf16> -> tensor<1x6x4x4xf16>
  return %y : tensor<1x6x4x4xf16>
}

// -----

// At the border the window has fewer elements: 9/4 in the corner, 9/6 on the side.
// CHECK-LABEL: @average_excludes_pad
// CHECK-DAG: %[[MAP:.*]] = ane.constant dense<{{\[\[\[\[}}2.25{{0*}}e+00, 1.5{{0*}}e+00, 1.5{{0*}}e+00, 2.25{{0*}}e+00], [1.5{{0*}}e+00, 1.0{{0*}}e+00
// CHECK: %[[SUM:.*]] = ane.conv {{.*}}pad = array<i64: 1, 1, 1, 1>
// CHECK: ane.elementwise mul %[[SUM]], %[[MAP]]
func.func @average_excludes_pad(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// -----

// CHECK-LABEL: @average_includes_pad
// CHECK: ane.conv
// CHECK-NOT: ane.elementwise
func.func @average_includes_pad(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, count_include_pad}
     : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// -----

// Wider than a kernel, but the whole image.
// CHECK-LABEL: @average_image
// CHECK: ane.reduce mean %{{.*}} {axes = array<i64: 2, 3>}
func.func @average_image(%x: tensor<1x2x32x32xf16>) -> tensor<1x2x1x1xf16> {
  %y = ane.pool average %x {kernel = array<i64: 32, 32>}
     : tensor<1x2x32x32xf16> -> tensor<1x2x1x1xf16>
  return %y : tensor<1x2x1x1xf16>
}

// -----

//===----------------------------------------------------------------------===//
// Maximum pooling
//===----------------------------------------------------------------------===//

// Rows by a view, columns by two convolutions. The first column is at the border.
// CHECK-LABEL: @max_2x2
// CHECK-DAG: %[[TOP:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 7, 8>
// CHECK-DAG: %[[BOTTOM:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 2, 7, 8>
// CHECK: %[[ROWS:.*]] = ane.elementwise max %[[TOP]], %[[BOTTOM]]
// CHECK: %[[LEFT:.*]] = ane.conv %[[ROWS]], {{.*}}strides = array<i64: 2, 2>} : tensor<1x2x7x8xf16>, tensor<2x1x1x1xf16> -> tensor<1x2x4x4xf16>
// CHECK: %[[RIGHT:.*]] = ane.conv %[[ROWS]], {{.*}}strides = array<i64: 2, 2>} : tensor<1x2x7x8xf16>, tensor<2x1x3x3xf16> -> tensor<1x2x4x4xf16>
// CHECK: %[[Y:.*]] = ane.elementwise max %[[LEFT]], %[[RIGHT]]
// CHECK: return %[[Y]]
// No task is a pool of maxima, whatever is allowed.
// UNPROVEN-LABEL: @max_2x2
// UNPROVEN-NOT: ane.pool
// UNPROVEN: return
func.func @max_2x2(%x: tensor<1x2x8x8xf16>) -> tensor<1x2x4x4xf16> {
  %y = ane.pool max %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>}
     : tensor<1x2x8x8xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// -----

// Signed data: the column that the first tap misses is masked.
// CHECK-LABEL: @max_signed_pad
// CHECK-DAG: %[[MASK:.*]] = ane.constant dense<{{\[\[\[\[}}-6.5504{{0*}}e+04, 0.0{{0*}}e+00, 0.0{{0*}}e+00, 0.0{{0*}}e+00]]]]> : tensor<1x1x1x4xf16>
// The first window has two rows inside the image.
// CHECK: ane.concat {{.*}} {axis = 2 : i64} : tensor<1x1x1x8xf16>, tensor<1x1x6x8xf16> -> tensor<1x1x7x8xf16>
// CHECK: ane.conv {{.*}}pad = array<i64: 0, 2, 1, 0>, strides = array<i64: 2, 2>
// CHECK: ane.conv %{{.*}} {strides = array<i64: 2, 2>} {{.*}}, tensor<1x1x1x1xf16>
// CHECK: ane.conv {{.*}}pad = array<i64: 0, 2, 1, 0>, strides = array<i64: 2, 2>
// CHECK: ane.elementwise add %{{.*}}, %[[MASK]]
func.func @max_signed_pad(%x: tensor<1x1x8x8xf16>) -> tensor<1x1x4x4xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
     : tensor<1x1x8x8xf16> -> tensor<1x1x4x4xf16>
  return %y : tensor<1x1x4x4xf16>
}

// -----

// Behind a relu zeros cannot win, also through a second pool.
// CHECK-LABEL: @max_relu_pad
// CHECK-NOT: ane.elementwise add
// CHECK: return
func.func @max_relu_pad(%x: tensor<1x1x8x8xf16>) -> tensor<1x1x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x8x8xf16> -> tensor<1x1x8x8xf16>
  %1 = ane.pool max %0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x1x8x8xf16> -> tensor<1x1x8x8xf16>
  %2 = ane.pool max %1 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x1x8x8xf16> -> tensor<1x1x8x8xf16>
  return %2 : tensor<1x1x8x8xf16>
}

// -----

// A hundred windows hang over the border: whole ones of a higher image are
// fewer ops (eight powers of two, and the two that make 300 rows).
// CHECK-LABEL: @max_many_clipped
// CHECK: %[[BORDER:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 299, 0>
// CHECK: ane.concat %arg0, %{{.*}} {axis = 2 : i64} : tensor<1x1x300x1xf16>, tensor<1x1x100x1xf16> -> tensor<1x1x400x1xf16>
// CHECK-COUNT-9: ane.elementwise max %{{.*}}, %{{.*}} : tensor<{{.*}}x1xf16>, tensor<{{.*}}x1xf16>
// CHECK-NOT: ane.elementwise
// CHECK: return
func.func @max_many_clipped(%x: tensor<1x1x300x1xf16>) -> tensor<1x1x101x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 300, 1>, pad = array<i64: 0, 100, 0, 0>}
     : tensor<1x1x300x1xf16> -> tensor<1x1x101x1xf16>
  return %y : tensor<1x1x101x1xf16>
}

// -----

// CHECK-LABEL: @max_image
// CHECK: ane.reduce max %{{.*}} {axes = array<i64: 2, 3>}
func.func @max_image(%x: tensor<1x2x32x32xf16>) -> tensor<1x2x1x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 32, 32>}
     : tensor<1x2x32x32xf16> -> tensor<1x2x1x1xf16>
  return %y : tensor<1x2x1x1xf16>
}

// -----

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

// A row of 130 channels and 8192 columns has more bytes than L2 has for a source.
// CHECK-LABEL: @wide_rows
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 65, 2, 8192>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 65, 0, 0>, sizes = array<i64: 1, 65, 2, 8192>
// CHECK: ane.concat {{.*}} {axis = 1 : i64}
func.func @wide_rows(%x: tensor<1x130x2x8192xf16>) -> tensor<1x130x2x8192xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x130x2x8192xf16> -> tensor<1x130x2x8192xf16>
  return %y : tensor<1x130x2x8192xf16>
}

// -----

// Larger than L2, but its rows are not: tiles of rows do it in one task.
// CHECK-LABEL: @tall
// CHECK-NOT: ane.slice
// CHECK: ane.elementwise
// CHECK-NOT: ane.concat
func.func @tall(%x: tensor<1x64x512x112xf16>) -> tensor<1x64x512x112xf16> {
  %y = ane.elementwise add %x, %x : tensor<1x64x512x112xf16>, tensor<1x64x512x112xf16> -> tensor<1x64x512x112xf16>
  return %y : tensor<1x64x512x112xf16>
}

// -----

// Columns move, and do so before there are more of them, unless L2 holds all.
// CHECK-LABEL: @resize_large
// CHECK: ane.conv %{{.*}} : tensor<1x72x{{.*}}>, tensor<144x72x1x1xf16>
// CHECK: ane.conv %{{.*}} {ane.banded} : tensor<1x64x{{.*}}>, tensor<128x64x1x1xf16>
func.func @resize_large(%x: tensor<1x96x64x72xf16>) -> tensor<1x96x128x144xf16> {
  %y = ane.resize bilinear %x : tensor<1x96x64x72xf16> -> tensor<1x96x128x144xf16>
  return %y : tensor<1x96x128x144xf16>
}

// -----

// Of a large matrix only parts along the diagonal are there, from where rows may
// start.
// CHECK-LABEL: @resize_in_parts
// CHECK-COUNT-2: ane.conv {{.*}} tensor<480x544x1x1xf16>
// CHECK: ane.conv {{.*}} tensor<40x44x1x1xf16>
// CHECK: ane.concat {{.*}} {axis = 3
func.func @resize_in_parts(%x: tensor<1x1x1x1100xf16>) -> tensor<1x1x1x1000xf16> {
  %y = ane.resize bilinear %x {half_pixel} : tensor<1x1x1x1100xf16> -> tensor<1x1x1x1000xf16>
  return %y : tensor<1x1x1x1000xf16>
}

// -----

// CHECK-LABEL: @resize_small
// CHECK: ane.conv %{{.*}} {ane.banded} : tensor<1x64x{{.*}}>, tensor<128x64x1x1xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x72x{{.*}}>, tensor<144x72x1x1xf16>
func.func @resize_small(%x: tensor<1x8x64x72xf16>) -> tensor<1x8x128x144xf16> {
  %y = ane.resize bilinear %x : tensor<1x8x64x72xf16> -> tensor<1x8x128x144xf16>
  return %y : tensor<1x8x128x144xf16>
}

// -----

// What L2 does not hold is stored as pixels without a copy: both columns of a
// block are one convolution.

// CHECK-LABEL: func @doubled_large
// CHECK-COUNT-2: ane.conv %{{.*}} : tensor<1x16x128x128xf16>, tensor<32x16x2x3xf32> -> tensor<1x32x128x128xf16>
func.func @doubled_large(%a: tensor<1x16x128x128xf16>) -> tensor<1x16x256x256xf16> {
  %w = ane.constant dense<0.25> : tensor<16x16x3x3xf32>
  %x = ane.resize nearest %a : tensor<1x16x128x128xf16> -> tensor<1x16x256x256xf16>
  %y = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x256x256xf16>, tensor<16x16x3x3xf32> -> tensor<1x16x256x256xf16>
  return %y : tensor<1x16x256x256xf16>
}

// -----

// The summand of each column is a bias of the convolution.
// CHECK-LABEL: @product_and_summands
// CHECK: ane.conv %{{.*}} bias %{{.*}} {activation = #ane.act<relu>} : tensor<1x3x1x5xf16>, tensor<4x3x1x1xf16>, tensor<4xf16>
// CHECK-NOT: ane.elementwise
func.func @product_and_summands(%x: tensor<1x1x5x3xf16>) -> tensor<1x1x5x4xf16> {
  %w = ane.constant dense<0.5> : tensor<1x1x3x4xf16>
  %b = ane.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf16>
  %r = ane.reshape %b : tensor<4xf16> -> tensor<1x1x1x4xf16>
  %0 = ane.matmul %x, %w : tensor<1x1x5x3xf16>, tensor<1x1x3x4xf16> -> tensor<1x1x5x4xf16>
  %1 = ane.elementwise add %0, %r {activation = #ane.act<relu>} : tensor<1x1x5x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x5x4xf16>
  return %1 : tensor<1x1x5x4xf16>
}

// -----

// More rows than L2 has columns for are rows of an image.

// CHECK-LABEL: func.func @rows_as_image
// CHECK: ane.conv {{.*}} : tensor<1x64x16x1024xf16>, tensor<8x64x1x1xf16>
// CHECK: return %{{.*}} : tensor<1x1x16384x8xf16>
func.func @rows_as_image(%x: tensor<1x1x16384x64xf16>) -> tensor<1x1x16384x8xf16> {
  %w = ane.constant dense<0.5> : tensor<1x1x64x8xf16>
  %y = ane.matmul %x, %w : tensor<1x1x16384x64xf16>, tensor<1x1x64x8xf16> -> tensor<1x1x16384x8xf16>
  return %y : tensor<1x1x16384x8xf16>
}

// -----

// Samples of a table are nearer to each other if the argument is larger; what
// several convolutions share is made once. Weights stay within f16.

// CHECK-LABEL: func.func @stretched
// CHECK-DAG: %[[W:.*]] = ane.constant dense<{{.*}}1.333{{.*}}2.666{{.*}}> : tensor<2x1x1x1xf32>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<4.000000e+00> : tensor<2xf16>
// CHECK-DAG: ane.conv %arg0, %[[W]] bias %[[B]] {activation = #ane.act<softplus, 1.33{{[0-9]*}}>}
// CHECK-DAG: ane.conv %arg0, %[[W]] {activation = #ane.act<gelu_tanh, 1.33{{[0-9]*}}>}
// CHECK-DAG: ane.conv %arg0, %{{.*}} {activation = #ane.act<tanh>}
// CHECK-DAG: ane.conv %arg0, %{{.*}} {activation = #ane.act<softplus>}
func.func @stretched(%x: tensor<1x1x2x2xf16>) -> (tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>, tensor<1x1x2x2xf16>) {
  %w = ane.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %b = ane.constant dense<3.0> : tensor<2xf16>
  %v = ane.constant dense<60000.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<softplus>} : tensor<1x1x2x2xf16>, tensor<2x1x1x1xf32>, tensor<2xf16> -> tensor<1x2x2x2xf16>
  %1 = ane.conv %x, %w {activation = #ane.act<gelu_tanh>} : tensor<1x1x2x2xf16>, tensor<2x1x1x1xf32> -> tensor<1x2x2x2xf16>
  %2 = ane.conv %x, %w {activation = #ane.act<tanh>} : tensor<1x1x2x2xf16>, tensor<2x1x1x1xf32> -> tensor<1x2x2x2xf16>
  %3 = ane.conv %x, %v {activation = #ane.act<softplus>} : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x2x2xf16>
  return %0, %1, %2, %3 : tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>, tensor<1x1x2x2xf16>
}

// -----

// A task of a maximum over channels has a row of all of them in L2: 30,719 channels of 32
// columns. The maximum of more is that of two parts.
// CHECK-LABEL: @maximum_of_many_channels
// CHECK-DAG: %[[A:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16000, 1, 32>
// CHECK-DAG: %[[B:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 16000, 0, 0>, sizes = array<i64: 1, 16000, 1, 32>
// CHECK-DAG: %[[MA:.*]] = ane.reduce max %[[A]] {axes = array<i64: 1>}
// CHECK-DAG: %[[MB:.*]] = ane.reduce max %[[B]] {axes = array<i64: 1>}
// CHECK: %[[BOTH:.*]] = ane.concat %[[MA]], %[[MB]] {axis = 1 : i64}
// CHECK: ane.reduce max %[[BOTH]] {axes = array<i64: 1>} : tensor<1x2x1x32xf16> -> tensor<1x1x1x32xf16>
func.func @maximum_of_many_channels(%x: tensor<1x32000x1x32xf16>) -> tensor<1x1x1x32xf16> {
  %y = ane.reduce max %x {axes = array<i64: 1>} : tensor<1x32000x1x32xf16> -> tensor<1x1x1x32xf16>
  return %y : tensor<1x1x1x32xf16>
}

// -----

//===----------------------------------------------------------------------===//
// Transposes of three dimensions
//===----------------------------------------------------------------------===//

// They are those of an image, whose rows and columns need not become one row.
// CHECK-LABEL: @transpose_image
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 3, 1>} : tensor<1x96x64x49xf16> -> tensor<1x64x49x96xf16>
func.func @transpose_image(%x: tensor<96x64x49xf16>) -> tensor<64x49x96xf16> {
  %y = ane.transpose %x {perm = array<i64: 1, 2, 0>} : tensor<96x64x49xf16> -> tensor<64x49x96xf16>
  return %y : tensor<64x49x96xf16>
}

// -----

// But one row was what they are made of, and dimensions of 1 are where they were.
// CHECK-LABEL: @transpose_of_row
// CHECK-NEXT: ane.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : tensor<1x96x1x3136xf16> -> tensor<1x1x3136x96xf16>
func.func @transpose_of_row(%x: tensor<1x96x1x3136xf16>) -> tensor<64x49x96xf16> {
  %r = ane.reshape %x : tensor<1x96x1x3136xf16> -> tensor<96x64x49xf16>
  %y = ane.transpose %r {perm = array<i64: 1, 2, 0>} : tensor<96x64x49xf16> -> tensor<64x49x96xf16>
  return %y : tensor<64x49x96xf16>
}

// -----

// A part of weights that several convolutions share is made once, too.
// CHECK-LABEL: func.func @stretched_parts
// CHECK: %[[W:.*]] = ane.constant dense<{{.*}}2.666{{.*}}> : tensor<1x1x1x1xf32>
// CHECK-NOT: ane.constant
// CHECK: ane.conv %arg0, %[[W]] {activation = #ane.act<sigmoid, 1.33{{[0-9]*}}>}
// CHECK: ane.conv %arg1, %[[W]] {activation = #ane.act<sigmoid, 1.33{{[0-9]*}}>}
func.func @stretched_parts(%x: tensor<1x1x2x2xf16>, %y: tensor<1x1x2x2xf16>) -> (tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>) {
  %w = ane.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %v = ane.slice %w {offsets = array<i64: 1, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<2x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %u = ane.slice %w {offsets = array<i64: 1, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<2x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %0 = ane.conv %x, %v {activation = #ane.act<sigmoid>} : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  %1 = ane.conv %y, %u {activation = #ane.act<sigmoid>} : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x2x2xf16>
  return %0, %1 : tensor<1x1x2x2xf16>, tensor<1x1x2x2xf16>
}

// -----

// 0.001 / x with an inverse of 16 x, which f16 holds of smaller x than that of x.
// CHECK-LABEL: @number_over_small
// CHECK: %[[X:.*]] = ane.elementwise mul %arg0, %{{.*}} : tensor<1x2x4x4xf16>, tensor<1x1x1x1xf32>
// CHECK: %[[INVERSE:.*]] = ane.activation %[[X]] {function = #ane.act<reciprocal>}
// CHECK: ane.elementwise mul %[[INVERSE]], %{{.*}}
// CHECK-LABEL: @number_over
// CHECK-NEXT: constant
// CHECK-NEXT: ane.activation %arg0 {function = #ane.act<reciprocal>}
func.func @number_over_small(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %c = ane.constant dense<1.0e-3> : tensor<1x1x1x1xf32>
  %y = ane.elementwise div %c, %x : tensor<1x1x1x1xf32>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}
func.func @number_over(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf32>
  %y = ane.elementwise div %c, %x : tensor<1x1x1x1xf32>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}
