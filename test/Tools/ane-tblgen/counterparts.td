// A map that includes another one and says what its fields are there.
//
// RUN: ane-tblgen --gen-ane-reg-tables %td_inc -I %S %s | FileCheck %s --check-prefix=TABLES
// RUN: ane-tblgen --gen-ane-reg-doc %td_inc -I %S %s | FileCheck %s --check-prefix=DOC

include "generators.td"

def NewBody : RegBlock<"Body", 0x10, 4, "Moved.", [
  Reg<0x0, "Cfg", [
    Flag<"Extra", 31, Hope, "nothing like it">,
    Bits<"Size", 9, 4, Log2<"rows">, Files, "">,
    Flag<"Tag", 3, Files, "for people", NoEffect>,
    Flag<"Again", 0, Files, "another thing", NoTwin>,
  ], /*reset=*/0x10>,
  Reg<0x4, "Other", [
    Flag<"Here", 0, Files, "", "Header.Common">,
  ]>,
]>;
def New : RegBlock<"New", 0x80, 3, "Elsewhere.", [
  RegArray<0x0, "Stride", 3, [
    Bits<"Bytes", 31, 6, Shift<6>, Files, "", NoEnum, "Body.Stride.Bytes">,
  ]>,
]>;
def H100 : RegMap<"H100", "Its successor.", [NewBody, New]> {
  let Records = "Records are different.";
  let Counterparts = "H99";
}

// Only the map of the file itself, with the meanings of the other one where it
// has none.
// TABLES-NOT: H99_Blocks
// TABLES: {"Size", 9, 4, Codec::Log2, 0, {}, "rows",
// TABLES-NEXT: "how large",
// TABLES: {"Cfg", -1, 0x10, 0x800003f9, 0x10,
// TABLES: static constexpr FieldPair H100_Pairs[] = {
// TABLES-NEXT: {"Body.Cfg.Extra", false, 0x10, 31, 31, Codec::Plain, 0},
// TABLES-NEXT: FieldPair::None, {"", false, 0x0, 0, 0, Codec::Plain, 0}},
// TABLES-NEXT: {"Body.Cfg.Size", false, 0x10, 9, 4, Codec::Log2, 0},
// TABLES-NEXT: FieldPair::Same, {"Body.Cfg.Size", false, 0x404, 7, 4, Codec::Log2, 0}},
// TABLES-NEXT: {"Body.Cfg.Tag", false, 0x10, 3, 3, Codec::Plain, 0},
// TABLES-NEXT: FieldPair::NoEffect,
// TABLES-NEXT: {"Body.Cfg.Again", false, 0x10, 0, 0, Codec::Plain, 0},
// TABLES-NEXT: FieldPair::None,
// TABLES-NEXT: {"Body.Other.Here", false, 0x14, 0, 0, Codec::Plain, 0},
// TABLES-NEXT: FieldPair::Same, {"Header[0].Common", true, 0x0, 4, 4, Codec::Plain, 0}},
// An array that is longer than its counterpart.
// TABLES: {"New.Stride[1].Bytes", false, 0x84, 31, 6, Codec::Shift, 6},
// TABLES-NEXT: FieldPair::Same, {"Body.Stride[1].Bytes", false, 0x414, 31, 6, Codec::Shift, 6}},
// TABLES-NEXT: {"New.Stride[2].Bytes", false, 0x88, 31, 6, Codec::Shift, 6},
// TABLES-NEXT: FieldPair::None,

// DOC-NOT: Registers of H99
// DOC: # Registers of H100
// DOC: Records are different. Bits that no field names
// DOC: | 0x10 | `Cfg`, reset 0x10 | 31 | `Extra` |
// DOC: | `Here` |  | either (`Header.Common`) |
