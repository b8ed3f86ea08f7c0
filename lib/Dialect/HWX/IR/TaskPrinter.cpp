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
  // A register that is one field is its value.
  if (word.reg->fields.size() == 1)
    return fieldValueText(word.fields.front());
  return "{" + llvm::join(llvm::map_range(word.fields, fieldText), ", ") + "}";
}

/// The text of `words` from byte `first` of `block` on: items for registers
/// with a field that is not zero, raw entries for bits without a name.
static void registerItems(const hw::RegisterMap &map, const hw::Block &block,
                          uint32_t first, ArrayRef<uint32_t> words,
                          SmallVectorImpl<std::string> &items,
                          SmallVectorImpl<std::string> &raw) {
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t offset = first + 4 * i;
    const WordText word =
        describeWord(map.registerAt(block.base + offset), words[i]);
    if (word.raw)
      raw.push_back(hexText(offset) + " = " + hexText(word.raw));
    if (word.fields.empty())
      continue;
    const std::string value = fieldsText(word);
    std::string name = word.reg->name;
    if (word.reg->index >= 0) {
      // Neighbours in an array with equal fields become one item.
      int16_t last = word.reg->index;
      for (size_t j = i + 1; j < words.size(); ++j) {
        const WordText next =
            describeWord(map.registerAt(block.base + first + 4 * j), words[j]);
        if (!next.reg || StringRef(next.reg->name) != word.reg->name ||
            next.reg->index != last + 1 || next.fields.empty() ||
            fieldsText(next) != value)
          break;
        last = next.reg->index;
        if (next.raw)
          raw.push_back(hexText(first + 4 * j) + " = " + hexText(next.raw));
        i = j;
      }
      name += "[" + llvm::itostr(word.reg->index);
      if (last != word.reg->index)
        name += " to " + llvm::itostr(last);
      name += "]";
    }
    items.push_back(name + " = " + value);
  }
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
  if (words.size() != 10)
    printer << "words " << words.size() << ' ';
  printList(printer, items);
  printRaw(printer, raw);
}

static void printRecord(OpAsmPrinter &printer, const hw::RegisterMap &map,
                        RecordAttr record) {
  ArrayRef<uint32_t> words = record.getWords();
  SmallVector<std::string> items, raw;
  const hw::Block *block =
      blockOfRecord(map, record.getAddress(), words.size());
  if (!block) {
    for (size_t i = 0; i < words.size(); ++i)
      if (words[i])
        raw.push_back(hexText(4 * i) + " = " + hexText(words[i]));
    printer << "at " << hexText(record.getAddress()) << " words "
            << words.size();
    return printRaw(printer, raw);
  }
  const uint32_t first = record.getAddress() - block->base;
  registerItems(map, *block, first, words, items, raw);
  printer << block->name;
  if (words.size() != block->words)
    printer << '[' << first / 4 << " to " << first / 4 + words.size() - 1
            << ']';
  printer << ' ';
  printList(printer, items);
  printRaw(printer, raw);
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
        printRecord(printer, map, record);
      },
      [&] { printer << ','; });
  printer.decreaseIndent();
  if (!records.empty())
    printer.printNewline();
  printer << ']';
}
