//===- Lexer.cpp - Tokens of MIL text -------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::ane::mil;

// An error shows its line, twice with the caret below it.
static constexpr uint64_t kMaxShownLine = 16384;

void Lexer::skipSpace() {
  while (true) {
    rest = rest.ltrim(" \t\r\n");
    if (!rest.starts_with("//"))
      return;
    rest = rest.drop_until([](char c) { return c == '\n'; });
  }
}

Token Lexer::take(Token::Kind kind, size_t size) {
  Token token{kind, rest.take_front(size)};
  rest = rest.drop_front(size);
  return token;
}

char Lexer::peek() {
  skipSpace();
  return rest.empty() ? 0 : rest.front();
}

Token Lexer::next() {
  skipSpace();
  if (rest.empty())
    return {Token::end, rest};
  char first = rest.front();
  if (llvm::isAlpha(first) || first == '_')
    return take(Token::identifier,
                std::min(rest.size(), rest.find_if_not([](char c) {
                  return llvm::isAlnum(c) || c == '_' || c == '@';
                })));
  if (first == '"') {
    for (size_t i = 1; i < rest.size(); ++i) {
      if (rest[i] == '\\')
        ++i;
      else if (rest[i] == '"')
        return take(Token::string, i + 1);
    }
    return take(Token::bad, rest.size());
  }
  if (rest.starts_with("->"))
    return take(Token::punctuation, 2);
  bool hasSign = first == '-' || first == '+';
  if (hasSign && rest.size() > 1 && llvm::isAlpha(rest[1])) // -inf
    return take(Token::number,
                1 + rest.drop_front().take_while(llvm::isAlpha).size());
  if (llvm::isDigit(first) || first == '.' ||
      (hasSign && rest.size() > 1 &&
       (llvm::isDigit(rest[1]) || rest[1] == '.'))) {
    // A sign inside follows the exponent: of a hexadecimal number after p.
    size_t size = 1;
    bool isHex = rest.drop_front(hasSign).starts_with_insensitive("0x");
    for (; size < rest.size(); ++size) {
      char c = rest[size], before = llvm::toLower(rest[size - 1]);
      bool isSign = (c == '-' || c == '+') && before == (isHex ? 'p' : 'e');
      if (!llvm::isAlnum(c) && c != '.' && !isSign)
        break;
    }
    return take(Token::number, size);
  }
  if (StringRef("()[]{}<>,;=?").contains(first))
    return take(Token::punctuation, 1);
  return take(Token::bad, 1);
}

uint64_t Lexer::getColumn(StringRef piece) {
  const char *target = piece.data();
  if (!counted || target < counted) {
    lineStart = counted = text.data();
    line = 1;
  }
  while (const void *end = std::memchr(counted, '\n', target - counted)) {
    ++line;
    lineStart = counted = static_cast<const char *>(end) + 1;
  }
  counted = target;
  return target - lineStart + 1;
}

Location Lexer::getLocation(StringRef piece) {
  uint64_t column = getColumn(piece);
  StringRef after(piece.data(), text.end() - piece.data());
  if (column > kMaxShownLine ||
      (after.size() > kMaxShownLine &&
       !after.take_front(kMaxShownLine).contains('\n')))
    column = 0;
  return FileLineColLoc::get(fileName, line, column);
}

std::string mlir::ane::mil::unescape(StringRef quoted) {
  std::string result;
  StringRef inner = quoted.drop_front().drop_back();
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\\' && i + 1 < inner.size())
      result += inner[++i] == 'n' ? '\n' : inner[i];
    else
      result += inner[i];
  }
  return result;
}
