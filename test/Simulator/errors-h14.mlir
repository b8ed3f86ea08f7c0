// Errors about a program of H14 name its registers and where they are, also
// those of which H13 has the field in another one.

// RUN: ane-compile %s --target=h14 -o %t.hwx
// RUN: ane-translate --from-hwx %t.hwx -o %t.mlir
// RUN: ane-run %t.mlir

// Found by what brings tasks into the registers of H13.
// RUN: sed -e 's/Kh = 3/Kh = 33/' %t.mlir > %t.height.mlir
// RUN: not ane-run %t.height.mlir 2>&1 | FileCheck %s --check-prefix=HEIGHT
// HEIGHT: height.mlir: error: task 0: Common.ConvCfg.Kh (0x20) is 33 (0x21), but must be at most 31 (0x1f) in the form that programs are judged in

// Found in the registers of H13, where it is Common.ConvCfg.OCGSize.
// RUN: sed -e 's/OCGSize = [0-9]/OCGSize = 6/' %t.mlir > %t.passes.mlir
// RUN: not ane-run %t.passes.mlir 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: passes.mlir: error: task 0: Common.OCGSize.OCGSize (0x1c) is 0x6, which is not understood; expected 0, 1, 2, 3, 4 or 5

func.func @net(%x: tensor<1x16x16x16xf16>) -> tensor<1x64x16x16xf16> {
  %w = ane.constant dense<0.05> : tensor<64x16x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x16x16xf16>, tensor<64x16x3x3xf16> -> tensor<1x64x16x16xf16>
  return %0 : tensor<1x64x16x16xf16>
}
