// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-2 --high=2 --max-err=0.005 --tasks=11

// Two blocks of rows in each product, and statistics that are not exchanged.

func.func @net(%q: tensor<1x256x64xf16>, %k: tensor<1x256x64xf16>, %v: tensor<1x256x64xf16>) -> tensor<1x256x64xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x256x64xf16>, tensor<1x256x64xf16> -> tensor<1x256x256xf16>
  %p = ane.softmax %s {axis = 2 : i64} : tensor<1x256x256xf16> -> tensor<1x256x256xf16>
  %y = ane.matmul %p, %v : tensor<1x256x256xf16>, tensor<1x256x64xf16> -> tensor<1x256x64xf16>
  return %y : tensor<1x256x64xf16>
}
