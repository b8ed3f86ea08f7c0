// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-decompose{sequences=false}))" | FileCheck %s

// CHECK-LABEL: func @softmax
func.func @softmax(%x: tensor<1x3x8x40xf16>) -> tensor<1x3x8x40xf16> {
  // CHECK: %[[MAX:.*]] = ane.reduce max %arg0 {axes = array<i64: 3>}
  // CHECK: %[[BELOW:.*]] = ane.elementwise sub %arg0, %[[MAX]] {scale = 1.44{{[0-9]*}} : f32}
  // CHECK: %[[POWER:.*]] = ane.activation %[[BELOW]] {function = #ane.act<exp2>}
  // CHECK: %[[SHARE:.*]] = ane.reduce sum %[[POWER]] {activation = #ane.act<reciprocal>, axes = array<i64: 3>}
  // CHECK: ane.elementwise mul %[[POWER]], %[[SHARE]]
  %y = ane.softmax %x {axis = 3 : i64} : tensor<1x3x8x40xf16> -> tensor<1x3x8x40xf16>
  return %y : tensor<1x3x8x40xf16>
}

// -----

// Channels stay where they are. What a layer computes is finite: differences of few
// channels are products.
// CHECK-LABEL: func @softmax_channels
func.func @softmax_channels(%x: tensor<1x16x64x64xf16>) -> tensor<1x21x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<21x16x1x1xf16>
  // CHECK: %[[X:.*]] = ane.conv %arg0
  // CHECK: %[[MAX:.*]] = ane.reduce max %[[X]] {axes = array<i64: 1>}
  // CHECK: %[[BOTH:.*]] = ane.concat %[[MAX]], %[[X]] {axis = 1 : i64}
  // CHECK: %[[POWER:.*]] = ane.conv %[[BOTH]], %{{.*}} bias %{{.*}} {activation = #ane.act<exp2>} : tensor<1x22x64x64xf16>, tensor<21x22x1x1xf16>
  // CHECK: %[[SHARE:.*]] = ane.conv %[[POWER]], %{{.*}} {activation = #ane.act<reciprocal>} : {{.*}} -> tensor<1x1x64x64xf16>
  // CHECK: ane.elementwise mul %[[POWER]], %[[SHARE]]
  %c = ane.conv %x, %w : tensor<1x16x64x64xf16>, tensor<21x16x1x1xf16> -> tensor<1x21x64x64xf16>
  %y = ane.softmax %c {axis = 1 : i64} : tensor<1x21x64x64xf16> -> tensor<1x21x64x64xf16>
  return %y : tensor<1x21x64x64xf16>
}

// -----

