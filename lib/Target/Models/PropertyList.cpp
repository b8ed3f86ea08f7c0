//===- PropertyList.cpp - Property lists as values ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The XML form is a small part of XML: elements without attributes but for the
// version, text with the five entities and numbers of characters, comments. The
// binary form is a table of offsets to objects, which refer to each other by
// their number in the table.
//
//===----------------------------------------------------------------------===//

#include "PropertyList.h"

#include "ane/Target/Models/Models.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

static constexpr StringLiteral binaryMagic("bplist00");
// Networks nest five deep.
static constexpr int maxDepth = 32;

bool mlir::ane::models::isPropertyList(StringRef bytes) {
  if (bytes.starts_with(binaryMagic))
    return true;
  bytes.consume_front("\xef\xbb\xbf");
  bytes = bytes.ltrim();
  if (bytes.starts_with("<plist"))
    return true;
  return bytes.starts_with("<?xml") &&
         bytes.take_front(1024).contains("<plist");
}

//===----------------------------------------------------------------------===//
// XML
//===----------------------------------------------------------------------===//

namespace {

class XmlReader {
public:
  XmlReader(StringRef text, mlir::ane::models::TextPlace &place)
      : whole(text), rest(text), place(place) {}

  Expected<json::Value> read() {
    rest.consume_front("\xef\xbb\xbf");
    Expected<StringRef> tag = openTag();
    if (!tag)
      return tag.takeError();
    if (*tag != "plist")
      return error("expected <plist>, got <" + *tag + ">");
    Expected<StringRef> first = openTag();
    if (!first)
      return first.takeError();
    Expected<json::Value> value = readValue(*first, 0);
    if (!value)
      return value.takeError();
    if (Error failure = closeTag("plist"))
      return std::move(failure);
    skip();
    if (!rest.empty())
      return error("expected the end of the file after </plist>");
    return value;
  }

private:
  Error error(const Twine &text) {
    StringRef read = whole.take_front(rest.data() - whole.data());
    place.line = read.count('\n') + 1;
    place.column = read.size() - (read.rfind('\n') + 1) + 1;
    return createStringError(inconvertibleErrorCode(), text);
  }

  // Space, comments, and what stands in front of the root.
  void skip() {
    for (;;) {
      rest = rest.ltrim();
      StringRef end = rest.starts_with("<!--") ? "-->"
                      : rest.starts_with("<?") ? "?>"
                      : rest.starts_with("<!") ? ">"
                                               : "";
      if (end.empty())
        return;
      size_t at = rest.find(end);
      rest = at == StringRef::npos ? StringRef() : rest.substr(at + end.size());
    }
  }

  /// The name of the element that begins, with a slash at the end of one
  /// without content.
  Expected<StringRef> openTag() {
    skip();
    if (!rest.starts_with("<") || rest.starts_with("</"))
      return error("expected an element");
    size_t end = rest.find('>');
    if (end == StringRef::npos)
      return error("an element does not end");
    StringRef tag = rest.slice(1, end);
    rest = rest.substr(end + 1);
    isEmpty = tag.consume_back("/");
    return tag.take_until([](char c) { return isSpace(c); });
  }

  Error closeTag(StringRef name) {
    skip();
    bool isClosed = rest.consume_front("</") && rest.consume_front(name);
    rest = rest.ltrim();
    if (!isClosed || !rest.consume_front(">"))
      return error("expected </" + name + ">");
    return Error::success();
  }

  bool closes() {
    skip();
    return rest.starts_with("</");
  }

  Expected<std::string> readText(StringRef name) {
    std::string text;
    if (isEmpty)
      return text;
    size_t end = rest.find('<');
    if (end == StringRef::npos)
      return error("<" + name + "> does not end");
    StringRef raw = rest.take_front(end);
    while (!raw.empty()) {
      size_t at = raw.find('&');
      text += raw.take_front(at);
      raw = at == StringRef::npos ? StringRef() : raw.substr(at + 1);
      if (at == StringRef::npos)
        break;
      auto [entity, after] = raw.split(';');
      raw = after;
      unsigned code = 0;
      if (entity == "amp")
        text += '&';
      else if (entity == "lt")
        text += '<';
      else if (entity == "gt")
        text += '>';
      else if (entity == "quot")
        text += '"';
      else if (entity == "apos")
        text += '\'';
      else if (entity.consume_front("#") &&
               !(entity.consume_front("x") ? entity.getAsInteger(16, code)
                                           : entity.getAsInteger(10, code))) {
        char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *at = buffer;
        if (!ConvertCodePointToUTF8(code, at))
          return error("there is no character " + Twine(code));
        text.append(buffer, at);
      } else {
        return error("there is no entity '&" + entity + ";'");
      }
    }
    rest = rest.substr(end);
    if (Error failure = closeTag(name))
      return std::move(failure);
    return text;
  }

