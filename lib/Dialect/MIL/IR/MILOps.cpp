//===- MILOps.cpp - Ops of the mil dialect --------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statement.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::ane::mil;

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILOps.cpp.inc"

// SSA names in MLIR text follow those of MIL.
static void nameValue(OpAsmSetValueNameFn setNameFn, Value value,
                      StringRef name) {
  if (!name.empty())
    setNameFn(value, name);
}

//===----------------------------------------------------------------------===//
// mil.program
//===----------------------------------------------------------------------===//

void ProgramOp::build(OpBuilder &builder, OperationState &state,
                      StringRef version, DictionaryAttr attributes) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.version = builder.getStringAttr(version);
  properties.program_attributes = attributes;
  state.addRegion()->emplaceBlock();
}

LogicalResult ProgramOp::verify() {
  if (getVersion() != "1.0" && getVersion() != "1.3")
    return emitOpError("version is '")
           << getVersion() << "', but must be '1.0' or '1.3'";
  for (Operation &op : *getBody().begin())
    if (!isa<FuncOp>(op))
      return op.emitOpError("is not a mil.func, but stands in a mil.program");
  return success();
}

//===----------------------------------------------------------------------===//
// mil.func
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   StringRef opset, ArrayRef<StringRef> argNames,
                   TypeRange argTypes, DictionaryAttr attributes) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.opset = builder.getStringAttr(opset);
  properties.arg_names = builder.getStrArrayAttr(argNames);
  properties.func_attributes = attributes;
  Block &body = state.addRegion()->emplaceBlock();
  for (Type type : argTypes)
    body.addArgument(type, state.location);
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(properties.sym_name) ||
      parser.parseKeyword("opset") || parser.parseAttribute(properties.opset) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseKeyword("names") ||
      parser.parseAttribute(properties.arg_names) ||
      parser.parseAttribute(properties.func_attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " opset " << getOpsetAttr() << " (";
  llvm::interleaveComma(
      getBody().getArguments(), printer,
      [&](BlockArgument arg) { printer.printRegionArgument(arg); });
  printer << ") names " << getArgNames() << ' ' << getFuncAttributes();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"sym_name", "opset", "arg_names", "func_attributes"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setNameFn) {
  for (auto [arg, name] :
       llvm::zip(region.getArguments(), getArgNames().getAsRange<StringAttr>()))
    nameValue(setNameFn, arg, name);
}

static SmallVector<StringRef> getResultNames(Operation &op) {
  if (auto constant = dyn_cast<ConstOp>(op))
    return {constant.getResultName().value_or("")};
  if (auto statement = dyn_cast<MILOpInterface>(op))
    return statement.getMILResultNames();
  return {};
}

LogicalResult FuncOp::verify() {
  if (!parseOpset(getOpset()))
    return emitOpError("opset is '")
           << getOpset() << "', but must be like 'ios18'";
  if (getArgNames().size() != getBody().getNumArguments())
    return emitOpError("has ") << getArgNames().size() << " argument names for "
                               << getBody().getNumArguments() << " arguments";
  return success();
}

// Names are given once and are words; the text could not be read otherwise. The
// ops have been verified before.
LogicalResult FuncOp::verifyRegions() {
  llvm::StringSet<> seen;
  auto check = [&](Operation *op, StringRef name) -> LogicalResult {
    if (name.empty())
      return success();
    if (!isIdentifier(name))
      return op->emitOpError("name '") << name << "' is not an identifier";
    if (!seen.insert(name).second)
      return op->emitOpError("name '") << name << "' is given twice";
    return success();
  };
  for (auto name : getArgNames().getAsRange<StringAttr>())
    if (failed(check(*this, name)))
      return failure();
  for (Operation &op : *getBody().begin())
    for (StringRef name : getResultNames(op))
      if (failed(check(&op, name)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// mil.const
//===----------------------------------------------------------------------===//

OpFoldResult ConstOp::fold(FoldAdaptor) {
  return getValue().getType() == getType() ? getValue() : nullptr;
}

void ConstOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  nameValue(setNameFn, getResult(), getResultName().value_or(""));
}

LogicalResult ConstOp::verify() {
  Type value = getValue().getType(), result = getType();
  if (value == result)
    return success();
  auto from = dyn_cast<RankedTensorType>(value);
  auto to = dyn_cast<RankedTensorType>(result);
  if (!from || !to || from.getShape() != to.getShape() ||
      !from.getElementType().isF32() || !to.getElementType().isF16())
    return emitOpError("value has type ")
           << value << ", but the result has type " << result
           << "; only f32 elements may be rounded, to f16";
  return success();
}

//===----------------------------------------------------------------------===//
// mil.op
//===----------------------------------------------------------------------===//

StringRef GenericOp::getMILType() { return getOpType(); }

SmallVector<NamedArgument> GenericOp::getMILArguments() {
  SmallVector<NamedArgument> result;
  unsigned begin = 0;
  for (auto [name, segment] :
       llvm::zip(getArgNames().getAsRange<StringAttr>(), getSegments())) {
    unsigned size = segment < 0 ? 1 : segment;
    result.push_back({name, getOperands().slice(begin, size), segment >= 0});
    begin += size;
  }
  return result;
}

void GenericOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  for (auto [value, name] : llvm::zip(getResults(), getMILResultNames()))
    nameValue(setNameFn, value, name);
}

LogicalResult GenericOp::verify() {
  if (!isIdentifier(getOpType()))
    return emitOpError("operation '")
           << getOpType() << "' is not an identifier";
  if (getArgNames().size() != getSegments().size())
    return emitOpError("has ") << getArgNames().size() << " argument names for "
                               << getSegments().size() << " segments";
  uint64_t operands = 0;
  for (int32_t segment : getSegments())
    operands += segment < 0 ? 1 : segment;
  if (operands != getNumOperands())
    return emitOpError("segments cover ")
           << operands << " operands of " << getNumOperands();
  llvm::StringSet<> seen;
  for (auto name : getArgNames().getAsRange<StringAttr>())
    if (!isIdentifier(name) || !seen.insert(name).second)
      return emitOpError("argument name ")
             << name << " is no identifier or stands twice";
  if (!getResultNames().empty() && getResultNames().size() != getNumResults())
    return emitOpError("has ")
           << getResultNames().size() << " result names for " << getNumResults()
           << " results";
  return success();
}

ParseResult GenericOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  StatementSyntax syntax;
  if (parser.parseAttribute(properties.op_type) ||
      parseSyntax(parser, syntax, result))
    return failure();
  Builder &builder = parser.getBuilder();
  result.addOperands(syntax.values);
  properties.arg_names = builder.getArrayAttr(syntax.names);
  properties.segments = builder.getDenseI32ArrayAttr(syntax.segments);
  properties.op_attributes = syntax.attributes;
  properties.result_names = syntax.resultNames;
  return success();
}

void GenericOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOpTypeAttr();
  printSyntax(
      printer, *this,
      {"op_type", "arg_names", "segments", "op_attributes", "result_names"});
}
