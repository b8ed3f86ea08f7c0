// RUN: ane-opt %s --split-input-file --verify-diagnostics --convert-tosa-to-ane

// expected-error @+1 {{argument #0 has the dynamic type 'tensor<?x4xf32>', but a program for the engine has fixed shapes; give every dimension a size}}
func.func @dynamic_argument(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{result #0 of 'tosa.exp' has the dynamic type 'tensor<?x4xf32>'}}
  %0 = tosa.exp %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// expected-error @+1 {{argument #0 has the unranked type 'tensor<*xf32>', but a program for the engine has fixed shapes; give it a rank and sizes}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// expected-error @+1 {{argument #0 has the type 'tensor<0x4xf32>', which holds no elements}}
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  return %x : tensor<0x4xf32>
}

// -----

// expected-error @+1 {{argument #1 has the type 'tensor<4xi64>', but only tensors of f32, f16, bf16, i8, ui8 and i1 can enter and leave the engine; compute anything else outside of the network}}
func.func @integers(%x: tensor<4xf32>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.custom' cannot be imported: the ane dialect has no op for it; rewrite it with supported ops or run this part of the network on the host}}
  %0 = tosa.custom %x {operator_name = "mine", domain_name = "test", implementation_attrs = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @to_integer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.cast' op makes 'i16' of 'f32', but the engine makes f16, f32, booleans, i8 of floats and i32 only; compute on other types outside of the network}}
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi16>
  %1 = tosa.cast %0 : (tensor<4xi16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @integer_arithmetic(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = "tosa.const"() <{values = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
  // expected-error @+1 {{'tosa.add' op computes 'tensor<4xi32>', but the engine computes on floats; do it outside of the network}}
  %0 = tosa.add %c, %c : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = tosa.cast %0 : (tensor<4xi32>) -> tensor<4xf32>
  %2 = tosa.add %1, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @large_integer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = "tosa.const"() <{values = dense<[1, 16777217]> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-error @+1 {{'tosa.cast' op operand #0 has the type 'tensor<2xi32>', which the engine does not compute on; it knows tensors of f32, f16, 8-bit integers and booleans}}
  %0 = tosa.cast %c : (tensor<2xi32>) -> tensor<2xf32>
  %1 = tosa.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @zero_point(%x: tensor<1x4x4xf32>, %zp: tensor<1xf32>) -> tensor<1x4x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.matmul' op has a zero point of b that is not a constant}}
  %0 = tosa.matmul %x, %x, %zero, %zp : (tensor<1x4x4xf32>, tensor<1x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// -----

func.func @product(%x: tensor<1x17xf32>) -> tensor<1x1xf32> {
  // expected-error @+1 {{'tosa.reduce_product' op multiplies 17 elements, but at most 16 can be imported; use a sum of logarithms}}
  %0 = tosa.reduce_product %x {axis = 1 : i32} : (tensor<1x17xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

func.func @padding_value(%x: tensor<1x4xf32>, %value: tensor<1xf32>) -> tensor<1x6xf32> {
  %padding = tosa.const_shape {values = dense<[0, 0, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  // expected-error @+1 {{'tosa.pad' op has a padding value that is not a constant}}
  %0 = tosa.pad %x, %padding, %value : (tensor<1x4xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<1x6xf32>
  return %0 : tensor<1x6xf32>
}

// -----

func.func @computed_shape(%x: tensor<1x4xf32>) -> tensor<2x2xf32> {
  %a = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.mod_shape %a, %z : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.slice' op has a start that does not follow from constants and sizes, but a program for the engine has fixed shapes; make it a tosa.const_shape}}
  %0 = tosa.slice %x, %b, %a : (tensor<1x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @exponent(%x: tensor<2xf32>) -> tensor<2xf32> {
  %n = arith.constant dense<[2, 3]> : tensor<2xi32>
  // expected-error @+1 {{'math.fpowi' op has an exponent that is not one constant for all elements; use an elementwise power of floats}}
  %0 = math.fpowi %x, %n : tensor<2xf32>, tensor<2xi32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{function has 2 blocks, but control flow cannot be imported; the body must be one block}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
^bb1:
  return %x : tensor<2xf32>
}

// -----

func.func @gather(%x: tensor<1x4x2xf32>, %unused: tensor<1x1xf32>) -> tensor<1x2x2xf32> {
  %i = "tosa.const"() <{values = dense<[[1, 4]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  // expected-error @+1 {{'tosa.gather' op reads row 4, but there are 4}}
  %0 = tosa.gather %x, %i : (tensor<1x4x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}

// -----

func.func @select(%x: tensor<4xi1>) -> tensor<4xi32> {
  %a = "tosa.const"() <{values = dense<[1, 2, 2051, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
  // expected-error @+1 {{'tosa.select' has integers of the network next to 2051, which fp16 does not hold exactly; compute them outside of the network}}
  %0 = tosa.select %x, %a, %a : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @resize_factors(%x: tensor<1x1x8000x1xf32>) -> tensor<1x1x8000x1xf32> {
  %scale = tosa.const_shape {values = dense<[1, 1, 4, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{takes 1 x 8000 pixels to 1 x 8000 at positions of no known mode, which needs more than 2^25 factors for an axis; resize parts of the image}}
  %0 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x1x8000x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x8000x1xf32>
  return %0 : tensor<1x1x8000x1xf32>
}

// -----

func.func @table(%x: tensor<4xi8>, %t: tensor<256xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{'tosa.table' op has a table that is not a constant}}
  %0 = tosa.table %x, %t : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @table_of_number(%x: tensor<i8>) -> tensor<i8> {
  %t = "tosa.const"() <{values = dense<0> : tensor<256xi8>}> : () -> tensor<256xi8>
  // expected-error @+1 {{'tosa.table' op has a table of 256 elements for 'tensor<i8>', but only one of 256 for the bytes of a tensor with dimensions can be imported}}
  %0 = tosa.table %x, %t : (tensor<i8>, tensor<256xi8>) -> tensor<i8>
  return %0 : tensor<i8>
}

// -----

func.func @shifted_product(%x: tensor<4xi8>, %s: tensor<1xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{'tosa.mul' op has a shift that is not a constant}}
  %0 = tosa.mul %x, %x, %s : (tensor<4xi8>, tensor<4xi8>, tensor<1xi8>) -> tensor<4xi32>
  %1 = tosa.cast %0 : (tensor<4xi32>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}

// -----

func.func @volume_of_bytes(%x: tensor<1x4x4x4x2xi8>) -> tensor<1x4x4x4x3xi32> {
  %w = "tosa.const"() <{values = dense<1> : tensor<3x1x1x1x2xi8>}> : () -> tensor<3x1x1x1x2xi8>
  %b = "tosa.const"() <{values = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{has volumes of bytes, which cannot be imported; use floating-point numbers}}
  %0 = tosa.conv3d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>}
    : (tensor<1x4x4x4x2xi8>, tensor<3x1x1x1x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4x3xi32>
  return %0 : tensor<1x4x4x4x3xi32>
}

// -----

func.func @long_search(%x: tensor<2x2050xf32>) -> tensor<2xi32> {
  // expected-error @+1 {{searches 2050 elements, but indices are computed in fp16, which counts no further than 2048; search slices of the dimension, or search on the host}}
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x2050xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @inexact_integer(%x: tensor<2x2049xf32>) -> tensor<2xi1> {
  %c = "tosa.const"() <{values = dense<2049> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<2x2049xf32>) -> tensor<2xi32>
  // expected-error @+1 {{'tosa.equal' has integers of the network next to 2049, which fp16 does not hold exactly; compute them outside of the network}}
  %1 = tosa.equal %0, %c : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi1>
  return %1 : tensor<2xi1>
}

// -----

func.func @sum_of_indices(%x: tensor<4x5xf32>) -> tensor<1xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x5xf32>) -> tensor<4xi32>
  // expected-error @+1 {{computes 'tensor<1xi32>', but the engine computes on floats; do it outside of the network}}
  %1 = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<4xi32>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}

// -----

func.func @product_of_indices(%x: tensor<4x5xf32>) -> tensor<1xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x5xf32>) -> tensor<4xi32>
  // expected-error @+1 {{computes 'tensor<1xi32>', but the engine computes on floats; do it outside of the network}}
  %1 = tosa.reduce_product %0 {axis = 0 : i32} : (tensor<4xi32>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}

// -----

func.func @known_integers(%x: tensor<4xf32>) -> tensor<2xi32> {
  %c = "tosa.const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-error @+1 {{operand #0 is of integers that are known at compile time; return them outside of the network}}
  return %c : tensor<2xi32>
}

// -----

func.func @gather_far(%x: tensor<1x5x7xf32>, %t: tensor<1x2049x3xf32>) -> tensor<1x5x3xf32> {
  %0 = tosa.argmax %x {axis = 2 : i32} : (tensor<1x5x7xf32>) -> tensor<1x5xi32>
  // expected-error @+1 {{reads at computed indices among 2049 elements, but they are computed in fp16, which counts no further than 2048; gather on the host}}
  %1 = tosa.gather %t, %0 : (tensor<1x2049x3xf32>, tensor<1x5xi32>) -> tensor<1x5x3xf32>
  return %1 : tensor<1x5x3xf32>
}

// -----

func.func @scatter_twice(%x: tensor<1x4x3xf32>, %y: tensor<1x2x3xf32>) -> tensor<1x4x3xf32> {
  %i = "tosa.const"() <{values = dense<1> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  // expected-error @+1 {{writes row 1 twice, which TOSA does not permit}}
  %0 = tosa.scatter %x, %i, %y : (tensor<1x4x3xf32>, tensor<1x2xi32>, tensor<1x2x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

// -----

func.func @scatter_outside(%x: tensor<1x4x3xf32>, %y: tensor<1x1x3xf32>) -> tensor<1x4x3xf32> {
  %i = "tosa.const"() <{values = dense<4> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  // expected-error @+1 {{writes row 4, but there are 4}}
  %0 = tosa.scatter %x, %i, %y : (tensor<1x4x3xf32>, tensor<1x1xi32>, tensor<1x1x3xf32>) -> tensor<1x4x3xf32>
  return %0 : tensor<1x4x3xf32>
}

// -----

func.func @scatter_far(%x: tensor<1x2049x3xf32>, %y: tensor<1x1x3xf32>, %s: tensor<1x1x4xf32>) -> tensor<1x2049x3xf32> {
  %i = tosa.argmax %s {axis = 2 : i32} : (tensor<1x1x4xf32>) -> tensor<1x1xi32>
  // expected-error @+1 {{reads at computed indices among 2049 elements, but they are computed in fp16}}
  %0 = tosa.scatter %x, %i, %y : (tensor<1x2049x3xf32>, tensor<1x1xi32>, tensor<1x1x3xf32>) -> tensor<1x2049x3xf32>
  return %0 : tensor<1x2049x3xf32>
}

// -----

func.func @scatter_batches(%x: tensor<65x2x3xf32>, %y: tensor<65x1x3xf32>) -> tensor<65x2x3xf32> {
  %i = "tosa.const"() <{values = dense<"0x0000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000"> : tensor<65x1xi32>}> : () -> tensor<65x1xi32>
  // expected-error @+1 {{writes other rows in each of 65 batches, but only 64 can be imported; cut them into parts}}
  %0 = tosa.scatter %x, %i, %y : (tensor<65x2x3xf32>, tensor<65x1xi32>, tensor<65x1x3xf32>) -> tensor<65x2x3xf32>
  return %0 : tensor<65x2x3xf32>
}

// -----

func.func @fft_large(%x: tensor<1x4096x1xf32>) -> tensor<1x4096x1xf32> {
  // expected-error @+1 {{transforms 4096 x 1 numbers, which needs matrices of more than 33554432 factors; transform on the host}}
  %re, %im = tosa.rfft2d %x : (tensor<1x4096x1xf32>) -> (tensor<1x4096x1xf32>, tensor<1x4096x1xf32>)
  return %re : tensor<1x4096x1xf32>
}

// -----

tosa.variable @v = dense<2.0> : tensor<4xf32>
func.func @variable(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{reads a variable, but the engine keeps no state between runs; make it an argument, and the value that is written to it a result}}
  %v = tosa.variable_read @v : tensor<4xf32>
  tosa.variable_write @v, %x : tensor<4xf32>
  return %v : tensor<4xf32>
}

// -----

tosa.variable @v = dense<2.0> : tensor<4xf32>
func.func @variable_write(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{writes a variable, but the engine keeps no state between runs; return the value}}
  tosa.variable_write @v, %x : tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

func.func @bits(%x: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error @+1 {{computes with the bits of integers, but the engine computes on floats; compute with floats, or run it on the host}}
  %0 = tosa.bitwise_not %x : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @custom(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.custom' cannot be imported: the ane dialect has no op for it; rewrite it with supported ops or run this part of the network on the host}}
  %0 = tosa.custom %x {domain_name = "d", implementation_attrs = "", operator_name = "o"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
