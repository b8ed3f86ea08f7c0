//===- TranslateFromMIL.cpp - The mil dialect from MIL text ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "ane/Dialect/MIL/Utils/Statement.h"
#include "ane/Target/MIL/MILTranslation.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
/// Functions and statements.
class ProgramParser : Parser {
public:
  ProgramParser(MLIRContext *context, StringRef name, StringRef text)
      : Parser(context, name, text), ops(context) {}

  ParseResult parseProgram(ModuleOp module);

private:
  struct NamedType {
    StringRef name;
    Type type;
  };

  ParseResult parseFunction();
  ParseResult parseStatement();
  ParseResult parseTypedName(NamedType &result);
  ParseResult parseArgument(SmallVectorImpl<StatementArgument> &arguments,
                            NameSet &seen);
  ParseResult parseOperand(Value &value);
  ParseResult parseConst(Location loc, ArrayRef<NamedType> results);
  void keepWrittenAttributes(Operation *op);
  ParseResult define(const NamedType &name, Value value);
  ParseResult use(Value &value);

  OpBuilder ops;
  llvm::StringMap<Value> values;
};
} // namespace

ParseResult ProgramParser::define(const NamedType &name, Value value) {
  if (!values.try_emplace(name.name, value).second)
    return emitError(value.getLoc())
           << "value '" << name.name << "' is defined twice";
  return success();
}

// See getWrittenAttrName.
void ProgramParser::keepWrittenAttributes(Operation *op) {
  if (!writtenAttributes.empty())
    op->setDiscardableAttr(
        MILDialect::getWrittenAttrName(),
        writtenAttributes.getDictionary(builder.getContext()));
}

ParseResult ProgramParser::use(Value &value) {
  if (token.kind != Token::identifier)
    return unexpected("the name of a value");
  auto known = values.find(token.text);
  if (known == values.end())
    return error() << "value '" << token.text << "' is not defined here";
  value = known->second;
  advance();
  return success();
}

ParseResult ProgramParser::parseTypedName(NamedType &result) {
  return failure(parseType(result.type) ||
                 parseIdentifier(result.name, "the name of a value"));
}

// A name, or a value in place, whose type `(` or `<` follows.
ParseResult ProgramParser::parseOperand(Value &value) {
  Location loc = getLocation();
  if (token.kind != Token::identifier ||
      (!isFollowedBy('(') && !isFollowedBy('<')))
    return use(value);
  TypedAttr constant;
  if (parseValue(constant))
    return failure();
  auto op = ConstOp::create(ops, loc, constant.getType(), constant,
                            /*is_inline=*/true, builder.getDictionaryAttr({}),
                            StringAttr());
  writtenAttributes.clear();
  if (!written.empty())
    writtenAttributes.append("val", getWrittenAttr());
  keepWrittenAttributes(op);
  value = op;
  return success();
}

ParseResult
ProgramParser::parseArgument(SmallVectorImpl<StatementArgument> &arguments,
                             NameSet &seen) {
  StringRef start = token.text;
  StatementArgument argument;
  if (parseIdentifier(argument.name, "the name of an argument") || expect("="))
    return failure();
  if (!seen.insert(argument.name).second)
    return errorAt(start) << "argument '" << argument.name
                          << "' is given twice";
  argument.isTuple = token.is("(");
  auto parseOne = [&] { return parseOperand(argument.values.emplace_back()); };
  if (argument.isTuple ? parseList("(", ")", parseOne) : parseOne())
    return failure();
  arguments.push_back(std::move(argument));
  return success();
}

// Behind `const`.
ParseResult ProgramParser::parseConst(Location loc,
                                      ArrayRef<NamedType> results) {
  NamedAttrList attributes;
  if (expect("(") || expect(")") || parseAttributes(attributes) || expect(";"))
    return failure();
  auto value = dyn_cast_or_null<TypedAttr>(attributes.erase("val"));
  if (!value || results.size() != 1)
    return emitError(loc) << "a const has one result and an attribute 'val'";
  if (value.getType() != results[0].type)
    return emitError(loc) << "const has type " << results[0].type
                          << ", but its value " << value.getType();
  if (isConstant(values.lookup(results[0].name), value))
    return success();
  auto op =
      ConstOp::create(ops, loc, value.getType(), value, /*is_inline=*/false,
                      attributes.getDictionary(builder.getContext()),
                      builder.getStringAttr(results[0].name));
  keepWrittenAttributes(op);
  return define(results[0], op);
}

