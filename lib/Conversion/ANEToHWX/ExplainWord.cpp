//===- ExplainWord.cpp - Why a word of a program is what it is ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three sources, none of them written for this: the word itself, the map of
// registers (what a field means and where that is known from), and the rules
// that the encoder executes (EncoderRules.h). A file has no names of
// operations; which compute op a task is can be told from its registers only,
// and rules of other ops are left out.
//
// The encoder fills registers of H13: the rules of a field of another
// generation are those of its counterpart. Where tasks leave registers out,
// what is explained is the reset value.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/ANEToHWX/ExplainWord.h"

#include "EncoderRules.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/HW/H13.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir;
using namespace mlir::ane;
namespace hw = ::ane::hw;
using llvm::StringRef;

namespace {

/// A word that is asked for.
struct Place {
  bool inHeader = false;
  uint32_t address = 0; ///< or the index in the header
  std::optional<size_t> task;
};

class Explainer {
public:
  Explainer(Location loc, const hw::Container &container, raw_ostream &os)
      : loc(loc), program(container.program),
        map(hw::registers(container.program.generation)), os(os) {
    rules = getEncoderRules();
    hw::Signature signature = hw::signatureOf(container);
    isOurs = signature.ident.empty();
  }

  LogicalResult run(StringRef where);

private:
  LogicalResult parse(StringRef where, Place &place) const;
  const hw::Register *findByName(StringRef name, bool &inHeader) const;
  std::optional<uint32_t> wordOf(const hw::Task &task,
                                 const Place &place) const;
  std::optional<uint32_t> resetOf(const Place &place) const;
  std::string valueOf(const hw::Task &task, StringRef name,
                      StringRef part) const;
  std::string kindOf(const hw::Task &task) const;
  SmallVector<StringRef> opsOf(const hw::Task &task) const;
  void explain(size_t index, const Place &place, uint32_t word);
  std::string explainPair(StringRef path);
  void explainField(StringRef path, const hw::Field &field, uint32_t word);

  Location loc;
  const hw::Program &program;
  const hw::RegisterMap &map;
  raw_ostream &os;
  std::vector<EncoderRule> rules;
  SmallVector<StringRef> ops; ///< that the task at hand may be
  bool isOurs = false;
  bool isLeftOut = false; ///< the task at hand does not write the register
};

} // namespace

/// Whether `name` is a register, or one of its fields as the dump for programs
/// prints it: Common.Cfg, Common.Cfg.TaskType, Header.NextSize.
static bool isNameOf(StringRef name, const hw::Block &block,
                     const hw::Register &reg) {
  std::string path =
      block.isHeader ? "Header" : block.name + ("." + hw::displayName(reg));
  if (!name.consume_front(block.isHeader && !name.starts_with("Header.")
                              ? StringRef(block.name)
                              : StringRef(path)))
    return false;
  if (block.isHeader && name == "." + hw::displayName(reg))
    return true;
  return (name.empty() && !block.isHeader) ||
         (name.consume_front(".") &&
          llvm::any_of(reg.fields, [&](const hw::Field &field) {
            return name == field.name;
          }));
}

const hw::Register *Explainer::findByName(StringRef name,
                                          bool &inHeader) const {
  for (const hw::Block &block : map.blocks())
    for (const hw::Register &reg : block.registers)
      if (isNameOf(name, block, reg)) {
        inHeader = block.isHeader;
        return &reg;
      }
  return nullptr;
}

LogicalResult Explainer::parse(StringRef where, Place &place) const {
  auto [address, task] = where.rsplit(':');
  size_t index;
  if (where.contains(':')) {
    if (task.getAsInteger(10, index))
      return emitError(loc) << "'" << task
                            << "' is no number of a task, expected "
                               "ADDRESS:TASK, as in 13800:0";
    if (index >= program.tasks.size())
      return emitError(loc) << "there is no task " << index
                            << ": the program has " << program.tasks.size();
    place.task = index;
  }
  StringRef rest = address;
  if (const hw::Register *reg = findByName(address, place.inHeader)) {
    place.address = reg->address;
    return success();
  }
  if (rest.consume_front_insensitive("header")) {
    place.inHeader = true;
    if (!rest.trim(" []").getAsInteger(10, place.address))
      return success();
  } else {
    rest.consume_front("0x");
    if (!rest.getAsInteger(16, place.address) && place.address % 4 == 0)
      return success();
  }
  return emitError(loc)
         << "'" << address
         << "' is no place of a word, expected the address of a register (a "
            "multiple of 4 in hexadecimal, as 13800), 'header' and a number, "
            "or a name of a register or field, as Common.Cfg or "
            "Common.Cfg.TaskType";
}

