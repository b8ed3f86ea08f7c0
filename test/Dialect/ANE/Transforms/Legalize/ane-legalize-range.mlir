// RUN: ane-opt %s --ane-legalize --split-input-file --verify-diagnostics | FileCheck %s

// A bound beyond f16 is the largest f16: no data is larger.
// CHECK-LABEL: func @bound
func.func @bound(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  // CHECK: ane.constant dense<-6.550400e+04> : tensor<1x1x1x1xf16>
  %c = ane.constant dense<-3.4e38> : tensor<1x1x1x1xf32>
  %y = ane.elementwise max %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

// CHECK-LABEL: func @sum
func.func @sum(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  // CHECK: ane.constant dense<{{.*}}6.550400e+04, 1.000000e+00{{.*}}> : tensor<1x1x1x2xf16>
  // expected-warning @+1 {{constant has 1 values beyond f16, which become 65504 in magnitude}}
  %c = ane.constant dense<[[[[1.0e9, 1.0]]]]> : tensor<1x1x1x2xf32>
  %y = ane.elementwise add %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

func.func @small(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  // expected-warning @+1 {{constant has no magnitude above 1.000000e-06, but f16 has its full precision from 6.1035e-05 on only; the largest error is}}
  %c = ane.constant dense<[[[[1.0e-6, 0.0]]]]> : tensor<1x1x1x2xf32>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

// 2^-16 is exact.
func.func @exact(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  %c = ane.constant dense<[[[[1.52587891e-05, 0.0]]]]> : tensor<1x1x1x2xf32>
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// -----

// The canonicalizer joins constants, and the result has no place in the source.
func.func @small_joined(%x: tensor<1x1x1x2xf16>) -> tensor<1x1x1x2xf16> {
  %c = ane.constant dense<[[[[1.0e-6, 0.0]]]]> : tensor<1x1x1x2xf32> loc(unknown)
  // expected-warning @+1 {{constant has no magnitude above 1.000000e-06}}
  %y = ane.elementwise mul %x, %c : tensor<1x1x1x2xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}
