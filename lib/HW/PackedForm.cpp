//===- PackedForm.cpp - What packed streams have in common ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedForm.h"

#include "ane/HW/Float16.h"

#include "absl/strings/str_cat.h"

#include <array>
#include <cassert>
#include <cstring>

namespace ane::hw {

uint32_t singleOfHalf(uint32_t half) {
  const float value = fromHalfBits(static_cast<uint16_t>(half));
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Header words move; what they hold has one name in all maps.
static std::string withoutIndex(const FieldRef &field) {
  absl::string_view path = field.path;
  return field.inHeader
             ? absl::StrCat("Header", path.substr(path.find_last_of('.')))
             : std::string(path);
}

std::string PackedForm::keyOf(const FieldPair &pair) {
  return pair.kind == FieldPair::Same ? absl::StrCat("h13 ", pair.h13.path)
                                      : withoutIndex(pair.field);
}

const absl::flat_hash_map<std::string, std::string> &PackedForm::keysOfH14() {
  static const auto *keys = [] {
    auto *made = new absl::flat_hash_map<std::string, std::string>;
    for (const FieldPair &pair : registers(Generation::H14).pairs())
      made->emplace(pair.field.path, keyOf(pair));
    return made;
  }();
  return *keys;
}

static const PackedTraits &traitsOf(Generation generation) {
  static constexpr PackedTraits traits[] = {
      {/*addsDataSets=*/false, /*repeatsTableBase=*/true,
       /*repeatsSource2Base=*/false, /*lastTaskMark=*/0,
       /*extendsBinaryPoint=*/false, /*absoluteCond=*/1,
       /*resultCacheHint=*/{}, /*marksCoefficients=*/false},
      {true, false, false, 3, false, 7, {}, false},
      {true, false, false, 4, true, 7, {}, false},
      {true, false, true, 4, true, 7, h13::CacheHint::Drop, true},
      {true, false, false, 4, true, 7, h13::CacheHint::Drop, true}};
  return traits[static_cast<size_t>(generation) -
                static_cast<size_t>(Generation::H14)];
}

PackedForm::PackedForm(const RegisterMap &map)
    : map(map), traits(traitsOf(map.generation)) {
  for (const FieldPair &pair : map.pairs()) {
    fields.emplace(keyOf(pair), pair.field);
    fields.emplace(withoutIndex(pair.field), pair.field);
  }
  hasSource2Cfg = find("L2.Source2Cfg.SourceType");
  // Registers that say what another generation says in the configuration.
  hasDataSetRegisters = find("TileDMASrc.Src1DataSet.Value");
  hasPackedFormats = find("TileDMASrc.Src1Fmt.Unknown");
  const std::pair<FieldRef, const char *> halves[] = {
      {h13::PE::BiasScale_Bias, "PE.Bias.Bias"},
      {h13::PE::BiasScale_Scale, "PE.Scale.Scale"},
      {h13::PE::PreScale_Epsilon, "PE.Epsilon.Epsilon"},
      {h13::PE::PreScale_PreScale, "PE.PreScale.PreScale"}};
  for (const auto &[half, single] : halves)
    if (const FieldRef *field = find(single);
        field && field->codec == Codec::F32)
      terms.push_back({half, *field});
}

const FieldRef *PackedForm::find(absl::string_view path) const {
  auto found = fields.find(path);
  return found == fields.end() ? nullptr : &found->second;
}

const FieldRef *PackedForm::find(const FieldRef &field) const {
  auto key = keysOfH14().find(field.path);
  return key == keysOfH14().end() ? nullptr : find(key->second);
}

const FieldRef &PackedForm::at(const FieldRef &field) const {
  const FieldRef *found = find(field);
  assert(found && "the map lacks a field that all packed streams have");
  return *found;
}

const FieldRef &PackedForm::at(absl::string_view path) const {
  const FieldRef *found = find(path);
  assert(found && "the map lacks a field of its form");
  return *found;
}

std::vector<FieldRef> dataSetFields(const PackedForm &form) {
  if (form.hasDataSetRegisters)
    return {form.at("TileDMASrc.Src1DataSet.Value"),
            form.at("TileDMASrc.Src2DataSet.Value"),
            form.at("TileDMADst.DataSet.Value")};
  if (form.traits.addsDataSets)
    return {form.at("TileDMASrc.Src1DMAConfig.En"),
            form.at("TileDMASrc.Src2DMAConfig.En"),
            form.at("TileDMADst.DMAConfig.En")};
  return {};
}

const PackedForm &packedForm(Generation generation) {
  static const auto *forms =
      new std::array<PackedForm, 5>{PackedForm(registers(Generation::H14)),
                                    PackedForm(registers(Generation::H15)),
                                    PackedForm(registers(Generation::H16)),
                                    PackedForm(registers(Generation::H17)),
                                    PackedForm(registers(Generation::H18))};
  return (*forms)[static_cast<size_t>(generation) -
                  static_cast<size_t>(Generation::H14)];
}

} // namespace ane::hw
