//===- TaskParser.cpp - Text of headers and records, parsing --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskSyntax.h"

#include "ane/Dialect/HWX/IR/RegisterText.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::ane::hwx;
namespace hw = ::ane::hw;

namespace {

/// Parses the words of one header or record.
class WordsParser {
public:
  WordsParser(OpAsmParser &parser, const hw::RegisterMap &map,
              const hw::Block *block, uint32_t first,
              MutableArrayRef<uint32_t> words)
      : parser(parser), map(map), block(block), first(first), words(words) {}

  ParseResult parseHeaderFields();
  ParseResult parseRegisters();
  ParseResult parseOptionalRaw();
  /// Words that the text has named, also where they are zero.
  ArrayRef<uint32_t> mentionedWords() {
    llvm::sort(mentioned);
    mentioned.erase(llvm::unique(mentioned), mentioned.end());
    return mentioned;
  }

private:
  ParseResult parseValue(const hw::Field &field, const Twine &path,
                         uint32_t &word);
  ParseResult parseField(const hw::Register &reg, const hw::Field &field,
                         const Twine &path, uint32_t &word);
  ParseResult parseFields(const hw::Register &reg, const Twine &path,
                          uint32_t &word);
  ParseResult parseRegister();
  ParseResult findElements(SMLoc loc, StringRef name, int64_t begin,
                           int64_t end,
                           SmallVectorImpl<const hw::Register *> &found);
  ParseResult claim(SMLoc loc, const Twine &path, uint32_t word, uint32_t mask);

  OpAsmParser &parser;
  const hw::RegisterMap &map;
  const hw::Block *block;
  uint32_t first; ///< bytes from the start of the block to words[0]
  MutableArrayRef<uint32_t> words;
  /// Bits that the text has already given, by word.
  llvm::SmallDenseMap<uint32_t, uint32_t> given;
  SmallVector<uint32_t> mentioned;
};

} // namespace

/// "a, b and c" would be prettier, but a list is what a search finds.
template <typename Range, typename Name>
static std::string listNames(const Range &range, Name name) {
  std::string text;
  StringRef last;
  for (const auto &element : range) {
    StringRef next = name(element);
    if (next == last)
      continue;
    text += (text.empty() ? "" : ", ") + next.str();
    last = next;
  }
  return text;
}

static StringRef nameOf(const hw::Register &reg) { return reg.name; }
static StringRef nameOfField(const hw::Field &field) { return field.name; }

ParseResult WordsParser::claim(SMLoc loc, const Twine &path, uint32_t word,
                               uint32_t mask) {
  if (given[word] & mask)
    return parser.emitError(loc) << path.str() << " is given twice";
  given[word] |= mask;
  return success();
}

ParseResult WordsParser::parseValue(const hw::Field &field, const Twine &path,
                                    uint32_t &word) {
  SMLoc loc = parser.getCurrentLocation();
  uint64_t value = 0;
  StringRef keyword;
  if (!field.enumerators.empty() &&
      succeeded(parser.parseOptionalKeyword(&keyword))) {
    auto found = llvm::find_if(field.enumerators, [&](const hw::Enumerator &e) {
      return keyword == e.name;
    });
    if (found == field.enumerators.end())
      return parser.emitError(loc)
             << "unknown value '" << keyword << "' of " << path.str()
             << ", expected a number or one of "
             << listNames(field.enumerators, [](const hw::Enumerator &e) {
                  return StringRef(e.name);
                });
    value = found->value;
  } else if (field.codec == hw::Codec::F16 || field.codec == hw::Codec::F32) {
    const llvm::fltSemantics &semantics = field.codec == hw::Codec::F16
                                              ? llvm::APFloat::IEEEhalf()
                                              : llvm::APFloat::IEEEsingle();
    llvm::APFloat number(semantics);
    if (parser.parseFloat(semantics, number))
      return failure();
    value = number.bitcastToAPInt().getZExtValue();
  } else if (parser.parseInteger(value)) {
    return failure();
  }
  if (value > UINT32_MAX)
    return parser.emitError(loc)
           << path.str() << ": value " << hexText(value) << " does not fit "
           << field.width() << " bits";
  absl::Status status =
      encodeField(field, path.str(), word, static_cast<uint32_t>(value));
  if (status.ok())
    return success();
  absl::string_view message = status.message();
  return parser.emitError(loc) << StringRef(message.data(), message.size());
}