std::optional<uint32_t> Explainer::wordOf(const hw::Task &task,
                                          const Place &place) const {
  if (place.inHeader)
    return place.address < task.header.size()
               ? std::optional<uint32_t>(task.header[place.address])
               : std::nullopt;
  for (const hw::Record &record : task.records)
    if (std::optional<size_t> index = record.indexOf(place.address))
      return record.words[*index];
  return std::nullopt;
}

/// The word of a register that a task leaves out; on H13 that is left from an
/// earlier task.
std::optional<uint32_t> Explainer::resetOf(const Place &place) const {
  const hw::Register *reg =
      place.inHeader ? nullptr : map.registerAt(place.address);
  if (map.pairs().empty() || !reg)
    return std::nullopt;
  return reg->reset;
}

/// A field of a task as text; "?" where the task has no such word.
std::string Explainer::valueOf(const hw::Task &task, StringRef name,
                               StringRef part) const {
  bool inHeader = false;
  const hw::Register *reg = findByName(name, inHeader);
  std::optional<uint32_t> word =
      reg ? wordOf(task, {inHeader, reg->address, std::nullopt}) : std::nullopt;
  if (reg && !word)
    word = resetOf({inHeader, reg->address, std::nullopt});
  if (word)
    for (const hw::Field &field : reg->fields)
      if (part == field.name)
        return hwx::fieldValueText({&field, hw::decodeField(field, *word)});
  return "?";
}

/// The compute ops that the registers of a task can stand for.
SmallVector<StringRef> Explainer::opsOf(const hw::Task &task) const {
  std::string type = valueOf(task, "Common.Cfg", "TaskType");
  if (type != "NE")
    return llvm::StringSwitch<SmallVector<StringRef>>(type)
        .Case("PEUnary", {"PeUnaryOp", "PeInterleaveOp"})
        .Case("PEElementwise", {"PeElementwiseOp"})
        .Cases({"PEReduction", "PEElementwiseReduction"}, {"PeReduceOp"})
        .Case("PEScaleBias", {"PeNormalizeOp"})
        .Default({});
  // Without coefficients, a convolution adds a number or sums channels.
  std::string mode = valueOf(task, "NE.MACCfg", "OpMode");
  bool hasKernel = valueOf(task, "NE.MACCfg", "KernelMode") == "0";
  return llvm::StringSwitch<SmallVector<StringRef>>(mode)
      .Case("Conv", hasKernel
                        ? SmallVector<StringRef>{"NeConvOp"}
                        : SmallVector<StringRef>{"NeBypassOp", "NeReduceOp"})
      .Case("ElementMultiply", {"NeProductOp"})
      .Case("ChannelMax", {"NeReduceOp"})
      .Case("Bypass", {"NeBypassOp"})
      .Default({});
}

/// Which operation a task is, as far as its registers tell.
std::string Explainer::kindOf(const hw::Task &task) const {
  std::string type = valueOf(task, "Common.Cfg", "TaskType");
  StringRef engine = type == "NE" ? "NE.MACCfg" : "PE.Cfg";
  SmallVector<std::string> names;
  for (StringRef op : ops)
    names.push_back("ane." + llvm::convertToSnakeFromCamelCase(
                                 op.drop_back(StringRef("Op").size())));
  return type + " task, " + engine.str() +
         ".OpMode = " + valueOf(task, engine, "OpMode") +
         (ops.empty() ? "" : ", " + llvm::join(names, " or "));
}

static StringRef confidenceText(hw::Confidence confidence) {
  switch (confidence) {
  case hw::Confidence::Seen:
    return "seen";
  case hw::Confidence::Deduced:
    return "deduced";
  case hw::Confidence::Guess:
    return "guess";
  case hw::Confidence::Unknown:
    return "unknown";
  }
  return "unknown";
}

/// A path without indices of arrays and header words, as rules have it.
static std::string withoutIndex(StringRef path) {
  auto [front, back] = path.split('[');
  return (front + back.drop_front(std::min(back.find(']') + 1, back.size())))
      .str();
}

