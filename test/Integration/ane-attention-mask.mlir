// REQUIRES: numpy
// RUN: split-file %s %t
// RUN: %python %ane_src/utils/check-ane.py %t/keys.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/causal.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/computed.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/window.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/terms.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/blocks.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/capped.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: %python %ane_src/utils/check-ane.py %t/few.mlir --bin %ane_bin --low=-2 --high=2 --max-err=0.01
// RUN: ane-opt %t/keys.mlir --ane-decompose | FileCheck %s
// RUN: ane-opt %t/few.mlir --ane-decompose | FileCheck %s --check-prefix=FEW
// RUN: ane-opt %t/capped.mlir --ane-decompose | FileCheck %s --check-prefix=CAPPED
// RUN: ane-opt %t/terms.mlir --ane-decompose | FileCheck %s --check-prefix=TERMS --implicit-check-not='elementwise{{ +}}add'
// RUN: ane-opt %t/blocks.mlir --ane-decompose | FileCheck %s --check-prefix=BLOCKS
// RUN: ane-opt %t/causal.mlir --ane-decompose | FileCheck %s
// RUN: ane-opt %t/computed.mlir --ane-decompose | FileCheck %s --check-prefix=COMPUTED
// RUN: ane-opt %t/bounded.mlir --ane-decompose | FileCheck %s --check-prefix=BOUNDED
// RUN: %python -c "import numpy as np; m = np.zeros((1, 1, 256, 256), np.float16); m[..., 3::4] = -np.inf; m[..., 2::4] = -65504; np.save('%t/mask.npy', m); np.save('%t/x.npy', np.random.default_rng(7).uniform(-2, 2, (1, 4, 32, 256)).astype(np.float16))"
// RUN: ane-compile %t/infinite.mlir -o %t/infinite.hwx
// RUN: ane-run %t/infinite.hwx --input x=%t/x.npy --input mask=%t/mask.npy --output %t/y1.npy
// RUN: ane-compile %t/bounded.mlir -o %t/bounded.hwx
// RUN: ane-run %t/bounded.hwx --input x=%t/x.npy --input mask=%t/mask.npy --output %t/y4.npy
// RUN: %python %t/expect.py %t/x.npy %t/mask.npy %t/y1.npy %t/y4.npy
// RUN: ane-opt %t/window.mlir --ane-fold --ane-decompose | FileCheck %s --check-prefix=WINDOW

// Scores with something added are scores: keys are channels all the same.

// CHECK: ane.runtime_conv
// CHECK: ane.elementwise add
// CHECK: ane.runtime_conv

//--- keys.mlir

// The last of the keys count for less.

func.func @net(%q: tensor<1x2x32x64xf16>, %k: tensor<1x2x32x6xf16>, %v: tensor<1x2x32x6xf16>) -> tensor<1x2x32x64xf16> {
  %mask = ane.constant dense<[[[[0.0, 0.5, -1.0, 0.0, -2.0, -30000.0]]]]> : tensor<1x1x1x6xf32>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x64xf16>, tensor<1x2x32x6xf16> -> tensor<1x2x64x6xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x2x64x6xf16>, tensor<1x1x1x6xf32> -> tensor<1x2x64x6xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x2x64x6xf16> -> tensor<1x2x64x6xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x6xf16>, tensor<1x2x64x6xf16> -> tensor<1x2x32x64xf16>
  return %o : tensor<1x2x32x64xf16>
}

//--- causal.mlir

// Another mask for each query, the same for groups and heads. Keys are rows of
// the scores.

func.func @net(%q: tensor<2x3x32x4xf16>, %k: tensor<2x1x32x4xf16>, %v: tensor<2x1x32x4xf16>) -> tensor<2x3x32x4xf16> {
  %mask = ane.constant dense<[[[[0.0, 0.0, 0.0, 0.0], [-30000.0, 0.0, 0.0, 0.0], [-30000.0, -30000.0, 0.0, 0.0], [-30000.0, -30000.0, -30000.0, 0.0]]]]> : tensor<1x1x4x4xf32>
  %s = ane.matmul %k, %q {transpose_lhs} : tensor<2x1x32x4xf16>, tensor<2x3x32x4xf16> -> tensor<2x3x4x4xf16>
  %m = ane.elementwise add %mask, %s : tensor<1x1x4x4xf32>, tensor<2x3x4x4xf16> -> tensor<2x3x4x4xf16>
  %p = ane.softmax %m {axis = 2 : i64} : tensor<2x3x4x4xf16> -> tensor<2x3x4x4xf16>
  %o = ane.matmul %v, %p : tensor<2x1x32x4xf16>, tensor<2x3x4x4xf16> -> tensor<2x3x32x4xf16>
  return %o : tensor<2x3x32x4xf16>
}

