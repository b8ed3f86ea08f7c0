// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A large window that keeps the size of the image, as spatial pyramids have it.

func.func @net(%x: tensor<1x24x13x13xf32>) -> tensor<1x24x13x13xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x24x13x13xf32>) -> tensor<1x13x13x24xf32>
  %1 = tosa.max_pool2d %0 {kernel = array<i64: 5, 5>, pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>} : (tensor<1x13x13x24xf32>) -> tensor<1x13x13x24xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x13x13x24xf32>) -> tensor<1x24x13x13xf32>
  return %2 : tensor<1x24x13x13xf32>
}
