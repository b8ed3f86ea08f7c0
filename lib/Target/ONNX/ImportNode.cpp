//===- ImportNode.cpp - Statements for a node -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

NodeImporter::NodeImporter(GraphImporter &graph, const NodeMessage &node,
                           int64_t opset)
    : node(node), opset(opset), graph(graph) {}

InFlightDiagnostic NodeImporter::error() const { return graph.error(); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static const AttributeMessage *findAttribute(const NodeMessage &node,
                                             StringRef name) {
  auto found =
      llvm::find_if(node.attributes, [&](const AttributeMessage &attribute) {
        return attribute.name == name;
      });
  return found == node.attributes.end() ? nullptr : &*found;
}

bool NodeImporter::hasAttribute(StringRef name) const {
  asked.insert(name);
  return findAttribute(node, name);
}

const AttributeMessage *NodeImporter::find(StringRef name,
                                           AttributeType type) const {
  asked.insert(name);
  const AttributeMessage *attribute = findAttribute(node, name);
  if (!attribute || attribute->kind() == type)
    return attribute;
  // A list without elements that says no type.
  bool isEmpty = attribute->kind() == AttributeType::Undefined &&
                 type >= AttributeType::Floats;
  if (isEmpty)
    return attribute;
  if (!isWrong)
    error() << "attribute '" << name << "' is of "
            << describe(attribute->kind()) << ", but has to be of "
            << describe(type);
  isWrong = true;
  return nullptr;
}

LogicalResult NodeImporter::checkAttributes(ArrayRef<StringRef> ignored) const {
  // What old sets say of broadcasts, and of memory.
  constexpr int64_t lastWithBroadcast = 6, lastWithConsumed = 5;
  for (const AttributeMessage &attribute : node.attributes) {
    StringRef name = attribute.name;
    bool isOld = (opset <= lastWithBroadcast && name == "broadcast") ||
                 (opset <= lastWithConsumed && name == "consumed_inputs");
    if (!isOld && !asked.contains(name) && !llvm::is_contained(ignored, name))
      return error() << "attribute '" << name
                     << "' is none of the operator, or cannot be imported";
  }
  return success(!isWrong);
}

void NodeImporter::ignore(const NodeImporter &other) {
  for (const auto &entry : other.asked)
    asked.insert(entry.getKey());
}

// A number that is 0 may be left out of a file.
int64_t NodeImporter::integer(StringRef name, int64_t otherwise) const {
  const AttributeMessage *attribute = find(name, AttributeType::Int);
  return attribute ? attribute->i.value_or(0) : otherwise;
}

double NodeImporter::number(StringRef name, double otherwise) const {
  const AttributeMessage *attribute = find(name, AttributeType::Float);
  return attribute ? attribute->f.value_or(0) : otherwise;
}

StringRef NodeImporter::string(StringRef name, StringRef otherwise) const {
  const AttributeMessage *attribute = find(name, AttributeType::String);
  return attribute ? attribute->s.value_or("") : otherwise;
}

SmallVector<int64_t> NodeImporter::integers(StringRef name) const {
  const AttributeMessage *attribute = find(name, AttributeType::Ints);
  return attribute ? llvm::to_vector(attribute->ints) : SmallVector<int64_t>();
}

FailureOr<int64_t> NodeImporter::axis(int64_t axis, int64_t rank) const {
  if (axis < -rank || axis >= rank)
    return error() << "axis " << axis << " is out of range for rank " << rank;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> NodeImporter::axes(ArrayRef<int64_t> axes,
                                                   int64_t rank) const {
  SmallVector<int64_t> result;
  for (int64_t each : axes) {
    FailureOr<int64_t> axis = this->axis(each, rank);
    if (failed(axis))
      return failure();
    if (llvm::is_contained(result, *axis))
      return error() << "axis " << each << " is given twice";
    result.push_back(*axis);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

bool NodeImporter::has(unsigned index) const {
  return index < node.inputs.size() && !node.inputs[index].empty();
}

const Tensor &NodeImporter::tensor(unsigned index) const {
  return *graph.lookup(node.inputs[index]);
}

Value NodeImporter::input(unsigned index) const {
  return graph.valueOf(tensor(index), node.inputs[index]);
}

Value NodeImporter::valueOf(const Tensor &tensor) const {
  return graph.valueOf(tensor,
                       node.outputs.empty() ? "" : node.outputs.front());
}

FailureOr<SmallVector<double>>
NodeImporter::knownNumbers(unsigned index, StringRef what) const {
  if (!has(index))
    return error() << "has no " << what;
  const Tensor &tensor = this->tensor(index);
  if (!tensor.known)
    return error() << "its " << what << " ('" << node.inputs[index]
                   << "') is data, but has to be known; simplify the model, or "
                      "export it with fixed shapes";
  return llvm::to_vector(*tensor.known);
}

FailureOr<SmallVector<int64_t>>
NodeImporter::knownIntegers(unsigned index, StringRef what) const {
  FailureOr<SmallVector<double>> numbers = knownNumbers(index, what);
  if (failed(numbers))
    return failure();
  // The largest ones say "to the end".
  constexpr double limit = 0x1p62;
  SmallVector<int64_t> result;
  for (double each : *numbers)
    result.push_back(static_cast<int64_t>(std::clamp(each, -limit, limit)));
  return result;
}

FailureOr<std::optional<SmallVector<int64_t>>>
NodeImporter::attributeOrInput(StringRef name, unsigned index) const {
  if (hasAttribute(name))
    return std::optional(integers(name));
  if (!has(index))
    return std::optional<SmallVector<int64_t>>();
  FailureOr<SmallVector<int64_t>> known = knownIntegers(index, name);
  if (failed(known))
    return failure();
  SmallVector<int64_t> values = std::move(*known);
  return std::make_optional(std::move(values));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

MLIRContext *NodeImporter::context() const {
  return graph.builder.getContext();
}

Type NodeImporter::elementType(DataType type) const {
  if (type == DataType::Float16)
    return Float16Type::get(context());
  if (isFloat(type))
    return Float32Type::get(context());
  return IntegerType::get(context(), type == DataType::Bool ? 1 : 32);
}

mil::StatementBuilder NodeImporter::statements() {
  return mil::StatementBuilder(
      graph.builder, graph.names, graph.locationOf(&node),
      mil::makeIdentifier(node.outputs.empty() ? StringRef()
                                               : node.outputs.front()));
}

void NodeImporter::refuse(const Twine &text) {
  if (!isWrong)
    error() << text;
  isWrong = true;
}

DataType NodeImporter::dataTypeOf(Value value) const {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isF16()        ? DataType::Float16
         : element.isF32()      ? DataType::Float
         : element.isInteger(1) ? DataType::Bool
                                : DataType::Int32;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult NodeImporter::set(Value value, unsigned index) const {
  Tensor tensor;
  tensor.type = dataTypeOf(value);
  tensor.shape.assign(shapeOf(value));
  tensor.value = value;
  return set(std::move(tensor), index);
}

LogicalResult NodeImporter::set(Tensor tensor, unsigned index) const {
  if (index >= node.outputs.size() || node.outputs[index].empty())
    return success();
  return graph.define(node.outputs[index], std::move(tensor));
}

LogicalResult NodeImporter::setKnown(DataType type, ArrayRef<int64_t> shape,
                                     std::vector<double> elements,
                                     unsigned index) const {
  if (!graph.hasRoom(elements.size()))
    return error() << "gives " << elements.size()
                   << " elements, which are too many to be computed beside "
                      "those of other nodes";
  Tensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.known =
      std::make_shared<const std::vector<double>>(std::move(elements));
  return set(std::move(tensor), index);
}

bool NodeImporter::isUsed(unsigned output) const {
  return output < node.outputs.size() && !node.outputs[output].empty() &&
         graph.uses.lookup(node.outputs[output]);
}
