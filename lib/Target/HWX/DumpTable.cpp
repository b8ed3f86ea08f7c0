//===- DumpTable.cpp - A register program for people ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line for each load command, section, library, symbol, tensor, register
// and thing that is not understood. A register has the place of its word (bytes
// from the start of the text section, whose place in the file is in the list of
// sections), its address, name, word and fields. Registers that are zero
// are left out, unless a scattered record writes them or they have another
// value where nothing writes them; bits without a name are marked with `?`.
//
//===----------------------------------------------------------------------===//

#include "ane/Target/HWX/HWXTranslation.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/Simulator/TaskReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

static StringRef commandName(uint32_t code) {
  switch (code) {
  case 0x2:
    return "SYMTAB";
  case 0x4:
    return "THREAD";
  case 0x6:
    return "LOADFVMLIB";
  case 0x8:
    return "IDENT";
  case 0x19:
    return "SEGMENT_64";
  case 0x31:
    return "NOTE";
  case 0x40:
    return "LOADFVMLIB";
  default:
    return "?";
  }
}

/// Names come from a file; control characters would garble the table.
static std::string printable(StringRef name) {
  std::string text;
  llvm::raw_string_ostream(text).write_escaped(name);
  return text;
}

static void dumpCommands(const hw::Container &container, raw_ostream &os) {
  if (container.commands.empty())
    return; // An .anec file has none.
  os << "load commands\n";
  // After a line for the format, one has the compiler.
  std::string text = hw::identOf(container);
  StringRef compiler = StringRef(text).split('\n').second.split('\n').first;
  uint64_t offset = 32;
  size_t segment = 0;
  for (auto [i, command] : llvm::enumerate(container.commands)) {
    os << llvm::formatv("  {0,2} at {1,-6} {2,-10} {3,5} bytes", i,
                        hexText(offset), commandName(command.command),
                        command.bytes.size());
    if (hw::isSegment(command)) {
      const hw::Segment &s = container.segments[segment++];
      os << llvm::formatv("  {0} at {1} for {2}, file {3} for {4}",
                          printable(s.name), hexText(s.vmAddress),
                          hexText(s.vmSize), hexText(s.fileOffset),
                          hexText(s.fileSize));
    }
    if (command.command == 0x8)
      os << "  " << printable(compiler);
    os << '\n';
    offset += command.bytes.size();
  }
  for (const hw::Segment &s : container.segments)
    for (const hw::Section &section : s.sections)
      os << llvm::formatv("  section {0}.{1} at {2} for {3}, file {4}",
                          printable(s.name), printable(section.name),
                          hexText(section.address), hexText(section.size),
                          hexText(section.fileOffset))
         << (section.relocations.empty()
                 ? std::string()
                 : llvm::formatv(", {0} relocations",
                                 section.relocations.size())
                       .str())
         << '\n';
  for (const hw::Library &library : hw::librariesOf(container))
    os << "  library " << printable(library.name) << " at "
       << hexText(library.address) << '\n';
  if (!container.symbols.empty())
    os << container.symbols.size() << " symbols\n";
  for (const hw::Symbol &symbol : container.symbols)
    os << llvm::formatv("  symbol {0,-10} section {1,-3} type {2,-4} {3}\n",
                        hexText(symbol.value), unsigned(symbol.section),
                        hexText(symbol.type), printable(symbol.name));
  for (const hw::Residue &residue : container.residues)
    os << "residue: " << residue.bytes.size() << " bytes at "
       << hexText(residue.fileOffset) << '\n';
}

static void dumpTensors(const hw::Program &program, raw_ostream &os) {
  os << "tensors\n";
  for (const hw::Tensor &tensor : program.tensors) {
    const bool input = tensor.kind == hw::TensorKind::Input;
    os << llvm::formatv("  {0,-6} {1,-16} base {2}  {3} ",
                        input ? "input" : "output", printable(tensor.name),
                        tensor.base, hw::elementName(tensor.type));
    llvm::interleave(tensor.shape, os, "x");
    if (tensor.networkShape) {
      os << " (in the network ";
      llvm::interleave(*tensor.networkShape, os, "x");
      os << (tensor.networkShape->empty() ? "a scalar)" : ")");
    }
    if (tensor.isLow)
      os << " (low halves of the input before it)";
    os << "  strides ";
    llvm::interleave(tensor.strides, os, " ");
    os << "  " << tensor.bytes << " bytes\n";
  }
}

