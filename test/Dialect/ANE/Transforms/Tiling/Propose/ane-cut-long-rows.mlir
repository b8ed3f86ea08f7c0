// RUN: ane-opt %s --ane-cut-long-rows | FileCheck %s

// A row of more than 16,384 elements is two, and so are surfaces.
// CHECK-LABEL: @sound
// CHECK-SAME: %arg0: tensor<1x1x2x16384xf16> {ane.shape = array<i64: 1, 1, 1, 32768>}
// CHECK: %[[X:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 1, 0>
// CHECK: ane.activation
// CHECK: %[[Y:.*]] = ane.activation %[[X]] {function = #ane.act<relu>} : tensor<1x1x1x16384xf16>
// CHECK: ane.concat %{{.*}}, %[[Y]] {axis = 2 : i64}
// CHECK-NEXT: return
func.func @sound(%x: tensor<1x1x1x32768xf16>) -> tensor<1x1x1x32768xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x32768xf16> -> tensor<1x1x1x32768xf16>
  return %y : tensor<1x1x1x32768xf16>
}

// CHECK-LABEL: @short
// CHECK-NEXT: ane.activation %arg0
// CHECK-NEXT: return
func.func @short(%x: tensor<1x1x1x512xf16>) -> tensor<1x1x1x512xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x512xf16> -> tensor<1x1x1x512xf16>
  return %y : tensor<1x1x1x512xf16>
}

// 16411 is a prime: the surfaces have padding after the last element, which is no part
// of the row.
// CHECK-LABEL: @prime
// CHECK-SAME: %arg0: tensor<1x2x2x8224xf16> {ane.shape = array<i64: 1, 2, 16411>}
// CHECK-SAME: -> (tensor<1x2x2x8224xf16> {ane.shape = array<i64: 1, 2, 16411>})
// CHECK: ane.activation %{{.*}} : tensor<1x2x8224xf16>
// CHECK: ane.activation %{{.*}} : tensor<1x2x8187xf16>
// CHECK: ane.pad %{{.*}} : tensor<1x2x1x8187xf16> -> tensor<1x2x1x8224xf16>
// CHECK: return
func.func @prime(%x: tensor<1x2x16411xf16>) -> tensor<1x2x16411xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x2x16411xf16> -> tensor<1x2x16411xf16>
  return %y : tensor<1x2x16411xf16>
}

// The host casts the surface.
// CHECK-LABEL: @cast
// CHECK-SAME: %arg0: tensor<1x2x2x8224xf32> {ane.shape = array<i64: 1, 2, 16411>}
// CHECK: ane.cast %arg0 : tensor<1x2x2x8224xf32> -> tensor<1x2x2x8224xf16>
// CHECK: %[[Y:.*]] = ane.cast %{{.*}} : tensor<1x2x2x8224xf16> -> tensor<1x2x2x8224xf32>
// CHECK: return %[[Y]]
func.func @cast(%x: tensor<1x2x16411xf32>) -> tensor<1x2x16411xf32> {
  %h = ane.cast %x : tensor<1x2x16411xf32> -> tensor<1x2x16411xf16>
  %y = ane.activation %h {function = #ane.act<relu>} : tensor<1x2x16411xf16> -> tensor<1x2x16411xf16>
  %f = ane.cast %y : tensor<1x2x16411xf16> -> tensor<1x2x16411xf32>
  return %f : tensor<1x2x16411xf32>
}

// A long column is a row, as which the host casts it, too.
// CHECK-LABEL: @cast_column
// CHECK: ane.cast %arg0 : tensor<1x1x2x16384xf32> -> tensor<1x1x2x16384xf16>
// CHECK-COUNT-2: ane.activation %{{.*}} {function = #ane.act<relu>} : tensor<16384xf16>
func.func @cast_column(%x: tensor<1x1x32768x1xf32>) -> tensor<1x1x32768x1xf16> {
  %h = ane.cast %x : tensor<1x1x32768x1xf32> -> tensor<1x1x32768x1xf16>
  %y = ane.activation %h {function = #ane.act<relu>} : tensor<1x1x32768x1xf16> -> tensor<1x1x32768x1xf16>
  return %y : tensor<1x1x32768x1xf16>
}

// A long column is a row.
// CHECK-LABEL: @column
// CHECK-COUNT-2: ane.activation %{{.*}} {function = #ane.act<relu>} : tensor<16384xf16>
func.func @column(%x: tensor<1x1x32768x1xf16>) -> tensor<1x1x32768x1xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x32768x1xf16> -> tensor<1x1x32768x1xf16>
  return %y : tensor<1x1x32768x1xf16>
}

// Any other long dimension is cut into pieces, which have a dimension of their own in
// surfaces, with padding after the last.
// CHECK-LABEL: @rows
// CHECK-SAME: %arg0: tensor<1x3x13334x7xf16> {ane.shape = array<i64: 40000, 7>}
// CHECK-SAME: -> (tensor<1x3x13334x9xf16> {ane.shape = array<i64: 40000, 9>})
// CHECK: ane.pad %{{.*}} : tensor<13334x7xf16> -> tensor<13334x9xf16>
// CHECK: ane.pad %{{.*}} : tensor<13334x7xf16> -> tensor<13334x9xf16>
// CHECK: ane.pad %{{.*}} : tensor<13332x7xf16> -> tensor<13332x9xf16>
func.func @rows(%x: tensor<40000x7xf16>) -> tensor<40000x9xf16> {
  %y = ane.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 1>, value = 0.0 : f32} : tensor<40000x7xf16> -> tensor<40000x9xf16>
  return %y : tensor<40000x9xf16>
}

