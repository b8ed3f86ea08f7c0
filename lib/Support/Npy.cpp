//===- Npy.cpp - Arrays in .npy files -------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Npy.h"

#include "ane/Support/Pointer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

#include <limits>

namespace ane::npy {
namespace {

constexpr absl::string_view magic("\x93NUMPY", 6);
/// Longer headers exist only for structured types, which are not read.
constexpr uint64_t maxHeaderBytes = 1 << 16;
/// The limit of numpy itself.
constexpr size_t maxRank = 32;

struct TypeRow {
  Type type;
  const char *code, *name;
  uint32_t bytes;
};
constexpr TypeRow typeRows[] = {
    {Type::Float16, "<f2", "float16", 2}, {Type::Float32, "<f4", "float32", 4},
    {Type::Int8, "|i1", "int8", 1},       {Type::UInt8, "|u1", "uint8", 1},
    {Type::Int16, "<i2", "int16", 2},     {Type::Int32, "<i4", "int32", 4},
    {Type::Int64, "<i8", "int64", 8}};

const TypeRow &rowOf(Type type) {
  for (const TypeRow &row : typeRows)
    if (row.type == type)
      return row;
  return typeRows[0]; // the enumeration is closed
}

/// Reads the dictionary. `offset` is where the text starts in the file, so that
/// messages can say the byte.
class HeaderParser {
public:
  HeaderParser(absl::string_view text, uint64_t offset)
      : text(text), offset(offset) {}

  absl::Status parse(View &view);

private:
  absl::Status error(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrFormat("npy header, byte %d: %s", offset + position, what));
  }
  void skipSpace() {
    while (position < text.size() && absl::ascii_isspace(text[position]))
      ++position;
  }
  bool take(char c) {
    skipSpace();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  bool takeWord(absl::string_view word) {
    skipSpace();
    if (!absl::StartsWith(text.substr(position), word))
      return false;
    position += word.size();
    return true;
  }
  absl::Status string(absl::string_view &value);
  absl::Status shape(std::vector<uint64_t> &dims);
  absl::Status value(absl::string_view key, View &view);

  absl::string_view text;
  uint64_t offset;
  size_t position = 0;
  bool haveType = false, haveOrder = false, haveShape = false;
};

absl::Status HeaderParser::string(absl::string_view &value) {
  skipSpace();
  char quote = position < text.size() ? text[position] : '\0';
  if (quote != '\'' && quote != '"')
    return error("expected a quoted string");
  size_t end = text.find(quote, position + 1);
  if (end == absl::string_view::npos)
    return error("string without an end");
  value = text.substr(position + 1, end - position - 1);
  position = end + 1;
  return absl::OkStatus();
}

absl::Status HeaderParser::shape(std::vector<uint64_t> &dims) {
  if (!take('('))
    return error("expected '(' of the shape");
  while (!take(')')) {
    size_t start = position;
    while (position < text.size() && absl::ascii_isdigit(text[position]))
      ++position;
    uint64_t dim;
    if (!absl::SimpleAtoi(text.substr(start, position - start), &dim))
      return error("expected a dimension of at most 64 bits");
    if (dims.size() == maxRank)
      return error(absl::StrFormat("more than %d dimensions", maxRank));
    dims.push_back(dim);
    if (!take(',') &&
        (skipSpace(), position >= text.size() || text[position] != ')'))
      return error("expected ',' or ')' in the shape");
  }
  return absl::OkStatus();
}

absl::Status HeaderParser::value(absl::string_view key, View &view) {
  if (key == "descr") {
    absl::string_view code;
    if (absl::Status status = string(code); !status.ok())
      return status;
    haveType = true;
    for (const TypeRow &row : typeRows)
      // One byte has no byte order; both spellings occur.
      if (code == row.code || (row.bytes == 1 && code.size() == 3 &&
                               code.substr(1) == row.code + 1)) {
        view.type = row.type;
        return absl::OkStatus();
      }
    if (absl::StartsWith(code, ">"))
      return error(absl::StrFormat(
          "data is big-endian ('%s'), expected little-endian; save "
          "array.astype('<%s') of it",
          code, code.substr(1)));
    return error(absl::StrFormat(
        "element type '%s' is not supported; expected '<f2' (float16), '<f4' "
        "(float32), '|i1' (int8), '|u1' (uint8), '<i2', '<i4' or '<i8' (int16 "
        "to int64); save array.astype('float32') of it",
        code));
  }
  if (key == "fortran_order") {
    haveOrder = true;
    if (takeWord("False"))
      return absl::OkStatus();
    if (takeWord("True"))
      return error("data is in Fortran order, expected C order; save "
                   "numpy.ascontiguousarray of it");
    return error("expected True or False");
  }
  if (key == "shape") {
    haveShape = true;
    view.shape.clear();
    return shape(view.shape);
  }
  return error(absl::StrFormat("unknown key '%s'", key));
}

absl::Status HeaderParser::parse(View &view) {
  if (!take('{'))
    return error("expected '{'");
  while (!take('}')) {
    absl::string_view key;
    if (absl::Status status = string(key); !status.ok())
      return status;
    if (!take(':'))
      return error("expected ':'");
    if (absl::Status status = value(key, view); !status.ok())
      return status;
    if (!take(',')) {
      if (!take('}'))
        return error("expected ',' or '}'");
      break;
    }
  }
  skipSpace();
  if (position != text.size())
    return error("text after the dictionary");
  if (!haveType || !haveOrder || !haveShape)
    return error(
        "one of the keys 'descr', 'fortran_order', 'shape' is missing");
  return absl::OkStatus();
}

/// Bytes of the data, or nothing when they do not fit 64 bits.
bool dataBytes(const View &view, uint64_t &bytes) {
  bytes = typeBytes(view.type);
  for (uint64_t dim : view.shape) {
    if (dim && bytes > std::numeric_limits<uint64_t>::max() / dim)
      return false;
    bytes *= dim;
  }
  return true;
}

} // namespace

uint32_t typeBytes(Type type) { return rowOf(type).bytes; }
const char *typeName(Type type) { return rowOf(type).name; }

uint64_t View::elementCount() const { return data.size() / typeBytes(type); }

int64_t integerAt(const View &array, uint64_t index) {
  const uint32_t bytes = typeBytes(array.type);
  const uint8_t *at = &array.data[index * bytes];
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i)
    value |= uint64_t(at[i]) << 8 * i;
  if (array.type == Type::UInt8)
    return value;
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<int64_t>(value << unused) >> unused;
}

