//===- Parser.h - Types and values of MIL text ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads both spellings. What is parsed is bounded by the text: nesting by a
// fixed depth, elements by the characters that spell them; a shape alone
// allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_PARSER_H
#define ANE_LIB_TARGET_MIL_PARSER_H

#include "Lexer.h"
#include "Number.h"

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::ane::mil {

/// What was named before; the text decides how many names there are.
using NameSet = llvm::SmallDenseSet<StringRef, 16>;

class Parser {
public:
  Parser(MLIRContext *context, StringRef name, StringRef text)
      : builder(context), lexer(context, name, text) {
    advance();
  }

  //===--------------------------------------------------------------------===//
  // Tokens
  //===--------------------------------------------------------------------===//

  void advance() { token = lexer.next(); }
  Location getLocation() { return lexer.getLocation(token.text); }
  /// At this token, or at a piece of the text.
  InFlightDiagnostic error();
  InFlightDiagnostic errorAt(StringRef piece);
  /// Fails with what stands there and what should.
  ParseResult unexpected(StringRef expected);
  bool consumeIf(StringRef text);
  /// Whether `c` begins the token after this one.
  bool isFollowedBy(char c) { return lexer.peek() == c; }
  ParseResult expect(StringRef text);
  ParseResult parseIdentifier(StringRef &name, StringRef what);
  /// `open [one {, one}] close`
  ParseResult parseList(StringRef open, StringRef close,
                        function_ref<ParseResult()> one);

  //===--------------------------------------------------------------------===//
  // Types and values
  //===--------------------------------------------------------------------===//

  ParseResult parseType(Type &type);
  /// `type(literal)`. `written` gets the elements as they stand there where
  /// rounding changed one, else nothing.
  ParseResult parseValue(TypedAttr &value);
  /// `[name = value, ...]`, or nothing. `writtenAttributes` gets those where
  /// rounding changed something.
  ParseResult parseAttributes(NamedAttrList &attributes);

  Builder builder;
  Token token;
  /// program(1.0): scalars are tensors of rank 0.
  bool scalarsAreTensors = false;
  SmallVector<double> written;
  /// `written` for MILDialect::getWrittenAttrName.
  Attribute getWrittenAttr();
  NamedAttrList writtenAttributes;

private:
  // Counts how deep the parser is; a text cannot make it recurse without end.
  struct Nesting {
    explicit Nesting(unsigned &depth) : depth(depth) { ++depth; }
    ~Nesting() { --depth; }
    unsigned &depth;
  };
  ParseResult checkDepth();
  Type getElementType(StringRef name);
  ParseResult parseTensorType(Type &type);
  ParseResult parseTypes(SmallVectorImpl<Type> &types, size_t count);
  ParseResult parseLiteral(Type type, Attribute &value);
  ParseResult parseScalar(Type type, Attribute &value);
  ParseResult parseInteger(Type type, APInt &bits);
  ParseResult parseFloatToken(FloatType type,
                              std::optional<WrittenFloat> &number);
  void keepWritten(const WrittenFloat &number, size_t index,
                   function_ref<APFloat(size_t)> before);
  ParseResult parseTensor(RankedTensorType type, Attribute &value);
  ParseResult parseElements(function_ref<ParseResult()> one);
  ParseResult parseSequence(StringRef open, StringRef close,
                            function_ref<Type(size_t)> typeOf,
                            SmallVectorImpl<Attribute> &values);
  ParseResult parseCompound(Type type, Attribute &value);
  ParseResult parseBlobFile(Type type, TypedAttr &value);

  Lexer lexer;
  unsigned depth = 0;
};

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_PARSER_H