/// Parses what follows the name of a field: a value, or nothing for a flag.
ParseResult WordsParser::parseField(const hw::Register &reg,
                                    const hw::Field &field, const Twine &path,
                                    uint32_t &word) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalEqual()))
    return parseValue(field, path, word);
  if (field.width() != 1)
    return parser.emitError(loc)
           << "expected '=' and a value, since " << path.str() << " has "
           << field.width() << " bits";
  word |= field.mask();
  return success();
}

ParseResult WordsParser::parseFields(const hw::Register &reg, const Twine &path,
                                     uint32_t &word) {
  uint32_t seen = 0;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        StringRef name;
        if (parser.parseKeyword(&name))
          return failure();
        auto field = llvm::find_if(reg.fields, [&](const hw::Field &field) {
          return name == field.name;
        });
        if (field == reg.fields.end())
          return parser.emitError(loc)
                 << "unknown field '" << name << "' of " << path.str()
                 << ", which has " << listNames(reg.fields, nameOfField);
        std::string full = (path + "." + name).str();
        if (seen & field->mask())
          return parser.emitError(loc) << full << " is given twice";
        seen |= field->mask();
        return parseField(reg, *field, full, word);
      });
}

ParseResult
WordsParser::findElements(SMLoc loc, StringRef name, int64_t begin, int64_t end,
                          SmallVectorImpl<const hw::Register *> &found) {
  bool known = false;
  int64_t highest = -1;
  for (const hw::Register &reg : block->registers) {
    if (name != reg.name)
      continue;
    known = true;
    highest = std::max<int64_t>(highest, reg.index);
    if (reg.index >= begin && reg.index <= end)
      found.push_back(&reg);
  }
  std::string path = (Twine(block->name) + "." + name).str();
  if (!known)
    return parser.emitError(loc)
           << "unknown register '" << name << "' of block " << block->name
           << ", which has " << listNames(block->registers, nameOf);
  if (highest >= 0 && begin < 0)
    return parser.emitError(loc) << path << " is an array, expected an index "
                                 << "from 0 to " << highest;
  if (found.size() != static_cast<uint64_t>(end - begin + 1)) {
    if (highest < 0)
      return parser.emitError(loc) << path << " is not an array";
    return parser.emitError(loc)
           << path << " has elements 0 to " << highest << ", but the index is "
           << begin << " to " << end;
  }
  for (const hw::Register *reg : found) {
    uint32_t offset = reg->address - block->base;
    if (offset < first || offset >= first + 4 * words.size())
      return parser.emitError(loc)
             << path << " is word " << offset / 4 << " of block " << block->name
             << ", but the record writes words " << first / 4 << " to "
             << first / 4 + words.size() - 1;
  }
  return success();
}

ParseResult WordsParser::parseRegister() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  int64_t begin = -1, end = -1;
  if (parser.parseKeyword(&name))
    return failure();
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseInteger(begin))
      return failure();
    end = begin;
    if (succeeded(parser.parseOptionalKeyword("to")) &&
        parser.parseInteger(end))
      return failure();
    if (parser.parseRSquare())
      return failure();
    if (begin < 0 || end < begin || end > INT16_MAX)
      return parser.emitError(loc) << "index " << begin << " to " << end
                                   << " is not an ascending range";
  }
  SmallVector<const hw::Register *> elements;
  if (findElements(loc, name, begin, end, elements) || parser.parseEqual())
    return failure();
  const hw::Register &reg = *elements.front();
  std::string path = (Twine(block->name) + "." + name).str();
  uint32_t word = 0;
  // The look-ahead is one token: a brace opens fields, anything else is the
  // value of a register that is one field.
  SMLoc valueLoc = parser.getCurrentLocation();
  if (*valueLoc.getPointer() == '{') {
    if (parseFields(reg, path, word))
      return failure();
  } else if (reg.fields.size() == 1) {
    const hw::Field &field = reg.fields.front();
    if (parseValue(field, Twine(path) + "." + field.name, word))
      return failure();
  } else {
    return parser.emitError(valueLoc)
           << "expected '{', since " << path << " has fields "
           << listNames(reg.fields, nameOfField);
  }
  for (const hw::Register *element : elements) {
    uint32_t index = (element->address - block->base - first) / 4;
    if (claim(loc, path, index, ~0u))
      return failure();
    words[index] |= word;
    mentioned.push_back(index);
  }
  return success();
}

