//===- ImportProgram.cpp - The program of a message -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message has no lines, so errors say which function and operation they
// concern. How deep it is nested is bounded by the reader of protocol buffers,
// and nothing here is larger than the message that it is made of.
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "ProgramMessages.h"
#include "ProtoValues.h"

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::ane::mil;

namespace {
/// One function.
class FunctionImporter {
public:
  FunctionImporter(OpBuilder &builder, StringRef file, StringRef name)
      : builder(builder), context(builder.getContext()), file(file),
        name(name) {}

  LogicalResult importFunction(const pb::Function &function,
                               TypedAttr flexibleShapes);

private:
  InFlightDiagnostic error();
  Location getLocation() const;
  Type getType(const pb::NamedValueType &value);
  LogicalResult define(StringRef valueName, Value value);
  LogicalResult use(StringRef valueName, Value &value);
  LogicalResult importBlock(const pb::Block &block);
  LogicalResult importLoop(const pb::Operation &operation, TypeRange types,
                           ArrayRef<StringRef> names);
  LogicalResult importRegion(const pb::Block &block, TypeRange types,
                             Region &region, SmallVectorImpl<Value> &results);
  Value extractCondition(Value condition);
  LogicalResult importOperation(const pb::Operation &operation);
  LogicalResult importConst(NamedAttrList &attributes, Type type,
                            StringRef valueName);
  LogicalResult importArgument(StringRef argumentName, const OpInfo *info,
                               const pb::Argument &argument,
                               StatementArgument &result);
  LogicalResult importAttributes(
      const google::protobuf::Map<std::string, pb::Value> &attributes,
      NamedAttrList &result);

  OpBuilder &builder;
  MLIRContext *context;
  StringRef file, name;
  /// Where errors are.
  const pb::Operation *current = nullptr;
  StringRef detail;
  llvm::StringMap<Value> values;
  /// What the block has defined that is being read: it may hide other values.
  llvm::StringSet<> *inBlock = nullptr;
};
} // namespace