// A window reads rows of two pieces.
// CHECK-LABEL: @window
// CHECK: ane.pool max %{{.*}} : tensor<1x1x10002x7xf16> -> tensor<1x1x10001x7xf16>
// CHECK: ane.concat %{{.*}}, %{{.*}} {axis = 2 : i64} : tensor<1x1x1x7xf16>, tensor<1x1x{{.*}}
func.func @window(%x: tensor<1x1x20002x7xf16>) -> tensor<1x1x20002x7xf16> {
  %y = ane.pool max %x {kernel = array<i64: 3, 1>, pad = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>} : tensor<1x1x20002x7xf16> -> tensor<1x1x20002x7xf16>
  return %y : tensor<1x1x20002x7xf16>
}

// Movements of a dimension that can be two are shuffles, which need no cut.
// CHECK-LABEL: @moved
// CHECK-NEXT: ane.reshape %arg0
// CHECK-NEXT: ane.transpose
// CHECK-NEXT: return
func.func @moved(%x: tensor<1x4x224x224xf16>) -> tensor<1x50176x4xf16> {
  %0 = ane.reshape %x : tensor<1x4x224x224xf16> -> tensor<1x4x50176xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 2, 1>} : tensor<1x4x50176xf16> -> tensor<1x50176x4xf16>
  return %1 : tensor<1x50176x4xf16>
}

// An argument that is a result has one surface, which is copied whole.
// CHECK-LABEL: @given_back
// CHECK-SAME: %arg0: tensor<1x1x41x1024xf16> {ane.shape = array<i64: 41512>}
// CHECK-SAME: -> (tensor<1x1x41x1024xf16> {ane.shape = array<i64: 1, 1, 41512, 1>})
// CHECK-NEXT: return %arg0
func.func @given_back(%x: tensor<41512xf16>) -> tensor<1x1x41512x1xf16> {
  %y = ane.reshape %x : tensor<41512xf16> -> tensor<1x1x41512x1xf16>
  return %y : tensor<1x1x41512x1xf16>
}

// Other users have the row.
// CHECK-LABEL: @given_back_and_used
// CHECK-SAME: %arg0: tensor<1x1x3x13856xf16>
// CHECK-COUNT-3: ane.activation
// CHECK-COUNT-2: ane.concat {{.*}} -> tensor<1x1x3x13856xf16>
// CHECK: return
func.func @given_back_and_used(%x: tensor<41512xf16>) -> (tensor<41512xf16>, tensor<41512xf16>) {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<41512xf16> -> tensor<41512xf16>
  return %x, %y : tensor<41512xf16>, tensor<41512xf16>
}

