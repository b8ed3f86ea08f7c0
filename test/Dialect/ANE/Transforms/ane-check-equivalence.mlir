// RUN: ane-opt %s --split-input-file --ane-check-equivalence="pipeline=func.func(ane-decompose) tolerance=0.00001" --verify-diagnostics
// RUN: not ane-opt %s --split-input-file --ane-check-equivalence="pipeline=no-such-pass" 2>&1 | FileCheck %s --check-prefix=PARSE
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

// -----

func.func @undefined(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x3x3xf16> {
  // expected-error @+1 {{'ane.resize' op has no definition to evaluate: it is nearest by a factor that is not whole}}
  %y = ane.resize nearest %x : tensor<1x1x2x2xf16> -> tensor<1x1x3x3xf16>
  return %y : tensor<1x1x3x3xf16>
}
