// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{remarks dump=%{near}.json}))" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// Three convolutions of 6.4 MB each: strips of all of them fit L2, so only input,
// output and weights, for each strip again, are moved.
// REMARK: remark: plan: {{[0-9]+}} bytes of DRAM traffic, 1.1{{[0-9]+}} times the least; 1 groups, exact; no plan has less than [[BOUND:[0-9]+]] bytes, gap 0.{{[0-9]+}}
// JSON: "exact": true
// JSON: "dim": 2
// JSON: "first": 0
// JSON: "last": 2
// JSON: "size": [[SIZE:[0-9]+]]
// JSON: "names": [
// JSON-NEXT: "0: ane.conv 1x64x224x224"
// JSON: "ops": 3

// CHECK-LABEL: @wide
// CHECK-COUNT-3: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = {{[0-9]+}}>
func.func @wide(%x: tensor<1x64x224x224xf16>) -> tensor<1x64x224x224xf16> {
  %w = ane.constant dense<0.125> : tensor<64x64x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x224x224xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x224x224xf16>
  %1 = ane.conv %0, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x224x224xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x224x224xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x64x224x224xf16>, tensor<64x64x3x3xf16> -> tensor<1x64x224x224xf16>
  return %2 : tensor<1x64x224x224xf16>
}

// The dumped plan gives the same again.
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" -o %t.own.mlir
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.json}))" -o %t.read.mlir
// RUN: diff %t.own.mlir %t.read.mlir

// A plan by hand, in a file or on the ops, is taken as it is.
// RUN: echo '[{"function": "wide", "ops": 3, "groups": [{"first": 1, "last": 2, "dim": 2, "size": 32}]}]' > %t.hand.json
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.hand.json}))" -o %t.hand.mlir
// RUN: FileCheck %s --check-prefix=HAND --input-file=%t.hand.mlir
// RUN: ane-opt %t.hand.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s --check-prefix=HAND
// HAND: ane.conv %arg0, %{{.*}} {pad
// HAND-COUNT-2: ane.conv {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 32>

// Nothing else is cut then, in the whole pipeline either.
// RUN: ane-opt %t.hand.mlir --ane-pipeline="stop-after=tile" | FileCheck %s --check-prefix=PIPELINE
// PIPELINE-NOT: ane.planned
// PIPELINE-COUNT-15: ane.conv
// PIPELINE-NOT: ane.conv
// RUN: not ane-opt %t.hand.mlir --ane-pipeline="tile=none" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ane-opt %t.hand.mlir --ane-pipeline="tile=%{near}.hand.json" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: has ops with ane.tile, which are a plan already; remove them, or compile without the plan of '{{.*(none|json)}}'

// Strips of an op that becomes others would be lost.
// RUN: echo 'func.func @f(%%x: tensor<1x4x16x16xf16>) -> tensor<1x4x8x8xf16> { %%0 = ane.pool average %%x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, ane.tile = #ane.tile<group = 0, dim = 2, size = 4>} : tensor<1x4x16x16xf16> -> tensor<1x4x8x8xf16> return %%0 : tensor<1x4x8x8xf16> }' > %t.lost.mlir
// RUN: not ane-opt %t.lost.mlir --ane-pipeline="stop-after=tile" 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: had 1 ops with ane.tile, but passes before ane-plan-tiles kept only 0; set it on ops that exist after ane-legalize, as --stop-after=legalize shows them

// What a search finds out is not said of it.
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.hand.json remarks dump=%{near}.dumped.json}))" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BY
// BY: remark: plan: by hand, 1 groups; no plan has less than {{[1-9][0-9]*}} bytes of DRAM traffic
// RUN: FileCheck %s --check-prefix=DUMPED --input-file=%t.dumped.json
// DUMPED: "bound_bytes": {{[1-9]}}
// DUMPED: "compulsory_bytes": {{[1-9]}}
// DUMPED-NOT: gap