/// A line for a word that says something; `place` is where it stands in the
/// text section, `address` where it goes.
static void dumpWord(const hw::Register *reg, uint64_t place, StringRef address,
                     StringRef name, uint32_t value, raw_ostream &os,
                     bool zeroCounts = false) {
  if (!value && !zeroCounts && !(reg && reg->reset))
    return;
  WordText word = describeWord(reg, value);
  os << llvm::formatv("    {0,-8} {1,-7} {2,-26} {3}  ", hexText(place),
                      address, name,
                      llvm::utohexstr(value, /*LowerCase=*/true, 8));
  llvm::interleaveComma(word.fields, os, [&](const FieldText &field) {
    os << field.field->name << " = " << fieldValueText(field);
  });
  if (word.raw)
    os << (word.fields.empty() ? "? " : ", ? ") << hexText(word.raw);
  os << '\n';
}

/// What the task is: "NE, conv 3x3, relu, from net.mlir:12:8 (conv1)".
static void dumpSummary(const ::ane::sim::TaskSummary &summary,
                        StringRef source, raw_ostream &os) {
  if (summary.status.ok()) {
    os << "  " << summary.unit << ": " << summary.op << '\n';
  } else {
    absl::string_view message = summary.status.message();
    os << "  not understood: "
       << printable(StringRef(message.data(), message.size())) << '\n';
  }
  if (!source.empty())
    os << "  from " << printable(source) << '\n';
}

static void dumpTask(const hw::RegisterMap &map, const hw::Task &task,
                     size_t index, const ::ane::sim::TaskSummary &summary,
                     StringRef source, raw_ostream &os) {
  os << llvm::formatv("task {0} at {1}, {2} bytes\n", index,
                      hexText(task.offset), task.byteSize());
  dumpSummary(summary, source, os);
  os << "  header, " << task.header.size() << " words\n";
  uint64_t place = task.offset;
  for (auto [i, value] : llvm::enumerate(task.header)) {
    dumpWord(map.headerWord(i), place, "-", ("word " + Twine(i)).str(), value,
             os);
    place += 4;
  }
  for (const hw::Record &record : task.records) {
    const hw::Block *block = map.blockAt(record.address);
    os << llvm::formatv("  {0}, {1} words at {2}",
                        block ? block->name : "unknown block",
                        record.words.size(), hexText(record.address));
    if (record.kind == hw::RecordKind::Scatter)
      os << ", scattered";
    if (record.base)
      os << ", base " << unsigned(*record.base) << " is added";
    if (record.unknown)
      os << ", ? " << hexText(record.unknown);
    os << '\n';
    place += 4; // the word that says what the record writes
    for (auto [i, value] : llvm::enumerate(record.words)) {
      const uint32_t address = record.addressOf(i);
      const hw::Register *reg = map.registerAt(address);
      dumpWord(reg, place, llvm::utohexstr(address, /*LowerCase=*/true),
               reg ? displayName(*reg) : hexText(address), value, os,
               record.kind == hw::RecordKind::Scatter);
      place += 4;
    }
  }
}

void mlir::ane::hwx::dumpTable(const hw::Container &container,
                               const TaskNames &names, raw_ostream &os) {
  const hw::Program &program = container.program;
  os << llvm::formatv("{0} program '{1}': {2} tasks, {3} bytes of text, {4} of "
                      "constants, {5} of scratch, {6} in the file\n",
                      hw::info(program.generation).name,
                      printable(program.name), program.tasks.size(),
                      program.textBytes, program.constantBytes().size(),
                      program.scratchBytes, container.fileSize);
  for (const hw::Note &note : container.notes)
    os << "not understood: " << note.text << '\n';
  dumpCommands(container, os);
  dumpTensors(program, os);
  std::vector<::ane::sim::TaskSummary> summaries =
      ::ane::sim::summarizeTasks(program);
  for (auto [index, task] : llvm::enumerate(program.tasks))
    dumpTask(hw::registers(program.generation), task, index, summaries[index],
             names.text(index), os);
}
