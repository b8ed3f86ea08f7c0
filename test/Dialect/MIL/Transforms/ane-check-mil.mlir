// RUN: ane-opt %s --pass-pipeline='builtin.module(mil.program(mil.func(ane-check-mil)))' --split-input-file --verify-diagnostics
// Programs of the ane dialect are checked on their way to text, which they still become.
// RUN: ane-translate --to-mil %S/Inputs/narrow.mlir 2>&1 | FileCheck %s
// CHECK: narrow.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: rule mil_4: input 'input0' has 16 bytes
// CHECK: -> (output0);

mil.program version "1.3" {} {
  // All is well: no remark.
  mil.func @main opset "ios18" (%x: tensor<1x32x32x32xf16>) names ["x"] {} {
    %a = mil.const 1 : i32 {} : i32
    %i = mil.const false {} : i1
    %y = mil.op "concat"(axis = %a, interleave = %i, values = (%x, %x)) {} as "y" : (i32, i1, tensor<1x32x32x32xf16>, tensor<1x32x32x32xf16>) -> tensor<1x64x32x32xf16>
    mil.return %y : tensor<1x64x32x32xf16>
  }
}

// -----

mil.program version "1.3" {} {
  // expected-remark @+6 {{rule mil_1: inputs are bound in the order of their names, which is not that of the function; rename them (seen on M4 Max, macOS 15)}}
  // expected-remark @+5 {{rule mil_4: input 'b' has 512 bytes and a last axis of 8; small surfaces and widths that are no multiple of 32 fail on some machines, so give it a surface of 49152 bytes or more}}
  // expected-remark @+4 {{rule mil_12: input 'a' has elements of type 'f32'; fp16 and uint8 are taken everywhere}}
  // expected-remark @+3 {{rule mil_1: outputs are bound in the order}}
  // expected-remark @+2 {{rule mil_12: output 'a' has elements of type 'f32'}}
  // expected-remark @+1 {{rule mil_4: output 'b' has 512 bytes}}
  mil.func @main opset "ios18" (%b: tensor<1x4x8x8xf16>, %a: tensor<1x32x32x32xf32>) names ["b", "a"] {} {
    mil.return %b, %a : tensor<1x4x8x8xf16>, tensor<1x32x32x32xf32>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: tensor<1x32x32x32xf16>) names ["x"] {} {
    %w = mil.const #mil.blobfile<"w", 64> : tensor<32x32x1x1xf16> {} : tensor<32x32x1x1xf16>
    %wide = mil.const #mil.blobfile<"w", 64> : tensor<32x32x30x14xf16> {} : tensor<32x32x30x14xf16>
    %many = mil.const #mil.blobfile<"w", 64> : tensor<8x32000x1x1xf16> {} : tensor<8x32000x1x1xf16>
    %t = mil.const inline true {} : i1
    %neg = mil.const -1 : i32 {} : i32
    %axes = mil.const dense<[2, 3]> : tensor<2xi32> {} : tensor<2xi32>
    %begin = mil.const dense<[0, 0, 0, 1]> : tensor<4xi32> {} : tensor<4xi32>
    %pads = mil.const dense<[0, 1, 0, 0, 0, 0]> : tensor<6xi32> {} : tensor<6xi32>
    // expected-remark @+1 {{rule mil_7: attn_mask of scaled_dot_product_attention is ignored; use matmul, add, softmax, matmul}}
    %0 = mil.op "scaled_dot_product_attention"(attn_mask = %x, key = %x, query = %x, value = %x) {} : (tensor<1x32x32x32xf16>, tensor<1x32x32x32xf16>, tensor<1x32x32x32xf16>, tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_8: conv has an argument 'bias'; add the bias in a statement behind it (seen on M4 Max, macOS 15)}}
    %1 = mil.op "conv"(bias = %x, weight = %w, x = %x) {} : (tensor<1x32x32x32xf16>, tensor<32x32x1x1xf16>, tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_9: concat has no argument 'interleave'; give it, false}}
    %2 = mil.op "concat"(axis = %neg, values = (%x)) {} : (i32, tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+2 {{rule mil_9: axis of concat is not a constant that is 0 or more; count it from the front}}
    // expected-remark @+1 {{rule mil_24: argument 'interleave' is a literal; give it a const of its own}}
    %3 = mil.op "concat"(axis = %neg, interleave = %t, values = (%x)) {} : (i32, i1, tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_10: gelu is refused; write it with erf or tanh}}
    %4 = mil.op "gelu"(x = %x) {} : (tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_10: layer_norm is refused}}
    %5 = mil.op "layer_norm"(x = %x) {} : (tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    %6 = mil.op "reduce_sum"(axes = %axes, x = %x) {} : (tensor<2xi32>, tensor<1x32x32x32xf16>) -> tensor<1x32x1x1xf16>
    // expected-remark @+1 {{rule mil_11: rsqrt right behind reduce_sum fails; use pow with 0.5 or -0.5}}
    %7 = mil.op "rsqrt"(x = %6) {} : (tensor<1x32x1x1xf16>) -> tensor<1x32x1x1xf16>
    %8 = mil.op "fill"() {} : () -> tensor<1x32000x1x1xf16>
    // expected-remark @+1 {{rule mil_13: convolution has 32000 input channels, but 32000 are refused; use matmul}}
    %9 = mil.op "conv"(weight = %many, x = %8) {} : (tensor<8x32000x1x1xf16>, tensor<1x32000x1x1xf16>) -> tensor<1x8x1x1xf16>
    // expected-remark @+1 {{rule mil_14: result has rank 6, but 5 is the highest}}
    %10 = mil.op "reshape"(x = %x) {} : (tensor<1x32x32x32xf16>) -> tensor<1x1x1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_14: axis 1 of the result is 32768, but must be 1 to 16384}}
    %11 = mil.op "reshape"(x = %x) {} : (tensor<1x32x32x32xf16>) -> tensor<1x32768xf16>
    // expected-remark @+1 {{rule mil_15: kernel is 30 x 14, but 29 x 13 is the largest; split it}}
    %12 = mil.op "conv"(weight = %wide, x = %x) {} : (tensor<32x32x30x14xf16>, tensor<1x32x32x32xf16>) -> tensor<1x32x3x19xf16>
    // expected-remark @+1 {{rule mil_16: weight of a convolution is no constant and may be ignored; use matmul}}
    %13 = mil.op "conv"(weight = %9, x = %x) {} : (tensor<1x8x1x1xf16>, tensor<1x32x32x32xf16>) -> tensor<1x1x32x32xf16>
    // expected-remark @+1 {{rule mil_17: matmul has a constant operand; use a convolution with a 1 x 1 kernel}}
    %14 = mil.op "matmul"(x = %x, y = %w) {} : (tensor<1x32x32x32xf16>, tensor<32x32x1x1xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_18: slice begins at 1 of the last axis, where values over 4094 saturate; slice another axis}}
    %15 = mil.op "slice_by_size"(begin = %begin, x = %x) {} : (tensor<4xi32>, tensor<1x32x32x32xf16>) -> tensor<1x32x32x31xf16>
    // expected-remark @+1 {{rule mil_19: tile makes later evaluations fail; use concat}}
    %16 = mil.op "tile"(x = %x) {} : (tensor<1x32x32x32xf16>) -> tensor<1x32x32x32xf16>
    // expected-remark @+1 {{rule mil_20: pad touches an axis other than the last two; use concat with a constant}}
    %17 = mil.op "pad"(pad = %pads, x = %x) {} : (tensor<6xi32>, tensor<1x32x32x32xf16>) -> tensor<1x33x32x32xf16>
    mil.return
  }
}
