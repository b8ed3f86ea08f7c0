//===- DiffPrograms.cpp - What differs between two programs ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two files by what their bytes mean: the container item by item,
// tensors by position, tasks field by field, constants as weights. Tasks are
// paired by position where both programs have as many; else by a longest common
// subsequence of what they compute, so that an inserted task is one difference
// and not a hundred. Fields are paired by name, so that programs of two
// generations compare, too. What differs and has no name (bytes between the
// parts) is counted, so that "no difference" means the same bytes.
//
//===----------------------------------------------------------------------===//

#include "ane/Target/HWX/DiffPrograms.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"
#include "ane/HW/Float16.h"
#include "ane/Simulator/TaskReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir::ane::hwx;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;
using llvm::Twine;
namespace hw = ::ane::hw;
namespace sim = ::ane::sim;
namespace json = llvm::json;

static constexpr StringRef kMissing = "not written";
/// The load command with the text of the compiler.
static constexpr uint32_t kIdent = 0x8;

//===----------------------------------------------------------------------===//
// Container, tensors
//===----------------------------------------------------------------------===//

namespace {

/// Compares two lists of named items.
class ItemDiff {
public:
  explicit ItemDiff(std::vector<FieldDifference> &out) : out(out) {}

  void compare(const Twine &name, const Twine &a, const Twine &b,
               StringRef meaning = "") {
    std::string left = a.str(), right = b.str();
    if (left != right)
      out.push_back(
          {name.str(), "", std::move(left), std::move(right), meaning.str()});
  }
  void compareHex(const Twine &name, uint64_t a, uint64_t b,
                  StringRef meaning = "") {
    compare(name, hexText(a), hexText(b), meaning);
  }

private:
  std::vector<FieldDifference> &out;
};

} // namespace

/// Calls `visit(index, item of a or null, item of b or null)`.
template <typename T, typename Visit>
static void zipLongest(ArrayRef<T> a, ArrayRef<T> b, Visit visit) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    visit(i, i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
}

/// "12 of 96 bytes differ, the first at byte 0x1c"; empty where none does.
static std::string describeBytes(absl::Span<const uint8_t> a,
                                 absl::Span<const uint8_t> b) {
  size_t common = std::min(a.size(), b.size()), count = 0, first = common;
  for (size_t i = 0; i < common; ++i)
    if (a[i] != b[i] && ++count == 1)
      first = i;
  count += std::max(a.size(), b.size()) - common;
  if (!count)
    return "";
  return llvm::formatv("{0} of {1} bytes differ, the first at byte {2}", count,
                       std::max(a.size(), b.size()), hexText(first));
}

static std::string sectionText(const hw::Section &section) {
  return llvm::formatv("{0} bytes at {1}, file {2}, {3} relocations",
                       section.size, hexText(section.address),
                       hexText(section.fileOffset), section.relocations.size());
}

static bool sameRelocations(const hw::Section &a, const hw::Section &b) {
  return llvm::equal(a.relocations, b.relocations,
                     [](const hw::Relocation &x, const hw::Relocation &y) {
                       return x.address == y.address && x.info == y.info;
                     });
}

static void diffSegments(const hw::Container &a, const hw::Container &b,
                         ItemDiff &diff) {
  zipLongest<hw::Segment>(
      a.segments, b.segments,
      [&](size_t i, const hw::Segment *x, const hw::Segment *y) {
        auto text = [](const hw::Segment *s) {
          return s ? llvm::formatv("{0} at {1} for {2}, file {3} for {4}",
                                   s->name, hexText(s->vmAddress),
                                   hexText(s->vmSize), hexText(s->fileOffset),
                                   hexText(s->fileSize))
                         .str()
                   : std::string("none");
        };
        std::string name = ("segment " + Twine(i)).str();
        diff.compare(name, text(x), text(y));
        if (!x || !y)
          return;
        zipLongest<hw::Section>(
            x->sections, y->sections,
            [&](size_t, const hw::Section *p, const hw::Section *q) {
              std::string place = name + ", section " + (p ? p->name : q->name);
              diff.compare(place, p ? sectionText(*p) : "none",
                           q ? sectionText(*q) : "none");
              if (p && q && p->relocations.size() == q->relocations.size() &&
                  !sameRelocations(*p, *q))
                diff.compare(place + ", relocations", "those of a",
                             "those of b",
                             "the words of the text that hold addresses");
            });
      });
}

