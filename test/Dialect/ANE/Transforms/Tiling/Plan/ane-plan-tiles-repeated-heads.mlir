// RUN: ane-compile %s --dump-ane-tile=%t.json -o %t.hwx
// RUN: FileCheck %s --input-file=%t.json

// Heads of attention are like the one before although the result of each waits for all others
// to be done: that of one stands for that of the next.
// CHECK: "copied_ops": {{[1-9][0-9][0-9]}}

func.func @heads(%x: tensor<1x512x1x2048xf16>) -> tensor<1x512x1x2048xf16> {
  %wq = ane.constant dense<0.01> : tensor<512x512x1x1xf16>
  %wk = ane.constant dense<0.02> : tensor<512x512x1x1xf16>
  %wv = ane.constant dense<0.03> : tensor<512x512x1x1xf16>
  %q = ane.conv %x, %wq : tensor<1x512x1x2048xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x1x2048xf16>
  %k = ane.conv %x, %wk : tensor<1x512x1x2048xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x1x2048xf16>
  %v = ane.conv %x, %wv : tensor<1x512x1x2048xf16>, tensor<512x512x1x1xf16> -> tensor<1x512x1x2048xf16>
  %qh = ane.reshape %q : tensor<1x512x1x2048xf16> -> tensor<1x8x64x2048xf16>
  %kh = ane.reshape %k : tensor<1x512x1x2048xf16> -> tensor<1x8x64x2048xf16>
  %vh = ane.reshape %v : tensor<1x512x1x2048xf16> -> tensor<1x8x64x2048xf16>
  %s = ane.matmul %qh, %kh {transpose_lhs} : tensor<1x8x64x2048xf16>, tensor<1x8x64x2048xf16> -> tensor<1x8x2048x2048xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x8x2048x2048xf16> -> tensor<1x8x2048x2048xf16>
  %m = ane.matmul %vh, %p {transpose_rhs} : tensor<1x8x64x2048xf16>, tensor<1x8x2048x2048xf16> -> tensor<1x8x64x2048xf16>
  %y = ane.reshape %m : tensor<1x8x64x2048xf16> -> tensor<1x512x1x2048xf16>
  return %y : tensor<1x512x1x2048xf16>
}
