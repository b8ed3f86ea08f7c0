// RUN: ane-opt %s --ane-decompose --canonicalize --ane-legalize --ane-plan-tiles -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: ane-opt %t.mlir --ane-tile --ane-fold --canonicalize | FileCheck %s --check-prefix=TILE
// RUN: ane-opt %t.mlir --ane-check-equivalence="pipeline={func.func(ane-tile),ane-fold}" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: computes the same: largest difference 0,

// Rows of an image that is enlarged are channels of a product, whose matrix is a
// band: strips of rows need few rows of the source, and those of the matrix that
// are not zeros. All columns come first, also where ops on them stand behind
// others.
// CHECK: ane.conv {{.*}} tensor<512x64x1x1xf16> -> tensor<1x512x16x32xf16>
// CHECK: ane.transpose
// CHECK: ane.activation %arg1 {{.*}}ane.tile
// CHECK: ane.conv {{.*}} {ane.banded, ane.tile = #ane.tile<group = [[G:[0-9]+]], dim = 1, size = [[S:[0-9]+]]>} : tensor<1x32x16x512xf16>, tensor<256x32x1x1xf16>
// CHECK: ane.elementwise add {{.*}} {activation = #ane.act<relu>, ane.tile = #ane.tile<group = [[G]], dim = 2, size = [[S]]>}
// TILE: ane.conv %{{.*}} {ane.banded} : tensor<1x[[N:[0-9]]]x16x512xf16>, tensor<{{.*}}x[[N]]x1x1xf16>
// TILE-NOT: tensor<256x32x1x1xf16>
func.func @enlarged(%x: tensor<1x16x32x64xf16>, %y: tensor<1x16x256x512xf16>) -> tensor<1x16x256x512xf16> {
  %0 = ane.activation %y {function = #ane.act<relu>} : tensor<1x16x256x512xf16> -> tensor<1x16x256x512xf16>
  %1 = ane.resize bilinear %x {half_pixel} : tensor<1x16x32x64xf16> -> tensor<1x16x256x512xf16>
  %2 = ane.elementwise add %0, %1 {activation = #ane.act<relu>} : tensor<1x16x256x512xf16>, tensor<1x16x256x512xf16> -> tensor<1x16x256x512xf16>
  return %2 : tensor<1x16x256x512xf16>
}
