// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// One value for each channel, at run time.

func.func @net(%x: tensor<1x24x9x37xf32>, %y: tensor<1x24x1x1xf32>) -> tensor<1x24x9x37xf32> {
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %s : (tensor<1x24x9x37xf32>, tensor<1x24x1x1xf32>, tensor<1xi8>) -> tensor<1x24x9x37xf32>
  return %0 : tensor<1x24x9x37xf32>
}
