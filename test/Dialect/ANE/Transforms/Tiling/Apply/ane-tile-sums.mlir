// RUN: ane-opt %s --split-input-file --ane-tile --ane-fold --canonicalize | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline={func.func(ane-tile),ane-fold} tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-6: computes the same

// Two enlarged images and what is added to them are one product: their rows lie
// side by side, and those of the last go through the identity.
// CHECK-LABEL: func @all
// CHECK: %[[W:.*]] = ane.constant dense<{{.*}}5.000000e-01{{.*}}2.500000e-01{{.*}}> : tensor<4x9x1x1xf16>
// CHECK: %[[Z:.*]] = ane.activation %arg2
// CHECK: %[[R:.*]] = ane.transpose %[[Z]] {perm = array<i64: 0, 2, 1, 3>} : tensor<1x16x4x32xf16> -> tensor<1x4x16x32xf16>
// CHECK: %[[S:.*]] = ane.concat %[[R]], %arg0, %arg1 {axis = 1 : i64}
// CHECK: %[[P:.*]] = ane.conv %[[S]], %[[W]] {activation = #ane.act<relu>}
// CHECK: %[[Y:.*]] = ane.transpose %[[P]] {perm = array<i64: 0, 2, 1, 3>}
// CHECK-NEXT: return %[[Y]]
func.func @all(%x: tensor<1x3x16x32xf16>, %y: tensor<1x2x16x32xf16>, %z: tensor<1x16x4x32xf16>) -> tensor<1x16x4x32xf16> {
  %v = ane.constant dense<[[[[0.5]], [[0.5]], [[0.0]]], [[[0.25]], [[0.75]], [[0.0]]], [[[0.0]], [[0.75]], [[0.25]]], [[[0.0]], [[0.5]], [[0.5]]]]> : tensor<4x3x1x1xf16>
  %w = ane.constant dense<[[[[1.0]], [[0.0]]], [[[0.75]], [[0.25]]], [[[0.25]], [[0.75]]], [[[0.0]], [[1.0]]]]> : tensor<4x2x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<neg>} : tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %1 = ane.conv %x, %v {ane.banded} : tensor<1x3x16x32xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x16x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %4 = ane.conv %y, %w {ane.banded} : tensor<1x2x16x32xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x16x32xf16>
  %5 = ane.transpose %4 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %6 = ane.elementwise add %3, %5 {activation = #ane.act<relu>} : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  return %6 : tensor<1x16x4x32xf16>
}

// -----

