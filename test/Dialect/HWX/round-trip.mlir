// RUN: ane-opt %s | FileCheck %s
// RUN: ane-opt %s > %t.1 && ane-opt %t.1 > %t.2 && diff %t.1 %t.2
// RUN: ane-opt %s --mlir-print-op-generic | ane-opt > %t.3 && diff %t.1 %t.3
// RUN: ane-opt %s --emit-bytecode | ane-opt > %t.4 && diff %t.1 %t.4

// CHECK-LABEL: hwx.program @net target = h13 text = 0x274 {
hwx.program @net target = h13 text = 0x274 {
  // CHECK-NEXT: hwx.tensor input "x" base 5 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type f16 bytes 192
  hwx.tensor input "x" base 5 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type f16 bytes 192
  // CHECK-NEXT: hwx.tensor output "y@output" base 4 {{.*}} type ui8 bytes 192 interleave 4
  hwx.tensor output "y@output" base 4 shape [1, 1, 1, 77, 1] strides [192, 192, 192, 2, 192] type ui8 bytes 192 interleave 4
  // CHECK-NEXT: hwx.constants dense<0> : tensor<16384xui8>
  hwx.constants dense<0> : tensor<16384xui8>
  // CHECK-NEXT: hwx.task @td0 at 0x0 {EON} [
  hwx.task @td0 at 0x0 {EON} [
    // CHECK-NEXT: Common {InDim = {Hin = 1, Win = 77}}
    Common {InDim = {Win = 77, Hin = 1}}
  // CHECK-NEXT: ]
  ]
}

// Partial records, several of one block, records that no block holds, the
// extension of the header, elements of arrays, raw bits beside named ones.
// CHECK-LABEL: hwx.program @odd target = h13 text = 0x800 scratch = 0x8000 {
hwx.program @odd target = h13 text = 0x800 scratch = 0x8000 {
  // CHECK: hwx.task @td0 at 0x100 words 11 {EON, TID = 1, DebugExceptions = 7, KBase0 = 3, DTID = 1} raw {0x28 = 0x80000000} [
  hwx.task @td0 at 0x100 words 11 {TID = 1, EON, KBase0 = 3} raw {0x14 = 0x7, 0x28 = 0x80000001} [
    // CHECK-NEXT: KernelDMASrc[0 to 17] {CoeffDMAConfig[0 to 14] = {CacheHint = Drop},
    // CHECK-NEXT: CoeffDMAConfig[15] = {CacheHint = Drop, En}},
    KernelDMASrc[0 to 17] {CoeffDMAConfig[0 to 14] = {CacheHint = 2},
                           CoeffDMAConfig[15] = {CacheHint = Drop, En = 1}},
    // CHECK-NEXT: KernelDMASrc[18 to 19] {CoeffBaseAddr[0 to 1] = 0x40},
    KernelDMASrc[18 to 19] {CoeffBaseAddr[0 to 1] = {Addr = 64}},
    // CHECK-NEXT: KernelDMASrc[18 to 18] {CoeffBaseAddr[0] = 0x80},
    KernelDMASrc[18 to 18] {CoeffBaseAddr[0] = 0x80},
    // CHECK-NEXT: Common {InDim = {Hin = 1, Win = 77}, Cfg = {TaskType = PEUnary}} raw {0x0 = 0x8000},
    Common {InDim = {Win = 77, Hin = 1}, Cfg = {TaskType = PEUnary}} raw {0x0 = 0x8000},
    // CHECK-NEXT: PE {BiasScale = {Scale = 1.0, Bias = -2.0}, FinalScale = 0x7fc00001},
    PE {BiasScale = {Scale = 1.0, Bias = -2.0}, FinalScale = 0x7fc00001},
    // CHECK-NEXT: NE {},
    NE {},
    // CHECK-NEXT: at 0x3000 words 2 raw {0x4 = 0x1},
    at 0x3000 words 2 raw {0x4 = 0x1},
    // CHECK-NEXT: at 0x3fffffc words 1,
    at 0x3fffffc words 1,
    // CHECK-NEXT: at 0x3 words 1 raw {0x0 = 0x5}
    at 0x3 words 1 raw {0x0 = 5}
  ]
  // CHECK: hwx.task @td1 at 0x600 {} []
  hwx.task @td1 at 0x600 {} []
  // CHECK-NEXT: hwx.signature kind 7 ident "ANEC v1\0A" streams ["K0_ne_0"]
  hwx.signature kind 7 ident "ANEC v1\0A" streams ["K0_ne_0"]
}

