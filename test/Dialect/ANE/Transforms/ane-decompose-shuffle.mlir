// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-decompose),ane-fold,canonicalize)' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-decompose{flavour=zin-9.509}),ane-fold,canonicalize)' | FileCheck %s --check-prefix=ZIN
// SAME-COUNT-10: computes the same
// SAME-NOT: computes the same

// Weights are eighths, so no sum is rounded.

// A convolution with few channels: each pixel of a block becomes a channel of it.
// Channels are (channel, row, column) as in a pixel shuffle.
// CHECK-LABEL: @behind
// CHECK: %[[A:.*]] = ane.conv %arg0
// CHECK: %[[B:.*]] = ane.conv %[[A]], {{.*}} pad = array<i64: 1, 1, 1, 1>{{.*}} tensor<1x8x3x5xf16>, tensor<4x8x3x3xf32>
// CHECK: ane.interleave %[[B]]
// CHECK-NOT: ane.conv
// CHECK: return
// ZIN-LABEL: @behind
// ZIN: ane.interleave
// ZIN: ane.conv {{.*}} tensor<1x2x6x10xf16>, tensor<1x2x5x5xf16>

func.func @behind(%x: tensor<1x2x3x5xf16>) -> tensor<1x1x6x10xf16> {
  %w = ane.constant dense<"0x00000036003C00BC003A00B000BB00B600B90036003B00B0003800B900B000BC"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x00B40039000000B6003800B600BA00B8"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x003A00B800B800BC00BC00B400B400B600B60030003400B400B400B600B40038003000BC0036003900B600B8000000BA0034003000BC003400BA003000360030003B003400B6003B003B00B600BB000000BC0036003800BC00390036003800BC003A00BB"> : tensor<1x2x5x5xf16>
  %b1 = ane.constant dense<"0x00B6"> : tensor<1xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x3x5xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x5xf16>
  %r = ane.reshape %c : tensor<1x8x3x5xf16> -> tensor<1x2x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x2x2x2x3x5xf16> -> tensor<1x2x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x5x2xf16> -> tensor<1x2x6x10xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x2x6x10xf16>, tensor<1x2x5x5xf16>, tensor<1xf16> -> tensor<1x1x6x10xf16>
  return %y : tensor<1x1x6x10xf16>
}

// Of several channels, rows of a block are written side by side: no copy is
// left.
// CHECK-LABEL: @behind_of_several
// CHECK: %[[C:.*]] = ane.conv {{.*}} tensor<12x8x3x3xf32>
// CHECK-DAG: %[[S0:.*]] = ane.slice %[[C]] {offsets = array<i64: 0, 0, 0, 0>
// CHECK-DAG: %[[S1:.*]] = ane.slice %[[C]] {offsets = array<i64: 0, 6, 0, 0>
// CHECK-DAG: %[[R0:.*]] = ane.interleave %[[S0]] {{.*}} -> tensor<1x3x3x32xf16>
// CHECK-DAG: %[[R1:.*]] = ane.interleave %[[S1]] {{.*}} -> tensor<1x3x3x32xf16>
// CHECK: %[[ROWS:.*]] = ane.concat %[[R0]], %[[R1]] {axis = 3 : i64}
// CHECK: ane.reshape %[[ROWS]] : tensor<1x3x3x64xf16> -> tensor<1x3x6x32xf16>
func.func @behind_of_several(%x: tensor<1x2x3x16xf16>) -> tensor<1x3x6x32xf16> {
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

// The same where a row of the result is no whole number of 64 bytes.
// CHECK-LABEL: @behind_of_several_narrow
// CHECK: ane.interleave
// CHECK: ane.transpose {{.*}} {perm = array<i64: 1, 2, 0, 3>}
func.func @behind_of_several_narrow(%x: tensor<1x2x3x5xf16>) -> tensor<1x3x6x10xf16> {
  %w = ane.constant dense<"0x003C00360036000000360039003600B6003A00360034003C00B8003C00B600B4"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x0036003B003000BA003900B6003C0039"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x0030000000BC00B400B6003A00B600B000B600BB003B00B000B600BB00B800B9003400B6003B00B400BB0039003A0036003800BA00B400B0003600BC003600380000003900B9003600BB003000B90030003C00340030003600B8003900390036003A00B800B60038003B00B400B800BA003600BC003800B9003400B8003400380039003900B0003B0030003B0038003800B600000030003B0000003900BC00340030003B003000B8003B00BC00B9003A00B0003000BB00B8003800BC003B000000B0003B00BB00B0003B000000B800300030003B003B003C00B900BC00B80030003000340030003C00BC003A0036003600B800BB00BC0000003A00B900B400BC00390039003B0038003B003800B40030003A00BA003000BC00390030003B003000B800B6003B003B003400B8"> : tensor<3x2x5x5xf16>
  %b1 = ane.constant dense<"0x003900BB00BA"> : tensor<3xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x3x5xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x5xf16>
  %r = ane.reshape %c : tensor<1x8x3x5xf16> -> tensor<1x2x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x2x2x2x3x5xf16> -> tensor<1x2x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x5x2xf16> -> tensor<1x2x6x10xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 2, 2, 2, 2>} : tensor<1x2x6x10xf16>, tensor<3x2x5x5xf16>, tensor<3xf16> -> tensor<1x3x6x10xf16>
  return %y : tensor<1x3x6x10xf16>
}

