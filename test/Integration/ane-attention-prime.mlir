// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-1 --high=1 --max-err=0.01

// Numbers of keys that suit no lanes: with a mask of the data that is a term of the products,
// and in two blocks and a rest.

func.func @net(%q: tensor<1x2x32x197xf16>, %k: tensor<1x2x32x197xf16>, %v: tensor<1x2x64x197xf16>, %m: tensor<1x1x1x197xf16>, %l: tensor<1x1x32x301xf16>) -> (tensor<1x2x64x197xf16>, tensor<1x1x32x301xf16>) {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<1x2x32x197xf16>, tensor<1x2x32x197xf16> -> tensor<1x2x197x197xf16>
  %a = ane.elementwise add %s, %m : tensor<1x2x197x197xf16>, tensor<1x1x1x197xf16> -> tensor<1x2x197x197xf16>
  %p = ane.softmax %a {axis = 3 : i64} : tensor<1x2x197x197xf16> -> tensor<1x2x197x197xf16>
  %y = ane.matmul %v, %p {transpose_rhs} : tensor<1x2x64x197xf16>, tensor<1x2x197x197xf16> -> tensor<1x2x64x197xf16>
  %t = ane.matmul %l, %l {transpose_lhs} : tensor<1x1x32x301xf16>, tensor<1x1x32x301xf16> -> tensor<1x1x301x301xf16>
  %r = ane.softmax %t {axis = 3 : i64} : tensor<1x1x301x301xf16> -> tensor<1x1x301x301xf16>
  %z = ane.matmul %l, %r {transpose_rhs} : tensor<1x1x32x301xf16>, tensor<1x1x301x301xf16> -> tensor<1x1x32x301xf16>
  return %y, %z : tensor<1x2x64x197xf16>, tensor<1x1x32x301xf16>
}