// Data may be infinite, as what is added to it; a logarithm may be, too.
// CHECK-LABEL: func @softmax_channels_data
func.func @softmax_channels_data(%x: tensor<1x21x64x64xf16>, %w: tensor<1x21x1x1xf16>) -> (tensor<1x21x64x64xf16>, tensor<1x21x64x64xf16>) {
  // CHECK: %[[X:.*]] = ane.elementwise add %arg0, %arg1
  // CHECK: %[[MAX:.*]] = ane.reduce max %[[X]] {axes = array<i64: 1>}
  // CHECK: %[[BELOW:.*]] = ane.elementwise sub %[[X]], %[[MAX]] {bias = -2.000000e+00 : f32, scale = 1.44{{[0-9]*}} : f32}
  // CHECK: %[[POWER:.*]] = ane.activation %[[BELOW]] {function = #ane.act<exp2>}
  // CHECK: ane.conv %[[POWER]], %{{.*}} {activation = #ane.act<reciprocal>}
  // CHECK: ane.activation %{{.*}} {function = #ane.act<log
  // CHECK: ane.elementwise sub
  // CHECK: ane.activation %{{.*}} {function = #ane.act<exp2>}
  %s = ane.elementwise add %x, %w : tensor<1x21x64x64xf16>, tensor<1x21x1x1xf16> -> tensor<1x21x64x64xf16>
  %y = ane.softmax %s {axis = 1 : i64} : tensor<1x21x64x64xf16> -> tensor<1x21x64x64xf16>
  %v = ane.constant dense<0.5> : tensor<21x21x1x1xf16>
  %c = ane.conv %x, %v : tensor<1x21x64x64xf16>, tensor<21x21x1x1xf16> -> tensor<1x21x64x64xf16>
  %l = ane.activation %c {function = #ane.act<log>} : tensor<1x21x64x64xf16> -> tensor<1x21x64x64xf16>
  %z = ane.softmax %l {axis = 1 : i64} : tensor<1x21x64x64xf16> -> tensor<1x21x64x64xf16>
  return %y, %z : tensor<1x21x64x64xf16>, tensor<1x21x64x64xf16>
}

// -----

// A bias that leaves classes out.
// CHECK-LABEL: func @softmax_channels_bias
func.func @softmax_channels_bias(%x: tensor<1x16x64x64xf16>) -> tensor<1x3x64x64xf16> {
  %w = ane.constant dense<0.5> : tensor<3x16x1x1xf16>
  %b = ane.constant dense<[0.0, 0xFC00, 1.0]> : tensor<3xf16>
  // CHECK: ane.elementwise sub
  // CHECK: ane.activation %{{.*}} {function = #ane.act<exp2>}
  %c = ane.conv %x, %w bias %b : tensor<1x16x64x64xf16>, tensor<3x16x1x1xf16>, tensor<3xf16> -> tensor<1x3x64x64xf16>
  %y = ane.softmax %c {axis = 1 : i64} : tensor<1x3x64x64xf16> -> tensor<1x3x64x64xf16>
  return %y : tensor<1x3x64x64xf16>
}

// -----

// Over channels: the mean is a convolution, and only what is squared and summed
// has channels and columns exchanged.
// CHECK-LABEL: func @layer_norm_wide
func.func @layer_norm_wide(%x: tensor<1x160x1x40xf16>) -> tensor<1x160x1x40xf16> {
  // CHECK: %[[MEAN:.*]] = ane.conv %arg0, %{{.*}} : tensor<1x160x1x40xf16>, tensor<1x160x1x1xf16> -> tensor<1x1x1x40xf16>
  // CHECK: %[[CENTRED:.*]] = ane.elementwise sub %arg0, %[[MEAN]]
  // CHECK: %[[ROWS:.*]] = ane.transpose %[[CENTRED]] {perm = array<i64: 0, 2, 3, 1>}
  // CHECK: %[[FACTOR:.*]] = ane.reduce mean_square %[[ROWS]] {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 3>}
  // CHECK: %[[COLUMNS:.*]] = ane.transpose %[[FACTOR]] {perm = array<i64: 0, 3, 1, 2>}
  // CHECK: ane.elementwise mul %[[CENTRED]], %[[COLUMNS]]
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x160x1x40xf16> -> tensor<1x160x1x40xf16>
  return %y : tensor<1x160x1x40xf16>
}

// -----

// A convolution behind the norm subtracts the mean: its row has no sum, 32 times what it
// was. The deviation is that of a difference which is taken on the way.
// CHECK-LABEL: func @layer_norm_absorbed
func.func @layer_norm_absorbed(%x: tensor<1x160x1x40xf16>) -> tensor<1x1x1x40xf16> {
  %w = ane.constant dense_resource<steps> : tensor<1x160x1x1xf16>
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<"0x{{((00D0){80}(0050){80})}}"> : tensor<1x160x1x1xf16>
  // CHECK: %[[MEAN:.*]] = ane.conv %arg0, %{{.*}} : tensor<1x160x1x40xf16>, tensor<1x160x1x1xf16> -> tensor<1x1x1x40xf16>
  // CHECK: %[[TURNED:.*]] = ane.transpose %arg0 {perm = array<i64: 0, 3, 2, 1>}
  // CHECK: %[[MEANS:.*]] = ane.{{reshape|transpose}} %[[MEAN]] {{.*}} -> tensor<1x40x1x1xf16>
  // CHECK: %[[CENTRED:.*]] = ane.elementwise sub %[[TURNED]], %[[MEANS]]
  // CHECK: %[[FACTOR:.*]] = ane.reduce mean_square %[[CENTRED]] {activation = #ane.act<rsqrt, {{.*}}>, axes = array<i64: 3>}
  // CHECK: %[[COLUMNS:.*]] = ane.{{reshape|transpose}} %[[FACTOR]] {{.*}} -> tensor<1x1x1x40xf16>
  // CHECK: %[[Y:.*]] = ane.elementwise mul %arg0, %[[COLUMNS]] {scale = 3.125000e-02 : f32}
  // CHECK: ane.conv %[[Y]], %[[W]]
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x160x1x40xf16> -> tensor<1x160x1x40xf16>
  %y = ane.conv %n, %w : tensor<1x160x1x40xf16>, tensor<1x160x1x1xf16> -> tensor<1x1x1x40xf16>
  return %y : tensor<1x1x1x40xf16>
}

{-#
  dialect_resources: {
    builtin: {
      // 80 times 1 and 3
      steps: "0x02000000003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C003C00420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042004200420042"
    }
  }
#-}

// -----

// Not for a user that is no convolution,
// CHECK-LABEL: func @layer_norm_used
func.func @layer_norm_used(%x: tensor<1x160x1x40xf16>) -> (tensor<1x8x1x40xf16>, tensor<1x160x1x40xf16>) {
  %w = ane.constant dense<1.0> : tensor<8x160x1x1xf16>
  // CHECK: %[[CENTRED:.*]] = ane.elementwise sub %arg0,
  // CHECK: ane.elementwise mul %[[CENTRED]],
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x160x1x40xf16> -> tensor<1x160x1x40xf16>
  %y = ane.conv %n, %w : tensor<1x160x1x40xf16>, tensor<8x160x1x1xf16> -> tensor<1x8x1x40xf16>
  return %y, %n : tensor<1x8x1x40xf16>, tensor<1x160x1x40xf16>
}

// -----

// nor with weights of which f16 does not hold 32 times as much,
// CHECK-LABEL: func @layer_norm_large_weights
func.func @layer_norm_large_weights(%x: tensor<1x160x1x40xf16>) -> tensor<1x1x1x40xf16> {
  %w = ane.constant dense_resource<large> : tensor<1x160x1x1xf16>
  // CHECK: %[[CENTRED:.*]] = ane.elementwise sub %arg0,
  // CHECK: ane.elementwise mul %[[CENTRED]],
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x160x1x40xf16> -> tensor<1x160x1x40xf16>
  %y = ane.conv %n, %w : tensor<1x160x1x40xf16>, tensor<1x160x1x1xf16> -> tensor<1x1x1x40xf16>
  return %y : tensor<1x1x1x40xf16>
}

{-#
  dialect_resources: {
    builtin: {
      // 80 times 4096 and -4096
      large: "0x02000000006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C006C00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC00EC"
    }
  }
#-}

// -----

// nor for more tokens than a quarter of L2.
// CHECK-LABEL: func @layer_norm_long
func.func @layer_norm_long(%x: tensor<1x160x1x4096xf16>) -> tensor<1x8x1x4096xf16> {
  %w = ane.constant dense<1.0> : tensor<8x160x1x1xf16>
  // CHECK: ane.elementwise sub %arg0,
  // CHECK: ane.transpose {{.*}} {perm = array<i64: 0, 2, 3, 1>}
  %n = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x160x1x4096xf16> -> tensor<1x160x1x4096xf16>
  %y = ane.conv %n, %w : tensor<1x160x1x4096xf16>, tensor<8x160x1x1xf16> -> tensor<1x8x1x4096xf16>
  return %y : tensor<1x8x1x4096xf16>
}

// -----

// Few channels: a convolution subtracts the mean, and stores it in another order.
// CHECK-LABEL: func @layer_norm_narrow
func.func @layer_norm_narrow(%x: tensor<1x48x1x40xf16>) -> tensor<1x48x1x40xf16> {
  // CHECK: %[[SQUARED:.*]] = ane.conv %arg0, %[[W:.*]] : tensor<1x48x1x40xf16>, tensor<48x48x1x1xf16>
  // CHECK: %[[CENTRED:.*]] = ane.conv %arg0, %[[W]] : tensor<1x48x1x40xf16>, tensor<48x48x1x1xf16>
  // CHECK: %[[TURNED:.*]] = ane.transpose %[[SQUARED]] {perm = array<i64: 0, 2, 3, 1>}
  // CHECK: ane.reduce mean_square %[[TURNED]]
  // CHECK: ane.elementwise mul %[[CENTRED]],
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x48x1x40xf16> -> tensor<1x48x1x40xf16>
  return %y : tensor<1x48x1x40xf16>
}

// -----

// CHECK-LABEL: func @rms_norm_narrow
func.func @rms_norm_narrow(%x: tensor<1x48x1x40xf16>) -> tensor<1x48x1x40xf16> {
  // CHECK: %[[SAME:.*]] = ane.conv %arg0, %{{.*}} : tensor<1x48x1x40xf16>, tensor<48x48x1x1xf16>
  // CHECK: %[[TURNED:.*]] = ane.transpose %[[SAME]] {perm = array<i64: 0, 2, 3, 1>}
  // CHECK: ane.reduce mean_square %[[TURNED]]
  // CHECK: ane.elementwise mul %arg0,
  %y = ane.rms_norm %x {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x48x1x40xf16> -> tensor<1x48x1x40xf16>
  return %y : tensor<1x48x1x40xf16>
}

// -----

// Factors and offsets go into weights and bias behind the norm: 0.5 * 2 and, of
// 48 channels, 0.5 * 0.25 * 48 + 1.
// CHECK-LABEL: func @norm_factors
func.func @norm_factors(%x: tensor<1x48x1x40xf16>) -> tensor<1x8x1x40xf16> {
  %g = ane.constant dense<2.0> : tensor<48xf16>
  %b = ane.constant dense<0.25> : tensor<48xf16>
  %w = ane.constant dense<0.5> : tensor<8x48x1x1xf16>
  %o = ane.constant dense<1.0> : tensor<8xf16>
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<1.000000e+00> : tensor<8x48x1x1xf16>
  // CHECK-DAG: %[[B:.*]] = ane.constant dense<7.000000e+00> : tensor<8xf32>
  // CHECK: %[[NORM:.*]] = ane.elementwise mul
  // CHECK: ane.conv %[[NORM]], %[[W]] bias %[[B]]
  %n = ane.layer_norm %x gamma %g beta %b {axes = array<i64: 1>, epsilon = 1.0e-3 : f32} : tensor<1x48x1x40xf16> gamma tensor<48xf16> beta tensor<48xf16> -> tensor<1x48x1x40xf16>
  %y = ane.conv %n, %w bias %o : tensor<1x48x1x40xf16>, tensor<8x48x1x1xf16>, tensor<8xf16> -> tensor<1x8x1x40xf16>
  return %y : tensor<1x8x1x40xf16>
}

// -----

// CHECK-LABEL: func @compare
func.func @compare(%x: tensor<1x3x8x8xf16>, %y: tensor<1x3x8x8xf16>) -> tensor<1x3x8x8xf16> {
  // CHECK: %[[D:.*]] = ane.elementwise sub %arg0, %arg1
  // CHECK: ane.activation %[[D]] {function = #ane.act<where_positive, 0.000000e+00, 1.000000e+00>}
  %z = ane.compare le %x, %y : tensor<1x3x8x8xf16>, tensor<1x3x8x8xf16> -> tensor<1x3x8x8xf16>
  return %z : tensor<1x3x8x8xf16>
}

// -----

// The difference of two infinities is no number: a relation to one is a relation to the
// largest number of f16, or the same for all.
// CHECK-LABEL: func @compare_infinity
func.func @compare_infinity(%x: tensor<1x1x1x2xf16>) -> (
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>) {
  // CHECK: %[[K:.*]] = ane.constant dense<-6.550400e+04>
  %k = ane.constant dense<0x7F800000> : tensor<1x1x1x1xf32>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 1.000000e+00>}
  %0 = ane.compare eq %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 1.000000e+00>}
  %1 = ane.compare eq %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 0.000000e+00, 1.000000e+00>}
  %2 = ane.compare ne %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 0.000000e+00, 1.000000e+00>}
  %3 = ane.compare ne %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 0.000000e+00, 1.000000e+00>}
  %4 = ane.compare lt %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero>}
  %5 = ane.compare lt %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero, 1.000000e+00, 1.000000e+00>}
  %6 = ane.compare le %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 1.000000e+00>}
  %7 = ane.compare le %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero>}
  %8 = ane.compare gt %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 0.000000e+00, 1.000000e+00>}
  %9 = ane.compare gt %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_positive, 1.000000e+00>}
  %10 = ane.compare ge %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero, 1.000000e+00, 1.000000e+00>}
  %11 = ane.compare ge %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 :
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>
}

// -----

// CHECK-LABEL: func @compare_minus_infinity
func.func @compare_minus_infinity(%x: tensor<1x1x1x2xf16>) -> (
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
    tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>) {
  // CHECK: %[[K:.*]] = ane.constant dense<6.550400e+04>
  %k = ane.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 1.000000e+00>}
  %0 = ane.compare eq %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 1.000000e+00>}
  %1 = ane.compare eq %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 0.000000e+00, 1.000000e+00>}
  %2 = ane.compare ne %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 0.000000e+00, 1.000000e+00>}
  %3 = ane.compare ne %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero>}
  %4 = ane.compare lt %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 0.000000e+00, 1.000000e+00>}
  %5 = ane.compare lt %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 1.000000e+00>}
  %6 = ane.compare le %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero, 1.000000e+00, 1.000000e+00>}
  %7 = ane.compare le %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 0.000000e+00, 1.000000e+00>}
  %8 = ane.compare gt %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero>}
  %9 = ane.compare gt %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<where_nonzero, 1.000000e+00, 1.000000e+00>}
  %10 = ane.compare ge %x, %k : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise add %arg0, %[[K]]
  // CHECK-NEXT: ane.activation %[[D]] {function = #ane.act<where_negative, 1.000000e+00>}
  %11 = ane.compare ge %k, %x : tensor<1x1x1x1xf32>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 :
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>,
      tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>
}

