//===- FieldRules.cpp - Which values of the fields are understood ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/HW/FieldRules.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::hw {

namespace {
constexpr ValueSet any{};
} // namespace

static constexpr ValueSet atLeast(uint32_t value) { return {value, 0}; }
static constexpr ValueSet is(uint32_t value) { return {0, 1u << value}; }
template <typename... T> static constexpr ValueSet oneOf(T... values) {
  return {0, ((1u << values) | ...)};
}

namespace {
const FieldRule h13Rules[] = {
#define RULE(block, field, engine, use, values, confidence, note)              \
  {h13::block::field,      1,   EngineKind::engine, FieldUse::use, values,     \
   Confidence::confidence, note},
#define ARRAY(block, field, count, engine, use, values, confidence, note)      \
  {h13::block::field(0),   count, EngineKind::engine, FieldUse::use, values,   \
   Confidence::confidence, note},
#include "FieldRules.def"
};

} // namespace

static const RegisterMap &map13() { return registers(Generation::H13); }

/// The field of the map after a reference; null when there is none.
static const Field *fieldOf(const RegisterMap &map, const FieldRef &ref) {
  const Register *reg =
      ref.inHeader ? map.headerWord(ref.address) : map.registerAt(ref.address);
  if (reg)
    for (const Field &field : reg->fields)
      if (field.lsb == ref.lsb && field.msb == ref.msb)
        return &field;
  return nullptr;
}

absl::Span<const FieldRule> fieldRules() { return h13Rules; }

std::string describe(const FieldRule &rule) {
  std::string text;
  if (!rule.values.mask)
    text = absl::StrCat("at least ", rule.values.least);
  const Field *field = fieldOf(map13(), rule.field);
  uint32_t rest = rule.values.mask;
  for (uint32_t value = 0; rest; ++value, rest >>= 1) {
    if (!(rest & 1))
      continue;
    absl::StrAppend(&text,
                    text.empty() ? ""
                    : rest == 1  ? " or "
                                 : ", ",
                    value);
    if (field)
      for (const Enumerator &e : field->enumerators)
        if (e.value == value)
          absl::StrAppend(&text, " (", e.name, ")");
  }
  if (*rule.note)
    absl::StrAppend(&text, " (", rule.note, ")");
  return text;
}

FieldRef ruleField(const FieldRule &rule, uint32_t index) {
  FieldRef field = rule.field;
  field.address += 4 * index;
  return field;
}

std::string rulePath(const FieldRule &rule, uint32_t index) {
  FieldRef ref = ruleField(rule, index);
  if (rule.count > 1)
    if (const Register *reg = map13().registerAt(ref.address))
      if (const Field *field = fieldOf(map13(), ref))
        return fieldPath(*map13().blockAt(ref.address), *reg, *field);
  return ref.path;
}

bool readsBlock(EngineKind engine, absl::string_view block) {
  if (block == "PE")
    return engine == EngineKind::Planar;
  return engine == EngineKind::Neural ||
         (block != "NE" && block != "KernelDMASrc");
}

} // namespace ane::hw
