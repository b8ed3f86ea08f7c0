// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule | FileCheck %s
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule=window=1 | FileCheck %s --check-prefix=KEPT

// Tasks that fill parts of one tensor change places; who reads it waits for all.
// CHECK-LABEL: @parts
// CHECK: ane.buffer
// CHECK: memref<64x64x1x1xf16, #ane.space<kernel>>
// CHECK: ane.pe_elementwise add
// CHECK: memref<64x256x3x3xf16, #ane.space<kernel>>
// CHECK: ane.ne_bypass
// KEPT-LABEL: @parts
// KEPT: memref<64x256x3x3xf16, #ane.space<kernel>>
// KEPT: ane.pe_elementwise add
func.func @parts(%x: tensor<1x64x16x16xf16>, %y: tensor<1x256x16x16xf16>) -> tensor<1x128x16x16xf16> {
  %small = ane.constant dense<0.125> : tensor<64x64x1x1xf16>
  %large = ane.constant dense<0.0625> : tensor<64x256x3x3xf16>
  %0 = ane.conv %x, %small : tensor<1x64x16x16xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x16x16xf16>
  %1 = ane.conv %y, %large {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x16x16xf16>, tensor<64x256x3x3xf16> -> tensor<1x64x16x16xf16>
  %2 = ane.elementwise add %0, %0 : tensor<1x64x16x16xf16>, tensor<1x64x16x16xf16> -> tensor<1x64x16x16xf16>
  %3 = ane.concat %1, %2 {axis = 1 : i64} : tensor<1x64x16x16xf16>, tensor<1x64x16x16xf16> -> tensor<1x128x16x16xf16>
  %4 = ane.activation %3 {function = #ane.act<sigmoid>} : tensor<1x128x16x16xf16> -> tensor<1x128x16x16xf16>
  return %4 : tensor<1x128x16x16xf16>
}

// So do those that fill rows of it, between which there are rows of the others.
// CHECK-LABEL: @rows
// CHECK: memref<64x64x1x1xf16, #ane.space<kernel>>
// CHECK: ane.pe_elementwise add
// CHECK: memref<64x256x3x3xf16, #ane.space<kernel>>
// CHECK: ane.ne_bypass
func.func @rows(%x: tensor<1x64x16x16xf16>, %y: tensor<1x256x16x16xf16>) -> tensor<1x64x32x16xf16> {
  %small = ane.constant dense<0.125> : tensor<64x64x1x1xf16>
  %large = ane.constant dense<0.0625> : tensor<64x256x3x3xf16>
  %0 = ane.conv %x, %small : tensor<1x64x16x16xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x16x16xf16>
  %1 = ane.conv %y, %large {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x16x16xf16>, tensor<64x256x3x3xf16> -> tensor<1x64x16x16xf16>
  %2 = ane.elementwise add %0, %0 : tensor<1x64x16x16xf16>, tensor<1x64x16x16xf16> -> tensor<1x64x16x16xf16>
  %3 = ane.concat %1, %2 {axis = 2 : i64} : tensor<1x64x16x16xf16>, tensor<1x64x16x16xf16> -> tensor<1x64x32x16xf16>
  %4 = ane.activation %3 {function = #ane.act<sigmoid>} : tensor<1x64x32x16xf16> -> tensor<1x64x32x16xf16>
  return %4 : tensor<1x64x32x16xf16>
}

// Another shape of the tensor has other planes: those from the second on begin behind the rows
// that the second convolution writes, and have some of them nonetheless.
// CHECK-LABEL: @reshaped
// CHECK: memref<64x64x1x1xf16, #ane.space<kernel>>
// CHECK: memref<64x256x3x3xf16, #ane.space<kernel>>
// CHECK: ane.pe_elementwise add
func.func @reshaped(%x: tensor<1x64x16x32xf16>, %y: tensor<1x256x16x32xf16>) -> (tensor<1x127x16x32xf16>, tensor<1x64x32x32xf16>) {
  %small = ane.constant dense<0.125> : tensor<64x64x1x1xf16>
  %large = ane.constant dense<0.0625> : tensor<64x256x3x3xf16>
  %0 = ane.conv %x, %small : tensor<1x64x16x32xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x16x32xf16>
  %1 = ane.conv %y, %large {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x16x32xf16>, tensor<64x256x3x3xf16> -> tensor<1x64x16x32xf16>
  %2 = ane.concat %1, %0 {axis = 2 : i64} : tensor<1x64x16x32xf16>, tensor<1x64x16x32xf16> -> tensor<1x64x32x32xf16>
  %3 = ane.reshape %2 : tensor<1x64x32x32xf16> -> tensor<1x128x16x32xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 127, 16, 32>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x128x16x32xf16> -> tensor<1x127x16x32xf16>
  %5 = ane.elementwise add %4, %4 : tensor<1x127x16x32xf16>, tensor<1x127x16x32xf16> -> tensor<1x127x16x32xf16>
  %6 = ane.activation %2 {function = #ane.act<sigmoid>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  return %5, %6 : tensor<1x127x16x32xf16>, tensor<1x64x32x32xf16>
}

// What has no body has no tasks.
// CHECK-LABEL: @elsewhere
func.func private @elsewhere(tensor<1x64x16x16xf16>) -> tensor<1x64x16x16xf16>

// The planar engine's source and result have room in half of L2, but not beside the tensor of
// which the second convolution computes a part: the convolution stays first.
// CHECK-LABEL: @no_room
// CHECK: memref<64x64x1x1xf16, #ane.space<kernel>>
// CHECK: memref<256x64x3x3xf16, #ane.space<kernel>>
// CHECK: ane.pe_elementwise
func.func @no_room(%x: tensor<1x64x32x32xf16>, %z: tensor<1x256x32x32xf16>) -> tensor<1x512x32x32xf16> {
  %small = ane.constant dense<0.125> : tensor<64x64x1x1xf16>
  %large = ane.constant dense<0.0625> : tensor<256x64x3x3xf16>
  %0 = ane.conv %x, %small : tensor<1x64x32x32xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x32x32xf16>
  %1 = ane.conv %0, %large {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x32x32xf16>, tensor<256x64x3x3xf16> -> tensor<1x256x32x32xf16>
  %2 = ane.elementwise add %z, %z : tensor<1x256x32x32xf16>, tensor<1x256x32x32xf16> -> tensor<1x256x32x32xf16>
  %3 = ane.activation %2 {function = #ane.act<sigmoid>} : tensor<1x256x32x32xf16> -> tensor<1x256x32x32xf16>
  %4 = ane.concat %1, %3 {axis = 1 : i64} : tensor<1x256x32x32xf16>, tensor<1x256x32x32xf16> -> tensor<1x512x32x32xf16>
  %5 = ane.activation %4 {function = #ane.act<sigmoid>} : tensor<1x512x32x32xf16> -> tensor<1x512x32x32xf16>
  return %5 : tensor<1x512x32x32xf16>
}
