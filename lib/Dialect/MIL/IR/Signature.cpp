//===- Signature.cpp - Does a statement fit its row of the table? ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules, each with a case of the same name in test/Dialect/MIL/errors.mlir:
//
//    mil_opset         the operation is not newer than the function
//    mil_argument      an argument is one of the table, a tuple where it is one
//    mil_since         an argument belongs to the opset of the function
//    mil_required      what has no default is given
//    mil_constant      a parameter is known at compile time
//    mil_element       an element type is one of the table's
//    mil_variable      what has one type variable has one element type
//    mil_results       the number of results
//    mil_result_type   their element types
//    mil_shape         the shape of the first one, where it is certain
//
// The table follows coremltools, and programs that other people wrote for the
// private path take liberties with element types and constants. Such a
// mismatch is not certain: a reader keeps the statement as a `mil.op`.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::ane::mil;

using llvm::Twine;
using Result = std::optional<Mismatch>;

static Result certain(const Twine &message) {
  return Mismatch{true, message.str()};
}
static Result doubtful(const Twine &message) {
  return Mismatch{false, message.str()};
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

namespace {
class Checker {
public:
  Checker(const OpInfo &info, ArrayRef<StatementArgument> arguments,
          DictionaryAttr attributes, TypeRange results, unsigned opset)
      : info(info), arguments(arguments), attributes(attributes),
        results(results), opset(opset) {}

  Result check();

private:
  struct Variable {
    StringRef name;
    Element element;
    StringRef argument;
  };

  Result checkArgument(const StatementArgument &argument);
  Result checkType(const ArgumentInfo &row, Type type);
  Result checkRequired();
  Result checkAttributes();
  Result checkResults();
  Result checkResult(const ResultInfo &row, Type type);
  Result checkShape();
  Result bind(StringRef variable, Element element, StringRef argument);
  const StatementArgument *find(StringRef name) const;
  std::optional<Element> getNamedElement(StringRef argument) const;

  const OpInfo &info;
  ArrayRef<StatementArgument> arguments;
  DictionaryAttr attributes;
  TypeRange results;
  unsigned opset;
  SmallVector<Variable, 4> variables;
};
} // namespace

const StatementArgument *Checker::find(StringRef name) const {
  for (const StatementArgument &argument : arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<ConstOp>(op))
    return true;
  auto statement = dyn_cast_or_null<MILOpInterface>(op);
  return statement && statement.getMILType().starts_with("constexpr_");
}

// mil_variable
Result Checker::bind(StringRef variable, Element element, StringRef argument) {
  if (variable.empty())
    return std::nullopt;
  for (const Variable &known : variables)
    if (known.name == variable) {
      if (known.element == element)
        return std::nullopt;
      return doubtful("'" + argument + "' has elements of type " +
                      getName(element) + ", but must have those of '" +
                      known.argument + "', which are " +
                      getName(known.element) + "; insert a cast");
    }
  variables.push_back({variable, element, argument});
  return std::nullopt;
}

// mil_element
Result Checker::checkType(const ArgumentInfo &row, Type type) {
  switch (row.kind) {
  case ArgumentInfo::list:
    if (!isa<ListType>(type))
      return doubtful("argument '" + row.name + "' has type " + toString(type) +
                      ", but must be a list");
    return std::nullopt;
  case ArgumentInfo::state:
    if (!isa<StateType>(type))
      return doubtful("argument '" + row.name + "' has type " + toString(type) +
                      ", but must be a state");
    break;
  case ArgumentInfo::tensor:
    if (isa<StateType>(type))
      return doubtful("argument '" + row.name +
                      "' is a state; read it with read_state");
    break;
  case ArgumentInfo::any:
    return std::nullopt;
  case ArgumentInfo::tuple:
    break;
  }
  std::optional<Element> element = getElement(type);
  if (!element)
    return doubtful("argument '" + row.name + "' has type " + toString(type) +
                    ", but must be a tensor or a scalar");
  if (!row.accepts(*element, opset))
    return doubtful("argument '" + row.name + "' has elements of type " +
                    getName(*element) + ", but in ios" + Twine(opset) +
                    " must have " + describe(row.getElements(opset)));
  return bind(row.getVariable(opset), *element, row.name);
}

// mil_argument, mil_since, mil_constant
Result Checker::checkArgument(const StatementArgument &argument) {
  const ArgumentInfo *row = info.getArgument(argument.name);
  if (!row) {
    std::string known;
    for (const ArgumentInfo &one : info.arguments)
      known += (known.empty() ? "" : ", ") + one.name.str();
    return doubtful("has no argument '" + argument.name + "'; it has " + known);
  }
  if (argument.isTuple != (row->kind == ArgumentInfo::tuple))
    return doubtful("argument '" + argument.name + "' is " +
                    (argument.isTuple ? "" : "no ") + "tuple, but must be " +
                    (argument.isTuple ? "a single value" : "one"));
  if (opset < row->firstOpset || opset > row->lastOpset)
    return doubtful(
        "argument '" + argument.name + "' belongs to ios" +
        Twine(unsigned(row->firstOpset)) +
        (row->lastOpset == 255
             ? std::string(" and later")
             : (" to ios" + Twine(unsigned(row->lastOpset))).str()) +
        ", but the function has ios" + Twine(opset));
  for (Value value : argument.values) {
    if (row->isConst && !isConstant(value))
      return doubtful("argument '" + argument.name +
                      "' is computed, but must be a constant");
    if (Result mismatch = checkType(*row, value.getType()))
      return mismatch;
  }
  return std::nullopt;
}

// constexpr_...()[scale = ..., ...]
Result Checker::checkAttributes() {
  for (NamedAttribute attribute : attributes) {
    const ArgumentInfo *row = info.getArgument(attribute.getName());
    if (!row)
      continue;
    if (find(row->name))
      return certain("argument '" + row->name +
                     "' is given twice, the second time as an attribute");
    auto value = dyn_cast<TypedAttr>(attribute.getValue());
    if (value)
      if (Result mismatch = checkType(*row, value.getType()))
        return mismatch;
  }
  return std::nullopt;
}

// mil_required
Result Checker::checkRequired() {
  for (const ArgumentInfo &row : info.arguments)
    if (!row.isOptional && !find(row.name) &&
        !(info.hasAttributeForm && attributes.get(row.name)))
      return certain("needs an argument '" + row.name + "'");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

// The element type that a string names: that of the argument or its default.
std::optional<Element> Checker::getNamedElement(StringRef name) const {
  const StatementArgument *argument = find(name);
  Attribute value;
  if (argument && argument->values.size() == 1)
    if (auto constant = argument->values.front().getDefiningOp<ConstOp>())
      value = constant.getValue();
  if (!argument)
    value = attributes.get(name);
  if (auto text = dyn_cast_or_null<StringAttr>(value))
    return parseElement(text.getValue());
  return argument || value ? std::nullopt
                           : parseElement(info.getArgument(name)->defaultText);
}

// mil_result_type
Result Checker::checkResult(const ResultInfo &row, Type type) {
  std::optional<Element> element = getElement(type);
  if (!element)
    return std::nullopt;
  auto expect = [&](StringRef name, const Twine &why) {
    return doubtful("result '" + row.name + "' has elements of type " +
                    getName(*element) + ", but " + why + " " + name);
  };
  if (row.elements && !(row.elements >> unsigned(*element) & 1))
    return expect(describe(row.elements), "must have");
  for (const Variable &known : variables)
    if (known.name == row.variable && known.element != *element)
      return expect(getName(known.element), "'" + known.argument + "' has");
  if (row.typeArgument.empty())
    return std::nullopt;
  std::optional<Element> named = getNamedElement(row.typeArgument);
  if (named && *named != *element)
    return expect(getName(*named), "'" + row.typeArgument + "' says");
  return std::nullopt;
}

// mil_results
Result Checker::checkResults() {
  unsigned least = 0;
  bool isOpen = false;
  // What older opsets have stands last.
  ArrayRef<ResultInfo> rows = info.results.take_while(
      [&](const ResultInfo &row) { return opset <= row.lastOpset; });
  for (const ResultInfo &row : rows) {
    least += row.count == ResultInfo::one || row.lastOpset != 255;
    isOpen |= row.count == ResultInfo::many;
  }
  if (results.size() < least || (!isOpen && results.size() > rows.size()))
    return certain(
        "has " + Twine(results.size()) + " results, but must have " +
        (least == rows.size() ? Twine(least) : Twine(least) + " or more"));
  for (auto [i, type] : llvm::enumerate(results)) {
    const ResultInfo &row = rows[std::min<size_t>(i, rows.size() - 1)];
    if (Result mismatch = checkResult(row, type))
      return mismatch;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// Nothing where an extent is unknown or there is no shape.
static std::optional<ArrayRef<int64_t>> getShape(Type type) {
  if (auto state = dyn_cast<StateType>(type))
    type = state.getWrapped();
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.hasStaticShape())
      return tensor.getShape();
    return std::nullopt;
  }
  if (isa<FloatType, IntegerType, StringType>(type))
    return ArrayRef<int64_t>();
  return std::nullopt;
}

static std::string toString(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, extent] : llvm::enumerate(shape))
    text += (i ? ", " : "") + std::to_string(extent);
  return text + "]";
}

