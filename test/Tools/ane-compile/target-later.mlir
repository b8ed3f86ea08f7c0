// A network for the generations after H14, as far as there are records: it
// computes what the program for H14 does, in both flavours.

// RUN: ane-compile %s --function=net --target=h14 -o %t.hwx
// RUN: ane-run %t.hwx --seed=1 --output %t.npy --output %t.2.npy
// RUN: ane-compile %s --function=net --target=h14 --hwx-flavour=zin-9.509 -o %t.zin.hwx
// RUN: ane-run %t.zin.hwx --seed=1 --output %t.zin.npy --output %t.zin.2.npy

// RUN: ane-compile %s --function=net --target=h15 -o %t.h15.hwx
// RUN: ane-run %t.h15.hwx --seed=1 --output %t.h15.npy --output %t.h15.2.npy
// RUN: cmp %t.npy %t.h15.npy
// RUN: cmp %t.2.npy %t.h15.2.npy
// RUN: ane-compile %s --function=net --target=h15 --hwx-flavour=zin-9.509 -o %t.zin15.hwx
// RUN: ane-run %t.zin15.hwx --seed=1 --output %t.h15.npy --output %t.h15.2.npy
// RUN: cmp %t.zin.npy %t.h15.npy
// RUN: cmp %t.zin.2.npy %t.h15.2.npy

// RUN: ane-compile %s --function=net --target=h16 -o %t.h16.hwx
// RUN: ane-run %t.h16.hwx --seed=1 --output %t.h16.npy --output %t.h16.2.npy
// RUN: cmp %t.npy %t.h16.npy
// RUN: cmp %t.2.npy %t.h16.2.npy
// RUN: ane-compile %s --function=net --target=h16 --hwx-flavour=zin-9.509 -o %t.zin16.hwx
// RUN: ane-run %t.zin16.hwx --seed=1 --output %t.h16.npy --output %t.h16.2.npy
// RUN: cmp %t.zin.npy %t.h16.npy
// RUN: cmp %t.zin.2.npy %t.h16.2.npy

// RUN: ane-compile %s --function=net --target=h17 -o %t.h17.hwx
// RUN: ane-run %t.h17.hwx --seed=1 --output %t.h17.npy --output %t.h17.2.npy
// RUN: cmp %t.npy %t.h17.npy
// RUN: cmp %t.2.npy %t.h17.2.npy

// RUN: ane-compile %s --function=net --target=h18 -o %t.h18.hwx
// RUN: ane-run %t.h18.hwx --seed=1 --output %t.h18.npy --output %t.h18.2.npy
// RUN: cmp %t.npy %t.h18.npy
// RUN: cmp %t.2.npy %t.h18.2.npy
// RUN: ane-compile %s --function=net --target=h18 --hwx-flavour=zin-9.509 -o %t.zin18.hwx
// RUN: ane-run %t.zin18.hwx --seed=1 --output %t.h18.npy --output %t.h18.2.npy
// RUN: cmp %t.zin.npy %t.h18.npy
// RUN: cmp %t.zin.2.npy %t.h18.2.npy

// Every access is inside its memory: coefficients have a segment of their own,
// constants that are tensors are with the text.
// RUN: ane-run --verify %t.h15.hwx
// RUN: ane-run --verify %t.h16.hwx
// RUN: ane-run --verify %t.zin16.hwx
// RUN: ane-run --verify %t.h18.hwx
// RUN: ane-translate --dump-hwx %t.h16.hwx | FileCheck %s --check-prefix=DUMP
// DUMP: h16 program 'net'
// DUMP: SEGMENT_64 {{.*}} __KERN_0 at 0x[[#%x,KERNELS:]] for
// DUMP: section __TEXT.__const
// DUMP: section __KERN_0.__kern_0 at 0x[[#KERNELS]]
// RUN: ane-translate --dump-hwx %t.h15.hwx | FileCheck %s --check-prefix=ONE
// ONE-NOT: __KERN_0

// What is read back is written back.
// RUN: ane-translate --from-hwx %t.h16.hwx -o %t.h16.mlir
// RUN: FileCheck %s --check-prefix=IR < %t.h16.mlir
// IR: hwx.constants {{.*}} kernels = 0x{{[1-9]}}
// RUN: ane-translate --to-hwx %t.h16.mlir -o %t.again.hwx
// RUN: cmp %t.h16.hwx %t.again.hwx

// Work that no record of the generation shows is an error for each op, unless
// it is allowed.
// RUN: not ane-compile %s --function=unproven --target=h17 -o %t.no.hwx 2>&1 | FileCheck %s --check-prefix=NO --implicit-check-not=error:
// NO: target-later.mlir:[[#@LINE+20]]:{{[0-9]+}}: error: {{.*}}needs convolutions of several pixels, of which there is no record for h17
// NO: target-later.mlir:[[#@LINE+20]]:{{[0-9]+}}: error: {{.*}}needs reductions, of which there is no record for h17
// RUN: ane-compile %s --function=unproven --target=h17 --allow-unproven -o %t.allowed.hwx
// RUN: ane-run %t.allowed.hwx
// RUN: ane-compile %s --function=unproven --target=h16 -o %t.device.hwx

func.func @net(%a: tensor<1x64x8x8xf16>, %b: tensor<1x64x8x8xf16>, %c: tensor<1x64x1x1xf16>) -> (tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>) {
  %k = ane.constant dense<0.25> : tensor<1x64x8x8xf16>
  %w = ane.constant dense<0.05> : tensor<64x64x1x1xf16>
  %0 = ane.elementwise sub %a, %b : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %2 = ane.activation %1 {function = #ane.act<tanh>} : tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %3 = ane.elementwise mul %2, %c : tensor<1x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x8x8xf16>
  %4 = ane.elementwise max %3, %k : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16> -> tensor<1x64x8x8xf16>
  %5 = ane.conv %4, %w : tensor<1x64x8x8xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x8x8xf16>
  return %4, %5 : tensor<1x64x8x8xf16>, tensor<1x64x8x8xf16>
}

func.func @unproven(%a: tensor<1x16x16x16xf16>) -> tensor<1x16x1x1xf16> {
  %w = ane.constant dense<0.05> : tensor<16x16x3x3xf16>
  %0 = ane.conv %a, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x16xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x16x16xf16>
  %1 = ane.reduce sum %0 {axes = array<i64: 2, 3>} : tensor<1x16x16x16xf16> -> tensor<1x16x1x1xf16>
  return %1 : tensor<1x16x1x1xf16>
}
