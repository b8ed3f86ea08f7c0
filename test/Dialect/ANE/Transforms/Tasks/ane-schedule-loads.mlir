// RUN: ane-opt %s --ane-form-tasks --ane-assign-layout --ane-schedule | FileCheck %s

// Tasks that load the same rows stay together, though the small coefficients of
// the lower half would load beside the upper half: else its rows are loaded
// twice. 224 and 32 channels are what one convolution becomes.
// RUN: ane-compile %s -o %t.hwx
// RUN: ane-run %t.hwx --mode=count --stats=%t.json
// RUN: %python -c "import json, sys; read = json.load(open(sys.argv[1]))['dram_traffic']['read']['input']; assert read == 2 * 33 * 64 * 256 * 2, read" %t.json

// The upper half begins with a row of padding.
// CHECK: ane.ne_conv {{.*}}<i64: 1, 1>{{.*}} memref<32x256x3x3xf16
// CHECK: ane.ne_conv {{.*}}<i64: 1, 1>{{.*}} memref<224x256x3x3xf16
// CHECK: ane.ne_conv {{.*}}<i64: 0, 1>{{.*}} memref<32x256x3x3xf16
// CHECK: ane.ne_conv {{.*}}<i64: 0, 1>{{.*}} memref<224x256x3x3xf16
func.func @halves(%x: tensor<1x256x64x64xf16>) -> tensor<1x256x64x64xf16> {
  %w = ane.constant dense<0.125> : tensor<256x256x3x3xf16>
  %upper = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 256, 33, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x256x64x64xf16> -> tensor<1x256x33x64xf16>
  %lower = ane.slice %x {offsets = array<i64: 0, 0, 31, 0>, sizes = array<i64: 1, 256, 33, 64>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x256x64x64xf16> -> tensor<1x256x33x64xf16>
  %0 = ane.conv %upper, %w {pad = array<i64: 1, 0, 1, 1>} : tensor<1x256x33x64xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x32x64xf16>
  %1 = ane.conv %lower, %w {pad = array<i64: 0, 1, 1, 1>} : tensor<1x256x33x64xf16>, tensor<256x256x3x3xf16> -> tensor<1x256x32x64xf16>
  %y = ane.concat %0, %1 {axis = 2 : i64} : tensor<1x256x32x64xf16>, tensor<1x256x32x64xf16> -> tensor<1x256x64x64xf16>
  return %y : tensor<1x256x64x64xf16>
}