//--- computed.mlir

// A bias of positions for each head. It may be infinite, which no product takes: the steps
// are differences and a table.

// COMPUTED: ane.runtime_conv
// COMPUTED: %[[M:.*]] = ane.elementwise add
// COMPUTED: %[[MOST:.*]] = ane.reduce max %[[M]]
// COMPUTED: %[[BELOW:.*]] = ane.elementwise sub %[[M]], %[[MOST]]
// COMPUTED: ane.activation %[[BELOW]] {function = #ane.act<exp2>}
// COMPUTED: ane.runtime_conv

func.func @net(%q: tensor<1x4x64x32xf16>, %k: tensor<1x4x96x32xf16>, %v: tensor<1x4x96x32xf16>, %mask: tensor<1x4x64x96xf16>) -> tensor<1x4x64x32xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x4x64x32xf16>, tensor<1x4x96x32xf16> -> tensor<1x4x64x96xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x4x64x96xf16>, tensor<1x4x64x96xf16> -> tensor<1x4x64x96xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x4x64x96xf16> -> tensor<1x4x64x96xf16>
  %o = ane.matmul %p, %v : tensor<1x4x64x96xf16>, tensor<1x4x96x32xf16> -> tensor<1x4x64x32xf16>
  return %o : tensor<1x4x64x32xf16>
}

//--- infinite.mlir

// Keys that a mask of the data leaves out count for nothing. This one is as large as the
// scores, which stay as they are.

func.func @net(%x: tensor<1x4x32x256xf16> {ane.name = "x"}, %mask: tensor<1x1x256x256xf16> {ane.name = "mask"}) -> tensor<1x1x32x256xf16> {
  %h = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 32, 256>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x32x256xf16> -> tensor<1x1x32x256xf16>
  %s = ane.matmul %h, %h {transpose_lhs} : tensor<1x1x32x256xf16>, tensor<1x1x32x256xf16> -> tensor<1x1x256x256xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x1x256x256xf16>, tensor<1x1x256x256xf16> -> tensor<1x1x256x256xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x1x256x256xf16> -> tensor<1x1x256x256xf16>
  %o = ane.matmul %h, %p {transpose_rhs} : tensor<1x1x32x256xf16>, tensor<1x1x256x256xf16> -> tensor<1x1x32x256xf16>
  return %o : tensor<1x1x32x256xf16>
}

//--- bounded.mlir

// This one is for four heads. With something as good as infinite, no score is, and powers
// are products.

// BOUNDED: %[[MASK:.*]] = ane.elementwise max %arg1, %{{.*}} : tensor<1x1x256x256xf16>, tensor<1x1x1x1xf16>
// BOUNDED: ane.conv {{.*}} {activation = #ane.act<exp2>} : tensor<1x65x{{.*}}

func.func @net(%x: tensor<1x4x32x256xf16> {ane.name = "x"}, %mask: tensor<1x1x256x256xf16> {ane.name = "mask"}) -> tensor<1x4x32x256xf16> {
  %s = ane.matmul %x, %x {transpose_lhs} : tensor<1x4x32x256xf16>, tensor<1x4x32x256xf16> -> tensor<1x4x256x256xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x4x256x256xf16>, tensor<1x1x256x256xf16> -> tensor<1x4x256x256xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x4x256x256xf16> -> tensor<1x4x256x256xf16>
  %o = ane.matmul %x, %p {transpose_rhs} : tensor<1x4x32x256xf16>, tensor<1x4x256x256xf16> -> tensor<1x4x32x256xf16>
  return %o : tensor<1x4x32x256xf16>
}

//--- expect.py

import sys
import numpy as np

