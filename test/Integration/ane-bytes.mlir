// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=0 --high=3 --step=1 --max-err=0

// Bytes in and out: a choice by a mask, and a mask turned round.

func.func @net(%c: tensor<1x5x6x7xui8>, %a: tensor<1x5x6x7xf16>, %b: tensor<1x5x6x7xf16>) -> (tensor<1x5x6x7xf16>, tensor<1x5x7x6xui8>) {
  %0 = ane.select %c, %a, %b : tensor<1x5x6x7xui8>, tensor<1x5x6x7xf16>, tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  %1 = ane.activation %c {function = #ane.act<where_nonzero, 0.0, 1.0>} : tensor<1x5x6x7xui8> -> tensor<1x5x6x7xui8>
  %2 = ane.transpose %1 {perm = array<i64: 0, 1, 3, 2>} : tensor<1x5x6x7xui8> -> tensor<1x5x7x6xui8>
  return %0, %2 : tensor<1x5x6x7xf16>, tensor<1x5x7x6xui8>
}
