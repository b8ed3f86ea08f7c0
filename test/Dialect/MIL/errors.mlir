// RUN: ane-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{version is '2.0', but must be '1.0' or '1.3'}}
mil.program version "2.0" {} {
}

// -----

mil.program version "1.3" {} {
  // expected-error @+1 {{is not a mil.func, but stands in a mil.program}}
  "mil.return"() : () -> ()
}

// -----

mil.program version "1.3" {} {
  // expected-error @+1 {{opset is 'iosX', but must be like 'ios18'}}
  mil.func @main opset "iosX" () names [] {} {
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  // expected-error @+1 {{has 0 argument names for 1 arguments}}
  mil.func @main opset "ios18" (%x: f16) names [] {} {
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{name 'x' is given twice}}
    %y = mil.op "relu"(x = %x) {} as "x" : (f16) -> f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{name '1y' is not an identifier}}
    %y = mil.const 1 : i32 {} as "1y" : i32
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    // expected-error @+1 {{value has type 'i32', but the result has type 'f16'; only f32 elements may be rounded, to f16}}
    %y = mil.const 1 : i32 {} : f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{operation 'a b' is not an identifier}}
    %y = mil.op "a b"(x = %x) {} : (f16) -> f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{argument name "x" is no identifier or stands twice}}
    %y = mil.op "add"(x = %x, x = %x) {} : (f16, f16) -> f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{has 2 result names for 1 results}}
    %y = mil.op "relu"(x = %x) {} as "p", "q" : (f16) -> f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{segments cover 2 operands of 1}}
    %y = "mil.op"(%x) <{op_type = "relu", arg_names = ["x"], segments = array<i32: 2>, op_attributes = {}, result_names = []}> : (f16) -> f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    // expected-error @+1 {{'mil.written' has numbers for 'val' that are not those of its value before rounding; remove them}}
    %y = mil.const 1.0 : f16 {} attributes {mil.written = {val = dense<1.0e-05> : tensor<1xf64>}} : f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    // expected-error @+1 {{'mil.written' has numbers for 'val' that are not those of its value before rounding; remove them}}
    %y = mil.const dense<1.0> : tensor<2xf16> {} attributes {mil.written = {val = dense<1.0> : tensor<1xf64>}} : tensor<2xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    // expected-error @+1 {{'mil.written' must be a dictionary, on a statement or a constant}}
    %y = mil.const 1.0 : f16 {} attributes {mil.written = 1 : i32} : f16
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @main opset "ios18" () names [] {} {
    // expected-error @+1 {{'mil.other' is no attribute of the mil dialect}}
    %y = mil.const 1.0 : f16 {} attributes {mil.other} : f16
    mil.return
  }
}

// -----

// An op that lacks what a function would look at.
mil.program version "1.3" {} {
  mil.func @main opset "ios18" (%x: f16) names ["x"] {} {
    // expected-error @+1 {{requires attribute 'result_names'}}
    %y = "mil.op"(%x) <{op_type = "relu", arg_names = ["x"], segments = array<i32: -1>, op_attributes = {}}> : (f16) -> f16
    mil.return
  }
}
