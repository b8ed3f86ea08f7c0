// Each rule that a register map must keep, broken once.
//
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DOVERLAP %s -o - 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DORDER %s -o - 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DREVERSED %s -o - 2>&1 | FileCheck %s --check-prefix=REVERSED
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DWIDE %s -o - 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DSHIFT %s -o - 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DFLOAT %s -o - 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DOUTSIDE %s -o - 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DUNALIGNED %s -o - 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DTWICE %s -o - 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DENUMWIDTH %s -o - 2>&1 | FileCheck %s --check-prefix=ENUMWIDTH
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DENUMVALUE %s -o - 2>&1 | FileCheck %s --check-prefix=ENUMVALUE
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DENUMNAME %s -o - 2>&1 | FileCheck %s --check-prefix=ENUMNAME
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DFIELDNAME %s -o - 2>&1 | FileCheck %s --check-prefix=FIELDNAME
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DREGNAME %s -o - 2>&1 | FileCheck %s --check-prefix=REGNAME
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DHEADERNAME %s -o - 2>&1 | FileCheck %s --check-prefix=HEADERNAME
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DBLOCKNAME %s -o - 2>&1 | FileCheck %s --check-prefix=BLOCKNAME
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DIDENTIFIER %s -o - 2>&1 | FileCheck %s --check-prefix=IDENTIFIER
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DRESET %s -o - 2>&1 | FileCheck %s --check-prefix=RESET
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DCOUNTERPART %s -o - 2>&1 | FileCheck %s --check-prefix=COUNTERPART
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DCOUNTERMAP %s -o - 2>&1 | FileCheck %s --check-prefix=COUNTERMAP
// RUN: not ane-tblgen --gen-ane-reg-tables %td_inc -DTWO %s -o - 2>&1 | FileCheck %s --check-prefix=TWO
// Every generator checks, and writes nothing when a rule is broken.
// RUN: not ane-tblgen --gen-ane-reg-views %td_inc -DOVERLAP %s -o - 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not ane-tblgen --gen-ane-reg-doc %td_inc -DOVERLAP %s -o %t 2>/dev/null
// RUN: not ls %t

include "ane/HW/Registers/RegisterBase.td"

def Here : Source<Guess, "this test">;
class OneRegister<list<Bits> fields>
    : RegBlock<"B", 0x100, 1, "", [Reg<0, "R", fields>]>;

#ifdef OVERLAP
def B : OneRegister<[
  Bits<"A", 7, 4, Plain, Here, "">,
  // OVERLAP: [[@LINE+1]]:{{[0-9]+}}: error: bits of field 'C' overlap another field of register 'R'
  Bits<"C", 4, 0, Plain, Here, "">,
  // OVERLAP: error: the register map breaks rules, nothing generated
]>;
#endif

#ifdef ORDER
def B : OneRegister<[
  Bits<"A", 3, 0, Plain, Here, "">,
  // ORDER: [[@LINE+1]]:{{[0-9]+}}: error: field 'C' of register 'R' is out of order: most significant bit first
  Bits<"C", 7, 4, Plain, Here, "">,
]>;
#endif

#ifdef REVERSED
def B : OneRegister<[
  // REVERSED: [[@LINE+1]]:{{[0-9]+}}: error: field 'A' of register 'R' has msb 3 below its lsb 4
  Bits<"A", 3, 4, Plain, Here, "">,
]>;
#endif

#ifdef WIDE
def B : OneRegister<[
  // WIDE: [[@LINE+1]]:{{[0-9]+}}: error: field 'A' of register 'R' has bit 32, but a register has 32 bits
  Bits<"A", 32, 4, Plain, Here, "">,
]>;
#endif

#ifdef SHIFT
def B : OneRegister<[
  // SHIFT: [[@LINE+1]]:{{[0-9]+}}: error: values of field 'A' need 34 bits, but values have 32
  Bits<"A", 31, 4, Shift<6>, Here, "">,
]>;
#endif

#ifdef FLOAT
def B : OneRegister<[
  // FLOAT: [[@LINE+1]]:{{[0-9]+}}: error: field 'A' has 15 bits, but its codec F16 takes 16
  Bits<"A", 14, 0, F16, Here, "">,
]>;
#endif

#ifdef OUTSIDE
def B : RegBlock<"B", 0x100, 2, "", [
  // OUTSIDE: [[@LINE+1]]:{{[0-9]+}}: error: register 'R' ends at offset 12, outside of block 'B', which has 2 words
  RegArray<4, "R", 2, []>,
]>;
#endif

#ifdef UNALIGNED
def B : RegBlock<"B", 0x100, 2, "", [
  // UNALIGNED: [[@LINE+1]]:{{[0-9]+}}: error: register 'R' is at offset 2, but offsets are multiples of 4
  Reg<2, "R", []>,
]>;
#endif

#ifdef TWICE
def B : RegBlock<"B", 0x100, 4, "", [
  RegArray<0, "R", 2, []>,
  // TWICE: [[@LINE+1]]:{{[0-9]+}}: error: register 'S' is at offset 4, but the registers before it end at 8
  Reg<4, "S", []>,
]>;
#endif

#ifdef ENUMWIDTH
def E : RegEnum<"E", [
  Enumerator<3, "Fits", "">,
  // ENUMWIDTH: [[@LINE+1]]:{{[0-9]+}}: error: enumerator 'TooWide' = 4 does not fit the 2 bits of field 'A'
  Enumerator<4, "TooWide", "">,
]>;
def B : OneRegister<[EnumBits<"A", 1, 0, E, Here, "">]>;
#endif

