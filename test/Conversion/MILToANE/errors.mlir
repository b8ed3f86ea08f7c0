// What the reader of MIL text refuses already, but IR can hold.
//
// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-mil-to-ane

mil.program version "1.3" {} {
  mil.func @missing opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{'add' has no argument 'y', but needs one}}
    %y = mil.op "add"(x = %x) {} as "y" : (tensor<4xf16>) -> tensor<4xf16>
    mil.return %y : tensor<4xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @declared opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{'relu' is declared with the shape [5], but its arguments give [4]}}
    %y = mil.op "relu"(x = %x) {} as "y" : (tensor<4xf16>) -> tensor<5xf16>
    mil.return %y : tensor<5xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @shape opset "ios18" (%x: tensor<4x6xf16>) names ["x"] {} {
    %s = mil.const inline dense<[3, 8]> : tensor<2xi32> {} : tensor<2xi32>
    // expected-error @+1 {{'reshape' has the shape [3, 8], but is declared with [3, 9]}}
    %y = mil.op "reshape"(shape = %s, x = %x) {} as "y" : (tensor<2xi32>, tensor<4x6xf16>) -> tensor<3x9xf16>
    mil.return %y : tensor<3x9xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @elements opset "ios18" (%x: tensor<4x6xf16>) names ["x"] {} {
    %s = mil.const inline dense<[5, 5]> : tensor<2xi32> {} : tensor<2xi32>
    // expected-error @+1 {{'reshape' makes 25 elements of the 24 of 'tensor<4x6xf16>'}}
    %y = mil.op "reshape"(shape = %s, x = %x) {} as "y" : (tensor<2xi32>, tensor<4x6xf16>) -> tensor<5x5xf16>
    mil.return %y : tensor<5x5xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @squeeze opset "ios18" (%x: tensor<4x6xf16>) names ["x"] {} {
    %s = mil.const inline dense<[0]> : tensor<1xi32> {} : tensor<1xi32>
    // expected-error @+1 {{'squeeze' removes dimension 0, which is 4, but must be 1}}
    %y = mil.op "squeeze"(axes = %s, x = %x) {} as "y" : (tensor<1xi32>, tensor<4x6xf16>) -> tensor<6xf16>
    mil.return %y : tensor<6xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @blocks opset "ios18" (%x: tensor<1x3x4x4xf16>) names ["x"] {} {
    %f = mil.const inline 2 : i32 {} : i32
    // expected-error @+1 {{'pixel_shuffle' has 3 channels, but blocks of 2x2 pixels must divide them}}
    %y = mil.op "pixel_shuffle"(upscale_factor = %f, x = %x) {} as "y" : (i32, tensor<1x3x4x4xf16>) -> tensor<1x1x8x8xf16>
    mil.return %y : tensor<1x1x8x8xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @unblocks opset "ios18" (%x: tensor<1x3x5x4xf16>) names ["x"] {} {
    %f = mil.const inline 2 : i32 {} : i32
    // expected-error @+1 {{'pixel_unshuffle' has an image of 5x4, but blocks of 2x2 pixels must divide it}}
    %y = mil.op "pixel_unshuffle"(downscale_factor = %f, x = %x) {} as "y" : (i32, tensor<1x3x5x4xf16>) -> tensor<1x12x2x2xf16>
    mil.return %y : tensor<1x12x2x2xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @image opset "ios18" (%x: tensor<3x5x4xf16>) names ["x"] {} {
    %f = mil.const inline 2 : i32 {} : i32
    // expected-error @+1 {{'pixel_unshuffle' has an input of rank 3, but must have one of rank 4}}
    %y = mil.op "pixel_unshuffle"(downscale_factor = %f, x = %x) {} as "y" : (i32, tensor<3x5x4xf16>) -> tensor<12x2x2xf16>
    mil.return %y : tensor<12x2x2xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @first opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    mil.return %x : tensor<4xf16>
  }
}
// expected-error @+1 {{the module has 2 programs, but one is compiled}}
mil.program version "1.3" {} {
}

// -----

mil.program version "1.3" {} {
  mil.func @shape opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{'shape' has no argument 'x', but needs one}}
    %s = mil.op "shape"(y = %x) {} as "s" : (tensor<4xf16>) -> tensor<1xi32>
    %y = mil.op "reshape"(x = %x, shape = %s) {} as "y" : (tensor<4xf16>, tensor<1xi32>) -> tensor<4xf16>
    mil.return %y : tensor<4xf16>
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @nothing opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{'cast' has no results, and only what writes a state has none}}
    mil.op "cast"(x = %x) {} : (tensor<4xf16>) -> ()
    mil.return %x : tensor<4xf16>
  }
}
