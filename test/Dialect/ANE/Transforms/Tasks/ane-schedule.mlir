// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule | FileCheck %s
// As far as it goes.
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule=window=4294967295 | FileCheck %s
// The order of the program, where nothing is looked at or the flavour wants it.
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule=window=1 | FileCheck %s --check-prefix=KEPT
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule=flavour=zin-9.509 | FileCheck %s --check-prefix=KEPT

// Behind ane-allocate-l2 it is too late.
// RUN: not ane-opt %s --ane-form-tasks --ane-assign-layout --ane-keep-in-l2 --ane-allocate-dram --ane-allocate-l2 --ane-schedule 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: 'ane.task' op has its place in L2 already, which depends on the order of tasks; run ane-schedule before ane-keep-in-l2

// In any order the program computes the same, to the bit, and nothing lies over
// what is needed.
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule --ane-keep-in-l2 --ane-allocate-dram --ane-allocate-l2 --ane-verify-memory --convert-ane-to-hwx -o %t.moved.mlir
// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-keep-in-l2 --ane-allocate-dram --ane-allocate-l2 --convert-ane-to-hwx -o %t.kept.mlir
// RUN: ane-run %t.moved.mlir --seed=3 --output output0=%t.moved0.npy --output output1=%t.moved1.npy --stats=%t.moved.json
// RUN: ane-run %t.kept.mlir --seed=3 --output output0=%t.kept0.npy --output output1=%t.kept1.npy --stats=%t.kept.json
// RUN: cmp %t.moved0.npy %t.kept0.npy && cmp %t.moved1.npy %t.kept1.npy
// RUN: %python -c "import json, sys; new, old = (json.load(open(name)) for name in sys.argv[1:]); assert new['predicted_ms'] < old['predicted_ms'] - 0.001 and new['dram_bytes'] == old['dram_bytes'], (new['predicted_ms'], old['predicted_ms'])" %t.moved.json %t.kept.json

// The coefficients of the second convolution load while the planar engine adds;
// what depends on each other stays in order.
// CHECK-LABEL: @net
// CHECK: memref<64x64x1x1xf16, #ane.space<kernel>>
// CHECK: ane.pe_elementwise add
// CHECK: memref<512x512x1x1xf16, #ane.space<kernel>>
// CHECK: ane.ne_bypass
// KEPT-LABEL: @net
// KEPT: memref<64x64x1x1xf16, #ane.space<kernel>>
// KEPT: memref<512x512x1x1xf16, #ane.space<kernel>>
// KEPT: ane.pe_elementwise add
// KEPT: ane.ne_bypass
func.func @net(%x: tensor<1x64x32x32xf16>, %y: tensor<1x512x4x4xf16>) -> (tensor<1x64x32x32xf16>, tensor<1x512x4x4xf16>) {
  %small = ane.constant dense<0.125> : tensor<64x64x1x1xf16>
  %large = ane.constant dense<0.0625> : tensor<512x512x1x1xf16>
  %0 = ane.conv %x, %small : tensor<1x64x32x32xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x32x32xf16>
  %1 = ane.conv %y, %large : tensor<1x512x4x4xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x4x4xf16>
  %2 = ane.elementwise add %0, %0 : tensor<1x64x32x32xf16>, tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  %3 = ane.activation %2 {function = #ane.act<sigmoid>} : tensor<1x64x32x32xf16> -> tensor<1x64x32x32xf16>
  return %3, %1 : tensor<1x64x32x32xf16>, tensor<1x512x4x4xf16>
}