  Expected<json::Value> readValue(StringRef tag, int depth) {
    if (depth == maxDepth)
      return error("nests more than " + Twine(maxDepth) + " levels deep");
    if (tag == "dict")
      return readDict(depth);
    if (tag == "array")
      return readArray(depth);
    if (tag == "true" || tag == "false") {
      bool value = tag == "true";
      if (!isEmpty)
        if (Error failure = closeTag(tag))
          return std::move(failure);
      return value;
    }
    if (!is_contained({"string", "integer", "real", "date", "data"}, tag))
      return error("there is no element <" + tag + "> in a property list");
    Expected<std::string> text = readText(tag);
    if (!text)
      return text.takeError();
    StringRef number = StringRef(*text).trim();
    if (tag == "integer") {
      int64_t value;
      if (number.getAsInteger(0, value))
        return error("'" + number + "' is no integer of 64 bits");
      return value;
    }
    if (tag == "real") {
      double value;
      if (number.getAsDouble(value))
        return error("'" + number + "' is no number");
      return value;
    }
    return json::fixUTF8(*text);
  }

  Expected<json::Value> readArray(int depth) {
    json::Array array;
    if (isEmpty)
      return array;
    while (!closes()) {
      Expected<StringRef> tag = openTag();
      if (!tag)
        return tag.takeError();
      Expected<json::Value> value = readValue(*tag, depth + 1);
      if (!value)
        return value.takeError();
      array.push_back(std::move(*value));
    }
    if (Error failure = closeTag("array"))
      return std::move(failure);
    return array;
  }

  Expected<json::Value> readDict(int depth) {
    json::Object object;
    if (isEmpty)
      return object;
    while (!closes()) {
      Expected<StringRef> tag = openTag();
      if (!tag)
        return tag.takeError();
      if (*tag != "key")
        return error("expected <key>, got <" + *tag + ">");
      Expected<std::string> key = readText("key");
      if (!key)
        return key.takeError();
      tag = openTag();
      if (!tag)
        return tag.takeError();
      Expected<json::Value> value = readValue(*tag, depth + 1);
      if (!value)
        return value.takeError();
      if (!object.try_emplace(json::fixUTF8(*key), std::move(*value)).second)
        return error("the key '" + *key + "' is given twice");
    }
    if (Error failure = closeTag("dict"))
      return std::move(failure);
    return object;
  }

  StringRef whole, rest;
  mlir::ane::models::TextPlace &place; ///< of an error
  bool isEmpty = false; ///< whether the last element has no content
};

} // namespace

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

namespace {

class BinaryReader {
public:
  explicit BinaryReader(StringRef bytes) : bytes(bytes) {}

  Expected<json::Value> read() {
    constexpr size_t trailerSize = 32;
    if (bytes.size() < binaryMagic.size() + trailerSize)
      return error(bytes.size(), "the trailer is cut off");
    size_t trailer = bytes.size() - trailerSize;
    offsetSize = byteAt(trailer + 6);
    numberSize = byteAt(trailer + 7);
    count = *readInteger(trailer + 8, 8);
    uint64_t root = *readInteger(trailer + 16, 8);
    table = *readInteger(trailer + 24, 8);
    if (!is_contained({1, 2, 4, 8}, offsetSize) ||
        !is_contained({1, 2, 4, 8}, numberSize))
      return error(trailer, formatv("offsets of {0} and numbers of {1} bytes",
                                    offsetSize, numberSize)
                                .str());
    if (table > trailer || count > (trailer - table) / offsetSize)
      return error(trailer, formatv("a table of {0} offsets at {1:x} is beyond "
                                    "the end",
                                    count, table)
                                .str());
    return readObject(root, 0);
  }

private:
  Error error(size_t at, const Twine &text) {
    return createStringError(inconvertibleErrorCode(),
                             "byte " + Twine(at) + ": " + text);
  }
  unsigned byteAt(size_t at) const {
    return static_cast<unsigned char>(bytes[at]);
  }
  std::optional<uint64_t> readInteger(uint64_t at, unsigned size) const {
    if (at > bytes.size() || size > bytes.size() - at)
      return std::nullopt;
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
      value = value << 8 | byteAt(at + i);
    return value;
  }

