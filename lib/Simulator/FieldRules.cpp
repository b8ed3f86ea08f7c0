//===- FieldRules.cpp - Which values of the fields are understood ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldRules.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::sim {
namespace {

namespace h13 = hw::h13;

constexpr Values any{};
constexpr Values atLeast(uint32_t value) { return {value, 0}; }
constexpr Values is(uint32_t value) { return {0, 1u << value}; }
template <typename... T> constexpr Values oneOf(T... values) {
  return {0, ((1u << values) | ...)};
}

const FieldRule h13Rules[] = {
#define RULE(block, field, engine, use, values, confidence, note)              \
  {h13::block::field,          1,   Engine::engine, Use::use, values,          \
   hw::Confidence::confidence, note},
#define ARRAY(block, field, count, engine, use, values, confidence, note)      \
  {h13::block::field(0),       count, Engine::engine, Use::use, values,        \
   hw::Confidence::confidence, note},
#include "FieldRules.def"
};

const hw::RegisterMap &map13() { return hw::registers(hw::Generation::H13); }

/// The field of the map after a reference; null when there is none.
const hw::Field *fieldOf(const hw::RegisterMap &map, const hw::FieldRef &ref) {
  const hw::Register *reg =
      ref.inHeader ? map.headerWord(ref.address) : map.registerAt(ref.address);
  if (reg)
    for (const hw::Field &field : reg->fields)
      if (field.lsb == ref.lsb && field.msb == ref.msb)
        return &field;
  return nullptr;
}

/// `field` of element `index` of an array. The path has its first element.
hw::FieldRef element(const FieldRule &rule, uint32_t index) {
  hw::FieldRef field = rule.field;
  field.address += 4 * index;
  return field;
}

std::string elementPath(const hw::RegisterMap &map, const FieldRule &rule,
                        uint32_t index) {
  hw::FieldRef ref = element(rule, index);
  if (rule.count > 1)
    if (const hw::Register *reg = map.registerAt(ref.address))
      if (const hw::Field *field = fieldOf(map, ref))
        return hw::fieldPath(*map.blockAt(ref.address), *reg, *field);
  return ref.path;
}

/// Blocks that only one engine reads; the other one's tasks carry leftovers.
bool isRead(absl::string_view block, Engine engine) {
  if (block == "PE")
    return engine == Engine::Planar;
  return engine == Engine::Neural || (block != "NE" && block != "KernelDMASrc");
}

absl::Status checkBits(const hw::RegisterMap &map, const hw::Task &task,
                       Engine engine) {
  for (uint32_t i = 0; i < task.header.size(); ++i) {
    const hw::Register *reg = map.headerWord(i);
    uint32_t known = reg ? reg->knownMask : 0;
    if (uint32_t unknown = task.header[i] & ~known)
      return notUnderstood(absl::StrFormat("Header[%d]", i), task.header[i],
                           absl::StrFormat("bits 0x%x to be clear", unknown));
  }
  for (const hw::Record &record : task.records)
    for (size_t i = 0; i < record.words.size(); ++i) {
      uint32_t address = record.addressOf(i), word = record.words[i];
      if (!word)
        continue;
      const hw::Block *block = map.blockAt(address);
      if (!block)
        return absl::UnimplementedError(absl::StrFormat(
            "a record writes 0x%x to address 0x%x, where no register is known",
            word, address));
      if (!isRead(block->name, engine))
        continue;
      const hw::Register *reg = map.registerAt(address);
      uint32_t unknown = word & ~(reg ? reg->knownMask : 0);
      if (unknown)
        return notUnderstood(
            absl::StrCat(block->name, ".",
                         reg ? hw::displayName(*reg)
                             : absl::StrFormat("0x%x", address)),
            word, absl::StrFormat("bits 0x%x to be clear", unknown));
    }
  return absl::OkStatus();
}

} // namespace

absl::Span<const FieldRule> fieldRules() { return h13Rules; }

std::string describe(const FieldRule &rule) {
  std::string text;
  if (!rule.values.mask)
    text = absl::StrCat("at least ", rule.values.least);
  const hw::Field *field = fieldOf(map13(), rule.field);
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
      for (const hw::Enumerator &e : field->enumerators)
        if (e.value == value)
          absl::StrAppend(&text, " (", e.name, ")");
  }
  if (*rule.note)
    absl::StrAppend(&text, " (", rule.note, ")");
  return text;
}

absl::Status checkFields(const hw::Task &task, Engine engine) {
  const hw::RegisterMap &map = map13();
  if (absl::Status status = checkBits(map, task, engine); !status.ok())
    return status;
  for (const FieldRule &rule : fieldRules()) {
    if (rule.values.isAll() || !rule.holdsFor(engine))
      continue;
    for (uint32_t i = 0; i < rule.count; ++i)
      if (uint32_t value = task.get(element(rule, i));
          !rule.values.contains(value))
        return notUnderstood(elementPath(map, rule, i), value, describe(rule));
  }
  return absl::OkStatus();
}

absl::Status notUnderstood(absl::string_view path, uint32_t value,
                           absl::string_view expected) {
  return absl::UnimplementedError(
      absl::StrFormat("%s is 0x%x, which is not understood; expected %s", path,
                      value, expected));
}

} // namespace ane::sim
