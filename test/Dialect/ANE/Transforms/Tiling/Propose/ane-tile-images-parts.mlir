// RUN: ane-opt %s -split-input-file --ane-tile-images=parts=3 | FileCheck %s
// RUN: ane-opt %s -split-input-file --ane-check-equivalence="pipeline=ane-tile-images{parts=3}" -o /dev/null
// RUN: not ane-opt %s --ane-tile-images=parts=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: cannot be cut into -1 parts; give a positive number, or 0 for the fastest
// RUN: not ane-opt %s --ane-tile-images="early parts=2" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: 'early' cuts batches and no columns; remove it, or 'parts'

// A shortcut, a factor for each channel from outside, a result that is used inside,
// too, and a stride: columns are counted in those of the narrowest value, of which
// parts begin at multiples of 32. Inside, nothing is moved.
// CHECK-LABEL: @shortcut
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 66>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 130>
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x8x6x130xf16>
// CHECK-NOT: ane.slice %[[A]]
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 64>, sizes = array<i64: 1, 4, 6, 128>
// CHECK: ane.concat {{.*}} -> tensor<1x4x6x192xf16>
// CHECK: ane.concat {{.*}} -> tensor<1x4x3x96xf16>
func.func @shortcut(%x: tensor<1x4x6x192xf16>, %f: tensor<1x8x1x1xf16>) -> (tensor<1x4x6x192xf16>, tensor<1x4x3x96xf16>) {
  %w = ane.constant dense<0.125> : tensor<8x4x3x3xf16>
  %v = ane.constant dense<0.25> : tensor<4x8x1x3xf16>
  %s = ane.constant dense<0.0625> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x6x192xf16>, tensor<8x4x3x3xf16> -> tensor<1x8x6x192xf16>
  %1 = ane.elementwise mul %0, %f : tensor<1x8x6x192xf16>, tensor<1x8x1x1xf16> -> tensor<1x8x6x192xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 0, 0, 1, 1>}
     : tensor<1x8x6x192xf16>, tensor<4x8x1x3xf16> -> tensor<1x4x6x192xf16>
  %3 = ane.elementwise add %2, %x : tensor<1x4x6x192xf16>, tensor<1x4x6x192xf16> -> tensor<1x4x6x192xf16>
  %4 = ane.conv %3, %s {pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>}
     : tensor<1x4x6x192xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x3x96xf16>
  return %3, %4 : tensor<1x4x6x192xf16>, tensor<1x4x3x96xf16>
}

// -----

// Two runs, since of all columns there is one sum; what has other columns or none is
// left whole.
// CHECK-LABEL: @between
// CHECK-COUNT-3: ane.conv {{.*}} -> tensor<1x4x6x{{.*}}xf16>
// CHECK: ane.concat
// CHECK: ane.reduce sum {{.*}} -> tensor<1x4x6x1xf16>
// CHECK-COUNT-3: ane.elementwise add
// CHECK: ane.concat
// CHECK: ane.concat %{{.*}}, %{{.*}} {axis = 3 : i64} : tensor<1x4x6x96xf16>, tensor<1x4x6x96xf16>
func.func @between(%x: tensor<1x4x6x96xf16>) -> tensor<1x4x6x192xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x4x6x96xf16>, tensor<4x4x3x3xf16> -> tensor<1x4x6x96xf16>
  %1 = ane.reduce sum %0 {axes = array<i64: 3>} : tensor<1x4x6x96xf16> -> tensor<1x4x6x1xf16>
  %2 = ane.elementwise add %0, %1 : tensor<1x4x6x96xf16>, tensor<1x4x6x1xf16> -> tensor<1x4x6x96xf16>
  %3 = ane.concat %2, %x {axis = 3 : i64} : tensor<1x4x6x96xf16>, tensor<1x4x6x96xf16> -> tensor<1x4x6x192xf16>
  return %3 : tensor<1x4x6x192xf16>
}

// -----

// Far from a border, an op that looks at no columns around has less of them.
// CHECK-LABEL: @much_less
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 4, 6, 193>
// CHECK: %[[A:.*]] = ane.conv {{.*}} -> tensor<1x4x6x193xf16>
// CHECK: %[[B:.*]] = ane.slice %[[A]] {offsets = array<i64: 0, 0, 0, 32>, sizes = array<i64: 1, 4, 6, 129>
// CHECK: %[[C:.*]] = ane.activation %[[B]]
// CHECK: ane.conv %[[C]], {{.*}} -> tensor<1x4x6x129xf16>
func.func @much_less(%x: tensor<1x4x6x288xf16>) -> tensor<1x4x6x288xf16> {
  %w = ane.constant dense<0.125> : tensor<4x4x1x65xf16>
  %v = ane.constant dense<0.125> : tensor<4x4x1x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 32, 32>}
     : tensor<1x4x6x288xf16>, tensor<4x4x1x65xf16> -> tensor<1x4x6x288xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x4x6x288xf16> -> tensor<1x4x6x288xf16>
  %2 = ane.conv %1, %v {pad = array<i64: 0, 0, 1, 1>}
     : tensor<1x4x6x288xf16>, tensor<4x4x1x3xf16> -> tensor<1x4x6x288xf16>
  return %2 : tensor<1x4x6x288xf16>
}

// -----

// By hand already.
// CHECK-LABEL: @by_hand
// CHECK-NOT: ane.slice
func.func @by_hand(%x: tensor<1x4x6x192xf16>) -> tensor<1x4x6x192xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>, ane.tile = #ane.tile<group = 0, dim = 2, size = 2>} : tensor<1x4x6x192xf16> -> tensor<1x4x6x192xf16>
  return %0 : tensor<1x4x6x192xf16>
}
