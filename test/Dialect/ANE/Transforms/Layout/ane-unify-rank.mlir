// RUN: ane-opt %s --ane-unify-rank | FileCheck %s

// CHECK-LABEL: @three
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<3x5x7xf16> -> tensor<1x3x5x7xf16>
// CHECK: %[[Y:.*]] = ane.reshape %arg1 : tensor<3x1x7xf16> -> tensor<1x3x1x7xf16>
// CHECK: %[[Z:.*]] = ane.elementwise add %[[X]], %[[Y]] : tensor<1x3x5x7xf16>, tensor<1x3x1x7xf16> -> tensor<1x3x5x7xf16>
// CHECK: ane.reshape %[[Z]] : tensor<1x3x5x7xf16> -> tensor<3x5x7xf16>
func.func @three(%x: tensor<3x5x7xf16>, %y: tensor<3x1x7xf16>) -> tensor<3x5x7xf16> {
  %z = ane.elementwise add %x, %y : tensor<3x5x7xf16>, tensor<3x1x7xf16> -> tensor<3x5x7xf16>
  return %z : tensor<3x5x7xf16>
}

// The axis moves with its dimension.
// CHECK-LABEL: @softmax
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<5x7xf16> -> tensor<1x1x5x7xf16>
// CHECK: ane.softmax %[[X]] {axis = 3 : i64} : tensor<1x1x5x7xf16>
func.func @softmax(%x: tensor<5x7xf16>) -> tensor<5x7xf16> {
  %z = ane.softmax %x {axis = 1 : i64} : tensor<5x7xf16> -> tensor<5x7xf16>
  return %z : tensor<5x7xf16>
}

// Dimensions that no op tells apart become one.
// CHECK-LABEL: @five
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<2x3x4x5x6xf16> -> tensor<2x12x5x6xf16>
// CHECK: %[[Z:.*]] = ane.activation %[[X]] {function = #ane.act<relu>} : tensor<2x12x5x6xf16>
// CHECK: ane.reshape %[[Z]] : tensor<2x12x5x6xf16> -> tensor<2x3x4x5x6xf16>
func.func @five(%x: tensor<2x3x4x5x6xf16>) -> tensor<2x3x4x5x6xf16> {
  %z = ane.activation %x {function = #ane.act<relu>} : tensor<2x3x4x5x6xf16> -> tensor<2x3x4x5x6xf16>
  return %z : tensor<2x3x4x5x6xf16>
}

// More rows than a tensor has are channels: joined, bounded, taken.
// CHECK-LABEL: @tall
// CHECK: %[[A:.*]] = ane.reshape %arg0 : {{.*}} -> tensor<1x19200x1x85xf16>
// CHECK: %[[B:.*]] = ane.reshape %arg1 : {{.*}} -> tensor<1x4800x1x85xf16>
// CHECK: %[[C:.*]] = ane.concat %[[A]], %[[B]] {axis = 1 : i64} {{.*}} -> tensor<1x24000x1x85xf16>
// CHECK: %[[R:.*]] = ane.activation %[[C]] {function = #ane.act<relu>} : tensor<1x24000x1x85xf16>
// CHECK: ane.slice %[[R]] {offsets = array<i64: 0, 16, 0, 0>, sizes = array<i64: 1, 20000, 1, 85>
func.func @tall(%x: tensor<1x19200x85xf16>, %y: tensor<1x4800x85xf16>) -> tensor<1x20000x85xf16> {
  %0 = ane.concat %x, %y {axis = 1 : i64} : tensor<1x19200x85xf16>, tensor<1x4800x85xf16> -> tensor<1x24000x85xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x24000x85xf16> -> tensor<1x24000x85xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 16, 0>, sizes = array<i64: 1, 20000, 85>, strides = array<i64: 1, 1, 1>}
     : tensor<1x24000x85xf16> -> tensor<1x20000x85xf16>
  return %2 : tensor<1x20000x85xf16>
}

// A dimension of a transpose that is longer than any is two: blocks of pixels
// become channels.
// CHECK-LABEL: @long_transpose
// CHECK: ane.reshape %arg0 : {{.*}} -> tensor<1x[[A:[0-9]+]]x[[B:[0-9]+]]x3xf16>
// CHECK: ane.transpose {{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x[[A]]x[[B]]x3xf16> -> tensor<1x3x[[A]]x[[B]]xf16>
func.func @long_transpose(%x: tensor<40960x3xf16>) -> tensor<3x40960xf16> {
  %0 = ane.transpose %x {perm = array<i64: 1, 0>} : tensor<40960x3xf16> -> tensor<3x40960xf16>
  return %0 : tensor<3x40960xf16>
}

// A window over more rows than a tensor has: parts with the rows around them.
// CHECK-LABEL: @tall_window
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x2x20000x8xf16> -> tensor<2x20000x1x8xf16>
// CHECK: ane.slice %[[X]] {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 6668, 1, 8>
// CHECK: ane.conv {{.*}}pad = array<i64: 1, 0, 1, 1>{{.*}} -> tensor<1x2x6667x8xf16>
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 0, 6666, 0, 0>, sizes = array<i64: 2, 6669, 1, 8>
// CHECK: ane.conv {{.*}}pad = array<i64: 0, 0, 1, 1>{{.*}} -> tensor<1x2x6667x8xf16>
// CHECK: ane.conv {{.*}}pad = array<i64: 0, 1, 1, 1>{{.*}} -> tensor<1x2x6666x8xf16>
// CHECK: ane.concat {{.*}} {axis = 1 : i64} {{.*}} -> tensor<2x20000x1x8xf16>
func.func @tall_window(%x: tensor<1x2x20000x8xf16>) -> tensor<1x2x20000x8xf16> {
  %w = ane.constant dense<0.5> : tensor<2x2x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x20000x8xf16>, tensor<2x2x3x3xf16> -> tensor<1x2x20000x8xf16>
  return %0 : tensor<1x2x20000x8xf16>
}