// The same with the order of depth-to-space, and with channels innermost.
// CHECK-LABEL: @behind_depth_first
// CHECK: ane.conv {{.*}} tensor<4x8x3x3xf32>
// CHECK: ane.interleave
func.func @behind_depth_first(%x: tensor<1x2x3x5xf16>) -> tensor<1x1x6x10xf16> {
  %w = ane.constant dense<"0x00B400B900B0003A0036003C0036003C0000003A00B90036003000BB003900BA"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x00B40034003C003600B80034000000BA"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x00300034003000B600BA00B80030003B00B600BB00BA003800BB00B000360000003A003900B800BB00BB003B003400B400B800B8003900B900B60039"> : tensor<1x2x3x5xf16>
  %b1 = ane.constant dense<"0x0036"> : tensor<1xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x3x5xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x5xf16>
  %r = ane.reshape %c : tensor<1x8x3x5xf16> -> tensor<1x2x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 3, 4, 1, 5, 2>} : tensor<1x2x2x2x3x5xf16> -> tensor<1x2x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x5x2xf16> -> tensor<1x2x6x10xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 1, 1, 2, 2>} : tensor<1x2x6x10xf16>, tensor<1x2x3x5xf16>, tensor<1xf16> -> tensor<1x1x6x10xf16>
  return %y : tensor<1x1x6x10xf16>
}

// The window need not be centred, nor a block of pixels be the window of one.
// CHECK-LABEL: @behind_to_one_side
// CHECK: ane.conv {{.*}} pad = array<i64: 1, 0, 0, 1>{{.*}} tensor<4x8x2x2xf32>
// CHECK: ane.interleave
func.func @behind_to_one_side(%x: tensor<1x2x4x3xf16>) -> tensor<1x1x8x6xf16> {
  %w = ane.constant dense<"0x00B800BB0039003000B8003A00B6003C003A003B0034003B00000030003B0038"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x00B800B9003800B6003B003400B600BA"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x003B0000003C003C003600BA003600BB003000360000003B00000030003400B600BC003B"> : tensor<1x2x3x3xf16>
  %b1 = ane.constant dense<"0x0000"> : tensor<1xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x4x3xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x4x3xf16>
  %r = ane.reshape %c : tensor<1x8x4x3xf16> -> tensor<1x2x2x2x4x3xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 3, 5, 2>} : tensor<1x2x2x2x4x3xf16> -> tensor<1x2x4x2x3x2xf16>
  %s = ane.reshape %t : tensor<1x2x4x2x3x2xf16> -> tensor<1x2x8x6xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 2, 0, 0, 2>} : tensor<1x2x8x6xf16>, tensor<1x2x3x3xf16>, tensor<1xf16> -> tensor<1x1x8x6xf16>
  return %y : tensor<1x1x8x6xf16>
}