// No piece of a row reaches over more of the rows of its surface than a row may have.
// CHECK-LABEL: @copies
// CHECK-NOT: x17408xf16
// CHECK: return
func.func @copies(%x: tensor<1x1x281004x1xf16>) -> tensor<3x3x281004x1xf16> {
  %y = ane.tile %x {repeats = array<i64: 3, 3, 1, 1>} : tensor<1x1x281004x1xf16> -> tensor<3x3x281004x1xf16>
  return %y : tensor<3x3x281004x1xf16>
}

// Tasks of these have channels as rows or columns, of which there are fewer.
// CHECK-LABEL: @channels
// CHECK: ane.pad %{{.*}} : tensor<1x15120x2x3xf16> -> tensor<1x15120x2x5xf16>
// CHECK: ane.concat
// CHECK: ane.resize
// CHECK-SAME: tensor<1x15120x2x5xf16> -> tensor<1x15120x4x10xf16>
func.func @channels(%x: tensor<1x45358x2x3xf16>) -> tensor<1x45358x4x10xf16> {
  %y = ane.pad %x {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 1>, value = 0.0 : f32} : tensor<1x45358x2x3xf16> -> tensor<1x45358x2x5xf16>
  %z = ane.resize nearest %y : tensor<1x45358x2x5xf16> -> tensor<1x45358x4x10xf16>
  return %z : tensor<1x45358x4x10xf16>
}

// A long sum of products in two parts, and the function of both.
// CHECK-LABEL: @contraction
// CHECK: %[[A:.*]] = ane.matmul %{{.*}}, %{{.*}} : tensor<4x1x10688xf16>, tensor<4x10688x17xf16> -> tensor<4x1x17xf16>
// CHECK: %[[B:.*]] = ane.matmul %{{.*}}, %{{.*}} : tensor<4x1x10673xf16>, tensor<4x10673x17xf16> -> tensor<4x1x17xf16>
// CHECK: %[[SUM:.*]] = ane.elementwise add %[[A]], %[[B]]
// CHECK: ane.activation %[[SUM]] {function = #ane.act<clamp, 0.0{{.*}}, 6.0{{.*}}>}
func.func @contraction(%x: tensor<4x1x21361xf16>, %y: tensor<4x21361x17xf16>) -> tensor<4x1x17xf16> {
  %z = ane.matmul %x, %y {activation = #ane.act<clamp, 0.0, 6.0>} : tensor<4x1x21361xf16>, tensor<4x21361x17xf16> -> tensor<4x1x17xf16>
  return %z : tensor<4x1x17xf16>
}

// Rows of another number are products of a few of the source's: a part knows which.
// CHECK-LABEL: @resized
// CHECK-NOT: x35661x
// CHECK-SAME: %arg0: tensor<1x3x11887x3xf16> {ane.shape = array<i64: 1, 1, 35661, 3>}
// CHECK-NOT: x53491x
// CHECK: ane.conv {{.*}}ane.banded
// CHECK: ane.resize {{ ?}}bilinear %{{.*}} : tensor<1x1x13373x3xf16> -> tensor<1x1x13373x6xf16>
// CHECK: return
func.func @resized(%x: tensor<1x1x35661x3xf16>) -> tensor<1x1x53491x6xf16> {
  %y = ane.resize bilinear %x : tensor<1x1x35661x3xf16> -> tensor<1x1x53491x6xf16>
  return %y : tensor<1x1x53491x6xf16>
}

// Parts of a transposed convolution overlap where their windows do, and cut that off.
// CHECK-LABEL: @transposed
// CHECK-SAME: %arg0: tensor<1x1x10000x3xf16>
// CHECK: %[[A:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 5001, 3>
// CHECK: ane.conv_transpose %[[A]], %{{.*}} {pad = array<i64: 1, 2, 0, 0>, strides = array<i64: 2, 1>} : {{.*}} -> tensor<1x1x10000x3xf16>
// CHECK: %[[B:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 5000, 0>, sizes = array<i64: 1, 1, 5000, 3>
// CHECK: ane.conv_transpose %[[B]], %{{.*}} {pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 1>} : {{.*}} -> tensor<1x1x10000x3xf16>
// CHECK: return
func.func @transposed(%x: tensor<1x1x10000x3xf16>) -> tensor<1x1x20000x3xf16> {
  %c = ane.constant dense<1.0> : tensor<1x1x3x1xf16>
  %y = ane.conv_transpose %x, %c {pad = array<i64: 1, 0, 0, 0>, strides = array<i64: 2, 1>} : tensor<1x1x10000x3xf16>, tensor<1x1x3x1xf16> -> tensor<1x1x20000x3xf16>
  return %y : tensor<1x1x20000x3xf16>
}

// A border around a row, and around all rows.
// CHECK-LABEL: @borders
// CHECK-SAME: -> (tensor<1x2x11x15200xf16>
// CHECK: ane.pad {{.*}} low = array<i64: 0, 5>
// CHECK: return
func.func @borders(%x: tensor<1x166907xf16>) -> tensor<2x166912xf16> {
  %y = ane.pad %x {low = array<i64: 0, 5>, high = array<i64: 1, 0>, value = 0.0 : f32} : tensor<1x166907xf16> -> tensor<2x166912xf16>
  return %y : tensor<2x166912xf16>
}

// Four dimensions have no room for another.
// CHECK-LABEL: @turned
// CHECK: ane.transpose %{{.*}} {perm = array<i64: 1, 3, 0, 2>} : tensor<2x2x4x13634xf16> -> tensor<2x13634x2x4xf16>
// CHECK: return
func.func @turned(%x: tensor<2x2x4x27268xf16>) -> tensor<2x27268x2x4xf16> {
  %y = ane.transpose %x {perm = array<i64: 1, 3, 0, 2>} : tensor<2x2x4x27268xf16> -> tensor<2x27268x2x4xf16>
  return %y : tensor<2x27268x2x4xf16>
}

// A norm along it is reductions, in parts, and what they scale.
// CHECK-LABEL: @norm
// CHECK-NOT: ane.layer_norm
// CHECK-COUNT-7: ane.reduce mean %
// CHECK-COUNT-7: ane.reduce mean_square %
// CHECK: return
func.func @norm(%x: tensor<105174x8xf16>) -> tensor<105174x8xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 0, 1>, epsilon = 0.01 : f32} : tensor<105174x8xf16> -> tensor<105174x8xf16>
  return %y : tensor<105174x8xf16>
}

