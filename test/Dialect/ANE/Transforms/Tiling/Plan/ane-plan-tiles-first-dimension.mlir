// RUN: ane-opt %s --ane-pipeline="stop-after=tile" -o - | FileCheck %s
// RUN: ane-compile %s -o %t.hwx
// RUN: ane-run %t.hwx --mode=count --stats=%t.json
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %python %ane_src/utils/fuzz-networks.py --bin %ane_bin --seed 2000 --count 2 --keep %t.dir | FileCheck %s --check-prefix=FUZZ
// RUN: %python %ane_src/utils/fuzz-networks.py --bin %ane_bin --seed 2000 --count 1 --target h15 --keep %t.dir | FileCheck %s --check-prefix=TARGET

// Behind what doubles the image, a group may need parts along the first dimension,
// by which nothing is cut: it begins behind that.
// CHECK-LABEL: func.func @doubled
// TARGET: refused 1: {{.*}} of which there is no record for h15
// FUZZ: 2 networks, {{[0-2]}} refused, 0 failed
func.func @doubled(%x: tensor<1x32x128x128xf16>) -> tensor<1x32x256x256xf16> {
  %w = ane.constant dense<0.125> : tensor<32x32x2x2xf16>
  %v = ane.constant dense<0.25> : tensor<32x1x3x3xf16>
  %0 = ane.conv_transpose %x, %w {strides = array<i64: 2, 2>} : tensor<1x32x128x128xf16>, tensor<32x32x2x2xf16> -> tensor<1x32x256x256xf16>
  %1 = ane.pool max %0 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : tensor<1x32x256x256xf16> -> tensor<1x32x256x256xf16>
  %2 = ane.conv %1, %v {groups = 32 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x32x256x256xf16>, tensor<32x1x3x3xf16> -> tensor<1x32x256x256xf16>
  return %2 : tensor<1x32x256x256xf16>
}
