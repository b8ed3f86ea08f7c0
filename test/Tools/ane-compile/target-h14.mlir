// A network for H14: records of all registers that a task uses, which compute
// what the program for H13 does.

// RUN: ane-compile %s --function=net --target=h13 -o %t.h13.hwx
// RUN: ane-compile %s --function=net --target=h14 -o %t.h14.hwx
// RUN: ane-run %t.h13.hwx --seed=1 --output %t.h13.npy
// RUN: ane-run %t.h14.hwx --seed=1 --output %t.h14.npy
// RUN: cmp %t.h13.npy %t.h14.npy
// RUN: ane-translate --dump-hwx %t.h14.hwx | FileCheck %s

// CHECK: h14 program 'net'
// CHECK: task 0 at 0x10
// CHECK: LogEvents = 8
// CHECK-NEXT: DebugLogEvents = 16775272
// CHECK: Common, 17 words at 0x0
// CHECK-NOT: scattered
// CHECK: LastTask = 1

// That of compiler 9.509 writes fewer words, and computes the same.
// RUN: ane-compile %s --function=net --target=h14 --hwx-flavour=zin-9.509 -o %t.zin.hwx
// RUN: ane-translate --dump-hwx %t.zin.hwx | FileCheck %s --check-prefix=ZIN
// ZIN: Common, {{[0-9]+}} words at 0x0, scattered
// RUN: ane-compile %s --function=net --target=h13 --hwx-flavour=zin-9.509 -o %t.zin13.hwx
// RUN: ane-run %t.zin13.hwx --seed=1 --output %t.h13.npy
// RUN: ane-run %t.zin.hwx --seed=1 --output %t.h14.npy
// RUN: cmp %t.h13.npy %t.h14.npy

// The pipeline has the same targets.
// RUN: ane-opt %s --ane-pipeline="target=h14 function=net" | FileCheck %s --check-prefix=IR
// IR: hwx.program @net target = h14

// A kernel that H14 has and H13 has not stays whole.
// RUN: ane-opt %s --ane-pipeline="target=h14 function=wide stop-after=legalize" | FileCheck %s --check-prefix=WIDE
// WIDE: ane.conv {{.*}}, tensor<8x8x1x15xf16>
// RUN: ane-compile %s --function=wide --target=h14 -o %t.wide.hwx
// RUN: ane-run %t.wide.hwx

// As a file of Linux for M2, with its ports beside it.
// RUN: ane-compile %s --function=net --target=h14 -o %t.anec
// RUN: ane-run %t.anec --seed=1 --output %t.anec.npy
// RUN: ane-run %t.h14.hwx --seed=1 --output %t.h14.npy
// RUN: cmp %t.anec.npy %t.h14.npy
// RUN: ane-run --verify %t.anec
// RUN: FileCheck %s --check-prefix=PORTS < %t.ports.json
// PORTS: "anec": "{{.*}}.anec",
// PORTS: {"name": "input0", "direction": "input",
// PORTS: "bar_slot": 4, "buffer_id": 5, "channel": 5},
// PORTS: {"name": "output0", "direction": "output",
// PORTS: "bar_slot": 5, "buffer_id": 4, "channel": 4}
// RUN: ane-translate --from-anec %t.anec | ane-translate --to-anec -o %t.2.anec
// RUN: cmp %t.anec %t.2.anec
// RUN: ane-translate --dump-hwx %t.anec | FileCheck %s --check-prefix=DUMP
// DUMP: h14 program

// It has no names, and the order of bases, which is that of names.
// RUN: ane-compile %s --function=order --target=h14 -o %t.order.anec 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: warning: inputs of {{.*}}.order.anec, which has no names, are in the order 'a', 'b', 'c', not in that of the network; bind them by the table of ports, or write a .hwx file, which has names
// ORDER-NEXT: warning: outputs of {{.*}}.order.anec, which has no names, are in the order 'y', 'z',
// RUN: ane-compile %s --function=net --target=h14 -o %t.anec 2>&1 | FileCheck %s --check-prefix=NAMES --allow-empty
// RUN: ane-compile %s --function=order --target=h13 -o %t.order.anec 2>&1 | FileCheck %s --check-prefix=NAMES --allow-empty
// NAMES-NOT: which has no names

func.func @net(%x: tensor<1x8x8x16xf16>) -> tensor<1x8x8x16xf16> {
  %w = ane.constant dense<0.05> : tensor<8x8x3x3xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x8x16xf16>, tensor<8x8x3x3xf16> -> tensor<1x8x8x16xf16>
  %1 = ane.activation %0 {function = #ane.act<sigmoid>} : tensor<1x8x8x16xf16> -> tensor<1x8x8x16xf16>
  %2 = ane.softmax %1 {axis = 3 : i64} : tensor<1x8x8x16xf16> -> tensor<1x8x8x16xf16>
  return %2 : tensor<1x8x8x16xf16>
}

func.func @wide(%x: tensor<1x8x8x16xf16>) -> tensor<1x8x8x16xf16> {
  %w = ane.constant dense<0.05> : tensor<8x8x1x15xf16>
  %0 = ane.conv %x, %w {pad = array<i64: 0, 0, 7, 7>} : tensor<1x8x8x16xf16>, tensor<8x8x1x15xf16> -> tensor<1x8x8x16xf16>
  return %0 : tensor<1x8x8x16xf16>
}

func.func @order(%b: tensor<1x8x8x16xf16> {ane.name = "b"}, %a: tensor<1x8x8x16xf16> {ane.name = "a"}, %c: tensor<1x8x8x16xf16> {ane.name = "c"}) -> (tensor<1x8x8x16xf16> {ane.name = "z"}, tensor<1x8x8x16xf16> {ane.name = "y"}) {
  %0 = ane.elementwise sub %b, %a : tensor<1x8x8x16xf16>, tensor<1x8x8x16xf16> -> tensor<1x8x8x16xf16>
  %1 = ane.elementwise sub %c, %a : tensor<1x8x8x16xf16>, tensor<1x8x8x16xf16> -> tensor<1x8x8x16xf16>
  return %0, %1 : tensor<1x8x8x16xf16>, tensor<1x8x8x16xf16>
}
