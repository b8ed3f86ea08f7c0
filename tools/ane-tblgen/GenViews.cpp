//===- GenViews.cpp - Typed accessors and enumerations --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --gen-ane-reg-enums: one enum class for each enumeration, with stringify()
// and symbolize<Name>().
// --gen-ane-reg-views: one FieldRef or EnumFieldRef for each field, in a
// namespace for each block, and the address of each register. Both are meant
// for inclusion in ane/HW/<map>.h after ane/HW/Registers.h, enums first.
//
//===----------------------------------------------------------------------===//

#include "RegisterModel.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace ane::tblgen;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

static void emitEnum(const EnumModel &values, raw_ostream &os) {
  os << "enum class " << values.name << " : uint32_t {\n";
  for (const EnumeratorModel &value : values.values) {
    os << "  " << value.name << " = " << value.value << ",";
    if (!value.meaning.empty())
      os << " ///< " << value.meaning;
    os << "\n";
  }
  os << "};\n"
     << "/// The name of an enumerator, empty for a value without one.\n"
     << "constexpr const char *stringify(" << values.name << " value) {\n"
     << "  switch (value) {\n";
  for (const EnumeratorModel &value : values.values)
    os << formatv("  case {0}::{1}: return \"{1}\";\n", values.name,
                  value.name);
  os << "  }\n  return \"\";\n}\n"
     << "inline absl::optional<" << values.name << "> symbolize" << values.name
     << "(absl::string_view name) {\n";
  for (const EnumeratorModel &value : values.values)
    os << formatv("  if (name == \"{1}\") return {0}::{1};\n", values.name,
                  value.name);
  os << "  return absl::nullopt;\n}\n\n";
}

static void emitEnums(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Register enumerations", os, records);
  for (const MapModel &map : readMaps(records)) {
    os << "namespace ane::hw::" << map.space << " {\n\n";
    for (const EnumModel &values : map.enums)
      if (values.scope.empty())
        emitEnum(values, os);
    for (const BlockModel &block : map.blocks) {
      os << "namespace " << block.name << " {\n";
      for (auto [index, values] : enumerate(map.enums)) {
        bool isUsed =
            any_of(block.regs, [index = int(index)](const RegModel &r) {
              return any_of(r.fields, [index](const FieldModel &field) {
                return field.enumIndex == index;
              });
            });
        if (values.scope == block.name)
          emitEnum(values, os);
        else if (isUsed)
          os << formatv("using {0}::{1};\n", map.space, values.name);
      }
      os << "} // namespace " << block.name << "\n\n";
    }
    os << "} // namespace ane::hw::" << map.space << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

static void emitComment(const FieldModel &field, raw_ostream &os) {
  os << "/// Bits " << field.msb << ":" << field.lsb;
  if (!field.meaning.empty())
    os << ": " << field.meaning;
  if (!field.unit.empty())
    os << " (" << field.unit << ")";
  os << ".\n";
}

/// The initializer of a FieldRef whose path and address are given as code.
static std::string fieldRef(const BlockModel &block, const FieldModel &field,
                            const Twine &path, const Twine &address) {
  return formatv("{{{0}, {1}, {2}, {3}, {4}, Codec::{5}, {6}}", path.str(),
                 block.isHeader ? "true" : "false", address.str(), field.msb,
                 field.lsb, field.codec, field.amount)
      .str();
}

static void emitField(const MapModel &map, const BlockModel &block,
                      const RegModel &reg, const FieldModel &field,
                      raw_ostream &os) {
  std::string name = accessorName(block, reg, field);
  bool isEnum = field.enumIndex >= 0;
  std::string type =
      isEnum ? ("EnumFieldRef<" + map.enums[field.enumIndex].name + ">").str()
             : "FieldRef";
  auto braced = [&](std::string ref) { return isEnum ? "{" + ref + "}" : ref; };
  emitComment(field, os);
  if (!reg.isArray()) {
    os << formatv(
        "inline constexpr {0} {1}{2};\n", type, name,
        braced(fieldRef(block, field, quoted(fieldPath(block, reg, 0, field)),
                        "0x" + utohexstr(block.address(reg, 0), true))));
    return;
  }
  os << "constexpr " << type << " " << name << "(uint32_t index) {\n"
     << "  constexpr const char *paths[] = {\n";
  for (unsigned i = 0; i < reg.count; ++i)
    os << "      " << quoted(fieldPath(block, reg, i, field)) << ",\n";
  std::string outside =
      (block.name + "." + reg.name + "[index out of range]." + field.name)
          .str();
  os << "  };\n"
     << "  assert(index < " << reg.count
     << " && \"no such element\");\n"
     // No task writes the address 0xffffffff: get() gives 0 and set() fails.
     << "  return index < " << reg.count << "\n             ? " << type
     << braced(fieldRef(block, field, "paths[index]", reg.name + "(index)"))
     << "\n             : " << type
     << braced(fieldRef(block, field, quoted(outside), "~0u")) << ";\n}\n";
}

static void emitViews(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("Register accessors", os, records);
  for (const MapModel &map : readMaps(records)) {
    os << "namespace ane::hw::" << map.space << " {\n\n";
    for (const BlockModel &block : map.blocks) {
      os << "/// " << block.meaning << "\nnamespace " << block.name << " {\n";
      if (!block.isHeader)
        os << formatv("/// Address of the first register, and registers.\n"
                      "inline constexpr uint32_t Base = {0:x};\n"
                      "inline constexpr uint32_t Words = {1};\n",
                      block.base, block.words);
      for (const RegModel &reg : block.regs) {
        if (reg.isArray())
          os << formatv("constexpr uint32_t {0}(uint32_t index) {{ return {1:x}"
                        " + 4 * index; }\n",
                        reg.name, block.address(reg, 0));
        else if (!block.isHeader)
          os << formatv("inline constexpr uint32_t {0} = {1:x};\n", reg.name,
                        block.address(reg, 0));
        for (const FieldModel &field : reg.fields)
          emitField(map, block, reg, field, os);
      }
      os << "} // namespace " << block.name << "\n\n";
    }
    os << "} // namespace ane::hw::" << map.space << "\n";
  }
}

static TableGen::Emitter::Opt
    enumRegistration("gen-ane-reg-enums", emitEnums,
                     "Generate enum classes of register fields");
static TableGen::Emitter::Opt
    viewRegistration("gen-ane-reg-views", emitViews,
                     "Generate typed accessors of register fields");
