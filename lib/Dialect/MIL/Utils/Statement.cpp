//===- Statement.cpp - Look at and make MIL statements --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Utils/Statement.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane::mil;

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

Value Statement::get(StringRef name) const {
  ValueRange values = getTuple(name);
  return values.size() == 1 ? values.front() : Value();
}

ValueRange Statement::getTuple(StringRef name) const {
  for (const NamedArgument &argument : arguments)
    if (argument.name == name)
      return argument.values;
  return {};
}

ConstOp Statement::getConst(StringRef name) const {
  Value value = get(name);
  return value ? value.getDefiningOp<ConstOp>() : ConstOp();
}

std::optional<SmallVector<int64_t>>
Statement::getIntegers(StringRef name) const {
  ConstOp constant = getConst(name);
  if (!constant)
    return std::nullopt;
  auto widen = [](const APInt &number, Type type) {
    bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
    return isUnsigned ? int64_t(number.getZExtValue()) : number.getSExtValue();
  };
  if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
    return SmallVector<int64_t>{widen(number.getValue(), number.getType())};
  auto dense = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  if (!dense)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (const APInt &number : dense.getValues<APInt>())
    result.push_back(widen(number, dense.getElementType()));
  return result;
}

std::optional<int64_t> Statement::getInteger(StringRef name) const {
  auto integers = getIntegers(name);
  if (!integers || integers->size() != 1)
    return std::nullopt;
  return integers->front();
}

bool Statement::getBool(StringRef name, bool otherwise) const {
  return getInteger(name).value_or(otherwise);
}

StringRef Statement::getString(StringRef name, StringRef otherwise) const {
  ConstOp constant = getConst(name);
  auto string =
      constant ? dyn_cast<StringAttr>(constant.getValue()) : StringAttr();
  return string ? string.getValue() : otherwise;
}

std::optional<double> Statement::getNumber(StringRef name) const {
  ConstOp constant = getConst(name);
  if (!constant)
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
    return number.getValueAsDouble();
  auto dense = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  if (!dense || dense.getNumElements() != 1)
    return std::nullopt;
  APFloat number = dense.getSplatValue<APFloat>();
  bool loses;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

RankedTensorType Statement::getTensor(StringRef name) const {
  Value value = get(name);
  return value ? dyn_cast<RankedTensorType>(value.getType())
               : RankedTensorType();
}

RankedTensorType Statement::getResultTensor() const {
  return op->getNumResults()
             ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
             : RankedTensorType();
}

MILOpInterface mlir::ane::mil::getStatement(Value value) {
  return value ? value.getDefiningOp<MILOpInterface>() : MILOpInterface();
}

StringRef mlir::ane::mil::getValueName(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto func = cast<FuncOp>(arg.getOwner()->getParentOp());
    return cast<StringAttr>(func.getArgNames()[arg.getArgNumber()]).getValue();
  }
  if (auto constant = value.getDefiningOp<ConstOp>())
    return constant.getResultName().value_or("");
  auto op = value.getDefiningOp<MILOpInterface>();
  SmallVector<StringRef> names =
      op ? op.getMILResultNames() : SmallVector<StringRef>();
  unsigned number = cast<OpResult>(value).getResultNumber();
  return number < names.size() ? names[number] : "";
}

bool mlir::ane::mil::isInline(Value value) {
  auto constant = value.getDefiningOp<ConstOp>();
  return constant && constant.getIsInline();
}

FailureOr<DenseMap<Value, std::string>>
mlir::ane::mil::nameValues(FuncOp func) {
  Block &body = func.getBody().front();
  for (Value value : body.getTerminator()->getOperands())
    if (isInline(value))
      return func.emitOpError("returns a value in place, which has no name");
  SmallVector<Value> values(body.getArguments());
  for (Operation &op : body)
    llvm::append_range(values, op.getResults());
  llvm::StringSet<> taken;
  for (Value value : values)
    taken.insert(getValueName(value));
  DenseMap<Value, std::string> names;
  unsigned counter = 0;
  for (Value value : values) {
    if (isInline(value))
      continue;
    std::string &name = names[value] = getValueName(value).str();
    // A network of another format may have any names.
    if (!name.empty() && makeIdentifier(name) != name) {
      name = makeIdentifier(name);
      while (!taken.insert(name).second)
        name += '_';
    }
    while (name.empty()) {
      std::string candidate = ("v" + Twine(counter++)).str();
      if (taken.insert(candidate).second)
        name = candidate;
    }
  }
  return names;
}

