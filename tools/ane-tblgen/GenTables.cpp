//===- GenTables.cpp - Register maps as constant tables -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --gen-ane-reg-tables: constexpr arrays of the structs of ane/HW/Registers.h,
// from enumerators up to <map>_Blocks, and <map>_Pairs where the map names its
// counterparts. Elements of a register array share their fields.
//
//===----------------------------------------------------------------------===//

#include "RegisterModel.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace ane::tblgen;

static std::string enumTable(const MapModel &map, const EnumModel &values) {
  return (map.name + "_" + (values.scope.empty() ? "" : values.scope + "_") +
          values.name + "_Enumerators")
      .str();
}

static std::string span(const Twine &table, size_t size) {
  if (size == 0)
    return "{}";
  return ("{" + table + ", " + Twine(size) + "}").str();
}

/// What programs that only run others have no use for.
static cl::opt<bool>
    withoutProse("ane-reg-without-prose",
                 cl::desc("Leave meanings and sources out of tables"));
static std::string prose(StringRef text) {
  return quoted(withoutProse ? "" : text);
}

static void emitFields(const MapModel &map, const RegModel &reg,
                       StringRef table, raw_ostream &os) {
  os << "static constexpr Field " << table << "[] = {\n";
  for (const FieldModel &field : reg.fields) {
    std::string values = "{}";
    if (field.enumIndex >= 0) {
      const EnumModel &model = map.enums[field.enumIndex];
      values = span(enumTable(map, model), model.values.size());
    }
    os << formatv("    {{{0}, {1}, {2}, Codec::{3}, {4}, {5}, {6},\n     {7},\n"
                  "     {8}, Confidence::{9}},\n",
                  quoted(field.name), field.msb, field.lsb, field.codec,
                  field.amount, values, quoted(field.unit),
                  prose(field.meaning), prose(field.provenance),
                  field.confidence);
  }
  os << "};\n";
}

static void emitBlock(const MapModel &map, const BlockModel &block,
                      raw_ostream &os) {
  std::string prefix = (map.name + "_" + block.name).str();
  auto fieldTable = [&](const RegModel &reg) {
    // Header words share one name; their index tells them apart.
    std::string index = block.isHeader ? std::to_string(reg.offset) : "";
    return prefix + "_" + reg.name.str() + index + "_Fields";
  };
  for (const RegModel &reg : block.regs)
    if (!reg.fields.empty())
      emitFields(map, reg, fieldTable(reg), os);

  size_t count = 0;
  os << "static constexpr Register " << prefix << "_Registers[] = {\n";
  for (const RegModel &reg : block.regs)
    for (unsigned i = 0; i < reg.size(); ++i, ++count) {
      int index = block.isHeader  ? int(reg.offset)
                  : reg.isArray() ? int(i)
                                  : -1;
      os << formatv("    {{{0}, {1}, {2:x}, {3:x}, {4:x}, {5}},\n",
                    quoted(reg.name), index, block.address(reg, i),
                    reg.knownMask(), reg.reset,
                    span(fieldTable(reg), reg.fields.size()));
    }
  os << "};\n"
     << "static constexpr size_t " << prefix << "_RegisterCount = " << count
     << ";\n\n";
}

static std::string fieldRef(const PlaceModel &place) {
  return formatv("{{{0}, {1}, {2:x}, {3}, {4}, Codec::{5}, {6}}",
                 quoted(place.path), place.inHeader ? "true" : "false",
                 place.address, place.msb, place.lsb, place.codec, place.amount)
      .str();
}

static void emitPairs(const MapModel &map, raw_ostream &os) {
  if (map.pairs.empty())
    return;
  os << "static constexpr FieldPair " << map.name << "_Pairs[] = {\n";
  for (const PairModel &pair : map.pairs)
    os << formatv("    {{{0},\n     FieldPair::{1}, {2}},\n",
                  fieldRef(pair.field), pair.kind, fieldRef(pair.twin));
  os << "};\n";
}

static void emitTables(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Register tables", os, records);
  for (const MapModel &map : readMaps(records)) {
    for (const EnumModel &values : map.enums) {
      if (values.values.empty())
        continue;
      os << "static constexpr Enumerator " << enumTable(map, values)
         << "[] = {\n";
      for (const EnumeratorModel &value : values.values)
        os << formatv("    {{{0}, {1}, {2}},\n", value.value,
                      quoted(value.name), prose(value.meaning));
      os << "};\n";
    }
    os << "\n";
    for (const BlockModel &block : map.blocks)
      emitBlock(map, block, os);
    os << "static constexpr Block " << map.name << "_Blocks[] = {\n";
    for (const BlockModel &block : map.blocks) {
      std::string prefix = (map.name + "_" + block.name).str();
      os << formatv("    {{{0}, {1}, {2:x}, {3},\n     {{{4}_Registers, "
                    "{4}_RegisterCount},\n     {5}},\n",
                    quoted(block.name), block.isHeader ? "true" : "false",
                    block.base, block.words, prefix, prose(block.meaning));
    }
    os << "};\n";
    emitPairs(map, os);
  }
}

static TableGen::Emitter::Opt
    registration("gen-ane-reg-tables", emitTables,
                 "Generate constant tables of register maps");
