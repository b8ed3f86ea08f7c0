// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(ane-set-target{target=h14},func.func(ane-form-tasks))" | FileCheck %s
// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(ane-set-target{target=h13},func.func(ane-form-tasks))" | FileCheck %s --check-prefix=H13

// H14 takes coefficients that a task made for several passes: 296 rows are two passes of 128
// in one task, and what is no whole pass in others. H13 has a task of each pass.
// CHECK-LABEL: func @rows
// CHECK: ane.pe_interleave %{{.*}} {factor = 8 : i64} : memref<1x256x1x64xf16, {{.*}} -> memref<1x32x1x512xf16
// CHECK: ane.kernel_load from %{{.*}} : memref<1x32x1x512xf16, {{.*}} -> memref<256x64x1x1xf16
// CHECK: ane.ne_conv
// CHECK: ane.kernel_load from %{{.*}} -> memref<32x64x1x1xf16
// CHECK: ane.kernel_load from %{{.*}} -> memref<8x64x1x1xf16
// CHECK-NOT: ane.ne_conv %{{.*}}, %{{.*}} {{.*}}memref<128x
// H13-LABEL: func @rows
// H13-COUNT-2: ane.kernel_load from %{{.*}} : memref<1x16x1x512xf16, {{.*}} -> memref<128x64x1x1xf16
// H13: ane.kernel_load from %{{.*}} -> memref<32x64x1x1xf16
func.func @rows(%a: tensor<1x1x296x64xf16>, %b: tensor<1x1x64x256xf16>) -> tensor<1x1x296x256xf16> {
  %0 = ane.matmul %a, %b : tensor<1x1x296x64xf16>, tensor<1x1x64x256xf16> -> tensor<1x1x296x256xf16>
  return %0 : tensor<1x1x296x256xf16>
}

// -----

// The kernel buffer has to hold all passes: 64 KiB are 2 of 2,048 inputs with 8 lanes.
// CHECK-LABEL: func @buffer
// CHECK: ane.kernel_load from %{{.*}} : memref<1x32x1x16384xf16, {{.*}} -> memref<256x2048x1x1xf16
// CHECK: ane.kernel_load from %{{.*}} : memref<1x16x1x16384xf16, {{.*}} -> memref<128x2048x1x1xf16
func.func @buffer(%a: tensor<1x1x384x2048xf16>, %b: tensor<1x1x2048x64xf16>) -> tensor<1x1x384x64xf16> {
  %0 = ane.matmul %a, %b : tensor<1x1x384x2048xf16>, tensor<1x1x2048x64xf16> -> tensor<1x1x384x64xf16>
  return %0 : tensor<1x1x384x64xf16>
}
