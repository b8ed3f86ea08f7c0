// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx{identity=zin-4.2.1})' | FileCheck %s --check-prefix=ZIN
// RUN: not ane-opt %s --pass-pipeline='builtin.module(convert-ane-to-hwx{identity=zin})' 2>&1 | FileCheck %s --check-prefix=ERROR

// What a file says about itself. A program of copies is of another kind; what it
// was compiled from is in its locations.

// CHECK-LABEL: hwx.program @net
// CHECK: hwx.signature kind 4{{$}}
// ZIN: hwx.signature kind 4 ident "ANEC v1\0Azin_ane_compiler v4.2.1\0A\09-t h13\0A{{.*}}-i {{.*}}identity.mlir\0A
// ERROR: error: identity is 'zin', expected 'mlir-ane' or 'zin-4.2.1'
func.func @copy(%x: tensor<1x16x4x4xf16>) -> (tensor<1x8x4x4xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 0, 4, 0, 0>, sizes = array<i64: 1, 8, 4, 4>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x16x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}
