// RUN: ane-compile %s -o %t.hwx
// Two sums of everything and their quotient, none of which has a dimension.
func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<f32> {
  %0 = tosa.reduce_sum %x {axis = 0 : i32} : (tensor<3x5xf32>) -> tensor<1x5xf32>
  %1 = tosa.reduce_sum %0 {axis = 1 : i32} : (tensor<1x5xf32>) -> tensor<1x1xf32>
  %2 = tosa.reduce_max %y {axis = 0 : i32} : (tensor<3x5xf32>) -> tensor<1x5xf32>
  %3 = tosa.reduce_max %2 {axis = 1 : i32} : (tensor<1x5xf32>) -> tensor<1x1xf32>
  %s = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %4 = tosa.reshape %1, %s : (tensor<1x1xf32>, !tosa.shape<0>) -> tensor<f32>
  %5 = tosa.reshape %3, %s : (tensor<1x1xf32>, !tosa.shape<0>) -> tensor<f32>
  %6 = tosa.reciprocal %5 : (tensor<f32>) -> tensor<f32>
  %7 = tosa.add %4, %6 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %7 : tensor<f32>
}
