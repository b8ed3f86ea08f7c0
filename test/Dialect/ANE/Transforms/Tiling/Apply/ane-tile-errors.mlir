// RUN: ane-opt %s -split-input-file -verify-diagnostics --ane-tile

func.func @outside_user(%x: tensor<1x4x16x8xf16>) -> tensor<1x4x16x8xf16> {
  %0 = ane.activation %x {function = #ane.act<relu>, ane.tile = #ane.tile<group = 0, dim = 2, size = 8>} : tensor<1x4x16x8xf16> -> tensor<1x4x16x8xf16>
  // expected-error @+1 {{is between the ops of group 0 and uses one of them; move it into the group or after it}}
  %1 = ane.activation %0 {function = #ane.act<abs>} : tensor<1x4x16x8xf16> -> tensor<1x4x16x8xf16>
  %2 = ane.elementwise add %0, %1 {ane.tile = #ane.tile<group = 0, dim = 2, size = 8>}
     : tensor<1x4x16x8xf16>, tensor<1x4x16x8xf16> -> tensor<1x4x16x8xf16>
  return %2 : tensor<1x4x16x8xf16>
}

// -----

func.func @cannot_be_cut(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{cannot be cut along dimension 3 of 'tensor<1x4x8x16xf16>'; remove its 'ane.tile'}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 3, size = 8>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c1(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{is cut along dimension 4, but has no result with that dimension}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 4, size = 8>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c1_kind(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{has 'ane.tile' = 4 : i64, but it must be a #ane.tile}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = 4 : i64} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c2(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{group 0, dim 2 and size 0 must be at least 0, 0 and 1}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 0>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c1_inner(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{is cut along dimension 5, but has no result with that dimension}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 4, innerDim = 5, innerSize = 4>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c3(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{innerDim 2 and innerSize 4 must be at least 0 and 1, and innerDim not dim, 2}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 4, innerDim = 2, innerSize = 4>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

func.func @tile_c3_size(%x: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  // expected-error @+1 {{innerDim 1 and innerSize 0 must be at least 0 and 1, and innerDim not dim, 2}}
  %0 = ane.softmax %x {axis = 3 : i64, ane.tile = #ane.tile<group = 0, dim = 2, size = 4, innerDim = 1>} : tensor<1x4x8x16xf16> -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}
