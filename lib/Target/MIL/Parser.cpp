//===- Parser.cpp - Types and values of MIL text --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Spelling.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

static constexpr unsigned kMaxDepth = 64;
// Longer numbers are no numbers of a network, and expensive to read exactly.
static constexpr size_t kMaxDigits = 64;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

InFlightDiagnostic Parser::error() { return errorAt(token.text); }

// A line that is too long to be shown has no columns in its locations.
InFlightDiagnostic Parser::errorAt(StringRef piece) {
  auto loc = cast<FileLineColLoc>(lexer.getLocation(piece));
  InFlightDiagnostic diagnostic = emitError(loc);
  if (loc.getColumn() == 0)
    diagnostic << "column " << lexer.getColumn(piece) << ": ";
  return diagnostic;
}

ParseResult Parser::unexpected(StringRef expected) {
  if (token.kind == Token::end)
    return error() << "expected " << expected << ", but the text ends";
  return error() << "expected " << expected << ", but there is '"
                 << token.text.take_front(40) << "'";
}

bool Parser::consumeIf(StringRef text) {
  if (!token.is(text))
    return false;
  advance();
  return true;
}

ParseResult Parser::expect(StringRef text) {
  if (consumeIf(text))
    return success();
  return unexpected(("'" + text + "'").str());
}

ParseResult Parser::parseIdentifier(StringRef &name, StringRef what) {
  if (token.kind != Token::identifier)
    return unexpected(what);
  name = token.text;
  advance();
  return success();
}

ParseResult Parser::parseList(StringRef open, StringRef close,
                              function_ref<ParseResult()> one) {
  if (expect(open))
    return failure();
  if (consumeIf(close))
    return success();
  do {
    if (one())
      return failure();
  } while (consumeIf(","));
  return expect(close);
}

