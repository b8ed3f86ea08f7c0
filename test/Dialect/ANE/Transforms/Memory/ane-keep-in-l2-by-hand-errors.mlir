// What is to be held and cannot be.
// RUN: ane-opt %s -split-input-file -verify-diagnostics --ane-pipeline="tile=none stop-after=memory" -o /dev/null

func.func @large(%x: tensor<1x64x224x224xf16>) -> tensor<1x64x224x224xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  // expected-error @+1 {{the result 'tensor<1x64x224x224xf16>' is to be held in L2, but it takes 6429696 bytes there, and L2 has 2097152; remove its 'ane.hold', or its entry in 'residency' of the plan}}
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, ane.hold = #ane.space<l2>} : tensor<1x64x224x224xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x224x224xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x224x224xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x224x224xf16>
  return %1 : tensor<1x64x224x224xf16>
}

// -----

func.func @crowded(%x: tensor<1x64x96x128xf16>) -> tensor<1x64x96x128xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  // expected-error @+1 {{is to be held in L2, but task 1 has 3151872 bytes held there and moves tiles of 0, and L2 has 2097152 bytes; hold less, or cut what streams there with 'ane.tile'}}
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>, ane.hold = #ane.space<l2>} : tensor<1x64x96x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x128xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>, ane.hold = #ane.space<l2>} : tensor<1x64x96x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x128xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x96x128xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x96x128xf16>
  return %2 : tensor<1x64x96x128xf16>
}

// -----

func.func @form(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x16x1x1xf16>
  %v = ane.constant dense<0.125> : tensor<16x8x3x3xf16>
  // expected-error @+1 {{is to be held in L2, but a task has it in a form that programs have in DRAM only (several images or groups, bytes, or rows too wide for the PE)}}
  %0 = ane.conv %x, %w {ane.hold = #ane.space<l2>} : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.conv %0, %v {groups = 2 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x8x8xf16>, tensor<16x8x3x3xf16> -> tensor<1x16x8x8xf16>
  return %1 : tensor<1x16x8x8xf16>
}

// -----

func.func @result(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  // expected-error @+1 {{has 'ane.hold', but its result has no memory of its own: it is a result of the function, an operand of a concat, or a view; set it on the concat or the source of the view, or remove it}}
  %0 = ane.activation %x {function = #ane.act<relu>, ane.hold = #ane.space<dram>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  return %0 : tensor<1x16x8x8xf16>
}

// -----

// expected-error @+1 {{had 1 ops with ane.hold, but passes before ane-plan-tiles kept only 0; set it on ops that exist after ane-legalize, as --stop-after=legalize shows them}}
func.func @lost(%x: tensor<1x16x8x8xf16>) -> tensor<1x16x8x8xf16> {
  %w = ane.constant dense<0.125> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>, ane.hold = #ane.space<l2>} : tensor<1x16x8x8xf16> -> tensor<1x16x8x8xf16>
  %2 = ane.conv %1, %w : tensor<1x16x8x8xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x8x8xf16>
  return %2 : tensor<1x16x8x8xf16>
}
