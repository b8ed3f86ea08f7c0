// RUN: ane-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks}))" -o /dev/null 2>&1 | FileCheck %s

// What no plan avoids, term by term (TileBound.cpp). L2 has 2097152 bytes, a task
// 1048576 of coefficients. All plans here are exact, and none is below.

// All fits: what is compulsory, 524288 + 73728 + 524288.
// CHECK: plan: 1122304 bytes {{.*}}exact; no plan has less than 1122304 bytes, gap 0.000
func.func @fits(%x: tensor<1x64x64x64xf16>) -> tensor<1x64x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  return %0 : tensor<1x64x64x64xf16>
}

// -----

// Two convolutions read the same constant, each for itself.
// CHECK: plan: 1196032 bytes {{.*}}exact; no plan has less than 1196032 bytes, gap 0.000
func.func @shared(%x: tensor<1x64x64x64xf16>) -> tensor<1x64x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  return %1 : tensor<1x64x64x64xf16>
}

// -----

// W = 18874368 are read for 8388608 bytes, of which 2097152 are in L2 at a time:
// 35651584 that are compulsory, 3 * W, less K / M * 8388608.
// CHECK: plan: {{[0-9]+}} bytes {{.*}}exact; no plan has less than 88080384 bytes, gap 0.9{{[0-9]+}}
func.func @input(%x: tensor<1x1024x64x64xf16>) -> tensor<1x1024x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<1024x1024x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x1024x64x64xf16>, tensor<1024x1024x3x3xf16> -> tensor<1x1024x64x64xf16>
  return %0 : tensor<1x1024x64x64xf16>
}

// -----

