// RUN: ane-opt %s --ane-recognize-attention --ane-decompose-attention | FileCheck %s
// RUN: ane-opt %s --ane-recognize-attention --ane-decompose-attention --ane-split-layers | FileCheck %s --check-prefix=SPLIT

// What becomes of products says whether it is by column, until layers are split.
// SPLIT: ane.runtime_conv
// SPLIT-NOT: ane.by_column

// Head by head; keys are channels of the scores, so that the maximum is one pass, and a
// narrow matrix subtracts it. The sum of the powers divides the result, not the weights.
// CHECK-LABEL: @two_heads
// CHECK-DAG: %[[DIFFERENCES:.*]] = ane.constant dense<{{.*}}> : tensor<16x17x1x1xf16>
// CHECK-DAG: %[[ONES:.*]] = ane.constant dense<1.000000e+00> : tensor<1x16x1x1xf16>
// CHECK: %[[Q:.*]] = ane.slice %{{.*}} {{.*}} -> tensor<1x8x1x16xf16>
// CHECK: %[[K:.*]] = ane.slice %{{.*}} {{.*}} -> tensor<1x16x1x8xf16>
// CHECK: %[[V:.*]] = ane.slice %{{.*}} {{.*}} -> tensor<1x8x1x16xf16>
// CHECK: %[[SCORES:.*]] = ane.runtime_conv %[[Q]], %[[K]] {ane.by_column = false} : tensor<1x8x1x16xf16>, tensor<1x16x1x8xf16> -> tensor<1x16x1x16xf16>
// CHECK: %[[MOST:.*]] = ane.reduce max %[[SCORES]] {axes = array<i64: 1>}
// CHECK: %[[BOTH:.*]] = ane.concat %[[MOST]], %[[SCORES]] {ane.by_column = false, axis = 1 : i64}
// CHECK: %[[POWERS:.*]] = ane.conv %[[BOTH]], {{.*}} {activation = #ane.act<exp2>, ane.by_column = false} : tensor<1x17x1x16xf16>, tensor<16x17x1x1xf16>
// CHECK: %[[SHARE:.*]] = ane.conv %[[POWERS]], %[[ONES]] {activation = #ane.act<reciprocal>, ane.by_column = false}
// CHECK: %[[SUM:.*]] = ane.runtime_conv %[[POWERS]], %[[V]]
// CHECK: ane.elementwise mul %[[SUM]], %[[SHARE]] {ane.by_column = false}
// CHECK: ane.runtime_conv
// CHECK: ane.runtime_conv
// CHECK-NOT: ane.runtime_conv
// CHECK: %[[ALL:.*]] = ane.concat
// CHECK: return
func.func @two_heads(%q: tensor<1x2x16x8xf16>, %k: tensor<1x2x16x8xf16>, %v: tensor<1x2x16x8xf16>) -> tensor<1x2x16x8xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x16x16xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x16x16xf16> -> tensor<1x2x16x16xf16>
  %y = ane.matmul %p, %v : tensor<1x2x16x16xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x16x8xf16>
  return %y : tensor<1x2x16x8xf16>
}

// A softmax that nothing multiplies is left to ane-expand-ops.
// CHECK-LABEL: @alone
// CHECK-NEXT: ane.softmax
// CHECK-NEXT: return
func.func @alone(%x: tensor<1x2x16x16xf16>) -> tensor<1x2x16x16xf16> {
  %p = ane.softmax %x {axis = 3 : i64} : tensor<1x2x16x16xf16> -> tensor<1x2x16x16xf16>
  return %p : tensor<1x2x16x16xf16>
}

// Of few keys to many queries each column is apart.
// CHECK-LABEL: @few_keys
// CHECK: %[[SCORES:.*]] = ane.runtime_conv {{.*}} {ane.by_column = true} : {{.*}} -> tensor<1x16x1x128xf16>
// CHECK: ane.elementwise mul {{.*}} {ane.by_column = true}
func.func @few_keys(%q: tensor<1x2x128x8xf16>, %k: tensor<1x2x16x8xf16>, %v: tensor<1x2x16x8xf16>) -> tensor<1x2x128x8xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x128x8xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x128x16xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x128x16xf16> -> tensor<1x2x128x16xf16>
  %y = ane.matmul %p, %v : tensor<1x2x128x16xf16>, tensor<1x2x16x8xf16> -> tensor<1x2x128x8xf16>
  return %y : tensor<1x2x128x8xf16>
}