// -----

// Two numbers are one table.
// CHECK-LABEL: func @select_numbers
func.func @select_numbers(%c: tensor<1x3x8x8xf16>) -> tensor<1x3x8x8xf16> {
  %a = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %b = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  // CHECK: %[[R:.*]] = ane.activation %arg0 {function = #ane.act<where_nonzero, 2.000000e+00, 3.000000e+00>}
  // CHECK-NEXT: return %[[R]]
  %z = ane.select %c, %a, %b : tensor<1x3x8x8xf16>, tensor<1x1x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x8x8xf16>
  return %z : tensor<1x3x8x8xf16>
}

// -----

// CHECK-LABEL: func @constant_matmul
func.func @constant_matmul(%x: tensor<1x2x8x48xf16>) -> tensor<1x2x8x32xf16> {
  %w = ane.constant dense<0.5> : tensor<1x1x48x32xf16>
  // CHECK: %[[X:.*]] = ane.transpose %arg0 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x8x48xf16> -> tensor<1x48x2x8xf16>
  // CHECK: %[[Y:.*]] = ane.conv %[[X]], %{{.*}} : tensor<1x48x2x8xf16>, tensor<32x48x1x1xf16> -> tensor<1x32x2x8xf16>
  // CHECK: ane.transpose %[[Y]] {perm = array<i64: 0, 2, 3, 1>}
  %y = ane.matmul %x, %w : tensor<1x2x8x48xf16>, tensor<1x1x48x32xf16> -> tensor<1x2x8x32xf16>
  return %y : tensor<1x2x8x32xf16>
}

// -----

// 33 columns in front: no row starts there.
// CHECK-LABEL: func @concat_columns
func.func @concat_columns(%x: tensor<1x2x8x33xf16>, %y: tensor<1x2x8x7xf16>) -> tensor<1x2x8x40xf16> {
  // CHECK-DAG: %[[X:.*]] = ane.transpose %arg0 {perm = array<i64: 0, 3, 2, 1>}
  // CHECK-DAG: %[[Y:.*]] = ane.transpose %arg1 {perm = array<i64: 0, 3, 2, 1>}
  // CHECK: %[[Z:.*]] = ane.concat %[[X]], %[[Y]] {axis = 1 : i64}
  // CHECK: ane.transpose %[[Z]] {perm = array<i64: 0, 3, 2, 1>}
  %z = ane.concat %x, %y {axis = 3 : i64} : tensor<1x2x8x33xf16>, tensor<1x2x8x7xf16> -> tensor<1x2x8x40xf16>
  return %z : tensor<1x2x8x40xf16>
}

// -----

// Bytes are converted, computed on as f16, and converted back.
// CHECK-LABEL: func @bytes
func.func @bytes(%x: tensor<1x1x8x8xui8>) -> tensor<1x1x8x8xui8> {
  // CHECK: %[[X:.*]] = ane.cast %arg0 : tensor<1x1x8x8xui8> -> tensor<1x1x8x8xf16>
  // CHECK: %[[Y:.*]] = ane.activation %[[X]] {function = #ane.act<where_nonzero, 0.000000e+00, 1.000000e+00>}
  // CHECK: ane.cast %[[Y]] : tensor<1x1x8x8xf16> -> tensor<1x1x8x8xui8>
  %y = ane.activation %x {function = #ane.act<where_nonzero, 0.0, 1.0>} : tensor<1x1x8x8xui8> -> tensor<1x1x8x8xui8>
  return %y : tensor<1x1x8x8xui8>
}

// -----

// A row of 40000 channels is more than L2 holds: two sums.
// CHECK-LABEL: func @deep
func.func @deep(%x: tensor<1x40000x1x32xf16>) -> tensor<1x8x1x32xf16> {
  %w = ane.constant dense<0.5> : tensor<8x40000x1x1xf16>
  // CHECK: %[[A:.*]] = ane.conv {{.*}} tensor<1x20000x1x32xf16>
  // CHECK: %[[B:.*]] = ane.conv {{.*}} tensor<1x20000x1x32xf16>
  // CHECK: %[[S:.*]] = ane.elementwise add %[[A]], %[[B]]
  // CHECK: ane.activation %[[S]] {function = #ane.act<relu>}
  %y = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x40000x1x32xf16>, tensor<8x40000x1x1xf16> -> tensor<1x8x1x32xf16>
  return %y : tensor<1x8x1x32xf16>
}

// -----

// Keys are channels of the scores; keys and values become planes of coefficients.
// Differences from the maximum are products with [-1 | 1] and [1 | -1], times log2 e.
// The product with the reciprocal sums comes behind the values.
// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<1x2x32x96xf16>, %k: tensor<1x2x32x128xf16>, %v: tensor<1x2x64x128xf16>) -> tensor<1x2x64x96xf16> {
  // CHECK: %[[TURNED:.*]] = ane.transpose %arg1 {perm = array<i64: 0, 3, 1, 2>}
  // CHECK: ane.interleave %[[TURNED]] {factor = 8 : i64} : tensor<1x128x2x32xf16> -> tensor<1x16x2x256xf16>
  // CHECK: ane.interleave %{{.*}} {factor = 4 : i64} : tensor<1x64x2x128xf16> -> tensor<1x16x2x512xf16>
  // CHECK: %[[SCORES:.*]] = ane.runtime_conv %{{.*}}, %{{.*}} {lanes = 8 : i64} : tensor<1x32x1x96xf16>, tensor<1x16x1x256xf16> -> tensor<1x128x1x96xf16>
  // CHECK: %[[MOST:.*]] = ane.reduce max %[[SCORES]] {axes = array<i64: 1>}
  // CHECK: %[[BOTH:.*]] = ane.concat %[[MOST]], %[[SCORES]], %[[MOST]] {axis = 1 : i64}
  // CHECK: %[[LOW:.*]] = ane.slice %[[BOTH]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 65, 1, 96>
  // CHECK: %[[FIRST:.*]] = ane.conv %[[LOW]], %{{.*}} bias %[[SHIFT:.*]] {activation = #ane.act<exp2>} : tensor<1x65x1x96xf16>, tensor<64x65x1x1xf16>, tensor<64xf16>
  // CHECK: %[[HIGH:.*]] = ane.slice %[[BOTH]] {offsets = array<i64: 0, 65, 0, 0>, sizes = array<i64: 1, 65, 1, 96>
  // CHECK: %[[LAST:.*]] = ane.conv %[[HIGH]], %{{.*}} bias %[[SHIFT]] {activation = #ane.act<exp2>}
  // CHECK: %[[POWERS:.*]] = ane.concat %[[FIRST]], %[[LAST]] {axis = 1 : i64}
  // CHECK: %[[SHARE:.*]] = ane.conv %[[POWERS]], %{{.*}} {activation = #ane.act<reciprocal>} : tensor<1x128x1x96xf16>, tensor<1x128x1x1xf16> -> tensor<1x1x1x96xf16>
  // CHECK: %[[MIXED:.*]] = ane.runtime_conv %[[POWERS]], %{{.*}} {lanes = 4 : i64} : tensor<1x128x1x96xf16>, tensor<1x16x1x512xf16> -> tensor<1x64x1x96xf16>
  // CHECK: ane.elementwise mul %[[MIXED]], %[[SHARE]]
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x96xf16>, tensor<1x2x32x128xf16> -> tensor<1x2x96x128xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x96x128xf16> -> tensor<1x2x96x128xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x128xf16>, tensor<1x2x96x128xf16> -> tensor<1x2x64x96xf16>
  return %y : tensor<1x2x64x96xf16>
}

// -----

// Of three keys a product has three numbers for each row.
// CHECK-LABEL: func @attention_weights
// CHECK-DAG: ane.constant dense<{{\[\[\[\[}}-1.442380e+00]], {{\[\[}}1.442380e+00]], {{\[\[}}0.000000e+00]], {{\[\[}}0.000000e+00]]], {{\[\[\[}}-1.442380e+00]], {{\[\[}}0.000000e+00]], {{\[\[}}1.442380e+00]], {{\[\[}}0.000000e+00]]], {{\[\[\[}}-1.442380e+00]], {{\[\[}}0.000000e+00]], {{\[\[}}0.000000e+00]], {{\[\[}}1.442380e+00]]]]> : tensor<3x4x1x1xf16>
func.func @attention_weights(%q: tensor<1x2x32x512xf16>, %k: tensor<1x2x32x3xf16>, %v: tensor<1x2x64x3xf16>) -> tensor<1x2x64x512xf16> {
  // CHECK: ane.conv %{{.*}} {activation = #ane.act<exp2>} : tensor<1x4x1x512xf16>, tensor<3x4x1x1xf16> -> tensor<1x3x1x512xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x512xf16>, tensor<1x2x32x3xf16> -> tensor<1x2x512x3xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x512x3xf16> -> tensor<1x2x512x3xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x3xf16>, tensor<1x2x512x3xf16> -> tensor<1x2x64x512xf16>
  return %y : tensor<1x2x64x512xf16>
}

