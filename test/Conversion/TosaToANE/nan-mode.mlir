// RUN: ane-opt %s --verify-diagnostics --convert-tosa-to-ane -o %t

// PROPAGATE is what an op has that says nothing.
func.func @modes(%x: tensor<1x3xf32>, %y: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x1xf32>) {
  // expected-warning @+1 {{tosa.clamp has nan_mode = IGNORE, a number where an operand is NaN; what the engine makes of NaN is not known; keep NaN out of its operands}}
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32, nan_mode = IGNORE} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  // expected-warning @+1 {{tosa.maximum has nan_mode = IGNORE}}
  %1 = tosa.maximum %0, %y {nan_mode = IGNORE} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  %2 = tosa.minimum %1, %y {nan_mode = PROPAGATE} : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  // expected-warning @+1 {{tosa.reduce_max has nan_mode = IGNORE}}
  %3 = tosa.reduce_max %2 {axis = 1 : i32, nan_mode = IGNORE} : (tensor<1x3xf32>) -> tensor<1x1xf32>
  return %2, %3 : tensor<1x3xf32>, tensor<1x1xf32>
}