ParseResult Parser::checkDepth() {
  if (depth > kMaxDepth)
    return error() << "more than " << kMaxDepth << " levels of nesting";
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type Parser::getElementType(StringRef name) {
  Type type =
      llvm::StringSwitch<Type>(name)
          .Case("fp16", builder.getF16Type())
          .Case("fp32", builder.getF32Type())
          .Case("fp64", builder.getF64Type())
          .Case("bf16", builder.getBF16Type())
          .Case("bool", builder.getI1Type())
          .Case("string", StringType::get(builder.getContext()))
          .Case("fp8e4m3fn", Float8E4M3FNType::get(builder.getContext()))
          .Case("fp8e5m2", Float8E5M2Type::get(builder.getContext()))
          .Default({});
  if (type)
    return type;
  bool isUnsigned = name.consume_front("u");
  unsigned width;
  if (!name.consume_front("int") || name.getAsInteger(10, width))
    return {};
  if (!llvm::is_contained({1, 2, 3, 4, 6, 8, 16, 32, 64}, int(width)) ||
      (!isUnsigned && width < 4) || (!isUnsigned && width == 6))
    return {};
  return IntegerType::get(builder.getContext(), width,
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signless);
}

// Behind `tensor`.
ParseResult Parser::parseTensorType(Type &type) {
  SmallVector<int64_t> shape;
  Token name;
  if (expect("<"))
    return failure();
  name = token;
  Type element =
      name.kind == Token::identifier ? getElementType(name.text) : Type();
  if (!element)
    return unexpected("the element type of a tensor");
  advance();
  uint64_t elements = 1;
  auto parseDim = [&]() -> ParseResult {
    int64_t dim;
    if (shape.size() == kMaxDepth)
      return error() << "more than " << kMaxDepth << " axes of a tensor";
    if (consumeIf("?")) {
      shape.push_back(ShapedType::kDynamic);
      return success();
    }
    if (token.kind != Token::number || token.text.getAsInteger(10, dim) ||
        dim < 0)
      return unexpected("an extent or '?'");
    bool overflows;
    elements = llvm::SaturatingMultiply<uint64_t>(
        elements, std::max<int64_t>(dim, 1), &overflows);
    if (overflows || elements > INT64_MAX)
      return error() << "tensor has more than 2^63 elements";
    advance();
    shape.push_back(dim);
    return success();
  };
  if (expect(",") || parseList("[", "]", parseDim) || expect(">"))
    return failure();
  if (shape.empty() && scalarsAreTensors)
    type = element;
  else
    type = RankedTensorType::get(shape, element);
  return success();
}

ParseResult Parser::parseTypes(SmallVectorImpl<Type> &types, size_t count) {
  if (parseList("<", ">", [&] { return parseType(types.emplace_back()); }))
    return failure();
  if (count && types.size() != count)
    return error() << "expected " << count << " types, but there are "
                   << types.size();
  return success();
}

ParseResult Parser::parseType(Type &type) {
  Nesting nesting(depth);
  if (checkDepth())
    return failure();
  if (token.kind != Token::identifier)
    return unexpected("a type");
  StringRef name = token.text;
  if ((type = getElementType(name))) {
    advance();
    return success();
  }
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types;
  if (consumeIf("tensor"))
    return parseTensorType(type);
  if (consumeIf("list")) {
    Type element;
    int64_t length = -1;
    if (expect("<") || parseType(element) || expect(","))
      return failure();
    if (!consumeIf("?")) {
      if (token.kind != Token::number || token.text.getAsInteger(10, length) ||
          length < 0)
        return unexpected("the length of a list or '?'");
      advance();
    }
    type = ListType::get(context, element, length);
    return expect(">");
  }
  if (name != "state" && name != "tuple" && name != "dict")
    return unexpected("a type");
  advance();
  if (parseTypes(types, name == "state" ? 1 : name == "dict" ? 2 : 0))
    return failure();
  if (name == "state")
    type = StateType::get(context, types[0]);
  else if (name == "tuple")
    type = TupleType::get(context, types);
  else
    type = DictType::get(context, types[0], types[1]);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

// fp16(1e-05) is not 1e-05 in fp16. Numbers from the first such one on, and
// those before it, are kept as they stand in the text.
void Parser::keepWritten(const WrittenFloat &number, size_t index,
                         function_ref<APFloat(size_t)> before) {
  if (number.value.isNaN() ||
      (written.empty() && number.written == toDouble(number.value)))
    return;
  for (size_t i = written.size(); i < index; ++i)
    written.push_back(toDouble(before(i)));
  written.push_back(number.written);
}

Attribute Parser::getWrittenAttr() {
  return DenseElementsAttr::get(
      RankedTensorType::get(written.size(), builder.getF64Type()),
      ArrayRef(written));
}

ParseResult Parser::parseFloatToken(FloatType type,
                                    std::optional<WrittenFloat> &number) {
  if ((token.kind == Token::number && token.text.size() <= kMaxDigits) ||
      token.is("inf") || token.is("nan"))
    number = parseFloat(token.text, type.getFloatSemantics());
  if (!number)
    return unexpected("a number");
  advance();
  return success();
}

// The bits of an integer or a bool.
ParseResult Parser::parseInteger(Type type, APInt &bits) {
  if (type.isSignlessInteger(1)) {
    if (!token.is("true") && !token.is("false"))
      return unexpected("true or false");
    bits = APInt(1, token.is("true"));
  } else {
    auto integer = dyn_cast<IntegerType>(type);
    APSInt value;
    if (!integer || token.kind != Token::number ||
        token.text.drop_while([](char c) { return c == '-' || c == '+'; })
                .find_if_not(llvm::isDigit) != StringRef::npos ||
        token.text.size() > kMaxDigits)
      return unexpected("an integer");
    value = APSInt(token.text.ltrim("+"));
    unsigned width = integer.getWidth();
    bool fits =
        value.isNegative()
            ? !integer.isUnsigned() && value.getSignificantBits() <= width
            : value.getActiveBits() <= width - !integer.isUnsigned();
    if (!fits)
      return error() << token.text << " does not fit the type " << type;
    bits = value.extOrTrunc(width);
  }
  advance();
  return success();
}

ParseResult Parser::parseScalar(Type type, Attribute &value) {
  if (isa<StringType>(type)) {
    if (token.kind != Token::string)
      return unexpected("a string");
    value = StringAttr::get(unescape(token.text), type);
    advance();
    return success();
  }
  if (auto floating = dyn_cast<FloatType>(type)) {
    std::optional<WrittenFloat> number;
    if (parseFloatToken(floating, number))
      return failure();
    keepWritten(*number, 0, nullptr);
    value = FloatAttr::get(type, number->value);
    return success();
  }
  APInt bits;
  if (parseInteger(type, bits))
    return failure();
  value = IntegerAttr::get(type, bits);
  return success();
}

//===----------------------------------------------------------------------===//
// Tensors and compounds
//===----------------------------------------------------------------------===//

// Elements in any nesting of brackets: hand-written programs have flat lists.
ParseResult Parser::parseElements(function_ref<ParseResult()> one) {
  Nesting nesting(depth);
  if (checkDepth())
    return failure();
  if (!token.is("["))
    return one();
  return parseList("[", "]", [&] { return parseElements(one); });
}

ParseResult Parser::parseTensor(RankedTensorType type, Attribute &value) {
  StringRef start = token.text;
  Type element = type.getElementType();
  uint64_t count = 0;
  SmallVector<char> bytes;
  SmallVector<bool> bools;
  std::vector<std::string> strings;
  unsigned size = llvm::divideCeil(getBitWidth(element), 8);
  auto floating = dyn_cast<FloatType>(element);
  auto before = [&](size_t i) {
    uint64_t raw = 0;
    std::memcpy(&raw, bytes.data() + i * size, size);
    return APFloat(floating.getFloatSemantics(), APInt(8 * size, raw));
  };
  auto one = [&]() -> ParseResult {
    ++count;
    if (isa<StringType>(element)) {
      if (token.kind != Token::string)
        return unexpected("a string");
      strings.push_back(unescape(token.text));
      advance();
      return success();
    }
    APInt bits;
    if (floating) {
      std::optional<WrittenFloat> number;
      if (parseFloatToken(floating, number))
        return failure();
      keepWritten(*number, count - 1, before);
      bits = number->value.bitcastToAPInt();
    } else if (parseInteger(element, bits)) {
      return failure();
    }
    if (getBitWidth(element) == 1) {
      bools.push_back(!bits.isZero());
      return success();
    }
    uint64_t raw = bits.getZExtValue();
    bytes.append(reinterpret_cast<const char *>(&raw),
                 reinterpret_cast<const char *>(&raw) + size);
    return success();
  };
  if (parseElements(one))
    return failure();
  if (count != uint64_t(type.getNumElements()))
    return errorAt(start) << "literal has " << count
                          << " elements, but its type " << type << " has "
                          << type.getNumElements();
  if (isa<StringType>(element)) {
    SmallVector<StringRef> refs(strings.begin(), strings.end());
    value = DenseElementsAttr::get(type, refs);
  } else if (getBitWidth(element) == 1) {
    value = DenseElementsAttr::get(type, bools);
  } else {
    value = DenseElementsAttr::getFromRawBuffer(type, bytes);
  }
  return success();
}

ParseResult Parser::parseSequence(StringRef open, StringRef close,
                                  function_ref<Type(size_t)> typeOf,
                                  SmallVectorImpl<Attribute> &values) {
  return parseList(open, close, [&]() -> ParseResult {
    Type type = typeOf(values.size());
    if (!type)
      return error() << "more values than the type has";
    return parseLiteral(type, values.emplace_back());
  });
}

ParseResult Parser::parseCompound(Type type, Attribute &value) {
  SmallVector<Attribute> values;
  ParseResult result = failure();
  if (auto tuple = dyn_cast<TupleType>(type)) {
    auto member = [&](size_t i) {
      return i < tuple.getElements().size() ? tuple.getElements()[i] : Type();
    };
    result = parseSequence("(", ")", member, values);
    if (succeeded(result) && values.size() != tuple.getElements().size())
      return error() << "expected " << tuple.getElements().size()
                     << " values, but there are " << values.size();
  } else if (auto list = dyn_cast<ListType>(type)) {
    result = parseSequence(
        "[", "]", [&](size_t) { return list.getElement(); }, values);
  } else if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    result = parseSequence(
        "[", "]", [&](size_t) { return tensor.getElementType(); }, values);
  } else if (auto dict = dyn_cast<DictType>(type)) {
    auto member = [&](size_t i) {
      return i == 0 ? dict.getKey() : i == 1 ? dict.getValue() : Type();
    };
    result = parseList("{", "}", [&]() -> ParseResult {
      SmallVector<Attribute> pair;
      if (parseSequence("{", "}", member, pair))
        return failure();
      if (pair.size() != 2)
        return error() << "an entry of a dict has a key and a value";
      values.push_back(builder.getArrayAttr(pair));
      return success();
    });
  } else {
    return error() << "type " << type << " has no values";
  }
  value = builder.getArrayAttr(values);
  return result;
}

// A member of a compound, or what stands in the parentheses of a value.
ParseResult Parser::parseLiteral(Type type, Attribute &value) {
  Nesting nesting(depth);
  if (checkDepth())
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return parseTensor(tensor, value);
  if (tensor || isa<TupleType, ListType, DictType, StateType>(type))
    return parseCompound(type, value);
  return parseScalar(type, value);
}

// BLOBFILE(path = string("..."), offset = uint64(64))
ParseResult Parser::parseBlobFile(Type type, TypedAttr &value) {
  TypedAttr path, offset;
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    if (parseIdentifier(name, "'path' or 'offset'") || expect("="))
      return failure();
    if (name != "path" && name != "offset")
      return error() << "BLOBFILE has no '" << name
                     << "'; expected 'path' and 'offset'";
    return parseValue(name == "path" ? path : offset);
  };
  if (parseList("(", ")", parseOne))
    return failure();
  auto pathString = dyn_cast_or_null<StringAttr>(path);
  auto offsetNumber = dyn_cast_or_null<IntegerAttr>(offset);
  if (!pathString || !offsetNumber)
    return error() << "BLOBFILE needs a string 'path' and an integer 'offset'";
  value = BlobFileAttr::get(type, pathString.getValue(),
                            offsetNumber.getValue().getZExtValue());
  return success();
}

