//===- RegisterModel.h - Register maps as ane-tblgen sees them --*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of a register map, read once into plain structs and checked, so
// that the generators only print. All rules that a map must keep are in
// readMaps(); a violation is reported at the field or enumerator that breaks
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_ANETBLGEN_REGISTERMODEL_H
#define ANE_TOOLS_ANETBLGEN_REGISTERMODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/TableGen/Record.h"

#include <string>
#include <vector>

namespace ane::tblgen {

struct EnumeratorModel {
  uint32_t value;
  llvm::StringRef name, meaning;
  const llvm::Record *def;
};

struct EnumModel {
  llvm::StringRef name;
  std::vector<EnumeratorModel> values;
  const llvm::Record *def;
  /// Name of the block whose namespace holds it; empty for that of the map.
  llvm::StringRef scope;
};

struct FieldModel {
  llvm::StringRef name;
  unsigned msb, lsb;
  llvm::StringRef codec; ///< enumerator of ane::hw::Codec
  unsigned amount;
  llvm::StringRef unit, meaning, provenance, confidence;
  llvm::StringRef counterpart; ///< as declared: empty, a path, or a defvar
  int enumIndex = -1;          ///< into MapModel::enums
  const llvm::Record *def;

  unsigned width() const { return msb - lsb + 1; }
  uint32_t mask() const { return (~0u >> (32 - width())) << lsb; }
};

struct RegModel {
  llvm::StringRef name;
  unsigned offset; ///< bytes from the base, or word index in the header
  unsigned count;  ///< of an array; 0 for a single register
  uint32_t reset;  ///< the word where a task does not write the register
  std::vector<FieldModel> fields;

  bool isArray() const { return count != 0; }
  unsigned size() const { return isArray() ? count : 1; }
  uint32_t knownMask() const;
};

struct BlockModel {
  llvm::StringRef name, meaning;
  bool isHeader;
  uint32_t base;
  unsigned words;
  std::vector<RegModel> regs;

  /// Byte address, or word index in the header, of element `index` of `reg`.
  uint32_t address(const RegModel &reg, unsigned index) const;
};

/// What ane::hw::FieldRef holds.
struct PlaceModel {
  std::string path;
  bool inHeader = false;
  uint32_t address = 0;
  unsigned msb = 0, lsb = 0;
  llvm::StringRef codec = "Plain";
  unsigned amount = 0;
};

/// A field, or the same field of one element of an array, and its counterpart.
struct PairModel {
  PlaceModel field;
  llvm::StringRef kind; ///< enumerator of ane::hw::FieldPair::Kind
  PlaceModel twin;      ///< of kind Same
};

struct MapModel {
  const llvm::Record *def;
  llvm::StringRef name, meaning, records;
  std::string space; ///< namespace of the accessors: the name in lower case
  std::vector<BlockModel> blocks;
  std::vector<EnumModel> enums;
  std::vector<PairModel> pairs; ///< where the map names counterparts
};

/// Reads and checks every RegMap, and returns those that the input defines
/// itself, in place of a file that it includes. Does not return when one breaks
/// a rule: all violations have been printed then.
std::vector<MapModel> readMaps(const llvm::RecordKeeper &records);

/// Fills `map.pairs`, and the meanings that `map` leaves to `older`. Returns
/// how many rules are broken.
unsigned pairFields(MapModel &map, const MapModel &older);

PlaceModel place(const BlockModel &block, const RegModel &reg, unsigned index,
                 const FieldModel &field);

/// "Common.InDim.Win", "KernelDMASrc.CoeffBaseAddr[3].Addr", "Header[0].TID".
std::string fieldPath(const BlockModel &block, const RegModel &reg,
                      unsigned index, const FieldModel &field);

/// The accessor without its block: "InDim_Win", in the header "TID".
std::string accessorName(const BlockModel &block, const RegModel &reg,
                         const FieldModel &field);

/// A C++ string literal.
std::string quoted(llvm::StringRef text);

} // namespace ane::tblgen

#endif // ANE_TOOLS_ANETBLGEN_REGISTERMODEL_H