  Expected<json::Value> readObject(uint64_t number, int depth) {
    if (depth == maxDepth)
      return error(0, "nests more than " + Twine(maxDepth) + " levels deep");
    // An object may be used twice: what is made of them is bounded here.
    if (++made > 16 * (bytes.size() + 1))
      return error(0, "objects are used so often that they would take more "
                      "than 16 times the file");
    if (number >= count)
      return error(
          0, formatv("there is no object {0} of {1}", number, count).str());
    uint64_t at = *readInteger(table + number * offsetSize, offsetSize);
    if (at >= table)
      return error(
          at,
          formatv("object {0} is beyond the table of offsets", number).str());
    unsigned kind = byteAt(at) >> 4, size = byteAt(at) & 15;
    uint64_t place = at + 1;
    if (kind == 0) {
      if (size == 8 || size == 9)
        return size == 9;
      return error(at, formatv("object of kind {0:x}", byteAt(at)).str());
    }
    if (kind == 1 || kind == 2 || kind == 3)
      return readNumber(at, kind, size);
    uint64_t length = size;
    if (size == 15) {
      std::optional<uint64_t> head = readInteger(place, 1);
      unsigned width = head ? 1u << (*head & 3) : 0;
      std::optional<uint64_t> value = readInteger(place + 1, width);
      if (!head || *head >> 4 != 1 || !value)
        return error(at, "an object has no length");
      length = *value;
      place += 1 + width;
    }
    uint64_t width = kind == 6    ? 2
                     : kind == 10 ? numberSize
                     : kind == 13 ? 2 * numberSize
                                  : 1;
    if (length > (bytes.size() - place) / width)
      return error(
          at, formatv("an object of {0} elements is cut off", length).str());
    if (kind == 4 || kind == 5) {
      made += length;
      return json::fixUTF8(bytes.substr(place, length));
    }
    if (kind == 6)
      return readUtf16(place, length);
    if (kind == 10) {
      json::Array array;
      for (uint64_t i = 0; i < length; ++i) {
        Expected<json::Value> value = readObject(
            *readInteger(place + i * numberSize, numberSize), depth + 1);
        if (!value)
          return value.takeError();
        array.push_back(std::move(*value));
      }
      return array;
    }
    if (kind == 13)
      return readDict(at, place, length, depth);
    return error(at, formatv("object of kind {0:x}", byteAt(at)).str());
  }

  Expected<json::Value> readNumber(uint64_t at, unsigned kind, unsigned size) {
    std::optional<uint64_t> value =
        size <= 3 ? readInteger(at + 1, 1u << size) : std::nullopt;
    if (!value || (kind != 1 && size < 2))
      return error(at, "a number is cut off, or of no size that is read");
    if (kind == 1)
      return static_cast<int64_t>(*value);
    return size == 2 ? double(bit_cast<float>(uint32_t(*value)))
                     : bit_cast<double>(*value);
  }

  Expected<json::Value> readUtf16(uint64_t place, uint64_t length) {
    made += length;
    SmallVector<UTF16> units;
    for (uint64_t i = 0; i < length; ++i)
      units.push_back(*readInteger(place + 2 * i, 2));
    std::string text;
    if (!convertUTF16ToUTF8String(units, text))
      return error(place, "a string is no UTF-16");
    return json::fixUTF8(text);
  }

  Expected<json::Value> readDict(uint64_t at, uint64_t place, uint64_t length,
                                 int depth) {
    json::Object object;
    for (uint64_t i = 0; i < length; ++i) {
      Expected<json::Value> key = readObject(
          *readInteger(place + i * numberSize, numberSize), depth + 1);
      if (!key)
        return key.takeError();
      Expected<json::Value> value = readObject(
          *readInteger(place + (length + i) * numberSize, numberSize),
          depth + 1);
      if (!value)
        return value.takeError();
      std::optional<StringRef> name = key->getAsString();
      if (!name)
        return error(at, "a key is no string");
      if (!object.try_emplace(name->str(), std::move(*value)).second)
        return error(at, "the key '" + *name + "' is given twice");
    }
    return object;
  }

  StringRef bytes;
  unsigned offsetSize = 0, numberSize = 0;
  uint64_t count = 0, table = 0, made = 0;
};

} // namespace

Expected<json::Value> mlir::ane::models::parsePropertyList(StringRef bytes,
                                                           TextPlace &place) {
  if (bytes.starts_with(binaryMagic))
    return BinaryReader(bytes).read();
  return XmlReader(bytes, place).read();
}