// Values of 3145728 bytes between convolutions, M * 1.5. The second has one of them
// and half of the other, the third one: 878592 that are compulsory, 73728 * 1.25 and
// 9216 * 0.5.
// CHECK: plan: {{[0-9]+}} bytes {{.*}}exact; no plan has less than 975360 bytes, gap 0.2{{[0-9]+}}
func.func @chain(%x: tensor<1x8x128x192xf16>) -> tensor<1x8x128x192xf16> {
  %a = ane.constant dense<0.125> : tensor<64x8x3x3xf16>
  %b = ane.constant dense<0.25> : tensor<64x64x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<8x64x3x3xf16>
  %0 = ane.conv %x, %a {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x128x192xf16>, tensor<64x8x3x3xf16> -> tensor<1x64x128x192xf16>
  %1 = ane.conv %0, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x192xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x128x192xf16>
  %2 = ane.conv %1, %c {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x192xf16>, tensor<8x64x3x3xf16> -> tensor<1x8x128x192xf16>
  return %2 : tensor<1x8x128x192xf16>
}

// -----

// A shortcut of M bytes over two convolutions of 294912 bytes each. With half of its
// result, 4 * M, the first has 3 * M; the second has 5 * M with its input. 853504 are
// compulsory.
// CHECK: plan: {{[0-9]+}} bytes {{.*}}exact; no plan has less than 2622976 bytes, gap 0.9{{[0-9]+}}
func.func @shortcut(%x: tensor<1x4x128x128xf16>) -> tensor<1x4x128x128xf16> {
  %a = ane.constant dense<0.125> : tensor<64x4x1x1xf16>
  %b = ane.constant dense<0.25> : tensor<256x64x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<64x256x3x3xf16>
  %d = ane.constant dense<0.75> : tensor<4x128x1x1xf16>
  %0 = ane.conv %x, %a : tensor<1x4x128x128xf16>, tensor<64x4x1x1xf16> -> tensor<1x64x128x128xf16>
  %1 = ane.conv %0, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x128xf16>, tensor<256x64x3x3xf16> -> tensor<1x256x128x128xf16>
  %2 = ane.conv %1, %c {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x128x128xf16>, tensor<64x256x3x3xf16> -> tensor<1x64x128x128xf16>
  %3 = ane.concat %0, %2 {axis = 1 : i64} : tensor<1x64x128x128xf16>, tensor<1x64x128x128xf16> -> tensor<1x128x128x128xf16>
  %4 = ane.conv %3, %d : tensor<1x128x128x128xf16>, tensor<4x128x1x1xf16> -> tensor<1x4x128x128xf16>
  return %4 : tensor<1x4x128x128xf16>
}

// -----

// The same, but the sum at the end adds channel by channel: what the last
// convolution has not computed may still need the shortcut, what it has does not.
// So only the first counts it: 3 * M as before, and 4 * M for the second. 852992 are
// compulsory.
// CHECK: plan: {{[0-9]+}} bytes {{.*}}exact; no plan has less than 2327552 bytes, gap 0.8{{[0-9]+}}
func.func @sum(%x: tensor<1x4x128x128xf16>) -> tensor<1x4x128x128xf16> {
  %a = ane.constant dense<0.125> : tensor<64x4x1x1xf16>
  %b = ane.constant dense<0.25> : tensor<256x64x3x3xf16>
  %c = ane.constant dense<0.5> : tensor<64x256x3x3xf16>
  %d = ane.constant dense<0.75> : tensor<4x64x1x1xf16>
  %0 = ane.conv %x, %a : tensor<1x4x128x128xf16>, tensor<64x4x1x1xf16> -> tensor<1x64x128x128xf16>
  %1 = ane.conv %0, %b {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x128x128xf16>, tensor<256x64x3x3xf16> -> tensor<1x256x128x128xf16>
  %2 = ane.conv %1, %c {pad = array<i64: 1, 1, 1, 1>} : tensor<1x256x128x128xf16>, tensor<64x256x3x3xf16> -> tensor<1x64x128x128xf16>
  %3 = ane.elementwise add %0, %2 : tensor<1x64x128x128xf16>, tensor<1x64x128x128xf16> -> tensor<1x64x128x128xf16>
  %4 = ane.conv %3, %d : tensor<1x64x128x128xf16>, tensor<4x64x1x1xf16> -> tensor<1x4x128x128xf16>
  return %4 : tensor<1x4x128x128xf16>
}

// -----

// Coefficients that are computed are written and read, 2 * 8192, beside arguments
// and result.
// CHECK: plan: 294912 bytes {{.*}}exact; no plan has less than 286720 bytes, gap 0.02{{[0-9]+}}
func.func @coefficients(%x: tensor<1x64x16x64xf16>, %k: tensor<1x8x1x512xf16>) -> tensor<1x64x16x64xf16> {
  %c = ane.elementwise add %k, %k : tensor<1x8x1x512xf16>, tensor<1x8x1x512xf16> -> tensor<1x8x1x512xf16>
  %y = ane.runtime_conv %x, %c {lanes = 8 : i64} : tensor<1x64x16x64xf16>, tensor<1x8x1x512xf16> -> tensor<1x64x16x64xf16>
  return %y : tensor<1x64x16x64xf16>
}

// -----

// Of every four rows and columns of the input two and three are needed, as the
// second convolution takes every second pixel of the first: 1048576 * 3/8 (the
// first column has none in front of it: 95 of 128), 8192 + 24 of the result and
// weights 576 + 32.
// CHECK: no plan has less than 397704 bytes
func.func @skipped(%x: tensor<1x32x128x128xf16>) -> tensor<1x4x32x32xf16> {
  %w = ane.constant dense<0.125> : tensor<1x32x2x3xf16>
  %v = ane.constant dense<0.125> : tensor<4x1x1x1xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 1, 1>, strides = array<i64: 2, 2>} : tensor<1x32x128x128xf16>, tensor<1x32x2x3xf16> -> tensor<1x1x64x64xf16>
  %1 = ane.conv %0, %v {strides = array<i64: 2, 2>} : tensor<1x1x64x64xf16>, tensor<4x1x1x1xf16> -> tensor<1x4x32x32xf16>
  return %1 : tensor<1x4x32x32xf16>
}

// -----

// Half of the channels, for which half of the weights are enough: 524288 + 36864 +
// 262144.
// CHECK: no plan has less than 823296 bytes
func.func @channels(%x: tensor<1x64x64x64xf16>) -> tensor<1x32x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x64x64xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 32, 0, 0>, sizes = array<i64: 1, 32, 64, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16> -> tensor<1x32x64x64xf16>
  return %1 : tensor<1x32x64x64xf16>
}

// -----

// Rows of the input that a slice leaves out: 131072 of 524288, and as many of the
// result.
// CHECK: no plan has less than 262144 bytes
func.func @rows(%x: tensor<1x64x64x64xf16>) -> tensor<1x64x16x64xf16> {
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 48, 0>, sizes = array<i64: 1, 64, 16, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x64x64x64xf16> -> tensor<1x64x16x64xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x64x16x64xf16> -> tensor<1x64x16x64xf16>
  return %1 : tensor<1x64x16x64xf16>
}

// -----

// Interleaved values are stored in any case, but no more than once where they are part
// of what is part of a result: 2048 + 4096 bytes.
// CHECK: plan: {{[0-9]+}} bytes {{.*}}; no plan has less than 6144 bytes
func.func @joined_twice(%x: tensor<1x8x2x32xf16>, %y: tensor<1x4x2x64xf16>) -> tensor<2x4x4x64xf16> {
  %0 = ane.interleave %x {factor = 2 : i64} : tensor<1x8x2x32xf16> -> tensor<1x4x2x64xf16>
  %1 = ane.concat %0, %y {axis = 2 : i64} : tensor<1x4x2x64xf16>, tensor<1x4x2x64xf16> -> tensor<1x4x4x64xf16>
  %2 = ane.reshape %1 : tensor<1x4x4x64xf16> -> tensor<1x4x4x64xf16>
  %3 = ane.concat %2, %1 {axis = 0 : i64} : tensor<1x4x4x64xf16>, tensor<1x4x4x64xf16> -> tensor<2x4x4x64xf16>
  return %3 : tensor<2x4x4x64xf16>
}
