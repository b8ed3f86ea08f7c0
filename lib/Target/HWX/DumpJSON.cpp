//===- DumpJSON.cpp - A register program for other programs ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words are hexadecimal strings, header words with eight digits. `fields` has
// the decoded value of every field of every register that the task writes,
// floats as their bits; `raw` the words with bits that no field covers. A
// record that has `follow` is scattered: bit i says that the register at
// address + 4 * (i + 1) is written, too; `base` is the entry of the base table
// that the loader adds, `unknown` has bits of its first word without a meaning.
// `notes` of the container say what of the file is not understood.
//
// A task has `unit` and `op`, what its registers compute, or `notUnderstood`,
// why that is not known; with a report of ane-compile also `sources`, the
// operations that it comes from. `offset` of a task and of a record is the place
// of its first word in the text section, in bytes.
//
//===----------------------------------------------------------------------===//

#include "ane/Target/HWX/HWXTranslation.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/Simulator/TaskReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;
namespace json = llvm::json;

static std::string word(uint32_t value, unsigned digits = 0) {
  return llvm::utohexstr(value, /*LowerCase=*/true, digits);
}

/// Names in a file need not be UTF-8.
static std::string text(StringRef name) { return json::fixUTF8(name); }

static json::Object segmentJSON(const hw::Segment &segment) {
  json::Array sections;
  for (const hw::Section &section : segment.sections)
    sections.push_back(
        json::Object{{"name", text(section.name)},
                     {"address", hexText(section.address)},
                     {"bytes", section.size},
                     {"offset", section.fileOffset},
                     {"relocations", int64_t(section.relocations.size())}});
  return json::Object{
      {"name", text(segment.name)},    {"address", hexText(segment.vmAddress)},
      {"bytes", segment.vmSize},       {"offset", segment.fileOffset},
      {"fileBytes", segment.fileSize}, {"sections", std::move(sections)}};
}

static json::Object containerJSON(const hw::Container &container) {
  json::Array header, commands, segments, symbols, notes, table, libraries;
  for (const hw::Note &note : container.notes)
    notes.push_back(text(note.text));
  for (uint32_t value : container.header)
    header.push_back(word(value, 8));
  for (const hw::LoadCommand &command : container.commands)
    commands.push_back(json::Object{{"code", word(command.command)},
                                    {"bytes", int64_t(command.bytes.size())}});
  for (const hw::Segment &segment : container.segments)
    segments.push_back(segmentJSON(segment));
  for (const hw::Symbol &symbol : container.symbols) {
    symbols.push_back(text(symbol.name));
    table.push_back(json::Object{{"name", text(symbol.name)},
                                 {"value", hexText(symbol.value)},
                                 {"section", symbol.section},
                                 {"type", symbol.type}});
  }
  for (const hw::Library &library : hw::librariesOf(container))
    libraries.push_back(json::Object{{"name", text(library.name)},
                                     {"address", hexText(library.address)}});
  int64_t residue = 0;
  for (const hw::Residue &bytes : container.residues)
    residue += bytes.bytes.size();
  return json::Object{{"bytes", container.fileSize},
                      {"name", text(container.program.name)},
                      {"ident", text(hw::identOf(container))},
                      {"textBytes", container.program.textBytes},
                      {"scratchBytes", container.program.scratchBytes},
                      {"residueBytes", residue},
                      {"notes", std::move(notes)},
                      {"header", std::move(header)},
                      {"commands", std::move(commands)},
                      {"segments", std::move(segments)},
                      {"symbols", std::move(symbols)},
                      {"symbolTable", std::move(table)},
                      {"libraries", std::move(libraries)}};
}

template <typename Range> static json::Array numbers(const Range &range) {
  json::Array array;
  for (uint64_t number : range)
    array.push_back(number);
  return array;
}

