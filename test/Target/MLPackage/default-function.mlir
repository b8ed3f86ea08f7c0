// The function that a package says is compiled, of several.

// RUN: rm -rf %t.mlpackage
// RUN: ane-translate --to-mlpackage %s -o %t.mlpackage
// RUN: ane-translate --from-mlpackage %t.mlpackage | FileCheck %s
// RUN: ane-compile %t.mlpackage -o %t.hwx && ane-translate --dump-hwx %t.hwx | FileCheck %s --check-prefix=CHOSEN
// RUN: ane-compile %t.mlpackage --function=first -o %t.hwx && ane-translate --dump-hwx %t.hwx | FileCheck %s --check-prefix=NAMED
// CHECK: mil.program version "1.3" {} attributes {default_function = "second"}
// CHOSEN: 7
// NAMED: 5
mil.program version "1.3" {} attributes {default_function = "second"} {
  mil.func @first opset "ios18" (%x: tensor<1x4x5x5xf16>) names ["x"] {} {
    %y = mil.relu(x = %x) {name = "y"} as "y" : (tensor<1x4x5x5xf16>) -> tensor<1x4x5x5xf16>
    mil.return %y : tensor<1x4x5x5xf16>
  }
  mil.func @second opset "ios18" (%x: tensor<1x4x7x7xf16>) names ["x"] {} {
    %y = mil.relu(x = %x) {name = "y"} as "y" : (tensor<1x4x7x7xf16>) -> tensor<1x4x7x7xf16>
    mil.return %y : tensor<1x4x7x7xf16>
  }
}
