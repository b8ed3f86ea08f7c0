// RUN: not ane-opt %s --split-input-file --convert-tosa-to-ane 2>&1 | FileCheck %s
// RUN: not ane-opt %s --split-input-file --convert-tosa-to-ane=function=h 2>&1 | FileCheck %s --check-prefix=NAME

// Which function is meant.

// CHECK: error: the module has 2 functions ('f', 'g'), but a program has one; choose it with --function=NAME
// NAME: error: there is no function 'h' in the module; it has 'f', 'g'
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// CHECK: error: the module has no function with a body, so there is nothing to import
// NAME: error: the module has no function with a body, so there is nothing to import
module {
  func.func private @declared(tensor<2xf32>)
}

// -----

// CHECK: [[@LINE+3]]:8: error: 'func.call' cannot be imported: a program is one function; inline the callee first (ane-opt --inline)
func.func private @sin(tensor<2xf32>) -> tensor<2xf32>
func.func @calls(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @sin(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: error: 'tosa.cond_if' cannot be imported: the engine has no control flow, and the condition is not known at compile time, or it runs more than 65536 times or makes more than 1048576 ops; unroll it or run it on the host
func.func @condition(%x: tensor<2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<2xf32> {
    tosa.yield %x : tensor<2xf32>
  } else {
    %1 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// A loop that never ends.
// CHECK: error: 'scf.while' cannot be imported: it does not end, as an iteration leaves the condition true and all constants as they were
func.func @forever(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant true
  %0 = scf.while (%v = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    scf.condition(%c) %v : tensor<2xf32>
  } do {
  ^bb0(%v: tensor<2xf32>):
    %1 = tosa.exp %v : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// CHECK: error: 'scf.for' cannot be imported: its bounds are not constant, or it runs more than 65536 times, makes more than 1048576 ops or inserts by other means than slices; unroll it or run it on the host
func.func @often(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 65537 : index
  %0 = scf.for %i = %c0 to %many step %c1 iter_args(%y = %x) -> tensor<2xf32> {
    %1 = tosa.exp %y : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// Loops in a loop, each of which would do.
// CHECK: error: 'scf.for' cannot be imported: its bounds are not constant, or it runs more than 65536 times, makes more than 1048576 ops
func.func @nested(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 2000 : index
  %0 = scf.for %i = %c0 to %many step %c1 iter_args(%y = %x) -> tensor<2xf32> {
    %1 = scf.for %j = %c0 to %many step %c1 iter_args(%z = %y) -> tensor<2xf32> {
      %2 = tosa.exp %z : (tensor<2xf32>) -> tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    }
    scf.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
