// RUN: %python %S/Inputs/make-npy.py %t.w.npy '<f4' '(2, 3)' 1 2 3 4 5 6
// RUN: %python %S/Inputs/make-npy.py %t.h.npy '<f2' '(3,)' 0.5 1.5 2.5
// RUN: ane-opt %s --ane-bind-arguments="bind=1=@%{near}.w.npy,half=@%{near}.h.npy" | FileCheck %s

// Bound arguments become constants and leave the signature; the others keep
// their attributes.

// CHECK: func.func @net(%{{.*}}: tensor<2x3xf32> {ane.name = "x"}, %{{.*}}: tensor<1x4xf32> {ane.name = "v"}, %{{.*}}: tensor<4xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[W:.*]] = ane.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
// CHECK-DAG: ane.constant dense<[5.000000e-01, 1.500000e+00, 2.500000e+00]> : tensor<3xf16>
// CHECK: tosa.add %{{.*}}, %[[W]]

// Numbers depend on seed, argument and position alone, so a range and single
// bindings agree, and other seeds and arguments differ.

// RUN: ane-opt %s --ane-bind-arguments="bind=1=random:7,3=random:7:0.5" > %t.a
// RUN: ane-opt %s --ane-bind-arguments="bind=1-1=random:7,v=random:7:0.5" > %t.b
// RUN: ane-opt %s --ane-bind-arguments="bind=1=random:8,3=random:7:0.5" > %t.c
// RUN: diff %t.a %t.b
// RUN: not diff %t.a %t.c
// RUN: FileCheck %s --check-prefix=RANDOM --input-file=%t.a

// RANDOM: ane.constant dense<{{.*[0-9].*}}> : tensor<2x3xf32>
// RANDOM: ane.constant dense<{{.*-.*}}> : tensor<1x4xf32>

// A vector is uniform in [0.2, 1): no sign, no exponent above 1.

// RUN: ane-opt %s --ane-bind-arguments="bind=3-4=random:1" | FileCheck %s --check-prefix=VECTOR
// VECTOR: ane.constant dense<{{..(0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01)..}}> : tensor<1x4xf32>
// VECTOR: ane.constant dense<{{.(0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01), (0.[2-9][0-9]+|[2-9].[0-9]+e-01).}}> : tensor<4xf32>

// Integers are constants that importers look into; in a MIL program too, whose inputs have names.

// RUN: %python %S/Inputs/make-npy.py %t.i.npy '<i4' '(3,)' 2 0 2
// RUN: %python %S/Inputs/make-npy.py %t.f.npy '<f2' '(1, 3)' 1 2 3
// RUN: ane-opt %S/Inputs/bound.mlir --ane-bind-arguments="bind=rows=@%{near}.i.npy" | FileCheck %s --check-prefix=ROWS
// ROWS: func.func @pick(%{{.*}}: tensor<1x4x2xf32>)
// ROWS: arith.constant dense<[2, 0, 2]> : tensor<3xi32>
// RUN: ane-translate --from-mil %S/Inputs/bound.mil | ane-opt --ane-bind-arguments="bind=rows=@%{near}.i.npy,1=@%{near}.f.npy" | FileCheck %s --check-prefix=MIL
// MIL: mil.func @main opset "ios18" (%{{.*}}: tensor<4x3xf16>) names ["x"] {} {
// MIL-DAG: mil.const dense<[2, 0, 2]> : tensor<3xi32>
// MIL-DAG: mil.const dense<{{.*}}1.000000e+00, 2.000000e+00, 3.000000e+00{{.*}}> : tensor<1x3xf16>
// RUN: ane-compile %S/Inputs/bound.mil --bind=rows=@%t.i.npy --bind=scale=@%t.f.npy -o %t.bound.mlir --stop-after=import
// RUN: FileCheck %s --check-prefix=IMPORT --input-file=%t.bound.mlir
// IMPORT: func.func @main(%{{.*}}: tensor<4x3xf16> {ane.name = "x"})
// IMPORT: ane.concat
// IMPORT: ane.elementwise mul

func.func @net(%x: tensor<2x3xf32> {ane.name = "x"}, %w: tensor<2x3xf32>, %h: tensor<3xf16> {ane.name = "half"}, %v: tensor<1x4xf32> {ane.name = "v"}, %u: tensor<4xf32>) -> tensor<2x3xf32> {
  %0 = tosa.add %x, %w : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
