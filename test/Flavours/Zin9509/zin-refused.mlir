// RUN: ane-opt %s --split-input-file --verify-diagnostics --ane-decompose=flavour=zin-9.509

// What compiler 9.509 refuses for H13 is refused in its flavour.

func.func @compare(%x: tensor<1x64x1x1xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  // expected-error @+1 {{gives the result of a comparison as numbers, which compiler 9.509 refuses (seen for H13); compile with --hwx-flavour=clean}}
  %z = ane.compare lt %x, %y : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// -----

func.func @select(%c: tensor<1x64x1x1xf16>, %x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  // expected-error @+1 {{has a condition of numbers, which compiler 9.509 refuses}}
  %z = ane.select %c, %x, %x : tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16>, tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// -----

func.func @pad(%x: tensor<1x8x4x7xf16>) -> tensor<1x8x4x8xf16> {
  // expected-error @+1 {{pads a tensor, which compiler 9.509 refuses}}
  %z = ane.pad %x {low = array<i64: 0, 0, 0, 0>, high = array<i64: 0, 0, 0, 1>} : tensor<1x8x4x7xf16> -> tensor<1x8x4x8xf16>
  return %z : tensor<1x8x4x8xf16>
}

// -----

func.func @log(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  // expected-error @+1 {{is a logarithm, which compiler 9.509 refuses}}
  %z = ane.activation %x {function = #ane.act<log>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// -----

func.func @clip(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  // expected-error @+1 {{has a lower and an upper bound, which compiler 9.509 refuses}}
  %z = ane.activation %x {function = #ane.act<clamp, -1.0, 2.0>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}

// -----

// The bounds of relu6 it takes.
func.func @relu6(%x: tensor<1x64x1x1xf16>) -> tensor<1x64x1x1xf16> {
  %z = ane.activation %x {function = #ane.act<clamp, 0.0, 6.0>} : tensor<1x64x1x1xf16> -> tensor<1x64x1x1xf16>
  return %z : tensor<1x64x1x1xf16>
}