x, mask, *results = (np.load(path).astype(np.float64) for path in sys.argv[1:])
s = np.swapaxes(x, 2, 3) @ x + mask
p = np.exp(s - s.max(3, keepdims=True))
expected = x @ np.swapaxes(p / p.sum(3, keepdims=True), 2, 3)
for y in results:
    heads = y.reshape(1, -1, *x.shape[2:])
    assert np.abs(heads - expected[:, : heads.shape[1]]).max() < 0.02

//--- window.mlir

// No query sees all keys: strips of queries, each with the keys that it sees.
// The mask is added where it is not zero.

// WINDOW: %[[Q0:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 32, 1, 128>
// WINDOW: ane.runtime_conv %[[Q0]], {{.*}} -> tensor<1x128x1x128xf16>
// WINDOW-NOT: ane.elementwise{{ +}}add
// WINDOW: ane.reduce{{ +}}max
// WINDOW: %[[Q1:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 128>
// WINDOW: %[[S0:.*]] = ane.runtime_conv %[[Q1]],
// WINDOW: %[[M0:.*]] = ane.elementwise{{ +}}add %[[S0]],
// WINDOW: %[[S1:.*]] = ane.runtime_conv %[[Q1]],
// WINDOW: ane.concat %[[MOST:.*]], %[[M0]], %[[MOST]], %[[S1]], %[[MOST]] {axis = 1 : i64}
// WINDOW: ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 256>
// WINDOW: ane.runtime_conv
// WINDOW: ane.runtime_conv
// WINDOW: ane.elementwise{{ +}}add
// WINDOW-COUNT-2: ane.reduce{{ +}}max {{.*}} tensor<1x128x1x128xf16>

func.func @net(%q: tensor<1x2x32x384xf16>, %k: tensor<1x2x32x384xf16>, %v: tensor<1x2x32x384xf16>) -> tensor<1x2x32x384xf16> {
  %zero = ane.constant dense<0.0> : tensor<1x1x128x128xf32>
  %low = ane.constant dense<-1.0> : tensor<1x1x128x128xf32>
  %none = ane.constant dense<-30000.0> : tensor<1x1x128x128xf32>
  %0 = ane.concat %zero, %none, %none {axis = 3 : i64} : tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32> -> tensor<1x1x128x384xf32>
  %1 = ane.concat %low, %zero, %none {axis = 3 : i64} : tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32> -> tensor<1x1x128x384xf32>
  %2 = ane.concat %none, %zero, %low {axis = 3 : i64} : tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32>, tensor<1x1x128x128xf32> -> tensor<1x1x128x384xf32>
  %mask = ane.concat %0, %1, %2 {axis = 2 : i64} : tensor<1x1x128x384xf32>, tensor<1x1x128x384xf32>, tensor<1x1x128x384xf32> -> tensor<1x1x384x384xf32>
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x384xf16>, tensor<1x2x32x384xf16> -> tensor<1x2x384x384xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x2x384x384xf16>, tensor<1x1x384x384xf32> -> tensor<1x2x384x384xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x2x384x384xf16> -> tensor<1x2x384x384xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x384xf16>, tensor<1x2x384x384xf16> -> tensor<1x2x32x384xf16>
  return %o : tensor<1x2x32x384xf16>
}

//--- terms.mlir

// Computed numbers for keys, two images of heads that share theirs: a term of
// the products.

// TERMS: ane.runtime_conv %{{.*}}, %{{.*}} {lanes = {{.*}}} : tensor<1x33x6x24xf16>, tensor<1x{{.*}} -> tensor<1x128x
// TERMS: ane.reduce{{ +}}max

func.func @net(%q: tensor<2x6x32x24xf16>, %k: tensor<2x1x32x128xf16>, %v: tensor<2x1x32x128xf16>, %mask: tensor<1x1x128x1xf16>) -> tensor<2x6x32x24xf16> {
  %s = ane.matmul %k, %q {transpose_lhs} : tensor<2x1x32x128xf16>, tensor<2x6x32x24xf16> -> tensor<2x6x128x24xf16>
  %m = ane.elementwise add %s, %mask : tensor<2x6x128x24xf16>, tensor<1x1x128x1xf16> -> tensor<2x6x128x24xf16>
  %p = ane.softmax %m {axis = 2 : i64} : tensor<2x6x128x24xf16> -> tensor<2x6x128x24xf16>
  %o = ane.matmul %v, %p : tensor<2x1x32x128xf16>, tensor<2x6x128x24xf16> -> tensor<2x6x32x24xf16>
  return %o : tensor<2x6x32x24xf16>
}

