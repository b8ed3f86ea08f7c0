// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline=func.func(ane-decompose) tolerance=0" --verify-diagnostics
// RUN: not ane-opt %s --split-input-file --ane-check-equivalence="pipeline=no-such-pass" 2>&1 | FileCheck %s --check-prefix=PARSE
// RUN: not ane-opt %s --split-input-file --ane-check-equivalence="pipeline=symbol-dce" 2>&1 | FileCheck %s --check-prefix=GONE
// PARSE: error: cannot parse the pipeline: {{.*}}'no-such-pass'

// 1/9 is no f16 value.
// expected-error @+1 {{@rounded computes something else: largest difference}}
func.func @rounded(%x: tensor<1x1x3x4xf16>) -> tensor<1x1x1x2xf16> {
  %y = ane.pool average %x {kernel = array<i64: 3, 3>} : tensor<1x1x3x4xf16> -> tensor<1x1x1x2xf16>
  return %y : tensor<1x1x1x2xf16>
}

// expected-remark @+1 {{@exact computes the same: largest difference 0, largest magnitude}}
func.func @exact(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x1x1xf16> {
  %y = ane.pool average %x {kernel = array<i64: 2, 2>} : tensor<1x1x2x2xf16> -> tensor<1x1x1x1xf16>
  return %y : tensor<1x1x1x1xf16>
}

// Infinities in the same places are the same, without any tolerance for them.
// expected-remark @+1 {{@infinite computes the same: largest difference 0, largest magnitude inf}}
func.func @infinite(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x2x2xf16> {
  %c = ane.constant dense<6.0e4> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise max %x, %c : tensor<1x1x2x2xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x2x2xf16>
  %1 = ane.activation %0 {function = #ane.act<exp>} : tensor<1x1x2x2xf16> -> tensor<1x1x2x2xf16>
  return %1 : tensor<1x1x2x2xf16>
}

// Bytes are the nearest even ones, and the last one for all that is above it.
// expected-remark @+1 {{@bytes computes the same: largest difference 0, largest magnitude 255}}
func.func @bytes() -> tensor<4xf16> {
  %c = ane.constant dense<[2.5, -7.0, 300.0, 0.25]> : tensor<4xf16>
  %0 = ane.cast %c : tensor<4xf16> -> tensor<4xui8>
  %1 = ane.cast %0 : tensor<4xui8> -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// expected-remark @+1 {{@signed_bytes computes the same: largest difference 0, largest magnitude 2}}
func.func @signed_bytes() -> tensor<2xf16> {
  %c = ane.constant dense<[2.5, -0.25]> : tensor<2xf16>
  %0 = ane.cast %c : tensor<2xf16> -> tensor<2xi8>
  %1 = ane.cast %0 : tensor<2xi8> -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

// -----

func.func @undefined(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x3x3xf16> {
  // expected-error @+1 {{'ane.resize' op has no definition to evaluate: it is nearest by a factor that is not whole}}
  %y = ane.resize nearest %x : tensor<1x1x2x2xf16> -> tensor<1x1x3x3xf16>
  return %y : tensor<1x1x3x3xf16>
}

// -----

// What has no body computes nothing.
func.func private @elsewhere(memref<4xf32>)

// expected-error @+1 {{'func.func' op has argument 0 of type 'memref<4xf32>', but only tensors of static shape can be evaluated}}
func.func @memory(%x: memref<4xf32>) {
  return
}

// -----

// RUN: not ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-write-reference))" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: 'func.func' op has argument 0 of type 'memref<4xf32>', but only tensors

// -----

// GONE: error: the pipeline leaves 1 of 2 functions; check each in a module of its own
// expected-remark @+1 {{@stays computes the same}}
func.func @stays(%x: tensor<1x1x1x4xf16>) -> tensor<1x1x1x4xf16> {
  return %x : tensor<1x1x1x4xf16>
}
// expected-remark @+1 {{@goes computes the same}}
func.func private @goes(%x: tensor<1x1x1x4xf16>) -> tensor<1x1x1x4xf16> {
  return %x : tensor<1x1x1x4xf16>
}
