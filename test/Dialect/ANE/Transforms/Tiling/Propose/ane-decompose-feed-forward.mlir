// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-decompose))" | FileCheck %s

// Gates behind each other: a layer has more paths than there is time to walk along, but
// few ops. It is larger than L2, and in parts still.

// CHECK-LABEL: func @gates
// CHECK: ane.conv {{.*}} : tensor<1x1024x1x{{.*}} -> tensor<1x{{[0-9][0-9][0-9]}}x1x
// CHECK-COUNT-40: ane.elementwise mul
// CHECK: return
func.func @gates(%x: tensor<1x1024x1x512xf16>) -> tensor<1x1024x1x512xf16> {
  %w = ane.constant dense<0.01> : tensor<4096x1024x1x1xf16>
  %v = ane.constant dense<0.01> : tensor<1024x4096x1x1xf16>
  %h0 = ane.conv %x, %w : tensor<1x1024x1x512xf16>, tensor<4096x1024x1x1xf16> -> tensor<1x4096x1x512xf16>
  %h1 = ane.elementwise mul %h0, %h0 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h2 = ane.elementwise mul %h1, %h1 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h3 = ane.elementwise mul %h2, %h2 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h4 = ane.elementwise mul %h3, %h3 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h5 = ane.elementwise mul %h4, %h4 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h6 = ane.elementwise mul %h5, %h5 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h7 = ane.elementwise mul %h6, %h6 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h8 = ane.elementwise mul %h7, %h7 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h9 = ane.elementwise mul %h8, %h8 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h10 = ane.elementwise mul %h9, %h9 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h11 = ane.elementwise mul %h10, %h10 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h12 = ane.elementwise mul %h11, %h11 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h13 = ane.elementwise mul %h12, %h12 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h14 = ane.elementwise mul %h13, %h13 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h15 = ane.elementwise mul %h14, %h14 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h16 = ane.elementwise mul %h15, %h15 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h17 = ane.elementwise mul %h16, %h16 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h18 = ane.elementwise mul %h17, %h17 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h19 = ane.elementwise mul %h18, %h18 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h20 = ane.elementwise mul %h19, %h19 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h21 = ane.elementwise mul %h20, %h20 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h22 = ane.elementwise mul %h21, %h21 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h23 = ane.elementwise mul %h22, %h22 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h24 = ane.elementwise mul %h23, %h23 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h25 = ane.elementwise mul %h24, %h24 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h26 = ane.elementwise mul %h25, %h25 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h27 = ane.elementwise mul %h26, %h26 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h28 = ane.elementwise mul %h27, %h27 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h29 = ane.elementwise mul %h28, %h28 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h30 = ane.elementwise mul %h29, %h29 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h31 = ane.elementwise mul %h30, %h30 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h32 = ane.elementwise mul %h31, %h31 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h33 = ane.elementwise mul %h32, %h32 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h34 = ane.elementwise mul %h33, %h33 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h35 = ane.elementwise mul %h34, %h34 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h36 = ane.elementwise mul %h35, %h35 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h37 = ane.elementwise mul %h36, %h36 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h38 = ane.elementwise mul %h37, %h37 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h39 = ane.elementwise mul %h38, %h38 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %h40 = ane.elementwise mul %h39, %h39 : tensor<1x4096x1x512xf16>, tensor<1x4096x1x512xf16> -> tensor<1x4096x1x512xf16>
  %y = ane.conv %h40, %v : tensor<1x4096x1x512xf16>, tensor<1024x4096x1x1xf16> -> tensor<1x1024x1x512xf16>
  return %y : tensor<1x1024x1x512xf16>
}
