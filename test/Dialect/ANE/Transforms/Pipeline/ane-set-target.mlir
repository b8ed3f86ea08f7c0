// The first pass of the pipeline says what everything after it measures with.

// RUN: ane-opt %s --ane-set-target | FileCheck %s
// RUN: ane-opt %s --ane-set-target=target=h14 | FileCheck %s --check-prefix=H14
// CHECK: module attributes {ane.target = "h13"}
// H14: module attributes {ane.target = "h14"}
// RUN: ane-opt %s --ane-pipeline="target=h14 stop-after=ane-set-target" | FileCheck %s --check-prefix=H14

// RUN: not ane-opt %s --ane-set-target=target=h99 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown generation 'h99', expected one of: h13 (A14 and the M1 family), h14
// RUN: not ane-opt %s --ane-set-target=target=h14 --ane-set-target=target=h13 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: is for h14 (ane.target), but is compiled for h13; give one target only

// What a pass takes, and what a limit is, depends on it: h14 has kernels of 16 columns, h13 of 13.
// RUN: ane-opt %s --ane-set-target=target=h14 --ane-legalize | FileCheck %s --check-prefix=LEGAL
// LEGAL: ane.conv {{.*}} tensor<8x8x1x16xf16>
// RUN: not ane-opt %s --ane-legalize 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: 'ane.conv' op kernel width 16 exceeds the limit of 13 of h13 (conv_l3)

// A program says itself what it is for.
// RUN: ane-opt %s --ane-pipeline=target=h14 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM-NOT: ane.target
// PROGRAM: hwx.program {{.*}} target = h14
// PROGRAM-NOT: ane.target

func.func @net(%x: tensor<1x8x4x64xf16>) -> tensor<1x8x4x49xf16> {
  %w = ane.constant dense<0.5> : tensor<8x8x1x16xf16>
  %y = ane.conv %x, %w : tensor<1x8x4x64xf16>, tensor<8x8x1x16xf16> -> tensor<1x8x4x49xf16>
  return %y : tensor<1x8x4x49xf16>
}