/// Symbols are paired by name: a symbol more would move all others.
static void diffSymbols(const hw::Container &a, const hw::Container &b,
                        ItemDiff &diff) {
  auto textsOf = [](const hw::Container &container) {
    llvm::StringMap<std::string> texts;
    for (const hw::Symbol &symbol : container.symbols)
      texts[symbol.name] =
          llvm::formatv("{0}, section {1}, type {2}", hexText(symbol.value),
                        unsigned(symbol.section), hexText(symbol.type));
    return texts;
  };
  llvm::StringMap<std::string> left = textsOf(a), right = textsOf(b);
  for (const hw::Symbol &symbol : a.symbols) {
    auto it = right.find(symbol.name);
    diff.compare("symbol " + symbol.name, left[symbol.name],
                 it == right.end() ? "none" : it->second);
  }
  for (const hw::Symbol &symbol : b.symbols)
    if (!left.contains(symbol.name))
      diff.compare("symbol " + symbol.name, "none", right[symbol.name]);
}

static void diffContainers(const hw::Container &a, const hw::Container &b,
                           std::vector<FieldDifference> &out) {
  static constexpr StringRef headerNames[] = {
      "magic",     "CPU type",      "CPU subtype",
      "file type", "load commands", "bytes of load commands",
      "flags",     "reserved word"};
  ItemDiff diff(out);
  diff.compare("generation", hw::info(a.program.generation).name,
               hw::info(b.program.generation).name);
  diff.compare("name", a.program.name, b.program.name);
  for (auto [name, x, y] : llvm::zip(headerNames, a.header, b.header))
    diff.compareHex("header, " + name, x, y);
  diff.compare("compiler", hw::identOf(a), hw::identOf(b),
               "the text with which a compiler identifies itself");
  diff.compare("bytes of the file", Twine(a.fileSize), Twine(b.fileSize));
  diff.compare("bytes of text", Twine(a.program.textBytes),
               Twine(b.program.textBytes));
  diff.compare("bytes of scratch", Twine(a.program.scratchBytes),
               Twine(b.program.scratchBytes), "memory between tasks, in DRAM");
  diffSegments(a, b, diff);
  zipLongest<hw::LoadCommand>(
      a.commands, b.commands,
      [&](size_t i, const hw::LoadCommand *x, const hw::LoadCommand *y) {
        auto text = [](const hw::LoadCommand *c) {
          return c ? llvm::formatv("{0}, {1} bytes", hexText(c->command),
                                   c->bytes.size())
                         .str()
                   : std::string("none");
        };
        std::string name = ("load command " + Twine(i)).str();
        diff.compare(name, text(x), text(y));
        // Segments and the ident are compared above.
        if (!x || !y || x->command != y->command || hw::isSegment(*x) ||
            x->command == kIdent)
          return;
        if (std::string bytes = describeBytes(x->bytes, y->bytes);
            !bytes.empty() && x->bytes.size() == y->bytes.size())
          diff.compare(name + ", contents", "", bytes);
      });
  auto libraryText = [](const hw::Library *library) {
    return library ? library->name + " at " + hexText(library->address)
                   : std::string("none");
  };
  zipLongest<hw::Library>(
      hw::librariesOf(a), hw::librariesOf(b),
      [&](size_t i, const hw::Library *x, const hw::Library *y) {
        diff.compare("library " + Twine(i), libraryText(x), libraryText(y),
                     "the surface of a tensor");
      });
  diffSymbols(a, b, diff);
  auto residueText = [](const hw::Residue *residue) {
    return residue ? llvm::formatv("{0} bytes at {1}", residue->bytes.size(),
                                   hexText(residue->fileOffset))
                         .str()
                   : std::string("none");
  };
  zipLongest<hw::Residue>(
      a.residues, b.residues,
      [&](size_t i, const hw::Residue *x, const hw::Residue *y) {
        std::string name = ("residue " + Twine(i)).str();
        diff.compare(name, residueText(x), residueText(y),
                     "bytes that no rule of the format produces");
        if (x && y && x->bytes.size() == y->bytes.size())
          diff.compare(name + ", contents", "",
                       describeBytes(x->bytes, y->bytes));
      });
}

