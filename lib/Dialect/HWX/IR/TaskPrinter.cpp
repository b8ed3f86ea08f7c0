//===- TaskPrinter.cpp - Text of headers and records, printing ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskSyntax.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

/// Lines are broken before they become longer than this.
static constexpr size_t kColumns = 96;

/// Prints `{a, b, c}`, broken into lines that continue deeper.
static void printList(OpAsmPrinter &printer, ArrayRef<std::string> items) {
  size_t column = 24;
  printer << '{';
  printer.increaseIndent();
  for (size_t i = 0; i < items.size(); ++i) {
    if (i) {
      printer << ',';
      if (column + items[i].size() > kColumns) {
        printer.printNewline();
        column = 8;
      } else {
        printer << ' ';
      }
    }
    printer << items[i];
    column += items[i].size() + 2;
  }
  printer.decreaseIndent();
  printer << '}';
}

static void printRaw(OpAsmPrinter &printer, ArrayRef<std::string> raw) {
  if (raw.empty())
    return;
  printer << " raw ";
  printList(printer, raw);
}

static std::string fieldText(const FieldText &field) {
  std::string value = fieldValueText(field);
  // A flag needs no value.
  if (field.field->width() == 1 && value == "1")
    return field.field->name;
  return (Twine(field.field->name) + " = " + value).str();
}

static std::string fieldsText(const WordText &word) {
  // A register that is one field is its value, also where that is zero.
  if (word.reg->fields.size() == 1) {
    const hw::Field &field = word.reg->fields.front();
    return fieldValueText(word.fields.empty()
                              ? FieldText{&field, decodeField(field, 0)}
                              : word.fields.front());
  }
  return "{" + llvm::join(llvm::map_range(word.fields, fieldText), ", ") + "}";
}

namespace {

/// Makes the text of the words of a record in a block: items for registers with
/// a field that is not zero, raw entries for bits without a name. A scattered
/// record also has its zeros, since the text says what it writes.
class RecordText {
public:
  RecordText(const hw::RegisterMap &map, const hw::Block &block,
             const hw::Record &record)
      : block(block), record(record),
        isScattered(record.kind == hw::RecordKind::Scatter) {
    for (auto [i, word] : llvm::enumerate(record.words))
      words.push_back(describeWord(map.registerAt(record.addressOf(i)), word));
  }

  void build() {
    for (size_t i = 0; i < words.size(); i = add(i))
      ;
  }

  SmallVector<std::string> items, raw;

private:
  size_t add(size_t i);
  bool isItem(size_t i) const {
    const WordText &word = words[i];
    return !word.fields.empty() || (isScattered && word.reg && !word.raw);
  }
  void addRaw(size_t i) {
    if (words[i].raw || (isScattered && !words[i].reg))
      raw.push_back(hexText(record.addressOf(i) - block.base) + " = " +
                    hexText(words[i].raw));
  }

  const hw::Block &block;
  const hw::Record &record;
  const bool isScattered;
  SmallVector<WordText> words;
};

} // namespace

/// Adds word `i` and those of an array after it with equal fields; returns the
/// index of the next.
size_t RecordText::add(size_t i) {
  const WordText &word = words[i];
  addRaw(i);
  if (!isItem(i))
    return i + 1;
  const std::string value = fieldsText(word);
  std::string name = word.reg->name;
  size_t next = i + 1;
  if (word.reg->index >= 0) {
    int16_t last = word.reg->index;
    for (; next < words.size() && isItem(next); ++next) {
      const hw::Register *reg = words[next].reg;
      if (StringRef(reg->name) != word.reg->name || reg->index != last + 1 ||
          fieldsText(words[next]) != value)
        break;
      last = reg->index;
      addRaw(next);
    }
    name += "[" + llvm::itostr(word.reg->index);
    if (last != word.reg->index)
      name += " to " + llvm::itostr(last);
    name += "]";
  }
  items.push_back(name + " = " + value);
  return next;
}

void mlir::ane::hwx::printHeader(OpAsmPrinter &printer,
                                 const hw::RegisterMap &map,
                                 ArrayRef<int32_t> words) {
  SmallVector<std::string> items, raw;
  for (size_t i = 0; i < words.size(); ++i) {
    const WordText word = describeWord(map.headerWord(i), words[i]);
    for (const FieldText &field : word.fields)
      items.push_back(fieldText(field));
    if (word.raw)
      raw.push_back(hexText(4 * i) + " = " + hexText(word.raw));
  }
  if (words.size() != hw::info(map.generation).headerWords)
    printer << "words " << words.size() << ' ';
  printList(printer, items);
  printRaw(printer, raw);
}

/// Prints what the first word of a dense record has besides address and count.
static void printKind(OpAsmPrinter &printer, const hw::Record &record) {
  if (record.base)
    printer << " base " << unsigned(*record.base);
  if (record.unknown)
    printer << " unknown " << hexText(record.unknown);
}

static void printUnnamedRecord(OpAsmPrinter &printer,
                               const hw::Record &record) {
  const bool isScattered = record.kind == hw::RecordKind::Scatter;
  SmallVector<std::string> raw;
  for (auto [i, word] : llvm::enumerate(record.words))
    if (word || isScattered)
      raw.push_back(hexText(record.addressOf(i) - record.address) + " = " +
                    hexText(word));
  printer << "at " << hexText(record.address);
  if (isScattered)
    printer << " scatter";
  else
    printer << " words " << record.words.size();
  printKind(printer, record);
  printRaw(printer, raw);
}

static void printRecord(OpAsmPrinter &printer, const hw::RegisterMap &map,
                        const hw::Record &record) {
  const hw::Block *block = blockOfRecord(map, record);
  if (!block)
    return printUnnamedRecord(printer, record);
  RecordText text(map, *block, record);
  text.build();
  const uint32_t first = (record.address - block->base) / 4;
  printer << block->name;
  if (record.kind == hw::RecordKind::Scatter)
    printer << " scatter";
  else if (record.words.size() != block->words)
    printer << '[' << first << " to " << first + record.words.size() - 1 << ']';
  printKind(printer, record);
  printer << ' ';
  printList(printer, text.items);
  printRaw(printer, text.raw);
}

void mlir::ane::hwx::printRecords(OpAsmPrinter &printer,
                                  const hw::RegisterMap &map,
                                  ArrayAttr records) {
  printer << '[';
  printer.increaseIndent();
  llvm::interleave(
      records.getAsRange<RecordAttr>(),
      [&](RecordAttr record) {
        printer.printNewline();
        printRecord(printer, map, record.record());
      },
      [&] { printer << ','; });
  printer.decreaseIndent();
  if (!records.empty())
    printer.printNewline();
  printer << ']';
}
