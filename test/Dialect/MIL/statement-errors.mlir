// One case for each rule of lib/Dialect/MIL/IR/Signature.cpp; mil_results, which
// MLIR itself checks for IR, has its case in test/Target/MIL/from-mil-errors.test.
// RUN: ane-opt %s --split-input-file --verify-diagnostics

mil.program version "1.3" {} {
  mil.func @mil_opset opset "ios16" (%x: tensor<1x2x4x8xf16>) names ["x"] {} {
    // expected-error @+1 {{came with ios18, but the function has ios16; raise its opset or use older operations}}
    %y = mil.scaled_dot_product_attention(query = %x, key = %x, value = %x) {} : (tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>) -> tensor<1x2x4x8xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_argument opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{there is no argument 'y' of relu}}
    %y = mil.relu(y = %x) {} : (tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_argument_twice opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{argument 'x' is given twice}}
    %y = mil.relu(x = %x, x = %x) {} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_argument_tuple opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    %a = mil.const 0 : i32 {} : i32
    // expected-error @+1 {{a tuple in parentheses is expected for 'values' of concat}}
    %y = mil.concat(values = %x, axis = %a) {} : (tensor<4xf16>, i32) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_argument_single opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{one value without parentheses is expected for 'x' of relu}}
    %y = mil.relu(x = (%x)) {} : (tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_since opset "ios16" (%x: tensor<4xf16>) names ["x"] {} {
    %d = mil.const "int32" : !mil.string {} : !mil.string
    // expected-error @+1 {{argument 'output_dtype' belongs to ios17 and later, but the function has ios16}}
    %y = mil.reduce_argmax(x = %x, output_dtype = %d) {} : (tensor<4xf16>, !mil.string) -> tensor<1xi32>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_since_until opset "ios18" (%x: tensor<4xf16>, %r: tensor<4xf16>) names ["x", "r"] {} {
    // expected-error @+1 {{argument 'roi' belongs to ios15 to ios16, but the function has ios18}}
    %y = mil.crop_resize(x = %x, roi = %r) {} : (tensor<4xf16>, tensor<4xf16>) -> tensor<1xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_required opset "ios18" (%x: tensor<1x4x8x8xf16>) names ["x"] {} {
    // expected-error @+1 {{conv needs an argument 'weight'}}
    %y = mil.conv(x = %x) {} : (tensor<1x4x8x8xf16>) -> tensor<1x4x8x8xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_required_attribute opset "ios16" () names [] {} {
    // expected-error @+1 {{needs an argument 'source_val'}}
    %y = mil.constexpr_cast() {output_dtype = "fp32" : !mil.string} : () -> tensor<4xf32>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_constant opset "ios18" (%x: tensor<4xf16>, %a: i32) names ["x", "a"] {} {
    // expected-error @+1 {{argument 'axis' is computed, but must be a constant}}
    %y = mil.softmax(x = %x, axis = %a) {} : (tensor<4xf16>, i32) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element opset "ios18" (%x: tensor<4xi32>) names ["x"] {} {
    // expected-error @+1 {{argument 'x' has elements of type int32, but in ios18 must have fp16 or fp32}}
    %y = mil.relu(x = %x) {} : (tensor<4xi32>) -> tensor<4xi32>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element_opset opset "ios16" (%x: tensor<4xi8>) names ["x"] {} {
    %a = mil.const dense<0> : tensor<1xi32> {} : tensor<1xi32>
    // expected-error @+1 {{argument 'x' has elements of type int8, but in ios16 must have bool, fp16, fp32 or int32}}
    %y = mil.expand_dims(x = %x, axes = %a) {} : (tensor<4xi8>, tensor<1xi32>) -> tensor<1x4xi8>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element_state opset "ios18" (%s: !mil.state<tensor<4xf16>>) names ["s"] {} {
    // expected-error @+1 {{argument 'x' is a state; read it with read_state}}
    %y = mil.relu(x = %s) {} : (!mil.state<tensor<4xf16>>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element_no_state opset "ios18" (%s: tensor<4xf16>) names ["s"] {} {
    // expected-error @+1 {{argument 'input' has type tensor<4xf16>, but must be a state}}
    %y = mil.read_state(input = %s) {} : (tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element_no_list opset "ios18" (%s: tensor<4xf16>) names ["s"] {} {
    // expected-error @+1 {{argument 'ls' has type tensor<4xf16>, but must be a list}}
    %y = mil.list_length(ls = %s) {} : (tensor<4xf16>) -> i32
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_element_no_tensor opset "ios18" (%s: !mil.list<f16, 2>) names ["s"] {} {
    // expected-error @+1 {{argument 'x' has type !mil.list<f16, 2>, but must be a tensor or a scalar}}
    %y = mil.relu(x = %s) {} : (!mil.list<f16, 2>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_variable opset "ios18" (%x: tensor<4xf16>, %y: tensor<4xf32>) names ["x", "y"] {} {
    // expected-error @+1 {{'y' has elements of type fp32, but must have those of 'x', which are fp16; insert a cast}}
    %z = mil.add(x = %x, y = %y) {} : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
    mil.return
  }
}

// -----

// Before ios17 a parameter shares the type of x.
mil.program version "1.3" {} {
  mil.func @new opset "ios17" (%x: tensor<4xf16>) names ["x"] {} {
    %a = mil.const 1.0 : f32 {} : f32
    %z = mil.leaky_relu(x = %x, alpha = %a) {} : (tensor<4xf16>, f32) -> tensor<4xf16>
    mil.return
  }
  mil.func @mil_variable_opset opset "ios16" (%x: tensor<4xf16>) names ["x"] {} {
    %a = mil.const 1.0 : f32 {} : f32
    // expected-error @+1 {{'alpha' has elements of type fp32, but must have those of 'x', which are fp16; insert a cast}}
    %z = mil.leaky_relu(x = %x, alpha = %a) {} : (tensor<4xf16>, f32) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_result_type opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{result 'result' has elements of type fp32, but 'x' has fp16}}
    %y = mil.relu(x = %x) {} : (tensor<4xf16>) -> tensor<4xf32>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_result_type_fixed opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{result 'result' has elements of type fp16, but must have bool}}
    %y = mil.equal(x = %x, y = %x) {} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_result_type_named opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    %d = mil.const "int32" : !mil.string {} : !mil.string
    // expected-error @+1 {{result 'result' has elements of type fp32, but 'dtype' says int32}}
    %y = mil.cast(x = %x, dtype = %d) {} : (tensor<4xf16>, !mil.string) -> tensor<4xf32>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_shape_same opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{result has shape [5], but 'x' gives [4]}}
    %y = mil.relu(x = %x) {} : (tensor<4xf16>) -> tensor<5xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_shape_broadcast opset "ios18" (%x: tensor<4x1xf16>, %y: tensor<3xf16>) names ["x", "y"] {} {
    // expected-error @+1 {{result has shape [4, 4], but 'x', 'y' give [4, 3]}}
    %z = mil.add(x = %x, y = %y) {} : (tensor<4x1xf16>, tensor<3xf16>) -> tensor<4x4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_shape_no_broadcast opset "ios18" (%x: tensor<4xf16>, %y: tensor<3xf16>) names ["x", "y"] {} {
    // expected-error @+1 {{shape [3] of 'y' does not broadcast with [4] of 'x'}}
    %z = mil.add(x = %x, y = %y) {} : (tensor<4xf16>, tensor<3xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @mil_shape_count opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    %p = mil.const dense<0> : tensor<1xi32> {} : tensor<1xi32>
    // expected-error @+1 {{result has 6 elements, but 'x' has 4}}
    %z = mil.transpose(x = %x, perm = %p) {} : (tensor<4xf16>, tensor<1xi32>) -> tensor<6xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @names opset "ios18" (%x: tensor<4xf16>) names ["x"] {} {
    // expected-error @+1 {{has 2 result names for 1 results}}
    %z = mil.relu(x = %x) {} as "a", "b" : (tensor<4xf16>) -> tensor<4xf16>
    mil.return
  }
}

// -----

mil.program version "1.3" {} {
  mil.func @attribute_twice opset "ios16" () names [] {} {
    %d = mil.const "fp32" : !mil.string {} : !mil.string
    %v = mil.const dense<1.0> : tensor<4xf16> {} : tensor<4xf16>
    // expected-error @+1 {{argument 'output_dtype' is given twice, the second time as an attribute}}
    %y = mil.constexpr_cast(source_val = %v, output_dtype = %d) {output_dtype = "fp32" : !mil.string} : (tensor<4xf16>, !mil.string) -> tensor<4xf32>
    mil.return
  }
}
