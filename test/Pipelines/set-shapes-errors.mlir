// RUN: rm -rf %t && mkdir %t

// RUN: not ane-opt %s --ane-set-shapes="shape=0" 2>&1 | FileCheck %s --check-prefix=EQUALS
// RUN: not ane-opt %s --ane-set-shapes="shape==1x2" 2>&1 | FileCheck %s --check-prefix=EQUALS
// EQUALS: set-shapes-errors.mlir:{{[0-9]+}}:1: error: shape '{{.*}}' is no shape of an argument; write N=1x3x224x224, or default for those that a Core ML program has

// RUN: not ane-opt %s --ane-set-shapes="shape=0=1x0" 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: shape '0=1x0' has the size '0', but sizes are in [1, 2147483647]
// RUN: not ane-opt %s --ane-set-shapes="shape=0=1xx2" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: shape '0=1xx2' has the size '', but sizes are in [1, 2147483647]
// RUN: not ane-opt %s --ane-set-shapes="shape=0=1x3000000000" 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: shape '0=1x3000000000' has the size '3000000000', but sizes are in [1, 2147483647]

// RUN: not ane-opt %s --ane-set-shapes="shape=3=1x2" 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: shape '3=1x2' names no argument of 'net', which has 3
// RUN: not ane-opt %s --ane-set-shapes="shape=z=1x2" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: shape 'z=1x2' names no argument of 'net', which has 3

// RUN: not ane-opt %s --ane-set-shapes="shape=0=2x4" 2>&1 | FileCheck %s --check-prefix=FIXED
// FIXED: error: shape '0=2x4' is not one of 'tensor<?x3xf32>'; only its dynamic dimensions can be set
// RUN: not ane-opt %s --ane-set-shapes="shape=0=2x3x1" 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: shape '0=2x3x1' is not one of 'tensor<?x3xf32>'
// RUN: not ane-opt %s --ane-set-shapes="shape=1=1" 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: shape '1=1' is not one of 'index'

// RUN: not ane-opt %s --ane-set-shapes="shape=default" 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: error: shape 'default' is no shape of an argument

// What does not follow stays open, and the import says so.
// RUN: not ane-compile %s --shape=0=2x3 -o %t/out.hwx 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: argument #1 has the type 'index'
// RUN: not ls %t/out.hwx

// RUN: ane-translate --from-mil %S/Inputs/flexible.mil -o %t/flexible.mlir
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=x=1x65 function=range" 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: shape 'x=1x65' has 65 in dimension 1, but the program takes [2, 64] for 'x'
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=x=1x1 function=range" 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: error: shape 'x=1x1' has 1 in dimension 1, but the program takes [2, 64] for 'x'
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=x=1x5 function=listed" 2>&1 | FileCheck %s --check-prefix=LISTED
// LISTED: error: shape 'x=1x5' is none that the program lists for 'x': 1x4, 1x8
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=w=1x5 function=listed" 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: shape 'w=1x5' names no argument of 'listed', which has 2
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=default function=fixed" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: shape 'default' is for programs with flexible shapes, but 'fixed' has none
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=default function=broken" 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: {{.*}}FlexibleShapeInformation is no pair of DefaultShapes and RangeDims or EnumeratedShapes
// RUN: not ane-opt %t/flexible.mlir --ane-set-shapes="shape=default function=none" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: there is no function 'none' in the program; it has 'range', 'listed', 'unbounded', 'fixed', 'broken'

// A program that stays MIL keeps them.
// RUN: not ane-compile %S/Inputs/flexible.mil --function=range --shape=default -o %t/out.mil 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: error: --shape is for programs of the engine; a program that stays MIL keeps its flexible shapes
// RUN: not ls %t/out.mil

func.func @net(%x: tensor<?x3xf32>, %i: index, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = arith.addf %x, %y : tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
