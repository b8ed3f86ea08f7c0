// RUN: ane-opt %s --ane-tile-images=parts=2 | FileCheck %s
// What others compute beside it is not for the engine: there is nothing to plan.
// RUN: not ane-opt %s --ane-plan-tiles --ane-rematerialize 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: error: cannot be planned: it computes more than tensors; run convert-*-to-ane and ane-legalize first
// RUN: ane-opt %s --ane-rematerialize -o /dev/null
// CHECK-LABEL: @not_tensors
// CHECK: ane.activation {{.*}} -> tensor<1x4x6x192xf16>
func.func @not_tensors(%x: tensor<1x4x6x192xf16>, %n: index) -> tensor<1x4x6x192xf16> {
  %c = arith.constant 1 : index
  %s = arith.addi %c, %n : index
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x6x192xf16> -> tensor<1x4x6x192xf16>
  return %0 : tensor<1x4x6x192xf16>
}
