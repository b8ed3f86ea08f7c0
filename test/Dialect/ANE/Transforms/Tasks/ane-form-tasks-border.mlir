// Borders that are no tensors of known shapes are errors.
// RUN: ane-opt %s --ane-form-tasks --split-input-file --verify-diagnostics

// expected-error@+1 {{'func.func' op has an argument of type 'index', but tasks work on tensors of known shapes; run convert-*-to-ane and ane-legalize first}}
func.func @argument(%i: index, %x: tensor<1x4x8x32xf16>) -> tensor<1x4x8x32xf16> {
  return %x : tensor<1x4x8x32xf16>
}

// -----

// expected-error@+1 {{'func.func' op has a result of type 'index', but tasks}}
func.func @result(%x: tensor<1x4x8x32xf16>) -> index {
  %c = arith.constant 0 : index
  return %c : index
}

// -----

// expected-error@+1 {{'func.func' op has an argument of type 'tensor<?x4xf16>', but tasks}}
func.func @open(%x: tensor<?x4xf16>) {
  return
}

// -----

// expected-error@+1 {{'func.func' op has an argument of type 'tensor<*xf16>', but tasks}}
func.func @unranked(%x: tensor<*xf16>) {
  return
}
