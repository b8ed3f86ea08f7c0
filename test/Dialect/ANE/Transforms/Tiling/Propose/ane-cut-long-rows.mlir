// RUN: ane-opt %s --ane-cut-long-rows | FileCheck %s

// A row of more than 16,384 elements is 32 rows of an image.
// CHECK-LABEL: @sound
// CHECK: %[[X:.*]] = ane.reshape %arg0 : tensor<1x1x1x32768xf16> -> tensor<1x1x32x1024xf16>
// CHECK: %[[Y:.*]] = ane.activation %[[X]] {function = #ane.act<relu>} : tensor<1x1x32x1024xf16>
// CHECK: %[[ROW:.*]] = ane.reshape %[[Y]] : tensor<1x1x32x1024xf16> -> tensor<1x1x1x32768xf16>
// CHECK: return %[[ROW]]
func.func @sound(%x: tensor<1x1x1x32768xf16>) -> tensor<1x1x1x32768xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x32768xf16> -> tensor<1x1x1x32768xf16>
  return %y : tensor<1x1x1x32768xf16>
}

// CHECK-LABEL: @short
// CHECK-NEXT: ane.activation %arg0
// CHECK-NEXT: return
func.func @short(%x: tensor<1x1x1x512xf16>) -> tensor<1x1x1x512xf16> {
  %y = ane.activation %x {function = #ane.act<relu>} : tensor<1x1x1x512xf16> -> tensor<1x1x1x512xf16>
  return %y : tensor<1x1x1x512xf16>
}
