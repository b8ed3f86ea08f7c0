// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-keep-in-l2,ane-allocate-dram,ane-allocate-l2,ane-verify-memory))' | FileCheck %s

// For all that is chosen here by bytes, no addresses were found, and tensors went to DRAM until
// there were some. One of these has room nevertheless, as others have gone behind it: without it,
// there is a load and a store more.
// CHECK-LABEL: func.func @f
// CHECK-COUNT-16: ane.dma_
// CHECK-NOT: ane.dma_
func.func @f(%x: tensor<1x4x32x64xf16>) -> (tensor<1x72x32x64xf16>, tensor<1x40x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x24x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x72x32x64xf16>, tensor<1x72x32x64xf16>) {
  %w0 = ane.constant dense<0.5> : tensor<136x4x1x1xf16>
  %w1 = ane.constant dense<0.5> : tensor<136x136x1x1xf16>
  %w2 = ane.constant dense<0.5> : tensor<56x136x1x1xf16>
  %w3 = ane.constant dense<0.5> : tensor<72x4x1x1xf16>
  %w4 = ane.constant dense<0.5> : tensor<40x56x1x1xf16>
  %w5 = ane.constant dense<0.5> : tensor<104x4x1x1xf16>
  %w6 = ane.constant dense<0.5> : tensor<40x104x1x1xf16>
  %w7 = ane.constant dense<0.5> : tensor<40x40x1x1xf16>
  %w8 = ane.constant dense<0.5> : tensor<8x40x1x1xf16>
  %w9 = ane.constant dense<0.5> : tensor<56x8x1x1xf16>
  %w10 = ane.constant dense<0.5> : tensor<72x136x1x1xf16>
  %w11 = ane.constant dense<0.5> : tensor<104x72x1x1xf16>
  %w12 = ane.constant dense<0.5> : tensor<72x104x1x1xf16>
  %w13 = ane.constant dense<0.5> : tensor<8x72x1x1xf16>
  %w14 = ane.constant dense<0.5> : tensor<40x72x1x1xf16>
  %w15 = ane.constant dense<0.5> : tensor<136x40x1x1xf16>
  %w16 = ane.constant dense<0.5> : tensor<24x56x1x1xf16>
  %w17 = ane.constant dense<0.5> : tensor<8x136x1x1xf16>
  %w18 = ane.constant dense<0.5> : tensor<8x56x1x1xf16>
  %w19 = ane.constant dense<0.5> : tensor<8x104x1x1xf16>
  %w20 = ane.constant dense<0.5> : tensor<72x72x1x1xf16>
  %0 = ane.conv %x, %w0 : tensor<1x4x32x64xf16>, tensor<136x4x1x1xf16> -> tensor<1x136x32x64xf16>
  %1 = ane.conv %0, %w1 : tensor<1x136x32x64xf16>, tensor<136x136x1x1xf16> -> tensor<1x136x32x64xf16>
  %2 = ane.conv %1, %w2 : tensor<1x136x32x64xf16>, tensor<56x136x1x1xf16> -> tensor<1x56x32x64xf16>
  %3 = ane.conv %x, %w3 : tensor<1x4x32x64xf16>, tensor<72x4x1x1xf16> -> tensor<1x72x32x64xf16>
  %4 = ane.conv %2, %w4 : tensor<1x56x32x64xf16>, tensor<40x56x1x1xf16> -> tensor<1x40x32x64xf16>
  %5 = ane.conv %x, %w5 : tensor<1x4x32x64xf16>, tensor<104x4x1x1xf16> -> tensor<1x104x32x64xf16>
  %6 = ane.conv %5, %w6 : tensor<1x104x32x64xf16>, tensor<40x104x1x1xf16> -> tensor<1x40x32x64xf16>
  %7 = ane.conv %6, %w7 : tensor<1x40x32x64xf16>, tensor<40x40x1x1xf16> -> tensor<1x40x32x64xf16>
  %8 = ane.conv %7, %w8 : tensor<1x40x32x64xf16>, tensor<8x40x1x1xf16> -> tensor<1x8x32x64xf16>
  %9 = ane.conv %8, %w9 : tensor<1x8x32x64xf16>, tensor<56x8x1x1xf16> -> tensor<1x56x32x64xf16>
  %10 = ane.conv %0, %w1 : tensor<1x136x32x64xf16>, tensor<136x136x1x1xf16> -> tensor<1x136x32x64xf16>
  %11 = ane.conv %10, %w10 : tensor<1x136x32x64xf16>, tensor<72x136x1x1xf16> -> tensor<1x72x32x64xf16>
  %12 = ane.conv %11, %w11 : tensor<1x72x32x64xf16>, tensor<104x72x1x1xf16> -> tensor<1x104x32x64xf16>
  %13 = ane.conv %7, %w8 : tensor<1x40x32x64xf16>, tensor<8x40x1x1xf16> -> tensor<1x8x32x64xf16>
  %14 = ane.conv %5, %w12 : tensor<1x104x32x64xf16>, tensor<72x104x1x1xf16> -> tensor<1x72x32x64xf16>
  %15 = ane.conv %14, %w13 : tensor<1x72x32x64xf16>, tensor<8x72x1x1xf16> -> tensor<1x8x32x64xf16>
  %16 = ane.conv %11, %w14 : tensor<1x72x32x64xf16>, tensor<40x72x1x1xf16> -> tensor<1x40x32x64xf16>
  %17 = ane.conv %16, %w15 : tensor<1x40x32x64xf16>, tensor<136x40x1x1xf16> -> tensor<1x136x32x64xf16>
  %18 = ane.conv %17, %w2 : tensor<1x136x32x64xf16>, tensor<56x136x1x1xf16> -> tensor<1x56x32x64xf16>
  %19 = ane.conv %18, %w16 : tensor<1x56x32x64xf16>, tensor<24x56x1x1xf16> -> tensor<1x24x32x64xf16>
  %20 = ane.conv %10, %w17 : tensor<1x136x32x64xf16>, tensor<8x136x1x1xf16> -> tensor<1x8x32x64xf16>
  %21 = ane.conv %9, %w18 : tensor<1x56x32x64xf16>, tensor<8x56x1x1xf16> -> tensor<1x8x32x64xf16>
  %22 = ane.conv %12, %w19 : tensor<1x104x32x64xf16>, tensor<8x104x1x1xf16> -> tensor<1x8x32x64xf16>
  %23 = ane.conv %17, %w10 : tensor<1x136x32x64xf16>, tensor<72x136x1x1xf16> -> tensor<1x72x32x64xf16>
  %24 = ane.conv %14, %w20 : tensor<1x72x32x64xf16>, tensor<72x72x1x1xf16> -> tensor<1x72x32x64xf16>
  return %3, %4, %13, %15, %19, %20, %21, %22, %23, %24 : tensor<1x72x32x64xf16>, tensor<1x40x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x24x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x8x32x64xf16>, tensor<1x72x32x64xf16>, tensor<1x72x32x64xf16>
}
