// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize} tolerance=0.0005" -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-14: computes the same
// CHECK-NOT: computes the same

// Rows that are longer than one can be are rows of an image. Results that come out
// even, and others; windows that reach into the rows before and behind.

func.func @convolutions(%x: tensor<1x1x1x17920xf16>) -> tensor<1x1x1x4480xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.5]]], [[[0.25, 1.0, 2.0]]]]> : tensor<2x1x1x3xf16>
  %v = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25]], [[0.5, 1.0, 2.0, -0.5]]]]> : tensor<1x2x1x4xf16>
  %b = ane.constant dense<[0.5, -0.25]> : tensor<2xf16>
  %0 = ane.conv %x, %w bias %b {pad = array<i64: 0, 0, 2, 2>, dilations = array<i64: 1, 2>} : tensor<1x1x1x17920xf16>, tensor<2x1x1x3xf16>, tensor<2xf16> -> tensor<1x2x1x17920xf16>
  %y = ane.conv %0, %v {pad = array<i64: 0, 0, 1, 2>, strides = array<i64: 4, 4>} : tensor<1x2x1x17920xf16>, tensor<1x2x1x4xf16> -> tensor<1x1x1x4480xf16>
  return %y : tensor<1x1x1x4480xf16>
}

// What is behind the row is infinite, and no zero for the padding.
func.func @behind(%x: tensor<1x1x1x33000xf16>) -> tensor<1x1x1x8249xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.5]]]]> : tensor<1x1x1x3xf16>
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  %0 = ane.conv %x, %w {strides = array<i64: 2, 2>} : tensor<1x1x1x33000xf16>, tensor<1x1x1x3xf16> -> tensor<1x1x1x16499xf16>
  %1 = ane.elementwise div %c, %0 : tensor<1x1x1x1xf16>, tensor<1x1x1x16499xf16> -> tensor<1x1x1x16499xf16>
  %2 = ane.activation %1 {function = #ane.act<clamp, -4.0, 4.0>} : tensor<1x1x1x16499xf16> -> tensor<1x1x1x16499xf16>
  %y = ane.conv %2, %w {pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 2, 2>} : tensor<1x1x1x16499xf16>, tensor<1x1x1x3xf16> -> tensor<1x1x1x8249xf16>
  return %y : tensor<1x1x1x8249xf16>
}

// Every fifth of more pixels than one exchange takes.
func.func @blocks(%x: tensor<1x1x1x81920xf16>) -> tensor<1x1x1x16384xf16> {
  %w = ane.constant dense<[[[[1.0, -2.0, 0.5, 0.25, 2.0, -0.5]]]]> : tensor<1x1x1x6xf16>
  %y = ane.conv %x, %w {strides = array<i64: 1, 5>, pad = array<i64: 0, 0, 0, 1>} : tensor<1x1x1x81920xf16>, tensor<1x1x1x6xf16> -> tensor<1x1x1x16384xf16>
  return %y : tensor<1x1x1x16384xf16>
}

func.func @transposed(%x: tensor<1x1x1x9216xf16>) -> tensor<1x1x1x36864xf16> {
  %w = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25]]]]> : tensor<1x1x1x4xf16>
  %v = ane.constant dense<[[[[1.0]]]]> : tensor<1x1x1x1xf16>
  %0 = ane.conv_transpose %x, %w {strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 1, 1>} : tensor<1x1x1x9216xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x18432xf16>
  %1 = ane.conv_transpose %0, %v {strides = array<i64: 1, 2>} : tensor<1x1x1x18432xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x36863xf16>
  %y = ane.pad %1 {low = array<i64: 0, 0, 0, 0>, high = array<i64: 0, 0, 0, 1>} : tensor<1x1x1x36863xf16> -> tensor<1x1x1x36864xf16>
  return %y : tensor<1x1x1x36864xf16>
}

func.func @pools(%x: tensor<1x1x1x17000xf16>) -> (tensor<1x1x1x8501xf16>, tensor<1x1x1x8500xf16>, tensor<1x1x1x1xf16>) {
  %c = ane.constant dense<-4.0> : tensor<1x1x1x1xf16>
  %0 = ane.elementwise add %x, %c : tensor<1x1x1x17000xf16>, tensor<1x1x1x1xf16> -> tensor<1x1x1x17000xf16>
  %1 = ane.pool max %0 {kernel = array<i64: 1, 3>, strides = array<i64: 1, 2>, pad = array<i64: 0, 0, 2, 1>} : tensor<1x1x1x17000xf16> -> tensor<1x1x1x8501xf16>
  %2 = ane.pool average %0 {kernel = array<i64: 1, 2>, strides = array<i64: 2, 2>} : tensor<1x1x1x17000xf16> -> tensor<1x1x1x8500xf16>
  %3 = ane.pool average %0 {kernel = array<i64: 1, 17000>} : tensor<1x1x1x17000xf16> -> tensor<1x1x1x1xf16>
  return %1, %2, %3 : tensor<1x1x1x8501xf16>, tensor<1x1x1x8500xf16>, tensor<1x1x1x1xf16>
}

