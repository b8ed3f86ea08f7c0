// RUN: ane-opt %s -o %t.mlir
// RUN: ane-opt %s --emit-bytecode -o %t.bc && ane-opt %t.bc -o %t.read.mlir && diff %t.mlir %t.read.mlir
// RUN: FileCheck %s --input-file=%t.read.mlir

// Types and attributes of all dialects through bytecode, at their extremes.

module attributes {
  // CHECK-DAG: type.list = !mil.list<i32, 2>
  type.list = !mil.list<i32, 2>,
  // CHECK-DAG: type.lists = !mil.list<!mil.list<!mil.string, -1>, 9223372036854775807>
  type.lists = !mil.list<!mil.list<!mil.string, -1>, 9223372036854775807>,
  // CHECK-DAG: type.nothing = !mil.tuple<>
  type.nothing = !mil.tuple<>,
  // CHECK-DAG: type.tuple = !mil.tuple<i32, tensor<2x!mil.string>, !mil.tuple<f16>>
  type.tuple = !mil.tuple<i32, tensor<2x!mil.string>, !mil.tuple<f16>>,
  // CHECK-DAG: type.dict = !mil.dict<!mil.string, !mil.list<tensor<2xi32>, -1>>
  type.dict = !mil.dict<!mil.string, !mil.list<tensor<2xi32>, -1>>,
  // CHECK-DAG: type.state = !mil.state<tensor<1x2xf16>>
  type.state = !mil.state<tensor<1x2xf16>>,
  // CHECK-DAG: attr.blob = #mil.blobfile<"a\22b\\c\0Ad", 18446744073709551615> : f16
  attr.blob = #mil.blobfile<"a\22b\\c\0Ad", 18446744073709551615> : f16,
  // CHECK-DAG: attr.compound = #mil.compound<{{\[\[}}"x", 1 : i32]]> : !mil.dict<!mil.string, i32>
  attr.compound = #mil.compound<[["x", 1 : i32]]> : !mil.dict<!mil.string, i32>,
  // CHECK-DAG: attr.empty = #mil.compound<[]> : !mil.tuple<>
  attr.empty = #mil.compound<[]> : !mil.tuple<>,
  // CHECK-DAG: attr.record = #hwx.record<67108863, [4294967295, 0] follow = 32768 unknown = 4294967295>
  attr.record = #hwx.record<67108863, [4294967295, 0] follow = 32768 unknown = 4294967295>,
  // CHECK-DAG: attr.dense = #hwx.record<0, [1] base = 255>
  attr.dense = #hwx.record<0, [1] base = 255>,
  // CHECK-DAG: attr.scattered = #hwx.record<4, [1] follow = 0>
  attr.scattered = #hwx.record<4, [1] follow = 0>,
  // CHECK-DAG: attr.relu = #ane.act<relu>
  attr.relu = #ane.act<relu>,
  // A negative zero is another attribute than none.
  // CHECK-DAG: attr.zero = #ane.act<leaky_relu, -0.000000e+00>
  attr.zero = #ane.act<leaky_relu, -0.0>,
  // CHECK-DAG: attr.zeros = #ane.act<scaled_tanh, 0.000000e+00, -0.000000e+00>
  attr.zeros = #ane.act<scaled_tanh, 0.0, -0.0>,
  // CHECK-DAG: attr.infinite = #ane.act<clamp, 0xFFF0000000000000, 0x7FF0000000000000>
  attr.infinite = #ane.act<clamp, 0xFFF0000000000000, 0x7FF0000000000000>,
  // CHECK-DAG: attr.third = #ane.act<elu, 0.33333333333333331>
  attr.third = #ane.act<elu, 0.33333333333333331>,
  // CHECK-DAG: attr.tile = #ane.tile<group = 1, dim = 2, size = 3, innerDim = 1, innerSize = 9223372036854775807>
  attr.tile = #ane.tile<group = 1, dim = 2, size = 3, innerDim = 1, innerSize = 9223372036854775807>,
  // CHECK-DAG: attr.space = memref<1x2xf16, strided<[3, 1]>, #ane.space<kernel>>
  attr.space = memref<1x2xf16, strided<[3, 1]>, #ane.space<kernel>>,
  // CHECK-DAG: attr.residency = #ane.residency<staged>
  attr.residency = #ane.residency<staged>
} {}
