// RUN: ane-opt %s --split-input-file --ane-fuse | FileCheck %s

// A batch norm of a volume goes into the convolutions of its planes, which share the weights
// before and after it.

// CHECK-LABEL: func @batch_norm
// CHECK-DAG: %[[W:.*]] = ane.constant dense<1.500000e+00> : tensor<2x3x1x1xf32>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK: %[[P:.*]] = ane.conv %arg0, %[[W]] bias %[[B]] {activation = #ane.act<relu>}
// CHECK: %[[Q:.*]] = ane.conv %arg1, %[[W]] bias %{{.*}} {activation = #ane.act<relu>}
// CHECK-NEXT: %[[C:.*]] = ane.concat %[[P]], %[[Q]]
// CHECK-NEXT: %[[R:.*]] = ane.reshape %[[C]]
// CHECK-NEXT: return %[[R]]
func.func @batch_norm(%x: tensor<1x3x4x4xf16>, %y: tensor<1x3x4x4xf16>) -> tensor<1x2x2x4x4xf16> {
  %w = ane.constant dense<0.5> : tensor<2x3x1x1xf16>
  %f = ane.constant dense<3.0> : tensor<1x1x2x1x1xf32>
  %s = ane.constant dense<[[[[[2.0]], [[4.0]]]]]> : tensor<1x1x2x1x1xf32>
  %p = ane.conv %x, %w : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16> -> tensor<1x2x4x4xf16>
  %q = ane.conv %y, %w : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16> -> tensor<1x2x4x4xf16>
  %c = ane.concat %p, %q {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x4x4x4xf16>
  %v = ane.reshape %c : tensor<1x4x4x4xf16> -> tensor<1x2x2x4x4xf16>
  %0 = ane.elementwise mul %v, %f : tensor<1x2x2x4x4xf16>, tensor<1x1x2x1x1xf32> -> tensor<1x2x2x4x4xf16>
  %1 = ane.elementwise add %s, %0 {activation = #ane.act<relu>} : tensor<1x1x2x1x1xf32>, tensor<1x2x2x4x4xf16> -> tensor<1x2x2x4x4xf16>
  return %1 : tensor<1x2x2x4x4xf16>
}

// -----

// One value for each plane, parts of two planes, and planes that others read.

// CHECK-LABEL: func @stays
// CHECK: ane.reshape
// CHECK-NEXT: %[[A:.*]] = ane.elementwise mul
// CHECK: ane.reshape
// CHECK-NEXT: %[[B:.*]] = ane.elementwise mul
// CHECK: ane.reshape
// CHECK-NEXT: %[[C:.*]] = ane.elementwise mul
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @stays(%x: tensor<1x3x4x4xf16>, %y: tensor<1x3x4x4xf16>) -> (tensor<1x2x2x4x4xf16>, tensor<1x4x2x4x4xf16>, tensor<1x2x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %w = ane.constant dense<0.5> : tensor<2x3x1x1xf16>
  %u = ane.constant dense<0.5> : tensor<4x3x1x1xf16>
  %f = ane.constant dense<[[[[[2.0]], [[4.0]]]]]> : tensor<1x1x2x1x1xf32>
  %g = ane.constant dense<[[[[[2.0]]], [[[4.0]]]]]> : tensor<1x2x1x1x1xf32>
  %p = ane.conv %x, %w : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16> -> tensor<1x2x4x4xf16>
  %q = ane.conv %y, %w : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16> -> tensor<1x2x4x4xf16>
  %c = ane.concat %p, %q {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x4x4x4xf16>
  %v = ane.reshape %c : tensor<1x4x4x4xf16> -> tensor<1x2x2x4x4xf16>
  %0 = ane.elementwise mul %v, %g : tensor<1x2x2x4x4xf16>, tensor<1x2x1x1x1xf32> -> tensor<1x2x2x4x4xf16>
  %r = ane.conv %x, %u : tensor<1x3x4x4xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x4x4xf16>
  %s = ane.conv %y, %u : tensor<1x3x4x4xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x4x4xf16>
  %d = ane.concat %r, %s {axis = 1 : i64} : tensor<1x4x4x4xf16>, tensor<1x4x4x4xf16> -> tensor<1x8x4x4xf16>
  %z = ane.reshape %d : tensor<1x8x4x4xf16> -> tensor<1x4x2x4x4xf16>
  %1 = ane.elementwise mul %z, %f : tensor<1x4x2x4x4xf16>, tensor<1x1x2x1x1xf32> -> tensor<1x4x2x4x4xf16>
  %t = ane.conv %x, %w : tensor<1x3x4x4xf16>, tensor<2x3x1x1xf16> -> tensor<1x2x4x4xf16>
  %e = ane.concat %t, %t {axis = 1 : i64} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x4x4x4xf16>
  %n = ane.reshape %e : tensor<1x4x4x4xf16> -> tensor<1x2x2x4x4xf16>
  %2 = ane.elementwise mul %n, %f : tensor<1x2x2x4x4xf16>, tensor<1x1x2x1x1xf32> -> tensor<1x2x2x4x4xf16>
  return %0, %1, %2, %t : tensor<1x2x2x4x4xf16>, tensor<1x4x2x4x4xf16>, tensor<1x2x2x4x4xf16>, tensor<1x2x4x4xf16>
}