// 40,000 ones are no sum of f16, a half of them is.
// CHECK-LABEL: @softmax
// CHECK: ane.reduce max
// CHECK: %[[HALF:.*]] = ane.constant dense<5.000000e-01>
// CHECK: ane.elementwise mul %{{.*}}, %[[HALF]]
// CHECK: ane.reduce sum
// CHECK: ane.elementwise mul {{.*}} {scale = 5.000000e-01 : f32}
func.func @softmax(%x: tensor<1x1x40000x2xf16>) -> tensor<1x1x40000x2xf16> {
  %y = ane.softmax %x {axis = 2 : i64} : tensor<1x1x40000x2xf16> -> tensor<1x1x40000x2xf16>
  return %y : tensor<1x1x40000x2xf16>
}

// Norms have channels as rows, of which there are fewer.
// CHECK-LABEL: @norm_of_channels
// CHECK-NOT: ane.rms_norm
// CHECK-COUNT-3: ane.reduce mean_square %{{.*}} {axes = array<i64: 1>} : tensor<1x{{[0-9]+}}x20x1xf16>
// CHECK: return
func.func @norm_of_channels(%x: tensor<1x33932x20x1xf16>) -> tensor<1x33932x20x1xf16> {
  %y = ane.rms_norm %x {axes = array<i64: 1>, epsilon = 0.01 : f32} : tensor<1x33932x20x1xf16> -> tensor<1x33932x20x1xf16>
  return %y : tensor<1x33932x20x1xf16>
}

// Copies of channels that are too many.
// CHECK-LABEL: @copies_of_channels
// CHECK-SAME: tensor<1x4x7x14560xf16> {ane.shape = array<i64: 4, 101742, 1, 1>}
// CHECK-NOT: ane.tile
// CHECK: ane.concat
// CHECK: return
func.func @copies_of_channels(%x: tensor<4x101742x1x1xf16>) -> tensor<4x203484x1x3xf16> {
  %y = ane.tile %x {repeats = array<i64: 1, 2, 1, 3>} : tensor<4x101742x1x1xf16> -> tensor<4x203484x1x3xf16>
  return %y : tensor<4x203484x1x3xf16>
}

