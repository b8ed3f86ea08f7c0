// A residual block of ResNet-18 for a generation of which no record has a bias:
// the planar engine adds it, within a rounding of what the epilogue of a
// convolution gives. Nothing needs to be allowed.

// RUN: ane-compile %s --target=h14 --bind w0=random:1:0.05 --bind w1=random:2:0.05 --bind b0=random:3 --bind b1=random:4 -o %t.h14.hwx
// RUN: ane-run %t.h14.hwx --seed=5 --output %t.h14.npy
// RUN: ane-compile %s --target=h16 --bind w0=random:1:0.05 --bind w1=random:2:0.05 --bind b0=random:3 --bind b1=random:4 -o %t.h16.hwx
// RUN: ane-run %t.h16.hwx --seed=5 --output %t.h16.npy
// RUN: ane-run --verify %t.h16.hwx
// RUN: ane-compile %s --target=h16 --hwx-flavour=zin-9.509 --bind w0=random:1:0.05 --bind w1=random:2:0.05 --bind b0=random:3 --bind b1=random:4 -o %t.zin.hwx
// RUN: ane-run %t.zin.hwx --seed=5 --output %t.zin.npy
// RUN: ane-run --verify %t.zin.hwx
// RUN: %python %ane_src/utils/compare-npy.py %t.h16.npy %t.h14.npy --max-err 0.002
// RUN: %python %ane_src/utils/compare-npy.py %t.zin.npy %t.h14.npy --max-err 0.002

func.func @net(%x: tensor<1x64x56x56xf16>, %w0: tensor<64x64x3x3xf16> {ane.name = "w0"}, %b0: tensor<64xf16> {ane.name = "b0"},
               %w1: tensor<64x64x3x3xf16> {ane.name = "w1"}, %b1: tensor<64xf16> {ane.name = "b1"}) -> tensor<1x64x56x56xf16> {
  %0 = ane.conv %x, %w0 bias %b0 {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>}
      : tensor<1x64x56x56xf16>, tensor<64x64x3x3xf16>, tensor<64xf16> -> tensor<1x64x56x56xf16>
  %1 = ane.conv %0, %w1 bias %b1 {pad = array<i64: 1, 1, 1, 1>}
      : tensor<1x64x56x56xf16>, tensor<64x64x3x3xf16>, tensor<64xf16> -> tensor<1x64x56x56xf16>
  %2 = ane.elementwise add %1, %x {activation = #ane.act<relu>}
      : tensor<1x64x56x56xf16>, tensor<1x64x56x56xf16> -> tensor<1x64x56x56xf16>
  return %2 : tensor<1x64x56x56xf16>
}