func.func @statistics(%x: tensor<1x1x33000xf16>) -> (tensor<1x1x1xf16>, tensor<1x1x1xf16>, tensor<1x1x17024xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 33>, sizes = array<i64: 1, 1, 32900>, strides = array<i64: 1, 1, 1>} : tensor<1x1x33000xf16> -> tensor<1x1x32900xf16>
  %1 = ane.reduce mean %0 {axes = array<i64: 2>} : tensor<1x1x32900xf16> -> tensor<1x1x1xf16>
  %2 = ane.reduce max %0 {axes = array<i64: 1, 2>} : tensor<1x1x32900xf16> -> tensor<1x1x1xf16>
  %3 = ane.layer_norm %0 {axes = array<i64: 2>, epsilon = 0.5 : f32} : tensor<1x1x32900xf16> -> tensor<1x1x32900xf16>
  %4 = ane.slice %3 {offsets = array<i64: 0, 0, 100>, sizes = array<i64: 1, 1, 17024>, strides = array<i64: 1, 1, 1>} : tensor<1x1x32900xf16> -> tensor<1x1x17024xf16>
  return %1, %2, %4 : tensor<1x1x1xf16>, tensor<1x1x1xf16>, tensor<1x1x17024xf16>
}

func.func @norms(%x: tensor<1x3x17024xf16>) -> (tensor<1x3x17024xf16>, tensor<1x3x17024xf16>) {
  %g = ane.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf16>
  %0 = ane.rms_norm %x gamma %g {axes = array<i64: 1>, epsilon = 0.5 : f32} : tensor<1x3x17024xf16> gamma tensor<3xf16> -> tensor<1x3x17024xf16>
  %f = ane.reshape %x : tensor<1x3x17024xf16> -> tensor<1x51072xf16>
  %1 = ane.layer_norm %f {axes = array<i64: 1>, epsilon = 0.5 : f32} : tensor<1x51072xf16> -> tensor<1x51072xf16>
  %2 = ane.reshape %1 : tensor<1x51072xf16> -> tensor<1x3x17024xf16>
  return %0, %2 : tensor<1x3x17024xf16>, tensor<1x3x17024xf16>
}

// More powers than f16 has for their sum.
func.func @softmax(%x: tensor<1x70080xf16>) -> tensor<1x70080xf16> {
  %c = ane.constant dense<0.0> : tensor<1x1xf16>
  %k = ane.constant dense<16384.0> : tensor<1x1xf16>
  %0 = ane.elementwise mul %x, %c : tensor<1x70080xf16>, tensor<1x1xf16> -> tensor<1x70080xf16>
  %1 = ane.softmax %0 {axis = 1 : i64} : tensor<1x70080xf16> -> tensor<1x70080xf16>
  %y = ane.elementwise mul %1, %k : tensor<1x70080xf16>, tensor<1x1xf16> -> tensor<1x70080xf16>
  return %y : tensor<1x70080xf16>
}

// Pieces of any length, from any place.
func.func @pieces(%x: tensor<2x17024xf16>, %z: tensor<1x300xf16>) -> (tensor<2x17344xf16>, tensor<1x5666xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 1, 0>, sizes = array<i64: 1, 17024>, strides = array<i64: 1, 1>} : tensor<2x17024xf16> -> tensor<1x17024xf16>
  %1 = ane.concat %z, %0 {axis = 1 : i64} : tensor<1x300xf16>, tensor<1x17024xf16> -> tensor<1x17324xf16>
  %2 = ane.pad %1 {low = array<i64: 0, 7>, high = array<i64: 0, 13>, value = 0.5 : f32} : tensor<1x17324xf16> -> tensor<1x17344xf16>
  %3 = ane.concat %2, %2 {axis = 0 : i64} : tensor<1x17344xf16>, tensor<1x17344xf16> -> tensor<2x17344xf16>
  %4 = ane.slice %1 {offsets = array<i64: 0, 301>, sizes = array<i64: 1, 5666>, strides = array<i64: 1, 3>} : tensor<1x17324xf16> -> tensor<1x5666xf16>
  return %3, %4 : tensor<2x17344xf16>, tensor<1x5666xf16>
}

