// RUN: ane-opt %s --split-input-file --ane-move-scales | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-move-scales=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline=func.func(ane-move-scales) tolerance=1e-3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// ZIN-LABEL: @scores
// ZIN: ane.matmul %arg0, %arg1
// The queries are scaled, not the scores.
// SAME: remark: @scores computes the same
// CHECK-LABEL: @scores
// CHECK: [[Q:%.*]] = ane.elementwise mul %arg0
// CHECK: [[S:%.*]] = ane.matmul [[Q]], %arg1
// CHECK: return [[S]]
func.func @scores(%q: tensor<2x24x128xf16>, %k: tensor<2x24x128xf16>) -> tensor<2x24x24xf16> {
  %c = ane.constant dense<0.0883883461> : tensor<1x1x1xf32>
  %p = ane.matmul %q, %k {transpose_rhs} : tensor<2x24x128xf16>, tensor<2x24x128xf16> -> tensor<2x24x24xf16>
  %s = ane.elementwise mul %p, %c : tensor<2x24x24xf16>, tensor<1x1x1xf32> -> tensor<2x24x24xf16>
  return %s : tensor<2x24x24xf16>
}

// -----

// A weight is scaled, and what is added as well.
// SAME: remark: @layer computes the same
// CHECK-LABEL: @layer
// CHECK: [[W:%.*]] = ane.elementwise mul {{.*}} tensor<1x4x2xf32>, tensor<1x1x1xf32> -> tensor<1x4x2xf32>
// CHECK: [[P:%.*]] = ane.matmul %arg0, [[W]]
// CHECK: [[B:%.*]] = ane.elementwise mul {{.*}} tensor<1x1x2xf32>, tensor<1x1x1xf32> -> tensor<1x1x2xf32>
// CHECK: [[S:%.*]] = ane.elementwise add [[P]], [[B]]
// CHECK: return [[S]]
func.func @layer(%x: tensor<1x3x4xf16>) -> tensor<1x3x2xf16> {
  %w = ane.constant dense<60.0> : tensor<1x4x2xf32>
  %b = ane.constant dense<3000.0> : tensor<1x1x2xf32>
  %c = ane.constant dense<0.01> : tensor<1x1x1xf32>
  %p = ane.matmul %x, %w : tensor<1x3x4xf16>, tensor<1x4x2xf32> -> tensor<1x3x2xf16>
  %s = ane.elementwise add %p, %b : tensor<1x3x2xf16>, tensor<1x1x2xf32> -> tensor<1x3x2xf16>
  %y = ane.elementwise mul %s, %c : tensor<1x3x2xf16>, tensor<1x1x1xf32> -> tensor<1x3x2xf16>
  return %y : tensor<1x3x2xf16>
}

// -----

// What is known to fit stays as it is.
// CHECK-LABEL: @fits
// CHECK: ane.matmul %arg0, %arg1
// CHECK: ane.elementwise mul
func.func @fits(%q: tensor<2x24x128xf16> {ane.range = [-1.0, 1.0]}, %k: tensor<2x24x128xf16> {ane.range = [-1.0, 1.0]}) -> tensor<2x24x24xf16> {
  %c = ane.constant dense<0.0883883461> : tensor<1x1x1xf32>
  %p = ane.matmul %q, %k {transpose_rhs} : tensor<2x24x128xf16>, tensor<2x24x128xf16> -> tensor<2x24x24xf16>
  %s = ane.elementwise mul %p, %c : tensor<2x24x24xf16>, tensor<1x1x1xf32> -> tensor<2x24x24xf16>
  return %s : tensor<2x24x24xf16>
}

// A weight of f16 takes a power of two, which costs no digit and no pass.
// CHECK-LABEL: @half_weight
// CHECK: %[[W:.*]] = ane.elementwise mul %{{.*}}, %{{.*}} : tensor<1x256x256xf16>, tensor<1x1x1xf32> -> tensor<1x256x256xf16>
// CHECK-NEXT: %[[P:.*]] = ane.matmul %arg0, %[[W]] {transpose_rhs}
// CHECK-NEXT: return %[[P]]
func.func @half_weight(%x: tensor<1x64x256xf16>) -> tensor<1x64x256xf16> {
  %w = ane.constant dense<0.5> : tensor<1x256x256xf16>
  %c = ane.constant dense<0.125> : tensor<1x1x1xf16>
  %p = ane.matmul %x, %w {transpose_rhs} : tensor<1x64x256xf16>, tensor<1x256x256xf16> -> tensor<1x64x256xf16>
  %y = ane.elementwise mul %p, %c : tensor<1x64x256xf16>, tensor<1x1x1xf16> -> tensor<1x64x256xf16>
  return %y : tensor<1x64x256xf16>
}
