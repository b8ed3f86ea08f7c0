// RUN: ane-opt %s --split-input-file --ane-partition | FileCheck %s
// RUN: ane-opt %s --split-input-file --ane-partition=why=true --verify-diagnostics -o /dev/null

// Indices are known at run time only: the embedding stays, all the rest is one
// program. Constants go where they are used.

// CHECK-LABEL: func.func @embedding(%arg0: tensor<1x5xi32>, %arg1: tensor<1x8x4xf32>)
// CHECK-NEXT: %[[G:.*]] = tosa.gather %arg1, %arg0
// CHECK-NEXT: %[[Y:.*]] = call @embedding_ane0(%[[G]]) : (tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func private @embedding_ane0(%arg0: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> attributes {ane.program = "h13"}
// CHECK-DAG: "tosa.const"() <{values = dense<5.000000e-01>
// CHECK: tosa.matmul
// CHECK: tosa.tanh
func.func @embedding(%i: tensor<1x5xi32>, %t: tensor<1x8x4xf32>) -> tensor<1x5x4xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<1x4x4xf32>}> : () -> tensor<1x4x4xf32>
  // expected-remark @+1 {{'tosa.gather' stays on the host: 'tosa.gather' op reads at indices that come from outside, which fp16 may not hold, and the DMA of the engine has fixed addresses; gather on the host}}
  %g = tosa.gather %t, %i : (tensor<1x8x4xf32>, tensor<1x5xi32>) -> tensor<1x5x4xf32>
  %0 = tosa.matmul %g, %w, %zp, %zp : (tensor<1x5x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x4xf32>
  %1 = tosa.tanh %0 : (tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %1 : tensor<1x5x4xf32>
}

// -----

// An index leaves a program, but it cannot enter one. The second program has all that is behind the op of the host.

// CHECK-LABEL: func.func @two(
// CHECK: %[[A:.*]]:2 = call @two_ane0(%arg0) : (tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4xi32>)
// CHECK: %[[G:.*]] = tosa.custom %[[A]]#0, %[[A]]#1
// CHECK: %[[B:.*]] = call @two_ane1(%[[G]])
// CHECK: return %[[B]], %[[A]]#1
// CHECK: func.func private @two_ane0
// CHECK: func.func private @two_ane1
func.func @two(%x: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4xi32>) {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<1x4x4xf32>}> : () -> tensor<1x4x4xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %1 = tosa.sigmoid %0 : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %2 = tosa.argmax %1 {axis = 2 : i32} : (tensor<1x4x4xf32>) -> tensor<1x4xi32>
  // expected-remark @+1 {{'tosa.custom' stays on the host}}
  %3 = tosa.custom %0, %2 {operator_name = "mine", domain_name = "test", implementation_attrs = ""} : (tensor<1x4x4xf32>, tensor<1x4xi32>) -> tensor<1x4x4xf32>
  %4 = tosa.matmul %3, %w, %zp, %zp : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %4, %2 : tensor<1x4x4xf32>, tensor<1x4xi32>
}

// -----

// Sums of products of bytes are integers that only the rescale behind them makes data of:
// one that the host needs stays there, and the layer in front of it does not.

// CHECK-LABEL: func.func @bytes(
// CHECK: %[[A:.*]] = call @bytes_ane0(%arg0) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
// CHECK: %[[B:.*]] = tosa.rescale %[[A]]
// CHECK: tosa.arithmetic_right_shift %[[B]]
// CHECK: func.func private @bytes_ane0
// CHECK: tosa.conv2d
// CHECK: tosa.rescale
func.func @bytes(%x: tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[[3, -5]]], [[[7, 9]]]]> : tensor<2x1x1x2xi8>}> : () -> tensor<2x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<35> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %bits = "tosa.const"() <{values = dense<1> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x1x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
  %1 = tosa.rescale %0, %m, %s, %z32, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  // expected-remark @+1 {{'tosa.rescale' stays on the host: 'tosa.arithmetic_right_shift' on the host reads tensor<1x4x4x2xi32>, which cannot pass between the host and the engine}}
  %2 = tosa.rescale %1, %m, %one, %z, %z32 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
  // expected-remark @+1 {{'tosa.arithmetic_right_shift' stays on the host}}
  %3 = tosa.arithmetic_right_shift %2, %bits {round = true} : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
  return %3 : tensor<1x4x4x2xi32>
}

// -----

// The limit of the engine shows only when the program is compiled; the remark
// says what it rests on.

// CHECK-LABEL: func.func @limit(
// CHECK: tosa.conv2d
// CHECK: call @limit_ane0
func.func @limit(%x: tensor<1x4x4x4xf32>) -> tensor<1x16x4xf32> {
  %w = "tosa.const"() <{values = dense<1.0e+06> : tensor<4x1x1x4xf32>}> : () -> tensor<4x1x1x4xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %b = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  // expected-remark @+2 {{(constant_r1)}}
  // expected-note @+1 {{constant_r1 is known from: seen, coefficient streams of real programs}}
  %0 = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x1x1x4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %s = tosa.const_shape {values = dense<[1, 16, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %1 = tosa.reshape %0, %s : (tensor<1x4x4x4xf32>, !tosa.shape<3>) -> tensor<1x16x4xf32>
  %k = "tosa.const"() <{values = dense<0.5> : tensor<1x4x4xf32>}> : () -> tensor<1x4x4xf32>
  %2 = tosa.matmul %1, %k, %zp, %zp : (tensor<1x16x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x4xf32>
  return %2 : tensor<1x16x4xf32>
}

// -----

// Nothing is left: one program, no remark.

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: call @whole_ane0
// CHECK-NEXT: return
func.func @whole(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = tosa.tanh %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

// What measures time stays, and so does what decides; both leave one program.

func.func private @clock() -> f64
llvm.mlir.global private constant @name("net\00") {addr_space = 0 : i32}

// CHECK-LABEL: func.func @timed(
// CHECK: llvm.mlir.addressof @name
// CHECK: call @clock
// CHECK: call @timed_ane0
// CHECK: scf.if
func.func @timed(%x: tensor<1x4x4xf32>, %flag: i1) -> tensor<1x4x4xf32> {
  // expected-remark @+1 {{'func.call' stays on the host: 'func.call' cannot be imported: a program is one function; inline the callee first}}
  %t = call @clock() : () -> f64
  // expected-remark @+1 {{'llvm.call' stays on the host}}
  %s = llvm.call @strlen() : () -> i64
  %p = llvm.mlir.addressof @name : !llvm.ptr
  llvm.store %s, %p : i64, !llvm.ptr // expected-remark {{'llvm.store' stays on the host}}
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<0.5> : tensor<1x4x4xf32>}> : () -> tensor<1x4x4xf32>
  %0 = tosa.matmul %x, %w, %zp, %zp : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  // expected-remark @+1 {{'scf.if' stays on the host: 'scf.if' cannot be imported: the engine has no control flow, and the condition is not known at compile time, or it runs more than 65536 times or makes more than 1048576 ops; unroll it or run it on the host}}
  %1 = scf.if %flag -> tensor<1x4x4xf32> {
    %2 = tosa.abs %0 : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    scf.yield %2 : tensor<1x4x4xf32>
  } else {
    scf.yield %x : tensor<1x4x4xf32>
  }
  return %1 : tensor<1x4x4xf32>
}
llvm.func @strlen() -> i64