SmallVector<std::string> mlir::ane::mil::nameOutputs(FuncOp func,
                                                     ValueRange outputs) {
  llvm::StringSet<> taken;
  // A state that is returned is not the one that came in.
  for (Value argument : func.getBody().getArguments())
    if (isa<StateType>(argument.getType()))
      taken.insert(getValueName(argument));
  SmallVector<std::string> names;
  for (Value value : outputs) {
    StringRef name = getValueName(value);
    names.push_back(taken.insert(name).second ? name.str() : "");
  }
  // Only now: a name of the text goes before one that is made.
  for (auto [value, name] : llvm::zip_equal(outputs, names)) {
    if (!name.empty() || getValueName(value).empty())
      continue;
    name = (getValueName(value) + "_out").str();
    while (!taken.insert(name).second)
      name += '_';
  }
  return names;
}

std::string mlir::ane::mil::makeIdentifier(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  if (result.empty() || llvm::isDigit(result[0]))
    result.insert(0, "_");
  return result;
}

void mlir::ane::mil::setValueName(Value value, StringRef name) {
  Builder builder(value.getContext());
  if (auto constant = value.getDefiningOp<ConstOp>())
    return constant.setResultName(name);
  auto op = value.getDefiningOp<MILOpInterface>();
  SmallVector<StringRef> names = op.getMILResultNames();
  names.resize(op->getNumResults());
  names[cast<OpResult>(value).getResultNumber()] = name;
  op.setMILResultNames(builder.getStrArrayAttr(names));
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

NameTable::NameTable(FuncOp func) {
  for (Value argument : func.getBody().getArguments())
    names.insert(getValueName(argument));
  func.walk([&](Operation *op) {
    for (Value value : op->getResults())
      names.insert(getValueName(value));
  });
}

std::string NameTable::makeUnique(const Twine &wanted) {
  constexpr int maxUnderscores = 8;
  std::string result = wanted.str();
  for (int i = 0; i < maxUnderscores; ++i) {
    if (names.insert(result).second)
      return result;
    result += '_';
  }
  // Trips of a loop are as many as there are: numbers, each tried once.
  unsigned &number = numbers[result];
  std::string numbered;
  do
    numbered = result + std::to_string(number++);
  while (!names.insert(numbered).second);
  return numbered;
}

SmallVector<NewArgument>
mlir::ane::mil::copyArguments(const Statement &statement,
                              ArrayRef<StringRef> without) {
  SmallVector<NewArgument> result;
  for (const NamedArgument &argument : statement.getArguments()) {
    if (llvm::is_contained(without, argument.name))
      continue;
    if (argument.isTuple)
      result.emplace_back(argument.name, ValueRange(argument.values));
    else
      result.emplace_back(argument.name, argument.values.front());
  }
  return result;
}

static DictionaryAttr nameAttribute(OpBuilder &builder, StringRef name) {
  auto string = StringAttr::get(name, StringType::get(builder.getContext()));
  return builder.getDictionaryAttr(builder.getNamedAttr("name", string));
}

Value StatementBuilder::constant(TypedAttr value, Type type,
                                 const Twine &suffix) {
  std::string name = names.makeUnique(base + "_" + suffix);
  return ConstOp::create(builder, loc, type, value,
                         /*is_inline=*/false, nameAttribute(builder, name),
                         builder.getStringAttr(name));
}

Value StatementBuilder::string(StringRef value, const Twine &suffix) {
  return constant(StringAttr::get(value, StringType::get(builder.getContext())),
                  suffix);
}

Value StatementBuilder::boolean(bool value, const Twine &suffix) {
  return constant(builder.getBoolAttr(value), suffix);
}

Value StatementBuilder::integer(int64_t value, const Twine &suffix) {
  return constant(builder.getI32IntegerAttr(value), suffix);
}

Value StatementBuilder::integers(ArrayRef<int64_t> values,
                                 const Twine &suffix) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return constant(builder.getI32TensorAttr(narrow), suffix);
}