// Strips of output channels have a part of the weights each.
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 0, "dim": 1, "size": 32}]}' > %t.channels.json
// RUN: ane-opt %s --ane-pipeline="stop-after=tasks tile=%{near}.channels.json" | FileCheck %s --check-prefix=CHANNELS
// CHANNELS-COUNT-2: ane.kernel_load {{.*}}tensor<32x64x3x3xf16>

// Strips that are cut once more: 32 rows, and of these 16 channels.
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 1, "last": 2, "dim": [2, 1], "size": [32, 16], "keep": true}]}' > %t.both.json
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.both.json dump=%{near}.both.dumped.json}))" | FileCheck %s --check-prefix=TWO
// RUN: tr -d ' \n' < %t.both.dumped.json | FileCheck %s --check-prefix=TWODUMP
// TWO: ane.conv %arg0, %{{.*}} {ane.plan_number = 0 : i64, pad
// TWO-COUNT-2: ane.conv {{.*}}ane.keep_rows, {{.*}}ane.tile = #ane.tile<group = 0, dim = 2, size = 32, innerDim = 1, innerSize = 16>
// TWODUMP: "groups":[{"dim":[2,1],"first":1,"keep":true,"last":2,"size":[32,16]}]
// RUN: sed 's/"size": .32, 16./"size": 32/' %t.both.json > %t.one.json
// RUN: not ane-opt %s --ane-pipeline="tile=%{near}.one.json" 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: the plan of tiles '{{.*}}': group 0 has 'dim': [2,1] and 'size': 32, but both must be integers, or arrays of two
// RUN: sed 's/"dim": .2, 1./"dim": [2, 1, 3]/' %t.both.json > %t.three.json
// RUN: not ane-opt %s --ane-pipeline="tile=%{near}.three.json" 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: error: the plan of tiles '{{.*}}': group 0 has 'dim': [2,1,3], but it must be an integer or an array of two
// RUN: sed 's/"dim": .2, 1./"dim": [2, 2]/' %t.both.json > %t.same.json
// RUN: not ane-opt %s --ane-pipeline="tile=%{near}.same.json" 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: 'ane.conv' op would be cut twice along dimension 2 in group 0 of the plan; end the group before this op, or begin it after this op
// RUN: sed 's/"dim": .2, 1./"dim": [2, 0]/' %t.both.json > %t.image.json
// RUN: not ane-opt %s --ane-pipeline="tile=%{near}.image.json" 2>&1 | FileCheck %s --check-prefix=DIM

// RUN: ane-opt %s --ane-pipeline="stop-after=tile tile=none dump-tiles=%{near}.none.json" | FileCheck %s --check-prefix=WHOLE
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.none.json
// WHOLE-COUNT-3: ane.conv
// WHOLE-NOT: ane.conv
// NONE: "groups": []

// The flavour of another compiler has no strips of ours.
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{flavour=zin-9.509}))" | FileCheck %s --check-prefix=ZIN
// ZIN: ane.conv
// ZIN-NOT: ane.tile

