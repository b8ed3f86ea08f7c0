// The exact layout, in both spellings.
// RUN: ane-translate --to-mil %s | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=NEW
// RUN: sed 's/!mil.state<tensor<1x4xf16>>/tensor<1x4xf16>/g' %s | ane-translate --to-mil --mil-version=1.0 --opset=ios16 | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=OLD
// No newline at the end.
// RUN: ane-translate --to-mil %s | tail -c 4 | od -An -tx1 | FileCheck %s --check-prefix=END
// END: 29 3b 0a 7d
// RUN: ane-translate --to-mil %s -o %t.mil && ane-translate --to-mil %s | cmp - %t.mil

//      NEW:program(1.3)
// NEW-NEXT:[buildInfo = dict<string, string>({{[{][{]}}"a", "1"}, {"b", "say \"\\\""}})]
// NEW-NEXT:{
// NEW-NEXT:    func main<ios18>(state<tensor<fp16, [1, 4]>> s, tensor<fp16, [1, 4, 8, 8]> x) [Shapes = tuple<string, dict<string, list<tensor<int32, {{\[[?]\]}}>, ?>>>(("R", {{[{][{]}}"x", {{\[\[}}1, 2]]}}))] {
// NEW-NEXT:            int32 axis = const()[name = string("axis_op"), val = int32(-1)];
// NEW-NEXT:            string v0 = const()[val = string("fp16")];
// NEW-NEXT:            tensor<int32, [2, 2]> i = const()[val = tensor<int32, [2, 2]>({{\[\[}}1, -2], [3, 4]])];
// NEW-NEXT:            tensor<bool, [3]> b = const()[val = tensor<bool, [3]>([true, false, true])];
// NEW-NEXT:            tensor<string, [2]> t = const()[val = tensor<string, [2]>(["p", "q"])];
// NEW-NEXT:            tensor<uint8, [2]> u = const()[val = tensor<uint8, [2]>([255, 255])];
// NEW-NEXT:            tensor<fp16, [6]> h = const()[val = tensor<fp16, [6]>([0x1p-24, 0x1.ffcp+15, -inf, nan, -0x0p+0, 0x1.554p-2])];
// NEW-NEXT:            tensor<fp32, [4]> f = const()[val = tensor<fp32, [4]>([0x1p-149, 0x1.f0a3d8p-1, -0x1p+0, inf])];
// NEW-NEXT:            tensor<fp16, [2, 2]> w = const()[val = tensor<fp16, [2, 2]>({{\[\[}}0x1p+0, 0x1p+1], [0x1.8p+1, 0x1.998p-4]])];
// NEW-NEXT:            tensor<fp16, [16, 3]> g = const()[val = tensor<fp16, [16, 3]>(BLOBFILE(path = string("@model_path/w.bin"), offset = uint64(64)))];
// NEW-NEXT:            tensor<fp16, [1, 8, 8, 8]> y = concat(axis = axis, interleave = bool(false), values = (x, x))[name = string("y_op")];
// NEW-NEXT:            tensor<fp16, [1, 4, 8, 8]> p, tensor<fp16, [1, 4, 8, 8]> v1 = split(axis = axis, x = y);
// NEW-NEXT:            write_state(data = p, input = s)[axis = int32(2), name = string("ws")];
// NEW-NEXT:        } -> (y, p);
// NEW-NEXT:    func second<ios17>(fp32 z) {
// NEW-NEXT:        } -> (z);
// NEW-NEXT:}

//      OLD:program(1.0)
// OLD-NEXT:[buildInfo = dict<tensor<string, []>, tensor<string, []>>({{[{][{]}}"a", "1"}, {"b", "say \"\\\""}})]
//      OLD:    func main<ios16>({{.*}}) [Shapes = tuple<tensor<string, []>, dict<tensor<string, []>, list<tensor<int32, {{\[[?]\]}}>, ?>>>({{.*}})] {
// OLD-NEXT:            tensor<int32, []> axis = const()[name = tensor<string, []>("axis_op"), val = tensor<int32, []>(-1)];
// OLD-NEXT:            tensor<string, []> v0 = const()[val = tensor<string, []>("fp16")];
//      OLD:            tensor<fp16, [16, 3]> g = const()[val = tensor<fp16, [16, 3]>(BLOBFILE(path = tensor<string, []>("@model_path/w.bin"), offset = tensor<uint64, []>(64)))];
// OLD-NEXT:            tensor<fp16, [1, 8, 8, 8]> y = concat(axis = axis, interleave = tensor<bool, []>(false), values = (x, x))[name = tensor<string, []>("y_op")];
//      OLD:    func second<ios16>(tensor<fp32, []> z) {

mil.program version "1.3" {buildInfo = {"b" = "say \22\\\22", "a" = "1"}} {
  mil.func @main opset "ios18" (%x: tensor<1x4x8x8xf16>, %s: !mil.state<tensor<1x4xf16>>) names ["x", "s"]
      {Shapes = #mil.compound<["R", [["x", [[1 : i32, 2 : i32]]]]]> : !mil.tuple<!mil.string, !mil.dict<!mil.string, !mil.list<tensor<?xi32>, -1>>>} {
    %axis = mil.const -1 : i32 {name = "axis_op"} as "axis" : i32
    %i = mil.const inline false {} : i1
    %d = mil.const "fp16" : !mil.string {} : !mil.string
    %n = mil.const dense<[[1, -2], [3, 4]]> : tensor<2x2xi32> {} as "i" : tensor<2x2xi32>
    %b = mil.const dense<[true, false, true]> : tensor<3xi1> {} as "b" : tensor<3xi1>
    %t = mil.const dense<["p", "q"]> : tensor<2x!mil.string> {} as "t" : tensor<2x!mil.string>
    %u = mil.const dense<255> : tensor<2xui8> {} as "u" : tensor<2xui8>
    %h = mil.const dense<[0x0001, 0x7bff, 0xfc00, 0xfe01, 0x8000, 0x3555]> : tensor<6xf16> {} as "h" : tensor<6xf16>
    %f = mil.const dense<[0x00000001, 0x3f7851ec, -1.0, 0x7f800000]> : tensor<4xf32> {} as "f" : tensor<4xf32>
    %w = mil.const dense_resource<w0> : tensor<2x2xf32> {} as "w" : tensor<2x2xf16>
    %g = mil.const #mil.blobfile<"@model_path/w.bin", 64> : tensor<16x3xf16> {} as "g" : tensor<16x3xf16>
    %y = mil.op "concat"(values = (%x, %x), interleave = %i, axis = %axis) {name = "y_op"} as "y" : (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, i1, i32) -> tensor<1x8x8x8xf16>
    %p, %q = mil.op "split"(x = %y, axis = %axis) {} as "p", "" : (tensor<1x8x8x8xf16>, i32) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>)
    mil.op "write_state"(data = %p, input = %s) {name = "ws", axis = 2 : i32} : (tensor<1x4x8x8xf16>, !mil.state<tensor<1x4xf16>>) -> ()
    mil.return %y, %p : tensor<1x8x8x8xf16>, tensor<1x4x8x8xf16>
  }
  mil.func @second opset "ios17" (%z: f32) names ["z"] {} {
    mil.return %z : f32
  }
}

{-#
  dialect_resources: { builtin: { w0: "0x040000000000803F0000004000004040CDCCCC3D" } }
#-}