Value StatementBuilder::number(Type element, double value,
                               const Twine &suffix) {
  return constant(builder.getFloatAttr(element, value), suffix);
}

Value StatementBuilder::parameter(TypedAttr value) {
  return ConstOp::create(builder, loc, value.getType(), value,
                         /*is_inline=*/true, builder.getDictionaryAttr({}),
                         StringAttr());
}

// Names of arguments are sorted, as Apple's printer writes them.
static SmallVector<StatementArgument> sorted(ArrayRef<NewArgument> arguments) {
  SmallVector<StatementArgument> result(arguments.begin(), arguments.end());
  llvm::sort(result,
             [](const StatementArgument &a, const StatementArgument &b) {
               return a.name < b.name;
             });
  return result;
}

Value StatementBuilder::emit(StringRef type, ArrayRef<NewArgument> arguments,
                             Type result, const Twine &suffix) {
  std::string name = names.makeUnique(base + "_" + suffix);
  return createStatement(builder, loc, type, sorted(arguments), result,
                         nameAttribute(builder, name), StringRef(name))
      ->getResult(0);
}

SmallVector<Value> StatementBuilder::emitAll(StringRef type,
                                             ArrayRef<NewArgument> arguments,
                                             TypeRange results) {
  SmallVector<std::string> unique;
  for (size_t i = 0; i < results.size(); ++i)
    unique.push_back(names.makeUnique(base + "_" + Twine(i)));
  SmallVector<StringRef> refs(unique.begin(), unique.end());
  return llvm::to_vector_of<Value>(
      createStatement(builder, loc, type, sorted(arguments), results,
                      builder.getDictionaryAttr({}), refs)
          ->getResults());
}

Operation *StatementBuilder::emitInPlaceOf(MILOpInterface original,
                                           StringRef type,
                                           ArrayRef<NewArgument> arguments) {
  return createStatement(
      builder, loc, type, sorted(arguments), original->getResultTypes(),
      original.getMILAttributes(), original.getMILResultNames());
}

Value StatementBuilder::binary(StringRef type, Value x, Value y,
                               const Twine &suffix) {
  return emit(type, {{"x", x}, {"y", y}}, x.getType(), suffix);
}

Value StatementBuilder::transpose(Value x, ArrayRef<int64_t> permutation,
                                  const Twine &suffix) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(type.getDimSize(axis));
  return emit("transpose",
              {{"perm", integers(permutation, suffix + "_perm")}, {"x", x}},
              type.clone(shape), suffix);
}

Value StatementBuilder::reshape(Value x, ArrayRef<int64_t> shape,
                                const Twine &suffix) {
  auto type = cast<RankedTensorType>(x.getType());
  return emit("reshape",
              {{"shape", integers(shape, suffix + "_shape")}, {"x", x}},
              type.clone(shape), suffix);
}

Value StatementBuilder::widen(Value value, ArrayRef<int64_t> shape,
                              const Twine &suffix) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  if (auto old = value.getDefiningOp<ConstOp>())
    if (TypedAttr attr = reshapeConstant(old.getValue(), shape))
      return constant(attr, type.clone(shape), suffix);
  return reshape(value, shape, suffix);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<FuncOp> mlir::ane::mil::findFunction(ProgramOp program,
                                               StringRef name) {
  auto functions = llvm::to_vector(program.getBody().front().getOps<FuncOp>());
  if (name.empty() && functions.size() > 1)
    name = program.getDefaultFunction().value_or("");
  std::string names;
  for (FuncOp function : functions) {
    if (function.getSymName() == name)
      return function;
    names += (names.empty() ? "'" : ", '") + function.getSymName().str() + "'";
  }
  if (functions.empty())
    return emitError(program.getLoc(), "the program has no function");
  if (!name.empty())
    return emitError(program.getLoc(), "there is no function '")
           << name << "' in the program; it has " << names;
  if (functions.size() > 1)
    return emitError(program.getLoc(), "the program has ")
           << functions.size() << " functions (" << names
           << "), but one is compiled; choose it with --function=NAME";
  return functions.front();
}

bool mlir::ane::mil::isConstant(Value value, Attribute constant) {
  auto op = value ? value.getDefiningOp<ConstOp>() : ConstOp();
  return op && op.getValue() == constant;
}