//--- blocks.mlir

// L2 does not hold the scores. Of 616 keys the last 104 have other planes.

// BLOCKS: ane.runtime_conv %{{.*}} : tensor<1x9x1x1100xf16>
// BLOCKS: ane.runtime_conv %{{.*}} : tensor<1x10x1x1100xf16>

func.func @net(%q: tensor<1x1x8x1100xf16>, %k: tensor<1x1x8x616xf16>, %v: tensor<1x1x8x616xf16>, %mask: tensor<1x1x1x616xf16>) -> tensor<1x1x8x1100xf16> {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x1x8x1100xf16>, tensor<1x1x8x616xf16> -> tensor<1x1x1100x616xf16>
  %m = ane.elementwise add %s, %mask : tensor<1x1x1100x616xf16>, tensor<1x1x1x616xf16> -> tensor<1x1x1100x616xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x1x1100x616xf16> -> tensor<1x1x1100x616xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x1x8x616xf16>, tensor<1x1x1100x616xf16> -> tensor<1x1x8x1100xf16>
  return %o : tensor<1x1x8x1100xf16>
}

//--- capped.mlir

// Scores that a hyperbolic tangent keeps small.

// CAPPED: %[[S:.*]] = ane.runtime_conv
// CAPPED: %[[C:.*]] = ane.activation %[[S]] {function = #ane.act<scaled_tanh, 5.000000e+00, 1.000000e+00>}
// CAPPED: %[[M:.*]] = ane.elementwise{{ +}}add %[[C]],
// CAPPED: ane.reduce{{ +}}max %[[M]]

func.func @net(%q: tensor<1x2x32x24xf16>, %k: tensor<1x2x32x16xf16>, %v: tensor<1x2x32x16xf16>, %mask: tensor<1x1x1x16xf16>) -> tensor<1x2x32x24xf16> {
  %c = ane.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = ane.matmul %q, %k {transpose_lhs, activation = #ane.act<tanh>} : tensor<1x2x32x24xf16>, tensor<1x2x32x16xf16> -> tensor<1x2x24x16xf16>
  %x = ane.elementwise mul %s, %c : tensor<1x2x24x16xf16>, tensor<1x1x1x1xf32> -> tensor<1x2x24x16xf16>
  %m = ane.elementwise add %x, %mask : tensor<1x2x24x16xf16>, tensor<1x1x1x16xf16> -> tensor<1x2x24x16xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<1x2x24x16xf16> -> tensor<1x2x24x16xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x32x16xf16>, tensor<1x2x24x16xf16> -> tensor<1x2x32x24xf16>
  return %o : tensor<1x2x32x24xf16>
}

//--- few.mlir

// Keys and values of a cache, and two queries: values are an image, what they
// are multiplied with is transposed.

// FEW: %[[V:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>} : tensor<1x6x96x32xf16> -> tensor<1x96x6x32xf16>
// FEW: %[[P:.*]] = ane.transpose %{{.*}} {perm = array<i64: 0, 3, 2, 1>} : tensor<1x96x[[ROWS:.*]]x2xf16> -> tensor<1x2x[[ROWS]]x96xf16>
// FEW: ane.runtime_conv %{{.*}}, %[[P]] : {{.*}} -> tensor<1x2x[[ROWS]]x32xf16>

func.func @net(%q: tensor<2x3x2x32xf16>, %k: tensor<2x3x96x32xf16>, %v: tensor<2x3x96x32xf16>, %mask: tensor<1x1x2x96xf16>) -> tensor<2x3x2x32xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<2x3x2x32xf16>, tensor<2x3x96x32xf16> -> tensor<2x3x2x96xf16>
  %m = ane.elementwise add %s, %mask : tensor<2x3x2x96xf16>, tensor<1x1x2x96xf16> -> tensor<2x3x2x96xf16>
  %p = ane.softmax %m {axis = 3 : i64} : tensor<2x3x2x96xf16> -> tensor<2x3x2x96xf16>
  %o = ane.matmul %p, %v : tensor<2x3x2x96xf16>, tensor<2x3x96x32xf16> -> tensor<2x3x2x32xf16>
  return %o : tensor<2x3x2x32xf16>
}
