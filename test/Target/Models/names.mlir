// RUN: ane-translate --to-mil %s | FileCheck %s
// Names that are no identifiers, as networks of other formats have them, get some in text.

// CHECK: func main<ios18>(tensor<fp16, [1, 3]> x_a) {
// CHECK: probs_output = relu(x = x_a)
// CHECK: probs_output_ = tanh(x = probs_output)
// CHECK: -> (probs_output_)
mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: tensor<1x3xf16>) names ["x@a"] {} {
    %y = mil.op "relu"(x = %x) {} as "probs_output" : (tensor<1x3xf16>) -> tensor<1x3xf16>
    %z = mil.op "tanh"(x = %y) {} as "probs@output" : (tensor<1x3xf16>) -> tensor<1x3xf16>
    mil.return %z : tensor<1x3xf16>
  }
}
