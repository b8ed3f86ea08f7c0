// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.002

// A long dimension that one op has as rows and another one in pieces: the
// argument that the host casts is not taken apart under the first.

func.func @net(%x: tensor<1x20000x1xf32>) -> tensor<1x20000x8xf32> {
  %k = ane.constant dense<[[[0.5, 1.0, -0.5, 0.25, 2.0, -1.0, 0.125, 4.0]]]> : tensor<1x1x8xf16>
  %h = ane.cast %x : tensor<1x20000x1xf32> -> tensor<1x20000x1xf16>
  %r = ane.activation %h {function = #ane.act<relu>} : tensor<1x20000x1xf16> -> tensor<1x20000x1xf16>
  %m = ane.matmul %r, %k : tensor<1x20000x1xf16>, tensor<1x1x8xf16> -> tensor<1x20000x8xf16>
  %y = ane.cast %m : tensor<1x20000x8xf16> -> tensor<1x20000x8xf32>
  return %y : tensor<1x20000x8xf32>
}
