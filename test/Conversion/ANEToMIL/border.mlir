// What becomes of the border of a function.
// RUN: ane-opt %s --convert-ane-to-mil --split-input-file --verify-diagnostics | FileCheck %s
// RUN: ane-opt %s --convert-ane-to-mil=io=fp32 --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=F32
// RUN: ane-opt %s --convert-ane-to-mil=opset=ios17 --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=IOS17

// IOS17: mil.program version "1.0"
// IOS17: mil.func @main opset "ios17"

// fp16 takes the casts away; fp32 keeps them.
// CHECK-LABEL: mil.program
// CHECK: mil.func @main opset "ios18" (%[[X:.*]]: tensor<1x4xf16>) names ["a_b"]
// CHECK-NEXT: %[[Y:.*]] = mil.op "relu"(x = %[[X]]) {name = "_1st" : !mil.string} as "_1st"
// CHECK-NEXT: mil.return %[[Y]] : tensor<1x4xf16>
// F32-LABEL: mil.program
// F32: mil.func @main opset "ios18" (%[[X:.*]]: tensor<1x4xf32>) names ["a_b"]
// F32: mil.const "fp16" : !mil.string
// F32: %[[H:.*]] = mil.op "cast"(dtype = %{{.*}}, x = %[[X]]) {{.*}} -> tensor<1x4xf16>
// F32: %[[Y:.*]] = mil.op "relu"(x = %[[H]])
// F32: mil.const "fp32" : !mil.string
// F32: mil.op "cast"(dtype = %{{.*}}, x = %[[Y]]) {name = "_1st" : !mil.string} as "_1st" {{.*}} -> tensor<1x4xf32>
func.func @casts(%x: tensor<1x4xf32> {ane.name = "a.b"}) -> (tensor<1x4xf32> {ane.name = "1st"}) {
  %0 = ane.cast %x : tensor<1x4xf32> -> tensor<1x4xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %2 = ane.cast %1 : tensor<1x4xf16> -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// -----

// An output that is no statement, or one already, gets a statement.
// CHECK-LABEL: mil.program
// CHECK: %[[Y:.*]] = mil.op "abs"(x = %input0) {{.*}} as "output0"
// CHECK: %[[A:.*]] = mil.op "mul"(x = %[[Y]], y = %{{.*}}) {{.*}} as "output1"
// CHECK: %[[B:.*]] = mil.op "mul"(x = %input0, y = %{{.*}}) {{.*}} as "output2"
// CHECK: %[[C:.*]] = mil.op "mul"(x = %{{.*}}, y = %{{.*}}) {{.*}} as "output3"
// CHECK: mil.return %[[Y]], %[[A]], %[[B]], %[[C]]
func.func @outputs(%x: tensor<1x4xf16>) -> (tensor<1x4xf16>, tensor<1x4xf16>, tensor<1x4xf16>, tensor<1x4xf16>) {
  %c = ane.constant dense<2.0> : tensor<1x4xf16>
  %y = ane.activation %x {function = #ane.act<abs>} : tensor<1x4xf16> -> tensor<1x4xf16>
  return %y, %y, %x, %c : tensor<1x4xf16>, tensor<1x4xf16>, tensor<1x4xf16>, tensor<1x4xf16>
}

// -----

// A number takes no name that is given, also further back.
// CHECK-LABEL: mil.program
// CHECK: names ["input0_", "input1", "output0"]
// CHECK: as "input0"
// CHECK: as "output1"
func.func @numbers(%a: tensor<1x4xf16>, %b: tensor<1x4xf16>, %c: tensor<1x4xf16> {ane.name = "output0"})
    -> (tensor<1x4xf16> {ane.name = "input0"}, tensor<1x4xf16>) {
  %0 = ane.elementwise add %a, %b : tensor<1x4xf16>, tensor<1x4xf16> -> tensor<1x4xf16>
  %1 = ane.activation %c {function = #ane.act<neg>} : tensor<1x4xf16> -> tensor<1x4xf16>
  return %0, %1 : tensor<1x4xf16>, tensor<1x4xf16>
}

// -----

// Names that would be bound in another order get a number in front.
// CHECK-LABEL: mil.program
// CHECK: names ["in0_zebra", "in1_ant"]
// CHECK: as "p"
// CHECK: as "q"
// expected-remark @+1 {{rule border_order: the private path binds inputs in the order of their names; renamed 'zebra', ... to 'in0_zebra', ...}}
func.func @order(%a: tensor<1x4xf16> {ane.name = "zebra"}, %b: tensor<1x4xf16> {ane.name = "ant"})
    -> (tensor<1x4xf16> {ane.name = "p"}, tensor<1x4xf16> {ane.name = "q"}) {
  %0 = ane.activation %a {function = #ane.act<abs>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %1 = ane.activation %b {function = #ane.act<abs>} : tensor<1x4xf16> -> tensor<1x4xf16>
  return %0, %1 : tensor<1x4xf16>, tensor<1x4xf16>
}

// -----

// Several functions keep their names; a constant is written once per function,
// a large dense one as a resource.
// CHECK-LABEL: mil.program
// CHECK: mil.func @first
// CHECK: %[[C:.*]] = mil.const dense_resource<mil_constant{{.*}}> : tensor<1x12xf16> {{.*}} as "c0"
// CHECK: %[[S:.*]] = mil.op "add"(x = %input0, y = %[[C]])
// CHECK-NEXT: mil.op "sub"(x = %[[S]], y = %[[C]])
// CHECK: mil.func @second
// CHECK: mil.op "mul"
// CHECK-NOT: func.func
func.func @first(%x: tensor<1x12xf16>) -> tensor<1x12xf16> {
  %c = ane.constant dense<2.0> : tensor<1x12xf16>
  %y = ane.elementwise add %x, %c : tensor<1x12xf16>, tensor<1x12xf16> -> tensor<1x12xf16>
  %z = ane.elementwise sub %y, %c : tensor<1x12xf16>, tensor<1x12xf16> -> tensor<1x12xf16>
  return %z : tensor<1x12xf16>
}
func.func @second(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  %y = ane.activation %x {function = #ane.act<neg>} : tensor<1x4xf16> -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

// -----

// Integers are fp16, too, but where Core ML has them.
// CHECK-LABEL: mil.program
// CHECK: %[[I:.*]] = mil.op "relu"(x = %input0) {{.*}} as "output0" {{.*}} -> tensor<1x4xf16>
// CHECK: mil.op "mul"(x = %[[I]]
// F32-LABEL: mil.program
// F32: mil.const "int32" : !mil.string
// F32: mil.op "cast"{{.*}} as "output0" {{.*}} -> tensor<1x4xi32>
// F32: mil.const "uint16" : !mil.string
// F32: mil.op "cast"{{.*}} as "output1" {{.*}} -> tensor<1x4xui16>
func.func @indices(%x: tensor<1x4xf16>) -> (tensor<1x4xi64>, tensor<1x4xui16>) {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x4xf16> -> tensor<1x4xf16>
  %1 = ane.cast %0 : tensor<1x4xf16> -> tensor<1x4xi64>
  %2 = ane.cast %0 : tensor<1x4xf16> -> tensor<1x4xui16>
  return %1, %2 : tensor<1x4xi64>, tensor<1x4xui16>
}
