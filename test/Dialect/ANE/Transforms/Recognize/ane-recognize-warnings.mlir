// RUN: ane-opt %s --ane-recognize --verify-diagnostics | FileCheck %s

// A mask that is computed at run time from ones and zeros.
// CHECK-LABEL: func @product
func.func @product(%x: tensor<2x4xf16>, %keep: tensor<1x4xf16>) -> tensor<2x4xf16> {
  // CHECK: %[[K:.*]] = ane.constant dense<-3.000000e+04> : tensor<1x1xf32>
  // CHECK: ane.elementwise mul %{{.*}}, %[[K]]
  %one = ane.constant dense<1.0> : tensor<1x1xf32>
  %low = ane.constant dense<-3.4e38> : tensor<1x1xf32>
  %drop = ane.elementwise sub %one, %keep : tensor<1x1xf32>, tensor<1x4xf16> -> tensor<1x4xf16>
  // expected-warning @+1 {{the mask value -3.400000e+38 is beyond f16 (largest magnitude 65504); it becomes -30000}}
  %mask = ane.elementwise mul %drop, %low : tensor<1x4xf16>, tensor<1x1xf32> -> tensor<1x4xf16>
  %s = ane.elementwise add %x, %mask : tensor<2x4xf16>, tensor<1x4xf16> -> tensor<2x4xf16>
  // expected-note @+1 {{softmax here}}
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x4xf16> -> tensor<2x4xf16>
  return %y : tensor<2x4xf16>
}

// CHECK-LABEL: func @selection
func.func @selection(%x: tensor<2x4xf16>, %keep: tensor<2x4xf16>) -> tensor<2x4xf16> {
  // CHECK: %[[K:.*]] = ane.constant dense<-3.000000e+04> : tensor<1x1xf32>
  // CHECK: ane.select %arg1, %arg0, %[[K]]
  %low = ane.constant dense<0xFF800000> : tensor<1x1xf32>
  // expected-warning @+1 {{the mask value -INF is beyond f16}}
  %s = ane.select %keep, %x, %low : tensor<2x4xf16>, tensor<2x4xf16>, tensor<1x1xf32> -> tensor<2x4xf16>
  // expected-note @+1 {{softmax here}}
  %y = ane.softmax %s {axis = 1 : i64} : tensor<2x4xf16> -> tensor<2x4xf16>
  return %y : tensor<2x4xf16>
}

// Who else reads the masked scores sees the number of the network.
// CHECK-LABEL: @read_twice
// CHECK: dense<-1.000000e+06>
func.func @read_twice(%c: tensor<4x4xf16>, %x: tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
  %low = ane.constant dense<-1.0e6> : tensor<1x1xf32>
  %0 = ane.select %c, %x, %low : tensor<4x4xf16>, tensor<4x4xf16>, tensor<1x1xf32> -> tensor<4x4xf16>
  %1 = ane.softmax %0 {axis = 1 : i64} : tensor<4x4xf16> -> tensor<4x4xf16>
  return %0, %1 : tensor<4x4xf16>, tensor<4x4xf16>
}

// Two softmaxes read the same.
// CHECK-LABEL: @read_by_two
// CHECK-NOT: dense<-1.000000e+06>
// CHECK: return
func.func @read_by_two(%c: tensor<4x4xf16>, %x: tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
  %low = ane.constant dense<-1.0e6> : tensor<1x1xf32>
  // expected-warning @+1 {{the mask value -1.000000e+06 is beyond f16}}
  %0 = ane.select %c, %x, %low : tensor<4x4xf16>, tensor<4x4xf16>, tensor<1x1xf32> -> tensor<4x4xf16>
  %1 = ane.softmax %0 {axis = 1 : i64} : tensor<4x4xf16> -> tensor<4x4xf16>
  // expected-note @+1 {{softmax here}}
  %2 = ane.softmax %0 {axis = 0 : i64} : tensor<4x4xf16> -> tensor<4x4xf16>
  return %1, %2 : tensor<4x4xf16>, tensor<4x4xf16>
}
