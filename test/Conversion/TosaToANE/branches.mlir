// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// A loop that counts to 3, with a branch that knows which iteration it is in.

// CHECK-LABEL: func.func @count
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[A:.*]] = ane.activation %[[X]] {function = #ane.act<exp>}
// CHECK: %[[B:.*]] = ane.activation %[[A]] {function = #ane.act<tanh>}
// CHECK: %[[C:.*]] = ane.activation %[[B]] {function = #ane.act<exp>}
// CHECK: ane.cast %[[C]]
// CHECK-NEXT: return
func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %two = tosa.add %one, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %three = tosa.add %one, %two : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n, %y = tosa.while_loop (%i = %zero, %v = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %more = tosa.greater %three, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %isOne = tosa.equal %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %w = tosa.cond_if %isOne (%a = %v) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %t = tosa.tanh %a : (tensor<4xf32>) -> tensor<4xf32>
      tosa.yield %t : tensor<4xf32>
    } else {
    ^bb0(%a: tensor<4xf32>):
      %e = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
      tosa.yield %e : tensor<4xf32>
    }
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next, %w : tensor<i32>, tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// The same of scf; what is not known stays, and is an error (errors-function.mlir).

// CHECK-LABEL: func.func @scf
// CHECK-COUNT-2: ane.activation %{{.*}} {function = #ane.act<tanh>}
// CHECK-NOT: ane.activation
// CHECK: return
func.func @scf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r:2 = scf.while (%i = %zero, %v = %x) : (index, tensor<4xf32>) -> (tensor<4xf32>, index) {
    %more = arith.cmpi slt, %i, %two : index
    scf.condition(%more) %v, %i : tensor<4xf32>, index
  } do {
  ^bb0(%v: tensor<4xf32>, %i: index):
    %t = math.tanh %v : tensor<4xf32>
    %next = arith.addi %i, %one : index
    scf.yield %next, %t : index, tensor<4xf32>
  }
  %same = arith.cmpi eq, %r#1, %one : index
  %y = scf.if %same -> tensor<4xf32> {
    %t = math.exp %r#0 : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %r#0 : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Counters as lowerings leave them: tensors without dimensions that loops of linalg compute.

#none = affine_map<() -> ()>
// CHECK-LABEL: func.func @lowered
// CHECK-COUNT-3: ane.activation %{{.*}} {function = #ane.act<tanh>}
// CHECK-NOT: ane.activation
// CHECK: return
func.func @lowered(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %three = arith.constant dense<3> : tensor<i32>
  %r:2 = scf.while (%i = %zero, %v = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<i1>
    %c = linalg.generic {indexing_maps = [#none, #none, #none], iterator_types = []}
        ins(%three, %i : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %out: i1):
      %g = arith.cmpi sgt, %a, %b : i32
      linalg.yield %g : i1
    } -> tensor<i1>
    %more = tensor.extract %c[] : tensor<i1>
    scf.condition(%more) %i, %v : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%i: tensor<i32>, %v: tensor<4xf32>):
    %t = math.tanh %v : tensor<4xf32>
    %e = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [#none, #none, #none], iterator_types = []}
        ins(%i, %one : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %out: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<i32>
    scf.yield %next, %t : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
