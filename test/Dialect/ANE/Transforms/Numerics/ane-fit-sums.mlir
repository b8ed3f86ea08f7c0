// Weights and bias become smaller, the multiplier after them larger, where a
// running sum could leave the engine's.
// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(ane-set-target{target=h14},func.func(ane-fit-sums))" 2>&1 | FileCheck %s
// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(ane-set-target{target=h14},func.func(ane-fit-sums))" --verify-diagnostics -o /dev/null

// 64 * 16 * 100 + 8 = 102408 is brought below 32768 by 2^2.
// CHECK-LABEL: @scales
func.func @scales(%x: tensor<1x64x4x4xf16>) -> tensor<1x2x4x4xf16> {
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<4.000000e+00> : tensor<2x64x1x1xf16>
  // CHECK-DAG: %[[B:.*]] = ane.constant dense<8.000000e+00> : tensor<2xf16>
  // CHECK-DAG: %[[S:.*]] = ane.constant dense<4.000000e+00> : tensor<2xf16>
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  %b = ane.constant dense<8.0> : tensor<2xf16>
  %0 = ane.activation %x {function = #ane.act<clamp, -100.0, 100.0>} : tensor<1x64x4x4xf16> -> tensor<1x64x4x4xf16>
  // CHECK: ane.conv %{{.*}}, %[[W]] bias %[[B]] scale %[[S]] {activation = #ane.act<relu>}
  %1 = ane.conv %0, %w bias %b {activation = #ane.act<relu>} : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16>, tensor<2xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// 32 * 10 * 102 = 32640 stays.
// CHECK-LABEL: @fits
func.func @fits(%x: tensor<1x32x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<10.0> : tensor<2x32x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<clamp, -102.0, 102.0>} : tensor<1x32x4x4xf16> -> tensor<1x32x4x4xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} : tensor<1x32x4x4xf16>, tensor<2x32x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.conv %0, %w : tensor<1x32x4x4xf16>, tensor<2x32x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// Nothing is known of the argument, and so nothing is done or said.
// CHECK-LABEL: @assumed
func.func @assumed(%x: tensor<1x64x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.conv %x, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// A bound of ops alone is too far off for more than 2^4; nothing is said either.
// CHECK-LABEL: @far
func.func @far(%x: tensor<1x64x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  %0 = ane.activation %x {function = #ane.act<clamp, -1000.0, 1000.0>} : tensor<1x64x4x4xf16> -> tensor<1x64x4x4xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.conv %0, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// Of what the user said the same is a remark.
// CHECK-LABEL: @far_by_range
func.func @far_by_range(%x: tensor<1x64x4x4xf16> {ane.range = [-1000.0, 1000.0]}) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  // expected-remark @+2 {{ane.conv: a running sum may reach 1.024e+06, and h14 loses sums of 32768 or more; sums of 2^-16 would become sums of 2^-11 if it were scaled; --calibrate FOLDER measures the sums on data}}
  // CHECK: ane.conv %{{.*}}, %{{.*}} : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  %1 = ane.conv %x, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// Two operands that the program computes cannot be scaled here.
// CHECK-LABEL: @products
func.func @products(%x: tensor<1x1x64x64xf16> {ane.range = [-100.0, 100.0]}) -> tensor<1x1x64x64xf16> {
  // expected-remark @+2 {{ane.matmul: a running sum may reach 6.4e+05, and h14 loses sums of 32768 or more; its factors are not constants}}
  // CHECK: ane.matmul
  %0 = ane.matmul %x, %x : tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
  return %0 : tensor<1x1x64x64xf16>
}

// -----

// Small weights would lose digits that count.
// CHECK-LABEL: @small_weights
func.func @small_weights(%x: tensor<1x64x4x4xf16> {ane.range = [0.0, 60000.0]}) -> tensor<1x2x4x4xf16> {
  %w = ane.constant dense<0.0122> : tensor<2x64x1x1xf16>
  %b = ane.constant dense<6.1e-5> : tensor<2xf16>
  // CHECK: ane.conv %{{.*}}, %{{.*}} scale
  %1 = ane.conv %x, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// Data says how large sums are, so that more than 2^4 is worth it: 2^9 here.
// CHECK-LABEL: @by_data
func.func @by_data(%x: tensor<1x64x4x4xf16>) -> tensor<1x2x4x4xf16> {
  // CHECK-DAG: %[[W:.*]] = ane.constant dense<3.125000e-02> : tensor<2x64x1x1xf16>
  // CHECK-DAG: %[[S:.*]] = ane.constant dense<5.120000e+02> : tensor<2xf16>
  %w = ane.constant dense<16.0> : tensor<2x64x1x1xf16>
  %0 = ane.activation %x {ane.range = [-10000.0, 10000.0], function = #ane.act<neg>} : tensor<1x64x4x4xf16> -> tensor<1x64x4x4xf16>
  // CHECK: ane.conv %{{.*}}, %[[W]] scale %[[S]]
  %1 = ane.conv %0, %w : tensor<1x64x4x4xf16>, tensor<2x64x1x1xf16> -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// -----

// What else could be done where data showed it.
// CHECK-LABEL: @products_by_data
func.func @products_by_data(%x: tensor<1x1x64x64xf16> {ane.range = [-100.0, 100.0]}) -> tensor<1x1x64x64xf16> {
  %0 = ane.activation %x {ane.range = [-100.0, 100.0], function = #ane.act<neg>} : tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
  // expected-remark @+2 {{ane.matmul: a running sum may reach 6.4e+05, and h14 loses sums of 32768 or more; its factors are not constants; scale its operands down and its result up}}
  // CHECK: ane.matmul
  %1 = ane.matmul %0, %0 : tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16> -> tensor<1x1x64x64xf16>
  return %1 : tensor<1x1x64x64xf16>
}
