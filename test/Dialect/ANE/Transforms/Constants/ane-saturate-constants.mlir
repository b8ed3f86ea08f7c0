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
