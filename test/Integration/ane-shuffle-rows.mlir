// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.001
// RUN: ane-opt %s --ane-pipeline=stop-after=tasks | FileCheck %s

// A shuffle of several channels behind a convolution: the rows of a block are
// stored in their places, one task for each.

// CHECK-COUNT-2: ane.ne_conv
// CHECK-COUNT-2: ane.pe_interleave {{.*}} {factor = 2 : i64}
// CHECK-NOT: ane.task

func.func @net(%x: tensor<1x2x3x16xf16>) -> tensor<1x3x6x32xf16> {
  %w = ane.constant dense<"0x00000036003C00BC003A00B000BB00B600B90036003B00B0003800B900B000BC"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x00B40039000000B6003800B600BA00B8"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x003A00B800B800BC00BC00B400B400B600B60030003400B400B400B600B40038003000BC0036003900B600B8000000BA0034003000BC003400BA003000360030003B003400B6003B003B00B600BB000000BC0036003800BC00390036003800BC003A00BB00B600B400B900B0003A0036003C0036003C0000003A00B90036003000BB003900BA00B40034003C003600B80034000000BA00300034003000B600BA00B80030003B00B600BB00BA003800BB00B000360000003A003900B800BB00BB003B003400B400B800B8003900B900B60039003600B800BB0039003000B8003A00B6003C003A003B0034003B00000030003B003800B800B9003800B6003B003400B600BA003B0000003C003C003600BA003600BB003000360000003B00000030003400B600BC003B00000034"> : tensor<3x2x5x5xf16>
  %b1 = ane.constant dense<"0x0000003A0030"> : tensor<3xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x3x16xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x16xf16>
  %r = ane.reshape %c : tensor<1x8x3x16xf16> -> tensor<1x2x2x2x3x16xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x2x2x2x3x16xf16> -> tensor<1x2x3x2x16x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x16x2xf16> -> tensor<1x2x6x32xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x2x6x32xf16>, tensor<3x2x5x5xf16>, tensor<3xf16> -> tensor<1x3x6x32xf16>
  return %y : tensor<1x3x6x32xf16>
}
