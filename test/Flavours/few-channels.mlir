// Three channels leave twelve of sixteen engines idle. Since H16 these take
// further units of the image, and a tile is all units that are worked on at once;
// the result is that of H14.

// RUN: ane-compile %s --target=h14 --hwx-flavour=zin-9.509 -o %t.h14.hwx
// RUN: ane-run %t.h14.hwx --seed=1 --output %t.h14.npy
// RUN: ane-compile %s --target=h16 --hwx-flavour=zin-9.509 -o %t.h16.hwx
// RUN: ane-run %t.h16.hwx --seed=1 --output %t.h16.npy
// RUN: cmp %t.h14.npy %t.h16.npy
// RUN: ane-translate --dump-hwx=json %t.h16.hwx | FileCheck %s
// CHECK: "Common.NECfg.WUStackLog2":2
// CHECK: "Common.TileCfg.TileHeight":16
// CHECK: "Header.ENE":5
func.func @net(%x: tensor<1x3x224x224xf16>, %z: tensor<1x3x224x224xf16>) -> tensor<1x3x224x224xf16> {
  %y = ane.elementwise div %x, %z : tensor<1x3x224x224xf16>, tensor<1x3x224x224xf16> -> tensor<1x3x224x224xf16>
  return %y : tensor<1x3x224x224xf16>
}
