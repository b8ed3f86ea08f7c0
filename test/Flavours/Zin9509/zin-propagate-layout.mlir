// RUN: ane-opt %s --ane-propagate-layout=flavour=zin-9.509 | FileCheck %s
// RUN: ane-opt %s --ane-propagate-layout | FileCheck %s --check-prefix=CLEAN
// RUN: not ane-opt %s --ane-propagate-layout=flavour=salty 2>&1 | FileCheck %s --check-prefix=FLAVOUR
// FLAVOUR: flavour 'salty' is not available; available: 'clean', 'zin-9.509'

// Compiler 9.509 multiplies a row like other matrices and takes the mean of a
// plane on the PE.
// CHECK-LABEL: func @row
// CHECK: ane.matmul
// CLEAN-LABEL: func @row
// CLEAN: ane.conv
func.func @row(%x: tensor<1x1x64xf16>) -> tensor<1x1x32xf16> {
  %w = ane.constant dense<0.5> : tensor<1x64x32xf32>
  %y = ane.matmul %x, %w : tensor<1x1x64xf16>, tensor<1x64x32xf32> -> tensor<1x1x32xf16>
  return %y : tensor<1x1x32xf16>
}

// CHECK-LABEL: func @mean
// CHECK: ane.reduce mean
// CLEAN-LABEL: func @mean
// CLEAN: ane.pool average
func.func @mean(%x: tensor<1x64x8x8xf16>) -> tensor<1x64x1x1xf16> {
  %y = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x64x8x8xf16> -> tensor<1x64x1x1xf16>
  return %y : tensor<1x64x1x1xf16>
}