/// Says what a field is on H13. Returns the path by which rules are found,
/// empty where no rule has it.
std::string Explainer::explainPair(StringRef path) {
  if (map.pairs().empty())
    return withoutIndex(path);
  for (const hw::FieldPair &pair : map.pairs()) {
    if (path != pair.field.path)
      continue;
    if (pair.kind == hw::FieldPair::NoEffect)
      os << "    no value of it changes a result\n";
    else if (pair.kind == hw::FieldPair::None)
      os << "    H13 has nothing like it\n";
    else if (path != pair.h13.path)
      os << "    on H13: " << pair.h13.path << "\n";
    return pair.kind == hw::FieldPair::Same ? withoutIndex(pair.h13.path) : "";
  }
  return "";
}

void Explainer::explainField(StringRef fieldPath, const hw::Field &field,
                             uint32_t word) {
  os << "  " << field.name << " = "
     << hwx::fieldValueText({&field, hw::decodeField(field, word)});
  if (*field.meaning)
    os << ": " << field.meaning;
  os << "\n    place and meaning are known from: " << field.provenance << " ("
     << confidenceText(field.confidence) << ")\n";
  std::string path = explainPair(fieldPath);
  bool known = false;
  for (const EncoderRule &rule : rules) {
    // Of another compute op, or of the other engine.
    bool isOther = !rule.op.empty() && !ops.empty() &&
                   llvm::none_of(ops, [&](StringRef op) {
                     return op == rule.op ||
                            (rule.op.size() == 2 && op.starts_with(rule.op));
                   });
    if (rule.field != path || isOther)
      continue;
    known = true;
    os << "    rule: " << rule.formula << "\n      in " << rule.function << ", "
       << rule.file << ":" << rule.line << "\n";
    for (const std::string &definition : rule.definitions)
      os << "      where: " << definition << "\n";
    for (const std::string &condition : rule.conditions)
      os << "      under: " << condition << "\n";
    if (!rule.evidence.empty())
      os << "      why: " << rule.evidence << "\n";
  }
  if (!known && !path.empty())
    os << (isLeftOut             ? "    rule: none, the reset value stays\n"
           : word & field.mask() ? "    rule: none is found in the encoder\n"
                                 : "    rule: none, the encoder leaves it 0\n");
}

void Explainer::explain(size_t index, const Place &place, uint32_t word) {
  const hw::Register *reg = place.inHeader ? map.headerWord(place.address)
                                           : map.registerAt(place.address);
  const hw::Block *block =
      place.inHeader ? map.block("Header") : map.blockAt(place.address);
  std::string name = !reg ? ""
                     : place.inHeader
                         ? hw::displayName(*reg)
                         : block->name + ("." + hw::displayName(*reg));
  ops = opsOf(program.tasks[index]);
  isLeftOut = !wordOf(program.tasks[index], place);
  os << "task " << index << " (" << kindOf(program.tasks[index]) << "), "
     << (place.inHeader ? "header " + std::to_string(place.address)
                        : "register " + hwx::hexText(place.address))
     << (name.empty() ? "" : ", " + name) << " = "
     << llvm::utohexstr(word, /*LowerCase=*/true, 8)
     << (isLeftOut ? ", its reset value: the task leaves it out\n" : "\n");
  if (!reg) {
    os << "  no name is known for this word"
       << (word ? "" : "; it is 0 in all programs of ours") << "\n";
    return;
  }
  // A field of an array is set by a function of its index; the header has
  // fields alone.
  for (const hw::Field &field : reg->fields)
    explainField(hw::fieldPath(*block, *reg, field), field, word);
  if (uint32_t rest = word & ~reg->knownMask)
    os << "  bits " << hwx::hexText(rest) << " have no name\n";
}

LogicalResult Explainer::run(StringRef where) {
  Place place;
  if (failed(parse(where, place)))
    return failure();
  if (!isOurs)
    os << "the file says that another compiler made it; the rules are those of "
          "this one\n";
  bool found = false;
  for (size_t index = 0; index < program.tasks.size(); ++index) {
    if (place.task && *place.task != index)
      continue;
    std::optional<uint32_t> word = wordOf(program.tasks[index], place);
    if (!word)
      word = resetOf(place);
    if (word) {
      explain(index, place, *word);
      found = true;
    }
  }
  if (!found)
    return emitError(loc) << (place.task ? "task " + Twine(*place.task)
                                         : Twine("no task"))
                          << (place.task ? " does not write " : " writes ")
                          << (place.inHeader
                                  ? "header " + std::to_string(place.address)
                                  : "register " + hwx::hexText(place.address));
  return success();
}

LogicalResult mlir::ane::explainWord(Location loc,
                                     const hw::Container &container,
                                     StringRef where, raw_ostream &os) {
  return Explainer(loc, container, os).run(where);
}
