// RUN: ane-opt %s --ane-decompose --canonicalize --ane-legalize --ane-plan-tiles -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: ane-opt %t.mlir --ane-tile --ane-fold --canonicalize | FileCheck %s --check-prefix=TILE
// RUN: ane-opt %t.mlir --ane-check-equivalence="pipeline={func.func(ane-tile),ane-fold}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-2: computes the same: largest difference
// Convolutions are not cut by channels for what strips add in a product.
// RUN: ane-opt %s --ane-decompose --canonicalize --ane-legalize --ane-plan-tiles=channels | FileCheck %s --check-prefix=CHANNELS
// CHANNELS-NOT: ane.tile

// Rows of an image that is enlarged are channels of a product, whose matrix is a
// band: strips of rows need few rows of the source, and those of the matrix that
// are not zeros. All columns come first, also where ops on them stand behind
// others.
// CHECK: ane.conv {{.*}} tensor<512x64x1x1xf16> -> tensor<1x512x16x32xf16>
// CHECK: ane.transpose
// CHECK: ane.activation %arg1 {{.*}}ane.tile
// CHECK: ane.conv {{.*}} {ane.banded, ane.tile = #ane.tile<group = [[G:[0-9]+]], dim = 1, size = [[S:[0-9]+]]>} : tensor<1x32x16x512xf16>, tensor<256x32x1x1xf16>
// CHECK: ane.elementwise add {{.*}} {activation = #ane.act<relu>, ane.tile = #ane.tile<group = [[G]], dim = 2, size = [[S]]>}
// What is added is a part of the product.
// TILE-LABEL: func @enlarged
// TILE: %[[X:.*]] = ane.slice %{{.*}} -> tensor<1x6x16x512xf16>
// TILE: %[[Y:.*]] = ane.transpose
// TILE: %[[XY:.*]] = ane.concat %[[Y]], %[[X]] {axis = 1 : i64}
// TILE: ane.conv %[[XY]], %{{.*}} {activation = #ane.act<relu>}
// TILE-NOT: tensor<256x32x1x1xf16>
func.func @enlarged(%x: tensor<1x16x32x64xf16>, %y: tensor<1x16x256x512xf16>) -> tensor<1x16x256x512xf16> {
  %0 = ane.activation %y {function = #ane.act<relu>} : tensor<1x16x256x512xf16> -> tensor<1x16x256x512xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x16x32x64xf16> -> tensor<1x16x256x512xf16>
  %2 = ane.elementwise add %0, %1 {activation = #ane.act<relu>} : tensor<1x16x256x512xf16>, tensor<1x16x256x512xf16> -> tensor<1x16x256x512xf16>
  return %2 : tensor<1x16x256x512xf16>
}

// TILE-LABEL: func @layer
func.func @layer(%x: tensor<1x64x16x32xf16>, %y: tensor<1x8x128x256xf16>) -> tensor<1x64x128x256xf16> {
  %w = ane.constant dense<0.125> : tensor<64x8x1x1xf16>
  %0 = ane.conv %y, %w : tensor<1x8x128x256xf16>, tensor<64x8x1x1xf16> -> tensor<1x64x128x256xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x64x16x32xf16> -> tensor<1x64x128x256xf16>
  %2 = ane.elementwise add %0, %1 : tensor<1x64x128x256xf16>, tensor<1x64x128x256xf16> -> tensor<1x64x128x256xf16>
  return %2 : tensor<1x64x128x256xf16>
}