// -----

// Blocks of 128 keys and a rest; the maximum of their maxima stands between them.
// CHECK-LABEL: func @attention_rest
func.func @attention_rest(%q: tensor<1x1x32x96xf16>, %k: tensor<1x1x32x304xf16>, %v: tensor<1x1x64x304xf16>) -> tensor<1x1x64x96xf16> {
  // CHECK: %[[A:.*]] = ane.reduce max %[[SA:.*]] {axes = array<i64: 1>} : tensor<1x128x1x96xf16>
  // CHECK: %[[B:.*]] = ane.reduce max %[[SB:.*]] {axes = array<i64: 1>} : tensor<1x128x1x96xf16>
  // CHECK: %[[C:.*]] = ane.reduce max %[[SC:.*]] {axes = array<i64: 1>} : tensor<1x48x1x96xf16>
  // CHECK: %[[ALL:.*]] = ane.concat %[[A]], %[[B]], %[[C]]
  // CHECK: %[[MOST:.*]] = ane.reduce max %[[ALL]]
  // CHECK: ane.concat %[[MOST]], %[[SA]], %[[MOST]], %[[SB]], %[[MOST]], %[[SC]] {axis = 1 : i64}
  // CHECK-COUNT-4: ane.conv {{.*}} tensor<64x65x1x1xf16>
  // CHECK: ane.conv {{.*}} tensor<48x49x1x1xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x1x32x96xf16>, tensor<1x1x32x304xf16> -> tensor<1x1x96x304xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x1x96x304xf16> -> tensor<1x1x96x304xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x1x64x304xf16>, tensor<1x1x96x304xf16> -> tensor<1x1x64x96xf16>
  return %y : tensor<1x1x64x96xf16>
}

// -----

// Of a prime number of keys the first 128 still have eight lanes, and what is added to the
// scores is a term of both.
// CHECK-LABEL: func @attention_prime
func.func @attention_prime(%q: tensor<1x2x32x197xf16>, %k: tensor<1x2x32x197xf16>, %v: tensor<1x2x64x197xf16>, %m: tensor<1x1x1x197xf16>) -> tensor<1x2x64x197xf16> {
  // CHECK: ane.interleave %{{.*}} {factor = 8 : i64} : tensor<1x128x2x32xf16> -> tensor<1x16x2x256xf16>
  // CHECK: %[[REST:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x32x69xf16> -> tensor<1x69x2x32xf16>
  // CHECK: ane.runtime_conv %[[Q:.*]], %{{.*}} {lanes = 8 : i64} : tensor<1x33x1x197xf16>, tensor<1x16x1x264xf16> -> tensor<1x128x1x197xf16>
  // CHECK: ane.runtime_conv %[[Q]], %{{.*}} : tensor<1x33x1x197xf16>, tensor<1x69x1x33xf16> -> tensor<1x69x1x197xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x197xf16>, tensor<1x2x32x197xf16> -> tensor<1x2x197x197xf16>
  %a = ane.elementwise add %s, %m : tensor<1x2x197x197xf16>, tensor<1x1x1x197xf16> -> tensor<1x2x197x197xf16>
  %p = ane.softmax %a {axis = 3 : i64} : tensor<1x2x197x197xf16> -> tensor<1x2x197x197xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x197xf16>, tensor<1x2x197x197xf16> -> tensor<1x2x64x197xf16>
  return %y : tensor<1x2x64x197xf16>
}

// -----

// Rows of more than 1,024 queries are cut by the planner: they keep their steps.
// CHECK-LABEL: func @attention_wide
func.func @attention_wide(%q: tensor<1x1x32x2048xf16>, %k: tensor<1x1x32x64xf16>, %v: tensor<1x1x64x64xf16>) -> tensor<1x1x64x2048xf16> {
  // CHECK: ane.elementwise sub
  // CHECK: ane.activation %{{.*}} {function = #ane.act<exp2>}
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x1x32x2048xf16>, tensor<1x1x32x64xf16> -> tensor<1x1x2048x64xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x1x2048x64xf16> -> tensor<1x1x2048x64xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x1x64x64xf16>, tensor<1x1x2048x64xf16> -> tensor<1x1x64x2048xf16>
  return %y : tensor<1x1x64x2048xf16>
}

// -----

// Few queries: their weights would take longer to load than two passes do.
// CHECK-LABEL: func @attention_short
func.func @attention_short(%q: tensor<1x1x32x16xf16>, %k: tensor<1x1x32x128xf16>, %v: tensor<1x1x64x128xf16>) -> tensor<1x1x64x16xf16> {
  // CHECK: %[[MOST:.*]] = ane.reduce max %[[SCORES:.*]] {axes = array<i64: 1>}
  // CHECK: %[[BELOW:.*]] = ane.elementwise sub %[[SCORES]], %[[MOST]] {bias = -3.000000e+00 : f32, scale = 1.44{{[0-9]*}} : f32}
  // CHECK: ane.activation %[[BELOW]] {function = #ane.act<exp2>}
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x1x32x16xf16>, tensor<1x1x32x128xf16> -> tensor<1x1x16x128xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x1x16x128xf16> -> tensor<1x1x16x128xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x1x64x128xf16>, tensor<1x1x16x128xf16> -> tensor<1x1x64x16xf16>
  return %y : tensor<1x1x64x16xf16>
}

// -----

// L2 does not hold the scores and the powers of all queries. The maximum of all
// keys comes first; then the same products with another row subtract it, task by
// task, and a product with an identity has the table after it: channels are rows
// of few channels there. Keys of a head are made of channels of their
// convolution.
// CHECK-LABEL: func @attention_blocks
func.func @attention_blocks(%q: tensor<1x2x32x1024xf16>, %x: tensor<1x16x1x600xf16>, %v: tensor<1x2x64x600xf16>) -> tensor<1x2x64x1024xf16> {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  // CHECK-DAG: %[[ONES:.*]] = ane.constant dense<-1.000000e+00> : tensor<1x64x1x8xf16>
  // CHECK-DAG: %[[IDENTITY:.*]] = ane.constant dense<"0x003C{{(0000)+}}003C{{.*}}> : tensor<32x32x1x1xf16>
  // CHECK: %[[CONV:.*]] = ane.conv %arg1, %{{.*}} : tensor<1x16x1x600xf16>, tensor<32x16x1x1xf16> -> tensor<1x32x1x600xf16>
  // CHECK: %[[FIRST:.*]] = ane.interleave %{{.*}} {factor = 8 : i64} : tensor<1x512x1x32xf16> -> tensor<1x64x1x256xf16>
  // CHECK: %[[KEYS:.*]] = ane.concat %[[FIRST]], %[[ONES]] {axis = 3 : i64}
  // CHECK: ane.interleave %{{.*}} {factor = 4 : i64} : tensor<1x88x1x32xf16> -> tensor<1x22x1x128xf16>
  // CHECK: %[[QUERIES:.*]] = ane.{{transpose|reshape|slice}} {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK: %[[A:.*]] = ane.runtime_conv %[[QUERIES]], %{{.*}} {lanes = 8 : i64} : tensor<1x32x1x1024xf16>, tensor<1x64x1x256xf16> -> tensor<1x512x1x1024xf16>
  // CHECK: %[[B:.*]] = ane.runtime_conv %[[QUERIES]], %{{.*}} {lanes = 4 : i64}
  // CHECK: %[[SCORES:.*]] = ane.concat %[[A]], %[[B]] {axis = 1 : i64}
  // CHECK: %[[MOST:.*]] = ane.reduce max %[[SCORES]] {axes = array<i64: 1>} : tensor<1x600x1x1024xf16> -> tensor<1x1x1x1024xf16>
  // CHECK: %[[SHIFTED:.*]] = ane.elementwise add %[[MOST]]
  // CHECK: %[[INPUT:.*]] = ane.concat %[[QUERIES]], %[[SHIFTED]] {axis = 1 : i64}
  // CHECK: %[[BELOW:.*]] = ane.runtime_conv %[[INPUT]], %{{.*}} {lanes = 8 : i64} : tensor<1x33x1x1024xf16>, tensor<1x16x1x264xf16> -> tensor<1x128x1x1024xf16>
  // CHECK: %[[ROWS:.*]] = ane.reshape %[[BELOW]] : {{.*}} -> tensor<1x32x4x1024xf16>
  // CHECK: %[[POWERS:.*]] = ane.conv %[[ROWS]], %[[IDENTITY]] {activation = #ane.act<exp>}
  // CHECK: %[[PART:.*]] = ane.reshape %[[POWERS]] : {{.*}} -> tensor<1x128x1x1024xf16>
  // CHECK-COUNT-3: ane.runtime_conv %[[INPUT]], %{{.*}} -> tensor<1x128x1x1024xf16>
  // CHECK: %[[REST:.*]] = ane.runtime_conv %[[INPUT]], %{{.*}} -> tensor<1x88x1x1024xf16>
  // CHECK: %[[LAST:.*]] = ane.activation %[[REST]] {function = #ane.act<exp>}
  // CHECK: %[[ALL:.*]] = ane.concat %[[PART]], %{{.*}}, %[[LAST]] {axis = 1 : i64}
  // CHECK-DAG: %[[TOTAL:.*]] = ane.conv %[[ALL]]
  // CHECK-DAG: %[[MIXED:.*]] = ane.runtime_conv %[[ALL]], %{{.*}} {lanes = 4 : i64} : {{.*}} -> tensor<1x64x1x1024xf16>
  // CHECK: ane.concat %[[MIXED]], %[[TOTAL]] {axis = 1 : i64}
  // CHECK: %[[SHARE:.*]] = ane.activation %{{.*}} {function = #ane.act<reciprocal>} : tensor<1x1x1x1024xf16>
  // CHECK: ane.elementwise mul %{{.*}}, %[[SHARE]]
  // CHECK: ane.conv %arg1, %{{.*}} : tensor<1x16x1x600xf16>, tensor<32x16x1x1xf16> -> tensor<1x32x1x600xf16>
  %c = ane.conv %x, %w : tensor<1x16x1x600xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x1x600xf16>
  %k = ane.reshape %c : tensor<1x64x1x600xf16> -> tensor<1x2x32x600xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x1024xf16>, tensor<1x2x32x600xf16> -> tensor<1x2x1024x600xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x1024x600xf16> -> tensor<1x2x1024x600xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x600xf16>, tensor<1x2x1024x600xf16> -> tensor<1x2x64x1024xf16>
  return %y : tensor<1x2x64x1024xf16>
}

