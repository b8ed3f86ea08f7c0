// RUN: ane-opt %s --ane-decompose | FileCheck %s
// RUN: ane-opt %s --ane-decompose=flavour=zin-9.509 | FileCheck %s --check-prefix=WHOLE

// 512 channels of 64 x 64 do not fit L2: half of them at a time, so that strips
// are twice as high. A bias of the sum is added once, its function comes last.
// CHECK-LABEL: @large
// CHECK: %[[A:.*]] = ane.conv %arg0, %{{.*}} bias %{{.*}} {activation = #ane.act<relu>} {{.*}} -> tensor<1x256x64x64xf16>
// CHECK: %[[P:.*]] = ane.conv %[[A]], %{{.*}} bias %{{.*}} {pad = array<i64: 1, 1, 1, 1>} {{.*}} -> tensor<1x16x64x64xf16>
// CHECK: %[[B:.*]] = ane.conv %arg0, %{{.*}} bias %{{.*}} {activation = #ane.act<relu>} {{.*}} -> tensor<1x256x64x64xf16>
// CHECK: %[[Q:.*]] = ane.conv %[[B]], %{{[^ ]*}} {pad = array<i64: 1, 1, 1, 1>} {{.*}} -> tensor<1x16x64x64xf16>
// CHECK: %[[S:.*]] = ane.elementwise add %[[P]], %[[Q]]
// CHECK: %[[T:.*]] = ane.activation %[[S]] {function = #ane.act<tanh>}
// CHECK: return %[[T]]
// WHOLE-LABEL: @large
// WHOLE-NOT: tensor<1x256x64x64xf16>
func.func @large(%x: tensor<1x8x64x64xf16>) -> tensor<1x16x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<512x8x1x1xf16>
  %b = ane.constant dense<0.5> : tensor<512xf16>
  %v = ane.constant dense<0.25> : tensor<16x512x3x3xf16>
  %c = ane.constant dense<1.0> : tensor<16xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>} : tensor<1x8x64x64xf16>, tensor<512x8x1x1xf16>, tensor<512xf16> -> tensor<1x512x64x64xf16>
  %1 = ane.conv %0, %v bias %c {activation = #ane.act<tanh>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x64x64xf16>, tensor<16x512x3x3xf16>, tensor<16xf16> -> tensor<1x16x64x64xf16>
  return %1 : tensor<1x16x64x64xf16>
}

// It fits.
// CHECK-LABEL: @small
// CHECK-COUNT-2: ane.conv
// CHECK-NOT: ane.conv
// CHECK: return
func.func @small(%x: tensor<1x8x16x16xf16>) -> tensor<1x16x16x16xf16> {
  %w = ane.constant dense<0.125> : tensor<512x8x1x1xf16>
  %v = ane.constant dense<0.25> : tensor<16x512x3x3xf16>
  %0 = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x8x16x16xf16>, tensor<512x8x1x1xf16> -> tensor<1x512x16x16xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x16x16xf16>, tensor<16x512x3x3xf16> -> tensor<1x16x16x16xf16>
  return %1 : tensor<1x16x16x16xf16>
}

// Sums as large as the layer take more room than its parts leave.
// CHECK-LABEL: @wide
// CHECK-COUNT-2: ane.conv
// CHECK-NOT: ane.conv
// CHECK: return
func.func @wide(%x: tensor<1x8x64x64xf16>) -> tensor<1x512x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<512x8x1x1xf16>
  %v = ane.constant dense<0.25> : tensor<512x512x3x3xf16>
  %0 = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x8x64x64xf16>, tensor<512x8x1x1xf16> -> tensor<1x512x64x64xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x64x64xf16>, tensor<512x512x3x3xf16> -> tensor<1x512x64x64xf16>
  return %1 : tensor<1x512x64x64xf16>
}

// Somebody else needs the layer.
// CHECK-LABEL: @shared
// CHECK-COUNT-2: ane.conv
// CHECK-NOT: ane.conv
// CHECK: return
func.func @shared(%x: tensor<1x8x64x64xf16>) -> (tensor<1x16x64x64xf16>, tensor<1x512x64x64xf16>) {
  %w = ane.constant dense<0.125> : tensor<512x8x1x1xf16>
  %v = ane.constant dense<0.25> : tensor<16x512x3x3xf16>
  %0 = ane.conv %x, %w : tensor<1x8x64x64xf16>, tensor<512x8x1x1xf16> -> tensor<1x512x64x64xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 1, 1, 1, 1>} : tensor<1x512x64x64xf16>, tensor<16x512x3x3xf16> -> tensor<1x16x64x64xf16>
  return %1, %0 : tensor<1x16x64x64xf16>, tensor<1x512x64x64xf16>
}