std::string shapeText(absl::Span<const uint64_t> shape) {
  return shape.empty() ? "scalar" : absl::StrJoin(shape, "x");
}

absl::StatusOr<View> parse(absl::Span<const uint8_t> file) {
  absl::string_view text(reinterpret_cast<const char *>(file.data()),
                         file.size());
  if (isLfsPointer(text))
    return absl::InvalidArgumentError(
        absl::StrCat("the array ", kLfsPointerText));
  if (!absl::StartsWith(text, magic) || file.size() < 8)
    return absl::InvalidArgumentError(
        "not an npy file: it does not start with the bytes \\x93NUMPY and a "
        "version");
  unsigned major = file[6];
  if (major < 1 || major > 3)
    return absl::InvalidArgumentError(absl::StrFormat(
        "npy version is %d.%d, expected 1.0, 2.0 or 3.0", major, file[7]));
  size_t lengthBytes = major == 1 ? 2 : 4, start = 8 + lengthBytes;
  if (file.size() < start)
    return absl::InvalidArgumentError(absl::StrFormat(
        "npy file has %d bytes and ends in the length of its header",
        file.size()));
  uint64_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= uint64_t(file[8 + i]) << (8 * i);
  if (length > maxHeaderBytes)
    return absl::InvalidArgumentError(absl::StrFormat(
        "npy header claims %d bytes, the limit is %d", length, maxHeaderBytes));
  if (length > file.size() - start)
    return absl::InvalidArgumentError(
        absl::StrFormat("npy header claims %d bytes, but only %d follow",
                        length, file.size() - start));
  View view;
  HeaderParser parser(text.substr(start, length), start);
  if (absl::Status status = parser.parse(view); !status.ok())
    return status;
  uint64_t bytes, have = file.size() - start - length;
  if (!dataBytes(view, bytes) || bytes != have)
    return absl::InvalidArgumentError(absl::StrFormat(
        "npy data has %d bytes, but shape %s of %s needs %s", have,
        shapeText(view.shape), typeName(view.type),
        dataBytes(view, bytes) ? absl::StrFormat("%d bytes", bytes)
                               : "more than 64 bits can count"));
  view.data = file.subspan(start + length);
  return view;
}

std::vector<uint8_t> header(Type type, absl::Span<const uint64_t> shape) {
  std::string dictionary = absl::StrFormat(
      "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }",
      rowOf(type).code, absl::StrJoin(shape, ", "),
      shape.size() == 1 ? "," : "");
  size_t total = (10 + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.append(total - 10 - dictionary.size() - 1, ' ');
  dictionary += '\n';
  std::vector<uint8_t> bytes(magic.begin(), magic.end());
  bytes.insert(bytes.end(), {1, 0, uint8_t(dictionary.size() & 0xff),
                             uint8_t(dictionary.size() >> 8)});
  bytes.insert(bytes.end(), dictionary.begin(), dictionary.end());
  return bytes;
}

} // namespace ane::npy