// Keys in order, so that the result does not depend on the hash.
template <typename Map> static auto getSorted(const Map &map) {
  SmallVector<std::pair<StringRef, const typename Map::mapped_type *>> result;
  for (const auto &entry : map)
    result.emplace_back(entry.first, &entry.second);
  llvm::sort(result,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  return result;
}

Location FunctionImporter::getLocation() const {
  PackagePlace place{file, name, {}, {}};
  if (current) {
    place.operation = current->type();
    if (current->outputs_size())
      place.output = current->outputs(0).name();
  }
  return packageLocation(context, place);
}

InFlightDiagnostic FunctionImporter::error() {
  InFlightDiagnostic diagnostic = emitError(getLocation());
  diagnostic << "function '" << name << "'";
  if (current) {
    diagnostic << ", operation '" << current->type() << "'";
    if (current->outputs_size())
      diagnostic << " of '" << current->outputs(0).name() << "'";
  }
  if (!detail.empty())
    diagnostic << ", '" << detail << "'";
  diagnostic << ": ";
  return diagnostic;
}

Type FunctionImporter::getType(const pb::NamedValueType &value) {
  return importType(value.type(), context, [&] { return error(); });
}

LogicalResult FunctionImporter::define(StringRef valueName, Value value) {
  if (!isIdentifier(valueName))
    return error() << "name '" << valueName << "' is not an identifier";
  bool isNew =
      inBlock ? inBlock->insert(valueName).second : !values.contains(valueName);
  if (!isNew)
    return error() << "value '" << valueName << "' is defined twice";
  values[valueName] = value;
  return success();
}

LogicalResult FunctionImporter::use(StringRef valueName, Value &value) {
  value = values.lookup(valueName);
  if (!value)
    return error() << "value '" << valueName << "' is not defined here";
  return success();
}

LogicalResult FunctionImporter::importAttributes(
    const google::protobuf::Map<std::string, pb::Value> &attributes,
    NamedAttrList &result) {
  for (auto [key, value] : getSorted(attributes)) {
    detail = key;
    if (!isIdentifier(key))
      return error() << "the name of an attribute is not an identifier";
    TypedAttr imported = importValue(*value, context, [&] { return error(); });
    if (!imported)
      return failure();
    result.append(key, imported);
  }
  detail = {};
  return success();
}

LogicalResult FunctionImporter::importArgument(StringRef argumentName,
                                               const OpInfo *info,
                                               const pb::Argument &argument,
                                               StatementArgument &result) {
  detail = argumentName;
  result.name = argumentName;
  if (!isIdentifier(argumentName))
    return error() << "the name of an argument is not an identifier";
  // One binding may be a tuple of one; the table knows.
  const ArgumentInfo *known = info ? info->getArgument(argumentName) : nullptr;
  result.isTuple = argument.arguments_size() != 1 ||
                   (known && known->kind == ArgumentInfo::tuple);
  for (const auto &binding : argument.arguments()) {
    Value &value = result.values.emplace_back();
    if (binding.has_value()) {
      TypedAttr constant =
          importValue(binding.value(), context, [&] { return error(); });
      if (!constant)
        return failure();
      value = ConstOp::create(builder, getLocation(), constant.getType(),
                              constant, /*is_inline=*/true,
                              builder.getDictionaryAttr({}), StringAttr());
    } else if (failed(use(binding.name(), value))) {
      return failure();
    }
  }
  detail = {};
  return success();
}

LogicalResult FunctionImporter::importConst(NamedAttrList &attributes,
                                            Type type, StringRef valueName) {
  auto value = dyn_cast_or_null<TypedAttr>(attributes.erase("val"));
  if (!value)
    return error() << "a const needs an attribute 'val'";
  if (value.getType() != type)
    return error() << "const has type " << type << ", but its value "
                   << value.getType();
  if (isConstant(values.lookup(valueName), value))
    return success();
  auto op =
      ConstOp::create(builder, getLocation(), type, value,
                      /*is_inline=*/false, attributes.getDictionary(context),
                      builder.getStringAttr(valueName));
  return define(valueName, op);
}

LogicalResult
FunctionImporter::importOperation(const pb::Operation &operation) {
  current = &operation;
  if (!isIdentifier(operation.type()))
    return error() << "the operation is not an identifier";
  bool isLoop = operation.type() == "while_loop";
  if (operation.blocks_size() && !isLoop)
    return error() << "has " << operation.blocks_size()
                   << " blocks, but control flow is not supported; choose by "
                      "'select', or unroll the loop before the network is "
                      "converted";
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (const pb::NamedValueType &output : operation.outputs()) {
    types.push_back(getType(output));
    if (!types.back())
      return failure();
    names.push_back(output.name());
  }
  if (isLoop)
    return importLoop(operation, types, names);
  NamedAttrList attributes;
  if (failed(importAttributes(operation.attributes(), attributes)))
    return failure();
  if (operation.type() == "const") {
    if (types.size() != 1)
      return error() << "has " << types.size() << " results, but needs one";
    return importConst(attributes, types.front(), names.front());
  }
  const OpInfo *info = lookupOp(operation.type());
  SmallVector<StatementArgument> arguments;
  for (auto [key, argument] : getSorted(operation.inputs()))
    if (failed(importArgument(key, info, *argument, arguments.emplace_back())))
      return failure();
  std::optional<Mismatch> mismatch;
  Operation *op = createStatement(
      builder, getLocation(), operation.type(), arguments, types,
      attributes.getDictionary(context), names, &mismatch);
  if (mismatch && mismatch->isCertain)
    return error() << mismatch->message;
  for (auto [valueName, value] : llvm::zip(names, op->getResults()))
    if (failed(define(valueName, value)))
      return failure();
  return success();
}

/// The statements of `block` as those of `region`, which is empty, and what the
/// block returns. Its values are not seen outside.
LogicalResult FunctionImporter::importRegion(const pb::Block &block,
                                             TypeRange types, Region &region,
                                             SmallVectorImpl<Value> &results) {
  llvm::SaveAndRestore outerNames(inBlock);
  llvm::SaveAndRestore outerValues(values);
  llvm::SaveAndRestore outerOperation(current);
  llvm::StringSet<> names;
  inBlock = &names;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), getLocation());
  Block *body = builder.createBlock(&region, {}, types, locations);
  if (static_cast<size_t>(block.inputs_size()) != types.size())
    return error() << "has a block with " << block.inputs_size()
                   << " inputs, but " << types.size() << " values to carry";
  for (auto [input, value] : llvm::zip(block.inputs(), body->getArguments())) {
    Type type = getType(input);
    if (!type)
      return failure();
    if (type != value.getType())
      return error() << "carries '" << input.name() << "' of type " << type
                     << ", but begins with " << value.getType();
    if (failed(define(input.name(), value)))
      return failure();
  }
  for (const pb::Operation &operation : block.operations())
    if (failed(importOperation(operation)))
      return failure();
  for (const std::string &output : block.outputs())
    if (failed(use(output, results.emplace_back())))
      return failure();
  return success();
}

