"""Compile networks in StableHLO, run them in the simulator and compare with numpy.

  stablehlo.py BIN FOLDER [NAME...]
"""
import pathlib
import subprocess
import sys

import numpy as np

BIN, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
RANDOM = np.random.default_rng(7)


def data(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def dense(values):
    """A constant of these numbers as MLIR writes one."""
    values = np.asarray(values, np.float32)
    return f'dense<"0x{values.tobytes().hex().upper()}"> : tensor<{"x".join(map(str, values.shape))}xf32>'


def pad(x, before, after, value=0.0):
    """Rows and columns of an NHWC image."""
    return np.pad(x, ((0, 0), (before, after), (before, after), (0, 0)), constant_values=value)


def windows(x, size, stride=1, dilation=1):
    """N x rows x columns x size x size x C of an NHWC image."""
    extent = (size - 1) * dilation + 1
    rows, columns = ((n - extent) // stride + 1 for n in x.shape[1:3])
    return np.stack([np.stack([x[:, i * dilation:i * dilation + (rows - 1) * stride + 1:stride,
                                 j * dilation:j * dilation + (columns - 1) * stride + 1:stride]
                               for j in range(size)], 3) for i in range(size)], 3)


def convolve(x, w, stride=1, dilation=1):
    return np.einsum("nhwijc,ijco->nhwo", windows(x, w.shape[0], stride, dilation), w)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def classifier():
    """Convolution, bias, relu, maximum, dense layer, softmax, with calls of private functions."""
    w, b, d, c = data(3, 3, 3, 8), data(8), data(128, 10) / 8, data(10)
    text = f"""
module @jit_net attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<1x8x8x3xf32> {{mhlo.layout_mode = "default"}}) -> (tensor<1x10xf32> {{jax.result_info = ""}}) {{
    %w = stablehlo.constant {dense(w)}
    %b = stablehlo.constant {dense(b)}
    %d = stablehlo.constant {dense(d)}
    %c = stablehlo.constant {dense(c)}
    %0 = stablehlo.convolution(%arg0, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}} : (tensor<1x8x8x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x8x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x8x8x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x8x8x8xf32>
    %4 = call @relu(%3) : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.reduce_window"(%4, %5) <{{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}}> ({{
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %7 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }}) : (tensor<1x8x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %8 = stablehlo.reshape %6 : (tensor<1x4x4x8xf32>) -> tensor<1x128xf32>
    %9 = stablehlo.dot_general %8, %d, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128xf32>, tensor<128x10xf32>) -> tensor<1x10xf32>
    %10 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %11 = stablehlo.add %9, %10 : tensor<1x10xf32>
    %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1x10xf32>, tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %14 = stablehlo.maximum %13, %12 : tensor<1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x10xf32>
    %17 = stablehlo.subtract %11, %16 : tensor<1x10xf32>
    %18 = stablehlo.exponential %17 : tensor<1x10xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<1x10xf32>, tensor<f32>) -> tensor<1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x10xf32>
    %22 = stablehlo.divide %18, %21 : tensor<1x10xf32>
    return %22 : tensor<1x10xf32>
  }}
  func.func private @relu(%arg0: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {{
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x8x8xf32>
    return %1 : tensor<1x8x8x8xf32>
  }}
}}"""

    def numpy(x):
        x = np.maximum(convolve(pad(x, 1, 1), w) + b, 0)
        x = windows(x, 2, 2).max((3, 4)).reshape(1, 128)
        return softmax(x @ d + c)
    return text, [data(1, 8, 8, 3)], numpy


def attention():
    """Heads in the middle, a causal mask of counted places, batching dimensions."""
    text = """
func.func @main(%q: tensor<1x16x2x8xf32>, %k: tensor<1x16x2x8xf32>, %v: tensor<1x16x2x8xf32>) -> tensor<1x16x2x8xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<1x16x2x8xf32>, tensor<1x16x2x8xf32>) -> tensor<1x2x16x16xf32>
  %i = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %j = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %m = stablehlo.compare  GE, %i, %j,  SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %mb = stablehlo.broadcast_in_dim %m, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x2x16x16xi1>
  %low = stablehlo.constant dense<-1.0e4> : tensor<1x2x16x16xf32>
  %1 = stablehlo.select %mb, %0, %low : tensor<1x2x16x16xi1>, tensor<1x2x16x16xf32>
  %inf = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %inf) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x16x16xf32>, tensor<f32>) -> tensor<1x2x16xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x2x16xf32>) -> tensor<1x2x16x16xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<1x2x16x16xf32>
  %5 = stablehlo.exponential %4 : tensor<1x2x16x16xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x16x16xf32>, tensor<f32>) -> tensor<1x2x16xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x2x16xf32>) -> tensor<1x2x16x16xf32>
  %8 = stablehlo.divide %5, %7 : tensor<1x2x16x16xf32>
  %9 = stablehlo.dot_general %v, %8, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<1x16x2x8xf32>, tensor<1x2x16x16xf32>) -> tensor<1x2x8x16xf32>
  %10 = stablehlo.transpose %9, dims = [0, 3, 1, 2] : (tensor<1x2x8x16xf32>) -> tensor<1x16x2x8xf32>
  return %10 : tensor<1x16x2x8xf32>
}"""

    def numpy(q, k, v):
        scores = np.einsum("bqhd,bkhd->bhqk", q, k)
        scores = np.where(np.tril(np.ones((16, 16), bool)), scores, -1e4)
        return np.einsum("bhqk,bkhd->bqhd", softmax(scores), v)
    return text, [data(1, 16, 2, 8) for _ in range(3)], numpy


def norm():
    """A layer norm with mean and variance, erf as a call, and an inference batch norm."""
    g, b = data(32), data(32)
    mean, variance = data(32), np.abs(data(32)) + 0.5
    text = f"""
func.func @main(%x: tensor<1x6x32xf32>) -> tensor<1x6x32xf32> {{
  %g = stablehlo.constant {dense(g)}
  %b = stablehlo.constant {dense(b)}
  %mean = stablehlo.constant {dense(mean)}
  %variance = stablehlo.constant {dense(variance)}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<32.0> : tensor<1x6x1xf32>
  %eps = stablehlo.constant dense<1.0e-3> : tensor<1x6x1xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x6x32xf32>, tensor<f32>) -> tensor<1x6xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
  %2 = stablehlo.divide %1, %n : tensor<1x6x1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x32xf32>
  %4 = stablehlo.subtract %x, %3 : tensor<1x6x32xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<1x6x32xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<1x6x32xf32>, tensor<f32>) -> tensor<1x6xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
  %8 = stablehlo.divide %7, %n : tensor<1x6x1xf32>
  %9 = stablehlo.add %8, %eps : tensor<1x6x1xf32>
  %10 = stablehlo.rsqrt %9 : tensor<1x6x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x32xf32>
  %12 = stablehlo.multiply %4, %11 : tensor<1x6x32xf32>
  %13 = stablehlo.broadcast_in_dim %g, dims = [2] : (tensor<32xf32>) -> tensor<1x6x32xf32>
  %14 = stablehlo.multiply %12, %13 : tensor<1x6x32xf32>
  %15 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<32xf32>) -> tensor<1x6x32xf32>
  %16 = stablehlo.add %14, %15 : tensor<1x6x32xf32>
  %17 = stablehlo.custom_call @mhlo.erf(%16) {{mhlo.attributes = {{}}, mhlo.version = 1 : i64}} : (tensor<1x6x32xf32>) -> tensor<1x6x32xf32>
  %18 = "stablehlo.batch_norm_inference"(%17, %g, %b, %mean, %variance) <{{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}}> : (tensor<1x6x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<1x6x32xf32>
  return %18 : tensor<1x6x32xf32>
}}"""

    def numpy(x):
        import math
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-3) * g + b
        x = np.vectorize(math.erf)(x)
        return (x - mean) / np.sqrt(variance + 1e-3) * g + b
    return text, [data(1, 6, 32)], numpy


def windows_of_all_kinds():
    """Averages of what is inside, extremes, sums with gaps, groups, strides and gaps of convolutions, in several orders."""
    w, deep = data(4, 8, 3, 3), data(3, 3, 1, 8)
    text = f"""
func.func @main(%x: tensor<1x9x9x8xf32>) -> (tensor<1x5x5x8xf32>, tensor<1x9x9x8xf32>, tensor<1x5x5x8xf32>, tensor<1x4x4x4xf32>, tensor<1x5x5x8xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %ones = stablehlo.constant dense<1.0> : tensor<1x9x9x8xf32>
  %s = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<1x9x9x8xf32>, tensor<f32>) -> tensor<1x5x5x8xf32>
  %n = "stablehlo.reduce_window"(%ones, %zero) <{{window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<1x9x9x8xf32>, tensor<f32>) -> tensor<1x5x5x8xf32>
  %average = stablehlo.divide %s, %n : tensor<1x5x5x8xf32>
  %least = "stablehlo.reduce_window"(%x, %inf) <{{window_dimensions = array<i64: 1, 3, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<1x9x9x8xf32>, tensor<f32>) -> tensor<1x9x9x8xf32>
  %gaps = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 1, 3, 3, 1>, window_dilations = array<i64: 1, 2, 2, 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<1x9x9x8xf32>, tensor<f32>) -> tensor<1x5x5x8xf32>
  %w = stablehlo.constant {dense(w)}
  %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<1x9x9x8xf32>) -> tensor<1x8x9x9xf32>
  %strided = stablehlo.convolution(%t, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {{stride = [2, 2]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x8x9x9xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  %d = stablehlo.constant {dense(deep)}
  %depthwise = stablehlo.convolution(%x, %d) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{rhs_dilate = [2, 2]}} {{batch_group_count = 1 : i64, feature_group_count = 8 : i64}} : (tensor<1x9x9x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x5x5x8xf32>
  return %average, %least, %gaps, %strided, %depthwise : tensor<1x5x5x8xf32>, tensor<1x9x9x8xf32>, tensor<1x5x5x8xf32>, tensor<1x4x4x4xf32>, tensor<1x5x5x8xf32>
}}"""

    def numpy(x):
        average = windows(pad(x, 1, 1), 3, 2).sum((3, 4)) / windows(pad(np.ones_like(x), 1, 1), 3, 2).sum((3, 4))
        rows = np.pad(x, ((0, 0), (1, 1), (0, 0), (0, 0)), constant_values=np.inf)
        least = np.minimum(np.minimum(rows[:, :-2], rows[:, 1:-1]), rows[:, 2:])
        gaps = windows(x, 3, 1, 2).sum((3, 4))
        strided = convolve(x, w.transpose(2, 3, 1, 0), 2).transpose(0, 3, 1, 2)
        depthwise = (windows(x, 3, 1, 2) * deep[:, :, 0]).sum((3, 4))
        return average, least, gaps, strided, depthwise
    return text, [data(1, 9, 9, 8)], numpy


def products():
    """Dimensions of a product in all orders, several of a kind, none of a kind."""
    m = data(4, 5, 3, 6)
    text = f"""
func.func @main(%x: tensor<3x4x5xf32>, %y: tensor<5x3x7xf32>) -> (tensor<5x4x7xf32>, tensor<3x6xf32>, tensor<4x5x5x7xf32>) {{
  %m = stablehlo.constant {dense(m)}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [2] x [0], contracting_dims = [0] x [1] : (tensor<3x4x5xf32>, tensor<5x3x7xf32>) -> tensor<5x4x7xf32>
  %1 = "stablehlo.dot_general"(%x, %m) <{{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [2], lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>}}> : (tensor<3x4x5xf32>, tensor<4x5x3x6xf32>) -> tensor<3x6xf32>
  %2 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [1] : (tensor<3x4x5xf32>, tensor<5x3x7xf32>) -> tensor<4x5x5x7xf32>
  return %0, %1, %2 : tensor<5x4x7xf32>, tensor<3x6xf32>, tensor<4x5x5x7xf32>
}}"""
    return text, [data(3, 4, 5), data(5, 3, 7)], lambda x, y: (
        np.einsum("abc,cad->cbd", x, y), np.einsum("abc,bcad->ad", x, m), np.einsum("abc,dae->bcde", x, y))


def transposed():
    """Pixels that lie apart: as JAX writes a transposed convolution, with groups, and along a sequence."""
    w, grouped, line = data(3, 3, 6, 4), data(2, 2, 3, 4), data(4, 3, 5)
    text = f"""
func.func @main(%x: tensor<1x5x5x6xf32>, %s: tensor<1x7x3xf32>) -> (tensor<1x10x10x4xf32>, tensor<1x10x10x4xf32>, tensor<1x16x5xf32>) {{
  %w = stablehlo.constant {dense(w)}
  %g = stablehlo.constant {dense(grouped)}
  %l = stablehlo.constant {dense(line)}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x5x5x6xf32>, tensor<3x3x6x4xf32>) -> tensor<1x10x10x4xf32>
  %1 = stablehlo.convolution(%x, %g) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2], reverse = [true, true]}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} : (tensor<1x5x5x6xf32>, tensor<2x2x3x4xf32>) -> tensor<1x10x10x4xf32>
  %2 = stablehlo.convolution(%s, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{pad = [[2, 4]], lhs_dilate = [2]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<1x7x3xf32>, tensor<4x3x5xf32>) -> tensor<1x16x5xf32>
  return %0, %1, %2 : tensor<1x10x10x4xf32>, tensor<1x10x10x4xf32>, tensor<1x16x5xf32>
}}"""

    def numpy(x, s):
        apart = np.zeros((1, 9, 9, 6))
        apart[:, ::2, ::2] = x
        turned, padded = grouped[::-1, ::-1], pad(apart, 1, 1)
        halves = [convolve(padded[..., 3 * i:3 * i + 3], turned[..., 2 * i:2 * i + 2]) for i in (0, 1)]
        long = np.zeros((1, 19, 3))
        long[:, 2:15:2] = s
        sequence = sum(long[:, k:k + 16] @ line[k] for k in range(4))
        return convolve(pad(apart, 2, 1), w), np.concatenate(halves, 3), sequence
    return text, [data(1, 5, 5, 6), data(1, 7, 3)], numpy


def functions():
    """Elements: rounding, roots, logic, constants that are computed, padding that takes away."""
    text = """
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>) {
  %four = stablehlo.constant dense<4.0> : tensor<4x8xf32>
  %half = stablehlo.constant dense<0.5> : tensor<4x8xf32>
  %0 = stablehlo.multiply %x, %four : tensor<4x8xf32>
  %1 = stablehlo.round_nearest_afz %0 : tensor<4x8xf32>
  %2 = stablehlo.cbrt %x : tensor<4x8xf32>
  %3 = stablehlo.compare GT, %x, %half : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %4 = stablehlo.negate %half : tensor<4x8xf32>
  %5 = stablehlo.compare LT, %x, %4 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %6 = stablehlo.or %3, %5 : tensor<4x8xi1>
  %7 = stablehlo.not %6 : tensor<4x8xi1>
  %8 = stablehlo.select %7, %x, %four : tensor<4x8xi1>, tensor<4x8xf32>
  %n = stablehlo.constant dense<3.0> : tensor<f32>
  %9 = stablehlo.reverse %x, dims = [0] : tensor<4x8xf32>
  %10 = stablehlo.pad %9, %n, low = [0, -2], high = [0, 1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32>
  return %1, %2, %8, %10 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>
}"""

    def numpy(x):
        y = 4 * x
        away = np.trunc(y) + np.sign(y) * (np.abs(y - np.trunc(y)) >= 0.5)
        kept = np.where((x > 0.5) | (x < -0.5), 4, x)
        return away, np.cbrt(x), kept, np.pad(x[::-1, 2:], ((0, 0), (0, 1)), constant_values=3)
    # Halves are exact in f16, and thirds of eighths near no half.
    return text, [(RANDOM.integers(-16, 17, (4, 8)) / 16).astype(np.float32)], numpy


def loops():
    """A recurrence as jax.lax.scan writes it, and branches that constants and data choose."""
    text = """
module @jit_f {
  func.func public @main(%arg0: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %0, %iterArg_2 = %1) : tensor<4x8xf32>, tensor<i32>, tensor<8xf32>, tensor<4x8xf32>
     cond {
      %c_3 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare  LT, %iterArg_0, %c_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %6 = stablehlo.dynamic_slice %iterArg, %iterArg_0, %c_3, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
      %7 = stablehlo.reshape %6 : (tensor<1x8xf32>) -> tensor<8xf32>
      %8 = stablehlo.add %iterArg_1, %7 : tensor<8xf32>
      %rem = stablehlo.remainder %iterArg_0, %c_4 : tensor<i32>
      %9 = "stablehlo.case"(%rem) ({
        %a = stablehlo.tanh %8 : tensor<8xf32>
        stablehlo.return %a : tensor<8xf32>
      }, {
        %a = stablehlo.negate %8 : tensor<8xf32>
        stablehlo.return %a : tensor<8xf32>
      }) : (tensor<i32>) -> tensor<8xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
      %11 = stablehlo.dynamic_update_slice %iterArg_2, %10, %iterArg_0, %c_3 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_0, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %12, %9, %11 : tensor<4x8xf32>, tensor<i32>, tensor<8xf32>, tensor<4x8xf32>
    }
    %s = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %p = stablehlo.compare GT, %s, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %13 = "stablehlo.if"(%p) ({
      %a = stablehlo.tanh %arg0 : tensor<4x8xf32>
      stablehlo.return %a : tensor<4x8xf32>
    }, {
      %u = stablehlo.slice %arg0 [0:2, 0:3] : (tensor<4x8xf32>) -> tensor<2x3xf32>
      %n = stablehlo.constant dense<9> : tensor<i32>
      %a = stablehlo.dynamic_update_slice %arg0, %u, %n, %n : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
      stablehlo.return %a : tensor<4x8xf32>
    }) : (tensor<i1>) -> tensor<4x8xf32>
    return %2#2, %2#3, %13 : tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
}"""

    def numpy(x):
        h, rows = np.zeros(8), []
        for i, row in enumerate(x):
            h = -(h + row) if i % 2 else np.tanh(h + row)
            rows.append(h)
        put = x.copy()
        put[2:, 5:] = x[:2, :3]
        return h, np.stack(rows), np.tanh(x) if x.sum() > 0 else put
    return text, [-np.abs(data(4, 8))], numpy


def searches():
    """The largest elements and their places, elements at places, and an order."""
    text = """
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4xi32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x2xf32>, tensor<2xf32>, tensor<2x2x8xf32>, tensor<4xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare  GT, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare  NE, %arg1, %arg1,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare  EQ, %arg1, %arg3,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare  LT, %arg2, %arg4,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  %values, %indices = chlo.top_k(%x, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %sorted:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %d: tensor<i32>, %e: tensor<i32>):
    %r = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %i = stablehlo.constant dense<[[7], [1]]> : tensor<2x1xi32>
  %columns = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<4x2xf32>
  %j = stablehlo.constant dense<[[3, 2], [1, 9]]> : tensor<2x2xi32>
  %points = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<2xf32>
  %k = stablehlo.constant dense<[1, -5]> : tensor<2xi32>
  %blocks = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>}> : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<2x2x8xf32>
  %m = stablehlo.constant dense<[[5], [0], [2], [7]]> : tensor<4x1xi32>
  %each = "stablehlo.gather"(%x, %m) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
  return %1#1, %values, %indices, %sorted#0, %sorted#1, %columns, %points, %blocks, %each : tensor<4xi32>, tensor<4x3xf32>, tensor<4x3xi32>, tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x2xf32>, tensor<2xf32>, tensor<2x2x8xf32>, tensor<4xf32>
}"""

    def numpy(x):
        down, up = np.argsort(-x, 1, kind="stable"), np.argsort(x, 1, kind="stable")
        # Indices stay within the tensor, and those of points are columns of j.
        return (x.argmax(1), np.take_along_axis(x, down[:, :3], 1), down[:, :3], np.sort(x, 1), up, x[:, [7, 1]],
                x[[3, 2], [1, 7]], np.stack([x[1:3], x[0:2]]), x[np.arange(4), [5, 0, 2, 7]])
    x = (RANDOM.integers(-16, 17, (4, 8)) / 16).astype(np.float32)
    return text, [x], numpy


def gradients():
    """Of maximum poolings whose windows overlap, have padding or equal elements; of minima of the last ones."""
    def scatter(compare, attributes, source):
        return f"""({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare {compare}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }}, {{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }}) {{window_dimensions = array<i64: {attributes}}} : (tensor<2x7x7x3xf32>, tensor<{source}xf32>, tensor<f32>) -> tensor<2x7x7x3xf32>"""
    pads = "padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>"
    text = f"""
func.func @net(%x: tensor<2x7x7x3xf32>, %s: tensor<2x4x4x3xf32>, %t: tensor<2x3x3x3xf32>) -> (tensor<2x7x7x3xf32>, tensor<2x7x7x3xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) {scatter("GE", "1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, " + pads, "2x4x4x3")}
  %1 = "stablehlo.select_and_scatter"(%x, %t, %zero) {scatter("LT", "1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>", "2x3x3x3")}
  return %0, %1 : tensor<2x7x7x3xf32>, tensor<2x7x7x3xf32>
}}"""
    # Few different ones, so that windows have equal elements.
    x = np.round(data(2, 7, 7, 3) * 2)

    def numpy(x, s, t):
        def put(source, size, before, sign, last):
            result = np.zeros((2, 9, 9, 3), np.float32)
            padded = pad(sign * x, 1, 1, -np.inf)
            for n, i, j, c in np.ndindex(source.shape):
                row, column = 2 * i + 1 - before, 2 * j + 1 - before
                window = padded[n, row:row + size, column:column + size, c].ravel()
                place = len(window) - 1 - window[::-1].argmax() if last else window.argmax()
                result[n, row + place // size, column + place % size, c] += source[n, i, j, c]
            return result[:, 1:-1, 1:-1]
        return put(s, 3, 1, 1, False), put(t, 2, 0, -1, True)

    return text, [x, data(2, 4, 4, 3), data(2, 3, 3, 3)], numpy


NETWORKS = {"classifier": classifier, "attention": attention, "norm": norm, "windows": windows_of_all_kinds,
            "products": products, "transposed": transposed, "functions": functions, "loops": loops, "searches": searches,
            "gradients": gradients}


def check(name):
    text, inputs, numpy = NETWORKS[name]()
    (FOLDER / f"{name}.mlir").write_text(text)
    subprocess.run([BIN / "ane-compile", FOLDER / f"{name}.mlir", "-o", FOLDER / f"{name}.hwx"], check=True)
    wanted = numpy(*(x.astype(np.float64) for x in inputs))
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    command = [BIN / "ane-run", FOLDER / f"{name}.hwx"]
    for i, x in enumerate(inputs):
        np.save(FOLDER / f"{name}-in{i}.npy", x)
        command += ["--input", FOLDER / f"{name}-in{i}.npy"]
    for i in range(len(wanted)):
        command += ["--output", FOLDER / f"{name}-out{i}.npy"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for i, want in enumerate(wanted):
        got = np.load(FOLDER / f"{name}-out{i}.npy").astype(np.float64)
        worst = np.abs(got.reshape(want.shape) - want).max()
        if not worst <= 0.01 * max(1.0, np.abs(want).max()):
            print(f"{name}: result {i} is off by {worst}")
            return
    print(f"{name}: agrees")


for each in sys.argv[3:] or NETWORKS:
    check(each)
