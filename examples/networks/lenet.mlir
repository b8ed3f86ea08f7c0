// lenet, written by examples/networks/generate.py.
module {
  func.func @lenet(%image: tensor<1x1x28x28xf32> {ane.name = "image"}, %conv1.weight: tensor<6x1x5x5xf32> {ane.name = "conv1.weight"}, %conv1.bias: tensor<6xf32> {ane.name = "conv1.bias"}, %conv2.weight: tensor<16x6x5x5xf32> {ane.name = "conv2.weight"}, %conv2.bias: tensor<16xf32> {ane.name = "conv2.bias"}, %fc1.weight: tensor<120x400xf32> {ane.name = "fc1.weight"}, %fc1.bias: tensor<120xf32> {ane.name = "fc1.bias"}, %fc2.weight: tensor<84x120xf32> {ane.name = "fc2.weight"}, %fc2.bias: tensor<84xf32> {ane.name = "fc2.bias"}, %fc3.weight: tensor<10x84xf32> {ane.name = "fc3.weight"}, %fc3.bias: tensor<10xf32> {ane.name = "fc3.bias"}) -> (tensor<1x10xf32> {ane.name = "scores"}) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %1 = tosa.transpose %conv1.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<6x1x5x5xf32>) -> tensor<6x5x5x1xf32>
    %2 = tosa.transpose %image {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x1x28x28xf32>) -> tensor<1x28x28x1xf32>
    %3 = tosa.conv2d %2, %1, %conv1.bias, %0, %0 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>} : (tensor<1x28x28x1xf32>, tensor<6x5x5x1xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x28x28x6xf32>
    %4 = tosa.transpose %3 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x28x28x6xf32>) -> tensor<1x6x28x28xf32>
    %5 = tosa.clamp %4 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x6x28x28xf32>) -> tensor<1x6x28x28xf32>
    %6 = tosa.transpose %5 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x6x28x28xf32>) -> tensor<1x28x28x6xf32>
    %7 = tosa.max_pool2d %6 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x28x28x6xf32>) -> tensor<1x14x14x6xf32>
    %8 = tosa.transpose %7 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x14x14x6xf32>) -> tensor<1x6x14x14xf32>
    %9 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %10 = tosa.transpose %conv2.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<16x6x5x5xf32>) -> tensor<16x5x5x6xf32>
    %11 = tosa.transpose %8 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x6x14x14xf32>) -> tensor<1x14x14x6xf32>
    %12 = tosa.conv2d %11, %10, %conv2.bias, %9, %9 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x6xf32>, tensor<16x5x5x6xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x16xf32>
    %13 = tosa.transpose %12 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x10x10x16xf32>) -> tensor<1x16x10x10xf32>
    %14 = tosa.clamp %13 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x16x10x10xf32>) -> tensor<1x16x10x10xf32>
    %15 = tosa.transpose %14 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x10x10xf32>) -> tensor<1x10x10x16xf32>
    %16 = tosa.max_pool2d %15 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x10x10x16xf32>) -> tensor<1x5x5x16xf32>
    %17 = tosa.transpose %16 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x5x5x16xf32>) -> tensor<1x16x5x5xf32>
    %18 = tosa.const_shape {values = dense<[1, 400]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %19 = tosa.reshape %17, %18 : (tensor<1x16x5x5xf32>, !tosa.shape<2>) -> tensor<1x400xf32>
    %20 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %21 = tosa.transpose %fc1.weight {perms = array<i32: 1, 0>} : (tensor<120x400xf32>) -> tensor<400x120xf32>
    %22 = tosa.const_shape {values = dense<[1, 1, 400]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %23 = tosa.reshape %19, %22 : (tensor<1x400xf32>, !tosa.shape<3>) -> tensor<1x1x400xf32>
    %24 = tosa.const_shape {values = dense<[1, 400, 120]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %25 = tosa.reshape %21, %24 : (tensor<400x120xf32>, !tosa.shape<3>) -> tensor<1x400x120xf32>
    %26 = tosa.matmul %23, %25, %20, %20 : (tensor<1x1x400xf32>, tensor<1x400x120xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x120xf32>
    %27 = tosa.const_shape {values = dense<[1, 120]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %28 = tosa.reshape %26, %27 : (tensor<1x1x120xf32>, !tosa.shape<2>) -> tensor<1x120xf32>
    %29 = tosa.const_shape {values = dense<[1, 120]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %30 = tosa.reshape %fc1.bias, %29 : (tensor<120xf32>, !tosa.shape<2>) -> tensor<1x120xf32>
    %31 = tosa.add %28, %30 : (tensor<1x120xf32>, tensor<1x120xf32>) -> tensor<1x120xf32>
    %32 = tosa.clamp %31 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x120xf32>) -> tensor<1x120xf32>
    %33 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %34 = tosa.transpose %fc2.weight {perms = array<i32: 1, 0>} : (tensor<84x120xf32>) -> tensor<120x84xf32>
    %35 = tosa.const_shape {values = dense<[1, 1, 120]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %36 = tosa.reshape %32, %35 : (tensor<1x120xf32>, !tosa.shape<3>) -> tensor<1x1x120xf32>
    %37 = tosa.const_shape {values = dense<[1, 120, 84]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %38 = tosa.reshape %34, %37 : (tensor<120x84xf32>, !tosa.shape<3>) -> tensor<1x120x84xf32>
    %39 = tosa.matmul %36, %38, %33, %33 : (tensor<1x1x120xf32>, tensor<1x120x84xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x84xf32>
    %40 = tosa.const_shape {values = dense<[1, 84]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %41 = tosa.reshape %39, %40 : (tensor<1x1x84xf32>, !tosa.shape<2>) -> tensor<1x84xf32>
    %42 = tosa.const_shape {values = dense<[1, 84]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %43 = tosa.reshape %fc2.bias, %42 : (tensor<84xf32>, !tosa.shape<2>) -> tensor<1x84xf32>
    %44 = tosa.add %41, %43 : (tensor<1x84xf32>, tensor<1x84xf32>) -> tensor<1x84xf32>
    %45 = tosa.clamp %44 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x84xf32>) -> tensor<1x84xf32>
    %46 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %47 = tosa.transpose %fc3.weight {perms = array<i32: 1, 0>} : (tensor<10x84xf32>) -> tensor<84x10xf32>
    %48 = tosa.const_shape {values = dense<[1, 1, 84]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %49 = tosa.reshape %45, %48 : (tensor<1x84xf32>, !tosa.shape<3>) -> tensor<1x1x84xf32>
    %50 = tosa.const_shape {values = dense<[1, 84, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %51 = tosa.reshape %47, %50 : (tensor<84x10xf32>, !tosa.shape<3>) -> tensor<1x84x10xf32>
    %52 = tosa.matmul %49, %51, %46, %46 : (tensor<1x1x84xf32>, tensor<1x84x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10xf32>
    %53 = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %54 = tosa.reshape %52, %53 : (tensor<1x1x10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
    %55 = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %56 = tosa.reshape %fc3.bias, %55 : (tensor<10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
    %57 = tosa.add %54, %56 : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
    return %57 : tensor<1x10xf32>
  }
}
