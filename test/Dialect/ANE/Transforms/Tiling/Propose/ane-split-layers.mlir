// RUN: ane-opt %s --ane-split-layers | FileCheck %s
// RUN: ane-opt %s --ane-split-layers=flavour=zin-9.509 | FileCheck %s --check-prefix=ZIN

// 4 MB of hidden channels, which L2 does not hold: some of them at a time, whose products
// are added up.
// CHECK-LABEL: @feed_forward
// CHECK-NOT: tensor<1x4096x1x512xf16>
// CHECK: %[[X:.*]] = ane.slice %arg0 {{.*}} -> tensor<1x1024x1x256xf16>
// CHECK: %[[H:.*]] = ane.conv %[[X]], {{.*}} {activation = #ane.act<relu>} : {{.*}} -> tensor<1x1376x1x256xf16>
// CHECK: ane.conv %[[H]], {{.*}} : tensor<1x1376x1x256xf16>, tensor<352x1376x1x1xf16> -> tensor<1x352x1x256xf16>
// CHECK: ane.conv %{{.*}}, {{.*}} {activation = #ane.act<relu>} : {{.*}} -> tensor<1x1376x1x256xf16>
// CHECK: ane.elementwise add
// CHECK-NOT: tensor<1x4096x1x512xf16>
// ZIN-LABEL: @feed_forward
// ZIN: tensor<1x4096x1x512xf16>
func.func @feed_forward(%x: tensor<1x1024x1x512xf16>) -> tensor<1x1024x1x512xf16> {
  %w = ane.constant dense<0.01> : tensor<4096x1024x1x1xf16>
  %v = ane.constant dense<0.01> : tensor<1024x4096x1x1xf16>
  %h = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x1024x1x512xf16>, tensor<4096x1024x1x1xf16> -> tensor<1x4096x1x512xf16>
  %y = ane.conv %h, %v : tensor<1x4096x1x512xf16>, tensor<1024x4096x1x1xf16> -> tensor<1x1024x1x512xf16>
  return %y : tensor<1x1024x1x512xf16>
}

// Slices of the hidden channels would fit L2, too, but weights are so small that it costs less to
// read them for each tile of columns than to add up sums.
// CHECK-LABEL: @small_weights
// CHECK: ane.conv {{.*}} -> tensor<1x384x1x1568xf16>
// CHECK: ane.conv {{.*}} -> tensor<1x96x1x1568xf16>
// CHECK-NOT: ane.elementwise
// CHECK: return
func.func @small_weights(%x: tensor<1x96x1x3136xf16>) -> tensor<1x96x1x3136xf16> {
  %w = ane.constant dense<0.01> : tensor<384x96x1x1xf16>
  %v = ane.constant dense<0.01> : tensor<96x384x1x1xf16>
  %h = ane.conv %x, %w {activation = #ane.act<relu>} : tensor<1x96x1x3136xf16>, tensor<384x96x1x1xf16> -> tensor<1x384x1x3136xf16>
  %y = ane.conv %h, %v : tensor<1x384x1x3136xf16>, tensor<96x384x1x1xf16> -> tensor<1x96x1x3136xf16>
  return %y : tensor<1x96x1x3136xf16>
}
