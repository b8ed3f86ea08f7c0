// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-6 --high=6 --max-err=0.004

// L2 does not hold the scores, which are large: the maximum is subtracted from them before
// they are rounded. It is 0.0012 then.

func.func @net(%q: tensor<1x1x32x640xf16>, %k: tensor<1x1x32x1024xf16>, %v: tensor<1x1x32x1024xf16>) -> tensor<1x1x32x640xf16> {
  %o = ane.attention %q, %k, %v {transpose_query, transpose_key, transpose_value, transpose_result}
     : tensor<1x1x32x640xf16>, tensor<1x1x32x1024xf16>, tensor<1x1x32x1024xf16> -> tensor<1x1x32x640xf16>
  return %o : tensor<1x1x32x640xf16>
}
