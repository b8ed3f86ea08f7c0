// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// The strip that the convolution has read stays in L2 for the sum: the input is
// read once, not twice.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.00{{[0-9]}} times the least; 1 groups
// CHECK-LABEL: @shared
// CHECK: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 3, size = {{[0-9]+}}>
// CHECK: ane.elementwise sub {{.*}}ane.tile = #ane.tile<group = 0, dim = 3, size = {{[0-9]+}}>
func.func @shared(%x: tensor<1x384x1x4096xf16>) -> tensor<1x384x1x4096xf16> {
  %w = ane.constant dense<2.600000e-03> : tensor<1x384x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x384x1x4096xf16>, tensor<1x384x1x1xf16> -> tensor<1x1x1x4096xf16>
  %1 = ane.elementwise sub %x, %0 : tensor<1x384x1x4096xf16>, tensor<1x1x1x4096xf16> -> tensor<1x384x1x4096xf16>
  return %1 : tensor<1x384x1x4096xf16>
}

// The same rows, too, of which each strip needs one more above and below: the strips are as
// high as the strip of the input leaves room for, less than they could be without it. What
// loads it needs no tiles beside it.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.6{{[0-9]+}} times the least; 1 groups
// CHECK-LABEL: @rows
// CHECK-COUNT-2: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 24>
func.func @rows(%x: tensor<1x64x256x128xf16>) -> tensor<1x8x256x128xf16> {
  %v = ane.constant dense<0.125> : tensor<128x64x3x3xf16>
  %w = ane.constant dense<0.25> : tensor<128x64x3x3xf16>
  %a = ane.constant dense<0.5> : tensor<8x256x1x1xf16>
  %0 = ane.conv %x, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x256x128xf16>, tensor<128x64x3x3xf16> -> tensor<1x128x256x128xf16>
  %1 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x256x128xf16>, tensor<128x64x3x3xf16> -> tensor<1x128x256x128xf16>
  %2 = ane.concat %0, %1 {axis = 1 : i64} : tensor<1x128x256x128xf16>, tensor<1x128x256x128xf16> -> tensor<1x256x256x128xf16>
  %3 = ane.conv %2, %a : tensor<1x256x256x128xf16>, tensor<8x256x1x1xf16> -> tensor<1x8x256x128xf16>
  return %3 : tensor<1x8x256x128xf16>
}

// One strip of the input for all of many tasks: 32 channels of what is between at a time.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.2{{[0-9]+}} times the least; 1 groups
// CHECK-LABEL: @chain
// CHECK-COUNT-2: ane.elementwise  add {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = [[ROWS:[0-9]+]]>
func.func @chain(%x: tensor<1x64x192x384xf16>) -> tensor<1x16x192x384xf16> {
  %u = ane.constant dense<0.125> : tensor<32x64x3x3xf16>
  %v = ane.constant dense<0.25> : tensor<32x64x3x3xf16>
  %w = ane.constant dense<0.5> : tensor<32x64x3x3xf16>
  %a = ane.constant dense<0.5> : tensor<16x32x3x3xf16>
  %0 = ane.conv %x, %u {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x384xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x192x384xf16>
  %1 = ane.conv %0, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x192x384xf16>, tensor<16x32x3x3xf16> -> tensor<1x16x192x384xf16>
  %2 = ane.conv %x, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x384xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x192x384xf16>
  %3 = ane.conv %2, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x192x384xf16>, tensor<16x32x3x3xf16> -> tensor<1x16x192x384xf16>
  %4 = ane.elementwise add %1, %3 : tensor<1x16x192x384xf16>, tensor<1x16x192x384xf16> -> tensor<1x16x192x384xf16>
  %5 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x384xf16>, tensor<32x64x3x3xf16> -> tensor<1x32x192x384xf16>
  %6 = ane.conv %5, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x192x384xf16>, tensor<16x32x3x3xf16> -> tensor<1x16x192x384xf16>
  %7 = ane.elementwise add %4, %6 : tensor<1x16x192x384xf16>, tensor<1x16x192x384xf16> -> tensor<1x16x192x384xf16>
  return %7 : tensor<1x16x192x384xf16>
}
