// RUN: ane-opt %s --split-input-file --convert-linalg-to-ane | FileCheck %s

// Every pixel twice along both axes, channels last: a transpose and one resize.

// CHECK-LABEL: func.func @nearest
// CHECK: %[[T:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 1, 2>} : tensor<1x2x3x5xf16> -> tensor<1x5x2x3xf16>
// CHECK: %[[R:.*]] = ane.resize nearest %[[T]] : tensor<1x5x2x3xf16> -> tensor<1x5x4x9xf16>
// CHECK: ane.transpose %[[R]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x5x4x9xf16> -> tensor<1x4x9x5xf16>
// CHECK-NOT: ane.slice
func.func @nearest(%x: tensor<1x2x3x5xf32>) -> tensor<1x4x9x5xf32> {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %e = tensor.empty() : tensor<1x4x9x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x9x5xf32>) {
  ^bb0(%out: f32):
    %n = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %c = linalg.index 3 : index
    %y = arith.floordivsi %h, %two : index
    %z = arith.divui %w, %three : index
    %v = tensor.extract %x[%n, %y, %z, %c] : tensor<1x2x3x5xf32>
    linalg.yield %v : f32
  } -> tensor<1x4x9x5xf32>
  return %0 : tensor<1x4x9x5xf32>
}

// -----

// Two samples along a row, weighted by how far they are: pixel centres at one
// half, twice as many pixels. Float arithmetic that is known is folded, too.

// CHECK-LABEL: func.func @linear
// CHECK: %[[X:.*]] = ane.reshape %{{.*}} : tensor<3x4xf16> -> tensor<1x3x1x4xf16>
// CHECK: %[[R:.*]] = ane.resize bilinear %[[X]] {half_pixel} : tensor<1x3x1x4xf16> -> tensor<1x3x1x8xf16>
// CHECK: ane.reshape %[[R]] : tensor<1x3x1x8xf16> -> tensor<3x8xf16>
func.func @linear(%x: tensor<3x4xf32>) -> tensor<3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %last = arith.constant 3 : i64
  %one_i = arith.constant 1 : i64
  %e = tensor.empty() : tensor<3x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(c, w) -> (c, w)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x8xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %w = linalg.index 1 : index
    %i = arith.index_cast %w : index to i64
    %f = arith.sitofp %i : i64 to f32
    %centre = arith.addf %f, %half : f32
    %scaled = arith.mulf %centre, %half : f32
    %raw = arith.subf %scaled, %half : f32
    %at = arith.maximumf %raw, %zero : f32
    %floor = math.floor %at : f32
    %p = arith.fptosi %floor : f32 to i64
    %p1 = arith.addi %p, %one_i : i64
    %q = arith.minsi %p1, %last : i64
    %d = arith.subf %at, %floor : f32
    %d1 = arith.subf %one, %d : f32
    %j = arith.index_cast %p : i64 to index
    %k = arith.index_cast %q : i64 to index
    %a = tensor.extract %x[%c, %j] : tensor<3x4xf32>
    %b = tensor.extract %x[%c, %k] : tensor<3x4xf32>
    %pa = arith.mulf %a, %d1 : f32
    %pb = arith.mulf %d, %b : f32
    %s = arith.addf %pa, %pb : f32
    linalg.yield %s : f32
  } -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// The mean of each element and the next one is no mode: a product with the
// matrix of the weights.

// CHECK-LABEL: func.func @means
// CHECK: %[[W:.*]] = ane.constant dense<{{\[\[\[\[}}5.000000e-01, 5.000000e-01, 0.000000e+00], [0.000000e+00, 5.000000e-01, 5.000000e-01]]]]> : tensor<1x1x2x3xf32>
// CHECK: ane.matmul %{{.*}}, %[[W]] {transpose_rhs} : tensor<1x4x1x3xf16>, tensor<1x1x2x3xf32> -> tensor<1x4x1x2xf16>
func.func @means(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(c, w) -> (c, w)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %w = linalg.index 1 : index
    %next = arith.addi %w, %one : index
    %a = tensor.extract %x[%c, %w] : tensor<4x3xf32>
    %b = tensor.extract %x[%c, %next] : tensor<4x3xf32>
    %s = arith.addf %a, %b : f32
    %m = arith.mulf %s, %half : f32
    linalg.yield %m : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Differences of two tensors are no samples of one, and each is read by itself.

// CHECK-LABEL: func.func @two_sources
// CHECK: %[[A:.*]] = ane.slice %{{.*}} {offsets = array<i64: 1>, sizes = array<i64: 2>
// CHECK: ane.elementwise sub
func.func @two_sources(%x: tensor<3xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(w) -> (w)>], iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
  ^bb0(%out: f32):
    %w = linalg.index 0 : index
    %next = arith.addi %w, %one : index
    %a = tensor.extract %x[%next] : tensor<3xf32>
    %b = tensor.extract %y[%w] : tensor<2xf32>
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