// Blocks of 4 x 4.
// CHECK-LABEL: @behind_wide
// CHECK: ane.conv {{.*}} tensor<16x16x3x3xf32>
// CHECK: ane.interleave {{.*}} {factor = 4
func.func @behind_wide(%x: tensor<1x1x3x2xf16>) -> tensor<1x1x12x8xf16> {
  %w = ane.constant dense<"0x00340000003A0030003C00360036000000360039003600B6003A00360034003C"> : tensor<16x1x1x1xf16>
  %b = ane.constant dense<"0x00B8003C00B600B40036003B003000BA003900B6003C00390030000000BC00B4"> : tensor<16xf16>
  %w1 = ane.constant dense<"0x00B6003A00B600B000B600BB003B00B000B600BB00B800B9003400B6003B00B400BB0039003A0036003800BA00B400B0003600BC003600380000003900B9003600BB003000B90030003C00340030003600B8003900390036003A00B800B60038003B"> : tensor<1x1x7x7xf16>
  %b1 = ane.constant dense<"0x00B4"> : tensor<1xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x1x3x2xf16>, tensor<16x1x1x1xf16>, tensor<16xf16> -> tensor<1x16x3x2xf16>
  %r = ane.reshape %c : tensor<1x16x3x2xf16> -> tensor<1x1x4x4x3x2xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x1x4x4x3x2xf16> -> tensor<1x1x3x4x2x4xf16>
  %s = ane.reshape %t : tensor<1x1x3x4x2x4xf16> -> tensor<1x1x12x8xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 3, 3, 3, 3>} : tensor<1x1x12x8xf16>, tensor<1x1x7x7xf16>, tensor<1xf16> -> tensor<1x1x12x8xf16>
  return %y : tensor<1x1x12x8xf16>
}