#ifdef ENUMVALUE
def E : RegEnum<"E", [
  Enumerator<1, "One", "">,
  // ENUMVALUE: [[@LINE+1]]:{{[0-9]+}}: error: enumerators 'One' and 'Uno' of 'E' both have the value 1
  Enumerator<1, "Uno", "">,
]>;
def B : OneRegister<[EnumBits<"A", 1, 0, E, Here, "">]>;
#endif

#ifdef ENUMNAME
def E : RegEnum<"E", [
  Enumerator<1, "One", "">,
  // ENUMNAME: [[@LINE+1]]:{{[0-9]+}}: error: duplicate name 'One' in enumeration 'E'
  Enumerator<2, "One", "">,
]>;
def B : OneRegister<[EnumBits<"A", 1, 0, E, Here, "">]>;
#endif

#ifdef FIELDNAME
def B : OneRegister<[
  Bits<"A", 7, 4, Plain, Here, "">,
  // FIELDNAME: [[@LINE+1]]:{{[0-9]+}}: error: duplicate name 'R_A' in block 'B'
  Bits<"A", 3, 0, Plain, Here, "">,
]>;
#endif

#ifdef REGNAME
def B : RegBlock<"B", 0x100, 4, "", [
  Reg<0, "R", []>,
  // REGNAME: [[@LINE+1]]:{{[0-9]+}}: error: duplicate name 'R' in block 'B'
  Reg<4, "R", []>,
]>;
#endif

#ifdef HEADERNAME
// Header fields go by their own name alone.
def B : HeaderBlock<"B", 2, "", [
  HeaderWord<0, [Bits<"A", 3, 0, Plain, Here, "">]>,
  // HEADERNAME: [[@LINE+1]]:{{[0-9]+}}: error: duplicate name 'A' in block 'B'
  HeaderWord<1, [Bits<"A", 7, 0, Plain, Here, "">]>,
]>;
#endif

#ifdef BLOCKNAME
def A : RegBlock<"B", 0x0, 1, "", []>;
// BLOCKNAME: [[@LINE+1]]:{{[0-9]+}}: error: duplicate name 'B' in map 'M'
def B : RegBlock<"B", 0x100, 1, "", []>;
#endif

#ifdef IDENTIFIER
def B : OneRegister<[
  // IDENTIFIER: [[@LINE+1]]:{{[0-9]+}}: error: name 'R_Win Hin' is not a C++ identifier
  Bits<"Win Hin", 3, 0, Plain, Here, "">,
]>;
#endif

#ifdef TWO
def B : OneRegister<[
  // Both violations are reported in one run.
  // TWO: [[@LINE+1]]:{{[0-9]+}}: error: field 'A' of register 'R' has msb 3 below its lsb 4
  Bits<"A", 3, 4, Plain, Here, "">,
  // TWO: [[@LINE+1]]:{{[0-9]+}}: error: field 'C' of register 'R' has bit 33
  Bits<"C", 33, 33, Plain, Here, "">,
]>;
#endif

#ifdef RESET
def B : RegBlock<"B", 0x100, 1, "", [
  // RESET: [[@LINE+1]]:{{[0-9]+}}: error: reset value of register 'R' has bits 0x30 outside of its fields
  Reg<0, "R", [Bits<"A", 3, 0, Plain, Here, "">], 0x31>,
]>;
#endif

#ifdef COUNTERPART
def Old : RegMap<"Old", "", [RegBlock<"B", 0x100, 2, "", [
  Reg<0, "R", [Bits<"A", 3, 0, Plain, Here, "old">]>,
  Reg<4, "S", [Bits<"F", 31, 0, F32, Here, "old">]>,
]>]>;
def B : RegBlock<"B", 0x100, 2, "", [
  Reg<0, "R", [
    // COUNTERPART: [[@LINE+1]]:{{[0-9]+}}: error: counterpart 'B.R.Z' of field 'C' does not exist
    Bits<"C", 11, 8, Plain, Here, "", NoEnum, "B.R.Z">,
    Bits<"D", 7, 4, Plain, Here, "", NoEnum, "B.R.A">,
    // COUNTERPART: [[@LINE+1]]:{{[0-9]+}}: error: fields 'D' and 'A' both have the counterpart 'B.R.A'
    Bits<"A", 3, 0, Plain, Here, "">,
  ]>,
  // COUNTERPART: [[@LINE+1]]:{{[0-9]+}}: error: field 'F' has the codec F16, but its counterpart 'B.S.F' has F32
  Reg<4, "S", [Bits<"F", 15, 0, F16, Here, "">]>,
]>;
#endif

#ifdef COUNTERMAP
def B : OneRegister<[]>;
// COUNTERMAP: [[@LINE+1]]:{{[0-9]+}}: error: there is no map 'Old' that has the counterparts of 'M'
def N : RegMap<"M", "", [B]> { let Counterparts = "Old"; }
#endif

#ifdef BLOCKNAME
def M : RegMap<"M", "", [A, B]>;
#else
#ifdef COUNTERPART
def M : RegMap<"M", "", [B]> { let Counterparts = "Old"; }
#else
def M : RegMap<"M", "", [B]>;
#endif
#endif