// type name {, type name} = operation(arguments)[attributes];  or without
// results
ParseResult ProgramParser::parseStatement() {
  Location loc = getLocation();
  SmallVector<NamedType> results;
  StringRef type;
  if (token.kind == Token::identifier && isFollowedBy('(')) {
    type = token.text; // no result: write_state
    advance();
  } else {
    do {
      if (parseTypedName(results.emplace_back()))
        return failure();
    } while (consumeIf(","));
    if (expect("=") || parseIdentifier(type, "an operation"))
      return failure();
  }
  if (type == "const")
    return parseConst(loc, results);
  SmallVector<StatementArgument> arguments;
  SmallVector<StringRef> resultNames;
  SmallVector<Type> resultTypes;
  NamedAttrList attributes;
  for (const NamedType &result : results) {
    resultNames.push_back(result.name);
    resultTypes.push_back(result.type);
  }
  NameSet seen;
  if (parseList("(", ")", [&] { return parseArgument(arguments, seen); }) ||
      parseAttributes(attributes) || expect(";"))
    return failure();
  // What the table does not allow, but may be too narrow for, is kept.
  std::optional<Mismatch> mismatch;
  Operation *op = createStatement(
      ops, loc, type, arguments, resultTypes,
      attributes.getDictionary(builder.getContext()), resultNames, &mismatch);
  if (mismatch && mismatch->isCertain)
    return emitError(loc) << type << ' ' << mismatch->message;
  keepWrittenAttributes(op);
  for (auto [name, value] : llvm::zip(results, op->getResults()))
    if (define(name, value))
      return failure();
  return success();
}

ParseResult ProgramParser::parseFunction() {
  Location loc = getLocation();
  StringRef name, opset;
  SmallVector<NamedType> parameters;
  NamedAttrList attributes;
  if (expect("func") || parseIdentifier(name, "the name of a function") ||
      expect("<") || parseIdentifier(opset, "an opset") || expect(">") ||
      parseList("(", ")",
                [&] { return parseTypedName(parameters.emplace_back()); }) ||
      parseAttributes(attributes) || expect("{"))
    return failure();
  SmallVector<StringRef> names;
  SmallVector<Type> types;
  for (const NamedType &parameter : parameters) {
    names.push_back(parameter.name);
    types.push_back(parameter.type);
  }
  auto func = FuncOp::create(ops, loc, name, opset, names, types,
                             attributes.getDictionary(builder.getContext()));
  OpBuilder::InsertionGuard guard(ops);
  ops.setInsertionPointToEnd(&func.getBody().front());
  values.clear();
  for (auto [parameter, value] :
       llvm::zip(parameters, func.getBody().getArguments()))
    if (define(parameter, value))
      return failure();
  while (!token.is("}"))
    if (parseStatement())
      return failure();
  advance();
  SmallVector<Value> results;
  Location end = getLocation();
  if (expect("->") ||
      parseList("(", ")", [&] { return use(results.emplace_back()); }) ||
      expect(";"))
    return failure();
  ReturnOp::create(ops, end, results);
  return success();
}

// {"a", "1"}, ... in order of the keys is the dictionary that MLIR has.
static Attribute simplifyDict(TypedAttr value) {
  auto compound = dyn_cast<CompoundAttr>(value);
  auto dict = compound ? dyn_cast<DictType>(compound.getType()) : DictType();
  if (!dict || !isa<StringType>(dict.getKey()) ||
      !isa<StringType>(dict.getValue()))
    return value;
  SmallVector<NamedAttribute> entries;
  for (Attribute entry : compound.getElements()) {
    auto pair = cast<ArrayAttr>(entry);
    auto key = cast<StringAttr>(pair[0]);
    StringRef text = cast<StringAttr>(pair[1]).getValue();
    if (key.getValue().empty() ||
        (!entries.empty() && entries.back().getName() >= key.getValue()))
      return value;
    entries.push_back({StringAttr::get(value.getContext(), key.getValue()),
                       StringAttr::get(value.getContext(), text)});
  }
  return DictionaryAttr::get(value.getContext(), entries);
}

ParseResult ProgramParser::parseProgram(ModuleOp module) {
  Location loc = getLocation();
  if (expect("program") || expect("("))
    return failure();
  StringRef version = token.text;
  if (version != "1.0" && version != "1.3")
    return unexpected("version 1.0 or 1.3");
  scalarsAreTensors = version == "1.0";
  advance();
  NamedAttrList attributes;
  if (expect(")") || parseAttributes(attributes) || expect("{"))
    return failure();
  SmallVector<NamedAttribute> written(attributes.getAttrs());
  for (NamedAttribute attribute : written)
    attributes.set(attribute.getName(),
                   simplifyDict(cast<TypedAttr>(attribute.getValue())));
  ops.setInsertionPointToEnd(module.getBody());
  auto program = ProgramOp::create(
      ops, loc, version, attributes.getDictionary(module.getContext()));
  ops.setInsertionPointToEnd(&program.getBody().front());
  while (!token.is("}"))
    if (parseFunction())
      return failure();
  advance();
  if (token.kind != Token::end)
    return unexpected("the end of the text");
  return success();
}

bool mlir::ane::mil::isMILText(StringRef text) {
  for (text = text.ltrim(); text.starts_with("//"); text = text.ltrim())
    text = text.drop_until([](char c) { return c == '\n'; });
  return text.consume_front("program") && text.ltrim().starts_with("(");
}

OwningOpRef<ModuleOp> mlir::ane::mil::translateFromMIL(llvm::SourceMgr &sources,
                                                       MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  StringRef name = buffer->getBufferIdentifier();
  context->loadDialect<MILDialect>();
  OwningOpRef<ModuleOp> module(
      ModuleOp::create(FileLineColLoc::get(context, name, 1, 1)));
  if (ProgramParser(context, name, buffer->getBuffer()).parseProgram(*module))
    return {};
  return module;
}
