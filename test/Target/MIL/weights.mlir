// The weight file, byte by byte.
// RUN: rm -rf %t && ane-translate --to-mil --weights-dir=%t %s | FileCheck %s
// RUN: od -An -v -tx1 -w16 %t/weights/weight.bin | FileCheck %s --check-prefix=BLOB --match-full-lines --strict-whitespace
// No passing name stays.
// RUN: ls %t/weights | FileCheck %s --check-prefix=FILES
// FILES: weight.bin
// FILES-NOT: {{.}}
// Before iOS 18 a file holds no integers of more than 8 bits.
// RUN: ane-translate --to-mil --opset=ios17 --weights-dir=%t %s | FileCheck %s --check-prefix=IOS17
// IOS17: int32, [10]> d = const()[val = tensor<int32, [10]>([0, 1, 2, 3, 4, 5, 6, 7, 8, -1])];

// f32 is rounded to f16: 0x0p+0, 0x1p+0, 0x1.998p-4 (of 0.1), 65504 (of 65519), nan.
// CHECK: tensor<fp16, [10]> a = const()[val = tensor<fp16, [10]>(BLOBFILE(path = string("@model_path/weights/weight.bin"), offset = uint64(64)))];
// The same bytes as the same type are stored once, under any shape.
// CHECK: tensor<fp16, [2, 5]> a2 = {{.*}} offset = uint64(64)
// CHECK: tensor<fp32, [10]> b = {{.*}} offset = uint64(192)
// CHECK: tensor<int8, [11]> c = {{.*}} offset = uint64(320)
// CHECK: tensor<int32, [10]> d = {{.*}} offset = uint64(448)
// CHECK: tensor<uint3, [11]> e = {{.*}} offset = uint64(576)
// Few elements stay in the text.
// CHECK: tensor<fp32, [2]> f = const()[val = tensor<fp32, [2]>([0x0p+0, 0x1p+0])];

// BLOB: 05 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-3: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// a at 0x40: magic, fp16, 20 bytes at 0x80
// BLOB-NEXT: ef be ad de 01 00 00 00 14 00 00 00 00 00 00 00
// BLOB-NEXT: 80 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 00 00 3c 66 2e ff 7b 00 7e 00 00 00 3c 00 3c
// BLOB-NEXT: 00 3c 00 bc 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// b at 0xc0: magic, fp32, 40 bytes at 0x100
// BLOB-NEXT: ef be ad de 02 00 00 00 28 00 00 00 00 00 00 00
// BLOB-NEXT: 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 00 00 00 00 00 80 3f cd cc cc 3d 00 ef 7f 47
// BLOB-NEXT: 00 00 c0 7f 00 00 00 00 00 00 80 3f 00 00 80 3f
// BLOB-NEXT: 00 00 80 3f 00 00 80 bf 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// c at 0x140: int8, 11 bytes at 0x180
// BLOB-NEXT: ef be ad de 04 00 00 00 0b 00 00 00 00 00 00 00
// BLOB-NEXT: 80 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 01 02 03 04 05 06 07 08 09 ff 00 00 00 00 00
// BLOB-COUNT-3: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// d at 0x1c0: int32, 40 bytes at 0x200
// BLOB-NEXT: ef be ad de 0e 00 00 00 28 00 00 00 00 00 00 00
// BLOB-NEXT: 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00
// BLOB-NEXT: 04 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00
// BLOB-NEXT: 08 00 00 00 ff ff ff ff 00 00 00 00 00 00 00 00
// BLOB-NEXT: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// e at 0x240: uint3, 5 bytes, 7 bits of the last unused; the file ends with the data
// 0..7,0,1,2: 10001000 11000110 11111010 10001000 ......0 with the first element lowest
// BLOB-NEXT: ef be ad de 0c 00 00 00 05 00 00 00 00 00 00 00
// BLOB-NEXT: 80 02 00 00 00 00 00 00 07 00 00 00 00 00 00 00
// BLOB-COUNT-2: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
// BLOB-NEXT: 88 c6 fa 88 00

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    %a = mil.const dense_resource<f> : tensor<10xf32> {} as "a" : tensor<10xf16>
    %a2 = mil.const dense_resource<f> : tensor<2x5xf32> {} as "a2" : tensor<2x5xf16>
    %b = mil.const dense_resource<f> : tensor<10xf32> {} as "b" : tensor<10xf32>
    %c = mil.const dense_resource<i8> : tensor<11xi8> {} as "c" : tensor<11xi8>
    %d = mil.const dense_resource<i32> : tensor<10xi32> {} as "d" : tensor<10xi32>
    %e = mil.const dense_resource<ui3> : tensor<11xui3> {} as "e" : tensor<11xui3>
    %f = mil.const dense_resource<small> : tensor<2xf32> {} as "f" : tensor<2xf32>
    mil.return
  }
}

{-#
  dialect_resources: {
    builtin: {
      f: "0x04000000000000000000803FCDCCCC3D00EF7F470000C07F000000000000803F0000803F0000803F000080BF",
      i8: "0x0400000000010203040506070809FF",
      i32: "0x04000000000000000100000002000000030000000400000005000000060000000700000008000000FFFFFFFF",
      ui3: "0x040000000001020304050607000102",
      small: "0x04000000000000000000803F"
    }
  }
#-}
