// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose)}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-3: computes the same: largest difference 0,

// Of columns that are computed in strips, and that L2 does not hold together with
// what they become, each strip is transposed while it is there.
// CHECK-LABEL: func @strips
// CHECK: %[[A:.*]] = ane.activation %arg0
// CHECK-NEXT: %[[AT:.*]] = ane.transpose %[[A]] {perm = array<i64: 0, 3, 2, 1>} : tensor<1x256x1x2048xf16> -> tensor<1x2048x1x256xf16>
// CHECK-NEXT: %[[B:.*]] = ane.activation %arg1
// CHECK-NEXT: %[[BT:.*]] = ane.transpose %[[B]]
// CHECK: ane.concat %[[AT]], %[[BT]] {axis = 1 : i64}
// ZIN-LABEL: func @strips
// ZIN: ane.concat {{.*}} {axis = 3 : i64}
func.func @strips(%x: tensor<1x256x1x2048xf16>, %y: tensor<1x256x1x2048xf16>) -> tensor<1x4096x1x256xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x256x1x2048xf16> -> tensor<1x256x1x2048xf16>
  %1 = ane.activation %y {function = #ane.act<relu>} : tensor<1x256x1x2048xf16> -> tensor<1x256x1x2048xf16>
  %2 = ane.concat %0, %1 {axis = 3 : i64} : tensor<1x256x1x2048xf16>, tensor<1x256x1x2048xf16> -> tensor<1x256x1x4096xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x256x1x4096xf16> -> tensor<1x4096x1x256xf16>
  return %3 : tensor<1x4096x1x256xf16>
}

// Few elements are in L2 in any case, and one transpose has fewer tasks.
// CHECK-LABEL: func @small
// CHECK: ane.concat {{.*}} {axis = 3 : i64}
func.func @small(%x: tensor<1x16x1x2048xf16>, %y: tensor<1x16x1x2048xf16>) -> tensor<1x4096x1x16xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x16x1x2048xf16> -> tensor<1x16x1x2048xf16>
  %1 = ane.activation %y {function = #ane.act<relu>} : tensor<1x16x1x2048xf16> -> tensor<1x16x1x2048xf16>
  %2 = ane.concat %0, %1 {axis = 3 : i64} : tensor<1x16x1x2048xf16>, tensor<1x16x1x2048xf16> -> tensor<1x16x1x4096xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x16x1x4096xf16> -> tensor<1x4096x1x16xf16>
  return %3 : tensor<1x4096x1x16xf16>
}

// What is joined from elsewhere is no strip.
// CHECK-LABEL: func @joined
// CHECK: ane.concat {{.*}} {axis = 3 : i64}
func.func @joined(%x: tensor<1x256x1x2048xf16>, %y: tensor<1x256x1x2048xf16>) -> tensor<1x4096x1x256xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x256x1x2048xf16> -> tensor<1x256x1x2048xf16>
  %2 = ane.concat %0, %y {axis = 3 : i64} : tensor<1x256x1x2048xf16>, tensor<1x256x1x2048xf16> -> tensor<1x256x1x4096xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x256x1x4096xf16> -> tensor<1x4096x1x256xf16>
  return %3 : tensor<1x4096x1x256xf16>
}
