//===- Convert.cpp - Programs for other opsets and spellings --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/MIL/Convert.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Opsets
//===----------------------------------------------------------------------===//

namespace {
// A statement of the table, taken apart to be built anew.
class Rewriter {
public:
  Rewriter(Operation *op, const OpInfo &info, unsigned opset)
      : op(op), statement(cast<MILOpInterface>(op)), info(info), opset(opset),
        builder(op) {
    for (const NamedArgument &argument : statement.getMILArguments())
      arguments.push_back({argument.name,
                           SmallVector<Value, 1>(argument.values),
                           argument.isTuple});
    attributes = NamedAttrList(statement.getMILAttributes());
    if (auto all =
            op->getAttrOfType<DictionaryAttr>(MILDialect::getWrittenAttrName()))
      written = NamedAttrList(all);
  }

  LogicalResult run();

private:
  void dropDefaults();
  LogicalResult moveToAttributes();
  void moveToArguments();
  void rebuild();

  Operation *op;
  MILOpInterface statement;
  const OpInfo &info;
  unsigned opset;
  OpBuilder builder;
  SmallVector<StatementArgument> arguments;
  NamedAttrList attributes, written;
  SmallVector<ConstOp> moved;
  bool isChanged = false;
};
} // namespace

static ConstOp getConst(const StatementArgument &argument) {
  return argument.values.size() == 1
             ? argument.values.front().getDefiningOp<ConstOp>()
             : ConstOp();
}

static bool isDefault(const ArgumentInfo &row, ConstOp constant) {
  if (!constant || row.defaultText.empty())
    return false;
  Attribute value = constant.getValue();
  if (auto text = dyn_cast<StringAttr>(value))
    return text.getValue() == row.defaultText;
  if (auto flag = dyn_cast<BoolAttr>(value))
    return row.getDefaultBool() == flag.getValue();
  if (auto number = dyn_cast<IntegerAttr>(value))
    return row.getDefaultInteger() == number.getValue().getSExtValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return row.getDefaultNumber() == number.getValueAsDouble();
  return false;
}

void Rewriter::dropDefaults() {
  size_t before = arguments.size();
  llvm::erase_if(arguments, [&](const StatementArgument &argument) {
    const ArgumentInfo *row = info.getArgument(argument.name);
    ConstOp constant = getConst(argument);
    bool drop = row->firstOpset > opset && isDefault(*row, constant);
    if (drop)
      moved.push_back(constant);
    return drop;
  });
  isChanged |= arguments.size() != before;
}

// constexpr_cast(source_val = c, ...) -> constexpr_cast()[source_val = ...,
// ...]
LogicalResult Rewriter::moveToAttributes() {
  for (const StatementArgument &argument : arguments) {
    ConstOp constant = getConst(argument);
    if (!constant)
      return op->emitError()
             << info.name << ": argument '" << argument.name
             << "' is computed, but before ios18 it is an attribute; put its "
                "value there with --evaluate-constexpr while reading";
    if (constant.getValue().getType() != constant.getType())
      return op->emitError()
             << info.name << ": argument '" << argument.name << "' of type "
             << constant.getType() << " has a value of type "
             << constant.getValue().getType()
             << ", but before ios18 it is an attribute, which has one type";
    attributes.set(argument.name, constant.getValue());
    if (auto all = constant->getAttrOfType<DictionaryAttr>(
            MILDialect::getWrittenAttrName()))
      written.set(argument.name, all.get("val"));
    moved.push_back(constant);
    isChanged = true;
  }
  arguments.clear();
  return success();
}

void Rewriter::moveToArguments() {
  for (const ArgumentInfo &row : info.arguments) {
    auto value = dyn_cast_or_null<TypedAttr>(attributes.get(row.name));
    if (!value)
      continue;
    attributes.erase(row.name);
    auto constant = ConstOp::create(
        builder, op->getLoc(), value.getType(), value, /*is_inline=*/true,
        builder.getDictionaryAttr({}), StringAttr());
    if (Attribute numbers = written.erase(row.name))
      constant->setDiscardableAttr(
          MILDialect::getWrittenAttrName(),
          builder.getDictionaryAttr(builder.getNamedAttr("val", numbers)));
    arguments.push_back({row.name, {constant}});
    isChanged = true;
  }
}