static void diffTensors(const hw::Program &a, const hw::Program &b,
                        std::vector<FieldDifference> &out) {
  ItemDiff diff(out);
  zipLongest<hw::Tensor>(
      a.tensors, b.tensors,
      [&](size_t i, const hw::Tensor *x, const hw::Tensor *y) {
        std::string place = ("tensor " + Twine(i)).str();
        if (!x || !y) {
          diff.compare(place, x ? x->name : "none", y ? y->name : "none");
          return;
        }
        auto kind = [](const hw::Tensor &tensor) {
          return tensor.kind == hw::TensorKind::Input ? "input" : "output";
        };
        auto join = [](const auto &values) {
          std::string text;
          llvm::raw_string_ostream os(text);
          llvm::interleave(values, os, "x");
          return text;
        };
        diff.compare(place + ", name", x->name, y->name);
        place += " (" + x->name + ")";
        diff.compare(place + ", kind", kind(*x), kind(*y));
        diff.compare(place + ", type", hw::elementName(x->type),
                     hw::elementName(y->type));
        diff.compare(place + ", shape", join(x->shape), join(y->shape),
                     "N, C, H, W, D");
        diff.compare(place + ", shape in the network", join(x->denseShape()),
                     join(y->denseShape()));
        diff.compare(place + ", low halves", Twine(x->isLow), Twine(y->isLow));
        diff.compare(place + ", strides", join(x->strides), join(y->strides),
                     "N, C, H, W, D in bytes");
        diff.compare(place + ", base", Twine(x->base), Twine(y->base),
                     "entry of the base-address table");
        diff.compare(place + ", bytes", Twine(x->bytes), Twine(y->bytes));
        diff.compare(place + ", interleave", Twine(x->interleave),
                     Twine(y->interleave));
      });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {

/// A field, or the bits of a word that none covers, of one task.
struct Entry {
  const hw::Field *field; ///< null: bits without a name
  uint32_t value;
  std::string address;
};

/// All of a task, by name, in the order of the stream.
class Entries {
public:
  /// Of two records that write a register, the later one counts.
  void set(std::string name, Entry entry) {
    auto [it, isNew] = places.insert({name, list.size()});
    if (isNew)
      list.push_back({std::move(name), std::move(entry)});
    else
      list[it->second].second = std::move(entry);
  }
  const Entry *find(StringRef name) const {
    auto it = places.find(name);
    return it == places.end() ? nullptr : &list[it->second].second;
  }
  const std::vector<std::pair<std::string, Entry>> &all() const { return list; }

private:
  std::vector<std::pair<std::string, Entry>> list;
  llvm::StringMap<size_t> places;
};

struct Pair {
  std::optional<size_t> a, b;
};

} // namespace

static void addWord(Entries &entries, const hw::Block *block,
                    const hw::Register *reg, uint32_t word,
                    const std::string &address) {
  if (reg && block)
    for (const hw::Field &field : reg->fields)
      entries.set(fieldPath(*block, *reg, field),
                  {&field, decodeField(field, word), address});
  const uint32_t known = reg ? reg->knownMask : 0;
  if (known != ~0u)
    entries.set("bits without a name at " + address,
                {nullptr, word & ~known, address});
}

static Entries entriesOf(const hw::RegisterMap &map, const hw::Task &task) {
  Entries entries;
  const hw::Block *header = nullptr;
  for (const hw::Block &block : map.blocks())
    if (block.isHeader)
      header = &block;
  for (auto [i, word] : llvm::enumerate(task.header))
    addWord(entries, header, map.headerWord(i), word,
            ("header " + Twine(i)).str());
  for (const hw::Record &record : task.records)
    for (auto [i, word] : llvm::enumerate(record.words)) {
      const uint32_t address = record.addressOf(i);
      addWord(entries, map.blockAt(address), map.registerAt(address), word,
              hexText(address));
    }
  return entries;
}

static std::string valueText(const Entry *entry) {
  if (!entry)
    return kMissing.str();
  return entry->field ? fieldValueText({entry->field, entry->value})
                      : hexText(entry->value);
}

/// "dense 62 at 0x800, scattered 3 at 0x0".
static std::string recordsText(const hw::Task &task) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(task.records, os, [&](const hw::Record &record) {
    os << (record.kind == hw::RecordKind::Scatter ? "scattered " : "dense ")
       << record.words.size() << " at " << hexText(record.address);
    if (record.kind == hw::RecordKind::Scatter)
      os << " following " << hexText(record.follow);
    if (record.base)
      os << " base " << unsigned(*record.base);
    if (record.unknown)
      os << " ? " << hexText(record.unknown);
  });
  return text;
}

