//===- Counterparts.cpp - Fields of one map in the terms of another -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds for each field of a map the field of an older map that means the same:
// the one that it names, else the one of its own path. Elements of arrays are
// paired one by one.
//
//===----------------------------------------------------------------------===//

#include "RegisterModel.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace ane::tblgen {

// The values of the defvars of these names in RegisterBase.td.
static constexpr StringLiteral kNoEffect = "no effect";
static constexpr StringLiteral kNoTwin = "none";

namespace {
struct Found {
  const BlockModel *block;
  const RegModel *reg;
  const FieldModel *field;
};
} // namespace

/// A path without the index of an element or a header word: "Header.TID",
/// "KernelDMASrc.CoeffDMAConfig.En".
static std::string declaredPath(const BlockModel &block, const RegModel &reg,
                                const FieldModel &field) {
  if (block.isHeader)
    return (block.name + "." + field.name).str();
  return (block.name + "." + reg.name + "." + field.name).str();
}

PlaceModel place(const BlockModel &block, const RegModel &reg, unsigned index,
                 const FieldModel &field) {
  return {fieldPath(block, reg, index, field),
          block.isHeader,
          block.address(reg, index),
          field.msb,
          field.lsb,
          field.codec,
          field.amount};
}

namespace {
class Pairing {
public:
  Pairing(MapModel &map, const MapModel &older) : map(map) {
    for (const BlockModel &block : older.blocks)
      for (const RegModel &reg : block.regs)
        for (const FieldModel &field : reg.fields)
          twins[declaredPath(block, reg, field)] = {&block, &reg, &field};
  }

  unsigned run() {
    for (BlockModel &block : map.blocks)
      for (RegModel &reg : block.regs)
        for (FieldModel &field : reg.fields)
          pair(block, reg, field);
    return errors;
  }

private:
  static bool isFloat(const FieldModel &field) {
    return field.codec == "F16" || field.codec == "F32";
  }

  void error(const FieldModel &field, const Twine &message) {
    PrintError(field.def->getLoc(), message);
    ++errors;
  }

  void pair(const BlockModel &block, const RegModel &reg, FieldModel &field) {
    const Found *twin = find(block, reg, field);
    if (twin && field.meaning.empty())
      field.meaning = twin->field->meaning;
    StringRef none = field.counterpart == kNoEffect ? "NoEffect" : "None";
    for (unsigned i = 0; i < reg.size(); ++i) {
      PlaceModel own = place(block, reg, i, field);
      if (twin && i < twin->reg->size())
        map.pairs.push_back(
            {own, "Same", place(*twin->block, *twin->reg, i, *twin->field)});
      else
        map.pairs.push_back({own, none, {}});
    }
  }

  /// Null where the field has no counterpart, or a wrong one.
  const Found *find(const BlockModel &block, const RegModel &reg,
                    const FieldModel &field) {
    StringRef named = field.counterpart;
    if (named == kNoEffect || named == kNoTwin)
      return nullptr;
    std::string path = named.str();
    if (path.empty())
      path = declaredPath(block, reg, field);
    auto it = twins.find(path);
    if (it == twins.end()) {
      if (!named.empty())
        error(field, "counterpart '" + named + "' of field '" + field.name +
                         "' does not exist");
      return nullptr;
    }
    // Values of floats are exchanged as bits.
    if (isFloat(field) != isFloat(*it->second.field) ||
        (isFloat(field) && field.codec != it->second.field->codec))
      error(field, "field '" + field.name + "' has the codec " + field.codec +
                       ", but its counterpart '" + path + "' has " +
                       it->second.field->codec);
    auto [claim, isNew] = claims.try_emplace(path, field.name);
    if (!isNew)
      error(field, "fields '" + claim->second + "' and '" + field.name +
                       "' both have the counterpart '" + path + "'");
    return &it->second;
  }

  MapModel &map;
  StringMap<Found> twins;
  StringMap<StringRef> claims; ///< by which field
  unsigned errors = 0;
};
} // namespace

unsigned pairFields(MapModel &map, const MapModel &older) {
  return Pairing(map, older).run();
}

} // namespace ane::tblgen
