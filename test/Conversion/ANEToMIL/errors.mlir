// RUN: ane-opt %s --convert-ane-to-mil=opset=ios16 --split-input-file --verify-diagnostics
// RUN: not ane-opt %s --convert-ane-to-mil=opset=ios14 2>&1 | FileCheck %s --check-prefix=OPSET
// RUN: not ane-opt %s --convert-ane-to-mil=io=int8 2>&1 | FileCheck %s --check-prefix=IO
// RUN: not ane-opt %s --convert-ane-to-mil=opset=ios15 2>&1 | FileCheck %s --check-prefix=OLD
// OPSET: error: opset is 'ios14', but must be one of ios15 to ios18, or ios26
// IO: error: io is 'int8', but must be fp16 or fp32
// OLD: error: opset ios15 has no fp16 inputs and outputs; use io=fp32 or ios16

func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.abs' op has no counterpart in MIL; only the tensor level of the ane dialect has (run convert-tosa-to-ane first)}}
  %y = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{has an argument or result of type 'tensor<?xf16>', but MIL functions here take and give tensors of static shape}}
func.func @dynamic(%x: tensor<?xf16>) {
  return
}

// -----

// expected-error @+1 {{has no body of one block, which a MIL function is}}
func.func private @declared(%x: tensor<4xf16>)

// -----

// expected-error @+1 {{module has no function to convert to MIL}}
module {
}

// -----

func.func @cast(%x: tensor<1x4xf16>) -> tensor<1x4xi8> {
  // expected-error @+1 {{needs 8-bit integers, which MIL casts from opset ios17 on, not in ios16}}
  %y = ane.cast %x : tensor<1x4xf16> -> tensor<1x4xi8>
  return %y : tensor<1x4xi8>
}

// -----

func.func @nearest(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x6x8xf16> {
  // expected-error @+1 {{takes 4 x 4 to 6 x 8, but nearest sampling in MIL is known for whole factors without aligned corners; use bilinear sampling or another size}}
  %y = ane.resize nearest %x : tensor<1x2x4x4xf16> -> tensor<1x2x6x8xf16>
  return %y : tensor<1x2x6x8xf16>
}

// -----

func.func @overflow(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  // expected-error @+1 {{has a parameter of 1.000000e+06, but fp16 ends at 65504}}
  %y = ane.elementwise add %x, %x {scale = 1.0e6 : f32} : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16> -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// -----

// expected-error @+1 {{works on 'tensor<1x0x4x4xf16>', which holds no elements; leave the op out}}
func.func @empty(%x: tensor<1x0x4x4xf16>) -> tensor<1x0x4x4xf16> {
  return %x : tensor<1x0x4x4xf16>
}

// -----

func.func @bytes(%x: tensor<1x4xui8>) -> tensor<1x4xui8> {
  // expected-error @+1 {{computes 'tensor<1x4xui8>', but MIL computes on fp16 and fp32; cast to f16 before it and back after it}}
  %y = ane.activation %x {function = #ane.act<gelu>} : tensor<1x4xui8> -> tensor<1x4xui8>
  return %y : tensor<1x4xui8>
}

// -----

func.func @one_of_two(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  return %x : tensor<1x4xf16>
}
// expected-error @+1 {{name is 'two.of.two', but an identifier of MIL has letters, digits and '_' and begins with no digit; rename it}}
func.func @two.of.two(%x: tensor<1x4xf16>) -> tensor<1x4xf16> {
  return %x : tensor<1x4xf16>
}

// -----

// expected-error @+1 {{argument #0 has 6 dimensions, but a tensor of MIL has at most 5; reshape it}}
func.func @rank(%x: tensor<1x2x3x4x5x6xf16>) -> tensor<720xf16> {
  %y = ane.reshape %x : tensor<1x2x3x4x5x6xf16> -> tensor<720xf16>
  return %y : tensor<720xf16>
}

// -----

func.func @repeated(%x: tensor<720xf16>) -> tensor<1440xf16> {
  %0 = ane.reshape %x : tensor<720xf16> -> tensor<1x2x3x4x5x6xf16>
  // expected-error @+1 {{works on 'tensor<1x2x3x4x5x6xf16>', but a tensor of MIL has at most 5 dimensions; reshape it to fewer before}}
  %1 = ane.tile %0 {repeats = array<i64: 1, 1, 1, 2, 1, 1>} : tensor<1x2x3x4x5x6xf16> -> tensor<1x2x3x8x5x6xf16>
  %2 = ane.reshape %1 : tensor<1x2x3x8x5x6xf16> -> tensor<1440xf16>
  return %2 : tensor<1440xf16>
}
