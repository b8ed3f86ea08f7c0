// A network that says what it is for needs no --target, and may not have another one.

// RUN: ane-compile %s -o %t.hwx --report=%t.json
// RUN: ane-translate --dump-hwx=json %t.hwx | FileCheck %s
// RUN: FileCheck %s --input-file=%t.json
// RUN: not ane-compile %s -o %t.hwx --target=h13 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: "target":{{ ?}}"h14"
// OTHER: error: is for h14 (ane.target), but is compiled for h13; give one target only
module attributes {ane.target = "h14"} {
  func.func @main(%x: tensor<1x4x4x4xf16>) -> tensor<1x4x4x4xf16> {
    %0 = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x4x4xf16> -> tensor<1x4x4x4xf16>
    return %0 : tensor<1x4x4x4xf16>
  }
}
