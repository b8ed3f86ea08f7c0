//===- FieldChecks.cpp - Stops at what is not understood ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldChecks.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ane::sim {

static absl::Status checkBits(const hw::RegisterMap &map, const hw::Task &task,
                              hw::EngineKind engine) {
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
      if (!hw::readsBlock(engine, block->name))
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

absl::Status checkFields(const hw::Task &task, hw::EngineKind engine) {
  const hw::RegisterMap &map = hw::registers(hw::Generation::H13);
  if (absl::Status status = checkBits(map, task, engine); !status.ok())
    return status;
  for (const hw::FieldRule &rule : hw::fieldRules()) {
    if (rule.values.isAll() || !rule.holdsFor(engine))
      continue;
    for (uint32_t i = 0; i < rule.count; ++i)
      if (uint32_t value = task.get(hw::ruleField(rule, i));
          !rule.values.contains(value))
        return notUnderstood(hw::rulePath(rule, i), value, hw::describe(rule));
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
