// RUN: ane-opt %s --ane-decompose=sequences=false --split-input-file --verify-diagnostics | FileCheck %s
// RUN: ane-opt %s --ane-decompose="flavour=zin-9.509 sequences=false" --split-input-file 2>%t.said | FileCheck %s --check-prefix=ZIN
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.said
// RUN: ane-compile %s --function=known --hwx-flavour=zin-9.509 -o %t.hwx 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: ane-compile %s --function=known --hwx-flavour=zin-9.509 --range where=-8:8 -o %t.hwx 2>&1 | FileCheck %s --check-prefix=SMALL --allow-empty
// RUN: not ane-compile %s --function=known --hwx-flavour=zin-9.509 --strict-numerics -o %t.hwx 2>&1 | FileCheck %s --check-prefix=STRICT

// Another compiler rounds the product, and that is said.
// SAID: warning: 'ane.elementwise' op makes angles of input #0, whose range is unknown, and flavour zin-9.509 rounds them to f16 as the compiler that it follows: above 16 they are off by up to 0.008 and more; say --range, take flavour clean, or give the sines as inputs
// KNOWN: ane-decompose-angles.mlir:[[#]]:[[#]]: warning: 'ane.elementwise' op makes angles of input 'where' of up to 1600 in magnitude, and flavour zin-9.509
// SMALL-NOT: warning
// STRICT: error: 'ane.elementwise' op makes angles of input 'where'

// The position becomes digits, whose products with what is left of whole turns are exact.

// CHECK-LABEL: @position
// CHECK-DAG: %[[C2048:.*]] = ane.constant dense<2.048000e+03>
// CHECK-DAG: %[[HIGH:.*]] = ane.constant dense<{{\[*}}-6.250000e-02, -4.062500e-01{{\]*}}> : tensor<1x1x1x2xf32>
// CHECK: %[[A:.*]] = ane.activation %{{.*}} {function = #ane.act<trunc>}
// CHECK: ane.elementwise mul %[[A]], %[[HIGH]]
// CHECK: ane.activation %{{.*}} {function = #ane.act<fraction>}
// ZIN-LABEL: @position
// ZIN-NOT: 2.048
func.func @position(%p: tensor<1x1x4x1xf16>) -> tensor<1x1x4x2xf16> {
  %f = ane.constant dense<[[[[1.0, 0.1]]]]> : tensor<1x1x1x2xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x1x4x1xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x4x2xf16>
  %s = ane.activation %a {function = #ane.act<sin>} : tensor<1x1x4x2xf16> -> tensor<1x1x4x2xf16>
  return %s : tensor<1x1x4x2xf16>
}

// -----

// What enters in f32 may be a position that f16 does not have. A function that is called has to stay as it is.

// CHECK-LABEL: @enters(%arg0: tensor<1x1x4x1xf32> {ane.name = "where"})
func.func @enters(%p: tensor<1x1x4x1xf32> {ane.name = "where"}) -> tensor<1x1x4x2xf16> {
  %f = ane.constant dense<[[[[1.0, 0.1]]]]> : tensor<1x1x1x2xf32>
  %h = ane.cast %p : tensor<1x1x4x1xf32> -> tensor<1x1x4x1xf16>
  // expected-warning @+1 {{'ane.elementwise' op makes angles of input 'where', which enters as f16: whole numbers above 2048 lose their last bits there; keep it below, or give the sines as inputs}}
  %a = ane.elementwise mul %h, %f : tensor<1x1x4x1xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x4x2xf16>
  %s = ane.activation %a {function = #ane.act<sin>} : tensor<1x1x4x2xf16> -> tensor<1x1x4x2xf16>
  return %s : tensor<1x1x4x2xf16>
}

func.func @calls(%p: tensor<1x1x4x1xf32>) -> tensor<1x1x4x2xf16> {
  %s = func.call @enters(%p) : (tensor<1x1x4x1xf32>) -> tensor<1x1x4x2xf16>
  return %s : tensor<1x1x4x2xf16>
}

// -----

// What is computed has an error of its own; what else is made of the product wants all of it.

// CHECK-LABEL: @computed
// CHECK-NOT: 2.048
func.func @computed(%x: tensor<1x1x4x1xf16>, %p: tensor<1x1x4x1xf16>) -> (tensor<1x1x4x2xf16>, tensor<1x1x4x2xf16>, tensor<1x1x4x2xf16>) {
  %f = ane.constant dense<[[[[1.0, 0.1]]]]> : tensor<1x1x1x2xf32>
  %e = ane.activation %x {function = #ane.act<tanh>} : tensor<1x1x4x1xf16> -> tensor<1x1x4x1xf16>
  %a = ane.elementwise mul %e, %f : tensor<1x1x4x1xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x4x2xf16>
  %s = ane.activation %a {function = #ane.act<sin>} : tensor<1x1x4x2xf16> -> tensor<1x1x4x2xf16>
  %b = ane.elementwise mul %p, %f : tensor<1x1x4x1xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x4x2xf16>
  %c = ane.activation %b {function = #ane.act<cos>} : tensor<1x1x4x2xf16> -> tensor<1x1x4x2xf16>
  return %s, %b, %c : tensor<1x1x4x2xf16>, tensor<1x1x4x2xf16>, tensor<1x1x4x2xf16>
}

// -----

// CHECK-LABEL: @known
func.func @known(%p: tensor<1x1x4x1xf16> {ane.name = "where", ane.range = [-100.0, 800.0]}) -> tensor<1x1x4x2xf16> {
  %f = ane.constant dense<[[[[2.0, 0.1]]]]> : tensor<1x1x1x2xf32>
  %a = ane.elementwise mul %p, %f : tensor<1x1x4x1xf16>, tensor<1x1x1x2xf32> -> tensor<1x1x4x2xf16>
  %s = ane.activation %a {function = #ane.act<sin>} : tensor<1x1x4x2xf16> -> tensor<1x1x4x2xf16>
  return %s : tensor<1x1x4x2xf16>
}