/// The bool that a condition is: itself, or the one element of a tensor. Null
/// for anything else.
Value FunctionImporter::extractCondition(Value condition) {
  auto tensor = dyn_cast<RankedTensorType>(condition.getType());
  if (!tensor && condition.getType().isInteger(1))
    return condition;
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() != 1 ||
      !tensor.getElementType().isInteger(1))
    return {};
  context->getOrLoadDialect<arith::ArithDialect>();
  context->getOrLoadDialect<tensor::TensorDialect>();
  Value zero = arith::ConstantIndexOp::create(builder, getLocation(), 0);
  SmallVector<Value> place(tensor.getRank(), zero);
  return tensor::ExtractOp::create(builder, getLocation(), condition, place);
}

// A loop is one of MLIR's: its first block gives the condition and passes on
// what it got, the second makes of that what the next trip gets.
LogicalResult FunctionImporter::importLoop(const pb::Operation &operation,
                                           TypeRange types,
                                           ArrayRef<StringRef> names) {
  context->getOrLoadDialect<scf::SCFDialect>();
  if (operation.blocks_size() != 2)
    return error() << "has " << operation.blocks_size()
                   << " blocks, but needs two: a condition and a body";
  auto found = operation.inputs().find("loop_vars");
  if (found == operation.inputs().end())
    return error() << "has no argument 'loop_vars'";
  StatementArgument first;
  if (failed(importArgument("loop_vars", nullptr, found->second, first)))
    return failure();
  if (TypeRange(ValueRange(first.values)) != types)
    return error() << "begins with " << first.values.size() << " values of "
                   << "other types than those of its " << types.size()
                   << " results";
  auto loop = scf::WhileOp::create(builder, getLocation(), types, first.values);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> condition, next;
  if (failed(importRegion(operation.blocks(0), types, loop.getBefore(),
                          condition)))
    return failure();
  builder.setInsertionPointToEnd(loop.getBeforeBody());
  Value isTaken =
      condition.size() == 1 ? extractCondition(condition.front()) : Value();
  if (!isTaken)
    return error() << "has a condition that is not one bool";
  scf::ConditionOp::create(builder, getLocation(), isTaken,
                           loop.getBeforeArguments());
  if (failed(importRegion(operation.blocks(1), types, loop.getAfter(), next)))
    return failure();
  if (TypeRange(ValueRange(next)) != types)
    return error() << "has a body whose " << next.size()
                   << " results have other types than the " << types.size()
                   << " values that it carries";
  builder.setInsertionPointToEnd(loop.getAfterBody());
  scf::YieldOp::create(builder, getLocation(), next);
  builder.setInsertionPointAfter(loop);
  // Its results have no names of their own.
  for (auto [name, value] : llvm::zip(names, loop.getResults())) {
    StatementArgument x;
    x.name = "x";
    x.values.push_back(value);
    Operation *named =
        createStatement(builder, getLocation(), "identity", x, value.getType(),
                        builder.getDictionaryAttr({}), StringRef(name));
    if (failed(define(name, named->getResult(0))))
      return failure();
  }
  return success();
}

LogicalResult FunctionImporter::importBlock(const pb::Block &block) {
  if (block.inputs_size())
    return error() << "the block has " << block.inputs_size()
                   << " inputs, but those of the function are its inputs";
  for (const pb::Operation &operation : block.operations())
    if (failed(importOperation(operation)))
      return failure();
  current = nullptr;
  SmallVector<Value> results;
  for (const std::string &output : block.outputs())
    if (failed(use(output, results.emplace_back())))
      return failure();
  ReturnOp::create(builder, getLocation(), results);
  return success();
}

