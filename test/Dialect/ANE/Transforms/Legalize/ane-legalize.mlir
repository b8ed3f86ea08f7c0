// RUN: ane-opt %s --ane-legalize --split-input-file | FileCheck %s

// A weight, a bias and a vector that are still in f32 become f16, once: ties go to
// even (2049 -> 2048, 2051 -> 2052), values below 2^-14 keep fewer digits, infinity
// stays.
// CHECK-LABEL: @round
// CHECK-DAG: %[[W:.*]] = ane.constant dense_resource<w{{.*}}> : tensor<2x2x1x2xf16>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[2.048000e+03, 2.052000e+03]> : tensor<2xf16>
// CHECK-DAG: %[[V:.*]] = ane.constant dense<{{\[\[\[\[}}-9.997550e-02, 0x7C00]]]]> : tensor<1x1x1x2xf16>
// CHECK: ane.conv %{{.*}}, %[[W]] bias %[[B]]
// CHECK: ane.elementwise add %{{.*}}, %[[V]]
// The old bytes are gone, the new ones are there.
// CHECK-NOT: w: "0x
// CHECK: w_{{.*}}: "0x{{.*}}003C00C0FF7B0100000000805535FF03"
func.func @round(%x: tensor<1x2x4x3xf16>) -> tensor<1x2x4x2xf16> {
  %w = ane.constant dense_resource<w> : tensor<2x2x1x2xf32>
  %b = ane.constant dense<[2049.0, 2051.0]> : tensor<2xf32>
  %v = ane.constant dense<[[[[-0.1, 0x7F800000]]]]> : tensor<1x1x1x2xf32>
  %0 = ane.conv %x, %w bias %b : tensor<1x2x4x3xf16>, tensor<2x2x1x2xf32>, tensor<2xf32> -> tensor<1x2x4x2xf16>
  %1 = ane.elementwise add %0, %v : tensor<1x2x4x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x2x4x2xf16>
  return %1 : tensor<1x2x4x2xf16>
}

// 1, -2, 65519 (65504), 2^-24, 0, -0, 1/3, a little below 2^-14
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F000000C000EF7F47000080330000000000000080ABAAAA3E0ABA7F38"
    }
  }
#-}

// -----

// The host converts and reshapes at the border; a view in between keeps the width.
// CHECK-LABEL: @border
// CHECK: ane.cast
// CHECK: ane.reshape
func.func @border(%x: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %0 = ane.cast %x : tensor<2x3x4xf32> -> tensor<2x3x4xf16>
  %1 = ane.reshape %0 : tensor<2x3x4xf16> -> tensor<1x2x3x4xf16>
  %2 = ane.activation %1 {function = #ane.act<relu>} : tensor<1x2x3x4xf16> -> tensor<1x2x3x4xf16>
  %3 = ane.reshape %2 : tensor<1x2x3x4xf16> -> tensor<1x6x1x4xf16>
  %4 = ane.activation %3 {function = #ane.act<abs>} : tensor<1x6x1x4xf16> -> tensor<1x6x1x4xf16>
  %5 = ane.reshape %4 : tensor<1x6x1x4xf16> -> tensor<24xf16>
  %6 = ane.cast %5 : tensor<24xf16> -> tensor<24xf32>
  return %6 : tensor<24xf32>
}

// -----

// A cast of a constant is rounding.
// CHECK-LABEL: @cast_of_constant
// CHECK-NOT: ane.cast
// CHECK: ane.elementwise mul %{{.*}}, %{{.*}} : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16>
func.func @cast_of_constant(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  %c = ane.constant dense<[[[[1.5, 2.5]]]]> : tensor<1x1x1x2xf32>
  %h = ane.cast %c : tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  %y = ane.elementwise mul %x, %h : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

// An argument of more than four dimensions has one surface for all of its shapes,
// in which dimensions of it are merged.
// CHECK-LABEL: @shapes_of_argument
// CHECK-SAME: %[[X:.*]]: tensor<2x3x2x2x2xf16>
// CHECK: %[[M:.*]] = ane.reshape %[[X]] : tensor<2x3x2x2x2xf16> -> tensor<1x12x2x2xf16>
// CHECK-DAG: ane.reshape %[[M]] : tensor<1x12x2x2xf16> -> tensor<1x1x16x3xf16>
// CHECK-DAG: ane.reshape %[[M]] : tensor<1x12x2x2xf16> -> tensor<6x2x2x2xf16>
// CHECK-DAG: ane.reshape %[[M]] : tensor<1x12x2x2xf16> -> tensor<2x3x2x2x2xf16>
func.func @shapes_of_argument(%x: tensor<2x3x2x2x2xf16>) -> (tensor<1x1x16x3xf16>, tensor<6x2x2x2xf16>, tensor<2x3x2x2x2xf16>) {
  %0 = ane.reshape %x : tensor<2x3x2x2x2xf16> -> tensor<1x1x16x3xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x1x16x3xf16> -> tensor<1x1x16x3xf16>
  %2 = ane.reshape %x : tensor<2x3x2x2x2xf16> -> tensor<6x2x2x2xf16>
  %3 = ane.activation %2 {function = #ane.act<relu>} : tensor<6x2x2x2xf16> -> tensor<6x2x2x2xf16>
  return %1, %3, %x : tensor<1x1x16x3xf16>, tensor<6x2x2x2xf16>, tensor<2x3x2x2x2xf16>
}

// -----

// What is longer than a surface can be has the shape behind or in front of it.
// CHECK-LABEL: @long_border
// CHECK: ane.reshape %{{.*}} : tensor<20000xf16> -> tensor<1x1x125x160xf16>
// CHECK: ane.reshape %{{.*}} : tensor<1x1x125x160xf16> -> tensor<20000xf16>
func.func @long_border(%x: tensor<20000xf16>) -> tensor<20000xf16> {
  %0 = ane.reshape %x : tensor<20000xf16> -> tensor<1x1x125x160xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x1x125x160xf16> -> tensor<1x1x125x160xf16>
  %2 = ane.reshape %1 : tensor<1x1x125x160xf16> -> tensor<20000xf16>
  return %2 : tensor<20000xf16>
}

// -----

// A result that is known is computed in f16 as all are, and stays so.
// CHECK-LABEL: @known_result
// CHECK: %[[C:.*]] = ane.constant dense<{{.*}}1.000000e+00, 2.000000e+00{{.*}}> : tensor<1x1x1x2xf16>
// CHECK: %[[Y:.*]] = ane.cast %[[C]] : tensor<1x1x1x2xf16> -> tensor<1x1x1x2xf32>
// CHECK: return %[[Y]]
func.func @known_result() -> tensor<1x1x1x2xf32> {
  %c = ane.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  return %c : tensor<1x1x1x2xf32>
}
