// RUN: ane-opt %s --ane-fuse | FileCheck %s
// It computes what it did.
// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-fuse tolerance=1e-6" -o /dev/null
// RUN: ane-opt %s --ane-check-equivalence="pipeline=ane-fuse,ane-fold tolerance=1e-6" -o /dev/null
// The recorded compiler adds.
// RUN: ane-opt %s --ane-fuse=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// ZIN-COUNT-7: ane.elementwise add

// Both branches of a residual block where it gets smaller. The pixels that the
// strided branch reads go side by side with those of the other one.
// CHECK-LABEL: func @both_branches
// CHECK-DAG: %[[V:.*]] = ane.constant dense<5.000000e-01> : tensor<2x3x1x1xf16>
// CHECK-DAG: %[[W:.*]] = ane.constant dense<-2.500000e-01> : tensor<2x4x1x1xf16>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[3.000000e+00, 5.000000e+00]> : tensor<2xf32>
// CHECK: %[[X:.*]] = ane.activation %arg0
// CHECK: %[[S:.*]] = ane.slice %arg1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 4, 4>, strides = array<i64: 1, 1, 2, 2>}
// CHECK: %[[C:.*]] = ane.concat %[[X]], %[[S]] {axis = 1 : i64}
// CHECK: %[[K:.*]] = ane.concat %[[V]], %[[W]] {axis = 1 : i64} {{.*}} -> tensor<2x7x1x1xf16>
// CHECK: %[[Y:.*]] = ane.conv %[[C]], %[[K]] bias %[[B]] {activation = #ane.act<relu>}
// CHECK-NEXT: return %[[Y]]
func.func @both_branches(%x: tensor<1x3x4x4xf16>, %z: tensor<1x4x8x7xf16>) -> tensor<1x2x4x4xf16> {
  %v = ane.constant dense<0.5> : tensor<2x3x1x1xf16>
  %w = ane.constant dense<-0.25> : tensor<2x4x1x1xf16>
  %a = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %b = ane.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x3x4x4xf16> -> tensor<1x3x4x4xf16>
  %1 = ane.conv %0, %v bias %a : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16>, tensor<2xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.conv %z, %w bias %b {strides = array<i64: 2, 2>} : tensor<1x4x8x7xf16>, tensor<2x4x1x1xf16>, tensor<2xf32> -> tensor<1x2x4x4xf16>
  %3 = ane.elementwise add %1, %2 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.activation %3 {function = #ane.act<relu>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %4 : tensor<1x2x4x4xf16>
}

// One bias, the stride on the left.
// CHECK-LABEL: func @one_bias
// CHECK-NOT: ane.elementwise
// CHECK: ane.conv {{.*}} bias %
func.func @one_bias(%x: tensor<1x2x4x4xf16>, %z: tensor<1x2x7x7xf16>) -> tensor<1x2x4x4xf16> {
  %v = ane.constant dense<0.5> : tensor<2x2x1x1xf16>
  %b = ane.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %1 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %2 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x7x7xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %3 = ane.conv %1, %v bias %b : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16>, tensor<2xf16> -> tensor<1x2x4x4xf16>
  %4 = ane.elementwise add %2, %3 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %4 : tensor<1x2x4x4xf16>
}

// Not: a source would be copied; a window; an activation in between; somebody
// else reads a branch; no stride; a difference.
// CHECK-LABEL: func @what_stays
// CHECK-COUNT-5: ane.elementwise add
// CHECK: ane.elementwise sub
func.func @what_stays(%x: tensor<1x2x4x4xf16>, %z: tensor<1x2x8x8xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %v = ane.constant dense<0.5> : tensor<2x2x1x1xf16>
  %k = ane.constant dense<0.5> : tensor<2x2x3x3xf16>
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %a0 = ane.conv %x, %v : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %a1 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %a = ane.elementwise add %a0, %a1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %b0 = ane.conv %0, %k {pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x4x4xf16>, tensor<2x2x3x3xf16> -> tensor<1x2x4x4xf16>
  %b1 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %b = ane.elementwise add %b0, %b1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %c0 = ane.conv %0, %v {activation = #ane.act<relu>} : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %c1 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %c = ane.elementwise add %c0, %c1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %d0 = ane.conv %0, %v : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %d1 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %d = ane.elementwise add %d0, %d1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %e0 = ane.conv %0, %v : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %e1 = ane.conv %1, %v : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %e = ane.elementwise add %e0, %e1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  %f0 = ane.conv %0, %v : tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %f1 = ane.conv %z, %v {strides = array<i64: 2, 2>} : tensor<1x2x8x8xf16>, tensor<2x2x1x1xf16> -> tensor<1x2x4x4xf16>
  %f = ane.elementwise sub %f0, %f1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %a, %b, %c, %d, %d1, %e, %f : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}
