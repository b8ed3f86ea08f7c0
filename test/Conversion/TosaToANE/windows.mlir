// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// CHECK-LABEL: func.func @conv2d
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[W:.*]] = ane.constant dense<5.000000e-01> : tensor<4x3x3x3xf32>
// CHECK: %[[B:.*]] = ane.constant dense<[{{.*}}]> : tensor<4xf32>
// CHECK: %[[NCHW:.*]] = ane.transpose %[[X]] {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x3xf16> -> tensor<1x3x8x8xf16>
// CHECK: %[[OIHW:.*]] = ane.transpose %[[W]] {perm = array<i64: 0, 3, 1, 2>} : tensor<4x3x3x3xf32> -> tensor<4x3x3x3xf32>
// CHECK: %[[Y:.*]] = ane.conv %[[NCHW]], %[[OIHW]] bias %[[B]]
// CHECK-SAME: pad = array<i64: 1, 0, 1, 0>
// CHECK-SAME: strides = array<i64: 2, 2>
// CHECK-SAME: -> tensor<1x4x4x4xf16>
// CHECK: ane.transpose %[[Y]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x4x4xf16> -> tensor<1x4x4x4xf16>
func.func @conv2d(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// A bias of one element is added behind.

// CHECK-LABEL: func.func @conv2d_one_bias
// CHECK: %[[Y:.*]] = ane.conv %{{[0-9]+}}, %{{[0-9]+}} {
// CHECK-SAME: dilations = array<i64: 2, 2>
// CHECK: %[[B:.*]] = ane.reshape %{{.*}} : tensor<1xf32> -> tensor<1x1x1x1xf32>
// CHECK: ane.elementwise add %[[Y]], %[[B]] : tensor<1x4x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x4x4xf16>
func.func @conv2d_one_bias(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x4x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<4x3x3x3xf32>}> : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// Kh x Kw x C x M becomes (C * M) x 1 x Kh x Kw.

// CHECK-LABEL: func.func @depthwise
// CHECK: %[[T:.*]] = ane.transpose %{{.*}} {perm = array<i64: 2, 3, 0, 1>} : tensor<3x2x4x2xf32> -> tensor<4x2x3x2xf32>
// CHECK: %[[W:.*]] = ane.reshape %[[T]] : tensor<4x2x3x2xf32> -> tensor<8x1x3x2xf32>
// CHECK: ane.conv %{{.*}}, %[[W]] bias %{{.*}} {groups = 4 : i64{{.*}}} : tensor<1x4x8x8xf16>, tensor<8x1x3x2xf32>, tensor<8xf32> -> tensor<1x8x6x7xf16>
func.func @depthwise(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x7x8xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<3x2x4x2xf32>}> : () -> tensor<3x2x4x2xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x8x8x4xf32>, tensor<3x2x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x7x8xf32>
  return %0 : tensor<1x6x7x8xf32>
}

// -----

// The weight is O x Kh x Kw x I; `out_pad` that cuts becomes `pad`.

// CHECK-LABEL: func.func @transpose_conv2d
// CHECK: %[[W:.*]] = ane.transpose %{{.*}} {perm = array<i64: 3, 0, 1, 2>} : tensor<2x4x4x3xf32> -> tensor<3x2x4x4xf32>
// CHECK: ane.conv_transpose %{{.*}}, %[[W]] bias %{{.*}} {pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
// CHECK-SAME: -> tensor<1x2x8x8xf16>
func.func @transpose_conv2d(%x: tensor<1x4x4x3xf32>) -> tensor<1x8x8x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<2x4x4x3xf32>}> : () -> tensor<2x4x4x3xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: -1, -1, -1, -1>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x3xf32>, tensor<2x4x4x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x2xf32>
  return %0 : tensor<1x8x8x2xf32>
}

// -----

// `out_pad` that adds rows is a pad behind, and the bias goes over it.

// CHECK-LABEL: func.func @transpose_conv2d_grows
// CHECK: %[[Y:.*]] = ane.conv_transpose %{{[0-9]+}}, %{{[0-9]+}} {pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 2>}
// CHECK-SAME: -> tensor<1x2x8x9xf16>
// CHECK: %[[P:.*]] = ane.pad %[[Y]] {high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 0, 0>} : tensor<1x2x8x9xf16> -> tensor<1x2x9x9xf16>
// CHECK: %[[B:.*]] = ane.reshape %{{.*}} : tensor<2xf32> -> tensor<1x2x1x1xf32>
// CHECK: ane.elementwise add %[[P]], %[[B]]
func.func @transpose_conv2d_grows(%x: tensor<1x4x4x3xf32>) -> tensor<1x9x9x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<2x3x3x3xf32>}> : () -> tensor<2x3x3x3xf32>
  %b = "tosa.const"() <{values = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, out_pad = array<i64: -1, 1, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<1x4x4x3xf32>, tensor<2x3x3x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x9x2xf32>
  return %0 : tensor<1x9x9x2xf32>
}

// -----

