// RUN: ane-opt %s --split-input-file --convert-linalg-to-ane | FileCheck %s

// CHECK-LABEL: func.func @conv_bias
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[Y:.*]] = ane.conv %[[X]], %{{.*}} bias %{{.*}} {strides = array<i64: 2, 2>} : tensor<1x2x9x9xf16>, tensor<4x2x3x3xf32>, tensor<4xf32> -> tensor<1x4x4x4xf16>
// CHECK-NEXT: ane.cast %[[Y]]
func.func @conv_bias(%x: tensor<1x2x9x9xf32>) -> tensor<1x4x4x4xf32> {
  %w = arith.constant dense<0.5> : tensor<4x2x3x3xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x4x4xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x2x9x9xf32>, tensor<4x2x3x3xf32>) outs(%i : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// One value for each row is no bias.

// CHECK-LABEL: func.func @conv_rows
// CHECK-NOT: bias
// CHECK: %[[C:.*]] = ane.conv
// CHECK-NOT: bias
// CHECK: ane.elementwise add %[[C]]
func.func @conv_rows(%x: tensor<1x2x9x9xf32>) -> tensor<1x4x4x4xf32> {
  %w = arith.constant dense<0.5> : tensor<4x2x3x3xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x4x4xf32>) dimensions = [0, 1, 3]
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %w : tensor<1x2x9x9xf32>, tensor<4x2x3x3xf32>) outs(%i : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// A destination that holds data is added behind; one filled with 0 is not.

// CHECK-LABEL: func.func @conv_init
// CHECK: %[[A:.*]] = ane.conv {{.*}} {dilations = array<i64: 2, 2>} : tensor<1x2x9x9xf16>, tensor<4x2x3x3xf32> -> tensor<1x4x5x5xf16>
// CHECK: %[[B:.*]] = ane.conv
// CHECK: ane.elementwise add %[[B]], %[[A]]
func.func @conv_init(%x: tensor<1x2x9x9xf32>) -> tensor<1x4x5x5xf32> {
  %w = arith.constant dense<0.5> : tensor<4x2x3x3xf32>
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x5xf32>
  %i = linalg.fill ins(%c : f32) outs(%e : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x2x9x9xf32>, tensor<4x2x3x3xf32>) outs(%i : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x2x9x9xf32>, tensor<4x2x3x3xf32>) outs(%0 : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %1 : tensor<1x4x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @conv_nhwc
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x5x5x2xf16> -> tensor<1x2x5x5xf16>
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 3, 2, 0, 1>} : tensor<3x3x2x4xf32> -> tensor<4x2x3x3xf32>
// CHECK: ane.conv
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x3x3xf16> -> tensor<1x3x3x4xf16>
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<4x3x3x2xf32> -> tensor<4x2x3x3xf32>
// CHECK: ane.conv
// CHECK: %[[T:.*]] = ane.transpose %{{.*}} {perm = array<i64: 2, 3, 0, 1>} : tensor<3x3x2x2xf32> -> tensor<2x2x3x3xf32>
// CHECK: %[[W:.*]] = ane.reshape %[[T]] : tensor<2x2x3x3xf32> -> tensor<4x1x3x3xf32>
// CHECK: ane.conv %{{.*}}, %[[W]] {groups = 2 : i64}
func.func @conv_nhwc(%x: tensor<1x5x5x2xf32>) -> (tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x2x2xf32>) {
  %w = arith.constant dense<0.5> : tensor<3x3x2x4xf32>
  %v = arith.constant dense<0.5> : tensor<4x3x3x2xf32>
  %i = arith.constant dense<0.0> : tensor<1x3x3x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) outs(%i : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %1 = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %v : tensor<1x5x5x2xf32>, tensor<4x3x3x2xf32>) outs(%i : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %d = arith.constant dense<0.5> : tensor<3x3x2x2xf32>
  %j = arith.constant dense<0.0> : tensor<1x3x3x2x2xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %d : tensor<1x5x5x2xf32>, tensor<3x3x2x2xf32>) outs(%j : tensor<1x3x3x2x2xf32>) -> tensor<1x3x3x2x2xf32>
  return %0, %1, %2 : tensor<1x3x3x4xf32>, tensor<1x3x3x4xf32>, tensor<1x3x3x2x2xf32>
}

// -----

// A sum over a window is its average times the elements.

// CHECK-LABEL: func.func @pools
// CHECK: %[[A:.*]] = ane.pool average %{{.*}} {kernel = array<i64: 2, 3>, strides = array<i64: 2, 3>} : tensor<1x2x6x6xf16> -> tensor<1x2x3x2xf16>
// CHECK: %[[N:.*]] = ane.constant dense<6.000000e+00> : tensor<1x1x1x1xf32>
// CHECK: ane.elementwise mul %[[A]], %[[N]]
// CHECK: %[[M:.*]] = ane.pool max %{{.*}} {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x2x6x6xf16> -> tensor<1x2x3x3xf16>
// CHECK-NOT: ane.elementwise max
// CHECK: return
func.func @pools(%x: tensor<1x2x6x6xf32>) -> (tensor<1x2x3x2xf32>, tensor<1x2x3x3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x2x3x2xf32>
  %low = arith.constant dense<0xFF800000> : tensor<1x2x3x3xf32>
  %k = tensor.empty() : tensor<2x3xf32>
  %l = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>}
    ins(%x, %k : tensor<1x2x6x6xf32>, tensor<2x3xf32>) outs(%zero : tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
  %1 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %l : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%low : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %0, %1 : tensor<1x2x3x2xf32>, tensor<1x2x3x3xf32>
}

// -----

// A maximum that starts from 0 is at least 0.

// CHECK-LABEL: func.func @pools_nhwc
// CHECK: ane.pool max
// CHECK: ane.elementwise max
// CHECK: ane.pool average
func.func @pools_nhwc(%x: tensor<1x4x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x2x2x2xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %k : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%x, %k : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0, %1 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @depthwise_nchw
// CHECK: %[[W:.*]] = ane.reshape %{{.*}} : tensor<3x2x2xf32> -> tensor<3x1x2x2xf32>
// CHECK: ane.conv %{{.*}}, %[[W]] {groups = 3 : i64}
func.func @depthwise_nchw(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32> {
  %w = arith.constant dense<0.5> : tensor<3x2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x3x3x3xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x3x4x4xf32>, tensor<3x2x2xf32>) outs(%zero : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

// -----

// The least is the largest of the negative ones.

// CHECK-LABEL: func.func @pool_min
// CHECK: ane.activation %{{.*}} {function = #ane.act<neg>}
// CHECK: %[[P:.*]] = ane.pool max
// CHECK: ane.activation %[[P]] {function = #ane.act<neg>}
func.func @pool_min(%x: tensor<1x4x4x3xf32>) -> tensor<1x3x3x3xf32> {
  %k = tensor.empty() : tensor<2x2xf32>
  %most = arith.constant dense<3.4e38> : tensor<1x3x3x3xf32>
  %0 = linalg.pooling_nhwc_min ins(%x, %k : tensor<1x4x4x3xf32>, tensor<2x2xf32>) outs(%most : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

// -----

// CHECK-LABEL: func.func @row
// CHECK: %[[X:.*]] = ane.reshape %{{.*}} : tensor<1x3x8xf16> -> tensor<1x3x1x8xf16>
// CHECK: %[[Y:.*]] = ane.conv %[[X]], %{{.*}} {dilations = array<i64: 1, 2>, strides = array<i64: 1, 2>} : tensor<1x3x1x8xf16>, tensor<4x3x1x2xf32> -> tensor<1x4x1x3xf16>
// CHECK: ane.reshape %[[Y]] : tensor<1x4x1x3xf16> -> tensor<1x4x3xf16>
func.func @row(%x: tensor<1x3x8xf32>) -> tensor<1x4x3xf32> {
  %w = arith.constant dense<0.5> : tensor<4x3x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x4x3xf32>
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<1x3x8xf32>, tensor<4x3x2xf32>) outs(%zero : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @row_nwc
// CHECK: %[[Y:.*]] = ane.conv %{{.*}}, %{{.*}} : tensor<1x3x1x8xf16>, tensor<4x3x1x2xf32> -> tensor<1x4x1x7xf16>
// CHECK: %[[R:.*]] = ane.reshape %[[Y]] : tensor<1x4x1x7xf16> -> tensor<1x4x7xf16>
// CHECK: ane.transpose %[[R]] {perm = array<i64: 0, 2, 1>}
func.func @row_nwc(%x: tensor<1x8x3xf32>) -> tensor<1x7x4xf32> {
  %w = arith.constant dense<0.5> : tensor<2x3x4xf32>
  %zero = arith.constant dense<0.0> : tensor<1x7x4xf32>
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x8x3xf32>, tensor<2x3x4xf32>) outs(%zero : tensor<1x7x4xf32>) -> tensor<1x7x4xf32>
  return %0 : tensor<1x7x4xf32>
}

// -----

// CHECK-LABEL: func.func @groups
// CHECK: ane.conv %{{.*}}, %{{.*}} {groups = 2 : i64} : tensor<1x6x4x4xf16>, tensor<10x3x2x2xf32> -> tensor<1x10x3x3xf16>
// CHECK: ane.reshape %{{.*}} : tensor<1x10x3x3xf16> -> tensor<1x2x5x3x3xf16>
func.func @groups(%x: tensor<1x2x3x4x4xf32>) -> tensor<1x2x5x3x3xf32> {
  %w = arith.constant dense<0.5> : tensor<2x5x3x2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<1x2x5x3x3xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x3x4x4xf32>, tensor<2x5x3x2x2xf32>) outs(%zero : tensor<1x2x5x3x3xf32>) -> tensor<1x2x5x3x3xf32>
  return %0 : tensor<1x2x5x3x3xf32>
}

// -----

// Without a name, in an order of dimensions that has none: an image with
// channels last, a kernel with output channels first, a result turned round.

// CHECK-LABEL: func.func @generic_conv
// CHECK: %[[X:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x9x8x2xf16> -> tensor<1x2x9x8xf16>
// CHECK: %[[Y:.*]] = ane.conv %[[X]], %{{.*}} bias %{{.*}} {dilations = array<i64: 2, 1>, strides = array<i64: 1, 2>} : tensor<1x2x9x8xf16>, tensor<4x2x3x2xf32>, tensor<4xf32> -> tensor<1x4x5x4xf16>
// CHECK: ane.transpose %[[Y]] {perm = array<i64: 0, 3, 2, 1>} : tensor<1x4x5x4xf16> -> tensor<1x4x5x4xf16>
// CHECK-NOT: ane.elementwise
func.func @generic_conv(%x: tensor<1x9x8x2xf32>) -> tensor<1x4x5x4xf32> {
  %w = arith.constant dense<0.5> : tensor<4x2x3x2xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %i = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x5x4xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<1x4x5x4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(n, h, w, o, i, k, l) -> (n, h + k * 2, w * 2 + l, i)>,
                       affine_map<(n, h, w, o, i, k, l) -> (o, i, k, l)>,
                       affine_map<(n, h, w, o, i, k, l) -> (n, w, h, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x8x2xf32>, tensor<4x2x3x2xf32>) outs(%i : tensor<1x4x5x4xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %p = arith.mulf %c, %a : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x4xf32>
  return %0 : tensor<1x4x5x4xf32>
}

// -----

// Groups, an input that the windows do not exhaust, sums of a wider type.

// CHECK-LABEL: func.func @generic_groups
// CHECK: ane.conv %{{.*}} {groups = 3 : i64, strides = array<i64: 2, 2>} : tensor<1x6x8x8xf16>, tensor<12x2x3x3xf16> -> tensor<1x12x3x3xf16>
func.func @generic_groups(%x: tensor<3x2x8x8xf16>, %w: tensor<3x4x2x3x3xf16>) -> tensor<3x4x3x3xf32> {
  %i = arith.constant dense<0.0> : tensor<3x4x3x3xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(g, o, h, w, i, k, l) -> (g, i, h * 2 + k, w * 2 + l)>,
                       affine_map<(g, o, h, w, i, k, l) -> (g, o, i, k, l)>,
                       affine_map<(g, o, h, w, i, k, l) -> (g, o, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x8x8xf16>, tensor<3x4x2x3x3xf16>) outs(%i : tensor<3x4x3x3xf32>) {
  ^bb0(%a: f16, %c: f16, %out: f32):
    %a32 = arith.extf %a : f16 to f32
    %c32 = arith.extf %c : f16 to f32
    %p = arith.mulf %a32, %c32 : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x4x3x3xf32>
  return %0 : tensor<3x4x3x3xf32>
}

// -----

// The largest of a row, from a fill that has no name either.

// CHECK-LABEL: func.func @generic_pool
// CHECK: %[[P:.*]] = ane.pool max %{{.*}} {kernel = array<i64: 1, 3>, strides = array<i64: 1, 2>} : tensor<2x4x1x9xf16> -> tensor<2x4x1x4xf16>
// CHECK-NOT: ane.elementwise
// CHECK: return
func.func @generic_pool(%x: tensor<2x4x9xf32>) -> tensor<2x4x4xf32> {
  %low = arith.constant -3.4e38 : f32
  %e = tensor.empty() : tensor<2x4x4xf32>
  %k = tensor.empty() : tensor<3xf32>
  %i = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> ()>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%low : f32) outs(%e : tensor<2x4x4xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<2x4x4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(n, c, h, k) -> (n, c, h * 2 + k)>, affine_map<(n, c, h, k) -> (k)>,
                       affine_map<(n, c, h, k) -> (n, c, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<2x4x9xf32>, tensor<3xf32>) outs(%i : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %m = arith.maximumf %out, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

// A window of one element that a canonicalization has left out: every second
// pixel, and a product.

// CHECK-LABEL: func.func @steps
// CHECK: %[[S:.*]] = ane.slice %{{.*}} {offsets = array<i64: 1, 0>, sizes = array<i64: 4, 3>, strides = array<i64: 2, 1>} : tensor<9x3xf16> -> tensor<4x3xf16>
// CHECK: ane.matmul %{{.*}} : tensor<1x4x3xf16>, tensor<1x3x5xf32> -> tensor<1x4x5xf16>
func.func @steps(%x: tensor<9x3xf32>) -> tensor<4x5xf32> {
  %w = arith.constant dense<0.5> : tensor<3x5xf32>
  %i = arith.constant dense<0.0> : tensor<4x5xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(h, o, i) -> (h * 2 + 1, i)>, affine_map<(h, o, i) -> (i, o)>, affine_map<(h, o, i) -> (h, o)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x3xf32>, tensor<3x5xf32>) outs(%i : tensor<4x5xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// Pixels with gaps in zeros: a transposed convolution, whose kernel is the one
// of the source turned round, with input channels of each group in front.

// CHECK-LABEL: func.func @transposed
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3, 4>} : tensor<2x4x3x1x3xf32> -> tensor<2x3x4x1x3xf32>
// CHECK-COUNT-3: ane.slice %{{.*}} : tensor<6x4x1x3xf32> -> tensor<6x4x1x1xf32>
// CHECK: ane.conv_transpose %{{.*}}, %{{.*}} {groups = 2 : i64, pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 2>} : tensor<1x6x1x5xf16>, tensor<6x4x1x3xf32> -> tensor<1x8x1x10xf16>
func.func @transposed(%x: tensor<2x3x5xf32>) -> tensor<2x4x10xf32> {
  %w = arith.constant dense<"0x0000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F00000040000040400000803F0000004000004040"> : tensor<2x4x3x3xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x3x12xf32>
  %i = arith.constant dense<0.0> : tensor<2x4x10xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 1] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x12xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(g, o, w, i, k) -> (g, i, w + k)>, affine_map<(g, o, w, i, k) -> (g, o, i, k)>, affine_map<(g, o, w, i, k) -> (g, o, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%s, %w : tensor<2x3x12xf32>, tensor<2x4x3x3xf32>) outs(%i : tensor<2x4x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %out, %p : f32
    linalg.yield %q : f32
  } -> tensor<2x4x10xf32>
  return %0 : tensor<2x4x10xf32>
}

// -----

// The first windows see zeros alone, and so does nothing transposed: the gaps
// are padding, and the convolution stays.

// CHECK-LABEL: func.func @far_in_zeros
// CHECK-NOT: ane.conv_transpose
// CHECK: ane.pad
// CHECK: ane.conv %
func.func @far_in_zeros(%x: tensor<1x3x2xf32>) -> tensor<1x4x8xf32> {
  %w = arith.constant dense<0.5> : tensor<4x3x2xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x3x9xf32>
  %i = arith.constant dense<0.0> : tensor<1x4x8xf32>
  %s = tensor.insert_slice %x into %zeros[0, 0, 4] [1, 3, 2] [1, 1, 2] : tensor<1x3x2xf32> into tensor<1x3x9xf32>
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%s, %w : tensor<1x3x9xf32>, tensor<4x3x2xf32>) outs(%i : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

// Fusion has moved what is pooled into the window: it is computed before, with
// what is repeated along the rows.

// CHECK-LABEL: func.func @fused_pool
// CHECK: %[[Y:.*]] = ane.reshape %{{.*}} : tensor<3xf16> -> tensor<3x1xf16>
// CHECK: %[[P:.*]] = ane.elementwise mul %{{.*}}, %[[Y]] : tensor<3x8xf16>, tensor<3x1xf16> -> tensor<3x8xf16>
// CHECK: %[[E:.*]] = ane.activation %[[P]] {function = #ane.act<exp>}
// CHECK: %[[X:.*]] = ane.reshape %[[E]] : tensor<3x8xf16> -> tensor<1x3x1x8xf16>
// CHECK: ane.pool max %[[X]] {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>} : tensor<1x3x1x8xf16> -> tensor<1x3x1x4xf16>
func.func @fused_pool(%x: tensor<3x8xf32>, %y: tensor<3xf32>) -> tensor<3x4xf32> {
  %low = arith.constant dense<-3.4e38> : tensor<3x4xf32>
  %k = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(c, w, k) -> (c, w * 2 + k)>, affine_map<(c, w, k) -> (c)>, affine_map<(c, w, k) -> (k)>, affine_map<(c, w, k) -> (c, w)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %k : tensor<3x8xf32>, tensor<3xf32>, tensor<2xf32>) outs(%low : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %e = math.exp %p : f32
    %m = arith.maximumf %out, %e : f32
    linalg.yield %m : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// ... and a kernel of bytes that the body scales.

// CHECK-LABEL: func.func @fused_kernel
// CHECK: %[[W:.*]] = ane.elementwise mul %{{.*}} : tensor<4x3x2xf32>, tensor<4x1x1xf32> -> tensor<4x3x2xf32>
// CHECK: ane.conv %{{.*}} : tensor<1x3x1x8xf16>, tensor<4x3x1x2xf32> -> tensor<1x4x1x7xf16>
func.func @fused_kernel(%x: tensor<1x3x8xf32>) -> tensor<1x4x7xf32> {
  %w = arith.constant dense<3> : tensor<4x3x2xi8>
  %s = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %i = arith.constant dense<0.0> : tensor<1x4x7xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(n, o, w, i, k) -> (n, i, w + k)>, affine_map<(n, o, w, i, k) -> (o, i, k)>,
                       affine_map<(n, o, w, i, k) -> (o)>, affine_map<(n, o, w, i, k) -> (n, o, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<1x3x8xf32>, tensor<4x3x2xi8>, tensor<4xf32>) outs(%i : tensor<1x4x7xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %g = arith.mulf %f, %c : f32
    %p = arith.mulf %a, %g : f32
    %q = arith.addf %out, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x4x7xf32>
  return %0 : tensor<1x4x7xf32>
}

// -----

// A window with gaps: maxima of two, four and then all five elements along the rows; ones for a
// sum; padding with the least number, since rows are moved by products.

// CHECK-LABEL: func.func @pool_dilated
// CHECK: %[[P:.*]] = ane.pad %{{.*}} {high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 2, 0>, value = -6.550400e+04 : f32}
// CHECK: %[[A:.*]] = ane.elementwise max {{.*}} -> tensor<1x2x13x9xf16>
// CHECK: %[[B:.*]] = ane.elementwise max {{.*}} -> tensor<1x2x9x9xf16>
// CHECK: %[[L:.*]] = ane.slice %[[B]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 2, 4, 9>, strides = array<i64: 1, 1, 2, 1>}
// CHECK: %[[R:.*]] = ane.slice %[[B]] {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 2, 4, 9>, strides = array<i64: 1, 1, 2, 1>}
// CHECK: %[[C:.*]] = ane.elementwise max %[[L]], %[[R]]
// CHECK: ane.pool max %[[C]] {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>} : tensor<1x2x4x9xf16> -> tensor<1x2x4x4xf16>
// CHECK: %[[O:.*]] = ane.constant dense<1.000000e+00> : tensor<2x1x2x2xf32>
// CHECK: ane.conv %{{.*}}, %[[O]] {dilations = array<i64: 3, 3>, groups = 2 : i64} : tensor<1x2x12x9xf16>
func.func @pool_dilated(%x: tensor<1x2x12x9xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x9x6xf32>) {
  %l = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %l : f32
  } : tensor<1x2x12x9xf32> to tensor<1x2x15x9xf32>
  %k = tensor.empty() : tensor<5x2xf32>
  %i = arith.constant dense<0xFF800000> : tensor<1x2x4x4xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<[2, 1]> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%p, %k : tensor<1x2x15x9xf32>, tensor<5x2xf32>) outs(%i : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %j = arith.constant dense<0.0> : tensor<1x2x9x6xf32>
  %1 = linalg.pooling_nchw_sum {dilations = dense<3> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x2x12x9xf32>, tensor<2x2xf32>) outs(%j : tensor<1x2x9x6xf32>) -> tensor<1x2x9x6xf32>
  return %0, %1 : tensor<1x2x4x4xf32>, tensor<1x2x9x6xf32>
}

// -----

// The least element, from where there is data already.

// CHECK-LABEL: func.func @least_from_data
// CHECK: %[[P:.*]] = ane.pool max
// CHECK: %[[N:.*]] = ane.activation %[[P]] {function = #ane.act<neg>}
// CHECK: %[[Y:.*]] = ane.transpose %[[N]]
// CHECK: ane.elementwise min %[[Y]]
func.func @least_from_data(%x: tensor<1x4x4x2xf32>, %i: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
  %w = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nhwc_min {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%i : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}

// -----

// What the numbers of iterations move is a window, unless its coefficients are computed or it
// leaves the image.

#x = affine_map<(n, c, w, i) -> (n, c, w)>
#k = affine_map<(n, c, w, i) -> (c, i)>
// CHECK-LABEL: func.func @extracted
// CHECK: ane.conv %{{.*}} {groups = 4 : i64, strides = array<i64: 1, 2>} : tensor<1x4x1x17xf16>, tensor<4x1x1x3xf32> -> tensor<1x4x1x8xf16>
// CHECK-NOT: ane.conv
// CHECK: ane.reduce sum
func.func @extracted(%x: tensor<1x4x17xf32>, %d: tensor<4x3xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %k = arith.constant dense<2.0> : tensor<4x3xf32>
  %i = arith.constant dense<0.0> : tensor<1x4x8xf32>
  %0 = linalg.generic {indexing_maps = [#k, #x], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%k : tensor<4x3xf32>) outs(%i : tensor<1x4x8xf32>) {
  ^bb0(%b: f32, %acc: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %w = linalg.index 2 : index
    %j = linalg.index 3 : index
    %two = arith.constant 2 : index
    %w2 = arith.muli %w, %two : index
    %ww = arith.addi %w2, %j : index
    %v = tensor.extract %x[%n, %c, %ww] : tensor<1x4x17xf32>
    %p = arith.mulf %v, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8xf32>
  %1 = linalg.generic {indexing_maps = [#k, #x], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%d : tensor<4x3xf32>) outs(%i : tensor<1x4x8xf32>) {
  ^bb0(%b: f32, %acc: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %w = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ww = arith.addi %w, %j : index
    %v = tensor.extract %x[%n, %c, %ww] : tensor<1x4x17xf32>
    %p = arith.mulf %v, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x8xf32>
  return %0, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

// -----

// Bytes are multiplied as floats: sums that f16 counts are integers, larger ones are kept smaller
// by a power of 2, which the scale behind them takes back.

// CHECK-LABEL: func.func @quantized
// CHECK: %[[Y:.*]] = ane.matmul {{.*}} -> tensor<1x2x3xf16>
// CHECK: ane.activation %{{.*}} {function = #ane.act<trunc>}
// CHECK: %[[E:.*]] = ane.constant dense<6.250000e-02> : tensor<1x1xf32>
// CHECK: ane.elementwise mul %{{.*}}, %[[E]]
// CHECK: %[[Z:.*]] = ane.matmul
// CHECK: %[[T:.*]] = ane.constant dense<1.600000e+01> : tensor<2x3xf32>
// CHECK: %[[S:.*]] = ane.elementwise mul %{{.*}}, %[[T]]
// CHECK: ane.elementwise mul %{{.*}}, %[[S]]
func.func @quantized(%x: tensor<2x9xi8>) -> (tensor<2x3xi32>, tensor<2x3xf32>) {
  %one = arith.constant dense<1> : tensor<9x3xi8>
  %z = arith.constant dense<-7> : tensor<2x3xi32>
  %0 = linalg.matmul ins(%x, %one : tensor<2x9xi8>, tensor<9x3xi8>) outs(%z : tensor<2x3xi32>) -> tensor<2x3xi32>
  %w = arith.constant dense<100> : tensor<9x3xi8>
  %zx = arith.constant 3 : i32
  %zw = arith.constant -128 : i32
  %1 = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<2x9xi8>, tensor<9x3xi8>, i32, i32) outs(%z : tensor<2x3xi32>) -> tensor<2x3xi32>
  %f = arith.sitofp %1 : tensor<2x3xi32> to tensor<2x3xf32>
  %scale = arith.constant dense<0.125> : tensor<2x3xf32>
  %r = arith.mulf %f, %scale : tensor<2x3xf32>
  return %0, %r : tensor<2x3xi32>, tensor<2x3xf32>
}

// -----

// A channel of nothing but infinities stays one.

// CHECK-LABEL: func.func @padded_channel
// CHECK: %[[P:.*]] = ane.pad %{{.*}} value = 0xFF800000 : f32
// CHECK: ane.pool max %[[P]]
func.func @padded_channel(%x: tensor<1x2x12x9xf32>) -> tensor<1x3x11x8xf32> {
  %l = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %l : f32
  } : tensor<1x2x12x9xf32> to tensor<1x3x12x9xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %i = arith.constant dense<0xFF800000> : tensor<1x3x11x8xf32>
  %0 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%p, %k : tensor<1x3x12x9xf32>, tensor<2x2xf32>) outs(%i : tensor<1x3x11x8xf32>) -> tensor<1x3x11x8xf32>
  return %0 : tensor<1x3x11x8xf32>
}
