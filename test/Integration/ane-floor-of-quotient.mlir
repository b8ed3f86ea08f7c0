// RUN: ane-compile %s -o %t.hwx
// RUN: %python -c "import numpy; numpy.save('%t.x.npy', (11 * numpy.arange(180)).astype('float16').reshape(1, 1, 4, 45))"
// RUN: ane-run %t.hwx --input %t.x.npy --output %t.0.npy --output %t.1.npy --output %t.2.npy
// RUN: %python -c "import numpy; want = numpy.arange(180).reshape(1, 1, 4, 45); [numpy.testing.assert_array_equal(numpy.load('%t.' + i + '.npy'), want) for i in '012']"

// Multiples of 11 over 11 are whole numbers, though 11 times the rounded inverse is not 1.

func.func @main(%x: tensor<1x1x4x45xf16>) -> (tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>) {
  %c = ane.constant dense<11.0> : tensor<1x1x1x1xf32>
  %0 = ane.elementwise div %x, %c : tensor<1x1x4x45xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x45xf16>
  %1 = ane.activation %0 {function = #ane.act<floor>} : tensor<1x1x4x45xf16> -> tensor<1x1x4x45xf16>
  %2 = ane.elementwise div %x, %c {activation = #ane.act<trunc>} : tensor<1x1x4x45xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x45xf16>
  %3 = ane.activation %0 {function = #ane.act<ceil>} : tensor<1x1x4x45xf16> -> tensor<1x1x4x45xf16>
  return %1, %2, %3 : tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>, tensor<1x1x4x45xf16>
}