// All engines have work before: products with zero would only be more.
// CHECK-LABEL: @not_behind
// CHECK: ane.interleave
// CHECK: ane.conv {{.*}} tensor<1x2x6x10xf16>, tensor<16x2x3x3xf16>
func.func @not_behind(%x: tensor<1x2x3x5xf16>) -> tensor<1x16x6x10xf16> {
  %w = ane.constant dense<"0x00B800BA003600BC003800B9003400B8003400380039003900B0003B0030003B"> : tensor<8x2x1x1xf16>
  %b = ane.constant dense<"0x0038003800B600000030003B00000039"> : tensor<8xf16>
  %w1 = ane.constant dense<"0x00BC00340030003B003000B8003B00BC00B9003A00B0003000BB00B8003800BC003B000000B0003B00BB00B0003B000000B800300030003B003B003C00B900BC00B80030003000340030003C00BC003A0036003600B800BB00BC0000003A00B900B400BC00390039003B0038003B003800B40030003A00BA003000BC00390030003B003000B800B6003B003B003400B8003900BB00BA00B0000000BA00BA00BC0034003900BA0038003B00BB00B900B900B000B900B80030003A00B800B600B6003900B600BA00B400BB00B9003800BA000000BB00B9003800B800BC003900BA0034003B003B0036003600BB00B8003000B8003C003000B0000000BA00B000000030003C00B800B00036003A003800B600B800BC003400BA00BB00BA00B9003C003A00B00038003A003B003400B9003C00BC003800BB00B8003900B000B900BA003B00B400B80038003600B00030003400360038003800B80036003000390036003C00BB00B400B6003800BA00B900BB00BB00B600B400B400BB003B003B003600BC0039003B003000390034003A003A00B900B400B800B600BA00360038003B00B8000000B9000000B6003000B000BB003B00BB00360036003400BB00BC003A003B00B800B900340030003A00B000B600BB00B400BC00B000BA00380036003000B6003A0036003000BA003A00B600B000B600B400BB0039000000BC003A00BB003A003900B600BB00BB003C003600B900BA00B0003B00BA003B00BB00B000BB003B003800BB00BB00000039003A003000BB00BB00B400B6003C003800B400B0"> : tensor<16x2x3x3xf16>
  %b1 = ane.constant dense<"0x00BA003400B900BA00B600BA00B400BC003A0036003B00390038003C00B800BC"> : tensor<16xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x2x3x5xf16>, tensor<8x2x1x1xf16>, tensor<8xf16> -> tensor<1x8x3x5xf16>
  %r = ane.reshape %c : tensor<1x8x3x5xf16> -> tensor<1x2x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x2x2x2x3x5xf16> -> tensor<1x2x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x2x3x2x5x2xf16> -> tensor<1x2x6x10xf16>
  %y = ane.conv %s, %w1 bias %b1 {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x2x6x10xf16>, tensor<16x2x3x3xf16>, tensor<16xf16> -> tensor<1x16x6x10xf16>
  return %y : tensor<1x16x6x10xf16>
}

// Through rows of channels: channels become (column, row, channel), so that the two
// columns of a block are neighbours where channels are innermost.
// CHECK-LABEL: @in_l2
// CHECK-NOT: ane.interleave
// CHECK: %[[A:.*]] = ane.conv %arg0
// CHECK: %[[B:.*]] = ane.transpose %[[A]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x128x3x5xf16> -> tensor<1x3x5x128xf16>
// CHECK: %[[C:.*]] = ane.reshape %[[B]] : tensor<1x3x5x128xf16> -> tensor<1x3x10x64xf16>
// CHECK-COUNT-2: ane.transpose {{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x3x10x32xf16> -> tensor<1x32x3x10xf16>
// CHECK: ane.concat {{.*}} {axis = 2
// CHECK: return
// ZIN-LABEL: @in_l2
// ZIN: ane.interleave
func.func @in_l2(%x: tensor<1x1x3x5xf16>) -> tensor<1x32x6x10xf16> {
  %w = ane.constant dense<"0x0030003A00B000B900B80030003B00BA00000038003400B800B800BA003B00B000BA003900B0000000BB003B00B000BB00B40030003600B900BA00390034003800BC003000B800BC003A00B800BC00BB0039000000B9003800B8003400BA003000B600B80000003B0034003000BB00BA00BC00BC00B900BB00B800360039000000BC00B0003C003900B8003600B40034003600BC00B600B600B90000003C00B600B8003A0039003900B900340034003A00B0003A003900B6003A00BB00B6003B003B00BC00B900B8003900BB00B400BC00BB00B0003B00360038003A00B400B4000000B40030003C003600B00036003600B000BB003B0038003600B800B800B0"> : tensor<128x1x1x1xf16>
  %b = ane.constant dense<"0x003B003800BB00B900B6003800B9003000B40034003B003B00BA00B4003800BC00B9003C00B6003800BC003400BC0030003C0038003C003B0038003A00BB00B80039003600BC003C00B40030003000BA00BC00BA00360039003000BC000000B000BA00BB00BA0030003600B4003B003C00BA00B900B000340039003800BC0038003800B6003C00B400340038003400B9003600B000B900B400300030000000BA00B600BA003900B600B000BA0039003900B00039003B003C00B000300039000000BA003400B6003900BC00B800B9003000B6003900B4003400B9003400BA00BB003B00B8003C00BA003400B4003A003800B0003B00B900BC00B400B600B900BA"> : tensor<128xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x1x3x5xf16>, tensor<128x1x1x1xf16>, tensor<128xf16> -> tensor<1x128x3x5xf16>
  %r = ane.reshape %c : tensor<1x128x3x5xf16> -> tensor<1x32x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x32x2x2x3x5xf16> -> tensor<1x32x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x32x3x2x5x2xf16> -> tensor<1x32x6x10xf16>
  %y = ane.activation %s {function = #ane.act<abs>} : tensor<1x32x6x10xf16> -> tensor<1x32x6x10xf16>
  return %y : tensor<1x32x6x10xf16>
}

// CHECK-LABEL: @in_l2_depth_first
// CHECK-NOT: ane.interleave
// CHECK: return
func.func @in_l2_depth_first(%x: tensor<1x1x3x5xf16>) -> tensor<1x32x6x10xf16> {
  %w = ane.constant dense<"0x003400B8003600B9003A003400B600B9003600B900BA00B400B40034003600B6003A00BA00B00038003A003800BC00B9003600B800BC003B0038003400BA003B003000BC00B9003B003600B40034003800B80030003B00BA00B900300039003400BA003C003900BB00B0003900B0000000BA00B8000000B9003B003900B6003800B000BA003A003600B800BA00BC00B8003600BC00BC0000003A0038003C00BA00BB00B400B4003A00BC003B003C00BA0000003B003C00BC00BB00B60038003C003900BB00B400BC003900390039003800BC00B6003400B8003000B4003900BA003600B40038003900B4000000B8003B0036003000BC00B900B6003A00BA00BA"> : tensor<128x1x1x1xf16>
  %b = ane.constant dense<"0x003800BB003900B800B400BC003B0034003A00B8003A00B000BA003600BC00BC00B6003900BA000000B80036003400B400B80030003C00BA003000B900B90038003600300036003B003A00B000B8000000BC00BC003800B800B0003B00BB00BC00BC00B4003900B0003C00B0003000BB003C00B000BB0038003600BC0030003A003A00B900B90036003C000000380038003000B600BA003A00BB00B4003C003800B9003C00300036003900B8003A003600BA003B00BC00B4003A00BB00BB00BA00B9003400B80036003400000000003B00B800B90000000000BC0000003800B600B00000003A00B600B800BB003600B900BC003A00BB003B00BB00BC003900B9"> : tensor<128xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x1x3x5xf16>, tensor<128x1x1x1xf16>, tensor<128xf16> -> tensor<1x128x3x5xf16>
  %r = ane.reshape %c : tensor<1x128x3x5xf16> -> tensor<1x2x2x32x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 3, 4, 1, 5, 2>} : tensor<1x2x2x32x3x5xf16> -> tensor<1x32x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x32x3x2x5x2xf16> -> tensor<1x32x6x10xf16>
  %y = ane.activation %s {function = #ane.act<abs>} : tensor<1x32x6x10xf16> -> tensor<1x32x6x10xf16>
  return %y : tensor<1x32x6x10xf16>
}

// A result of the function is stored anyway, and the tile DMA interleaves it.
// CHECK-LABEL: @stored
// CHECK: ane.interleave
func.func @stored(%x: tensor<1x1x3x5xf16>) -> tensor<1x32x6x10xf16> {
  %w = ane.constant dense<"0x0039003C003A00B000B900BA00BA00BB00BA003A0030003C00BA000000B9003800300000003A0030003000BC0034003C003B003A003800B800B40000003400B4003A00BA00B8003600BA0039003A003C003800B600B400B8003B00B6003C003A003600BC00B800390000003B003C00B400B000B6003900000034003000B900B4000000390036003C0000003B00BA00B900B9003400B900B9003000B600BB003800B60034000000B90039003400B9003000BA003000340039003900BA00BA003000BA00B600BB00B9003C003900B9003A003900BA00B0003900BC003000B9003C0034003600BA003A003800B900B600B000B900B900BA0038003900B900000030"> : tensor<128x1x1x1xf16>
  %b = ane.constant dense<"0x003A003900BB00B4003C00B8003800B600B40034003C00BA00B8003000BB003A0030003A003C0000003000B60000003A003B003800B900B800B4003A00B9003A00B000B800B000B600BA003A0000003A00B6003B00B900300000003600BB00B900B400BC0034003B003B003C0030003400BB003000B8003C003900300039003600B8003000B400BB00BC003B00B60030003900300039003A0034003C003C003400BC00B6003B00BC003B003A003600BB00B000BC003B00B900B400B600B6003C00B0003800B90038003900B0000000BC00B400B000BA003C00360039003000B000B90036003A00BB0000003C00BC00B8003900BB003A00BC00B400B400B900B6"> : tensor<128xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x1x3x5xf16>, tensor<128x1x1x1xf16>, tensor<128xf16> -> tensor<1x128x3x5xf16>
  %r = ane.reshape %c : tensor<1x128x3x5xf16> -> tensor<1x32x2x2x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 1, 4, 2, 5, 3>} : tensor<1x32x2x2x3x5xf16> -> tensor<1x32x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x32x3x2x5x2xf16> -> tensor<1x32x6x10xf16>
  return %s : tensor<1x32x6x10xf16>
}
