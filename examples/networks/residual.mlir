// residual, written by examples/networks/generate.py.
module {
  func.func @residual(%image: tensor<1x3x32x32xf32> {ane.name = "image"}, %conv.weight: tensor<16x3x3x3xf32> {ane.name = "conv.weight"}, %bn.mean: tensor<1x16x1x1xf32> {ane.name = "bn.mean"}, %bn.variance: tensor<16x1x1xf32> {ane.name = "bn.variance"}, %bn.weight: tensor<1x16x1x1xf32> {ane.name = "bn.weight"}, %bn.bias: tensor<1x16x1x1xf32> {ane.name = "bn.bias"}, %block1.conv1.weight: tensor<16x16x3x3xf32> {ane.name = "block1.conv1.weight"}, %block1.bn1.mean: tensor<1x16x1x1xf32> {ane.name = "block1.bn1.mean"}, %block1.bn1.variance: tensor<16x1x1xf32> {ane.name = "block1.bn1.variance"}, %block1.bn1.weight: tensor<1x16x1x1xf32> {ane.name = "block1.bn1.weight"}, %block1.bn1.bias: tensor<1x16x1x1xf32> {ane.name = "block1.bn1.bias"}, %block1.conv2.weight: tensor<16x16x3x3xf32> {ane.name = "block1.conv2.weight"}, %block1.bn2.mean: tensor<1x16x1x1xf32> {ane.name = "block1.bn2.mean"}, %block1.bn2.variance: tensor<16x1x1xf32> {ane.name = "block1.bn2.variance"}, %block1.bn2.weight: tensor<1x16x1x1xf32> {ane.name = "block1.bn2.weight"}, %block1.bn2.bias: tensor<1x16x1x1xf32> {ane.name = "block1.bn2.bias"}, %block2.conv1.weight: tensor<32x16x3x3xf32> {ane.name = "block2.conv1.weight"}, %block2.bn1.mean: tensor<1x32x1x1xf32> {ane.name = "block2.bn1.mean"}, %block2.bn1.variance: tensor<32x1x1xf32> {ane.name = "block2.bn1.variance"}, %block2.bn1.weight: tensor<1x32x1x1xf32> {ane.name = "block2.bn1.weight"}, %block2.bn1.bias: tensor<1x32x1x1xf32> {ane.name = "block2.bn1.bias"}, %block2.conv2.weight: tensor<32x32x3x3xf32> {ane.name = "block2.conv2.weight"}, %block2.bn2.mean: tensor<1x32x1x1xf32> {ane.name = "block2.bn2.mean"}, %block2.bn2.variance: tensor<32x1x1xf32> {ane.name = "block2.bn2.variance"}, %block2.bn2.weight: tensor<1x32x1x1xf32> {ane.name = "block2.bn2.weight"}, %block2.bn2.bias: tensor<1x32x1x1xf32> {ane.name = "block2.bn2.bias"}, %block2.down.weight: tensor<32x16x1x1xf32> {ane.name = "block2.down.weight"}, %block2.downbn.mean: tensor<1x32x1x1xf32> {ane.name = "block2.downbn.mean"}, %block2.downbn.variance: tensor<32x1x1xf32> {ane.name = "block2.downbn.variance"}, %block2.downbn.weight: tensor<1x32x1x1xf32> {ane.name = "block2.downbn.weight"}, %block2.downbn.bias: tensor<1x32x1x1xf32> {ane.name = "block2.downbn.bias"}, %fc.weight: tensor<10x32xf32> {ane.name = "fc.weight"}, %fc.bias: tensor<10xf32> {ane.name = "fc.bias"}) -> (tensor<1x10xf32> {ane.name = "scores"}) {
    %0 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<16xf32>}> : () -> tensor<16xf32>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.transpose %conv.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<16x3x3x3xf32>) -> tensor<16x3x3x3xf32>
    %3 = tosa.transpose %image {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x3x32x32xf32>) -> tensor<1x32x32x3xf32>
    %4 = tosa.conv2d %3, %2, %0, %1, %1 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x3xf32>, tensor<16x3x3x3xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x16xf32>
    %5 = tosa.transpose %4 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x32x32x16xf32>) -> tensor<1x16x32x32xf32>
    %6 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = tosa.sub %5, %bn.mean : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %8 = tosa.add %bn.variance, %6 : (tensor<16x1x1xf32>, tensor<1x1x1xf32>) -> tensor<16x1x1xf32>
    %9 = tosa.rsqrt %8 : (tensor<16x1x1xf32>) -> tensor<16x1x1xf32>
    %10 = tosa.const_shape {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %11 = tosa.reshape %9, %10 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %12 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = tosa.mul %7, %11, %12 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %14 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %15 = tosa.mul %13, %bn.weight, %14 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %16 = tosa.add %15, %bn.bias : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %17 = tosa.clamp %16 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
    %18 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<16xf32>}> : () -> tensor<16xf32>
    %19 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %20 = tosa.transpose %block1.conv1.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<16x16x3x3xf32>) -> tensor<16x3x3x16xf32>
    %21 = tosa.transpose %17 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x32x32xf32>) -> tensor<1x32x32x16xf32>
    %22 = tosa.conv2d %21, %20, %18, %19, %19 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x16xf32>
    %23 = tosa.transpose %22 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x32x32x16xf32>) -> tensor<1x16x32x32xf32>
    %24 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %25 = tosa.sub %23, %block1.bn1.mean : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %26 = tosa.add %block1.bn1.variance, %24 : (tensor<16x1x1xf32>, tensor<1x1x1xf32>) -> tensor<16x1x1xf32>
    %27 = tosa.rsqrt %26 : (tensor<16x1x1xf32>) -> tensor<16x1x1xf32>
    %28 = tosa.const_shape {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %29 = tosa.reshape %27, %28 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %30 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %31 = tosa.mul %25, %29, %30 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %32 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %33 = tosa.mul %31, %block1.bn1.weight, %32 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %34 = tosa.add %33, %block1.bn1.bias : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %35 = tosa.clamp %34 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
    %36 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<16xf32>}> : () -> tensor<16xf32>
    %37 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %38 = tosa.transpose %block1.conv2.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<16x16x3x3xf32>) -> tensor<16x3x3x16xf32>
    %39 = tosa.transpose %35 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x32x32xf32>) -> tensor<1x32x32x16xf32>
    %40 = tosa.conv2d %39, %38, %36, %37, %37 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x32x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x32x16xf32>
    %41 = tosa.transpose %40 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x32x32x16xf32>) -> tensor<1x16x32x32xf32>
    %42 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %43 = tosa.sub %41, %block1.bn2.mean : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %44 = tosa.add %block1.bn2.variance, %42 : (tensor<16x1x1xf32>, tensor<1x1x1xf32>) -> tensor<16x1x1xf32>
    %45 = tosa.rsqrt %44 : (tensor<16x1x1xf32>) -> tensor<16x1x1xf32>
    %46 = tosa.const_shape {values = dense<[1, 16, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %47 = tosa.reshape %45, %46 : (tensor<16x1x1xf32>, !tosa.shape<4>) -> tensor<1x16x1x1xf32>
    %48 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %49 = tosa.mul %43, %47, %48 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %50 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %51 = tosa.mul %49, %block1.bn2.weight, %50 : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>, tensor<1xi8>) -> tensor<1x16x32x32xf32>
    %52 = tosa.add %51, %block1.bn2.bias : (tensor<1x16x32x32xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x32x32xf32>
    %53 = tosa.add %52, %17 : (tensor<1x16x32x32xf32>, tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
    %54 = tosa.clamp %53 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
    %55 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<32xf32>}> : () -> tensor<32xf32>
    %56 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %57 = tosa.transpose %block2.conv1.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<32x16x3x3xf32>) -> tensor<32x3x3x16xf32>
    %58 = tosa.transpose %54 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x32x32xf32>) -> tensor<1x32x32x16xf32>
    %59 = tosa.conv2d %58, %57, %55, %56, %56 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>} : (tensor<1x32x32x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
    %60 = tosa.transpose %59 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x16x16x32xf32>) -> tensor<1x32x16x16xf32>
    %61 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %62 = tosa.sub %60, %block2.bn1.mean : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %63 = tosa.add %block2.bn1.variance, %61 : (tensor<32x1x1xf32>, tensor<1x1x1xf32>) -> tensor<32x1x1xf32>
    %64 = tosa.rsqrt %63 : (tensor<32x1x1xf32>) -> tensor<32x1x1xf32>
    %65 = tosa.const_shape {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %66 = tosa.reshape %64, %65 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %67 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %68 = tosa.mul %62, %66, %67 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %69 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %70 = tosa.mul %68, %block2.bn1.weight, %69 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %71 = tosa.add %70, %block2.bn1.bias : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %72 = tosa.clamp %71 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
    %73 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<32xf32>}> : () -> tensor<32xf32>
    %74 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %75 = tosa.transpose %block2.conv2.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<32x32x3x3xf32>) -> tensor<32x3x3x32xf32>
    %76 = tosa.transpose %72 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x32x16x16xf32>) -> tensor<1x16x16x32xf32>
    %77 = tosa.conv2d %76, %75, %73, %74, %74 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x16x16x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
    %78 = tosa.transpose %77 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x16x16x32xf32>) -> tensor<1x32x16x16xf32>
    %79 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %80 = tosa.sub %78, %block2.bn2.mean : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %81 = tosa.add %block2.bn2.variance, %79 : (tensor<32x1x1xf32>, tensor<1x1x1xf32>) -> tensor<32x1x1xf32>
    %82 = tosa.rsqrt %81 : (tensor<32x1x1xf32>) -> tensor<32x1x1xf32>
    %83 = tosa.const_shape {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %84 = tosa.reshape %82, %83 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %85 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %86 = tosa.mul %80, %84, %85 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %87 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %88 = tosa.mul %86, %block2.bn2.weight, %87 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %89 = tosa.add %88, %block2.bn2.bias : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %90 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<32xf32>}> : () -> tensor<32xf32>
    %91 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %92 = tosa.transpose %block2.down.weight {perms = array<i32: 0, 2, 3, 1>} : (tensor<32x16x1x1xf32>) -> tensor<32x1x1x16xf32>
    %93 = tosa.transpose %54 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x16x32x32xf32>) -> tensor<1x32x32x16xf32>
    %94 = tosa.const_shape {values = dense<[0, 0, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %95 = tosa.const_shape {values = dense<[1, 31, 31, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %96 = tosa.slice %93, %94, %95 : (tensor<1x32x32x16xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x31x31x16xf32>
    %97 = tosa.conv2d %96, %92, %90, %91, %91 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x31x31x16xf32>, tensor<32x1x1x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
    %98 = tosa.transpose %97 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x16x16x32xf32>) -> tensor<1x32x16x16xf32>
    %99 = "tosa.const"() <{values = dense<1.000000e-05> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %100 = tosa.sub %98, %block2.downbn.mean : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %101 = tosa.add %block2.downbn.variance, %99 : (tensor<32x1x1xf32>, tensor<1x1x1xf32>) -> tensor<32x1x1xf32>
    %102 = tosa.rsqrt %101 : (tensor<32x1x1xf32>) -> tensor<32x1x1xf32>
    %103 = tosa.const_shape {values = dense<[1, 32, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %104 = tosa.reshape %102, %103 : (tensor<32x1x1xf32>, !tosa.shape<4>) -> tensor<1x32x1x1xf32>
    %105 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %106 = tosa.mul %100, %104, %105 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %107 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %108 = tosa.mul %106, %block2.downbn.weight, %107 : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>, tensor<1xi8>) -> tensor<1x32x16x16xf32>
    %109 = tosa.add %108, %block2.downbn.bias : (tensor<1x32x16x16xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x16x16xf32>
    %110 = tosa.add %89, %109 : (tensor<1x32x16x16xf32>, tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
    %111 = tosa.clamp %110 {min_val = 0.000000e+00 : f32, max_val = 3.40282347E+38 : f32} : (tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
    %112 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %113 = tosa.transpose %111 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x32x16x16xf32>) -> tensor<1x16x16x32xf32>
    %114 = tosa.avg_pool2d %113, %112, %112 {acc_type = f32, kernel = array<i64: 16, 16>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x16x16x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x32xf32>
    %115 = tosa.transpose %114 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x1x1x32xf32>) -> tensor<1x32x1x1xf32>
    %116 = tosa.const_shape {values = dense<[1, 32]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %117 = tosa.reshape %115, %116 : (tensor<1x32x1x1xf32>, !tosa.shape<2>) -> tensor<1x32xf32>
    %118 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %119 = tosa.transpose %fc.weight {perms = array<i32: 1, 0>} : (tensor<10x32xf32>) -> tensor<32x10xf32>
    %120 = tosa.const_shape {values = dense<[1, 1, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %121 = tosa.reshape %117, %120 : (tensor<1x32xf32>, !tosa.shape<3>) -> tensor<1x1x32xf32>
    %122 = tosa.const_shape {values = dense<[1, 32, 10]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %123 = tosa.reshape %119, %122 : (tensor<32x10xf32>, !tosa.shape<3>) -> tensor<1x32x10xf32>
    %124 = tosa.matmul %121, %123, %118, %118 : (tensor<1x1x32xf32>, tensor<1x32x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x10xf32>
    %125 = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %126 = tosa.reshape %124, %125 : (tensor<1x1x10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
    %127 = tosa.const_shape {values = dense<[1, 10]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %128 = tosa.reshape %fc.bias, %127 : (tensor<10xf32>, !tosa.shape<2>) -> tensor<1x10xf32>
    %129 = tosa.add %126, %128 : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32>
    return %129 : tensor<1x10xf32>
  }
}
