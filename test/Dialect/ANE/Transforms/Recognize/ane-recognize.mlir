// RUN: ane-opt %s --ane-recognize --ane-fold --canonicalize | FileCheck %s
// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-recognize) tolerance=0.0005" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// Every rewrite computes the same, and each function here is rewritten.
// SAME-COUNT-29: computes the same
// SAME-NOT: something else

// CHECK-LABEL: func @softmax_quotient
func.func @softmax_quotient(%x: tensor<1x2x4x8xf16>) -> tensor<1x2x4x8xf16> {
  // CHECK-NEXT: %[[Y:.*]] = ane.softmax %arg0 {axis = 3 : i64}
  // CHECK-NEXT: return %[[Y]]
  %m = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x2x4x8xf16> -> tensor<1x2x4x1xf16>
  %d = ane.elementwise sub %x, %m : tensor<1x2x4x8xf16>, tensor<1x2x4x1xf16> -> tensor<1x2x4x8xf16>
  %e = ane.activation %d {function = #ane.act<exp>} : tensor<1x2x4x8xf16> -> tensor<1x2x4x8xf16>
  %s = ane.reduce sum %e {axes = array<i64: 3>} : tensor<1x2x4x8xf16> -> tensor<1x2x4x1xf16>
  %y = ane.elementwise div %e, %s : tensor<1x2x4x8xf16>, tensor<1x2x4x1xf16> -> tensor<1x2x4x8xf16>
  return %y : tensor<1x2x4x8xf16>
}

// A weight of exp(-20) is 0 in f16, but its logarithm is not.
// CHECK-LABEL: func @log_of_softmax
func.func @log_of_softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: %[[M:.*]] = ane.reduce max %arg0 {axes = array<i64: 1>}
  // CHECK-NEXT: %[[D:.*]] = ane.elementwise sub %arg0, %[[M]]
  // CHECK-NEXT: %[[E:.*]] = ane.activation %[[D]] {function = #ane.act<exp>}
  // CHECK-NEXT: %[[S:.*]] = ane.reduce sum %[[E]] {axes = array<i64: 1>}
  // CHECK-NEXT: %[[L:.*]] = ane.activation %[[S]] {function = #ane.act<log>}
  // CHECK-NEXT: ane.elementwise sub %[[D]], %[[L]]
  %s = ane.softmax %x {axis = 1 : i64} : tensor<4x8xf16> -> tensor<4x8xf16>
  %y = ane.activation %s {function = #ane.act<log>} : tensor<4x8xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// No maximum, a product with the reciprocal, and the sum is repeated first.
// CHECK-LABEL: func @softmax_product
func.func @softmax_product(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: %[[Y:.*]] = ane.softmax %arg0 {axis = 0 : i64}
  // CHECK-NEXT: return %[[Y]]
  %zeros = ane.constant dense<0.0> : tensor<4x8xf32>
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<4x8xf16> -> tensor<4x8xf16>
  %s = ane.reduce sum %e {axes = array<i64: 0>} : tensor<4x8xf16> -> tensor<1x8xf16>
  %r = ane.activation %s {function = #ane.act<reciprocal>} : tensor<1x8xf16> -> tensor<1x8xf16>
  %b = ane.elementwise add %r, %zeros : tensor<1x8xf16>, tensor<4x8xf32> -> tensor<4x8xf16>
  %y = ane.elementwise mul %b, %e : tensor<4x8xf16>, tensor<4x8xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// The sum is over another dimension than the maximum: the maximum is only data.
// CHECK-LABEL: func @softmax_other_axis
func.func @softmax_other_axis(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK: %[[D:.*]] = ane.elementwise sub
  // CHECK-NEXT: ane.softmax %[[D]] {axis = 1 : i64}
  %m = ane.reduce max %x {axes = array<i64: 0>} : tensor<4x8xf16> -> tensor<1x8xf16>
  %d = ane.elementwise sub %x, %m : tensor<4x8xf16>, tensor<1x8xf16> -> tensor<4x8xf16>
  %e = ane.activation %d {function = #ane.act<exp>} : tensor<4x8xf16> -> tensor<4x8xf16>
  %s = ane.reduce sum %e {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %y = ane.elementwise div %e, %s : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// A mask whose numbers are all beyond f16: the largest one, -1e6, is what counts.
// CHECK-LABEL: func @mask
func.func @mask(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  // CHECK-DAG: %[[M:.*]] = ane.constant dense<{{\[\[}}0.000000e+00, -3.000000e+04, -1.000000e+00, -3.000000e+04]]> : tensor<1x4xf32>
  // CHECK: %[[S:.*]] = ane.elementwise add %arg0, %[[M]]
  // CHECK-NEXT: ane.softmax %[[S]]
  %mask = ane.constant dense<[[-1.0e6, -1.2e6, -1000001.0, -3.0e38]]> : tensor<1x4xf32>
  %s = ane.elementwise add %x, %mask : tensor<2x4xf16>, tensor<1x4xf32> -> tensor<2x4xf16>
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x4xf16> -> tensor<2x4xf16>
  return %y : tensor<2x4xf16>
}

// A slope below 0, however it is written.
// CHECK-LABEL: func @leaky_relu
// CHECK-COUNT-3: ane.activation %arg0 {function = #ane.act<leaky_relu, 2.500000e-01>}
// CHECK-NEXT: return
func.func @leaky_relu(%x: tensor<2x4xf16>) -> (tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>) {
  %zero = ane.constant dense<0.0> : tensor<1x1xf32>
  %slope = ane.constant dense<0.25> : tensor<1x1xf32>
  %c = ane.compare gt %x, %zero : tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  %s = ane.elementwise mul %x, %slope : tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  %0 = ane.select %c, %x, %s : tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16> -> tensor<2x4xf16>
  %a = ane.elementwise max %x, %zero : tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  %b = ane.elementwise min %x, %zero : tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  %t = ane.elementwise mul %b, %slope : tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  %1 = ane.elementwise add %a, %t : tensor<2x4xf16>, tensor<2x4xf16> -> tensor<2x4xf16>
  %2 = ane.elementwise max %s, %x : tensor<2x4xf16>, tensor<2x4xf16> -> tensor<2x4xf16>
  return %0, %1, %2 : tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>
}

// A selection by a constant between scores and "no weight" adds a mask.
// CHECK-LABEL: func @mask_by_selection
func.func @mask_by_selection(%x: tensor<2x2xf16>) -> tensor<2x2xf16> {
  // CHECK: %[[MASK:.*]] = ane.constant dense<{{\[\[}}0.000000e+00, -3.000000e+04], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
  // CHECK: %[[SUM:.*]] = ane.elementwise add %arg0, %[[MASK]]
  // CHECK: ane.softmax %[[SUM]]
  %hides = ane.constant dense<[[0.0, 1.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %low = ane.constant dense<-60000.0> : tensor<1x1xf32>
  %s = ane.select %hides, %low, %x : tensor<2x2xf32>, tensor<1x1xf32>, tensor<2x2xf16> -> tensor<2x2xf16>
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x2xf16> -> tensor<2x2xf16>
  return %y : tensor<2x2xf16>
}

// Not where a row has no scores: it is the mean of all, whatever they are.
// CHECK-LABEL: func @mask_of_all
func.func @mask_of_all(%x: tensor<2x2xf16>) -> tensor<2x2xf16> {
  // CHECK: %[[S:.*]] = ane.select
  // CHECK: ane.softmax %[[S]]
  %shows = ane.constant dense<[[0.0, 0.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %low = ane.constant dense<-60000.0> : tensor<1x1xf32>
  %s = ane.select %shows, %x, %low : tensor<2x2xf32>, tensor<2x2xf16>, tensor<1x1xf32> -> tensor<2x2xf16>
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x2xf16> -> tensor<2x2xf16>
  return %y : tensor<2x2xf16>
}

// The mask of heads that are a batch behind the sum.
// CHECK-LABEL: func @mask_of_heads
// CHECK: %[[M:.*]] = ane.constant dense<{{.*}}[0.000000e+00, -3.000000e+04]{{.*}}> : tensor<1x1x1x2xf32>
// CHECK: ane.elementwise add %{{.*}}, %[[M]]
func.func @mask_of_heads(%x: tensor<2x3x2xf16>) -> tensor<2x3x2xf16> {
  %mask = ane.constant dense<[[[[0.0, -3.4028235e38]]]]> : tensor<1x1x1x2xf32>
  %h = ane.reshape %x : tensor<2x3x2xf16> -> tensor<1x2x3x2xf16>
  %s = ane.elementwise add %h, %mask : tensor<1x2x3x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x2x3x2xf16>
  %b = ane.reshape %s : tensor<1x2x3x2xf16> -> tensor<2x3x2xf16>
  %y = ane.softmax %b {axis = 2 : i64} : tensor<2x3x2xf16> -> tensor<2x3x2xf16>
  return %y : tensor<2x3x2xf16>
}

// One number for the whole row does nothing.
// CHECK-LABEL: func @mask_of_rows
func.func @mask_of_rows(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  // CHECK-NEXT: ane.softmax %arg0
  %mask = ane.constant dense<[[-7.0], [3.0]]> : tensor<2x1xf32>
  %s = ane.elementwise add %x, %mask : tensor<2x4xf16>, tensor<2x1xf32> -> tensor<2x4xf16>
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x4xf16> -> tensor<2x4xf16>
  return %y : tensor<2x4xf16>
}

// CHECK-LABEL: func @rms_norm
func.func @rms_norm(%x: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
  // CHECK: %[[G:.*]] = ane.constant dense<[1.000000e+00, 2.000000e+00, {{.*}}]> : tensor<8xf32>
  // CHECK: %[[Y:.*]] = ane.rms_norm %arg0 gamma %[[G]] {axes = array<i64: 2>, epsilon = 9.99999974E-6 : f32}
  // CHECK-NEXT: return %[[Y]]
  %eps = ane.constant dense<1.0e-5> : tensor<1x1x1xf32>
  %eighth = ane.constant dense<0.125> : tensor<1x1x1xf32>
  %gamma = ane.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]]> : tensor<1x1x8xf32>
  %q = ane.elementwise mul %x, %x : tensor<1x4x8xf16>, tensor<1x4x8xf16> -> tensor<1x4x8xf16>
  %s = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x4x8xf16> -> tensor<1x4x1xf16>
  %m = ane.elementwise mul %s, %eighth : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %v = ane.elementwise add %m, %eps : tensor<1x4x1xf16>, tensor<1x1x1xf32> -> tensor<1x4x1xf16>
  %r = ane.activation %v {function = #ane.act<rsqrt>} : tensor<1x4x1xf16> -> tensor<1x4x1xf16>
  %n = ane.elementwise mul %x, %r : tensor<1x4x8xf16>, tensor<1x4x1xf16> -> tensor<1x4x8xf16>
  %y = ane.elementwise mul %gamma, %n : tensor<1x1x8xf32>, tensor<1x4x8xf16> -> tensor<1x4x8xf16>
  return %y : tensor<1x4x8xf16>
}

// How networks for Core ML write it: a layer_norm of [x, -x], and half of that.
// CHECK-LABEL: func @rms_norm_of_both
func.func @rms_norm_of_both(%x: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
  // CHECK-NEXT: %[[Y:.*]] = ane.rms_norm %arg0 {axes = array<i64: 2>, epsilon = 9.99999974E-6 : f32}
  // CHECK-NEXT: return %[[Y]]
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x4x8xf16> -> tensor<1x4x8xf16>
  %b = ane.concat %x, %n {axis = 2 : i64} : tensor<1x4x8xf16>, tensor<1x4x8xf16> -> tensor<1x4x16xf16>
  %l = ane.layer_norm %b {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x4x16xf16> -> tensor<1x4x16xf16>
  %y = ane.slice %l {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 4, 8>, strides = array<i64: 1, 1, 1>} : tensor<1x4x16xf16> -> tensor<1x4x8xf16>
  return %y : tensor<1x4x8xf16>
}

// Every second element is of both halves.
// CHECK-LABEL: func @every_second_of_both
func.func @every_second_of_both(%x: tensor<1x4x8xf16>) -> tensor<1x4x8xf16> {
  // CHECK: ane.layer_norm
  // CHECK-NEXT: ane.slice
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x4x8xf16> -> tensor<1x4x8xf16>
  %b = ane.concat %x, %n {axis = 2 : i64} : tensor<1x4x8xf16>, tensor<1x4x8xf16> -> tensor<1x4x16xf16>
  %l = ane.layer_norm %b {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x4x16xf16> -> tensor<1x4x16xf16>
  %y = ane.slice %l {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 4, 8>, strides = array<i64: 1, 1, 2>} : tensor<1x4x16xf16> -> tensor<1x4x8xf16>
  return %y : tensor<1x4x8xf16>
}

// The other half has another sign, and [x, x] another variance.
// CHECK-LABEL: func @no_rms_norm
func.func @no_rms_norm(%x: tensor<1x4x8xf16>) -> (tensor<1x4x8xf16>, tensor<1x4x8xf16>) {
  // CHECK-NOT: ane.rms_norm
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x4x8xf16> -> tensor<1x4x8xf16>
  %b = ane.concat %x, %n {axis = 2 : i64} : tensor<1x4x8xf16>, tensor<1x4x8xf16> -> tensor<1x4x16xf16>
  %l = ane.layer_norm %b {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x4x16xf16> -> tensor<1x4x16xf16>
  %y = ane.slice %l {offsets = array<i64: 0, 0, 8>, sizes = array<i64: 1, 4, 8>, strides = array<i64: 1, 1, 1>} : tensor<1x4x16xf16> -> tensor<1x4x8xf16>
  %c = ane.concat %x, %x {axis = 2 : i64} : tensor<1x4x8xf16>, tensor<1x4x8xf16> -> tensor<1x4x16xf16>
  %m = ane.layer_norm %c {axes = array<i64: 2>, epsilon = 1.0e-5 : f32} : tensor<1x4x16xf16> -> tensor<1x4x16xf16>
  %z = ane.slice %m {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 4, 8>, strides = array<i64: 1, 1, 1>} : tensor<1x4x16xf16> -> tensor<1x4x8xf16>
  return %y, %z : tensor<1x4x8xf16>, tensor<1x4x8xf16>
}

// One over the root is written in four ways.
// CHECK-LABEL: func @rms_norm_by_power
func.func @rms_norm_by_power(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: ane.rms_norm %arg0 {axes = array<i64: 1>, epsilon = 9.99999974E-6 : f32}
  %eps = ane.constant dense<1.0e-5> : tensor<1x1xf32>
  %number = ane.constant dense<-0.5> : tensor<4x1xf32>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %v = ane.elementwise add %q, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %r = ane.elementwise pow %v, %number : tensor<4x1xf16>, tensor<4x1xf32> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// CHECK-LABEL: func @rms_norm_by_quotient
func.func @rms_norm_by_quotient(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: ane.rms_norm %arg0 {axes = array<i64: 1>, epsilon = 9.99999974E-6 : f32}
  %eps = ane.constant dense<1.0e-5> : tensor<1x1xf32>
  %number = ane.constant dense<1.0> : tensor<4x1xf32>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %v = ane.elementwise add %q, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %s = ane.activation %v {function = #ane.act<sqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %r = ane.elementwise div %number, %s : tensor<4x1xf32>, tensor<4x1xf16> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// CHECK-LABEL: func @rms_norm_by_reciprocal
func.func @rms_norm_by_reciprocal(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NEXT: ane.rms_norm %arg0 {axes = array<i64: 1>, epsilon = 9.99999974E-6 : f32}
  %eps = ane.constant dense<1.0e-5> : tensor<1x1xf32>
  %number = ane.constant dense<1.0> : tensor<4x1xf32>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %v = ane.elementwise add %q, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %s = ane.activation %v {function = #ane.act<sqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %r = ane.activation %s {function = #ane.act<reciprocal>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// Another power, and another quotient.
// CHECK-LABEL: func @power_of_squares
func.func @power_of_squares(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NOT: norm
  // CHECK: return
  %eps = ane.constant dense<1.0e-5> : tensor<1x1xf32>
  %number = ane.constant dense<0.5> : tensor<4x1xf32>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %v = ane.elementwise add %q, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %r = ane.elementwise pow %v, %number : tensor<4x1xf16>, tensor<4x1xf32> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// CHECK-LABEL: func @quotient_of_squares
func.func @quotient_of_squares(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // CHECK-NOT: norm
  // CHECK: return
  %eps = ane.constant dense<1.0e-5> : tensor<1x1xf32>
  %number = ane.constant dense<2.0> : tensor<4x1xf32>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %v = ane.elementwise add %q, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %s = ane.activation %v {function = #ane.act<sqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %r = ane.elementwise div %number, %s : tensor<4x1xf32>, tensor<4x1xf16> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// A quotient by the root; gamma and beta.
// CHECK-LABEL: func @layer_norm
func.func @layer_norm(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // CHECK-DAG: %[[G:.*]] = ane.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // CHECK-DAG: %[[B:.*]] = ane.constant dense<[5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<4xf32>
  // CHECK: %[[Y:.*]] = ane.layer_norm %arg0 gamma %[[G]] beta %[[B]] {axes = array<i64: 1>, epsilon = 9.99999996E-13 : f32}
  // CHECK-NEXT: return %[[Y]]
  %eps = ane.constant dense<1.0e-12> : tensor<4x1xf32>
  %four = ane.constant dense<4.0> : tensor<1x1xf32>
  %two = ane.constant dense<2.0> : tensor<1x1xf32>
  %gamma = ane.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %beta = ane.constant dense<[[5.0, 6.0, 7.0, 8.0]]> : tensor<1x4xf32>
  %s = ane.reduce sum %x {axes = array<i64: 1>} : tensor<4x4xf16> -> tensor<4x1xf16>
  %m = ane.elementwise div %s, %four : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %d = ane.elementwise sub %x, %m : tensor<4x4xf16>, tensor<4x1xf16> -> tensor<4x4xf16>
  %q = ane.elementwise pow %d, %two : tensor<4x4xf16>, tensor<1x1xf32> -> tensor<4x4xf16>
  %v = ane.reduce mean %q {axes = array<i64: 1>} : tensor<4x4xf16> -> tensor<4x1xf16>
  %e = ane.elementwise add %v, %eps : tensor<4x1xf16>, tensor<4x1xf32> -> tensor<4x1xf16>
  %r = ane.activation %e {function = #ane.act<sqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %n = ane.elementwise div %d, %r : tensor<4x4xf16>, tensor<4x1xf16> -> tensor<4x4xf16>
  %g = ane.elementwise mul %n, %gamma : tensor<4x4xf16>, tensor<1x4xf32> -> tensor<4x4xf16>
  %y = ane.elementwise add %g, %beta : tensor<4x4xf16>, tensor<1x4xf32> -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// mean(x^2) - mean(x)^2, and the root is multiplied by gamma first.
// CHECK-LABEL: func @layer_norm_of_squares
func.func @layer_norm_of_squares(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // CHECK: %[[G:.*]] = ane.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // CHECK: %[[Y:.*]] = ane.layer_norm %arg0 gamma %[[G]] {axes = array<i64: 1>, epsilon = 1.000000e-01 : f32}
  // CHECK-NEXT: return %[[Y]]
  %eps = ane.constant dense<0.1> : tensor<1x1xf32>
  %gamma = ane.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %m = ane.reduce mean %x {axes = array<i64: 1>} : tensor<4x4xf16> -> tensor<4x1xf16>
  %q = ane.reduce mean_square %x {axes = array<i64: 1>} : tensor<4x4xf16> -> tensor<4x1xf16>
  %mm = ane.elementwise mul %m, %m : tensor<4x1xf16>, tensor<4x1xf16> -> tensor<4x1xf16>
  %v = ane.elementwise sub %q, %mm : tensor<4x1xf16>, tensor<4x1xf16> -> tensor<4x1xf16>
  %e = ane.elementwise add %v, %eps : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %r = ane.activation %e {function = #ane.act<rsqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %f = ane.elementwise mul %r, %gamma : tensor<4x1xf16>, tensor<1x4xf32> -> tensor<4x4xf16>
  %d = ane.elementwise sub %x, %m : tensor<4x4xf16>, tensor<4x1xf16> -> tensor<4x4xf16>
  %y = ane.elementwise mul %d, %f : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// Divided by one less than the count: an unbiased variance is no mean.
// CHECK-LABEL: func @unbiased
func.func @unbiased(%x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // CHECK-NOT: norm
  // CHECK: return
  %third = ane.constant dense<0.33333333> : tensor<1x1xf32>
  %q = ane.activation %x {function = #ane.act<square>} : tensor<4x4xf16> -> tensor<4x4xf16>
  %s = ane.reduce sum %q {axes = array<i64: 1>} : tensor<4x4xf16> -> tensor<4x1xf16>
  %v = ane.elementwise mul %s, %third : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %r = ane.activation %v {function = #ane.act<rsqrt>} : tensor<4x1xf16> -> tensor<4x1xf16>
  %y = ane.elementwise mul %x, %r : tensor<4x4xf16>, tensor<4x1xf16> -> tensor<4x4xf16>
  return %y : tensor<4x4xf16>
}

// The rows of the image stay rows.
// CHECK-LABEL: func @group_norm
func.func @group_norm(%x: tensor<1x4x6x2xf16>) -> tensor<1x4x6x2xf16> {
  // CHECK: %[[R:.*]] = ane.reshape %arg0 : tensor<1x4x6x2xf16> -> tensor<1x2x12x2xf16>
  // CHECK-NEXT: %[[N:.*]] = ane.layer_norm %[[R]] {axes = array<i64: 2, 3>, epsilon = 1.000000e-01 : f32}
  // CHECK-NEXT: %[[Y:.*]] = ane.reshape %[[N]] : tensor<1x2x12x2xf16> -> tensor<1x4x6x2xf16>
  // CHECK-NEXT: return %[[Y]]
  %eps = ane.constant dense<0.1> : tensor<1x1x1x1xf32>
  %part = ane.constant dense<24.0> : tensor<1x1x1x1xf32>
  %i = ane.activation %part {function = #ane.act<reciprocal>} : tensor<1x1x1x1xf32> -> tensor<1x1x1x1xf32>
  %g = ane.reshape %x : tensor<1x4x6x2xf16> -> tensor<1x2x2x12xf16>
  %s0 = ane.reduce sum %g {axes = array<i64: 2>} : tensor<1x2x2x12xf16> -> tensor<1x2x1x12xf16>
  %s1 = ane.reduce sum %s0 {axes = array<i64: 3>} : tensor<1x2x1x12xf16> -> tensor<1x2x1x1xf16>
  %m = ane.elementwise mul %i, %s1 : tensor<1x1x1x1xf32>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  %d = ane.elementwise sub %g, %m : tensor<1x2x2x12xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x2x12xf16>
  %q = ane.elementwise mul %d, %d : tensor<1x2x2x12xf16>, tensor<1x2x2x12xf16> -> tensor<1x2x2x12xf16>
  %v0 = ane.reduce sum %q {axes = array<i64: 2>} : tensor<1x2x2x12xf16> -> tensor<1x2x1x12xf16>
  %v1 = ane.reduce sum %v0 {axes = array<i64: 3>} : tensor<1x2x1x12xf16> -> tensor<1x2x1x1xf16>
  %v = ane.elementwise mul %i, %v1 : tensor<1x1x1x1xf32>, tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  %e = ane.elementwise add %v, %eps : tensor<1x2x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x1x1xf16>
  %r = ane.activation %e {function = #ane.act<rsqrt>} : tensor<1x2x1x1xf16> -> tensor<1x2x1x1xf16>
  %n = ane.elementwise mul %d, %r : tensor<1x2x2x12xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x2x12xf16>
  %y = ane.reshape %n : tensor<1x2x2x12xf16> -> tensor<1x4x6x2xf16>
  return %y : tensor<1x4x6x2xf16>
}

// CHECK-LABEL: func @gelu
func.func @gelu(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<gelu>}
  %root = ane.constant dense<1.41421354> : tensor<1x1xf32>
  %half = ane.constant dense<0.5> : tensor<1x1xf32>
  %one = ane.constant dense<1.0> : tensor<1x4xf32>
  %a = ane.elementwise div %x, %root : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %b = ane.activation %a {function = #ane.act<erf>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %c = ane.elementwise add %b, %one : tensor<1x4xf16>, tensor<1x4xf32> -> tensor<1x4xf16>
  %d = ane.elementwise mul %x, %half : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %y = ane.elementwise mul %d, %c : tensor<1x4xf16>, tensor<1x4xf16> -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

// CHECK-LABEL: func @gelu_tanh
func.func @gelu_tanh(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<gelu_tanh>}
  %three = ane.constant dense<3.0> : tensor<1x1xf32>
  %k = ane.constant dense<4.471500e-02> : tensor<1x1xf32>
  %root = ane.constant dense<0.797884583> : tensor<1x1xf32>
  %half = ane.constant dense<0.5> : tensor<1x1xf32>
  %one = ane.constant dense<1.0> : tensor<1x1xf32>
  %a = ane.elementwise pow %x, %three : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %b = ane.elementwise mul %a, %k : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %c = ane.elementwise add %x, %b : tensor<1x4xf16>, tensor<1x4xf16> -> tensor<1x4xf16>
  %d = ane.elementwise mul %c, %root : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %e = ane.activation %d {function = #ane.act<tanh>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %f = ane.elementwise add %e, %one : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %g = ane.elementwise mul %x, %f : tensor<1x4xf16>, tensor<1x4xf16> -> tensor<1x4xf16>
  %y = ane.elementwise mul %g, %half : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

// CHECK-LABEL: func @sigmoid
func.func @sigmoid(%x: tensor<1x4xf16>) -> (tensor<1x4xf16>, tensor<1x4xf16>) {
  // CHECK-NEXT: ane.activation %arg0 {function = #ane.act<sigmoid>}
  // CHECK-NOT: exp
  // CHECK: return
  %one = ane.constant dense<1.0> : tensor<1x4xf32>
  %n = ane.activation %x {function = #ane.act<neg>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %e = ane.activation %n {function = #ane.act<exp>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %s = ane.elementwise add %e, %one : tensor<1x4xf16>, tensor<1x4xf32> -> tensor<1x4xf16>
  %y = ane.activation %s {function = #ane.act<reciprocal>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %z = ane.elementwise div %one, %s : tensor<1x4xf32>, tensor<1x4xf16> -> tensor<1x4xf16>
  return %y, %z : tensor<1x4xf16>, tensor<1x4xf16>
}

// Not the sum of the powers itself: a constant below 0 joins it.
// CHECK-LABEL: func @no_softmax
func.func @no_softmax(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  // CHECK-NOT: softmax
  // CHECK: return
  %less = ane.constant dense<-0.125> : tensor<1x1xf32>
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %s = ane.reduce sum %e {axes = array<i64: 1>} : tensor<1x4xf16> -> tensor<1x1xf16>
  %p = ane.elementwise add %s, %less : tensor<1x1xf16>, tensor<1x1xf32> -> tensor<1x1xf16>
  %y = ane.elementwise div %e, %p : tensor<1x4xf16>, tensor<1x1xf16> -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

// Zeros of the full shape repeat heads; they need three elements.
// CHECK-LABEL: func @repeat
func.func @repeat(%x: tensor<1x2x1x4xf16>) -> tensor<1x2x3x4xf16> {
  // CHECK-NEXT: %[[Z:.*]] = ane.constant dense<0.000000e+00> : tensor<1x1x3x1xf32>
  // CHECK-NEXT: ane.elementwise add %arg0, %[[Z]]
  %z = ane.constant dense<0.0> : tensor<1x2x3x4xf32>
  %y = ane.elementwise add %x, %z : tensor<1x2x1x4xf16>, tensor<1x2x3x4xf32> -> tensor<1x2x3x4xf16>
  return %y : tensor<1x2x3x4xf16>
}

// Channels that come last become first, and a group has its rows.
// CHECK-LABEL: func @group_norm_channels_last
func.func @group_norm_channels_last(%x: tensor<1x6x2x4xf16>) -> (tensor<1x6x2x4xf16>, tensor<1x6x2x4xf16>) {
  // CHECK: %[[T:.*]] = ane.transpose %arg0 {perm = array<i64: 0, 3, 1, 2>} : tensor<1x6x2x4xf16> -> tensor<1x4x6x2xf16>
  // CHECK-NEXT: %[[V:.*]] = ane.reshape %[[T]] : tensor<1x4x6x2xf16> -> tensor<1x2x12x2xf16>
  // CHECK-NEXT: %[[N:.*]] = ane.layer_norm %[[V]] {axes = array<i64: 2, 3>, epsilon = 1.000000e-01 : f32}
  // CHECK-NEXT: %[[R:.*]] = ane.reshape %[[N]] : tensor<1x2x12x2xf16> -> tensor<1x4x6x2xf16>
  // CHECK-NEXT: ane.transpose %[[R]] {perm = array<i64: 0, 2, 3, 1>}
  // CHECK: ane.layer_norm %{{.*}} {axes = array<i64: 2, 3>, epsilon = 2.000000e-01 : f32} : tensor<1x2x12x2xf16>
  %v = ane.reshape %x : tensor<1x6x2x4xf16> -> tensor<1x12x2x2xf16>
  %n = ane.layer_norm %v {axes = array<i64: 1, 3>, epsilon = 0.1 : f32} : tensor<1x12x2x2xf16> -> tensor<1x12x2x2xf16>
  %y = ane.reshape %n : tensor<1x12x2x2xf16> -> tensor<1x6x2x4xf16>
  %w = ane.reshape %x : tensor<1x6x2x4xf16> -> tensor<1x6x2x2x2xf16>
  %m = ane.layer_norm %w {axes = array<i64: 1, 2, 4>, epsilon = 0.2 : f32} : tensor<1x6x2x2x2xf16> -> tensor<1x6x2x2x2xf16>
  %z = ane.reshape %m : tensor<1x6x2x2x2xf16> -> tensor<1x6x2x4xf16>
  return %y, %z : tensor<1x6x2x4xf16>, tensor<1x6x2x4xf16>
}

// One more power beside the sum is one more score, that of its logarithm.
// CHECK-LABEL: func @power_beside
// CHECK: %[[SCORE:.*]] = ane.constant dense<6.93{{[0-9]*}}e-01> : tensor<4x1xf16>
// CHECK: %[[ALL:.*]] = ane.concat %arg0, %[[SCORE]] {axis = 1 : i64} : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x9xf16>
// CHECK: %[[W:.*]] = ane.softmax %[[ALL]] {axis = 1 : i64}
// CHECK: %[[Y:.*]] = ane.slice %[[W]] {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 8>
// CHECK: return %[[Y]]
func.func @power_beside(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %two = ane.constant dense<2.0> : tensor<1x1xf32>
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<4x8xf16> -> tensor<4x8xf16>
  %s = ane.reduce sum %e {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %t = ane.elementwise add %s, %two : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %y = ane.elementwise div %e, %t : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// CHECK-LABEL: func @power_by_mean
// CHECK: %[[W:.*]] = ane.softmax %arg0 {axis = 1 : i64}
// CHECK: %[[Y:.*]] = ane.elementwise mul %[[W]], %{{.*}} : tensor<4x8xf16>, tensor<1x1xf32>
// CHECK: return %[[Y]]
func.func @power_by_mean(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<4x8xf16> -> tensor<4x8xf16>
  %s = ane.reduce mean %e {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %y = ane.elementwise div %e, %s : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x8xf16>
  return %y : tensor<4x8xf16>
}

// log1p, too, is a logarithm of a sum with 1.
// CHECK-LABEL: func @logarithm_beside
// CHECK: %[[ALL:.*]] = ane.concat %arg0, %{{.*}} {axis = 1 : i64} : tensor<4x8xf16>, tensor<4x1xf16> -> tensor<4x9xf16>
// CHECK: %[[E:.*]] = ane.activation %[[ALL]] {function = #ane.act<exp>}
// CHECK: %[[S:.*]] = ane.reduce sum %[[E]]
// CHECK: %[[Y:.*]] = ane.activation %[[S]] {function = #ane.act<log>}
// CHECK: return %[[Y]]
func.func @logarithm_beside(%x: tensor<4x8xf16>) -> tensor<4x1xf16> {
  %one = ane.constant dense<1.0> : tensor<1x1xf32>
  %e = ane.activation %x {function = #ane.act<exp>} : tensor<4x8xf16> -> tensor<4x8xf16>
  %s = ane.reduce sum %e {axes = array<i64: 1>} : tensor<4x8xf16> -> tensor<4x1xf16>
  %t = ane.elementwise add %s, %one : tensor<4x1xf16>, tensor<1x1xf32> -> tensor<4x1xf16>
  %y = ane.activation %t {function = #ane.act<log>} : tensor<4x1xf16> -> tensor<4x1xf16>
  return %y : tensor<4x1xf16>
}