ParseResult Parser::parseValue(TypedAttr &value) {
  Nesting nesting(depth);
  Type type;
  written.clear();
  if (checkDepth() || parseType(type) || expect("("))
    return failure();
  if (consumeIf("BLOBFILE")) {
    if (parseBlobFile(type, value))
      return failure();
    return expect(")");
  }
  Attribute literal;
  if (parseLiteral(type, literal))
    return failure();
  if (auto array = dyn_cast<ArrayAttr>(literal)) {
    value = CompoundAttr::get(type, array);
    written.clear();
  } else
    value = cast<TypedAttr>(literal);
  return expect(")");
}

ParseResult Parser::parseAttributes(NamedAttrList &attributes) {
  writtenAttributes.clear();
  if (!token.is("["))
    return success();
  NameSet seen;
  return parseList("[", "]", [&]() -> ParseResult {
    StringRef name;
    TypedAttr value;
    StringRef start = token.text;
    if (parseIdentifier(name, "the name of an attribute") || expect("=") ||
        parseValue(value))
      return failure();
    if (!seen.insert(name).second)
      return errorAt(start) << "attribute '" << name << "' is given twice";
    attributes.append(name, value);
    if (!written.empty())
      writtenAttributes.append(name, getWrittenAttr());
    return success();
  });
}