// -----

// Strips of queries and groups of keys are those of least cost: more queries are
// fewer times that keys and values are read, more keys are fewer sums of what
// they mix.
// CHECK-LABEL: func @attention_deep
// CHECK: ane.reduce max {{.*}} : tensor<1x768x1x384xf16>
// CHECK: %[[FIRST:.*]] = ane.concat {{.*}} -> tensor<1x513x1x384xf16>
// CHECK: %[[FIRST:.*]] = ane.concat {{.*}} -> tensor<1x513x1x384xf16>
// CHECK: %[[SUM:.*]] = ane.elementwise add %[[FIRST]], {{.*}} -> tensor<1x513x1x384xf16>
// CHECK: ane.elementwise add %[[SUM]], {{.*}} -> tensor<1x513x1x384xf16>
// CHECK: ane.concat {{.*}} {axis = 3 : i64} {{.*}} -> tensor<1x512x1x2304xf16>
func.func @attention_deep(%q: tensor<1x1x512x2304xf16>, %k: tensor<1x1x512x2304xf16>, %v: tensor<1x1x512x2304xf16>) -> tensor<1x1x512x2304xf16> {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x1x512x2304xf16>, tensor<1x1x512x2304xf16> -> tensor<1x1x2304x2304xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x1x2304x2304xf16> -> tensor<1x1x2304x2304xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x1x512x2304xf16>, tensor<1x1x2304x2304xf16> -> tensor<1x1x512x2304xf16>
  return %y : tensor<1x1x512x2304xf16>
}

// -----

// L2 has room for the queries of all heads beside what they are made of, which
// nobody needs then: they come before the first product. What they leave is for
// more keys at a time, in equal parts; rests are one part.
// CHECK-LABEL: func @attention_waiting
func.func @attention_waiting(%z: tensor<1x16x1x1024xf16>, %k: tensor<1x2x32x600xf16>, %v: tensor<1x2x64x600xf16>) -> tensor<1x2x64x1024xf16> {
  %w = ane.constant dense<0.5> : tensor<64x16x1x1xf16>
  // CHECK: ane.conv %arg0, {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK-NOT: ane.runtime_conv
  // CHECK: ane.conv %arg0, {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK: ane.runtime_conv {{.*}} -> tensor<1x384x1x1024xf16>
  // CHECK: %[[A:.*]] = ane.runtime_conv {{.*}} -> tensor<1x128x1x1024xf16>
  // CHECK: %[[B:.*]] = ane.runtime_conv {{.*}} -> tensor<1x88x1x1024xf16>
  // CHECK: ane.concat %[[A]], %[[B]] {axis = 1 : i64}
  // CHECK: ane.runtime_conv {{.*}} : tensor<1x33x1x1024xf16>, {{.*}} -> tensor<1x384x1x1024xf16>
  // CHECK: ane.activation {{.*}} : tensor<1x216x1x1024xf16>
  // CHECK-NOT: ane.conv %arg0
  %c = ane.conv %z, %w : tensor<1x16x1x1024xf16>, tensor<64x16x1x1xf16> -> tensor<1x64x1x1024xf16>
  %q = ane.reshape %c : tensor<1x64x1x1024xf16> -> tensor<1x2x32x1024xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x1024xf16>, tensor<1x2x32x600xf16> -> tensor<1x2x1024x600xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x1024x600xf16> -> tensor<1x2x1024x600xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x600xf16>, tensor<1x2x1024x600xf16> -> tensor<1x2x64x1024xf16>
  return %y : tensor<1x2x64x1024xf16>
}

// -----

// L2 has no room for the queries of all seven heads beside what they are made
// of. Those of the first one have 128 keys at a time, and half of what they mix:
// then no strip of queries reads keys and values again.
// CHECK-LABEL: func @attention_halves
func.func @attention_halves(%z: tensor<1x736x1x1024xf16>, %k: tensor<1x7x32x600xf16>, %v: tensor<1x7x64x600xf16>) -> tensor<1x7x64x1024xf16> {
  %w = ane.constant dense<0.5> : tensor<224x736x1x1xf16>
  // CHECK: ane.conv %arg0, {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK-NOT: ane.conv %arg0
  // CHECK: %[[P:.*]] = ane.activation {{.*}} : tensor<1x128x1x1024xf16>
  // CHECK: %[[A:.*]] = ane.runtime_conv %[[P]], %{{.*}} {lanes = 2 : i64} : {{.*}}, tensor<1x16x1x256xf16> -> tensor<1x32x1x1024xf16>
  // CHECK: %[[B:.*]] = ane.runtime_conv %[[P]], %{{.*}} {lanes = 2 : i64} : {{.*}}, tensor<1x16x1x256xf16> -> tensor<1x32x1x1024xf16>
  // CHECK: %[[T:.*]] = ane.conv %[[P]], {{.*}} -> tensor<1x1x1x1024xf16>
  // CHECK: %[[C:.*]] = ane.concat %[[B]], %[[T]] {axis = 1 : i64}
  // CHECK: ane.elementwise add %[[A]], %{{.*}} : tensor<1x32x1x1024xf16>
  // CHECK: ane.elementwise add %[[C]], %{{.*}} : tensor<1x33x1x1024xf16>
  // CHECK: ane.elementwise mul {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK: ane.elementwise mul {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK-COUNT-6: ane.conv %arg0, {{.*}} -> tensor<1x32x1x1024xf16>
  // CHECK: ane.elementwise mul {{.*}} -> tensor<1x64x1x1024xf16>
  // CHECK-NOT: ane.conv %arg0
  %c = ane.conv %z, %w : tensor<1x736x1x1024xf16>, tensor<224x736x1x1xf16> -> tensor<1x224x1x1024xf16>
  %q = ane.reshape %c : tensor<1x224x1x1024xf16> -> tensor<1x7x32x1024xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x7x32x1024xf16>, tensor<1x7x32x600xf16> -> tensor<1x7x1024x600xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x7x1024x600xf16> -> tensor<1x7x1024x600xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x7x64x600xf16>, tensor<1x7x1024x600xf16> -> tensor<1x7x64x1024xf16>
  return %y : tensor<1x7x64x1024xf16>
}

// -----

