// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-tosa-to-ane
// RUN: ane-opt %s --split-input-file --verify-diagnostics --ane-partition

// What is below tensors is no network any more: the error says what to give instead, whatever part the host has.

// expected-error @+2 {{argument #0 has the type 'memref<4xf32>', but a network takes tensors; give it as it was before bufferization and vectorization}}
// expected-error @+1 {{argument #1 has the type 'memref<4xf32>'}}
func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @alloc(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'bufferization.alloc_tensor' is of the level of buffers, loops and vectors, but a network is ops on tensors; give it as it was before bufferization, vectorization and the lowering to loops}}
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

memref.global "private" constant @w : memref<4xf32> = dense<1.0>
func.func @global(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'memref.get_global' is of the level of buffers}}
  %m = memref.get_global @w : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = tosa.add %t, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @vectors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'vector.transfer_read' is of the level of buffers, loops and vectors}}
  %v = vector.transfer_read %x[%c0], %p {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @loops(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'affine.for' is of the level of buffers, loops and vectors}}
  %r = affine.for %i = 0 to 4 iter_args(%y = %x) -> tensor<4xf32> {
    %z = tosa.exp %y : (tensor<4xf32>) -> tensor<4xf32>
    affine.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