// What is there already is added as before, behind the product of the others.
// CHECK-LABEL: func @argument
// CHECK: %[[S:.*]] = ane.concat %arg0, %arg1 {axis = 1 : i64}
// CHECK: %[[P:.*]] = ane.conv %[[S]], %{{.*}} : tensor<1x5x16x32xf16>, tensor<4x5x1x1xf16>
// CHECK: %[[T:.*]] = ane.transpose %[[P]]
// CHECK: ane.elementwise add %arg2, %[[T]] {activation = #ane.act<relu>}
func.func @argument(%x: tensor<1x3x16x32xf16>, %y: tensor<1x2x16x32xf16>, %z: tensor<1x16x4x32xf16>) -> tensor<1x16x4x32xf16> {
  %v = ane.constant dense<[[[[0.5]], [[0.5]], [[0.0]]], [[[0.25]], [[0.75]], [[0.0]]], [[[0.0]], [[0.75]], [[0.25]]], [[[0.0]], [[0.5]], [[0.5]]]]> : tensor<4x3x1x1xf16>
  %w = ane.constant dense<[[[[1.0]], [[0.0]]], [[[0.75]], [[0.25]]], [[[0.25]], [[0.75]]], [[[0.0]], [[1.0]]]]> : tensor<4x2x1x1xf16>
  %1 = ane.conv %x, %v {ane.banded} : tensor<1x3x16x32xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x16x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %3 = ane.elementwise add %z, %2 : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %4 = ane.conv %y, %w {ane.banded} : tensor<1x2x16x32xf16>, tensor<4x2x1x1xf16> -> tensor<1x4x16x32xf16>
  %5 = ane.transpose %4 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %6 = ane.elementwise add %3, %5 {activation = #ane.act<relu>} : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  return %6 : tensor<1x16x4x32xf16>
}

// -----

// Nothing is added behind a function, or to what others use.
// CHECK-LABEL: func @used
// CHECK: ane.conv %arg0
// CHECK: ane.elementwise add
// CHECK: ane.elementwise add
func.func @used(%x: tensor<1x3x16x32xf16>, %z: tensor<1x16x4x32xf16>) -> (tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16>) {
  %v = ane.constant dense<[[[[0.5]], [[0.5]], [[0.0]]], [[[0.25]], [[0.75]], [[0.0]]], [[[0.0]], [[0.75]], [[0.25]]], [[[0.0]], [[0.5]], [[0.5]]]]> : tensor<4x3x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<neg>} : tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %1 = ane.conv %x, %v {ane.banded} : tensor<1x3x16x32xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x16x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %3 = ane.elementwise add %0, %2 {activation = #ane.act<relu>} : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %4 = ane.elementwise add %3, %0 : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  return %4, %3 : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16>
}

// -----

// Other products with rows as channels may have any matrix, and there are no
// zeros to leave out.
// CHECK-LABEL: func @dense
// CHECK: ane.elementwise add
func.func @dense(%x: tensor<1x3x16x32xf16>, %z: tensor<1x16x4x32xf16>) -> tensor<1x16x4x32xf16> {
  %v = ane.constant dense<[[[[0.5]], [[0.5]], [[0.0]]], [[[0.25]], [[0.75]], [[0.0]]], [[[0.0]], [[0.75]], [[0.25]]], [[[0.0]], [[0.5]], [[0.5]]]]> : tensor<4x3x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<neg>} : tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  %1 = ane.conv %x, %v : tensor<1x3x16x32xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x16x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x16x32xf16> -> tensor<1x16x4x32xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x16x4x32xf16>, tensor<1x16x4x32xf16> -> tensor<1x16x4x32xf16>
  return %3 : tensor<1x16x4x32xf16>
}

// -----

// Many rows through the identity would be more products than additions.
// CHECK-LABEL: func @many
// CHECK: ane.elementwise add
func.func @many(%x: tensor<1x2x8x32xf16>, %z: tensor<1x8x512x32xf16>) -> tensor<1x8x512x32xf16> {
  %v = ane.constant dense<0.5> : tensor<512x2x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<neg>} : tensor<1x8x512x32xf16> -> tensor<1x8x512x32xf16>
  %1 = ane.conv %x, %v {ane.banded} : tensor<1x2x8x32xf16>, tensor<512x2x1x1xf16> -> tensor<1x512x8x32xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x512x8x32xf16> -> tensor<1x8x512x32xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x8x512x32xf16>, tensor<1x8x512x32xf16> -> tensor<1x8x512x32xf16>
  return %3 : tensor<1x8x512x32xf16>
}

// -----

// Nor is L2 to be filled with rows side by side.
// CHECK-LABEL: func @large
// CHECK: ane.elementwise add
func.func @large(%x: tensor<1x3x512x512xf16>, %z: tensor<1x512x4x512xf16>) -> tensor<1x512x4x512xf16> {
  %v = ane.constant dense<0.5> : tensor<4x3x1x1xf16>
  %0 = ane.activation %z {function = #ane.act<neg>} : tensor<1x512x4x512xf16> -> tensor<1x512x4x512xf16>
  %1 = ane.conv %x, %v {ane.banded} : tensor<1x3x512x512xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x512x512xf16>
  %2 = ane.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x512x512xf16> -> tensor<1x512x4x512xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x512x4x512xf16>, tensor<1x512x4x512xf16> -> tensor<1x512x4x512xf16>
  return %3 : tensor<1x512x4x512xf16>
}
