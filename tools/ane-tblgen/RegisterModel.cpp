//===- RegisterModel.cpp - Read and check register maps -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace ane::tblgen {

uint32_t RegModel::knownMask() const {
  uint32_t mask = 0;
  for (const FieldModel &field : fields)
    mask |= field.mask();
  return mask;
}

uint32_t BlockModel::address(const RegModel &reg, unsigned index) const {
  return isHeader ? reg.offset + index : base + reg.offset + 4 * index;
}

std::string fieldPath(const BlockModel &block, const RegModel &reg,
                      unsigned index, const FieldModel &field) {
  std::string element;
  if (block.isHeader)
    element = "[" + utostr(reg.offset) + "]";
  else if (reg.isArray())
    element = "[" + utostr(index) + "]";
  std::string prefix = block.isHeader ? "" : block.name.str() + ".";
  return prefix + reg.name.str() + element + "." + field.name.str();
}

std::string accessorName(const BlockModel &block, const RegModel &reg,
                         const FieldModel &field) {
  if (block.isHeader)
    return field.name.str();
  return (reg.name + "_" + field.name).str();
}

std::string quoted(StringRef text) {
  std::string result;
  raw_string_ostream stream(result);
  stream << '"';
  printEscapedString(text, stream);
  stream << '"';
  return result;
}

namespace {

/// Builds one MapModel. The first pass only reads, the second checks, so that
/// one run reports every violation.
class MapReader {
public:
  MapModel read(const Record &def);
  bool failed() const { return errors != 0; }

private:
  void error(const Record &at, const Twine &message) {
    PrintError(at.getLoc(), message);
    ++errors;
  }

  BlockModel readBlock(const Record &def, MapModel &map);
  RegModel readRegister(const Record &def, StringRef block, MapModel &map);
  FieldModel readField(const Record &def, StringRef block, MapModel &map);
  int readEnum(const Record &def, StringRef block, MapModel &map);

  void checkBlock(const BlockModel &block, const MapModel &map);
  void checkRegister(const BlockModel &block, const RegModel &reg,
                     const MapModel &map);
  bool checkField(const RegModel &reg, const FieldModel &field);
  void checkEnumWidth(const FieldModel &field, const EnumModel &values);
  void checkEnum(const EnumModel &values);
  void checkName(const Record &at, StringRef name);
  void claim(StringMap<const Record *> &names, const Twine &name,
             const Record &at, const Twine &where);