// Wrong plans.
// RUN: echo '{"function": "wide", "ops": 4, "groups": []}' > %t.ops.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.ops.json}))" 2>&1 | FileCheck %s --check-prefix=OPS
// OPS: error: the plan of tiles '{{.*}}.ops.json' is for 4 ops, but the function has 3 beside constants; without --ane-tile, --dump-ane-tile=FILE writes a plan for this function to start from
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 3, "dim": 2, "size": 8}]}' > %t.range.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.range.json}))" 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: the plan of tiles '{{.*}}.range.json': group 0 has ops 0 to 3 in tiles of 8 along dimension 2, but must have ops from 0 to 2, tiles of at least 1 and a dimension from 0 to 3
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 0, "size": 8}]}' > %t.dim.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.dim.json}))" 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: error: 'ane.conv' op has no dimension 0 that can be cut
// RUN: echo '{"function": "wide", "ops": 3, "names": ["0: ane.conv 1x64x224x224", "1: ane.pool 1x64x224x224"], "groups": []}' > %t.names.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.names.json}))" 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: error: the plan of tiles '{{.*}}.names.json' has 'names' of other ops: "1: ane.pool 1x64x224x224" in place of "1: ane.conv 1x64x224x224"
// RUN: echo '{"function": "wide", "ops": 3}' > %t.groups.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.groups.json}))" 2>&1 | FileCheck %s --check-prefix=GROUPS
// GROUPS: error: the plan of tiles '{{.*}}.groups.json' has no array 'groups'; [] cuts no op
// RUN: echo '{"function":' > %t.broken.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.broken.json}))" 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: the plan of tiles '{{.*}}.broken.json' is not {{JSON}}: [2:0,
// RUN: echo '[1]' > %t.array.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.array.json}))" 2>&1 | FileCheck %s --check-prefix=ARRAY
// ARRAY: error: the plan of tiles '{{.*}}.array.json' is not an object or an array of objects
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 2, "size": 8, "kept": true}]}' > %t.key.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.key.json}))" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: the plan of tiles '{{.*}}.key.json': group 0 has 'kept', but can have first, last, dim, size, keep only
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 2, "size": 8, "keep": "all"}]}' > %t.keep.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.keep.json}))" 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: error: the plan of tiles '{{.*}}.keep.json': group 0 has 'keep': "all", but it must be true, false or "narrow"
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 2, "size": "8"}]}' > %t.kind.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.kind.json}))" 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: the plan of tiles '{{.*}}.kind.json': group 0 has 'size': "8", but it must be an integer
// RUN: echo '{"function": "wide", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 2}]}' > %t.lacks.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.lacks.json}))" 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: the plan of tiles '{{.*}}.lacks.json': group 0 has no 'size', an integer
// RUN: echo '{"function": "wide", "ops": 3, "groups": [], "group": 1}' > %t.top.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.top.json}))" 2>&1 | FileCheck %s --check-prefix=TOP
// TOP: error: the plan of tiles '{{.*}}.top.json' has 'group', but can have function, ops, names, groups,
// RUN: echo '[{"function": "narrow", "ops": 3, "groups": []}, {"function": "w", "ops": 3, "groups": []}]' > %t.name.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.name.json}))" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the plan of tiles '{{.*}}.name.json' is for 'narrow', 'w', but the function is 'wide'
// RUN: echo '[{"function": "wide", "ops": 3, "groups": []}, {"function": "wide", "ops": 3, "groups": []}]' > %t.again.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.again.json}))" 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: the plan of tiles '{{.*}}.again.json' has two plans for the function 'wide'; remove one of them
// RUN: echo '{}' > %t.nobody.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.nobody.json}))" 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: error: the plan of tiles '{{.*}}.nobody.json' does not say for which 'function' it is
// RUN: echo '[[[[[[[[[[[[[[[[[' > %t.deep.json
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.deep.json}))" 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: the plan of tiles '{{.*}}.deep.json' has more than 16 levels of nesting
// RUN: not ane-opt %t.hand.mlir --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.json}))" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: has ops with ane.tile, which are a plan already; remove them, or compile without the plan of
// Strips larger than the tensor are one strip.
// RUN: sed 's/"size": 8}/"size": 9223372036854775807}/' %t.range.json | sed 's/"last": 3/"last": 2/' > %t.large.json
// RUN: ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.large.json}))" | FileCheck %s --check-prefix=LARGE
// LARGE: ane.tile = #ane.tile<group = 0, dim = 2, size = 224>
// RUN: not ane-opt %s --pass-pipeline="builtin.module(func.func(ane-plan-tiles{plan=%{near}.missing.json}))" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: cannot read the plan of tiles '{{.*}}.missing.json': No such file or directory; --ane-tile is the file of a plan, or none

// A function that becomes tasks as a whole has no strips.
// RUN: sed 's/-> tensor<1x64x224x224xf16> {$/-> tensor<1x64x224x224xf16> attributes {ane.sequence} {/' %s | ane-opt --pass-pipeline="builtin.module(func.func(ane-plan-tiles))" | FileCheck %s --check-prefix=SEQUENCE
// SEQUENCE: func @wide{{.*}}attributes {ane.sequence}
// SEQUENCE-NOT: ane.tile
