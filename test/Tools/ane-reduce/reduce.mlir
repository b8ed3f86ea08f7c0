// RUN: cp %S/Inputs/has-sigmoid.sh %t.sh && ane-reduce %s -reduction-tree='traversal-mode=0 test=%{near}.sh' | FileCheck %s

// The function without the op of interest goes.

// CHECK-NOT: @boring
// CHECK: func.func @interesting
// CHECK: #ane.act<sigmoid>

func.func @boring(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<tanh>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %0 : tensor<1x1x1x8xf16>
}

func.func @interesting(%x: tensor<1x1x1x8xf16>) -> tensor<1x1x1x8xf16> {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x1x1x8xf16> -> tensor<1x1x1x8xf16>
  return %0 : tensor<1x1x1x8xf16>
}
