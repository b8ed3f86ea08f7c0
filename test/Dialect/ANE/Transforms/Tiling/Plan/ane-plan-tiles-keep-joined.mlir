// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" 2>&1 | FileCheck %s

// Rows of the first result are kept, and it lies beside others in the result of a concat: all of
// that is there until the next strip, not a quarter of it. Strips of 5 would have no room.
// CHECK: remark: plan: 14346240 bytes
// CHECK-LABEL: @kept_part
// CHECK: ane.conv {{.*}}ane.keep_rows, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>{{.*}} -> tensor<1x16x64x544xf16>
// CHECK: ane.concat
func.func @kept_part(%x: tensor<1x64x64x544xf16>, %z: tensor<1x48x64x544xf16>) -> tensor<1x16x64x544xf16> {
  %a = ane.constant dense<0.125> : tensor<16x64x1x1xf16>
  %b = ane.constant dense<0.25> : tensor<64x64x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<16x64x3x3xf16>
  %0 = ane.conv %x, %a : tensor<1x64x64x544xf16>, tensor<16x64x1x1xf16> -> tensor<1x16x64x544xf16>
  %1 = ane.concat %0, %z {axis = 1 : i64} : tensor<1x16x64x544xf16>, tensor<1x48x64x544xf16> -> tensor<1x64x64x544xf16>
  %2 = ane.conv %1, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x544xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x544xf16>
  %3 = ane.conv %2, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x544xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x544xf16>
  %4 = ane.conv %3, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x544xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x544xf16>
  %5 = ane.conv %4, %c {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x544xf16>, tensor<16x64x3x3xf16> -> tensor<1x16x64x544xf16>
  return %5 : tensor<1x16x64x544xf16>
}
