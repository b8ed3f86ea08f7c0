// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Maximum pooling with padding, data of both signs: padding must not win.

func.func @net(%x: tensor<1x20x27x30xf32>) -> tensor<1x20x14x15xf32> {
  %c = "tosa.const"() <{values = dense<-1.5> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x20x27x30xf32>) -> tensor<1x27x30x20xf32>
  %1 = tosa.add %0, %c : (tensor<1x27x30x20xf32>, tensor<1x1x1x1xf32>) -> tensor<1x27x30x20xf32>
  %2 = tosa.max_pool2d %1 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x27x30x20xf32>) -> tensor<1x14x15x20xf32>
  %3 = tosa.transpose %2 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x14x15x20xf32>) -> tensor<1x20x14x15xf32>
  return %3 : tensor<1x20x14x15xf32>
}
