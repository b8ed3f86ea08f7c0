mil.program version "1.0" {buildInfo = {"coremlc-version" = "3500.32.1"}} {
  mil.func @main opset "ios16" (%in0: tensor<1x32x32x32xf16>) names ["in0"] {} {
    %axis = mil.const 1 : i32 {} as "axis" : i32
    %no = mil.const false {} as "no" : i1
    %weight = mil.const #mil.blobfile<"@model_path/weights/weight.bin", 64> : tensor<32x32x1x1xf16> {} as "weight" : tensor<32x32x1x1xf16>
    %bias = mil.const #mil.blobfile<"@model_path/weights/weight.bin", 2176> : tensor<1x32x1x1xf16> {} as "bias" : tensor<1x32x1x1xf16>
    %product = mil.op "conv"(weight = %weight, x = %in0) {} as "product" : (tensor<32x32x1x1xf16>, tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    %sum = mil.op "add"(x = %product, y = %bias) {} as "sum" : (tensor<1x32x32x32xf16>, tensor<1x32x1x1xf16>) -> tensor<1x32x32x32xf16>
    %out0 = mil.op "concat"(axis = %axis, interleave = %no, values = (%sum, %in0)) {} as "out0" : (i32, i1, tensor<1x32x32x32xf16>, tensor<1x32x32x32xf16>) -> tensor<1x64x32x32xf16>
    mil.return %out0 : tensor<1x64x32x32xf16>
  }
}
