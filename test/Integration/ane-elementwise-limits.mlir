// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-340 --high=-260 --step=1 --max-err=0.005
// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --flavour=zin-9.509 --low=-340 --high=-260 --step=1 --max-err=0.005

// f16 holds each number of a network and each result, but not what the numbers
// of two ops make together, nor each inverse with all of its bits.

!x = tensor<1x2x1x8xf16>
!n = tensor<1x1x1x1xf16>
!c = tensor<1x2x1x1xf16>

func.func @net(%x: !x) -> (!x, !x, !x, !x, !x, !x) {
  // 300 * 300 and 40000 * 2 are beyond f16.
  %c300 = ane.constant dense<300.0> : !n
  %c2 = ane.constant dense<2.0> : !n
  %c16384 = ane.constant dense<16384.0> : !n
  %c4096 = ane.constant dense<0.000244140625> : !n
  %sum = ane.elementwise add %x, %c300 : !x, !n -> !x
  %y0 = ane.elementwise mul %sum, %c300 : !x, !n -> !x

  %c40000 = ane.constant dense<40000.0> : !n
  %c100 = ane.constant dense<-100.0> : !n
  %large = ane.elementwise mul %x, %c100 : !x, !n -> !x
  %shared = ane.activation %large {function = #ane.act<abs>} : !x -> !x
  %difference = ane.elementwise sub %c40000, %shared : !n, !x -> !x
  %y1 = ane.elementwise mul %difference, %c2 : !x, !n -> !x

  // As the numbers of channels.
  %w = ane.constant dense<[[[[1.0]]], [[[1.0]]]]> : tensor<2x1x1x1xf16>
  %b = ane.constant dense<[[[[-30000.0]], [[-30000.0]]]]> : !c
  %c3 = ane.constant dense<3.0> : !n
  %conv = ane.conv %shared, %w {strides = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !x, tensor<2x1x1x1xf16> -> !x
  %moved = ane.elementwise add %conv, %b : !x, !c -> !x
  %y2 = ane.elementwise mul %moved, %c3 : !x, !n -> !x

  // 1 / 1e-5 is beyond f16, 1 / 50000 has half of its bits.
  %small = ane.elementwise mul %x, %c4096 : !x, !n -> !x
  %third = ane.constant dense<1.0e-5> : !n
  %y3 = ane.elementwise div %small, %third : !x, !n -> !x
  %c50000 = ane.constant dense<50000.0> : !n
  %y4 = ane.elementwise div %x, %c50000 : !x, !n -> !x
  %both = ane.constant dense<[[[[-50000.0]], [[40000.0]]]]> : !c
  %y5 = ane.elementwise div %x, %both : !x, !c -> !x
  return %y0, %y1, %y2, %y3, %y4, %y5 : !x, !x, !x, !x, !x, !x
}
