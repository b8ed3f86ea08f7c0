// RUN: ane-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-cut-tasks))' | FileCheck %s
// RUN: ane-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-cut-tasks,ane-assign-layout,ane-allocate-l2))' -o /dev/null
// Without it, L2 does not hold a row of all channels.
// RUN: not ane-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-l2))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// WHOLE: error: 'ane.ne_conv' op needs {{[0-9]+}} bytes of L2 for the smallest tile of its sources, but {{[0-9]+}} are left for them; run ane-cut-tasks

// Groups of a convolution are cut as a whole, each part with its own kernels and
// channels of the source.
// CHECK-LABEL: func @groups
// CHECK: %[[X0:.*]] = ane.subview %arg0[0, 0, 0, 0] : memref<1x512x1x3008xf16, {{.*}}> -> memref<1x256x1x3008xf16
// CHECK: %[[Y0:.*]] = ane.subview %arg1[0, 0, 0, 0] {{.*}} -> memref<1x256x1x3008xf16
// CHECK: ane.task
// CHECK-NEXT: ane.dma_load %[[X0]]
// CHECK-NEXT: ane.kernel_load weight %{{.*}} -> memref<256x1x1x5xf16
// CHECK-NEXT: ane.ne_conv {{.*}} {groups = 256 : i64
// CHECK-NEXT: ane.dma_store %{{.*}}, %[[Y0]]
// CHECK: %[[X1:.*]] = ane.subview %arg0[0, 256, 0, 0]
// CHECK: ane.task
// CHECK-NEXT: ane.dma_load %[[X1]]
// CHECK-NEXT: ane.kernel_load weight {{.*}} {first_channel = 256 : i64} -> memref<256x1x1x5xf16
// CHECK-NOT: ane.task
func.func @groups(%x: tensor<1x512x1x3008xf16>) -> tensor<1x512x1x3008xf16> {
  %w = ane.constant dense<0.5> : tensor<512x1x1x5xf16>
  %0 = ane.conv %x, %w {groups = 512 : i64, pad = array<i64: 0, 0, 2, 2>}
     : tensor<1x512x1x3008xf16>, tensor<512x1x1x5xf16> -> tensor<1x512x1x3008xf16>
  return %0 : tensor<1x512x1x3008xf16>
}

// -----

// Both sources of a sum are cut alike.
// CHECK-LABEL: func @sum
// CHECK: ane.subview %arg0[0, 0, 0, 0] {{.*}} -> memref<1x[[N:[0-9]+]]x1x1024xf16
// CHECK: ane.subview %arg1[0, 0, 0, 0] {{.*}} -> memref<1x[[N]]x1x1024xf16
// CHECK: ane.subview %arg2[0, 0, 0, 0] {{.*}} -> memref<1x[[N]]x1x1024xf16
// CHECK: ane.pe_elementwise
// CHECK: ane.pe_elementwise
func.func @sum(%x: tensor<1x1024x1x1024xf16>, %y: tensor<1x1024x1x1024xf16>) -> tensor<1x1024x1x1024xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16> -> tensor<1x1024x1x1024xf16>
  return %0 : tensor<1x1024x1x1024xf16>
}

// -----

// What fits stays one task.
// CHECK-LABEL: func @fits
// CHECK-NOT: ane.subview
// CHECK: ane.task
// CHECK-NOT: ane.task
func.func @fits(%x: tensor<1x64x56x56xf16>, %y: tensor<1x64x56x56xf16>) -> tensor<1x64x56x56xf16> {
  %0 = ane.elementwise add %x, %y : tensor<1x64x56x56xf16>, tensor<1x64x56x56xf16> -> tensor<1x64x56x56xf16>
  return %0 : tensor<1x64x56x56xf16>
}
