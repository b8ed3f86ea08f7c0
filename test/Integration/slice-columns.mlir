// RUN: %python %ane_src/utils/check-network.py %s --bin %ane_bin

// Slices of columns at any offset, and concatenation along the rows.

func.func @net(%x: tensor<1x6x5x70xf32>) -> tensor<1x6x5x9xf32> {
  %a = tosa.const_shape {values = dense<[0, 0, 0, 37]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %b = tosa.const_shape {values = dense<[0, 0, 0, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %m = tosa.const_shape {values = dense<[1, 6, 5, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %n = tosa.const_shape {values = dense<[1, 6, 5, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %0 = tosa.slice %x, %a, %m : (tensor<1x6x5x70xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x6x5x4xf32>
  %1 = tosa.slice %x, %b, %n : (tensor<1x6x5x70xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x6x5x5xf32>
  %2 = tosa.concat %0, %1 {axis = 3 : i32} : (tensor<1x6x5x4xf32>, tensor<1x6x5x5xf32>) -> tensor<1x6x5x9xf32>
  return %2 : tensor<1x6x5x9xf32>
}
