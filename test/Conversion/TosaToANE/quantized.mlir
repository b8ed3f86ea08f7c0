// RUN: ane-opt %s --convert-tosa-to-ane --split-input-file | FileCheck %s

// The numbers that bytes stand for; the accumulator is 2^4 times smaller, so that
// 255 * (100 + 127 + 9 + 80) * 2 fits f16, and the rescale makes up for it.

// CHECK-LABEL: func.func @conv(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x2xf16>) -> tensor<1x4x4x2xf16>
// CHECK: %[[S:.*]] = ane.elementwise sub %[[X]], %{{.*}}
// CHECK: ane.transpose %[[S]]
// CHECK: %[[C:.*]] = ane.conv
// CHECK: %[[T:.*]] = ane.transpose %[[C]]
// CHECK: %[[F:.*]] = ane.constant dense<{{.*}}5.000000e-01, 2.500000e-01{{.*}}> : tensor<1x1x1x2xf32>
// CHECK: %[[R:.*]] = ane.elementwise mul %[[T]], %[[F]]
// CHECK: %[[L:.*]] = ane.activation %[[R]] {function = #ane.act<clamp, -1.300000e+02, 1.250000e+02>}
// CHECK: %[[B:.*]] = ane.constant dense<1.536000e+03>
// CHECK: %[[P:.*]] = ane.elementwise add %[[L]], %[[B]]
// CHECK: %[[Q:.*]] = ane.activation %[[P]] {function = #ane.act<clamp, 1.406000e+03, 1.661000e+03>}
// CHECK: %[[Z:.*]] = ane.constant dense<1.534000e+03>
// CHECK: ane.elementwise sub %[[Q]], %[[Z]]
func.func @conv(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %w = "tosa.const"() <{values = dense<[[[[100, -127]]], [[[9, 80]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<[16, 32]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %izp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.conv2d %x, %w, %b, %izp, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %m = "tosa.const"() <{values = dense<[1073741824, 1073741824]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[32, 33]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %ozp = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %m, %s, %zero32, %ozp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %1 : tensor<1x4x4x2xi8>
}

// -----

// Bilinear sampling of bytes leaves the division by both scales, 4 x 4, to the rescale,
// which multiplies with 2^-5 here.

// CHECK-LABEL: func.func @resize(
// CHECK: ane.resize bilinear %{{.*}} {align_corners}
// CHECK: %[[F:.*]] = ane.constant dense<5.000000e-01> : tensor<{{.*}}xf32>
// CHECK: ane.elementwise mul %{{.*}}, %[[F]]
func.func @resize(%x: tensor<1x4x4x3xi8>) -> tensor<1x13x13x3xi8> {
  %scale = tosa.const_shape {values = dense<[4, 1, 4, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x13x13x3xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<35> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %1 = tosa.rescale %0, %m, %s, %z32, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x13x13x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x13x13x3xi8>
  return %1 : tensor<1x13x13x3xi8>
}

// -----

// A mean of bytes, as exporters write it: the sum is 8 times the mean, which fits f16, and the
// rescale multiplies with 2^-3.

// CHECK-LABEL: func.func @mean(
// CHECK: ane.reduce mean %{{.*}} {axes = array<i64: 1>} : tensor<1x8x4x3xf16> -> tensor<1x1x4x3xf16>
// CHECK: %[[F:.*]] = ane.constant dense<1.000000e+00> : tensor<{{.*}}xf32>
// CHECK: ane.elementwise mul %{{.*}}, %[[F]]
func.func @mean(%x: tensor<1x8x4x3xi8>) -> tensor<1x1x4x3xi8> {
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %eighth = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.rescale %x, %m, %one, %z, %z32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x4x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x4x3xi32>
  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<1x8x4x3xi32>) -> tensor<1x1x4x3xi32>
  %2 = tosa.rescale %1, %m, %eighth, %z32, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x1x4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x4x3xi8>
  return %2 : tensor<1x1x4x3xi8>
}

// -----

// Bytes to integers, with a zero point and a factor for each channel: the larger factor is
// left to the next rescale.

// CHECK-LABEL: func.func @widen(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x2xf16>
// CHECK: %[[Z:.*]] = ane.constant dense<-3.000000e+00>
// CHECK: %[[S:.*]] = ane.elementwise sub %[[X]], %[[Z]]
// CHECK: %[[F:.*]] = ane.constant dense<{{.*}}1.000000e+00, 5.000000e-01{{.*}}> : tensor<1x1x1x2xf32>
// CHECK: %[[M:.*]] = ane.elementwise mul %[[S]], %[[F]]
// CHECK: %[[H:.*]] = ane.constant dense<2.500000e-01>
// CHECK: ane.elementwise mul %[[M]], %[[H]]
func.func @widen(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8> {
  %m = "tosa.const"() <{values = dense<[1073741824, 1073741824]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[28, 29]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %izp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.rescale %x, %m, %s, %izp, %z32 {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %eighth = "tosa.const"() <{values = dense<34> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.rescale %0, %one, %eighth, %z32, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  return %1 : tensor<1x4x4x2xi8>
}