ParseResult WordsParser::parseRegisters() {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                        [&] { return parseRegister(); });
}

ParseResult WordsParser::parseHeaderFields() {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        StringRef name;
        if (parser.parseKeyword(&name))
          return failure();
        for (uint32_t i = 0; i < words.size(); ++i) {
          const hw::Register *reg = map.headerWord(i);
          if (!reg)
            continue;
          for (const hw::Field &field : reg->fields) {
            if (name != field.name)
              continue;
            std::string path = ("Header." + name).str();
            if (claim(loc, path, i, field.mask()))
              return failure();
            return parseField(*reg, field, path, words[i]);
          }
        }
        return parser.emitError(loc)
               << "unknown field '" << name << "' of a header of "
               << words.size() << " words";
      });
}

ParseResult WordsParser::parseOptionalRaw() {
  if (failed(parser.parseOptionalKeyword("raw")))
    return success();
  llvm::SmallSet<uint32_t, 8> seen;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Braces, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        uint64_t offset, value;
        if (parser.parseInteger(offset) || parser.parseEqual() ||
            parser.parseInteger(value))
          return failure();
        if (offset % 4 || offset < first || offset >= first + 4 * words.size())
          return parser.emitError(loc)
                 << "raw word at " << hexText(offset)
                 << ", expected a multiple of 4 from " << hexText(first)
                 << " to " << hexText(first + 4 * (words.size() - 1));
        if (value > UINT32_MAX)
          return parser.emitError(loc)
                 << "raw word " << hexText(value) << " has more than 32 bits";
        if (!seen.insert(offset).second)
          return parser.emitError(loc)
                 << "raw word at " << hexText(offset) << " is given twice";
        words[(offset - first) / 4] |= value;
        mentioned.push_back((offset - first) / 4);
        return success();
      });
}

/// Parses a count of words from 1 to `most`.
static ParseResult parseCount(OpAsmParser &parser, uint64_t most,
                              uint64_t &count) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(count))
    return failure();
  if (count < 1 || count > most)
    return parser.emitError(loc)
           << "count is " << count << " words, expected 1 to " << most;
  return success();
}

ParseResult mlir::ane::hwx::parseHeader(OpAsmParser &parser,
                                        const hw::RegisterMap &map,
                                        SmallVectorImpl<int32_t> &header) {
  uint64_t count = hw::info(map.generation).headerWords;
  if (succeeded(parser.parseOptionalKeyword("words")) &&
      parseCount(parser, 64, count))
    return failure();
  SmallVector<uint32_t> words(count);
  WordsParser body(parser, map, nullptr, 0, words);
  if (body.parseHeaderFields() || body.parseOptionalRaw())
    return failure();
  header.assign(words.begin(), words.end());
  return success();
}

namespace {

/// Parses one record.
class RecordParser {
public:
  RecordParser(OpAsmParser &parser, const hw::RegisterMap &map)
      : parser(parser), map(map), loc(parser.getCurrentLocation()) {}

  ParseResult parse(Attribute &record);

private:
  ParseResult parseKind();
  ParseResult parseUnnamed();
  ParseResult parseBlock();
  ParseResult finish(uint32_t address, ArrayRef<uint32_t> words);
  ParseResult finishScattered(uint32_t address, WordsParser &body,
                              ArrayRef<uint32_t> words);

  OpAsmParser &parser;
  const hw::RegisterMap &map;
  SMLoc loc;
  std::optional<uint32_t> follow, base;
  uint32_t unknown = 0;
  Attribute result;
};

} // namespace

/// Registers after the first that a scattered record reaches.
static constexpr uint32_t kReach = 16;

/// Parses what the first word of a dense record has besides address and count.
ParseResult RecordParser::parseKind() {
  uint32_t value = 0;
  if (succeeded(parser.parseOptionalKeyword("base"))) {
    if (parser.parseInteger(value))
      return failure();
    base = value;
  }
  if (succeeded(parser.parseOptionalKeyword("unknown")))
    return parser.parseInteger(unknown);
  return success();
}

