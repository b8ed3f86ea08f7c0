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

// A function by table, a product of bytes with a constant added, and a transposed
// convolution.
func.func @more(%x: tensor<1x4x4x2xf32>) -> tensor<1x9x9x3xf32> {
  %q = tosa.cast %x : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi8>
  %t = "tosa.const"() <{values = dense<[-126, -127, -127, -127, -126, -126, -126, -125, -126, -126, -126, -126, -126, -126, -125, -126, -126, -126, -126, -126, -126, -125, -126, -126, -126, -126, -125, -125, -124, -125, -125, -125, -125, -125, -125, -124, -124, -124, -124, -124, -124, -124, -123, -123, -123, -123, -123, -123, -122, -121, -122, -122, -121, -121, -121, -121, -119, -120, -120, -119, -119, -118, -118, -117, -117, -117, -116, -116, -115, -114, -113, -113, -112, -112, -111, -110, -109, -108, -108, -107, -106, -105, -104, -103, -101, -100, -99, -98, -97, -95, -94, -91, -91, -89, -88, -86, -84, -83, -80, -79, -77, -75, -73, -70, -68, -65, -64, -61, -59, -56, -54, -51, -47, -46, -43, -40, -37, -34, -31, -27, -25, -22, -19, -16, -13, -10, -5, -3, 0, 3, 6, 10, 13, 17, 19, 22, 25, 28, 31, 34, 38, 40, 43, 46, 48, 51, 54, 57, 59, 61, 64, 66, 68, 70, 74, 75, 77, 79, 81, 83, 84, 87, 88, 89, 91, 92, 94, 95, 98, 98, 99, 100, 102, 103, 104, 106, 106, 107, 108, 109, 109, 110, 112, 112, 112, 113, 114, 114, 115, 117, 116, 117, 117, 118, 118, 118, 120, 119, 120, 120, 120, 121, 121, 122, 121, 122, 122, 122, 122, 123, 124, 123, 123, 123, 124, 124, 124, 125, 124, 124, 124, 125, 125, 125, 126, 125, 125, 125, 125, 125, 125, 127, 126, 126, 126, 126, 126, 126, 127, 126, 126, 126, 126, 126, 126, 127, 126, 126, 126, 126, 126, 126, 127, 127, 127, 127]> : tensor<256xi8>}> : () -> tensor<256xi8>
  %f = tosa.table %q, %t : (tensor<1x4x4x2xi8>, tensor<256xi8>) -> tensor<1x4x4x2xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %izp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %a = tosa.rescale %q, %one, %s, %izp, %zero32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
  %b = tosa.rescale %f, %one, %s, %zero, %zero32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
  %p = tosa.mul %a, %b, %zero : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %k = "tosa.const"() <{values = dense<[[[[500, -1000]]]]> : tensor<1x1x1x2xi32>}> : () -> tensor<1x1x1x2xi32>
  %c = tosa.add %p, %k : (tensor<1x4x4x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x4x4x2xi32>
  %sp = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %one, %sp, %zero32, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>

  %w = "tosa.const"() <{values = dense<[[[[-30, 15], [9, -44], [-13, 57]], [[17, 0], [20, 14], [-52, 17]], [[-59, 56], [47, 0], [-27, 10]]], [[[-31, -36], [31, 0], [9, 47]], [[10, 0], [-10, 21], [50, -41]], [[-31, 21], [-41, 51], [58, 6]]], [[[-11, 34], [-59, 25], [39, -52]], [[-40, 37], [15, -55], [-22, 39]], [[-57, 45], [50, -26], [0, 16]]]]> : tensor<3x3x3x2xi8>}> : () -> tensor<3x3x3x2xi8>
  %bias = "tosa.const"() <{values = dense<[100, -200, 300]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %d = tosa.transpose_conv2d %r, %w, %bias, %zero, %zero {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>, tensor<3x3x3x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x9x3xi32>
  %y = tosa.rescale %d, %one, %sp, %zero32, %zero {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x9x9x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x9x9x3xi8>
  %out = tosa.cast %y : (tensor<1x9x9x3xi8>) -> tensor<1x9x9x3xf32>
  return %out : tensor<1x9x9x3xf32>
}
