// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.003

// Over the channels of an image: of a layer, whose differences are products, also with a
// rest behind 64 of them, and of data with infinities, which count for nothing.

func.func @net(%x: tensor<1x16x40x40xf16>) -> (tensor<1x21x40x40xf16>, tensor<1x100x40x40xf16>, tensor<1x32x40x40xf16>) {
  %w = ane.constant dense_resource<random_1> : tensor<21x16x1x1xf16>
  %v = ane.constant dense_resource<random_2> : tensor<100x16x1x1xf16>
  %c = ane.conv %x, %w : tensor<1x16x40x40xf16>, tensor<21x16x1x1xf16> -> tensor<1x21x40x40xf16>
  %0 = ane.softmax %c {axis = 1 : i64} : tensor<1x21x40x40xf16> -> tensor<1x21x40x40xf16>
  %d = ane.conv %x, %v : tensor<1x16x40x40xf16>, tensor<100x16x1x1xf16> -> tensor<1x100x40x40xf16>
  %1 = ane.softmax %d {axis = 1 : i64} : tensor<1x100x40x40xf16> -> tensor<1x100x40x40xf16>
  %none = ane.constant dense<0xFC00> : tensor<1x16x40x40xf16>
  %e = ane.concat %x, %none {axis = 1 : i64} : tensor<1x16x40x40xf16>, tensor<1x16x40x40xf16> -> tensor<1x32x40x40xf16>
  %2 = ane.softmax %e {axis = 1 : i64} : tensor<1x32x40x40xf16> -> tensor<1x32x40x40xf16>
  return %0, %1, %2 : tensor<1x21x40x40xf16>, tensor<1x100x40x40xf16>, tensor<1x32x40x40xf16>
}
