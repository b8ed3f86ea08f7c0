// RUN: %python %S/Inputs/make-npy.py %t.shape.npy '<f4' '(3, 2)' 1 2 3 4 5 6
// RUN: %python %S/Inputs/make-npy.py %t.type.npy '<f2' '(2, 3)' 1 2 3 4 5 6
// RUN: %python %S/Inputs/make-npy.py %t.short.npy '<f4' '(2, 3)' 1 2 3 4 5
// RUN: echo text > %t.text.npy

// RUN: not ane-opt %s --ane-bind-arguments="bind=1" 2>&1 | FileCheck %s --check-prefix=EQUALS
// EQUALS: bind-arguments-errors.mlir:{{[0-9]+}}:1: error: binding '1' has no '='; write N=@FILE or N=random:SEED[:SCALE]

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=w.npy" 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: binding '1=w.npy' gives 'w.npy', but only @FILE and random:SEED[:SCALE] are values

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@" 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: binding '1=@' names no file; write N=@FILE

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=random:x" 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: binding '1=random:x' has the seed 'x', but a seed is a number from 0 on

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=random:1:-2" 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: binding '1=random:1:-2' has the scale '-2', but a scale is a finite number from 0 on

// RUN: not ane-opt %s --ane-bind-arguments="bind=4=random:1" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: binding '4=random:1' names no argument of 'net', which has 4

// RUN: not ane-opt %s --ane-bind-arguments="bind=y=random:1" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: binding 'y=random:1' names no argument of 'net', which has 4

// RUN: not ane-opt %s --ane-bind-arguments="bind=2-1=random:1" 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: binding '2-1=random:1' names no argument of 'net', which has 4

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=random:1,w=random:1" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: binding 'w=random:1' binds argument #1 a second time

// RUN: not ane-opt %s --ane-bind-arguments="bind=0-1=@%{near}.shape.npy" 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: gives one file to several arguments; bind each of them

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@%{near}.none.npy" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: bind-arguments-errors.mlir:[[# @LINE + 25]]:{{[0-9]+}}: error: binding '1=@{{.*}}.none.npy': '{{.*}}.none.npy' cannot be read: No such file or directory

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@%{near}.shape.npy" 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: '{{.*}}.shape.npy' holds float32 of shape 3x2, but argument #1 is 'tensor<2x3xf32>'

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@%{near}.type.npy" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: '{{.*}}.type.npy' holds float16 of shape 2x3, but argument #1 is 'tensor<2x3xf32>'

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@%{near}.short.npy" 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: '{{.*}}.short.npy' is no array: {{.*}}20 bytes

// RUN: not ane-opt %s --ane-bind-arguments="bind=1=@%{near}.text.npy" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: '{{.*}}.text.npy' is no array:

// RUN: not ane-opt %s --ane-bind-arguments="bind=2=random:1" 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: binding '2=random:1': argument #2 is 'tensor<4xi32>', but only tensors of f32 and f16 with a fixed shape can be bound to random numbers
// RUN: %python %S/Inputs/make-npy.py %t.long.npy '<i8' '(4,)' 1 2 3 4
// RUN: not ane-opt %s --ane-bind-arguments="bind=2=@%{near}.long.npy" 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: '{{.*}}.long.npy' holds int64 of shape 4, but argument #2 is 'tensor<4xi32>'

// RUN: not ane-opt %s --ane-bind-arguments="bind=3=random:1" 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: binding '3=random:1': argument #3 is 'tensor<?xf32>', but only tensors of f32 and f16 with a fixed shape can be bound to random numbers
// RUN: not ane-opt %s --ane-bind-arguments="bind=3=@%{near}.long.npy" 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: argument #3 is 'tensor<?xf32>', but only tensors of f32 and f16 and integers with a fixed shape can be bound

func.func @net(%x: tensor<2x3xf32>, %w: tensor<2x3xf32> {ane.name = "w"}, %i: tensor<4xi32>, %d: tensor<?xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}