ParseResult RecordParser::finish(uint32_t address, ArrayRef<uint32_t> words) {
  auto diagnose = [&] { return parser.emitError(loc); };
  llvm::function_ref<InFlightDiagnostic()> emitError = diagnose;
  result = RecordAttr::getChecked(emitError, parser.getContext(), address,
                                  words, follow, base, unknown);
  return success(result != nullptr);
}

/// Keeps of `words`, which start at `address`, those that the text has.
ParseResult RecordParser::finishScattered(uint32_t address, WordsParser &body,
                                          ArrayRef<uint32_t> words) {
  ArrayRef<uint32_t> written = body.mentionedWords();
  if (written.empty())
    return parser.emitError(loc) << "scattered record writes no word";
  SmallVector<uint32_t> kept;
  follow = 0;
  for (uint32_t index : written) {
    const uint32_t distance = index - written.front();
    if (distance > kReach)
      return parser.emitError(loc)
             << "scattered record writes the word " << distance
             << " words after its first, expected at most " << kReach;
    if (distance)
      *follow |= 1u << (distance - 1);
    kept.push_back(words[index]);
  }
  return finish(address + 4 * written.front(), kept);
}

/// Parses a record that no block holds, behind `at`.
ParseResult RecordParser::parseUnnamed() {
  uint64_t address = 0, count = kReach + 1;
  if (parser.parseInteger(address))
    return failure();
  const bool isScattered = succeeded(parser.parseOptionalKeyword("scatter"));
  if (!isScattered && (parser.parseKeyword("words") ||
                       parseCount(parser, 64, count) || parseKind()))
    return failure();
  if (address > UINT32_MAX)
    return parser.emitError(loc)
           << "record address " << hexText(address) << " has more than 26 bits";
  SmallVector<uint32_t> words(count);
  WordsParser body(parser, map, nullptr, 0, words);
  if (body.parseOptionalRaw())
    return failure();
  if (!isScattered)
    return finish(address, words);
  if (!llvm::is_contained(body.mentionedWords(), 0u))
    return parser.emitError(loc)
           << "scattered record at " << hexText(address)
           << " does not write its first word, expected 0x0 in raw";
  return finishScattered(address, body, words);
}

ParseResult RecordParser::parseBlock() {
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  const hw::Block *block = map.block({name.data(), name.size()});
  if (!block || block->isHeader) {
    std::string names;
    for (const hw::Block &known : map.blocks())
      if (!known.isHeader)
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (names.empty())
      names = "'at', since no block has a name";
    return parser.emitError(loc) << "unknown register block '" << name
                                 << "', expected one of " << names;
  }
  uint64_t first = 0, last = block->words - 1;
  const bool isScattered = succeeded(parser.parseOptionalKeyword("scatter"));
  if (!isScattered && succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseInteger(first) || parser.parseKeyword("to") ||
        parser.parseInteger(last) || parser.parseRSquare())
      return failure();
    if (first > last || last >= block->words)
      return parser.emitError(loc)
             << "words " << first << " to " << last << " of block " << name
             << ", which has words 0 to " << block->words - 1;
  }
  if (!isScattered && parseKind())
    return failure();
  SmallVector<uint32_t> words(last - first + 1);
  WordsParser body(parser, map, block, 4 * first, words);
  if (body.parseRegisters() || body.parseOptionalRaw())
    return failure();
  const uint32_t address = block->base + 4 * first;
  return isScattered ? finishScattered(address, body, words)
                     : finish(address, words);
}

ParseResult RecordParser::parse(Attribute &record) {
  const bool isUnnamed = succeeded(parser.parseOptionalKeyword("at"));
  if (failed(isUnnamed ? parseUnnamed() : parseBlock()))
    return failure();
  record = result;
  return success();
}

ParseResult mlir::ane::hwx::parseRecords(OpAsmParser &parser,
                                         const hw::RegisterMap &map,
                                         SmallVectorImpl<Attribute> &records) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        return RecordParser(parser, map).parse(records.emplace_back());
      });
}