// Sound: a row of 64 channels is more than L2 holds, half of it is not. Strips of
// columns have as many more where they meet as windows need, in front from where rows
// can begin.
// CHECK-LABEL: func @columns
func.func @columns(%x: tensor<1x8x1x16000xf16>) -> tensor<1x16x1x8000xf16> {
  %v = ane.constant dense<0.5> : tensor<64x8x1x3xf16>
  %w = ane.constant dense<0.5> : tensor<16x64x1x3xf16>
  // CHECK: %[[LEFT:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 8, 1, 8002>
  // CHECK: %[[A:.*]] = ane.conv %[[LEFT]], {{.*}}pad = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x64x1x8002xf16>
  // CHECK: %[[B:.*]] = ane.conv %[[A]], {{.*}} -> tensor<1x16x1x4001xf16>
  // CHECK: %[[C:.*]] = ane.slice %[[B]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 1, 4000>
  // CHECK: %[[RIGHT:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 7936>, sizes = array<i64: 1, 8, 1, 8064>
  // CHECK: %[[D:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 16, 1, 4000>
  // CHECK: ane.concat %[[C]], %[[D]] {axis = 3 : i64}
  %h = ane.conv %x, %v {pad = array<i64: 0, 0, 1, 1>} : tensor<1x8x1x16000xf16>, tensor<64x8x1x3xf16> -> tensor<1x64x1x16000xf16>
  %y = ane.conv %h, %w {pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 2>} : tensor<1x64x1x16000xf16>, tensor<16x64x1x3xf16> -> tensor<1x16x1x8000xf16>
  return %y : tensor<1x16x1x8000xf16>
}

// -----

