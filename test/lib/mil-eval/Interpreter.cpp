//===- Interpreter.cpp - Runs a MIL function, op by op --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::mileval;

//===----------------------------------------------------------------------===//
// Call
//===----------------------------------------------------------------------===//

bool Call::has(StringRef name) const { return arguments.count(name); }

const Tensor *Call::find(StringRef name) const {
  auto known = arguments.find(name);
  if (known == arguments.end() || known->second.size() != 1)
    return nullptr;
  return known->second.front().get();
}

const Tensor &Call::operator[](StringRef name) const {
  const Tensor *tensor = find(name);
  assert(tensor && "the table requires what the handler reads");
  return *tensor;
}

ArrayRef<TensorRef> Call::tuple(StringRef name) const {
  auto known = arguments.find(name);
  if (known == arguments.end())
    return {};
  return known->second;
}

double Call::number(StringRef name, double byDefault) {
  const Tensor *tensor = find(name);
  if (!tensor)
    return byDefault;
  if (tensor->size() != 1) {
    (void)fail("argument '" + name + "' has " + Twine(tensor->size()) +
               " elements, expected one number");
    return byDefault;
  }
  return tensor->data[0];
}

int64_t Call::integer(StringRef name, int64_t byDefault) {
  double value = number(name, byDefault);
  return static_cast<int64_t>(
      convertTo(IntegerType::get(op->getContext(), 32), value));
}

bool Call::flag(StringRef name, bool byDefault) {
  return number(name, byDefault) != 0;
}

StringRef Call::text(StringRef name, StringRef byDefault) {
  const Tensor *tensor = find(name);
  if (!tensor)
    return byDefault;
  if (!isa<mil::StringType>(tensor->element)) {
    (void)fail("argument '" + name + "' is not a string");
    return byDefault;
  }
  return tensor->text;
}

Shape Call::integers(StringRef name, ArrayRef<int64_t> byDefault) {
  const Tensor *tensor = find(name);
  if (!tensor)
    return Shape(byDefault);
  Type wide = IntegerType::get(op->getContext(), 32);
  if (isa<mil::StringType>(tensor->element) || tensor->rank() > 1) {
    (void)fail("argument '" + name + "' is not a vector of integers");
    return Shape(byDefault);
  }
  return llvm::to_vector_of<int64_t, 6>(llvm::map_range(
      tensor->data, [&](double v) { return int64_t(convertTo(wide, v)); }));
}

int64_t Call::axis(StringRef name, int64_t byDefault, int64_t rank) {
  int64_t axis = integer(name, byDefault);
  if (axis < -rank || axis >= rank) {
    (void)fail("'" + name + "' is " + Twine(axis) + ", but the rank is " +
               Twine(rank));
    return 0;
  }
  return axis < 0 ? axis + rank : axis;
}

Shape Call::axes(StringRef name, int64_t rank) {
  Shape result = integers(name, llvm::to_vector_of<int64_t>(llvm::seq(rank)));
  for (int64_t &axis : result) {
    if (axis < -rank || axis >= rank) {
      (void)fail("'" + name + "' has " + Twine(axis) + ", but the rank is " +
                 Twine(rank));
      return {};
    }
    axis = axis < 0 ? axis + rank : axis;
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    (void)fail("'" + name + "' names a dimension twice");
  return result;
}

Type Call::resultElement(unsigned i) const {
  if (i >= op->getNumResults())
    return {};
  return getElementTypeOrSelf(op->getResult(i).getType());
}

LogicalResult Call::fail(const Twine &message) {
  hasFailed = true;
  return op->emitError("'") << op.getMILType() << "': " << message;
}

LogicalResult Call::yield(Tensor result) {
  unsigned i = results.size();
  if (i >= op->getNumResults())
    return fail("has more than the " + Twine(i) + " declared results");
  Type type = op->getResult(i).getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  ArrayRef<int64_t> declared = tensor ? tensor.getShape() : ArrayRef<int64_t>();
  bool fits = declared.size() == result.shape.size();
  for (auto [want, got] : llvm::zip(declared, result.shape))
    fits &= want == got || ShapedType::isDynamic(want);
  if (!fits) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return fail("result has shape " + shapeText(result.shape) +
                ", but the program declares " + text);
  }
  result.element = resultElement(i);
  results.push_back(std::move(result));
  return success();
}

FailureOr<Tensor> Call::make(ArrayRef<int64_t> shape) {
  if (countElements(shape) < 0)
    return fail("result would have shape " + shapeText(shape) +
                ", but the limit is " + Twine(kMaxElements) + " elements");
  return Tensor(resultElement(results.size()), shape);
}

//===----------------------------------------------------------------------===//
// OpTable
//===----------------------------------------------------------------------===//

OpTable::OpTable() {
  addConstexprOps(*this);
  addConvolutionOps(*this);
  addElementwiseOps(*this);
  addGatherOps(*this);
  addImageOps(*this);
  addMatrixOps(*this);
  addPoolOps(*this);
  addRecurrentOps(*this);
  addReductionOps(*this);
  addShapeOps(*this);
  addStateOps(*this);
}

void OpTable::add(StringRef names, StringRef required, Handler handler) {
  for (StringRef name : llvm::split(names, ' '))
    entries[name] = {required.str(), handler};
}

const OpEntry *OpTable::lookup(StringRef name) const {
  auto known = entries.find(name);
  return known == entries.end() ? nullptr : &known->second;
}

