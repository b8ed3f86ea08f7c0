//===- Statement.cpp - What the ops of the table share --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mil.op` and the ops of the table have one syntax:
//
//    %y = mil.op "relu"(x = %x) {name = "y"} as "y" : (type) -> type
//    %y = mil.relu(x = %x) {name = "y"} as "y" : (type) -> type
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

std::optional<unsigned> mlir::ane::mil::parseOpset(StringRef opset) {
  unsigned number;
  if (!opset.consume_front("ios") || opset.empty() ||
      !llvm::all_of(opset, llvm::isDigit) || opset.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

bool mlir::ane::mil::existsOpset(unsigned number) {
  return (number >= 15 && number <= 18) || number == 26;
}

static unsigned getOpset(Operation *parent) {
  while (parent && !isa<FuncOp>(parent)) // in a loop
    parent = parent->getParentOp();
  auto func = dyn_cast_or_null<FuncOp>(parent);
  return func ? parseOpset(func.getOpset()).value_or(kLastOpset) : kLastOpset;
}

static const OpInfo &getInfo(OperationName name) {
  const OpInfo *info = lookupOp(name.stripDialect());
  assert(info && "the ops and the table come from one source");
  return *info;
}

static const auto &getConcept(OperationName name) {
  return *name.getInterface<MILTypedOpInterface>();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

// Operands in the order of the table, and how many each argument has.
static SmallVector<int32_t>
orderArguments(const OpInfo &info, ArrayRef<StatementArgument> arguments,
               SmallVectorImpl<Value> &operands) {
  SmallVector<int32_t> segments;
  for (const ArgumentInfo &row : info.arguments) {
    segments.push_back(0);
    for (const StatementArgument &argument : arguments)
      if (argument.name == row.name) {
        llvm::append_range(operands, argument.values);
        segments.back() = argument.values.size();
      }
  }
  return segments;
}

void mlir::ane::mil::impl::buildStatement(OpBuilder &builder,
                                          OperationState &state,
                                          ArrayRef<StatementArgument> arguments,
                                          TypeRange results,
                                          DictionaryAttr attributes,
                                          ArrayRef<StringRef> resultNames) {
  SmallVector<Value> operands;
  SmallVector<int32_t> segments =
      orderArguments(getInfo(state.name), arguments, operands);
  state.addOperands(operands);
  state.addTypes(results);
  getConcept(state.name)
      .setMILProperties(state, attributes, builder.getStrArrayAttr(resultNames),
                        segments);
}

static Operation *createGeneric(OpBuilder &builder, Location loc,
                                StringRef type,
                                ArrayRef<StatementArgument> arguments,
                                TypeRange results, DictionaryAttr attributes,
                                ArrayRef<StringRef> resultNames) {
  SmallVector<Value> operands;
  SmallVector<StringRef> names;
  SmallVector<int32_t> segments;
  for (const StatementArgument &argument : arguments) {
    names.push_back(argument.name);
    segments.push_back(argument.isTuple ? argument.values.size() : -1);
    llvm::append_range(operands, argument.values);
  }
  return GenericOp::create(builder, loc, results, type, operands,
                           builder.getStrArrayAttr(names), segments, attributes,
                           builder.getStrArrayAttr(resultNames));
}

Operation *mlir::ane::mil::createStatement(
    OpBuilder &builder, Location loc, StringRef type,
    ArrayRef<StatementArgument> arguments, TypeRange results,
    DictionaryAttr attributes, ArrayRef<StringRef> resultNames,
    std::optional<Mismatch> *mismatch) {
  const OpInfo *info = lookupOp(type);
  Block *block = builder.getInsertionBlock();
  std::optional<Mismatch> found;
  if (info)
    found = checkStatement(*info, arguments, attributes, results,
                           getOpset(block ? block->getParentOp() : nullptr));
  bool isTyped = info && !found;
  if (mismatch)
    *mismatch = std::move(found);
  if (!isTyped)
    return createGeneric(builder, loc, type, arguments, results, attributes,
                         resultNames);
  OperationState state(loc, ("mil." + type).str());
  mlir::ane::mil::impl::buildStatement(builder, state, arguments, results,
                                       attributes, resultNames);
  return builder.create(state);
}

//===----------------------------------------------------------------------===//
// Looking at ops of the table
//===----------------------------------------------------------------------===//

unsigned mlir::ane::mil::impl::countArguments(Operation *op) {
  return getInfo(op->getName()).arguments.size();
}

SmallVector<NamedArgument> mlir::ane::mil::impl::nameArguments(
    Operation *op, ArrayRef<std::pair<unsigned, unsigned>> ranges) {
  SmallVector<NamedArgument> result;
  for (auto [row, range] :
       llvm::zip(getInfo(op->getName()).arguments, ranges)) {
    bool isTuple = row.kind == ArgumentInfo::tuple;
    if (range.second || isTuple)
      result.push_back({row.name,
                        op->getOperands().slice(range.first, range.second),
                        isTuple});
  }
  return result;
}

void mlir::ane::mil::impl::nameResults(Operation *op,
                                       OpAsmSetValueNameFn setNameFn) {
  for (auto [value, name] : llvm::zip(
           op->getResults(), cast<MILOpInterface>(op).getMILResultNames()))
    if (!name.empty())
      setNameFn(value, name);
}

LogicalResult mlir::ane::mil::impl::verifyStatement(Operation *op) {
  auto statement = cast<MILOpInterface>(op);
  SmallVector<StringRef> names = statement.getMILResultNames();
  if (!names.empty() && names.size() != op->getNumResults())
    return op->emitOpError("has ") << names.size() << " result names for "
                                   << op->getNumResults() << " results";
  SmallVector<StatementArgument> arguments;
  for (const NamedArgument &argument : statement.getMILArguments())
    arguments.push_back({argument.name, SmallVector<Value, 1>(argument.values),
                         argument.isTuple});
  std::optional<Mismatch> mismatch = checkStatement(
      getInfo(op->getName()), arguments, statement.getMILAttributes(),
      op->getResultTypes(), getOpset(op->getParentOp()));
  if (mismatch)
    return op->emitOpError(mismatch->message);
  return success();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

// name = %value | name = (%value, ...)
static ParseResult parseArguments(OpAsmParser &parser,
                                  StatementSyntax &syntax) {
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    syntax.names.push_back(parser.getBuilder().getStringAttr(name));
    syntax.locs.push_back(loc);
    size_t before = syntax.operands.size();
    if (succeeded(parser.parseOptionalLParen())) {
      if (parser.parseOperandList(syntax.operands) || parser.parseRParen())
        return failure();
      syntax.segments.push_back(syntax.operands.size() - before);
      return success();
    }
    syntax.segments.push_back(-1);
    return parser.parseOperand(syntax.operands.emplace_back());
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                        parseOne);
}

ParseResult mlir::ane::mil::parseSyntax(OpAsmParser &parser,
                                        StatementSyntax &syntax,
                                        OperationState &result) {
  if (parseArguments(parser, syntax) ||
      parser.parseAttribute(syntax.attributes))
    return failure();
  SmallVector<Attribute> resultNames;
  if (succeeded(parser.parseOptionalKeyword("as")) &&
      parser.parseCommaSeparatedList([&]() -> ParseResult {
        StringAttr name;
        if (parser.parseAttribute(name, NoneType::get(parser.getContext())))
          return failure();
        resultNames.push_back(name);
        return success();
      }))
    return failure();
  syntax.resultNames = parser.getBuilder().getArrayAttr(resultNames);
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(syntax.operands, type.getInputs(), loc,
                             syntax.values))
    return failure();
  result.addTypes(type.getResults());
  return success();
}

ParseResult mlir::ane::mil::impl::parseStatement(OpAsmParser &parser,
                                                 OperationState &result) {
  const OpInfo &info = getInfo(result.name);
  StatementSyntax syntax;
  if (parseSyntax(parser, syntax, result))
    return failure();
  SmallVector<StatementArgument> arguments;
  unsigned begin = 0;
  for (auto [name, loc, segment] :
       llvm::zip(syntax.names, syntax.locs, syntax.segments)) {
    StringRef text = cast<StringAttr>(name);
    const ArgumentInfo *row = info.getArgument(text);
    if (!row || (row->kind == ArgumentInfo::tuple) != (segment >= 0))
      return parser.emitError(loc)
             << (row ? row->kind == ArgumentInfo::tuple
                           ? "a tuple in parentheses is expected for '"
                           : "one value without parentheses is expected for '"
                     : "there is no argument '")
             << text << "' of " << info.name;
    for (const StatementArgument &before : arguments)
      if (before.name == text)
        return parser.emitError(loc)
               << "argument '" << text << "' is given twice";
    unsigned size = segment < 0 ? 1 : segment;
    auto values = ArrayRef(syntax.values).slice(begin, size);
    arguments.push_back({text, {values.begin(), values.end()}, segment >= 0});
    begin += size;
  }
  for (const ArgumentInfo &row : info.arguments)
    if (!row.isOptional && !info.hasAttributeForm &&
        llvm::none_of(arguments, [&](const StatementArgument &argument) {
          return argument.name == row.name;
        }))
      return parser.emitError(parser.getNameLoc())
             << info.name << " needs an argument '" << row.name << "'";
  SmallVector<int32_t> segments =
      orderArguments(info, arguments, result.operands);
  getConcept(result.name)
      .setMILProperties(result, syntax.attributes, syntax.resultNames,
                        segments);
  return success();
}

void mlir::ane::mil::printSyntax(OpAsmPrinter &printer, Operation *op,
                                 ArrayRef<StringRef> inherent) {
  auto statement = cast<MILOpInterface>(op);
  printer << '(';
  llvm::interleaveComma(statement.getMILArguments(), printer,
                        [&](const NamedArgument &arg) {
                          printer.printKeywordOrString(arg.name);
                          printer << " = ";
                          if (arg.isTuple)
                            printer << '(';
                          printer.printOperands(arg.values);
                          if (arg.isTuple)
                            printer << ')';
                        });
  printer << ") " << statement.getMILAttributes();
  SmallVector<StringRef> names = statement.getMILResultNames();
  if (!names.empty()) {
    printer << " as ";
    llvm::interleaveComma(names, printer, [&](StringRef name) {
      printer.printAttribute(StringAttr::get(op->getContext(), name));
    });
  }
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(), inherent);
  printer << " : ";
  printer.printFunctionalType(op);
}

void mlir::ane::mil::impl::printStatement(OpAsmPrinter &printer,
                                          Operation *op) {
  printSyntax(printer, op,
              {"op_attributes", "result_names", "operandSegmentSizes"});
}
