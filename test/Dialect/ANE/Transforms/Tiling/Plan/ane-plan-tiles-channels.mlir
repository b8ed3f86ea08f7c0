// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels}))" | FileCheck %s
// RUN: echo '{"function": "small", "column_parts": 1}' > %t.json
// A plan for another function, or of other things, says nothing of these.
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels plan=%{near}.json}))" | FileCheck %s
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{channels},ane-tile),ane-fold,func.func(ane-form-tasks,ane-keep-in-l2))" | FileCheck %s --check-prefix=PLACE

// A convolution is added to a tensor so large that both do not fit L2: a quarter of its
// channels at a time does.
// CHECK-LABEL: @sum
// CHECK: ane.activation
// CHECK-NOT: ane.tile
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 1, size = 64>
// CHECK: ane.elementwise add {{.*}}ane.tile = #ane.tile<group = 0, dim = 1, size = 64>
// CHECK: ane.activation
// CHECK-NOT: ane.tile

// Each quarter of the sum lies over that of the tensor.
// PLACE-LABEL: @sum
// PLACE-NOT: ane.buffer
// PLACE: %[[P:.*]] = ane.l2_buffer : memref<1x256x56x56xf16, #ane.space<l2>>
// PLACE-NOT: ane.l2_buffer
// PLACE: ane.pe_unary
// PLACE: ane.keep %{{.*}}, %[[P]]
// PLACE: ane.ne_conv
// PLACE: ane.pe_elementwise add
// PLACE: ane.keep
// PLACE-COUNT-3: ane.pe_elementwise add
// PLACE: ane.pe_unary %[[P]]
func.func @sum(%x: tensor<1x256x56x56xf16>, %y: tensor<1x64x56x56xf16>) -> tensor<1x256x56x56xf16> {
  %w = ane.constant dense<0.125> : tensor<256x64x1x1xf16>
  %b = ane.constant dense<1.0> : tensor<256xf16>
  %0 = ane.activation %x {function = #ane.act<abs>} : tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  %1 = ane.conv %y, %w bias %b : tensor<1x64x56x56xf16>, tensor<256x64x1x1xf16>, tensor<256xf16> -> tensor<1x256x56x56xf16>
  %2 = ane.elementwise add %1, %0 : tensor<1x256x56x56xf16>, tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  %3 = ane.activation %2 {function = #ane.act<neg>} : tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  return %3 : tensor<1x256x56x56xf16>
}

// CHECK-LABEL: @few_channels
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 1, size = 16>
// CHECK: ane.elementwise add {{.*}}ane.tile = #ane.tile<group = 0, dim = 1, size = 16>
func.func @few_channels(%x: tensor<1x64x96x96xf16>, %y: tensor<1x64x96x96xf16>) -> tensor<1x64x96x96xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %0 = ane.conv %y, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x96xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x96xf16>
  %1 = ane.elementwise add %0, %x : tensor<1x64x96x96xf16>, tensor<1x64x96x96xf16> -> tensor<1x64x96x96xf16>
  return %1 : tensor<1x64x96x96xf16>
}

// Here both fit, or someone else needs the convolution.
// CHECK-LABEL: @small
// CHECK-NOT: ane.tile
func.func @small(%x: tensor<1x256x28x28xf16>, %y: tensor<1x64x28x28xf16>) -> tensor<1x256x28x28xf16> {
  %w = ane.constant dense<0.125> : tensor<256x64x1x1xf16>
  %0 = ane.conv %y, %w : tensor<1x64x28x28xf16>, tensor<256x64x1x1xf16> -> tensor<1x256x28x28xf16>
  %1 = ane.elementwise add %0, %x : tensor<1x256x28x28xf16>, tensor<1x256x28x28xf16> -> tensor<1x256x28x28xf16>
  return %1 : tensor<1x256x28x28xf16>
}

// CHECK-LABEL: @shared
// CHECK-NOT: ane.tile
func.func @shared(%x: tensor<1x256x56x56xf16>, %y: tensor<1x64x56x56xf16>) -> (tensor<1x256x56x56xf16>, tensor<1x256x56x56xf16>) {
  %w = ane.constant dense<0.125> : tensor<256x64x1x1xf16>
  %0 = ane.conv %y, %w : tensor<1x64x56x56xf16>, tensor<256x64x1x1xf16> -> tensor<1x256x56x56xf16>
  %1 = ane.elementwise add %0, %x : tensor<1x256x56x56xf16>, tensor<1x256x56x56xf16> -> tensor<1x256x56x56xf16>
  return %0, %1 : tensor<1x256x56x56xf16>, tensor<1x256x56x56xf16>
}

// Sums come as soon as both operands are there, functions of the argument when they are needed.
// CHECK-LABEL: @tree
// CHECK: %[[A:.*]] = ane.activation %arg0 {function = #ane.act<relu>}
// CHECK-NEXT: %[[B:.*]] = ane.activation %arg0 {function = #ane.act<abs>}
// CHECK-NEXT: %[[AB:.*]] = ane.elementwise add %[[A]], %[[B]]
// CHECK-NEXT: %[[C:.*]] = ane.activation %arg0 {function = #ane.act<tanh>}
// CHECK-NEXT: %[[D:.*]] = ane.activation %arg0 {function = #ane.act<sigmoid>}
// CHECK-NEXT: %[[CD:.*]] = ane.elementwise add %[[C]], %[[D]]
// CHECK-NEXT: ane.elementwise add %[[AB]], %[[CD]]
func.func @tree(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %a = ane.activation %x {function = #ane.act<relu>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %b = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %c = ane.activation %x {function = #ane.act<tanh>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %d = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %ab = ane.elementwise add %a, %b : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %cd = ane.elementwise add %c, %d : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %r = ane.elementwise add %ab, %cd : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %r : tensor<1x16x8x8xf16>
}

// A convolution that frees no more than it needs stays where it is: it would need both early.
// CHECK-LABEL: @late
// CHECK: %[[AB:.*]] = ane.elementwise add
// CHECK: %[[CD:.*]] = ane.elementwise add
// CHECK-NEXT: %[[Y:.*]] = ane.conv %[[AB]],
// CHECK-NEXT: ane.elementwise add %[[CD]], %[[Y]]
func.func @late(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x16x1x1xf16>
  %a = ane.activation %x {function = #ane.act<relu>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %b = ane.activation %x {function = #ane.act<abs>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %ab = ane.elementwise add %a, %b : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %c = ane.activation %x {function = #ane.act<tanh>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %d = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %cd = ane.elementwise add %c, %d : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %y = ane.conv %ab, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %r = ane.elementwise add %cd, %y : tensor<1x16x8x8xf16>, tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %r : tensor<1x16x8x8xf16>
}

// A convolution of a constant image takes no room for one.
// CHECK-LABEL: @constant_image
// CHECK-COUNT-2: ane.conv
// CHECK-NOT: ane.tile
func.func @constant_image(%x: tensor<1x64x1x1xf16>) -> tensor<1x128x1x1xf16> {
  %i = ane.constant dense<0.5> : tensor<1x32x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<128x32x1x1xf16>
  %v = ane.constant dense<0.125> : tensor<128x64x1x1xf16>
  %a = ane.conv %i, %w : tensor<1x32x1x1xf16>, tensor<128x32x1x1xf16> -> tensor<1x128x1x1xf16>
  %b = ane.conv %x, %v : tensor<1x64x1x1xf16>, tensor<128x64x1x1xf16> -> tensor<1x128x1x1xf16>
  %c = ane.elementwise add %b, %a : tensor<1x128x1x1xf16>, tensor<1x128x1x1xf16> -> tensor<1x128x1x1xf16>
  return %c : tensor<1x128x1x1xf16>
}