std::vector<StringRef> OpTable::names() const {
  std::vector<StringRef> names(entries.keys().begin(), entries.keys().end());
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

namespace mlir::ane::mileval {
class Interpreter {
public:
  Interpreter(Weights &weights, States &states)
      : weights(weights), states(states) {}
  FailureOr<std::vector<TensorRef>> run(mil::FuncOp func,
                                        ArrayRef<TensorRef> inputs);

private:
  FailureOr<TensorRef> valueOf(Value value);
  LogicalResult gatherArguments(Call &call);
  LogicalResult runStatement(mil::MILOpInterface op);
  void release(Operation &op);

  static const OpTable &table() {
    static const OpTable table;
    return table;
  }

  Weights &weights;
  States &states;
  llvm::DenseMap<Value, TensorRef> values;
  llvm::DenseMap<Value, unsigned> uses; // that are still to come
};
} // namespace mlir::ane::mileval

// Constants are evaluated when they are first needed and dropped with their
// last use, like every other value.
FailureOr<TensorRef> Interpreter::valueOf(Value value) {
  auto known = values.find(value);
  if (known != values.end())
    return known->second;
  auto constant = value.getDefiningOp<mil::ConstOp>();
  if (!constant)
    return emitError(value.getLoc()) << "value has no definition";
  FailureOr<Tensor> tensor = evaluateConstant(
      constant.getValue(), constant.getType(), constant.getLoc(), weights);
  if (failed(tensor))
    return failure();
  return values[value] = std::make_shared<Tensor>(std::move(*tensor));
}

// Arguments, and attributes as arguments: constexpr ops of iOS 16 have their
// data in brackets.
LogicalResult Interpreter::gatherArguments(Call &call) {
  for (const mil::NamedArgument &argument : call.op.getMILArguments()) {
    auto &members = call.arguments[argument.name];
    for (Value value : argument.values) {
      if (isa<mil::StateType>(value.getType()))
        continue;
      FailureOr<TensorRef> tensor = valueOf(value);
      if (failed(tensor))
        return failure();
      members.push_back(*tensor);
    }
  }
  for (NamedAttribute attribute : call.op.getMILAttributes()) {
    auto value = dyn_cast<TypedAttr>(attribute.getValue());
    if (!value || attribute.getName() == "name" ||
        call.arguments.count(attribute.getName()))
      continue;
    if (!isa<IntegerAttr, FloatAttr, StringAttr, ElementsAttr,
             mil::BlobFileAttr>(value))
      continue;
    FailureOr<Tensor> tensor =
        evaluateConstant(value, value.getType(), call.op->getLoc(), weights);
    if (failed(tensor))
      return failure();
    call.arguments[attribute.getName()].push_back(
        std::make_shared<Tensor>(std::move(*tensor)));
  }
  return success();
}

LogicalResult Interpreter::runStatement(mil::MILOpInterface op) {
  Call call(op);
  call.states = &states;
  const OpEntry *entry = table().lookup(op.getMILType());
  if (!entry)
    return op->emitError("operation '")
           << op.getMILType() << "' is not one that mil-eval knows";
  if (failed(gatherArguments(call)))
    return failure();
  for (StringRef name : llvm::split(StringRef(entry->required), ' ')) {
    if (name.empty())
      continue;
    const Tensor *tensor = call.find(name);
    if (!tensor)
      return call.fail("has no argument '" + name + "'");
    if (isa<mil::StringType>(tensor->element))
      return call.fail("argument '" + name + "' is a string");
  }
  if (failed(entry->handler(call)) || call.failed())
    return failure();
  if (call.results.size() != op->getNumResults())
    return call.fail("yields " + Twine(call.results.size()) +
                     " results, but the program declares " +
                     Twine(op->getNumResults()));
  for (auto [value, result] : llvm::zip(op->getResults(), call.results))
    if (!value.use_empty())
      values[value] = std::make_shared<Tensor>(std::move(result));
  return success();
}

void Interpreter::release(Operation &op) {
  for (Value operand : op.getOperands()) {
    auto known = uses.find(operand);
    if (known != uses.end() && --known->second == 0)
      values.erase(operand);
  }
}

FailureOr<std::vector<TensorRef>> Interpreter::run(mil::FuncOp func,
                                                   ArrayRef<TensorRef> inputs) {
  for (auto [argument, input] :
       llvm::zip(func.getBody().getArguments(), inputs)) {
    if (isa<mil::StateType>(argument.getType()))
      states[argument] = input;
    else
      values[argument] = input;
  }
  Block &body = func.getBody().front();
  for (Operation &op : body)
    for (Value operand : op.getOperands())
      ++uses[operand];
  std::vector<TensorRef> results;
  for (Operation &op : body) {
    if (auto statement = dyn_cast<mil::MILOpInterface>(op)) {
      if (failed(runStatement(statement)))
        return failure();
      release(op);
    } else if (auto end = dyn_cast<mil::ReturnOp>(op)) {
      for (Value value : end.getValues()) {
        FailureOr<TensorRef> result = valueOf(value);
        if (failed(result))
          return failure();
        results.push_back(*result);
      }
    } else if (!isa<mil::ConstOp>(op)) {
      return op.emitError("is no statement of MIL");
    }
  }
  return results;
}

FailureOr<std::vector<TensorRef>> mileval::evaluate(mil::FuncOp func,
                                                    ArrayRef<TensorRef> inputs,
                                                    Weights &weights,
                                                    States &states) {
  return Interpreter(weights, states).run(func, inputs);
}