// 256 channels of 192 x 192 go to few sums: 32 at a time, as weights load beside half of the
// arithmetic, so that twice the additions count for less than strips that are higher.
// CHECK-LABEL: @few
// CHECK-COUNT-8: ane.conv %arg0, {{.*}} -> tensor<1x32x192x192xf16>
// CHECK: return
func.func @few(%x: tensor<1x64x192x192xf16>) -> tensor<1x12x192x192xf16> {
  %w = ane.constant dense<0.125> : tensor<256x64x3x3xf16>
  %v = ane.constant dense<0.25> : tensor<12x256x5x5xf16>
  %0 = ane.conv %x, %w {activation = #ane.act<relu>, pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x192x192xf16>, tensor<256x64x3x3xf16> -> tensor<1x256x192x192xf16>
  %1 = ane.conv %0, %v {pad = array<i64: 2, 2, 2, 2>} : tensor<1x256x192x192xf16>, tensor<12x256x5x5xf16> -> tensor<1x12x192x192xf16>
  return %1 : tensor<1x12x192x192xf16>
}

// -----

// A row of all channels does not fit L2: two strips of columns, not sums of
// parts of the channels. What is computed column by column is in the strips,
// and what only some of it needs does not end them.
// CHECK-LABEL: @long_rows
// CHECK: %[[N0:.*]] = ane.concat {{.*}} -> tensor<1x1024x1x512xf16>
// CHECK: %[[A0:.*]] = ane.conv %[[N0]], {{.*}} tensor<1024x1024x1x1xf16> -> tensor<1x1024x1x512xf16>
// CHECK: %[[B0:.*]] = ane.conv %[[N0]], {{.*}} tensor<512x1024x1x1xf16> -> tensor<1x512x1x512xf16>
// CHECK: %[[N1:.*]] = ane.concat {{.*}} -> tensor<1x1024x1x512xf16>
// CHECK: %[[A1:.*]] = ane.conv %[[N1]],
// CHECK: %[[B1:.*]] = ane.conv %[[N1]],
// CHECK: ane.concat %[[A0]], %[[A1]] {axis = 3 : i64}
// CHECK: ane.concat %[[B0]], %[[B1]] {axis = 3 : i64}
func.func @long_rows(%x: tensor<1x1024x1x1024xf16>, %z: tensor<1x64x1x64xf16>) -> (tensor<1x1024x1x1024xf16>, tensor<1x512x1x1024xf16>, tensor<1x64x1x64xf16>) {
  %v = ane.constant dense<0.5> : tensor<1024x1024x1x1xf16>
  %w = ane.constant dense<0.25> : tensor<512x1024x1x1xf16>
  %0 = ane.elementwise mul %x, %x : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16> -> tensor<1x1024x1x1024xf16>
  %1 = ane.conv %0, %v : tensor<1x1024x1x1024xf16>, tensor<1024x1024x1x1xf16> -> tensor<1x1024x1x1024xf16>
  %2 = ane.elementwise mul %z, %z : tensor<1x64x1x64xf16>, tensor<1x64x1x64xf16> -> tensor<1x64x1x64xf16>
  %3 = ane.conv %0, %w : tensor<1x1024x1x1024xf16>, tensor<512x1024x1x1xf16> -> tensor<1x512x1x1024xf16>
  return %1, %3, %2 : tensor<1x1024x1x1024xf16>, tensor<1x512x1x1024xf16>, tensor<1x64x1x64xf16>
}

// -----

// So it is where weights are small, as long as most stays in the strip.
// CHECK-LABEL: @long_rows_small_weights
// CHECK-COUNT-2: ane.conv {{.*}} tensor<16x1024x1x1xf16> -> tensor<1x16x1x512xf16>
func.func @long_rows_small_weights(%x: tensor<1x1024x1x1024xf16>) -> tensor<1x16x1x1024xf16> {
  %w = ane.constant dense<0.25> : tensor<16x1024x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x1024x1x1024xf16>, tensor<16x1024x1x1xf16> -> tensor<1x16x1x1024xf16>
  return %0 : tensor<1x16x1x1024xf16>
}

// -----

// Otherwise the planner may find strips: here another head needs the sums, and
// there too much leaves.
// CHECK-LABEL: @long_rows_of_heads
// CHECK: ane.conv {{.*}} tensor<16x512x1x1xf16> -> tensor<1x16x1x1024xf16>
// CHECK: ane.transpose
func.func @long_rows_of_heads(%x: tensor<1x1024x1x1024xf16>) -> (tensor<1x1024x1x16xf16>, tensor<1x1024x1x16xf16>) {
  %w = ane.constant dense<0.25> : tensor<16x1024x1x1xf16>
  %v = ane.constant dense<0.5> : tensor<16x1024x1x1xf16>
  %n = ane.elementwise add %x, %x : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16> -> tensor<1x1024x1x1024xf16>
  %0 = ane.conv %n, %w : tensor<1x1024x1x1024xf16>, tensor<16x1024x1x1xf16> -> tensor<1x16x1x1024xf16>
  %1 = ane.transpose %0 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x16x1x1024xf16> -> tensor<1x1024x1x16xf16>
  %2 = ane.conv %n, %v : tensor<1x1024x1x1024xf16>, tensor<16x1024x1x1xf16> -> tensor<1x16x1x1024xf16>
  %3 = ane.transpose %2 {perm = array<i64: 0, 3, 2, 1>} : tensor<1x16x1x1024xf16> -> tensor<1x1024x1x16xf16>
  return %1, %3 : tensor<1x1024x1x16xf16>, tensor<1x1024x1x16xf16>
}

// CHECK-LABEL: @long_rows_leave
// CHECK-NOT: x512xf16>
// CHECK: return
func.func @long_rows_leave(%x: tensor<1x1024x1x1024xf16>) -> (tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16>, tensor<1x16x1x1024xf16>) {
  %w = ane.constant dense<0.25> : tensor<16x1024x1x1xf16>
  %0 = ane.elementwise add %x, %x : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16> -> tensor<1x1024x1x1024xf16>
  %1 = ane.elementwise mul %0, %x : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16> -> tensor<1x1024x1x1024xf16>
  %2 = ane.conv %1, %w : tensor<1x1024x1x1024xf16>, tensor<16x1024x1x1xf16> -> tensor<1x16x1x1024xf16>
  return %0, %1, %2 : tensor<1x1024x1x1024xf16>, tensor<1x1024x1x1024xf16>, tensor<1x16x1x1024xf16>
}

// -----

// Few keys and values are read for each strip; what makes the queries and what
// is behind goes in the same strips.
// CHECK-LABEL: @long_queries
// CHECK: ane.conv {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK-COUNT-4: ane.runtime_conv {{.*}} -> tensor<1x{{32|8}}x1x4096xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: %[[S:.*]] = ane.elementwise add {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x64x1x4096xf16>
// CHECK: ane.concat %[[S]], {{.*}} {axis = 3 : i64}
func.func @long_queries(%x: tensor<1x64x1x16384xf16>, %k: tensor<1x2x32x8xf16>, %v: tensor<1x2x32x8xf16>) -> tensor<1x64x1x16384xf16> {
  %w = ane.constant dense<0.25> : tensor<64x64x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x64x1x16384xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x1x16384xf16>
  %q = ane.reshape %0 : tensor<1x64x1x16384xf16> -> tensor<1x2x32x16384xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x16384xf16>, tensor<1x2x32x8xf16> -> tensor<1x2x16384x8xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x16384x8xf16> -> tensor<1x2x16384x8xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x8xf16>, tensor<1x2x16384x8xf16> -> tensor<1x2x32x16384xf16>
  %1 = ane.reshape %o : tensor<1x2x32x16384xf16> -> tensor<1x64x1x16384xf16>
  %2 = ane.conv %1, %w : tensor<1x64x1x16384xf16>, tensor<64x64x1x1xf16> -> tensor<1x64x1x16384xf16>
  %3 = ane.elementwise add %2, %x : tensor<1x64x1x16384xf16>, tensor<1x64x1x16384xf16> -> tensor<1x64x1x16384xf16>
  return %3 : tensor<1x64x1x16384xf16>
}

// -----

// Keys, values and queries of one head after the other are made at once, so
// that strips of what they are made of are read once for all three.
// CHECK-LABEL: @heads_alone
// CHECK: ane.conv {{.*}} -> tensor<1x32x1x1376xf16>
// CHECK-NOT: x1344xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x32x1x1376xf16>
// CHECK-NOT: x1344xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x32x1x1376xf16>
func.func @heads_alone(%x: tensor<1x512x1x4096xf16>) -> tensor<1x2x32x4096xf16> {
  %w = ane.constant dense<0.25> : tensor<64x512x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x512x1x4096xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x1x4096xf16>
  %1 = ane.conv %x, %w : tensor<1x512x1x4096xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x1x4096xf16>
  %2 = ane.conv %x, %w : tensor<1x512x1x4096xf16>, tensor<64x512x1x1xf16> -> tensor<1x64x1x4096xf16>
  %q = ane.reshape %0 : tensor<1x64x1x4096xf16> -> tensor<1x2x32x4096xf16>
  %k = ane.reshape %1 : tensor<1x64x1x4096xf16> -> tensor<1x2x32x4096xf16>
  %v = ane.reshape %2 : tensor<1x64x1x4096xf16> -> tensor<1x2x32x4096xf16>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x4096xf16>, tensor<1x2x32x4096xf16> -> tensor<1x2x4096x4096xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x4096x4096xf16> -> tensor<1x2x4096x4096xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x4096xf16>, tensor<1x2x4096x4096xf16> -> tensor<1x2x32x4096xf16>
  return %o : tensor<1x2x32x4096xf16>
}