// L2 does not hold 2048 channels: three parts of them. What they add to the
// shortcut is computed in two groups, which leaves room for larger parts.
// CHECK-LABEL: func @hidden_channels
func.func @hidden_channels(%x: tensor<1x512x1x512xf16>) -> tensor<1x512x1x512xf16> {
  %up = ane.constant dense<0.5> : tensor<2048x512x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<512x2048x1x1xf16>
  %bias = ane.constant dense_resource<__elided__> : tensor<512xf16>
  // CHECK-DAG: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 256, 1, 512>
  // CHECK-DAG: %[[X1:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 256, 0, 0>, sizes = array<i64: 1, 256, 1, 512>
  // CHECK: %[[H0:.*]] = ane.conv %arg0, %{{.*}} {activation = #ane.act<gelu, 1.33{{[0-9]*}}>} : tensor<1x512x1x512xf16>, tensor<688x512x1x1xf16> -> tensor<1x688x1x512xf16>
  // CHECK: %[[Y00:.*]] = ane.conv %[[H0]], %{{[0-9a-z_]*}} bias %{{.*}} : tensor<1x688x1x512xf16>, tensor<256x688x1x1xf16>
  // CHECK: %[[S00:.*]] = ane.elementwise add %[[X0]], %[[Y00]]
  // CHECK: %[[Y01:.*]] = ane.conv %[[H0]], %{{[0-9a-z_]*}} bias %{{.*}} : tensor<1x688x1x512xf16>, tensor<256x688x1x1xf16>
  // CHECK: %[[S01:.*]] = ane.elementwise add %[[X1]], %[[Y01]]
  // CHECK: %[[H1:.*]] = ane.conv %arg0, {{.*}} -> tensor<1x688x1x512xf16>
  // CHECK: %[[Y10:.*]] = ane.conv %[[H1]], %{{[0-9a-z_]*}} :
  // CHECK: %[[S10:.*]] = ane.elementwise add %[[S00]], %[[Y10]]
  // CHECK: %[[H2:.*]] = ane.conv %arg0, {{.*}} -> tensor<1x672x1x512xf16>
  // CHECK-COUNT-2: ane.elementwise add
  // CHECK-NOT: ane.elementwise
  // CHECK: ane.concat
  %h = ane.conv %x, %up {activation = #ane.act<gelu>} : tensor<1x512x1x512xf16>, tensor<2048x512x1x1xf16> -> tensor<1x2048x1x512xf16>
  %y = ane.conv %h, %down bias %bias : tensor<1x2048x1x512xf16>, tensor<512x2048x1x1xf16>, tensor<512xf16> -> tensor<1x512x1x512xf16>
  %sum = ane.elementwise add %y, %x : tensor<1x512x1x512xf16>, tensor<1x512x1x512xf16> -> tensor<1x512x1x512xf16>
  return %sum : tensor<1x512x1x512xf16>
}

// The sums start with the first part where the function of the result needs
// what is there without the shortcut.
// CHECK-LABEL: func @hidden_channels_without_shortcut
func.func @hidden_channels_without_shortcut(%x: tensor<1x512x1x512xf16>) -> tensor<1x512x1x512xf16> {
  %up = ane.constant dense<0.5> : tensor<2048x512x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<512x2048x1x1xf16>
  // CHECK: %[[H0:.*]] = ane.conv %arg0, %{{.*}} {activation = #ane.act<gelu, 1.33{{[0-9]*}}>}
  // CHECK: %[[Y0:.*]] = ane.conv %[[H0]]
  // CHECK: %[[H1:.*]] = ane.conv %arg0
  // CHECK: %[[Y1:.*]] = ane.conv %[[H1]]
  // CHECK: ane.elementwise add %[[Y0]], %[[Y1]]
  // CHECK: %[[SUM:.*]] = ane.concat
  // CHECK: %[[Y:.*]] = ane.activation %[[SUM]]
  // CHECK: ane.elementwise add %[[Y]], %arg0
  %h = ane.conv %x, %up {activation = #ane.act<gelu>} : tensor<1x512x1x512xf16>, tensor<2048x512x1x1xf16> -> tensor<1x2048x1x512xf16>
  %y = ane.conv %h, %down {activation = #ane.act<relu>} : tensor<1x2048x1x512xf16>, tensor<512x2048x1x1xf16> -> tensor<1x512x1x512xf16>
  %sum = ane.elementwise add %y, %x : tensor<1x512x1x512xf16>, tensor<1x512x1x512xf16> -> tensor<1x512x1x512xf16>
  return %sum : tensor<1x512x1x512xf16>
}

// -----

// A part that left room for small groups only would make the engines wait for
// weights behind each short addition: four parts with two groups of sums.
// CHECK-LABEL: func @heavy_layer
func.func @heavy_layer(%x: tensor<1x768x1x384xf16>) -> tensor<1x768x1x384xf16> {
  %up = ane.constant dense<0.5> : tensor<3072x768x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<768x3072x1x1xf16>
  // CHECK-COUNT-4: tensor<768x768x1x1xf16> -> tensor<1x768x1x384xf16>
  // CHECK: ane.conv {{.*}} tensor<384x768x1x1xf16> -> tensor<1x384x1x384xf16>
  // CHECK-NOT: tensor<768x768x1x1xf16> ->
  // CHECK: return
  %h = ane.conv %x, %up {activation = #ane.act<gelu>} : tensor<1x768x1x384xf16>, tensor<3072x768x1x1xf16> -> tensor<1x3072x1x384xf16>
  %y = ane.conv %h, %down : tensor<1x3072x1x384xf16>, tensor<768x3072x1x1xf16> -> tensor<1x768x1x384xf16>
  %sum = ane.elementwise add %y, %x : tensor<1x768x1x384xf16>, tensor<1x768x1x384xf16> -> tensor<1x768x1x384xf16>
  return %sum : tensor<1x768x1x384xf16>
}

// -----

// Beside input and sums there is room for slices of 16 channels, if for any: the layer passes through
// DRAM. In tiles of columns it would take 0.61 ms instead of 0.67, and move 30 MB instead of 22.
// CHECK-LABEL: func @layer_without_room
// CHECK: ane.conv %arg0, {{.*}} -> tensor<1x224x1x577xf16>
// CHECK: %[[H:.*]] = ane.concat {{.*}} -> tensor<1x768x1x577xf16>
// CHECK: ane.conv %[[H]], {{.*}} -> tensor<1x128x1x577xf16>
// CHECK: ane.elementwise add {{.*}} -> tensor<1x128x1x577xf16>
// CHECK-NOT: tensor<1x3072x
func.func @layer_without_room(%x: tensor<1x768x1x577xf16>) -> tensor<1x768x1x577xf16> {
  %w = ane.constant dense<0.5> : tensor<3072x768x1x1xf16>
  %v = ane.constant dense<0.5> : tensor<768x3072x1x1xf16>
  %0 = ane.conv %x, %w {activation = #ane.act<gelu>} : tensor<1x768x1x577xf16>, tensor<3072x768x1x1xf16> -> tensor<1x3072x1x577xf16>
  %1 = ane.conv %0, %v : tensor<1x3072x1x577xf16>, tensor<768x3072x1x1xf16> -> tensor<1x768x1x577xf16>
  %2 = ane.elementwise add %1, %x : tensor<1x768x1x577xf16>, tensor<1x768x1x577xf16> -> tensor<1x768x1x577xf16>
  return %2 : tensor<1x768x1x577xf16>
}

// -----

// Input and sum do not fit: two strips of columns with three parts each, since
// six small groups of sums wait for few weights: a third fewer additions. What
// is computed column by column only for the layer is in the strips, the norm
// and the convolution before it, too.
// CHECK-LABEL: func @long_layer
func.func @long_layer(%x: tensor<1x384x1x1500xf16>, %r: tensor<1x384x1x1500xf16>) -> tensor<1x384x1x1500xf16> {
  %proj = ane.constant dense<0.125> : tensor<384x384x1x1xf16>
  %up = ane.constant dense<0.5> : tensor<1536x384x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<384x1536x1x1xf16>
  // CHECK: %[[X0:.*]] = ane.slice %arg0 {{.*}} -> tensor<1x384x1x768xf16>
  // CHECK: %[[P0:.*]] = ane.conv %[[X0]],
  // CHECK: %[[R0:.*]] = ane.slice %arg1 {{.*}} -> tensor<1x384x1x768xf16>
  // CHECK: %[[S0:.*]] = ane.elementwise add %[[P0]], %[[R0]]
  // CHECK: ane.reduce mean_square {{.*}} -> tensor<1x1x768x1xf16>
  // CHECK: ane.slice %[[S0]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 64, 1, 768>
  // CHECK-COUNT-3: tensor<512x384x1x1xf16> -> tensor<1x512x1x768xf16>
  // CHECK: %[[Y0:.*]] = ane.concat {{.*}} -> tensor<1x384x1x768xf16>
  // CHECK: %[[X1:.*]] = ane.slice %arg0 {{.*}} -> tensor<1x384x1x732xf16>
  // CHECK: ane.conv %[[X1]],
  // CHECK-COUNT-3: tensor<512x384x1x1xf16> -> tensor<1x512x1x732xf16>
  // CHECK: %[[Y1:.*]] = ane.concat {{.*}} -> tensor<1x384x1x732xf16>
  // CHECK: ane.concat %[[Y0]], %[[Y1]] {axis = 3 : i64}
  %0 = ane.conv %x, %proj : tensor<1x384x1x1500xf16>, tensor<384x384x1x1xf16> -> tensor<1x384x1x1500xf16>
  %1 = ane.elementwise add %0, %r : tensor<1x384x1x1500xf16>, tensor<1x384x1x1500xf16> -> tensor<1x384x1x1500xf16>
  %2 = ane.rms_norm %1 {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x384x1x1500xf16> -> tensor<1x384x1x1500xf16>
  %h = ane.conv %2, %up {activation = #ane.act<gelu>} : tensor<1x384x1x1500xf16>, tensor<1536x384x1x1xf16> -> tensor<1x1536x1x1500xf16>
  %y = ane.conv %h, %down : tensor<1x1536x1x1500xf16>, tensor<384x1536x1x1xf16> -> tensor<1x384x1x1500xf16>
  %sum = ane.elementwise add %y, %1 : tensor<1x384x1x1500xf16>, tensor<1x384x1x1500xf16> -> tensor<1x384x1x1500xf16>
  return %sum : tensor<1x384x1x1500xf16>
}

// -----

// Input and sum do not fit, but one of them does: the layer passes through DRAM,
// and all weights are read once. It is computed in smaller parts than those
// that are summed, since what is multiplied passes through L2 beside its
// factors.
// CHECK-LABEL: func @layer_in_dram
func.func @layer_in_dram(%x: tensor<1x2048x1x256xf16>) -> tensor<1x2048x1x256xf16> {
  %w = ane.constant dense<0.5> : tensor<8192x2048x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<2048x8192x1x1xf16>
  // CHECK: %[[R0:.*]] = ane.slice %arg0 {{.*}} -> tensor<1x688x1x256xf16>
  // CHECK: %[[G:.*]] = ane.conv %arg0, %{{.*}} {activation = #ane.act<silu, 1.33{{[0-9]*}}>} {{.*}} -> tensor<1x288x1x256xf16>
  // CHECK: %[[U:.*]] = ane.conv %arg0,
  // CHECK: ane.elementwise mul %[[G]], %[[U]]
  // CHECK: %[[H0:.*]] = ane.concat {{.*}} -> tensor<1x1024x1x256xf16>
  // CHECK-COUNT-7: ane.concat
  // CHECK: %[[P0:.*]] = ane.conv %[[H0]], %{{.*}} : tensor<1x1024x1x256xf16>, tensor<688x1024x1x1xf16>
  // CHECK: ane.elementwise add %[[R0]], %[[P0]]
  // CHECK-NOT: ane.conv %arg0
  // CHECK: return
  %g = ane.conv %x, %w {activation = #ane.act<silu>, ane.form = "table"} : tensor<1x2048x1x256xf16>, tensor<8192x2048x1x1xf16> -> tensor<1x8192x1x256xf16>
  %u = ane.conv %x, %w : tensor<1x2048x1x256xf16>, tensor<8192x2048x1x1xf16> -> tensor<1x8192x1x256xf16>
  %h = ane.elementwise mul %g, %u : tensor<1x8192x1x256xf16>, tensor<1x8192x1x256xf16> -> tensor<1x8192x1x256xf16>
  %y = ane.conv %h, %down : tensor<1x8192x1x256xf16>, tensor<2048x8192x1x1xf16> -> tensor<1x2048x1x256xf16>
  %sum = ane.elementwise add %y, %x : tensor<1x2048x1x256xf16>, tensor<1x2048x1x256xf16> -> tensor<1x2048x1x256xf16>
  return %sum : tensor<1x2048x1x256xf16>
}

// -----

// A plan by hand is for the ops as they are.
// CHECK-LABEL: func @long_layer_by_hand
// CHECK-NOT: tensor<1x96x1x768xf16>
// CHECK: return
func.func @long_layer_by_hand(%x: tensor<1x384x1x1500xf16>) -> tensor<1x384x1x1500xf16> {
  %up = ane.constant dense<0.5> : tensor<1536x384x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<384x1536x1x1xf16>
  %h = ane.conv %x, %up {activation = #ane.act<gelu>, ane.tile = #ane.tile<group = 0, dim = 3, size = 384>} : tensor<1x384x1x1500xf16>, tensor<1536x384x1x1xf16> -> tensor<1x1536x1x1500xf16>
  %y = ane.conv %h, %down {ane.tile = #ane.tile<group = 0, dim = 3, size = 384>} : tensor<1x1536x1x1500xf16>, tensor<384x1536x1x1xf16> -> tensor<1x384x1x1500xf16>
  return %y : tensor<1x384x1x1500xf16>
}

// -----

// What attention has become is not in the strips: it goes through blocks of keys,
// with all columns at a time.
// CHECK-LABEL: func @long_layer_behind_attention
// CHECK: ane.activation {{.*}} -> tensor<1x384x1x1500xf16>
// CHECK: ane.slice {{.*}} -> tensor<1x384x1x768xf16>
// CHECK: tensor<384x384x1x1xf16> -> tensor<1x384x1x768xf16>
func.func @long_layer_behind_attention(%q: tensor<1x64x1x1500xf16>, %k: tensor<1x384x1x64xf16>) -> tensor<1x384x1x1500xf16> {
  %proj = ane.constant dense<0.125> : tensor<384x384x1x1xf16>
  %up = ane.constant dense<0.5> : tensor<1536x384x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<384x1536x1x1xf16>
  %0 = ane.runtime_conv %q, %k {ane.by_column = false} : tensor<1x64x1x1500xf16>, tensor<1x384x1x64xf16> -> tensor<1x384x1x1500xf16>
  %1 = ane.activation %0 {function = #ane.act<sigmoid>, ane.by_column = false} : tensor<1x384x1x1500xf16> -> tensor<1x384x1x1500xf16>
  %p = ane.conv %1, %proj : tensor<1x384x1x1500xf16>, tensor<384x384x1x1xf16> -> tensor<1x384x1x1500xf16>
  %h = ane.conv %p, %up {activation = #ane.act<gelu>} : tensor<1x384x1x1500xf16>, tensor<1536x384x1x1xf16> -> tensor<1x1536x1x1500xf16>
  %y = ane.conv %h, %down : tensor<1x1536x1x1500xf16>, tensor<384x1536x1x1xf16> -> tensor<1x384x1x1500xf16>
  return %y : tensor<1x384x1x1500xf16>
}

// -----

// The factors of a norm are in the weights of the layer before these are cut.
// CHECK-LABEL: func @norm_before_hidden_channels
func.func @norm_before_hidden_channels(%x: tensor<1x512x1x512xf16>) -> tensor<1x512x1x512xf16> {
  %gamma = ane.constant dense<3.0> : tensor<512xf16>
  %up = ane.constant dense<0.5> : tensor<2048x512x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<512x2048x1x1xf16>
  // CHECK-DAG: ane.constant dense<1.500000e+00> : tensor<688x512x1x1xf16>
  // CHECK: %[[N:.*]] = ane.elementwise mul %arg0, %{{.*}} : tensor<1x512x1x512xf16>, tensor<1x1x1x512xf16>
  // CHECK: ane.conv %[[N]], %{{.*}} {activation = #ane.act<gelu, 1.33{{[0-9]*}}>}
  %n = ane.rms_norm %x gamma %gamma {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x512x1x512xf16> gamma tensor<512xf16> -> tensor<1x512x1x512xf16>
  %h = ane.conv %n, %up {activation = #ane.act<gelu>} : tensor<1x512x1x512xf16>, tensor<2048x512x1x1xf16> -> tensor<1x2048x1x512xf16>
  %y = ane.conv %h, %down : tensor<1x2048x1x512xf16>, tensor<512x2048x1x1xf16> -> tensor<1x512x1x512xf16>
  return %y : tensor<1x512x1x512xf16>
}

// -----

// Here strips of pixels read fewer bytes than parts of the channels would.
// CHECK-LABEL: func @few_weights
func.func @few_weights(%x: tensor<1x64x1x4096xf16>) -> tensor<1x64x1x4096xf16> {
  %up = ane.constant dense<0.5> : tensor<512x64x1x1xf16>
  %down = ane.constant dense<0.25> : tensor<64x512x1x1xf16>
  // CHECK-COUNT-2: ane.conv {{.*}} -> tensor<1x{{512|64}}x1x1376xf16>
  %h = ane.conv %x, %up {activation = #ane.act<gelu>} : tensor<1x64x1x4096xf16>, tensor<512x64x1x1xf16> -> tensor<1x512x1x4096xf16>
  %y = ane.conv %h, %down : tensor<1x512x1x4096xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x1x4096xf16>
  return %y : tensor<1x64x1x4096xf16>
}

// -----

// Nothing is negated or copied in front of the products.
// CHECK-LABEL: func @rotary
// CHECK-NOT: ane.concat
// CHECK-COUNT-2: ane.elementwise mul
// CHECK: ane.elementwise sub %{{.*}}, %{{.*}} : tensor<1x2x3x5xf16>
// CHECK-COUNT-2: ane.elementwise mul
// CHECK: ane.elementwise add %{{.*}}, %{{.*}} : tensor<1x2x3x5xf16>
// CHECK: ane.concat
func.func @rotary(%x: tensor<1x3x4x5xf16>, %cos: tensor<1x1x4x5xf16>, %sin: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %low = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x4x5xf16> -> tensor<1x3x2x5xf16>
  %high = ane.slice %x {offsets = array<i64: 0, 0, 2, 0>, sizes = array<i64: 1, 3, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x3x4x5xf16> -> tensor<1x3x2x5xf16>
  %negated = ane.activation %high {function = #ane.act<neg>} : tensor<1x3x2x5xf16> -> tensor<1x3x2x5xf16>
  %turned = ane.concat %negated, %low {axis = 2 : i64} : tensor<1x3x2x5xf16>, tensor<1x3x2x5xf16> -> tensor<1x3x4x5xf16>
  %a = ane.elementwise mul %x, %cos : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  %b = ane.elementwise mul %turned, %sin : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  %y = ane.elementwise add %a, %b : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

// -----

// Head by head, since L2 does not hold all; the result lies as before.
// CHECK-LABEL: func @rotary_heads
// CHECK-COUNT-6: ane.elementwise sub %{{.*}}, %{{.*}} : tensor<1x32x1x2048xf16>
// CHECK-NOT: ane.elementwise sub
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>} : tensor<1x64x6x2048xf16> -> tensor<1x6x64x2048xf16>
func.func @rotary_heads(%x: tensor<1x6x64x2048xf16>, %cos: tensor<1x6x64x2048xf16>, %sin: tensor<1x1x64x2048xf16>) -> tensor<1x6x64x2048xf16> {
  %low = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 6, 32, 2048>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x6x64x2048xf16> -> tensor<1x6x32x2048xf16>
  %high = ane.slice %x {offsets = array<i64: 0, 0, 32, 0>, sizes = array<i64: 1, 6, 32, 2048>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x6x64x2048xf16> -> tensor<1x6x32x2048xf16>
  %negated = ane.activation %high {function = #ane.act<neg>} : tensor<1x6x32x2048xf16> -> tensor<1x6x32x2048xf16>
  %turned = ane.concat %negated, %low {axis = 2 : i64} : tensor<1x6x32x2048xf16>, tensor<1x6x32x2048xf16> -> tensor<1x6x64x2048xf16>
  %a = ane.elementwise mul %x, %cos : tensor<1x6x64x2048xf16>, tensor<1x6x64x2048xf16> -> tensor<1x6x64x2048xf16>
  %b = ane.elementwise mul %turned, %sin : tensor<1x6x64x2048xf16>, tensor<1x1x64x2048xf16> -> tensor<1x6x64x2048xf16>
  %y = ane.elementwise add %a, %b : tensor<1x6x64x2048xf16>, tensor<1x6x64x2048xf16> -> tensor<1x6x64x2048xf16>
  return %y : tensor<1x6x64x2048xf16>
}

// -----

// Values of few queries are coefficients as they come.
// CHECK-LABEL: func @attention_of_few
// CHECK: ane.interleave %{{.*}} {factor = 8 : i64} : tensor<1x128x2x32xf16>
// CHECK-NOT: ane.interleave
// CHECK: %[[VALUES:.*]] = ane.slice %{{.*}} : tensor<1x64x2x128xf16> -> tensor<1x64x1x128xf16>
// CHECK: ane.runtime_conv %{{.*}}, %[[VALUES]] : tensor<1x128x1x32xf16>, tensor<1x64x1x128xf16> -> tensor<1x64x1x32xf16>
func.func @attention_of_few(%q: tensor<1x2x32x32xf16>, %k: tensor<1x2x32x128xf16>, %v: tensor<1x2x64x128xf16>) -> tensor<1x2x64x32xf16> {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x32xf16>, tensor<1x2x32x128xf16> -> tensor<1x2x32x128xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x32x128xf16> -> tensor<1x2x32x128xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x128xf16>, tensor<1x2x32x128xf16> -> tensor<1x2x64x32xf16>
  return %y : tensor<1x2x64x32xf16>
}

// -----

// Ops along a row that L2 does not hold go from part to part of it; the weights
// that parts make of the same ones are the same.
// CHECK-LABEL: func @run
// CHECK-COUNT-3: ane.constant dense_resource<
// CHECK-NOT: ane.constant dense_resource<
// CHECK: %[[X0:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>{{.*}} -> tensor<1x64x1x[[N:[0-9]+]]xf16>
// CHECK: ane.elementwise add %[[X0]], {{.*}} -> tensor<1x64x1x[[N]]xf16>
// CHECK-NOT: x16000xf16> ->
// CHECK: %[[X1:.*]] = ane.slice %arg0
// CHECK: ane.elementwise add %[[X1]]
// CHECK: ane.concat {{.*}} {axis = 3 : i64} {{.*}} -> tensor<1x64x1x16000xf16>
func.func @run(%x: tensor<1x64x1x16000xf16>) -> tensor<1x64x1x16000xf16> {
  %w = ane.constant dense_resource<taps> : tensor<64x1x1x5xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 8, 8>, dilations = array<i64: 1, 4>, groups = 64 : i64} : tensor<1x64x1x16000xf16>, tensor<64x1x1x5xf16> -> tensor<1x64x1x16000xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 0, 0, 16, 0>, dilations = array<i64: 1, 4>, groups = 64 : i64} : tensor<1x64x1x16000xf16>, tensor<64x1x1x5xf16> -> tensor<1x64x1x16000xf16>
  %2 = ane.elementwise add %x, %1 : tensor<1x64x1x16000xf16>, tensor<1x64x1x16000xf16> -> tensor<1x64x1x16000xf16>
  return %2 : tensor<1x64x1x16000xf16>
}
{-#
  dialect_resources: {
    builtin: {
      taps: "0x0200000000BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B4000000340038003A00BA00B800B400000034"
    }
  }
#-}

// -----

// Values that a convolution makes become coefficients as it stores them: planes
// of all heads behind each other.
// CHECK-LABEL: func @values_of_convolution
func.func @values_of_convolution(%x: tensor<1x256x1x96xf16>, %q: tensor<1x4x64x96xf16>, %k: tensor<1x4x64x96xf16>) -> tensor<1x4x64x96xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x1x1xf16>
  // CHECK: %[[V:.*]] = ane.conv %arg0,
  // CHECK: %[[P:.*]] = ane.interleave %[[V]] {factor = 4 : i64} : tensor<1x256x1x96xf16> -> tensor<1x64x1x384xf16>
  // CHECK: %[[H:.*]] = ane.reshape %[[P]] : tensor<1x64x1x384xf16> -> tensor<1x4x16x384xf16>
  // CHECK: ane.transpose %[[H]] {perm = array<i64: 0, 2, 1, 3>}
  %v = ane.conv %x, %w : tensor<1x256x1x96xf16>, tensor<256x256x1x1xf16> -> tensor<1x256x1x96xf16>
  %v1 = ane.reshape %v : tensor<1x256x1x96xf16> -> tensor<1x4x64x96xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x4x64x96xf16>, tensor<1x4x64x96xf16> -> tensor<1x4x96x96xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x4x96x96xf16> -> tensor<1x4x96x96xf16>
  %o = ane.matmul %v1, %p {transpose_rhs} : tensor<1x4x64x96xf16>, tensor<1x4x96x96xf16> -> tensor<1x4x64x96xf16>
  return %o : tensor<1x4x64x96xf16>
}
