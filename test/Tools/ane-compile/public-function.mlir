// RUN: ane-compile %s -o %t.hwx && ane-translate --dump-hwx %t.hwx | FileCheck %s
// RUN: ane-compile %s --function=inner -o %t.hwx && ane-translate --dump-hwx %t.hwx | FileCheck %s --check-prefix=INNER

// The only public function is the network; a private one can be chosen, too.
// CHECK: network_output
// INNER: inner_output
func.func @network(%x: tensor<1x8x4x4xf16>) -> (tensor<1x8x4x4xf16> {ane.name = "network_output"}) {
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}

func.func private @inner(%x: tensor<1x8x4x4xf16>) -> (tensor<1x8x4x4xf16> {ane.name = "inner_output"}) {
  %0 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x8x4x4xf16> -> tensor<1x8x4x4xf16>
  return %0 : tensor<1x8x4x4xf16>
}
