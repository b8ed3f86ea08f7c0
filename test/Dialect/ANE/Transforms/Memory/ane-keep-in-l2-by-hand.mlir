// Where results lie between tasks is a part of the plan: dumped, read back, and
// as somebody wants it.
// RUN: ane-compile %s -o %t.own.hwx --dump-ane-tile=%t.json
// RUN: FileCheck %s --check-prefix=DUMPED --input-file=%t.json
// DUMPED: "residency": [
// DUMPED-NEXT: {
// DUMPED-NEXT: "in": "l2",
// DUMPED-NEXT: "op": 0
// DUMPED: "in": "l2",
// DUMPED-NEXT: "op": 1
// DUMPED-NEXT: }
// DUMPED-NEXT: ]
// RUN: ane-compile %s -o %t.same.hwx --ane-tile=%t.json
// RUN: cmp %t.own.hwx %t.same.hwx

// Through DRAM by hand, also of an op in strips: other bytes move, to the same
// end.
// RUN: echo '{"function": "f", "ops": 3, "groups": [{"first": 0, "last": 1, "dim": 2, "size": 8}], "residency": [{"op": 0, "in": "dram"}, {"op": 1, "in": "both"}]}' > %t.hand.json
// RUN: ane-compile %s -o %t.hand.hwx --ane-tile=%t.hand.json --dump-ane-tile=%t.again.json
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t.again.json
// AGAIN: "in": "dram",
// AGAIN-NEXT: "op": 0
// AGAIN: "in": "l2",
// AGAIN-NEXT: "op": 1
// RUN: ane-run %t.own.hwx --mode=exact --output %t.own.npy
// RUN: ane-run %t.hand.hwx --mode=exact --output %t.hand.npy
// RUN: cmp %t.own.npy %t.hand.npy

// The same on the ops.
// RUN: sed 's/{named/{ane.hold = #ane.space<dram>, named/' %s > %t.attribute.mlir
// RUN: ane-opt %t.attribute.mlir --ane-pipeline="stop-after=memory" | FileCheck %s
// CHECK: ane.buffer {offset = 0 : i64}
// CHECK-NOT: ane.buffer
// CHECK-NOT: ane.hold
func.func @f(%x: tensor<1x16x32x32xf16>) -> tensor<1x16x32x32xf16> {
  %w = ane.constant dense<0.125> : tensor<16x16x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x32x32xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x32x32xf16>
  %1 = ane.conv %0, %w {named, pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x32x32xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x32x32xf16>
  %2 = ane.conv %1, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x16x32x32xf16>, tensor<16x16x3x3xf16> -> tensor<1x16x32x32xf16>
  return %2 : tensor<1x16x32x32xf16>
}

// Entries that say nothing.
// RUN: sed 's/"dram"/"sram"/' %t.hand.json > %t.kind.json
// RUN: not ane-compile %s -o %t.hwx --ane-tile=%t.kind.json 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: the plan of tiles '{{.*}}.kind.json': entry 0 of 'residency' must have 'in' of "l2", "dram" or "both"
// RUN: sed 's/"op": 1, /"op": 3, /' %t.hand.json > %t.number.json
// RUN: not ane-compile %s -o %t.hwx --ane-tile=%t.number.json 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: the plan of tiles '{{.*}}.number.json': entry 1 of 'residency' has op 3, but must have one from 0 to 2
// RUN: sed 's/"op": 1, /"node": 1, /' %t.hand.json > %t.key.json
// RUN: not ane-compile %s -o %t.hwx --ane-tile=%t.key.json 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: the plan of tiles '{{.*}}.key.json': entry 1 of 'residency' has 'node', but can have op, in only
// RUN: sed 's/\[{"op".*\]/{}/' %t.hand.json > %t.list.json
// RUN: not ane-compile %s -o %t.hwx --ane-tile=%t.list.json 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: the plan of tiles '{{.*}}.list.json' has 'residency' that is not an array
// RUN: sed 's/{"op": 1, "in": "both"}/7/' %t.hand.json > %t.entry.json
// RUN: not ane-compile %s -o %t.hwx --ane-tile=%t.entry.json 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: the plan of tiles '{{.*}}.entry.json': entry 1 of 'residency' is not an object