static json::Object tensorJSON(const hw::Tensor &tensor) {
  json::Object object{
      {"name", text(tensor.name)},
      {"network", numbers(tensor.denseShape())},
      {"kind", tensor.kind == hw::TensorKind::Input ? "input" : "output"},
      {"type", hw::elementName(tensor.type)},
      {"shape", numbers(tensor.shape)},
      {"strides", numbers(tensor.strides)},
      {"interleave", tensor.interleave},
      {"base", tensor.base},
      {"bytes", tensor.bytes}};
  if (tensor.isLow)
    object["low"] = true;
  return object;
}

namespace {

/// Fields and unnamed bits of one task.
struct TaskFields {
  json::Object fields, raw;

  /// Adds a word; `path` names its register, `place` the word itself.
  void add(const hw::Register *reg, uint32_t value, StringRef path,
           StringRef place) {
    if (reg)
      for (const hw::Field &field : reg->fields)
        fields[(path + "." + field.name).str()] =
            int64_t(decodeField(field, value));
    if (uint32_t bits = describeWord(reg, value).raw)
      raw[place.str()] = word(bits);
  }
};

} // namespace

static json::Object taskJSON(const hw::RegisterMap &map, const hw::Task &task) {
  json::Array header, records;
  TaskFields names;
  uint64_t place = task.offset + 4 * task.header.size();
  for (auto [i, value] : llvm::enumerate(task.header)) {
    header.push_back(word(value, 8));
    names.add(map.headerWord(i), value, "Header",
              ("Header[" + Twine(i) + "]").str());
  }
  for (const hw::Record &record : task.records) {
    json::Array words;
    for (auto [i, value] : llvm::enumerate(record.words)) {
      words.push_back(word(value));
      const uint32_t address = record.addressOf(i);
      const hw::Register *reg = map.registerAt(address);
      const hw::Block *block = map.blockAt(address);
      std::string path;
      if (reg && block)
        path = std::string(block->name) + "." + displayName(*reg);
      names.add(reg, value, path, word(address));
    }
    json::Object object{{"address", word(record.address)},
                        {"offset", place},
                        {"words", std::move(words)}};
    place += 4 * (1 + record.words.size());
    if (record.kind == hw::RecordKind::Scatter)
      object["follow"] = word(record.follow);
    if (record.base)
      object["base"] = *record.base;
    if (record.unknown)
      object["unknown"] = word(record.unknown);
    records.push_back(std::move(object));
  }
  return json::Object{{"offset", task.offset},
                      {"header", std::move(header)},
                      {"records", std::move(records)},
                      {"fields", std::move(names.fields)},
                      {"raw", std::move(names.raw)}};
}

void mlir::ane::hwx::dumpJSON(const hw::Container &container,
                              const TaskNames &names, raw_ostream &os) {
  const hw::Program &program = container.program;
  absl::Span<const uint8_t> constants = program.constantBytes();
  json::Array tensors, tasks;
  for (const hw::Tensor &tensor : program.tensors)
    tensors.push_back(tensorJSON(tensor));
  std::vector<::ane::sim::TaskSummary> summaries =
      ::ane::sim::summarizeTasks(program);
  for (auto [index, task] : llvm::enumerate(program.tasks)) {
    json::Object object = taskJSON(hw::registers(program.generation), task);
    const ::ane::sim::TaskSummary &summary = summaries[index];
    if (summary.status.ok()) {
      object["unit"] = summary.unit;
      object["op"] = summary.op;
    } else {
      absl::string_view message = summary.status.message();
      object["notUnderstood"] = text({message.data(), message.size()});
    }
    if (json::Array sources = names.toJSON(index); !sources.empty())
      object["sources"] = std::move(sources);
    tasks.push_back(std::move(object));
  }
  std::string digest = llvm::toHex(
      llvm::SHA256::hash(ArrayRef(constants.data(), constants.size())),
      /*LowerCase=*/true);
  json::Value root = json::Object{
      {"target", hw::info(program.generation).name},
      {"container", containerJSON(container)},
      {"tensors", std::move(tensors)},
      {"constants",
       json::Object{{"size", int64_t(constants.size())}, {"sha256", digest}}},
      {"tasks", std::move(tasks)}};
  os << root << '\n';
}
