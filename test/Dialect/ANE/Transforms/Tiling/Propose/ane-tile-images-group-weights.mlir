// Groups of images have their weights in common, also behind a norm whose factors go
// into them, and where a table needs them larger.
// RUN: ane-opt %s --ane-bind-arguments="bind=1-5=random:7" --ane-tile-images=early --ane-decompose --ane-fold | FileCheck %s
// CHECK-COUNT-3: ane.constant {{.*}} : tensor<{{[0-9]+}}x{{[0-9]+}}x1x1xf{{16|32}}>
// CHECK-NOT: ane.constant
// CHECK: ane.conv
func.func @layers(%x: tensor<2x128x1x8192xf16>, %g: tensor<128xf16>, %b: tensor<128xf16>, %w: tensor<512x128x1x1xf16>,
                  %wb: tensor<512xf16>, %v: tensor<128x512x1x1xf16>) -> tensor<1x128x2x8192xf16> {
  %0 = ane.transpose %x {perm = array<i64: 2, 1, 0, 3>} : tensor<2x128x1x8192xf16> -> tensor<1x128x2x8192xf16>
  %1 = ane.layer_norm %0 gamma %g beta %b {axes = array<i64: 1>, epsilon = 1.0e-5 : f32}
     : tensor<1x128x2x8192xf16> gamma tensor<128xf16> beta tensor<128xf16> -> tensor<1x128x2x8192xf16>
  %2 = ane.conv %1, %w bias %wb {activation = #ane.act<gelu>}
     : tensor<1x128x2x8192xf16>, tensor<512x128x1x1xf16>, tensor<512xf16> -> tensor<1x512x2x8192xf16>
  %3 = ane.conv %2, %v : tensor<1x512x2x8192xf16>, tensor<128x512x1x1xf16> -> tensor<1x128x2x8192xf16>
  %4 = ane.elementwise add %3, %0 : tensor<1x128x2x8192xf16>, tensor<1x128x2x8192xf16> -> tensor<1x128x2x8192xf16>
  return %4 : tensor<1x128x2x8192xf16>
}