// What is not along the row takes pieces of it.
// CHECK-LABEL: @softmax_across
// CHECK-COUNT-2: ane.softmax %{{.*}} {axis = 0 : i64} : tensor<4x4x{{[0-9]+}}xf16>
// CHECK-NOT: ane.softmax
func.func @softmax_across(%x: tensor<4x4x23999xf16>) -> tensor<4x4x23999xf16> {
  %y = ane.softmax %x {axis = 0 : i64} : tensor<4x4x23999xf16> -> tensor<4x4x23999xf16>
  return %y : tensor<4x4x23999xf16>
}

// A sum over more channels than an image has is a sum of sums, with one bias and
// one function.
// CHECK-LABEL: @channels_of_sum
// CHECK: ane.conv {{.*}} bias
// CHECK-COUNT-2: ane.conv %{{[^:]*}} :
// CHECK: ane.activation %{{.*}} {function = #ane.act<relu>}
// CHECK-LABEL: @channels_of_transposed
// CHECK-COUNT-2: ane.conv_transpose
// CHECK: return
func.func @channels_of_sum(%x: tensor<1x164049x1x1xf16>, %b: tensor<4xf16>) -> tensor<1x4x1x1xf16> {
  %w = ane.constant dense<1.0> : tensor<4x164049x1x1xf16>
  %y = ane.conv %x, %w bias %b {activation = #ane.act<relu>} : tensor<1x164049x1x1xf16>, tensor<4x164049x1x1xf16>, tensor<4xf16> -> tensor<1x4x1x1xf16>
  return %y : tensor<1x4x1x1xf16>
}
func.func @channels_of_transposed(%x: tensor<1x118010x1x3xf16>) -> tensor<1x1x1x6xf16> {
  %w = ane.constant dense<1.0> : tensor<118010x1x1x4xf16>
  %y = ane.conv_transpose %x, %w : tensor<1x118010x1x3xf16>, tensor<118010x1x1x4xf16> -> tensor<1x1x1x6xf16>
  return %y : tensor<1x1x1x6xf16>
}

// A window of one row makes every second row; with zeros below it all.
// CHECK-LABEL: @short_window
// CHECK: ane.conv_transpose {{.*}} strides = array<i64: 2, 1>} : tensor<{{.*}}>, tensor<1x2x2x1xf16>
func.func @short_window(%x: tensor<1x1x44368x1xf16>) -> tensor<1x2x88735x1xf16> {
  %w = ane.constant dense<2.0> : tensor<1x2x1x1xf16>
  %y = ane.conv_transpose %x, %w {strides = array<i64: 2, 1>} : tensor<1x1x44368x1xf16>, tensor<1x2x1x1xf16> -> tensor<1x2x88735x1xf16>
  return %y : tensor<1x2x88735x1xf16>
}

// Images and channels that are reduced are more than an image has channels: first
// these, then those.
// CHECK-LABEL: @reduced_images
// CHECK-COUNT-2: ane.reduce mean_square {{.*}} {axes = array<i64: 1>} : {{.*}} -> tensor<8x1x1x6xf16>
// CHECK: ane.reduce mean %{{.*}} {axes = array<i64: 0>} : tensor<8x1x1x6xf16> -> tensor<1x1x1x6xf16>
func.func @reduced_images(%x: tensor<8x19053x1x6xf16>) -> tensor<1x1x1x6xf16> {
  %y = ane.reduce mean_square %x {axes = array<i64: 0, 1>} : tensor<8x19053x1x6xf16> -> tensor<1x1x1x6xf16>
  return %y : tensor<1x1x1x6xf16>
}

// An argument in another shape: both have the same bytes, whatever their rows.
// CHECK-LABEL: @given_back_as_rows
// CHECK-SAME: %[[X:.*]]: tensor<1x1x440x1024xf16> {ane.shape = array<i64: 450326>}) -> (tensor<1x1x440x1024xf16> {ane.shape = array<i64: 2, 1, 225163, 1>})
// CHECK: return %[[X]]
func.func @given_back_as_rows(%x: tensor<450326xf16>) -> tensor<2x1x225163x1xf16> {
  %y = ane.reshape %x : tensor<450326xf16> -> tensor<2x1x225163x1xf16>
  return %y : tensor<2x1x225163x1xf16>
}

// A shape in between is no other row.
// CHECK-LABEL: @row_of_images
// CHECK-SAME: {ane.shape = array<i64: 330145, 1, 1, 1>}
// CHECK-NOT: tensor<1x330145x1x1xf16>
// CHECK: return
func.func @row_of_images(%x: tensor<330145x1x1x1xf16>) -> tensor<330145x1x1x1xf16> {
  %c = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise min %x, %c : tensor<330145x1x1x1xf16>, tensor<1x1x1x1xf16> -> tensor<330145x1x1x1xf16>
  return %y : tensor<330145x1x1x1xf16>
}

// Each is the only element.
// CHECK-LABEL: @softmax_of_one
// CHECK-NOT: ane.softmax
// CHECK: ane.elementwise mul {{.*}} {bias = 1.000000e+00 : f32}
func.func @softmax_of_one(%x: tensor<1x773609x1x1xf16>) -> tensor<1x773609x1x1xf16> {
  %y = ane.softmax %x {axis = 0 : i64} : tensor<1x773609x1x1xf16> -> tensor<1x773609x1x1xf16>
  return %y : tensor<1x773609x1x1xf16>
}

// Squares have channels as rows.
// CHECK-LABEL: @squares_of_images
// CHECK: %[[C:.*]] = ane.reduce sum_square %arg0 {axes = array<i64: 1, 3>} : tensor<19x1024x8x3xf16> -> tensor<19x1x8x1xf16>
// CHECK: ane.reduce sum %[[C]] {axes = array<i64: 0>} : tensor<19x1x8x1xf16> -> tensor<1x1x8x1xf16>
func.func @squares_of_images(%x: tensor<19x1024x8x3xf16>) -> tensor<1x1x8x1xf16> {
  %y = ane.reduce sum_square %x {axes = array<i64: 0, 1, 3>} : tensor<19x1024x8x3xf16> -> tensor<1x1x8x1xf16>
  return %y : tensor<1x1x8x1xf16>
}

// Copies along a row have channels as columns.
// CHECK-LABEL: @copies_of_rows
// CHECK-COUNT-4: ane.tile %{{.*}} : tensor<1x16384x1x4xf16> -> tensor<1x16384x1x12xf16>
func.func @copies_of_rows(%x: tensor<1x65536x1x4xf16>) -> tensor<1x65536x1x12xf16> {
  %y = ane.tile %x {repeats = array<i64: 1, 1, 1, 3>} : tensor<1x65536x1x4xf16> -> tensor<1x65536x1x12xf16>
  return %y : tensor<1x65536x1x12xf16>
}

// More images than a program has tasks, given back.
// CHECK-LABEL: @given_back_images
// CHECK-SAME: tensor<1x1x565x1024xf16> {ane.shape = array<i64: 115563, 5, 1, 1>}) -> (tensor<1x1x565x1024xf16> {ane.shape = array<i64: 21, 5503, 1, 5>})
func.func @given_back_images(%x: tensor<115563x5x1x1xf16>) -> tensor<21x5503x1x5xf16> {
  %y = ane.reshape %x : tensor<115563x5x1x1xf16> -> tensor<21x5503x1x5xf16>
  return %y : tensor<21x5503x1x5xf16>
}

// L2 does not hold what is between two convolutions: both are computed for one part of
// the columns after the other.
// CHECK-LABEL: @pair
// CHECK: %[[X:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0, 0, 0>
// CHECK: %[[H:.*]] = ane.conv %[[X]], %{{.*}} : {{.*}} -> tensor<1x384x1x[[N:[0-9]+]]xf16>
// CHECK: ane.conv %[[H]], %{{.*}} : tensor<1x384x1x[[N]]xf16>
// CHECK: ane.slice %arg0 {offsets = array<i64: 0, 0, 0, {{[1-9]}}
// CHECK: ane.concat {{.*}} {axis = 3 : i64} {{.*}} -> tensor<1x384x1x1500xf16>
// CHECK-NEXT: return
func.func @pair(%x: tensor<1x80x1x3000xf16>) -> tensor<1x384x1x1500xf16> {
  %v = ane.constant dense<0.0625> : tensor<384x80x1x3xf16>
  %w = ane.constant dense<0.03125> : tensor<384x384x1x3xf16>
  %h = ane.conv %x, %v {pad = array<i64: 0, 0, 1, 1>} : tensor<1x80x1x3000xf16>, tensor<384x80x1x3xf16> -> tensor<1x384x1x3000xf16>
  %y = ane.conv %h, %w {pad = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 2>} : tensor<1x384x1x3000xf16>, tensor<384x384x1x3xf16> -> tensor<1x384x1x1500xf16>
  return %y : tensor<1x384x1x1500xf16>
}

// A window longer than a tensor may be is one of maxima over windows, each of
// half that length, which pieces of rows have.
// CHECK-LABEL: @long_window
// CHECK: ane.pool max %{{.*}} {kernel = array<i64: 8192, 1>}
// CHECK: ane.pool max %{{.*}} {kernel = array<i64: 8192, 1>}
// CHECK: ane.pool max %{{.*}} {kernel = array<i64: 3618, 1>}
// CHECK-NOT: kernel = array<i64: 20000, 1>
func.func @long_window(%x: tensor<1x1x20001x1xf16>) -> tensor<1x1x2x1xf16> {
  %y = ane.pool max %x {kernel = array<i64: 20000, 1>}
     : tensor<1x1x20001x1xf16> -> tensor<1x1x2x1xf16>
  return %y : tensor<1x1x2x1xf16>
}

// 42,504 products with 5,313 matrices are 5,313 of all rows.
// CHECK-LABEL: @shared_matrices
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<5313x8x1x8xf16> -> tensor<5313x1x8x8xf16>
// CHECK: %[[Z:.*]] = ane.matmul %[[X]], %arg1 {transpose_rhs} : {{.*}} -> tensor<5313x1x8x33xf16>
// CHECK: ane.reshape %[[Z]]
// CHECK-LABEL: @few_shared_matrices
// CHECK-NEXT: ane.matmul %arg0, %arg1
func.func @shared_matrices(%x: tensor<5313x8x1x8xf16>, %y: tensor<5313x1x33x8xf16>) -> tensor<5313x8x1x33xf16> {
  %z = ane.matmul %x, %y {transpose_rhs} : tensor<5313x8x1x8xf16>, tensor<5313x1x33x8xf16> -> tensor<5313x8x1x33xf16>
  return %z : tensor<5313x8x1x33xf16>
}
func.func @few_shared_matrices(%x: tensor<3x8x1x8xf16>, %y: tensor<3x1x33x8xf16>) -> tensor<3x8x1x33xf16> {
  %z = ane.matmul %x, %y {transpose_rhs} : tensor<3x8x1x8xf16>, tensor<3x1x33x8xf16> -> tensor<3x8x1x33xf16>
  return %z : tensor<3x8x1x33xf16>
}

// Also in its own shape: its rows are more than a task copies, or its images
// more than a program has tasks.
// CHECK-LABEL: @given_back_as_it_is
// CHECK-SAME: %arg0: tensor<1x1x375x1024xf16> {ane.shape = array<i64: 191846, 2>}
// CHECK-NEXT: return %arg0
// CHECK-LABEL: @images_given_back
// CHECK-SAME: %arg0: tensor<1x1x447x1024xf16> {ane.shape = array<i64: 456894, 1, 1, 1>}
// CHECK-NEXT: return %arg0
// CHECK-LABEL: @few_images_given_back
// CHECK-SAME: %arg0: tensor<3x2x1x1xf16>)
func.func @given_back_as_it_is(%x: tensor<191846x2xf16>) -> tensor<191846x2xf16> {
  return %x : tensor<191846x2xf16>
}
func.func @images_given_back(%x: tensor<456894x1x1x1xf16>) -> tensor<456894x1x1x1xf16> {
  return %x : tensor<456894x1x1x1xf16>
}
func.func @few_images_given_back(%x: tensor<3x2x1x1xf16>) -> tensor<3x2x1x1xf16> {
  return %x : tensor<3x2x1x1xf16>
}