// Operands of other columns, and of other dimensions.
func.func @operands(%x: tensor<1x2x1x17024xf16>, %y: tensor<1x1x1x16512xf16>, %z: tensor<1x2x1x1xf16>) -> tensor<1x2x1x16512xf16> {
  %0 = ane.slice %x {offsets = array<i64: 0, 0, 0, 512>, sizes = array<i64: 1, 2, 1, 16512>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x1x17024xf16> -> tensor<1x2x1x16512xf16>
  %1 = ane.elementwise add %0, %y : tensor<1x2x1x16512xf16>, tensor<1x1x1x16512xf16> -> tensor<1x2x1x16512xf16>
  %2 = ane.elementwise mul %1, %z : tensor<1x2x1x16512xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x16512xf16>
  return %2 : tensor<1x2x1x16512xf16>
}

// Several ops in one run: padding is in front of each window, at the ends of the
// long row alone; what is inside is a result, too.
func.func @block(%x: tensor<1x1x1x33027xf16>) -> (tensor<1x2x1x33024xf16>, tensor<1x1x1x8257xf16>) {
  %a = ane.constant dense<[[[[1.0, -2.0, 0.5, 1.0]]], [[[0.25, 1.0, 2.0, -0.5]]]]> : tensor<2x1x1x4xf16>
  %w = ane.constant dense<[[[[1.0, -2.0, 0.5]], [[0.5, 1.0, -1.0]]], [[[0.25, 1.0, 2.0]], [[1.0, -0.5, 0.25]]]]> : tensor<2x2x1x3xf16>
  %v = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25]], [[0.5, 1.0, 2.0, -0.5]]]]> : tensor<1x2x1x4xf16>
  %b = ane.constant dense<[0.5, -0.25]> : tensor<2xf16>
  %f = ane.constant dense<[[[[0.5]], [[0.25]]]]> : tensor<1x2x1x1xf16>
  %0 = ane.conv %x, %a bias %b : tensor<1x1x1x33027xf16>, tensor<2x1x1x4xf16>, tensor<2xf16> -> tensor<1x2x1x33024xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x2x1x33024xf16> -> tensor<1x2x1x33024xf16>
  %2 = ane.conv %1, %w bias %b {pad = array<i64: 0, 0, 3, 3>, dilations = array<i64: 1, 3>} : tensor<1x2x1x33024xf16>, tensor<2x2x1x3xf16>, tensor<2xf16> -> tensor<1x2x1x33024xf16>
  %3 = ane.elementwise mul %2, %f : tensor<1x2x1x33024xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x1x33024xf16>
  %4 = ane.elementwise add %0, %3 : tensor<1x2x1x33024xf16>, tensor<1x2x1x33024xf16> -> tensor<1x2x1x33024xf16>
  %5 = ane.pool max %4 {kernel = array<i64: 1, 3>, strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>} : tensor<1x2x1x33024xf16> -> tensor<1x2x1x33024xf16>
  %6 = ane.conv %5, %v {pad = array<i64: 0, 0, 3, 3>, strides = array<i64: 1, 4>} : tensor<1x2x1x33024xf16>, tensor<1x2x1x4xf16> -> tensor<1x1x1x8257xf16>
  return %4, %6 : tensor<1x2x1x33024xf16>, tensor<1x1x1x8257xf16>
}

