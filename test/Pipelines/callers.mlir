// RUN: ane-opt %s --ane-bind-arguments="function=forward bind=0=random:1" | FileCheck %s --check-prefixes=CHECK,BOUND
// RUN: ane-opt %s --ane-set-shapes="function=open shape=0=1x8" | FileCheck %s --check-prefixes=CHECK,SHAPED
// RUN: ane-compile %s --function=forward --bind=0=random:1 -o %t.hwx && ane-run %t.hwx --seed=1
// RUN: ane-compile %s --function=open --shape=0=1x8 -o %t.hwx && ane-run %t.hwx --seed=1

// One function is compiled. Those that call it, and those that call these, would call one with other arguments, and go; the
// others stay.

// CHECK-LABEL: func.func @other
// BOUND-LABEL: func.func @forward(%arg0: tensor<1x8xf32>) -> tensor<1x8xf32>
// SHAPED-LABEL: func.func @open(%arg0: tensor<1x8xf32>) -> tensor<1x8xf32>
// BOUND-NOT: @twice
// BOUND-NOT: @main
// SHAPED-NOT: @feed
func.func @other(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  return %x : tensor<1x8xf32>
}
func.func @main(%w: tensor<1x8xf32>, %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = call @twice(%w, %x) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
func.func @forward(%w: tensor<1x8xf32>, %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = tosa.add %x, %w : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
func.func @twice(%w: tensor<1x8xf32>, %x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = call @forward(%w, %x) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  %1 = call @forward(%w, %0) : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}
func.func @open(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %r = tosa.exp %x : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}
func.func @feed(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %r = call @open(%x) : (tensor<1x?xf32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}
