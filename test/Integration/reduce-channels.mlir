// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// The mean and the maximum over channels, and a map that is broadcast over them.

func.func @net(%x: tensor<1x21x9x12xf32>) -> tensor<1x21x9x12xf32> {
  %c = "tosa.const"() <{values = dense<0.047619047619> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<1x21x9x12xf32>) -> tensor<1x1x9x12xf32>
  %1 = tosa.mul %0, %c, %s : (tensor<1x1x9x12xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x9x12xf32>
  %2 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<1x21x9x12xf32>) -> tensor<1x1x9x12xf32>
  %3 = tosa.add %1, %2 : (tensor<1x1x9x12xf32>, tensor<1x1x9x12xf32>) -> tensor<1x1x9x12xf32>
  %4 = tosa.sub %x, %3 : (tensor<1x21x9x12xf32>, tensor<1x1x9x12xf32>) -> tensor<1x21x9x12xf32>
  return %4 : tensor<1x21x9x12xf32>
}
