// What the engine cannot do, and nothing else: neither tool needs an output.
// RUN: ane-opt %s --ane-why 2> %t.err | count 0
// RUN: FileCheck %s --input-file=%t.err
// RUN: ane-compile %s --ane-why 2>&1 | FileCheck %s
// RUN: ane-compile %s --ane-why=json | FileCheck %s --check-prefix=JSON
// CHECK: why.mlir:{{[0-9]+}}:8: remark: 'tosa.gather' stays on the host:
// JSON: "op": "tosa.gather"
// JSON: "whole": false

// With another pass the network is printed as ever.
// RUN: ane-opt %s --ane-why --canonicalize 2> %t.err | FileCheck %s --check-prefix=IR
// IR: tosa.gather

// A network that the engine does alone: no reasons.
// RUN: sed -e '/gather/d; s/return %1/return %0/; s/, %i: [^)]*)/)/; s/-> tensor<1x2x4xf32>/-> tensor<1x3x4xf32>/; s/: tensor<1x2x4xf32>/: tensor<1x3x4xf32>/' %s > %t.mlir
// RUN: ane-compile %t.mlir --ane-why 2>&1 | count 0
// RUN: not ane-compile %s --ane-why --host=%t.host.mlir 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: ane-compile: error: --host needs an output; give -o
// RUN: not ls %t.host.mlir

func.func @net(%x: tensor<1x3x4xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x4xf32> {
  %0 = tosa.exp %x : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %1 = tosa.gather %0, %i : (tensor<1x3x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}
