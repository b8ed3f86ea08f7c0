// RUN: ane-opt %s --ane-saturate-constants --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @chosen
// CHECK: dense<-6.550400e+04> : tensor<1x1xf32>
func.func @chosen(%c: tensor<4x4xf16>, %x: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-warning @+1 {{constant has 1 values beyond f16, which become 65504 in magnitude}}
  %low = ane.constant dense<-3.40282347E+38> : tensor<1x1xf32>
  %0 = ane.select %c, %low, %x : tensor<4x4xf16>, tensor<1x1xf32>, tensor<4x4xf16> -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

// Infinities are meant, and 65519 rounds to what f16 has.
// CHECK-LABEL: @added
// CHECK: dense<[6.550400e+04, 0xFF800000, 6.551900e+04, 1.000000e+00]> : tensor<4xf32>
func.func @added(%x: tensor<4xf16>) -> tensor<4xf16> {
  // expected-warning @+1 {{constant has 1 values beyond f16}}
  %c = ane.constant dense<[65520.0, 0xFF800000, 65519.0, 1.0]> : tensor<4xf32>
  %0 = ane.elementwise sub %x, %c : tensor<4xf16>, tensor<4xf32> -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// A resource has its name in the message.
// CHECK-LABEL: @resource
// CHECK: dense<-6.550400e+04> : tensor<2xf32>
func.func @resource(%x: tensor<2xf16>) -> tensor<2xf16> {
  // expected-warning @+1 {{constant 'mask' has 2 values beyond f16}}
  %c = ane.constant dense_resource<mask> : tensor<2xf32>
  %0 = ane.elementwise add %x, %c : tensor<2xf16>, tensor<2xf32> -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// The lowest f32 twice.
{-#
  dialect_resources: {
    builtin: {
      mask: "0x04000000FFFF7FFFFFFF7FFF"
    }
  }
#-}

// -----

// A product would be wrong; a bound is one in f16, too, where it is used.
// CHECK-LABEL: @factor
// CHECK-COUNT-2: dense<1.000000e+06>
func.func @factor(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %c = ane.constant dense<1.0e6> : tensor<4xf32>
  %0 = ane.elementwise mul %x, %c : tensor<4xf16>, tensor<4xf32> -> tensor<4xf16>
  %d = ane.constant dense<1.0e6> : tensor<1xf32>
  %1 = ane.elementwise min %x, %d : tensor<4xf16>, tensor<1xf32> -> tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}

// -----

// Columns are moved by products with zeros; what a softmax reads stays infinite.
// CHECK-LABEL: @moved
// CHECK: %[[LOW:.*]] = ane.constant dense<-6.550400e+04> : tensor<1x1x1x1xf32>
// CHECK: %[[INF:.*]] = ane.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
// CHECK: ane.select %arg0, %arg1, %[[LOW]]
// CHECK: %[[HALF:.*]] = ane.constant dense<{{.*}} -3.275200e+04,{{.*}}> : tensor<1x1x1x4xf16>
// CHECK: ane.elementwise add %arg1, %[[HALF]]
// CHECK: ane.pad %arg1 {{.*}}value = 6.550400e+04
// CHECK: ane.select %arg0, %arg1, %[[INF]]
func.func @moved(%c: tensor<1x1x4x4xf16>, %x: tensor<1x1x4x4xf16>) -> (tensor<1x1x2x2xf16>, tensor<1x1x4x6xf16>, tensor<1x1x2x2xf16>, tensor<1x1x4x4xf16>) {
  %low = ane.constant dense<0xFF800000> : tensor<1x1x1x1xf32>
  // expected-warning @+1 {{constant is infinite, but is moved by products with zeros, which would give NaN; takes 65504 in magnitude}}
  %0 = ane.select %c, %x, %low : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  %r = ane.activation %0 {function = #ane.act<relu>} : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  %1 = ane.pool max %r {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x1x4x4xf16> -> tensor<1x1x2x2xf16>
  %row = ane.constant dense<[[[[0.0, 0xFC00, 0.0, 0.0]]]]> : tensor<1x1x1x4xf16>
  // expected-warning @+1 {{takes 32752 in magnitude}}
  %2 = ane.elementwise add %x, %row : tensor<1x1x4x4xf16>, tensor<1x1x1x4xf16> -> tensor<1x1x4x4xf16>
  %3 = ane.pad %2 {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 1>} : tensor<1x1x4x4xf16> -> tensor<1x1x4x6xf16>
  // expected-warning @+1 {{value is infinite}}
  %4 = ane.pad %x {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 0>, value = 0x7F800000 : f32} : tensor<1x1x4x4xf16> -> tensor<1x1x4x5xf16>
  %5 = ane.slice %4 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 2, 2>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x1x4x5xf16> -> tensor<1x1x2x2xf16>
  %6 = ane.select %c, %x, %low : tensor<1x1x4x4xf16>, tensor<1x1x4x4xf16>, tensor<1x1x1x1xf32> -> tensor<1x1x4x4xf16>
  %7 = ane.softmax %6 {axis = 3 : i64} : tensor<1x1x4x4xf16> -> tensor<1x1x4x4xf16>
  return %1, %3, %5, %7 : tensor<1x1x2x2xf16>, tensor<1x1x4x6xf16>, tensor<1x1x2x2xf16>, tensor<1x1x4x4xf16>
}
