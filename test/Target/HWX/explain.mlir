// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx)' | ane-translate --to-hwx -o %t.hwx
// RUN: ane-translate --dump-hwx --explain=Common.Cfg:0 %t.hwx | FileCheck %s --check-prefix=CFG
// RUN: ane-translate --dump-hwx --explain=0x4800:1 %t.hwx | FileCheck %s --check-prefix=L2
// RUN: ane-translate --dump-hwx '--explain=header 0' %t.hwx | FileCheck %s --check-prefix=HEADER
// RUN: ane-translate --dump-hwx --explain='KernelDMASrc.CoeffBaseAddr[1]:0' %t.hwx | FileCheck %s --check-prefix=ARRAY

// Why words of a program are what they are. The rules are those that the encoder
// executes, with their place; one that nobody sets is said so.

// CFG: task 0 (NE task, NE.MACCfg.OpMode = Conv, ane.ne_conv), register 0x34, Common.Cfg = {{[0-9a-f]+}}
// CFG: ActiveNE = 4: neural engines at work, 0 to 4
// CFG-NEXT: place and meaning are known from: place: Apple's register printer; {{.*}} (seen)
// CFG-NEXT: rule: activeNe
// CFG-NEXT: in encodeShapeCodes, Rules/ShapeCodes.def:{{[0-9]+}}
// CFG: TaskType = NE
// CFG: rule: h13::Common::TaskType::NE
// CFG-NEXT: in encodeNe, Rules/Ne.def
// CFG-NOT: C::TaskType::PE
// CFG: Src1En = 1
// CFG: rule: isNe() || place.sources[0] || !place.sources[1]
// CFG: why: Clear only where the PE reads source 1 from L2

// L2: task 1 (PEReduction task, PE.Cfg.OpMode = {{.*}}, ane.pe_reduce), register 0x4800, L2.L2Cfg
// L2: Src2InputReLU = 0
// L2-NEXT: (deduced)
// L2-NEXT: rule: none, the encoder leaves it 0
// L2: PaddingMode = 1
// L2: rule: isMax
// L2: where: bool isMax = reduce.getKind() == ReduceKind::Max
// L2: why: Seen exactly on maxima.
// L2: InputReLU = 0
// L2-NEXT: (seen)
// L2-NEXT: rule: none, the encoder leaves it 0

// HEADER: task 0 ({{.*}}), header 0, Header[0] = {{[0-9a-f]+}}
// HEADER: LNID = 0
// HEADER: rule: !first
// HEADER: where: bool first = place.index == 0
// HEADER: task 1 ({{.*}}), header 0, Header[0] =
// HEADER: LNID = 1

// Names as the dump for programs has them.
// RUN: ane-translate --dump-hwx --explain=Common.Cfg.TaskType:0 %t.hwx | FileCheck %s --check-prefix=CFG
// RUN: ane-translate --dump-hwx --explain=Header.LNID %t.hwx | FileCheck %s --check-prefix=HEADER
// RUN: ane-translate --dump-hwx '--explain=Header[0]' %t.hwx | FileCheck %s --check-prefix=HEADER
// RUN: ane-translate --dump-hwx=json %t.hwx > %t.json
// RUN: %python %S/Inputs/explain-names.py ane-translate %t.hwx %t.json

// ARRAY: register 0x1f84c, KernelDMASrc.CoeffBaseAddr[1]
// ARRAY: rule: offset
// ARRAY-NEXT: in encodeStreams
// ARRAY: under: for (auto [ne, offset] : llvm::enumerate(places.offsets))

// A word without a name, and one that no task writes.
// RUN: not ane-translate --dump-hwx --explain=44444 %t.hwx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no task writes register 0x44444
// RUN: not ane-translate --dump-hwx --explain=34:2 %t.hwx 2>&1 | FileCheck %s --check-prefix=TASK
// TASK: error: there is no task 2: the program has 2
// RUN: not ane-translate --dump-hwx --explain=34:x %t.hwx 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: 'x' is no number of a task, expected ADDRESS:TASK, as in 13800:0
// RUN: not ane-translate --dump-hwx --explain=Common.Nothing %t.hwx 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: 'Common.Nothing' is no place of a word, expected the address of a register

// A file that says it is from another compiler.
// RUN: ane-opt %s --pass-pipeline='builtin.module(func.func(ane-form-tasks,ane-assign-layout,ane-allocate-dram,ane-allocate-l2),convert-ane-to-hwx{identity=zin-4.2.1})' | ane-translate --to-hwx -o %t.other.hwx
// RUN: ane-translate --dump-hwx --explain=34:0 %t.other.hwx | FileCheck %s --check-prefix=OTHER
// OTHER: the file says that another compiler made it; the rules are those of this one

func.func @net(%x: tensor<1x16x4x4xf16>) -> tensor<1x16x4x1xf16> {
  %w = ane.constant dense<1.0> : tensor<16x16x1x1xf16>
  %0 = ane.conv %x, %w : tensor<1x16x4x4xf16>, tensor<16x16x1x1xf16> -> tensor<1x16x4x4xf16>
  %1 = ane.reduce max %0 {axes = array<i64: 3>} : tensor<1x16x4x4xf16> -> tensor<1x16x4x1xf16>
  return %1 : tensor<1x16x4x1xf16>
}
