// A small network of the ane dialect as MIL text, in both spellings, with its weights.
// RUN: rm -rf %t && ane-translate --to-mil --weights-dir=%t %s -o %t.mil && FileCheck %s --input-file=%t.mil --match-full-lines --strict-whitespace
// RUN: ane-translate --to-mil --mil-version=1.0 --weights-dir=%t %s | FileCheck %s --check-prefix=OLD --match-full-lines --strict-whitespace
// The first weight is 1.0 in f32 in the source, 0x3c00 in the file.
// RUN: od -An -v -tx1 -w16 -j64 -N80 %t/weights/weight.bin | FileCheck %s --check-prefix=BLOB
// BLOB:      ef be ad de 01 00 00 00 18 00 00 00 00 00 00 00
// BLOB-NEXT: 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB:      00 3c 00 40 00 42 00 44 00 45 00 46 00 47 00 48

//      CHECK:program(1.3)
// CHECK-NEXT:[buildInfo = dict<string, string>({{[{][{]}}"coremlc-component-MIL", "3520.4.1"}, {"coremlc-version", "3520.5.1"}, {"mlir-ane", "{{.*}}"}})]
// CHECK-NEXT:{
// CHECK-NEXT:    func main<ios18>(tensor<fp16, [1, 1, 32, 32]> image) {
// CHECK-NEXT:            tensor<fp16, [4, 1, 1, 3]> c0 = const()[name = string("c0"), val = tensor<fp16, [4, 1, 1, 3]>(BLOBFILE(path = string("@model_path/weights/weight.bin"), offset = uint64(64)))];
// CHECK-NEXT:            tensor<int32, [2]> v1_conv_dilations = const()[name = string("v1_conv_dilations"), val = tensor<int32, [2]>([1, 1])];
// CHECK-NEXT:            int32 v1_conv_groups = const()[name = string("v1_conv_groups"), val = int32(1)];
// CHECK-NEXT:            tensor<int32, [4]> v1_conv_pad = const()[name = string("v1_conv_pad"), val = tensor<int32, [4]>([0, 0, 2, 1])];
// CHECK-NEXT:            string v1_conv_pad_type = const()[name = string("v1_conv_pad_type"), val = string("custom")];
// CHECK-NEXT:            tensor<int32, [2]> v1_conv_strides = const()[name = string("v1_conv_strides"), val = tensor<int32, [2]>([2, 1])];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v1_conv = conv(dilations = v1_conv_dilations, groups = v1_conv_groups, pad = v1_conv_pad, pad_type = v1_conv_pad_type, strides = v1_conv_strides, weight = c0, x = image)[name = string("v1_conv")];
// CHECK-NEXT:            tensor<fp16, [1, 4, 1, 1]> c2 = const()[name = string("c2"), val = tensor<fp16, [1, 4, 1, 1]>({{\[\[\[\[}}0x1p-1]], {{\[\[}}-0x1p+0]], {{\[\[}}0x0p+0]], {{\[\[}}0x1.998p-4]]]])];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v3_add = add(x = v1_conv, y = c2)[name = string("v3_add")];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v4_relu = relu(x = v3_add)[name = string("v4_relu")];
// CHECK-NEXT:            bool v5_max_pool_ceil_mode = const()[name = string("v5_max_pool_ceil_mode"), val = bool(false)];
// CHECK-NEXT:            tensor<int32, [2]> v5_max_pool_kernel_sizes = const()[name = string("v5_max_pool_kernel_sizes"), val = tensor<int32, [2]>([3, 3])];
// CHECK-NEXT:            tensor<int32, [4]> v5_max_pool_pad = const()[name = string("v5_max_pool_pad"), val = tensor<int32, [4]>([1, 1, 1, 1])];
// CHECK-NEXT:            string v5_max_pool_pad_type = const()[name = string("v5_max_pool_pad_type"), val = string("custom")];
// CHECK-NEXT:            tensor<int32, [2]> v5_max_pool_strides = const()[name = string("v5_max_pool_strides"), val = tensor<int32, [2]>([1, 1])];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v5_max_pool = max_pool(ceil_mode = v5_max_pool_ceil_mode, kernel_sizes = v5_max_pool_kernel_sizes, pad = v5_max_pool_pad, pad_type = v5_max_pool_pad_type, strides = v5_max_pool_strides, x = v4_relu)[name = string("v5_max_pool")];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v6_add = add(x = v4_relu, y = v5_max_pool)[name = string("v6_add")];
// CHECK-NEXT:            tensor<fp16, [1, 4, 16, 33]> v7_relu = relu(x = v6_add)[name = string("v7_relu")];
// CHECK-NEXT:            tensor<int32, [2]> v8_reshape_shape = const()[name = string("v8_reshape_shape"), val = tensor<int32, [2]>([1, 2112])];
// CHECK-NEXT:            tensor<fp16, [1, 2112]> scores = reshape(shape = v8_reshape_shape, x = v7_relu)[name = string("scores")];
// CHECK-NEXT:        } -> (scores);
// CHECK-NEXT:}

//      OLD:program(1.0)
// OLD-NEXT:[buildInfo = dict<tensor<string, []>, tensor<string, []>>({{.*}})]
// OLD-NEXT:{
// OLD-NEXT:    func main<ios16>(tensor<fp16, [1, 1, 32, 32]> image) {
// OLD-NEXT:            tensor<fp16, [4, 1, 1, 3]> c0 = const()[name = tensor<string, []>("c0"), val = tensor<fp16, [4, 1, 1, 3]>(BLOBFILE(path = tensor<string, []>("@model_path/weights/weight.bin"), offset = tensor<uint64, []>(64)))];
// OLD-NEXT:            tensor<int32, [2]> v1_conv_dilations = const()[name = tensor<string, []>("v1_conv_dilations"), val = tensor<int32, [2]>([1, 1])];
// OLD-NEXT:            tensor<int32, []> v1_conv_groups = const()[name = tensor<string, []>("v1_conv_groups"), val = tensor<int32, []>(1)];
//      OLD:            tensor<bool, []> v5_max_pool_ceil_mode = const()[name = tensor<string, []>("v5_max_pool_ceil_mode"), val = tensor<bool, []>(false)];
//      OLD:        } -> (scores);

func.func @net(%image: tensor<1x1x32x32xf32> {ane.name = "image"}) -> (tensor<1x2112xf32> {ane.name = "scores"}) {
  %w = ane.constant dense_resource<w> : tensor<4x1x1x3xf32>
  %b = ane.constant dense<[0.5, -1.0, 0.0, 0.1]> : tensor<4xf32>
  %0 = ane.cast %image : tensor<1x1x32x32xf32> -> tensor<1x1x32x32xf16>
  %1 = ane.conv %0, %w bias %b {strides = array<i64: 2, 1>, pad = array<i64: 0, 0, 2, 1>, activation = #ane.act<relu>}
     : tensor<1x1x32x32xf16>, tensor<4x1x1x3xf32>, tensor<4xf32> -> tensor<1x4x16x33xf16>
  %2 = ane.pool max %1 {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x4x16x33xf16> -> tensor<1x4x16x33xf16>
  %3 = ane.elementwise add %1, %2 {activation = #ane.act<relu>} : tensor<1x4x16x33xf16>, tensor<1x4x16x33xf16> -> tensor<1x4x16x33xf16>
  %4 = ane.reshape %3 : tensor<1x4x16x33xf16> -> tensor<1x2112xf16>
  %5 = ane.cast %4 : tensor<1x2112xf16> -> tensor<1x2112xf32>
  return %5 : tensor<1x2112xf32>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041" } }
#-}
