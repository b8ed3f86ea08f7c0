// RUN: ane-opt %s | FileCheck %s
// RUN: ane-opt %s | ane-opt | FileCheck %s
// RUN: ane-opt %s --mlir-print-op-generic | ane-opt | FileCheck %s
// RUN: ane-opt %s --emit-bytecode | ane-opt | FileCheck %s

// CHECK-LABEL: mil.program version "1.3" {buildInfo = {"coremlc-version" = "3520.5.1"}}
mil.program version "1.3" {buildInfo = {"coremlc-version" = "3520.5.1"}} {
  // CHECK: mil.func @main opset "ios18" (%x: tensor<1x4x8x8xf16>, %s: !mil.state<tensor<1x4xf16>>) names ["x", "s"] {} {
  mil.func @main opset "ios18" (%x: tensor<1x4x8x8xf16>, %s: !mil.state<tensor<1x4xf16>>) names ["x", "s"] {} {
    // CHECK: %axis = mil.const 1 : i32 {name = "axis"} as "axis" : i32
    %axis = mil.const 1 : i32 {name = "axis"} as "axis" : i32
    // CHECK: %[[I:.*]] = mil.const inline false {} : i1
    %i = mil.const inline false {} : i1
    // CHECK: mil.const "fp16" : !mil.string {} : !mil.string
    %d = mil.const "fp16" : !mil.string {} : !mil.string
    // CHECK: %w = mil.const dense_resource<w0> : tensor<2x2xf32> {name = "w"} as "w" : tensor<2x2xf16>
    %w = mil.const dense_resource<w0> : tensor<2x2xf32> {name = "w"} as "w" : tensor<2x2xf16>
    // CHECK: mil.const #mil.blobfile<"@model_path/weights/weight.bin", 64> : tensor<16x3xf16> {} as "b" : tensor<16x3xf16>
    %b = mil.const #mil.blobfile<"@model_path/weights/weight.bin", 64> : tensor<16x3xf16> {} as "b" : tensor<16x3xf16>
    // CHECK: mil.const #mil.compound<{{\[\[}}"x", 1 : i32]]> : !mil.dict<!mil.string, i32> {} : !mil.dict<!mil.string, i32>
    %c = mil.const #mil.compound<[["x", 1 : i32]]> : !mil.dict<!mil.string, i32> {} : !mil.dict<!mil.string, i32>
    // CHECK: %y = mil.op "concat"(axis = %axis, interleave = %[[I]], values = (%x, %x)) {name = "y_op"} as "y" : (i32, i1, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) -> tensor<1x8x8x8xf16>
    %y = mil.op "concat"(axis = %axis, interleave = %i, values = (%x, %x)) {name = "y_op"} as "y" : (i32, i1, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) -> tensor<1x8x8x8xf16>
    // CHECK: %p, %q = mil.op "split"(axis = %axis, x = %y) {} as "p", "q" :
    %p, %q = mil.op "split"(axis = %axis, x = %y) {} as "p", "q" : (i32, tensor<1x8x8x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>)
    // CHECK: mil.op "write_state"(data = %p, input = %s) {name = "ws"} : (tensor<1x4x8x8xf16>, !mil.state<tensor<1x4xf16>>) -> ()
    mil.op "write_state"(data = %p, input = %s) {name = "ws"} : (tensor<1x4x8x8xf16>, !mil.state<tensor<1x4xf16>>) -> ()
    // CHECK: mil.return %q, %y : tensor<1x4x8x8xf16>, tensor<1x8x8x8xf16>
    mil.return %q, %y : tensor<1x4x8x8xf16>, tensor<1x8x8x8xf16>
  }
  // CHECK: mil.func @second opset "ios17" () names [] {} {
  mil.func @second opset "ios17" () names [] {} {
    // CHECK: mil.return
    mil.return
  }
}

{-#
  dialect_resources: { builtin: { w0: "0x040000000000803F0000004000004040000080C0" } }
#-}
