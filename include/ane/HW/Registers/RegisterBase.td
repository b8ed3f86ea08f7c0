//===- RegisterBase.td - How a register map is declared ----*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes that a map such as H13.td consists of. A map is a header and a
// list of blocks in the order of the task stream; a block is a list of
// registers in the order of their addresses; a register is a list of fields
// with the most significant bit first. ane-tblgen checks all of that and makes
// from it tables, typed accessors, enumerations, documentation and test data.
//
// Bits that no field names are not errors of a stream: readers keep them and
// print them as raw.
//
// The maps of all generations speak the language of one, H13: what means the
// same has the same name, and what has moved names its counterpart. That makes
// the table by which programs are brought from one generation to another.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_HW_REGISTERS_REGISTERBASE_TD
#define ANE_HW_REGISTERS_REGISTERBASE_TD

//===----------------------------------------------------------------------===//
// Where knowledge comes from
//===----------------------------------------------------------------------===//

// How well a fact is known; the names of ane::hw::Confidence.
class Confidence<string name> { string Name = name; }
def Seen    : Confidence<"Seen">;    // read off real programs or Apple's tools
def Deduced : Confidence<"Deduced">; // no other reading fits what was seen
def Guess   : Confidence<"Guess">;   // by analogy, nothing contradicts it
def Unknown : Confidence<"Unknown">; // the bits exist, what they do is open

// A source that fields cite.
class Source<Confidence confidence, string text> {
  Confidence Level = confidence;
  string Text = text;
}

//===----------------------------------------------------------------------===//
// How bits stand for a value
//===----------------------------------------------------------------------===//

// `kind` is an enumerator of ane::hw::Codec.
class Codec<string kind, int amount, string unit> {
  string Kind = kind;
  int Amount = amount;
  string Unit = unit;
}
def Plain : Codec<"Plain", 0, "">;
// A count of something: the value is the bits, the unit is for people.
class Count<string unit> : Codec<"Plain", 0, unit>;
// The value is a multiple of 1 << amount; its low bits are not stored.
class Shift<int amount, string unit = "bytes"> : Codec<"Shift", amount, unit>;
// The value is a power of two, the bits are its exponent.
class Log2<string unit = ""> : Codec<"Log2", 0, unit>;
// Floating-point bits; values are exchanged as bits.
def F16 : Codec<"F16", 0, "fp16">;
def F32 : Codec<"F32", 0, "fp32">;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Enumerator<int value, string name, string meaning> {
  int Value = value;
  string Name = name;
  string Meaning = meaning;
}

// Becomes `enum class name` in the block that uses it, or in the namespace of
// the map, with an alias in each block, when several blocks do.
class RegEnum<string name, list<Enumerator> values> {
  string Name = name;
  list<Enumerator> Values = values;
}
def NoEnum : RegEnum<"", []>;

//===----------------------------------------------------------------------===//
// Fields, registers, blocks
//===----------------------------------------------------------------------===//

// What a field is in the map that RegMap.Counterparts names. Without any of
// these it is the field of the same block, register and name there. Else it is
// the path of the field, "Common.ConvCfg.Kw" or "Header.TID", or one of:
defvar NoEffect = "no effect"; // no value of the field changes a result
defvar NoTwin = "none";        // the name has another meaning there

class Bits<string name, int msb, int lsb, Codec codec, Source source,
           string meaning, RegEnum values = NoEnum, string counterpart = ""> {
  string Name = name;
  int Msb = msb;
  int Lsb = lsb;
  Codec Coding = codec;
  Source Provenance = source;
  string Meaning = meaning;
  RegEnum Values = values;
  string Counterpart = counterpart;
}

class EnumBits<string name, int msb, int lsb, RegEnum values, Source source,
               string meaning, string counterpart = "">
    : Bits<name, msb, lsb, Plain, source, meaning, values, counterpart>;

// One bit.
class Flag<string name, int index, Source source, string meaning,
           string counterpart = "">
    : Bits<name, index, index, Plain, source, meaning, NoEnum, counterpart>;

// `count` consecutive registers with the same fields; 0 means a single register
// without an index. `offset` is in bytes from the base of the block, in the
// header in words. `reset` is the word that the engine has where a task does
// not write the register; only maps of streams whose tasks leave registers out
// need it.
class RegArray<int offset, string name, int count, list<Bits> fields,
               int reset = 0> {
  int Offset = offset;
  string Name = name;
  int Count = count;
  list<Bits> Fields = fields;
  int Reset = reset;
}
class Reg<int offset, string name, list<Bits> fields, int reset = 0>
    : RegArray<offset, name, 0, fields, reset>;

// A word of the task header. They have no names of their own, so that the names
// of their fields are unique in the header.
class HeaderWord<int index, list<Bits> fields>
    : RegArray<index, "Header", 0, fields>;

// `words` counts all registers of the block, also those without a field.
class RegBlock<string name, int base, int words, string meaning,
               list<RegArray> registers> {
  string Name = name;
  int Base = base;
  int Words = words;
  string Meaning = meaning;
  list<RegArray> Registers = registers;
  bit IsHeader = 0;
}
class HeaderBlock<string name, int words, string meaning,
                  list<HeaderWord> header>
    : RegBlock<name, 0, words, meaning, header> {
  let IsHeader = 1;
}

// The blocks in the order in which a full task writes them, the header first.
// The lower-case name becomes the namespace of the accessors. A file may include
// the file of another map: the generators make the map that it defines itself.
class RegMap<string name, string meaning, list<RegBlock> blocks> {
  string Name = name;
  string Meaning = meaning;
  list<RegBlock> Blocks = blocks;
  // How a record says what it writes, for people.
  string Records = "A record of a task writes consecutive registers; its first "
                   "word is (count - 1) << 26 | address.";
  // Name of the map that has the counterparts of the fields.
  string Counterparts = "";
}

#endif // ANE_HW_REGISTERS_REGISTERBASE_TD
