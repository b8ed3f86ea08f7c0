// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks))' | FileCheck %s
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks{flavour=zin-9.509}))' | FileCheck %s --check-prefix=ZIN

// Coefficients of a task load while the one before it runs, if both fit the
// buffers: smaller tasks than the buffers would hold.
// CHECK-LABEL: func @halves
// CHECK: {first_channel = 256 : i64} -> memref<256x768x1x1xf16
// CHECK: ane.kernel_load weight %{{.*}} -> memref<256x768x1x1xf16
// CHECK-NOT: ane.kernel_load
// ZIN-LABEL: func @halves
// ZIN: -> memref<512x768x1x1xf16
func.func @halves(%x: tensor<1x768x16x16xf16>) -> tensor<1x512x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<512x768x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x768x16x16xf16>, tensor<512x768x1x1xf16> -> tensor<1x512x16x16xf16>
  return %0 : tensor<1x512x16x16xf16>
}

// 14 of 16 lanes would fit; even parts are better than a rest.
// CHECK-LABEL: func @even
// CHECK-COUNT-4: memref<64x256x3x3xf16, #ane.space<kernel>>
// ZIN-LABEL: func @even
// ZIN: -> memref<32x256x3x3xf16
// ZIN: -> memref<224x256x3x3xf16
func.func @even(%x: tensor<1x256x16x16xf16>) -> tensor<1x256x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<256x256x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x16x16xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x16x16xf16>
  return %0 : tensor<1x256x16x16xf16>
}

// Less than 128 KB moves no faster in two parts.
// CHECK-LABEL: func @small
// CHECK: memref<64x64x3x3xf16, #ane.space<kernel>>
func.func @small(%x: tensor<1x64x16x16xf16>) -> tensor<1x64x16x16xf16> {
  %w = ane.constant dense<0.5> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x16x16xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x16x16xf16>
  return %0 : tensor<1x64x16x16xf16>
}

// Weights take so much longer than products that they are what counts.
// CHECK-LABEL: func @weights
// CHECK: memref<1024x512x1x1xf16, #ane.space<kernel>>
func.func @weights(%x: tensor<1x512x1x9xf16>) -> tensor<1x1024x1x9xf16> {
  %w = ane.constant dense<0.5> : tensor<1024x512x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x512x1x9xf16>, tensor<1024x512x1x1xf16> -> tensor<1x1024x1x9xf16>
  return %0 : tensor<1x1024x1x9xf16>
}
