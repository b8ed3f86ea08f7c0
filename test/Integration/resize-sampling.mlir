// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// A resize with sample positions of no common convention

func.func @net(%x: tensor<1x5x6x3xf32>) -> tensor<1x24x18x3xf32> {
  %scale = tosa.const_shape {values = dense<[9, 4, 4, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[8, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %y = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x5x6x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x12x9x3xf32>
  %factor = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %end = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.resize %y, %factor, %zero, %end {mode = NEAREST_NEIGHBOR} : (tensor<1x12x9x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x24x18x3xf32>
  return %z : tensor<1x24x18x3xf32>
}
