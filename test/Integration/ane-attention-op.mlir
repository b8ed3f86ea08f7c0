// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// The op itself: two groups of four heads, a scale and a mask.

func.func @net(%q: tensor<1x8x24x16xf16>, %k: tensor<1x2x16x40xf16>, %v: tensor<1x2x40x16xf16>, %m: tensor<1x1x24x40xf16>) -> tensor<1x8x24x16xf16> {
  %o = ane.attention %q, %k, %v mask %m {scale = 2.500000e-01 : f32, transpose_key}
     : tensor<1x8x24x16xf16>, tensor<1x2x16x40xf16>, tensor<1x2x40x16xf16> mask tensor<1x1x24x40xf16>
     -> tensor<1x8x24x16xf16>
  return %o : tensor<1x8x24x16xf16>
}
