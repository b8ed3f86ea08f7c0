// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.001
// RUN: ane-opt %s --ane-pipeline=stop-after=tasks | FileCheck %s

// A shuffle in the order of depth-to-space as the result of the network, with rows of 20
// bytes: one task for each row of a block, and no copy.

// CHECK: ane.ne_conv
// CHECK-COUNT-2: ane.pe_interleave {{.*}} {factor = 2 : i64}
// CHECK-NOT: ane.task

func.func @net(%x: tensor<1x1x3x5xf16>) -> tensor<1x3x6x10xf16> {
  %w = ane.constant dense<"0x003400B8003600B9003A003400B600B9003600B900BA00B4"> : tensor<12x1x1x1xf16>
  %b = ane.constant dense<"0x003800BB003900B800B400BC003B0034003A00B8003A00B0"> : tensor<12xf16>
  %c = ane.conv %x, %w bias %b : tensor<1x1x3x5xf16>, tensor<12x1x1x1xf16>, tensor<12xf16> -> tensor<1x12x3x5xf16>
  %r = ane.reshape %c : tensor<1x12x3x5xf16> -> tensor<1x2x2x3x3x5xf16>
  %t = ane.transpose %r {perm = array<i64: 0, 3, 4, 1, 5, 2>} : tensor<1x2x2x3x3x5xf16> -> tensor<1x3x3x2x5x2xf16>
  %s = ane.reshape %t : tensor<1x3x3x2x5x2xf16> -> tensor<1x3x6x10xf16>
  return %s : tensor<1x3x6x10xf16>
}
