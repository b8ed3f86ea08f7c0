// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// A loop as jax.lax.scan writes it: the slices that it reads, and its results side by side.

// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[S0:.*]] = ane.slice %[[X]] {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 8>
// CHECK: %[[T0:.*]] = ane.activation %{{.*}} {function = #ane.act<tanh>} : tensor<8xf16>
// CHECK: ane.slice %[[X]] {offsets = array<i64: 1, 0>
// CHECK: %[[A1:.*]] = ane.elementwise add %[[T0]]
// CHECK: ane.activation %[[A1]] {function = #ane.act<tanh>}
// CHECK: ane.slice %[[X]] {offsets = array<i64: 2, 0>
// CHECK: ane.concat %{{.*}}, %{{.*}}, %{{.*}} {axis = 0 : i64} : tensor<1x8xf16>, tensor<1x8xf16>, tensor<1x8xf16> -> tensor<3x8xf16>
// CHECK-NOT: scf
module @jit_f {
  func.func public @main(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %0, %iterArg_2 = %1) : tensor<3x8xf32>, tensor<i32>, tensor<8xf32>, tensor<3x8xf32>
     cond {
      %c_3 = stablehlo.constant dense<3> : tensor<i32>
      %3 = stablehlo.compare  LT, %iterArg_0, %c_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %3 = stablehlo.compare  LT, %iterArg_0, %c_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.add %iterArg_0, %c_4 : tensor<i32>
      %5 = stablehlo.select %3, %4, %iterArg_0 : tensor<i1>, tensor<i32>
      %6 = stablehlo.dynamic_slice %iterArg, %5, %c_3, sizes = [1, 8] : (tensor<3x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %7 = stablehlo.reshape %6 : (tensor<1x8xf32>) -> tensor<8xf32>
      %8 = func.call @closed_call(%iterArg_1, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
      %10 = stablehlo.dynamic_update_slice %iterArg_2, %9, %5, %c_3 : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_0, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %11, %8, %10 : tensor<3x8xf32>, tensor<i32>, tensor<8xf32>, tensor<3x8xf32>
    }
    return %2#3 : tensor<3x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
    %1 = stablehlo.tanh %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// The last branch is for all other indices, too; a branch without results does nothing.

// CHECK-LABEL: func.func @chosen
// CHECK-NOT: ane.activation
// CHECK: ane.activation %{{.*}} {function = #ane.act<sigmoid>}
// CHECK-NOT: ane.activation
func.func @chosen(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = stablehlo.constant dense<-3> : tensor<i32>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.case"(%c) ({
    %a = stablehlo.tanh %x : tensor<4x8xf32>
    stablehlo.return %a : tensor<4x8xf32>
  }, {
    %a = "stablehlo.if"(%t) ({
      %b = stablehlo.logistic %x : tensor<4x8xf32>
      stablehlo.return %b : tensor<4x8xf32>
    }, {
      %b = stablehlo.negate %x : tensor<4x8xf32>
      stablehlo.return %b : tensor<4x8xf32>
    }) : (tensor<i1>) -> tensor<4x8xf32>
    stablehlo.return %a : tensor<4x8xf32>
  }) : (tensor<i32>) -> tensor<4x8xf32>
  "stablehlo.if"(%t) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return %0 : tensor<4x8xf32>
}

// -----

// Data chooses between the results of all branches.

// CHECK-LABEL: func.func @by_data
// CHECK: ane.activation %{{.*}} {function = #ane.act<tanh>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<sigmoid>}
// CHECK: ane.select
// CHECK-SAME: tensor<1x1xf16>, tensor<4x8xf16>, tensor<4x8xf16>
func.func @by_data(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %p = stablehlo.compare GT, %s, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %q = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
  %0 = "stablehlo.case"(%q) ({
    %a = stablehlo.tanh %x : tensor<4x8xf32>
    stablehlo.return %a : tensor<4x8xf32>
  }, {
    %a = stablehlo.logistic %x : tensor<4x8xf32>
    stablehlo.return %a : tensor<4x8xf32>
  }) : (tensor<i32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