  DenseMap<const Record *, int> enumIndices;
  DenseMap<unsigned, const Record *> blockDefs; ///< by position in the map
  DenseMap<std::pair<unsigned, unsigned>, const Record *> regDefs;
  unsigned blockIndex = 0;
  unsigned errors = 0;
};

MapModel MapReader::read(const Record &def) {
  MapModel map;
  map.def = &def;
  map.records = def.getValueAsString("Records");
  map.name = def.getValueAsString("Name");
  map.meaning = def.getValueAsString("Meaning");
  map.space = map.name.lower();
  for (const Record *block : def.getValueAsListOfDefs("Blocks")) {
    blockDefs[map.blocks.size()] = block;
    blockIndex = map.blocks.size();
    map.blocks.push_back(readBlock(*block, map));
  }

  StringMap<const Record *> names;
  for (auto [index, block] : enumerate(map.blocks))
    claim(names, block.name, *blockDefs[index], "map '" + map.name + "'");
  for (const EnumModel &values : map.enums) {
    if (values.scope.empty())
      claim(names, values.name, *values.def, "map '" + map.name + "'");
    checkEnum(values);
  }
  for (auto [index, block] : enumerate(map.blocks)) {
    blockIndex = index;
    checkBlock(block, map);
  }
  return map;
}

BlockModel MapReader::readBlock(const Record &def, MapModel &map) {
  BlockModel block;
  block.name = def.getValueAsString("Name");
  block.meaning = def.getValueAsString("Meaning");
  block.isHeader = def.getValueAsBit("IsHeader");
  block.base = def.getValueAsInt("Base");
  block.words = def.getValueAsInt("Words");
  for (const Record *reg : def.getValueAsListOfDefs("Registers")) {
    regDefs[{blockIndex, unsigned(block.regs.size())}] = reg;
    block.regs.push_back(readRegister(*reg, block.name, map));
  }
  return block;
}

RegModel MapReader::readRegister(const Record &def, StringRef block,
                                 MapModel &map) {
  RegModel reg;
  reg.name = def.getValueAsString("Name");
  reg.offset = def.getValueAsInt("Offset");
  reg.count = def.getValueAsInt("Count");
  reg.reset = uint32_t(def.getValueAsInt("Reset"));
  for (const Record *field : def.getValueAsListOfDefs("Fields"))
    reg.fields.push_back(readField(*field, block, map));
  return reg;
}

FieldModel MapReader::readField(const Record &def, StringRef block,
                                MapModel &map) {
  FieldModel field;
  field.def = &def;
  field.name = def.getValueAsString("Name");
  field.msb = def.getValueAsInt("Msb");
  field.lsb = def.getValueAsInt("Lsb");
  const Record *codec = def.getValueAsDef("Coding");
  field.codec = codec->getValueAsString("Kind");
  field.amount = codec->getValueAsInt("Amount");
  field.unit = codec->getValueAsString("Unit");
  field.meaning = def.getValueAsString("Meaning");
  field.counterpart = def.getValueAsString("Counterpart");
  const Record *source = def.getValueAsDef("Provenance");
  field.provenance = source->getValueAsString("Text");
  field.confidence = source->getValueAsDef("Level")->getValueAsString("Name");
  const Record *values = def.getValueAsDef("Values");
  if (!values->getValueAsString("Name").empty())
    field.enumIndex = readEnum(*values, block, map);
  return field;
}

int MapReader::readEnum(const Record &def, StringRef block, MapModel &map) {
  auto [it, isNew] = enumIndices.try_emplace(&def, map.enums.size());
  if (!isNew) {
    // Used by a second block: it moves to the namespace of the map.
    StringRef &scope = map.enums[it->second].scope;
    if (scope != block)
      scope = "";
    return it->second;
  }
  EnumModel values;
  values.def = &def;
  values.name = def.getValueAsString("Name");
  values.scope = block;
  for (const Record *value : def.getValueAsListOfDefs("Values"))
    values.values.push_back({uint32_t(value->getValueAsInt("Value")),
                             value->getValueAsString("Name"),
                             value->getValueAsString("Meaning"), value});
  map.enums.push_back(std::move(values));
  return it->second;
}

void MapReader::checkName(const Record &at, StringRef name) {
  bool isIdentifier =
      !name.empty() && !isDigit(name[0]) &&
      all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    error(at, "name '" + name + "' is not a C++ identifier");
}

void MapReader::claim(StringMap<const Record *> &names, const Twine &name,
                      const Record &at, const Twine &where) {
  std::string text = name.str();
  checkName(at, text);
  if (!names.try_emplace(text, &at).second)
    error(at, "duplicate name '" + text + "' in " + where);
}

void MapReader::checkEnum(const EnumModel &values) {
  StringMap<const Record *> names;
  DenseMap<uint32_t, StringRef> seen;
  for (const EnumeratorModel &value : values.values) {
    claim(names, value.name, *value.def, "enumeration '" + values.name + "'");
    auto [it, isNew] = seen.try_emplace(value.value, value.name);
    if (!isNew)
      error(*value.def, "enumerators '" + it->second + "' and '" + value.name +
                            "' of '" + values.name + "' both have the value " +
                            Twine(value.value));
  }
}

void MapReader::checkBlock(const BlockModel &block, const MapModel &map) {
  // Everything that becomes a name in the namespace of the block.
  StringMap<const Record *> names;
  std::string where = ("block '" + block.name + "'").str();
  if (!block.isHeader) {
    names.try_emplace("Base", nullptr);
    names.try_emplace("Words", nullptr);
  }
  for (const EnumModel &values : map.enums)
    if (values.scope == block.name)
      claim(names, values.name, *values.def, where);

  unsigned unit = block.isHeader ? 1 : 4;
  unsigned next = 0; ///< first offset that no register has claimed
  for (auto [index, reg] : enumerate(block.regs)) {
    const Record &def = *regDefs[{blockIndex, unsigned(index)}];
    if (!block.isHeader)
      claim(names, reg.name, def, where);
    if (reg.offset % unit)
      error(def, "register '" + reg.name + "' is at offset " +
                     Twine(reg.offset) + ", but offsets are multiples of " +
                     Twine(unit));
    if (reg.offset < next)
      error(def, "register '" + reg.name + "' is at offset " +
                     Twine(reg.offset) +
                     ", but the registers before it end at " + Twine(next));
    next = std::max(next, reg.offset + unit * reg.size());
    if (next > unit * block.words)
      error(def, "register '" + reg.name + "' ends at offset " + Twine(next) +
                     ", outside of " + where + ", which has " +
                     Twine(block.words) + " words");
    for (const FieldModel &field : reg.fields)
      claim(names, accessorName(block, reg, field), *field.def, where);
    checkRegister(block, reg, map);
  }
}

void MapReader::checkRegister(const BlockModel &block, const RegModel &reg,
                              const MapModel &map) {
  uint32_t used = 0;
  unsigned previousLsb = 32;
  if (uint32_t unknown = reg.reset & ~reg.knownMask())
    error(*regDefs[{blockIndex, unsigned(&reg - block.regs.data())}],
          "reset value of register '" + reg.name + "' has bits 0x" +
              utohexstr(unknown, /*LowerCase=*/true) +
              " outside of its fields");
  for (const FieldModel &field : reg.fields) {
    if (!checkField(reg, field))
      continue;
    if (used & field.mask())
      error(*field.def, "bits of field '" + field.name +
                            "' overlap another field of register '" + reg.name +
                            "'");
    else if (field.lsb > previousLsb)
      error(*field.def, "field '" + field.name + "' of register '" + reg.name +
                            "' is out of order: most significant bit first");
    used |= field.mask();
    previousLsb = field.lsb;
    if (field.enumIndex >= 0)
      checkEnumWidth(field, map.enums[field.enumIndex]);
  }
}

bool MapReader::checkField(const RegModel &reg, const FieldModel &field) {
  if (field.msb > 31) {
    error(*field.def, "field '" + field.name + "' of register '" + reg.name +
                          "' has bit " + Twine(field.msb) +
                          ", but a register has 32 bits");
    return false;
  }
  if (field.msb < field.lsb) {
    error(*field.def, "field '" + field.name + "' of register '" + reg.name +
                          "' has msb " + Twine(field.msb) + " below its lsb " +
                          Twine(field.lsb));
    return false;
  }
  if (field.codec == "Shift" && field.width() + field.amount > 32)
    error(*field.def, "values of field '" + field.name + "' need " +
                          Twine(field.width() + field.amount) +
                          " bits, but values have 32");
  unsigned floatWidth = StringSwitch<unsigned>(field.codec)
                            .Case("F16", 16)
                            .Case("F32", 32)
                            .Default(field.width());
  if (field.width() != floatWidth)
    error(*field.def, "field '" + field.name + "' has " + Twine(field.width()) +
                          " bits, but its codec " + field.codec + " takes " +
                          Twine(floatWidth));
  return true;
}

void MapReader::checkEnumWidth(const FieldModel &field,
                               const EnumModel &values) {
  for (const EnumeratorModel &value : values.values)
    if (value.value > (~0u >> (32 - field.width())))
      error(*value.def, "enumerator '" + value.name +
                            "' = " + Twine(value.value) + " does not fit the " +
                            Twine(field.width()) + " bits of field '" +
                            field.name + "'");
}

} // namespace

