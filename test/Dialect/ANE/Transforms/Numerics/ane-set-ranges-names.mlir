// RUN: ane-opt %s --ane-set-ranges="ranges=input0_=-2:3" | FileCheck %s

// An argument without a name is called as in the program, where no result has
// its name.
// CHECK: @main(%{{.*}}: tensor<1x4xf16> {ane.range = [-2.000000e+00, 3.000000e+00]})
func.func @main(%x: tensor<1x4xf16>) -> (tensor<1x4xf16> {ane.name = "input0"}) {
  return %x : tensor<1x4xf16>
}
