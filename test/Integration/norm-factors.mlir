// The factors of a norm are in the weights behind it also where these are cut:
// no task multiplies by them.
// RUN: ane-compile %s --bind 1=random:1 --bind 2=random:2 --bind 3=random:3 -o %t.hwx
// RUN: ane-run %t.hwx --mode=count --stats %t.json
// RUN: FileCheck %s < %t.json
// CHECK-NOT: "op": "conv{{.*}}depthwise
// CHECK: "op": "conv 1x1, table"
// CHECK-NOT: "op": "conv{{.*}}depthwise
func.func @layer(%x: tensor<1x256x1x256xf16>, %gamma: tensor<256xf16>, %up: tensor<4096x256x1x1xf16>, %down: tensor<256x4096x1x1xf16>) -> tensor<1x256x1x256xf16> {
  %0 = ane.rms_norm %x gamma %gamma {axes = array<i64: 1>, epsilon = 1.0e-5 : f32} : tensor<1x256x1x256xf16> gamma tensor<256xf16> -> tensor<1x256x1x256xf16>
  %1 = ane.conv %0, %up {activation = #ane.act<gelu>} : tensor<1x256x1x256xf16>, tensor<4096x256x1x1xf16> -> tensor<1x4096x1x256xf16>
  %2 = ane.conv %1, %down : tensor<1x4096x1x256xf16>, tensor<256x4096x1x1xf16> -> tensor<1x256x1x256xf16>
  %3 = ane.elementwise add %2, %x : tensor<1x256x1x256xf16>, tensor<1x256x1x256xf16> -> tensor<1x256x1x256xf16>
  return %3 : tensor<1x256x1x256xf16>
}
