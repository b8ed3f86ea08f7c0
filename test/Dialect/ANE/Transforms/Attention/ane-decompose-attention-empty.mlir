// RUN: ane-opt %s --ane-set-target=target=h13 --ane-decompose-attention | FileCheck %s
// RUN: ane-opt %s --ane-set-target=target=h13 --ane-check-equivalence="pipeline=ane-decompose-attention tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME

// Without keys there is nothing to cut: products of nothing, which are zero.
// CHECK-LABEL: @no_keys
// CHECK: ane.matmul %{{.*}} -> tensor<1x1x2x0xf16>
// CHECK: ane.softmax
// CHECK: ane.matmul %{{.*}} -> tensor<1x1x2x4xf16>
// SAME: largest difference 0, largest magnitude 0
func.func @no_keys(%q: tensor<1x1x2x4xf16>, %k: tensor<1x1x0x4xf16>) -> tensor<1x1x2x4xf16> {
  %y = ane.attention %q, %k, %k : tensor<1x1x2x4xf16>, tensor<1x1x0x4xf16>, tensor<1x1x0x4xf16> -> tensor<1x1x2x4xf16>
  return %y : tensor<1x1x2x4xf16>
}