// CHECK-LABEL: hwx.program @spelled
hwx.program @spelled target = h13 text = 0x274 {
  // CHECK-NEXT: hwx.container bytes 0x8000 header [0xbeefface, 0x80, 0x4, 0x2, 0x1, 0x48, 0x200000, 0x0] {
  hwx.container bytes 0x8000 header [0xbeefface, 0x80, 0x4, 0x2, 0x1, 0x48, 0x200000, 0x0] {
    // CHECK-NEXT: hwx.segment "__TEXT" vm 0x30000000 size 0x4000 file 0x4000 size 0x4000 protection 5 5 flags 0x4 {
    hwx.segment "__TEXT" vm 0x30000000 size 0x4000 file 0x4000 size 0x4000 protection 5 5 flags 0x4 {
      // CHECK-NEXT: hwx.section "__text" in "__TEXT" vm 0x30000000 size 0x274 file 0x4000 align 14 flags 0x128 reserved [0x0, 0x0, 0x1] relocations 0x10a0 [0x74, 0x5000002]
      hwx.section "__text" in "__TEXT" vm 0x30000000 size 0x274 file 0x4000 align 14 flags 0x128 reserved [0x0, 0x0, 0x1] relocations 0x10a0 [0x74, 0x5000002]
    }
    // CHECK: hwx.command 0x8 text "ANEC v1\0A" size 0x18
    hwx.command 0x8 text "ANEC v1\0A" size 24
    // CHECK-NEXT: hwx.command 0x80000004 size 0x10 {0x8 = 0xffffffff}
    hwx.command 0x80000004 size 0x10 {0x8 = 0xffffffff}
    // CHECK-NEXT: hwx.symbol "x" type 15 section 3 description 2 value 0xffffffff30004000
    hwx.symbol "x" type 15 section 3 description 2 value 0xffffffff30004000
    // CHECK-NEXT: hwx.residue 0x100 "00ff"
    hwx.residue 0x100 "00ff"
  }
}

// Scattered records of named registers write those that the text has, zeros too.
// CHECK-LABEL: hwx.program @named target = h14 text = 0x68 {
hwx.program @named target = h14 text = 0x68 {
  // CHECK-NEXT: hwx.task @td0 target = h14 at 0x10 {TaskWords = 22} [
  hwx.task @td0 target = h14 at 0x10 {TaskWords = 22} [
    // CHECK-NEXT: Common scatter {InDim = {}, Cin = 0, Cout = 4},
    Common scatter {Cout = 4, InDim = {}, Cin = 0},
    // CHECK-NEXT: PE scatter {FinalScale = 0.0},
    PE scatter {FinalScale = {}},
    // CHECK-NEXT: L2[1 to 2] base 3 {SourceBase = 0x10},
    L2[1 to 2] base 3 {SourceBase = 0x10},
    // CHECK-NEXT: KernelDMASrc scatter {CoeffBfrSize[0 to 3] = 0x0}
    KernelDMASrc scatter {CoeffBfrSize[0 to 3] = 0x0}
  ]
}

// A packed stream: tasks name their generation; records have a base, write what
// the text has, zeros too, or have bits without a meaning.
// CHECK-LABEL: hwx.program @packed target = h16 text = 0x98 {
hwx.program @packed target = h16 text = 0x98 {
  // CHECK-NEXT: hwx.task @td0 target = h16 at 0x10 {{.*}} [
  hwx.task @td0 target = h16 at 0x10 {} raw {0x0 = 0x160000, 0x20 = 0x1} [
    // CHECK-NEXT: at 0x1e000 words 2 base 4 raw {0x4 = 0x7},
    at 0x1e000 words 2 base 4 raw {0x4 = 0x7},
    // CHECK-NEXT: at 0x1f000 scatter raw {0x0 = 0x0, 0x8 = 0x5, 0x40 = 0x0},
    at 0x1f000 scatter raw {0x40 = 0, 0x0 = 0, 0x8 = 5},
    // CHECK-NEXT: at 0x1f000 scatter raw {0x0 = 0x1},
    at 0x1f000 scatter raw {0x0 = 1},
    // CHECK-NEXT: at 0x1fffc words 1 base 63 unknown 0x40600000,
    at 0x1fffc words 1 base 63 unknown 0x40600000,
    // CHECK-NEXT: at 0x1fffc words 1 unknown 0x5fe00000
    at 0x1fffc words 1 unknown 0x5fe00000
  ]
  // CHECK: hwx.task @td1 target = h16 at 0x70 words 10 {{.*}} []
  hwx.task @td1 target = h16 at 0x70 words 10 {} raw {0x0 = 0xa0001, 0x20 = 0x3, 0x24 = 9} []
}
