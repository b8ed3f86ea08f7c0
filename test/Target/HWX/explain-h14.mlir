// RUN: ane-translate --to-hwx %s -o %t.hwx
// RUN: ane-translate --dump-hwx --explain=Common.OCGSize %t.hwx | FileCheck %s --check-prefix=MOVED
// RUN: ane-translate --dump-hwx --explain=NE.MACCfg:0 %t.hwx | FileCheck %s --check-prefix=SAME
// RUN: ane-translate --dump-hwx --explain=KernelDMASrc.MasterConfig:0 %t.hwx | FileCheck %s --check-prefix=HINT
// RUN: ane-translate --dump-hwx --explain=1910:0 %t.hwx | FileCheck %s --check-prefix=NONE
// RUN: ane-translate --dump-hwx --explain='KernelDMASrc.CoeffDMAConfig[2]:1' %t.hwx | FileCheck %s --check-prefix=ARRAY
// RUN: ane-translate --dump-hwx '--explain=header 7:1' %t.hwx | FileCheck %s --check-prefix=HEADER
// RUN: not ane-translate --dump-hwx --explain=1910c:0 %t.hwx 2>&1 | FileCheck %s --check-prefix=PLACE

// The rules of a field of H14 are those of its counterpart on H13, and a
// register that a task leaves out has its reset value.

// MOVED: task 0 (NE task, NE.MACCfg.OpMode = Conv, ane.ne_conv), register 0x1c, Common.OCGSize = 00000002
// MOVED-NOT: reset
// MOVED: OCGSize = 2: output channels that one engine computes in a pass
// MOVED: on H13: Common.ConvCfg.OCGSize
// MOVED-NEXT: rule: shape.lanesLog2
// MOVED: task 1 (PEElementwise task, PE.Cfg.OpMode = Mul, ane.pe_elementwise), register 0x1c, Common.OCGSize = 00000003, its reset value: the task leaves it out
// MOVED: rule: none, the reset value stays

// SAME: BiasMode = 1
// SAME-NOT: on H13
// SAME: rule: shape.hasBias

// HINT: NextTID = 1: TID + 1
// HINT: no value of it changes a result
// HINT: KernelEn = 1
// HINT: LastTask = 0
// HINT: on H13: Header[0].EON

// NONE: register 0x1910, KernelDMASrc.GroupStride = 00000000, its reset value
// NONE: H13 has nothing like it

// ARRAY: register 0x1920, KernelDMASrc.CoeffDMAConfig[2] = 00000020, its reset value
// ARRAY: En = 0
// ARRAY-NEXT: place
// ARRAY-NEXT: rule: 1
// ARRAY-NEXT: in encodeStreams

// HEADER: task 1 ({{.*}}), header 7, Header[7] = 00000001
// HEADER: ENE = 0
// HEADER: TSR = 1

// PLACE: error: task 0 does not write register 0x1910c

hwx.program @main target = h14 text = 0x80 {
  hwx.task @td0 target = h14 at 0x10 {TaskWords = 14, ENE = 5, TSR = 1} [
    KernelDMASrc[0 to 0] {MasterConfig = {NextTID = 1, KernelEn = 1, MasterEnable = 1}},
    Common[7 to 7] {OCGSize = 2},
    NE[1 to 1] {MACCfg = {ArgSel = 1, BiasMode = 1}}
  ]
  hwx.task @td1 target = h14 at 0x50 {TaskWords = 12, TID = 1, TSR = 1} [
    Common[14 to 14] {Cfg = {TaskType = PEElementwise}},
    PE[0 to 0] {Cfg = {OpMode = Mul}}
  ]
}
