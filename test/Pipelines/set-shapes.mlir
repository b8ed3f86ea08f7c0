// Sizes that a function leaves open get values, and what follows from them follows, through
// ops of any dialect.

// RUN: ane-opt %s --ane-set-shapes="shape=image=2x3x8x8,1=4 function=mixed" | FileCheck %s
// RUN: ane-opt %s --ane-set-shapes="shape=1=4,0=2x3x8x8 function=mixed" | FileCheck %s

// Commas as other tools have them, in one option with others; the name of the option that chooses.
// RUN: ane-compile %s --function=mixed --shape image=2,3,8,8,1=4 --stop-after=import -o - | FileCheck %s --check-prefix=COMMAS
// RUN: ane-compile %s --function=mixed --shape 1=4,image=2x3x8x8 --stop-after=import -o - | FileCheck %s --check-prefix=COMMAS
// COMMAS: func.func @mixed(%{{.*}}: tensor<2x3x8x8xf32> {ane.name = "image"}, %{{.*}}: tensor<4xf32>)

// CHECK-LABEL: func.func @mixed(
// CHECK-SAME:    %{{.*}}: tensor<2x3x8x8xf32> {ane.name = "image"}, %{{.*}}: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>)
// CHECK-NOT: tensor.cast
// CHECK-NOT: ?
// CHECK: tosa.conv2d {{.*}} -> tensor<2x8x8x4xf32>
// CHECK: tosa.reshape {{.*}} -> tensor<2x4xf32>
// CHECK: math.exp %{{.*}} : tensor<2x4xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<2x4xf32>
// CHECK: linalg.generic
// CHECK: } -> tensor<2x4xf32>
// CHECK: arith.addf %{{.*}} : tensor<2x4xf32>
// CHECK: return %{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<4xf32>
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @mixed(%x: tensor<?x3x8x8xf32> {ane.name = "image"}, %v: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %w = "tosa.const"() {values = dense<0.5> : tensor<4x3x3x3xf32>} : () -> tensor<4x3x3x3xf32>
  %b = "tosa.const"() {values = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %t = tosa.transpose %x {perms = array<i32: 0, 2, 3, 1>} : (tensor<?x3x8x8xf32>) -> tensor<?x8x8x3xf32>
  %c = tosa.conv2d %t, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<?x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x4xf32>
  %rows = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<?x8x8x4xf32>) -> tensor<?x1x8x4xf32>
  %sums = tosa.reduce_sum %rows {axis = 2 : i32} : (tensor<?x1x8x4xf32>) -> tensor<?x1x1x4xf32>
  %shape = tosa.const_shape {values = dense<[-1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %sums, %shape : (tensor<?x1x1x4xf32>, !tosa.shape<2>) -> tensor<?x4xf32>
  %e = math.exp %flat : tensor<?x4xf32>
  %m = arith.constant dense<0.25> : tensor<4x4xf32>
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 0 : index
  %n = tensor.dim %x, %i : tensor<?x3x8x8xf32>
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = linalg.matmul ins(%e, %m : tensor<?x4xf32>, tensor<4x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %g = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.tanh %in : f32
    linalg.yield %y : f32
  } -> tensor<?x4xf32>
  %sum = arith.addf %g, %g : tensor<?x4xf32>
  %twice = arith.addf %v, %v : tensor<?xf32>
  return %sum, %twice : tensor<?x4xf32>, tensor<?xf32>
}

// What is not set stays open, also beside a size of 1 that is repeated.
// RUN: ane-opt %s --ane-set-shapes="shape=1=5 function=partly" | FileCheck %s --check-prefix=PARTLY
// PARTLY-LABEL: func.func @partly(
// PARTLY: tosa.add {{.*}} -> tensor<?x4xf32>
// PARTLY: arith.mulf %{{.*}} : tensor<5xf32>
// PARTLY: return %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<5xf32>
func.func @partly(%x: tensor<?x4xf32>, %v: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %b = "tosa.const"() {values = dense<1.0> : tensor<1x4xf32>} : () -> tensor<1x4xf32>
  %y = tosa.add %x, %b : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %w = arith.mulf %v, %v : tensor<?xf32>
  return %y, %w : tensor<?x4xf32>, tensor<?xf32>
}

// Of a MIL program the inputs; the import finds the rest.
// RUN: ane-translate --from-mil %S/Inputs/flexible.mil | ane-opt --ane-set-shapes="shape=default function=range" | FileCheck %s --check-prefix=DEFAULT
// RUN: ane-translate --from-mil %S/Inputs/flexible.mil | ane-opt --ane-set-shapes="shape=x=1x7,default function=range" | FileCheck %s --check-prefix=OTHER
// RUN: ane-translate --from-mil %S/Inputs/flexible.mil | ane-opt --ane-set-shapes="shape=0=1x8,y=1x2 function=listed" | FileCheck %s --check-prefix=LISTED
// RUN: ane-translate --from-mil %S/Inputs/flexible.mil | ane-opt --ane-set-shapes="shape=x=1x1000 function=unbounded" --convert-mil-to-ane=function=unbounded | FileCheck %s --check-prefix=IMPORTED
// DEFAULT: mil.func @range opset "ios18" (%{{.*}}: tensor<1x4xf16>, %{{.*}}: tensor<1x2xf16>) names ["x", "y"] {} {
// OTHER: mil.func @range opset "ios18" (%{{.*}}: tensor<1x7xf16>, %{{.*}}: tensor<1x2xf16>) names ["x", "y"] {} {
// LISTED: mil.func @listed opset "ios18" (%{{.*}}: tensor<1x8xf16>, %{{.*}}: tensor<1x2xf16>) names ["x", "y"] {} {
// IMPORTED: func.func @unbounded(%{{.*}}: tensor<1x1000xf16> {{.*}}) -> (tensor<1x1000xf16> {{.*}}) {