// From few columns to many, with half of the channels as a gate.
func.func @upwards(%x: tensor<1x2x1x4200xf16>) -> tensor<1x1x1x33600xf16> {
  %a = ane.constant dense<[[[[1.0, -2.0, 0.5]], [[0.5, 1.0, -1.0]]], [[[0.25, 1.0, 2.0]], [[1.0, -0.5, 0.25]]]]> : tensor<2x2x1x3xf16>
  %w = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25, 1.0, 0.5, -1.0, 0.25, 2.0, 1.0, 0.5, 0.25]], [[0.5, 1.0, 2.0, -0.5, 0.5, 1.0, 2.0, -0.5, 0.25, 1.0, 1.0, 0.5]]],
                           [[[0.5, 0.5, -1.0, 0.75, 1.0, 0.5, -1.0, 0.25, 2.0, 1.0, 0.5, 0.25]], [[0.5, 1.0, 2.0, -0.5, 0.5, 1.0, 2.0, -0.5, 0.25, 1.0, 1.0, 0.5]]]]> : tensor<2x2x1x12xf16>
  %v = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25, 0.5]]]]> : tensor<1x1x1x5xf16>
  %0 = ane.conv %x, %a {pad = array<i64: 0, 0, 2, 0>} : tensor<1x2x1x4200xf16>, tensor<2x2x1x3xf16> -> tensor<1x2x1x4200xf16>
  %1 = ane.conv_transpose %0, %w {strides = array<i64: 1, 8>, pad = array<i64: 0, 0, 2, 2>} : tensor<1x2x1x4200xf16>, tensor<2x2x1x12xf16> -> tensor<1x2x1x33600xf16>
  %2 = ane.slice %1 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 33600>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x1x33600xf16> -> tensor<1x1x1x33600xf16>
  %3 = ane.slice %1 {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 1, 1, 1, 33600>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x1x33600xf16> -> tensor<1x1x1x33600xf16>
  %4 = ane.activation %3 {function = #ane.act<sigmoid>} : tensor<1x1x1x33600xf16> -> tensor<1x1x1x33600xf16>
  %5 = ane.elementwise mul %2, %4 : tensor<1x1x1x33600xf16>, tensor<1x1x1x33600xf16> -> tensor<1x1x1x33600xf16>
  %y = ane.conv %5, %v {pad = array<i64: 0, 0, 2, 2>} : tensor<1x1x1x33600xf16>, tensor<1x1x1x5xf16> -> tensor<1x1x1x33600xf16>
  return %y : tensor<1x1x1x33600xf16>
}

// What is short stands between, and wants a result of the run in front of it.
func.func @between(%x: tensor<1x1x1x17920xf16>) -> tensor<1x2x1x17920xf16> {
  %v = ane.constant dense<[[[[1.0, 0.5, -1.0, 0.25]]]]> : tensor<1x1x1x4xf16>
  %0 = ane.conv %x, %v {pad = array<i64: 0, 0, 1, 2>} : tensor<1x1x1x17920xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x17920xf16>
  %1 = ane.conv %0, %v {strides = array<i64: 1, 4>} : tensor<1x1x1x17920xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x4480xf16>
  %2 = ane.activation %1 {function = #ane.act<relu>} : tensor<1x1x1x4480xf16> -> tensor<1x1x1x4480xf16>
  %3 = ane.conv_transpose %2, %v {strides = array<i64: 1, 4>} : tensor<1x1x1x4480xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x17920xf16>
  %4 = ane.conv %3, %v {pad = array<i64: 0, 0, 3, 0>} : tensor<1x1x1x17920xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x1x17920xf16>
  %5 = ane.concat %0, %4 {axis = 1 : i64} : tensor<1x1x1x17920xf16>, tensor<1x1x1x17920xf16> -> tensor<1x2x1x17920xf16>
  %g = ane.constant dense<[1.0, 0.5]> : tensor<2xf16>
  %6 = ane.layer_norm %5 gamma %g {axes = array<i64: 1>, epsilon = 0.001 : f32} : tensor<1x2x1x17920xf16> gamma tensor<2xf16> -> tensor<1x2x1x17920xf16>
  %w = ane.constant dense<[[[[1.0, -2.0, 0.5]]], [[[0.25, 1.0, 2.0]]]]> : tensor<2x1x1x3xf16>
  %7 = ane.conv %6, %w {pad = array<i64: 0, 0, 1, 1>, groups = 2 : i64} : tensor<1x2x1x17920xf16>, tensor<2x1x1x3xf16> -> tensor<1x2x1x17920xf16>
  return %7 : tensor<1x2x1x17920xf16>
}

// A row that is not too long, but L2 does not hold it with all channels.
func.func @wide(%x: tensor<1x128x1x9001xf16>) -> tensor<1x128x1x4501xf16> {
  %w = ane.constant dense<0.5> : tensor<128x1x1x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 1, 1>, groups = 128 : i64} : tensor<1x128x1x9001xf16>, tensor<128x1x1x3xf16> -> tensor<1x128x1x9001xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 0, 0, 2, 0>, groups = 128 : i64} : tensor<1x128x1x9001xf16>, tensor<128x1x1x3xf16> -> tensor<1x128x1x9001xf16>
  %2 = ane.elementwise sub %x, %1 : tensor<1x128x1x9001xf16>, tensor<1x128x1x9001xf16> -> tensor<1x128x1x9001xf16>
  %3 = ane.conv %2, %w {pad = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 2>, groups = 128 : i64} : tensor<1x128x1x9001xf16>, tensor<128x1x1x3xf16> -> tensor<1x128x1x4501xf16>
  return %3 : tensor<1x128x1x4501xf16>
}
