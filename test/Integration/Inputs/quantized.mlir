// A residual block of 8-bit integers as exporters write it: every accumulator is
// rescaled to bytes, and a sum goes through 32-bit integers of a finer scale.
func.func @net(%x: tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32> {
  %q = tosa.cast %x : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xi8>
  %w = "tosa.const"() <{values = dense<[[[[12, -7, 33, 5]], [[-41, 8, 19, -3]]], [[[7, 61, -22, 14]], [[-9, 27, 3, -50]]], [[[31, -5, 17, 44]], [[-6, -13, 29, 2]]], [[[-8, 15, 4, -37]], [[23, 11, -19, 6]]]]> : tensor<4x2x1x4xi8>}> : () -> tensor<4x2x1x4xi8>
  %b = "tosa.const"() <{values = dense<[100, -200, 300, 50]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %izp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c = tosa.conv2d %q, %w, %b, %izp, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<4x2x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x4xi32>
  %m = "tosa.const"() <{values = dense<[1374389534, 1202590843, 1460288880, 1288490188]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %s = "tosa.const"() <{values = dense<[37, 37, 37, 37]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %ozp = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %s, %zero32, %ozp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x8x8x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x4xi8>
  %k = tosa.clamp %r {max_val = 100 : i8, min_val = -5 : i8} : (tensor<1x8x8x4xi8>) -> tensor<1x8x8x4xi8>

  // x + k, each in steps of 2^-10.
  %ma = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %mb = "tosa.const"() <{values = dense<1342177280> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sh = "tosa.const"() <{values = dense<21> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a0 = tosa.rescale %q, %ma, %sh, %izp, %zero32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x8x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x4xi32>
  %a1 = tosa.rescale %k, %mb, %sh, %ozp, %zero32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x8x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x8x4xi32>
  %a2 = tosa.add %a0, %a1 : (tensor<1x8x8x4xi32>, tensor<1x8x8x4xi32>) -> tensor<1x8x8x4xi32>
  %mc = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %sc = "tosa.const"() <{values = dense<41> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a3 = tosa.rescale %a2, %mc, %sc, %zero32, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x8x8x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x4xi8>

  %dw = "tosa.const"() <{values = dense<[[[[11], [-23], [37], [5]], [[7], [13], [-17], [29]]], [[[-31], [3], [19], [41]], [[2], [43], [-8], [15]]]]> : tensor<2x2x4x1xi8>}> : () -> tensor<2x2x4x1xi8>
  %d = tosa.depthwise_conv2d %a3, %dw, %b, %zero, %zero {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xi8>, tensor<2x2x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi32>
  %sd = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %e = tosa.rescale %d, %mc, %sd, %zero32, %ozp {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
  %p = tosa.max_pool2d %e {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x4xi8>) -> tensor<1x2x2x4xi8>
  %g = tosa.avg_pool2d %p, %ozp, %ozp {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x4xi8>
  %f = tosa.cast %g : (tensor<1x1x1x4xi8>) -> tensor<1x1x1x4xf32>
  return %f : tensor<1x1x1x4xf32>
}
