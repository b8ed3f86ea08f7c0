//===- Lexer.h - Tokens of MIL text -----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_LEXER_H
#define ANE_LIB_TARGET_MIL_LEXER_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::ane::mil {

/// A token is a piece of the text. `string` includes its quotes; a sign belongs
/// to its number; what is nothing of all this is `bad`.
struct Token {
  enum Kind { identifier, number, string, punctuation, end, bad } kind = bad;
  StringRef text;

  bool is(StringRef expected) const {
    return (kind == punctuation || kind == identifier) && text == expected;
  }
};

/// Cuts a text into tokens. `//` starts a comment, as in hand-written programs.
class Lexer {
public:
  Lexer(MLIRContext *context, StringRef name, StringRef text)
      : fileName(StringAttr::get(context, name)), text(text), rest(text) {}

  Token next();
  /// The first character of the next token; 0 at the end.
  char peek();
  /// Line and column of a piece of the text. Asked in order of the text, so
  /// lines are counted once. Column 0 stands for one in a line so long that
  /// nobody wants to see it below an error.
  Location getLocation(StringRef piece);
  /// The column in any line, from 1.
  uint64_t getColumn(StringRef piece);

private:
  void skipSpace();
  Token take(Token::Kind kind, size_t size);

  StringAttr fileName;
  StringRef text, rest;
  const char *lineStart = nullptr;
  const char *counted = nullptr;
  unsigned line = 1;
};

/// The characters of a string token, without quotes and escapes.
std::string unescape(StringRef quoted);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_LEXER_H
