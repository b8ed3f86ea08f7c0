// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN
// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize} tolerance=0.001" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// SAME-COUNT-7: computes the same
// SAME-NOT: computes the same

// One of sixteen engines would have something to do. The columns of the window
// become channels; the sum of them takes the bias, the function and the padding
// of columns.

// CHECK-LABEL: @columns
// CHECK: %[[EACH:.*]] = ane.conv %arg0, %{{.*}} {pad = array<i64: 1, 0, 0, 0>} : tensor<2x8x12x20xf16>, tensor<3x8x3x1xf32> -> tensor<2x3x11x20xf16>
// CHECK: %[[SUM:.*]] = ane.conv %[[EACH]], %{{.*}} bias %{{.*}} {activation = #ane.act<relu>, pad = array<i64: 0, 0, 2, 1>} : tensor<2x3x11x20xf16>, tensor<1x3x1x3xf16>, tensor<1xf16> -> tensor<2x1x11x21xf16>
// CHECK: return %[[SUM]]
// ZIN-LABEL: @columns
// ZIN-NOT: tensor<3x8x3x1x
func.func @columns(%x: tensor<2x8x12x20xf16>) -> tensor<2x1x11x21xf16> {
  %w = ane.constant dense<"0xE038E0380028C0B620BB80B300B240BB40BB003C003540B800B0A03B603A803900B300A4C03500BB002F40B7203A00BBC035E03960B8603A003AC0BBC03600BC000000B0C0B880B5E038C0B5A0B9403600AFC03840B8C0B5C0380024002440B8C0BBE03AA0BA803940B4403B80B2003B002F20B8C0378035003600AD80B8803440BA4036403400B4C038E0B800B3C038"> : tensor<1x8x3x3xf16>
  %b = ane.constant dense<0.75> : tensor<1xf16>
  %y = ane.conv %x, %w bias %b {activation = #ane.act<relu>, pad = array<i64: 1, 0, 2, 1>}
     : tensor<2x8x12x20xf16>, tensor<1x8x3x3xf16>, tensor<1xf16> -> tensor<2x1x11x21xf16>
  return %y : tensor<2x1x11x21xf16>
}

// CHECK-LABEL: @rows
// CHECK: tensor<5x16x1x1xf32> -> tensor<1x5x12x20xf16>
// CHECK: ane.conv %{{.*}} {pad = array<i64: 2, 2, 0, 0>} : tensor<1x5x12x20xf16>, tensor<1x5x5x1xf16> -> tensor<1x1x12x20xf16>
func.func @rows(%x: tensor<1x16x12x20xf16>) -> tensor<1x1x12x20xf16> {
  %w = ane.constant dense<"0x002D00B540B400B4C03B4034803580B5C03500BA20BBA039E0BBA03B4039A03840BBA0B8A03980B0003400BA00B900802038002D40BAE039C0B900B08031C0B500B1403A00AE002D803B40B7603A80B400B6203A00BBE0394039603A00BB20B8603800B0E0BB4036C038A03BA0B900B8803980BA40B700AE00B1002DE039403400350032A0B800AEC03B803A4038002CE039403480B2002AE0B8803000B68038"> : tensor<1x16x5x1xf16>
  %y = ane.conv %x, %w {pad = array<i64: 2, 2, 0, 0>}
     : tensor<1x16x12x20xf16>, tensor<1x16x5x1xf16> -> tensor<1x1x12x20xf16>
  return %y : tensor<1x1x12x20xf16>
}

// Sound: one row.

// CHECK-LABEL: @sound
// CHECK: tensor<7x16x1x1xf32> -> tensor<1x7x1x320xf16>
// CHECK: tensor<1x7x1x7xf16> -> tensor<1x1x1x320xf16>
func.func @sound(%x: tensor<1x16x1x320xf16>) -> tensor<1x1x1x320xf16> {
  %w = ane.constant dense<"0x00BBE03A2039C0BBE03A60B880B78031C0B8A03B40B48030803000B78037E03B0032A0BAE038403500A40035C0B740B60028E0BA803120B900B8603A803120B84036003C603AC03840B580318031A0BA4036002A002A8037C0BAA0B8C03B80B6C0B7E0BA00B6003060BBC0B6C0B780B9A038603BA03A00B000BBC0B4002A80B38037C037603A00AC20B8A03A203A00BAA0B800352039603BA0BB00B900B1002F8038002F002820B8C0348031203B00B900BAC0B480B500AE40B980362039E0BBA03A80BA40B600A800B180B84037603960B860B90028A0B9003BA039603980B1"> : tensor<1x16x1x7xf16>
  %y = ane.conv %x, %w {activation = #ane.act<tanh>, pad = array<i64: 0, 0, 3, 3>}
     : tensor<1x16x1x320xf16>, tensor<1x16x1x7xf16> -> tensor<1x1x1x320xf16>
  return %y : tensor<1x1x1x320xf16>
}

// With many input channels both, one after the other.

// CHECK-LABEL: @both
// CHECK: tensor<9x64x1x1xf32> -> tensor<1x9x8x32xf16>
// CHECK: tensor<3x9x3x1xf16> -> tensor<1x3x8x32xf16>
// CHECK: tensor<1x3x1x3xf16> -> tensor<1x1x8x32xf16>
func.func @both(%x: tensor<1x64x8x32xf16>) -> tensor<1x1x8x32xf16> {
  %w = ane.constant dense<0.125> : tensor<1x64x3x3xf16>
  %y = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x64x8x32xf16>, tensor<1x64x3x3xf16> -> tensor<1x1x8x32xf16>
  return %y : tensor<1x1x8x32xf16>
}

// All engines have something to do, or the sum would cost as much.

// CHECK-LABEL: @left
// CHECK-COUNT-2: ane.conv
// CHECK-NOT: ane.conv
func.func @left(%x: tensor<1x16x8x32xf16>) -> (tensor<1x16x8x32xf16>, tensor<1x3x8x32xf16>) {
  %w0 = ane.constant dense<0.125> : tensor<16x16x3x3xf16>
  %w1 = ane.constant dense<0.125> : tensor<3x16x1x3xf16>
  %y0 = ane.conv %x, %w0 {pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x16x8x32xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x8x32xf16>
  %y1 = ane.conv %x, %w1 {pad = array<i64: 0, 0, 1, 1>}
     : tensor<1x16x8x32xf16>, tensor<3x16x1x3xf16> -> tensor<1x3x8x32xf16>
  return %y0, %y1 : tensor<1x16x8x32xf16>, tensor<1x3x8x32xf16>
}

// The columns as channels would take more of L2 than the source.

// CHECK-LABEL: @few_inputs
// CHECK-COUNT-1: ane.conv
// CHECK-NOT: ane.conv
func.func @few_inputs(%x: tensor<1x2x8x32xf16>) -> tensor<1x1x8x32xf16> {
  %w = ane.constant dense<0.125> : tensor<1x2x7x7xf16>
  %y = ane.conv %x, %w {pad = array<i64: 3, 3, 3, 3>}
     : tensor<1x2x8x32xf16>, tensor<1x2x7x7xf16> -> tensor<1x1x8x32xf16>
  return %y : tensor<1x1x8x32xf16>
}

// Strips by hand are those of one op.

// CHECK-LABEL: @planned
// CHECK: ane.conv {{.*}}ane.tile
// CHECK-NOT: ane.conv
func.func @planned(%x: tensor<1x64x8x32xf16>) -> tensor<1x1x8x32xf16> {
  %w = ane.constant dense<0.125> : tensor<1x64x3x3xf16>
  %y = ane.conv %x, %w {ane.tile = #ane.tile<group = 0, dim = 2, size = 4>, pad = array<i64: 1, 1, 1, 1>}
     : tensor<1x64x8x32xf16>, tensor<1x64x3x3xf16> -> tensor<1x1x8x32xf16>
  return %y : tensor<1x1x8x32xf16>
}