LogicalResult FunctionImporter::importFunction(const pb::Function &function,
                                               TypedAttr flexibleShapes) {
  if (!isIdentifier(name))
    return error() << "its name is not an identifier";
  StringRef opset = parseOpsetName(function.opset());
  if (opset.empty())
    return error() << "opset '" << function.opset()
                   << "' is unknown; CoreML5 to CoreML9 are";
  auto block = function.block_specializations().find(function.opset());
  if (block == function.block_specializations().end())
    return error() << "has no block for its opset " << function.opset();
  SmallVector<StringRef> names;
  SmallVector<Type> types;
  for (const pb::NamedValueType &input : function.inputs()) {
    detail = input.name();
    names.push_back(input.name());
    types.push_back(getType(input));
    if (!types.back())
      return failure();
  }
  detail = {};
  NamedAttrList attributes;
  if (failed(importAttributes(function.attributes(), attributes)))
    return failure();
  if (flexibleShapes && !attributes.get(kFlexibleShapes))
    attributes.append(kFlexibleShapes, flexibleShapes);
  auto func = FuncOp::create(builder, getLocation(), name, opset, names, types,
                             attributes.getDictionary(context));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&func.getBody().front());
  for (auto [valueName, value] :
       llvm::zip(names, func.getBody().getArguments()))
    if (failed(define(valueName, value)))
      return failure();
  return importBlock(block->second);
}

// Strings by strings, as buildInfo, are an attribute of MLIR's.
static Attribute simplifyDict(TypedAttr value) {
  auto compound = dyn_cast<CompoundAttr>(value);
  auto dict = compound ? dyn_cast<DictType>(compound.getType()) : DictType();
  if (!dict || !isa<StringType>(dict.getKey()) ||
      !isa<StringType>(dict.getValue()))
    return value;
  NamedAttrList entries;
  for (Attribute entry : compound.getElements()) {
    auto pair = cast<ArrayAttr>(entry);
    StringRef key = cast<StringAttr>(pair[0]).getValue();
    if (key.empty() || entries.get(key))
      return value;
    entries.append(key, StringAttr::get(value.getContext(),
                                        cast<StringAttr>(pair[1]).getValue()));
  }
  return entries.getDictionary(value.getContext());
}

LogicalResult mlir::ane::mil::importModel(const pb::Model &model,
                                          StringRef file, ModuleOp module) {
  MLIRContext *context = module.getContext();
  Location loc = FileLineColLoc::get(context, file, 0, 0);
  if (!model.has_ml_program())
    return emitError(loc, "the model of the package is no ML program; if it is "
                          "a neural network, give the model file instead of "
                          "the package");
  const pb::Program &message = model.ml_program();
  if (message.version() != 1)
    return emitError(loc) << "version of the program is " << message.version()
                          << ", but only 1 is known";
  NamedAttrList attributes;
  for (auto [key, value] : getSorted(message.attributes())) {
    auto error = [&, key = key] {
      return emitError(loc) << "attribute '" << key << "' of the program: ";
    };
    if (!isIdentifier(key))
      return error() << "its name is not an identifier";
    TypedAttr imported = importValue(*value, context, error);
    if (!imported)
      return failure();
    attributes.append(key, simplifyDict(imported));
  }
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(module.getBody());
  StringRef version =
      model.specification_version() < kFormatOfIOS18 ? "1.0" : "1.3";
  auto program = ProgramOp::create(builder, loc, version,
                                   attributes.getDictionary(context));
  StringRef chosen = model.description().default_function_name();
  if (message.functions().contains(chosen.str()))
    program.setDefaultFunction(chosen);
  builder.setInsertionPointToEnd(&program.getBody().front());
  for (auto [name, function] : getSorted(message.functions())) {
    const auto *inputs = &model.description().input();
    for (const pb::FunctionDescription &own : model.description().functions())
      if (StringRef(own.name()) == name)
        inputs = &own.input();
    if (failed(FunctionImporter(builder, file, name)
                   .importFunction(*function,
                                   importFlexibleShapes(*inputs, context))))
      return failure();
  }
  return success();
}