/// Whether the input itself has the definition, and no file that it includes.
static bool isInInput(const Record &def) {
  return any_of(def.getLoc(), [](SMLoc loc) {
    return SrcMgr.FindBufferContainingLoc(loc) == SrcMgr.getMainFileID();
  });
}

std::vector<MapModel> readMaps(const RecordKeeper &records) {
  std::vector<MapModel> maps;
  bool failed = false;
  for (const Record *def : records.getAllDerivedDefinitions("RegMap")) {
    MapReader reader;
    maps.push_back(reader.read(*def));
    failed |= reader.failed();
  }
  for (MapModel &map : maps) {
    StringRef name = map.def->getValueAsString("Counterparts");
    if (name.empty())
      continue;
    auto older = find_if(
        maps, [&](const MapModel &other) { return other.name == name; });
    if (older != maps.end()) {
      failed |= pairFields(map, *older) != 0;
      continue;
    }
    PrintError(map.def->getLoc(), "there is no map '" + name +
                                      "' that has the counterparts of '" +
                                      map.name + "'");
    failed = true;
  }
  if (failed)
    PrintFatalError("the register map breaks rules, nothing generated");
  erase_if(maps, [](const MapModel &map) { return !isInInput(*map.def); });
  return maps;
}

} // namespace ane::tblgen