static uint64_t countElements(ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

// Joins `more` to `shape` from the right; false where they do not fit.
static bool broadcast(SmallVectorImpl<int64_t> &shape, ArrayRef<int64_t> more) {
  while (shape.size() < more.size())
    shape.insert(shape.begin(), 1);
  for (size_t i = 0; i < more.size(); ++i) {
    int64_t &extent = shape[shape.size() - more.size() + i];
    if (extent == 1)
      extent = more[i];
    else if (more[i] != 1 && more[i] != extent)
      return false;
  }
  return true;
}

// mil_shape
Result Checker::checkShape() {
  if (info.shape == OpInfo::none || results.empty())
    return std::nullopt;
  std::optional<ArrayRef<int64_t>> result = getShape(results.front());
  SmallVector<int64_t> expected;
  std::string names;
  for (StringRef name : info.shapeArguments) {
    const StatementArgument *argument = find(name);
    if (!argument || argument->values.size() != 1)
      return std::nullopt;
    std::optional<ArrayRef<int64_t>> shape =
        getShape(argument->values.front().getType());
    if (!shape || !result)
      return std::nullopt;
    if (!broadcast(expected, *shape))
      return certain("shape " + toString(*shape) + " of '" + name +
                     "' does not broadcast with " + toString(expected) +
                     " of " + names);
    names += (names.empty() ? "'" : ", '") + name.str() + "'";
  }
  bool fits = info.shape == OpInfo::count
                  ? countElements(expected) == countElements(*result)
                  : ArrayRef(expected) == *result;
  if (fits)
    return std::nullopt;
  if (info.shape == OpInfo::count)
    return certain("result has " + Twine(countElements(*result)) +
                   " elements, but " + names + " has " +
                   Twine(countElements(expected)));
  return certain("result has shape " + toString(*result) + ", but " + names +
                 " give" + (info.shape == OpInfo::same ? "s " : " ") +
                 toString(expected));
}

Result Checker::check() {
  if (opset < info.opset)
    return certain("came with ios" + Twine(unsigned(info.opset)) +
                   ", but the function has ios" + Twine(opset) +
                   "; raise its opset or use older operations");
  for (const StatementArgument &argument : arguments)
    if (Result mismatch = checkArgument(argument))
      return mismatch;
  if (info.hasAttributeForm)
    if (Result mismatch = checkAttributes())
      return mismatch;
  if (Result mismatch = checkRequired())
    return mismatch;
  if (Result mismatch = checkResults())
    return mismatch;
  return checkShape();
}

std::optional<Mismatch> mlir::ane::mil::checkStatement(
    const OpInfo &info, ArrayRef<StatementArgument> arguments,
    DictionaryAttr attributes, TypeRange results, unsigned opset) {
  return Checker(info, arguments, attributes, results, opset).check();
}