static void diffTask(const hw::RegisterMap &mapA, const hw::Task &a,
                     const hw::RegisterMap &mapB, const hw::Task &b,
                     std::vector<FieldDifference> &out) {
  ItemDiff diff(out);
  diff.compareHex("place in the text", a.offset, b.offset);
  std::string recordsA = recordsText(a), recordsB = recordsText(b);
  auto wordsOf = [](const hw::Record &record) { return record.words; };
  if (&mapA == &mapB && a.header == b.header && recordsA == recordsB &&
      llvm::equal(llvm::map_range(a.records, wordsOf),
                  llvm::map_range(b.records, wordsOf)))
    return;
  Entries left = entriesOf(mapA, a), right = entriesOf(mapB, b);
  auto add = [&](StringRef path, const Entry *x, const Entry *y) {
    if (x && y && x->value == y->value)
      return;
    // What is 0 and has no name says nothing when it is not written.
    const Entry &any = x ? *x : *y;
    if (!any.field && (!x || !y) && !any.value)
      return;
    out.push_back({path.str(), any.address, valueText(x), valueText(y),
                   any.field ? any.field->meaning : ""});
  };
  for (auto &[path, entry] : left.all())
    add(path, &entry, right.find(path));
  for (auto &[path, entry] : right.all())
    if (!left.find(path))
      add(path, nullptr, &entry);
  diff.compare("records", recordsA, recordsB,
               "which registers the task writes, in which order");
}

/// Pairs tasks: by position, or by what they compute.
static std::vector<Pair> pairTasks(ArrayRef<sim::TaskSummary> a,
                                   ArrayRef<sim::TaskSummary> b) {
  std::vector<Pair> pairs;
  auto same = [&](size_t i, size_t j) {
    return a[i].op == b[j].op && a[i].unit == b[j].unit;
  };
  // The table of the subsequences is a byte and a count for each pair.
  constexpr uint64_t maxCells = 16u << 20;
  if (a.size() == b.size() || uint64_t(a.size()) * b.size() > maxCells) {
    zipLongest<sim::TaskSummary>(a, b, [&](size_t i, auto *x, auto *y) {
      pairs.push_back({x ? std::optional<size_t>(i) : std::nullopt,
                       y ? std::optional<size_t>(i) : std::nullopt});
    });
    return pairs;
  }
  const size_t columns = b.size() + 1;
  std::vector<uint32_t> longest((a.size() + 1) * columns, 0);
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      longest[i * columns + j] = same(i, j)
                                     ? longest[(i + 1) * columns + j + 1] + 1
                                     : std::max(longest[(i + 1) * columns + j],
                                                longest[i * columns + j + 1]);
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size())
    if (same(i, j))
      pairs.push_back({i++, j++});
    else if (longest[(i + 1) * columns + j] >= longest[i * columns + j + 1])
      pairs.push_back({i++, std::nullopt});
    else
      pairs.push_back({std::nullopt, j++});
  while (i < a.size())
    pairs.push_back({i++, std::nullopt});
  while (j < b.size())
    pairs.push_back({std::nullopt, j++});
  return pairs;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void diffHalves(const Twine &name, ArrayRef<uint16_t> a,
                       ArrayRef<uint16_t> b, ItemDiff &diff) {
  if (a.size() != b.size()) {
    diff.compare(name, Twine(a.size()) + " numbers",
                 Twine(b.size()) + " numbers");
    return;
  }
  size_t count = 0;
  double largest = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (x == y)
      continue;
    ++count;
    double distance =
        std::abs(double(hw::fromHalfBits(x)) - hw::fromHalfBits(y));
    largest = std::isnan(distance) ? distance : std::max(largest, distance);
  }
  if (count)
    diff.compare(name, "",
                 llvm::formatv("{0} of {1} numbers differ, by up to {2}", count,
                               a.size(), largest)
                     .str());
}

static void diffWeights(const hw::Program &a, const sim::TaskSummary &x,
                        const hw::Program &b, const sim::TaskSummary &y,
                        std::vector<FieldDifference> &out) {
  if (!x.hasWeights || !y.hasWeights)
    return;
  auto left = x.readWeights(a), right = y.readWeights(b);
  if (!left.ok() || !right.ok())
    return; // Bytes are compared anyway.
  ItemDiff diff(out);
  auto shapeText = [](ArrayRef<uint64_t> shape) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleave(shape, os, "x");
    return text;
  };
  diff.compare("shape of the weights", shapeText(left->shape),
               shapeText(right->shape),
               "output, input channels, rows, columns");
  if (left->shape == right->shape)
    diffHalves("weights", left->weights, right->weights, diff);
  diffHalves("bias", left->bias, right->bias, diff);
  if (std::string table = describeBytes(left->table, right->table);
      !table.empty())
    diff.compare("activation table", "", table);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

