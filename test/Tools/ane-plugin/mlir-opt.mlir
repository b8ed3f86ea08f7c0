// Stock mlir-opt knows the dialects and passes when it loads the plugin, by either
// flag or by both, and its own passes run beside ours.

// The runtime of sanitizers has to be in the program, which is not ours.
// UNSUPPORTED: sanitizers

// RUN: mlir-opt --load-dialect-plugin=%ane_plugin %s \
// RUN:   --pass-pipeline='builtin.module(ane-pipeline{stop-after=legalize},canonicalize)' | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%ane_plugin --load-pass-plugin=%ane_plugin %s \
// RUN:   --pass-pipeline='builtin.module(ane-pipeline)' \
// RUN:   | ane-translate --to-hwx -o %t.hwx
// RUN: ane-compile %s -o %t.whole.hwx
// RUN: cmp %t.hwx %t.whole.hwx

// Without the dialect, the error is MLIR's.
// RUN: not mlir-opt --load-pass-plugin=%ane_plugin %S/Inputs/ane.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK-LABEL: func.func @main
// CHECK-NOT: tosa
// CHECK: ane.elementwise add
// CHECK-SAME: relu

// UNKNOWN: Dialect `ane' not found

func.func @main(%x: tensor<1x16x8x32xf32>, %y: tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32> {
  %0 = tosa.add %x, %y : (tensor<1x16x8x32xf32>, tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x16x8x32xf32>) -> tensor<1x16x8x32xf32>
  return %1 : tensor<1x16x8x32xf32>
}