// CHECK-LABEL: func.func @pools
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>}
// CHECK: ane.pool max %{{.*}} {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x4x8x8xf16> -> tensor<1x4x4x4xf16>
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 3, 1>}
// CHECK: ane.pool average %{{.*}} {kernel = array<i64: 4, 4>{{.*}}} : tensor<1x4x4x4xf16> -> tensor<1x4x1x1xf16>
func.func @pools(%x: tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = tosa.avg_pool2d %0, %zp, %zp {acc_type = f32, kernel = array<i64: 4, 4>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>
  return %1 : tensor<1x1x1x4xf32>
}

// -----

// Nearest with half-pixel positions repeats pixels.

// CHECK-LABEL: func.func @nearest
// CHECK: ane.resize nearest %{{.*}} {half_pixel} : tensor<1x3x4x4xf16> -> tensor<1x3x8x8xf16>
func.func @nearest(%x: tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// -----

// CHECK-LABEL: func.func @bilinear_half_pixel
// CHECK: ane.resize bilinear %{{.*}} {half_pixel} : tensor<1x3x4x4xf16> -> tensor<1x3x8x8xf16>
func.func @bilinear_half_pixel(%x: tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// -----

// CHECK-LABEL: func.func @bilinear_corners
// CHECK: ane.resize bilinear %{{.*}} {align_corners} : tensor<1x3x4x4xf16> -> tensor<1x3x7x7xf16>
func.func @bilinear_corners(%x: tensor<1x4x4x3xf32>) -> tensor<1x7x7x3xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x3xf32>
  return %0 : tensor<1x7x7x3xf32>
}

// -----

// CHECK-LABEL: func.func @bilinear_asymmetric
// CHECK: ane.resize bilinear %{{[0-9]+}} : tensor<1x3x4x4xf16> -> tensor<1x3x8x8xf16>
func.func @bilinear_asymmetric(%x: tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %border {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// -----

// One pixel is repeated, whatever the positions.

// CHECK-LABEL: func.func @one_pixel
// CHECK: ane.resize bilinear %{{.*}} {half_pixel} : tensor<1x3x1x1xf16> -> tensor<1x3x4x4xf16>
func.func @one_pixel(%x: tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32> {
  %scale = tosa.const_shape {values = dense<[1, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[3, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x1x1x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

// Positions that no mode of ane.resize has are products with matrices.

// CHECK-LABEL: func.func @any_position
// CHECK: %[[R:.*]] = ane.constant dense<{{\[+}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00]]]]> : tensor<1x1x4x2xf32>
// CHECK: %[[Y:.*]] = ane.matmul %[[R]], %{{.*}} -> tensor<1x3x4x2xf16>
// CHECK: ane.matmul %[[Y]], %{{.*}} {transpose_rhs} {{.*}} -> tensor<1x3x4x4xf16>
func.func @any_position(%x: tensor<1x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %scale = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

// Generators begin with a constant: windows move over f16, also where nothing but constants
// is in front of them.

// CHECK-LABEL: func.func @constant_image
// CHECK: ane.cast %{{.*}} : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf16>
// CHECK: ane.pool max %{{.*}} -> tensor<1x2x3x3xf16>
// CHECK: ane.cast %{{.*}} : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf16>
// CHECK: ane.conv %{{.*}} : tensor<1x2x4x4xf16>, tensor<3x2x2x2xf32>, tensor<3xf32> -> tensor<1x3x3x3xf16>
// CHECK: ane.cast %{{.*}} : tensor<1x2x4x4xf32> -> tensor<1x2x4x4xf16>
// CHECK: ane.resize bilinear %{{.*}} -> tensor<1x2x7x7xf16>
func.func @constant_image() -> (tensor<1x3x3x2xf32>, tensor<1x3x3x3xf32>, tensor<1x7x7x2xf32>) {
  %x = "tosa.const"() <{values = dense<0.5> : tensor<1x4x4x2xf32>}> : () -> tensor<1x4x4x2xf32>
  %w = "tosa.const"() <{values = dense<0.1> : tensor<3x2x2x2xf32>}> : () -> tensor<3x2x2x2xf32>
  %b = "tosa.const"() <{values = dense<0.1> : tensor<3xf32>}> : () -> tensor<3xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>) -> tensor<1x3x3x2xf32>
  %1 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x3xf32>
  %2 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x4x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x7x2xf32>
  return %0, %1, %2 : tensor<1x3x3x2xf32>, tensor<1x3x3x3xf32>, tensor<1x7x7x2xf32>
}

// -----

// More padding than a window may have stands around the image.

// CHECK-LABEL: func.func @wide_padding
// CHECK: ane.pad %{{.*}} {high = array<i64: 0, 0, 2, 0>, low = array<i64: 0, 0, 1, 0>} : tensor<1x1x4x4xf16> -> tensor<1x1x7x4xf16>
// CHECK: ane.conv %{{.*}} {pad = array<i64: 0, 0, 1, 0>} : tensor<1x1x7x4xf16>, tensor<1x1x1x2xf32>
func.func @wide_padding(%x: tensor<1x4x4x1xf32>) -> tensor<1x7x4x1xf32> {
  %w = "tosa.const"() <{values = dense<0.5> : tensor<1x1x2x1xf32>}> : () -> tensor<1x1x2x1xf32>
  %b = "tosa.const"() <{values = dense<0.1> : tensor<1xf32>}> : () -> tensor<1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 1, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x1x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x4x1xf32>
  return %0 : tensor<1x7x4x1xf32>
}

// -----

// Nearest pixels that are not as many copies of each: a matrix of ones.
// CHECK-LABEL: func.func @nearest_corners
// CHECK: dense<{{\[\[\[\[}}1.0{{0*}}e+00, 0.0{{0*}}e+00], [1.0{{0*}}e+00, 0.0{{0*}}e+00], [0.0{{0*}}e+00, 1.0{{0*}}e+00], [0.0{{0*}}e+00, 1.0{{0*}}e+00], [0.0{{0*}}e+00, 1.0{{0*}}e+00]]]]> : tensor<1x1x5x2xf32>
// CHECK: ane.matmul
func.func @nearest_corners(%x: tensor<1x1x2x1xf32>) -> tensor<1x1x5x1xf32> {
  %scale = tosa.const_shape {values = dense<[1, 1, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = NEAREST_NEIGHBOR} : (tensor<1x1x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x5x1xf32>
  return %0 : tensor<1x1x5x1xf32>
}