ProgramDifference mlir::ane::hwx::diffPrograms(const hw::Container &a,
                                               StringRef bytesA,
                                               const hw::Container &b,
                                               StringRef bytesB) {
  ProgramDifference result;
  result.equal = bytesA == bytesB;
  if (result.equal)
    return result;
  diffContainers(a, b, result.container);
  diffTensors(a.program, b.program, result.tensors);
  result.constants =
      describeBytes(a.program.constantBytes(), b.program.constantBytes());
  auto left = sim::summarizeTasks(a.program),
       right = sim::summarizeTasks(b.program);
  const hw::RegisterMap &mapA = hw::registers(a.program.generation),
                        &mapB = hw::registers(b.program.generation);
  for (const Pair &pair : pairTasks(left, right)) {
    TaskDifference task{pair.a, pair.b, "", {}};
    const sim::TaskSummary &known = pair.a ? left[*pair.a] : right[*pair.b];
    task.op = known.status.ok() ? known.unit + ": " + known.op
                                : std::string("not understood");
    if (pair.a && pair.b) {
      const sim::TaskSummary &x = left[*pair.a], &y = right[*pair.b];
      diffTask(mapA, a.program.tasks[*pair.a], mapB, b.program.tasks[*pair.b],
               task.fields);
      diffWeights(a.program, x, b.program, y, task.fields);
      if (task.fields.empty())
        continue;
    }
    result.tasks.push_back(std::move(task));
  }
  return result;
}

static void printFields(ArrayRef<FieldDifference> fields, raw_ostream &os) {
  auto printable = [](StringRef text) {
    std::string escaped;
    llvm::raw_string_ostream(escaped).write_escaped(text);
    return escaped;
  };
  for (const FieldDifference &field : fields) {
    os << "  " << printable(field.name);
    if (!field.address.empty())
      os << " (" << field.address << ")";
    os << ": ";
    if (!field.a.empty())
      os << printable(field.a) << " -> ";
    os << printable(field.b);
    if (!field.meaning.empty())
      os << "    # " << field.meaning;
    os << '\n';
  }
}

void mlir::ane::hwx::printDifference(const ProgramDifference &difference,
                                     raw_ostream &os) {
  if (difference.equal)
    return;
  if (!difference.container.empty()) {
    os << "container\n";
    printFields(difference.container, os);
  }
  if (!difference.tensors.empty()) {
    os << "tensors\n";
    printFields(difference.tensors, os);
  }
  if (!difference.constants.empty())
    os << "constants: " << difference.constants << '\n';
  for (const TaskDifference &task : difference.tasks) {
    if (!task.a || !task.b)
      os << (task.a ? "only in a: task " : "only in b: task ")
         << (task.a ? *task.a : *task.b);
    else
      os << "task " << *task.a;
    if (task.a && task.b && task.a != task.b)
      os << " of a, task " << *task.b << " of b";
    os << " (" << task.op << ")\n";
    printFields(task.fields, os);
  }
  if (difference.isUnnamed())
    os << "the bytes of the files differ, but nothing that has a name; compare "
          "them with cmp\n";
}

static json::Array fieldsJSON(ArrayRef<FieldDifference> fields) {
  json::Array array;
  for (const FieldDifference &field : fields) {
    json::Object object{{"name", json::fixUTF8(field.name)},
                        {"a", json::fixUTF8(field.a)},
                        {"b", json::fixUTF8(field.b)}};
    if (!field.address.empty())
      object["address"] = field.address;
    if (!field.meaning.empty())
      object["meaning"] = json::fixUTF8(field.meaning);
    array.push_back(std::move(object));
  }
  return array;
}

void mlir::ane::hwx::printDifferenceJSON(const ProgramDifference &difference,
                                         raw_ostream &os) {
  json::Array tasks;
  for (const TaskDifference &task : difference.tasks) {
    json::Object object{{"op", task.op}, {"fields", fieldsJSON(task.fields)}};
    object["a"] = task.a ? json::Value(int64_t(*task.a)) : json::Value(nullptr);
    object["b"] = task.b ? json::Value(int64_t(*task.b)) : json::Value(nullptr);
    tasks.push_back(std::move(object));
  }
  os << json::Value(
            json::Object{{"equal", difference.equal},
                         {"container", fieldsJSON(difference.container)},
                         {"tensors", fieldsJSON(difference.tensors)},
                         {"constants", difference.constants},
                         {"tasks", std::move(tasks)}})
     << '\n';
}
