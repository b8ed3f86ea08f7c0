// RUN: echo '{"function": "columns", "ops": 2, "groups": [{"first": 0, "last": 1, "dim": 3, "size": 384}]}' > %t.json
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-plan-tiles{plan=%{near}.json}))' | FileCheck %s

// Results that do not follow from the last one are cut into as many strips, and
// these start where parts of a row can start, too.
// CHECK-LABEL: @columns
// CHECK: ane.tile = #ane.tile<group = 0, dim = 3, size = 768>
// CHECK: ane.tile = #ane.tile<group = 0, dim = 3, size = 384>
func.func @columns(%x: tensor<1x64x1x1500xf16>, %y: tensor<1x64x1x768xf16>) -> (tensor<1x64x1x1500xf16>, tensor<1x64x1x768xf16>) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x64x1x1500xf16> -> tensor<1x64x1x1500xf16>
  %1 = ane.activation %y {function = #ane.act<sigmoid>} : tensor<1x64x1x768xf16> -> tensor<1x64x1x768xf16>
  return %0, %1 : tensor<1x64x1x1500xf16>, tensor<1x64x1x768xf16>
}