void Rewriter::rebuild() {
  Operation *fresh = createStatement(builder, op->getLoc(), info.name,
                                     arguments, op->getResultTypes(),
                                     attributes.getDictionary(op->getContext()),
                                     statement.getMILResultNames());
  fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  fresh->removeDiscardableAttr(MILDialect::getWrittenAttrName());
  if (!written.empty())
    fresh->setDiscardableAttr(MILDialect::getWrittenAttrName(),
                              written.getDictionary(op->getContext()));
  op->replaceAllUsesWith(fresh);
  op->erase();
  for (ConstOp constant : moved)
    if (constant->use_empty())
      constant->erase();
}

LogicalResult Rewriter::run() {
  dropDefaults();
  if (info.hasAttributeForm) {
    if (opset < 18) {
      if (failed(moveToAttributes()))
        return failure();
    } else {
      moveToArguments();
    }
  }
  std::optional<Mismatch> mismatch = checkStatement(
      info, arguments, attributes.getDictionary(op->getContext()),
      op->getResultTypes(), opset);
  if (mismatch) {
    auto error = op->emitError() << info.name << ' ' << mismatch->message;
    if (info.hasAttributeForm)
      error << "; read the program with --evaluate-constexpr";
    return error;
  }
  if (isChanged)
    rebuild();
  return success();
}

LogicalResult mlir::ane::mil::convertOpset(ProgramOp program, StringRef opset) {
  std::optional<unsigned> number = parseOpset(opset);
  if (!number || !existsOpset(*number))
    return program.emitError("--opset is '")
           << opset << "', but must be one of ios15 to ios18, or ios26";
  for (auto func : program.getBody().getOps<FuncOp>()) {
    if (func.getOpset() == opset)
      continue;
    func.setOpset(opset);
    for (Operation &op :
         llvm::make_early_inc_range(func.getBody().front().getOperations()))
      if (isa<MILTypedOpInterface>(op))
        if (failed(
                Rewriter(&op, *cast<MILOpInterface>(op).getMILInfo(), *number)
                    .run()))
          return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Spellings
//===----------------------------------------------------------------------===//

// The part of a type that only program(1.3) has, or null. *Seen*: programs in
// the old spelling have neither states nor elements of less than a byte.
static Type findNewType(Type type) {
  auto first = [](ArrayRef<Type> types) {
    for (Type one : types)
      if (Type found = findNewType(one))
        return found;
    return Type();
  };
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<StateType>([](Type state) { return state; })
      .Case<RankedTensorType>(
          [](auto tensor) { return findNewType(tensor.getElementType()); })
      .Case<IntegerType>([](IntegerType integer) {
        bool isSmall = integer.getWidth() < 8 && !integer.isSignlessInteger(1);
        return isSmall ? Type(integer) : Type();
      })
      .Case<ListType>([](auto list) { return findNewType(list.getElement()); })
      .Case<mlir::ane::mil::TupleType>(
          [&](auto tuple) { return first(tuple.getElements()); })
      .Case<DictType>(
          [&](auto dict) { return first({dict.getKey(), dict.getValue()}); })
      .Default([](Type) { return Type(); });
}

static LogicalResult checkOldType(Operation *op, Type type) {
  Type found = findNewType(type);
  if (!found)
    return success();
  return op->emitError("type ")
         << found << " exists in program(1.3) only; leave out --mil-version=1.0"
         << (isa<StateType>(found)
                 ? ""
                 : ", or read the program with --evaluate-constexpr");
}

static LogicalResult checkOldAttributes(Operation *op,
                                        DictionaryAttr attributes) {
  for (NamedAttribute attribute : attributes)
    if (auto value = dyn_cast<TypedAttr>(attribute.getValue()))
      if (failed(checkOldType(op, value.getType())))
        return failure();
  return success();
}

LogicalResult mlir::ane::mil::checkOldSpelling(ProgramOp program) {
  for (auto func : program.getBody().getOps<FuncOp>()) {
    for (Type type : func.getBody().getArgumentTypes())
      if (failed(checkOldType(func, type)))
        return failure();
    if (failed(checkOldAttributes(func, func.getFuncAttributes())))
      return failure();
    for (Operation &op : func.getBody().front()) {
      for (Type type : op.getResultTypes())
        if (failed(checkOldType(&op, type)))
          return failure();
      if (auto statement = dyn_cast<MILOpInterface>(op))
        if (failed(checkOldAttributes(&op, statement.getMILAttributes())))
          return failure();
    }
  }
  return checkOldAttributes(program, program.getProgramAttributes());
}
