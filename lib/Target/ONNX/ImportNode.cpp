//===- ImportNode.cpp - Statements for a node -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include "llvm/ADT/StringExtras.h"

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

const AttributeMessage *NodeImporter::find(StringRef name) const {
  for (const AttributeMessage &attribute : node.attributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

int64_t NodeImporter::integer(StringRef name, int64_t otherwise) const {
  const AttributeMessage *attribute = find(name);
  return attribute && attribute->i ? *attribute->i : otherwise;
}

double NodeImporter::number(StringRef name, double otherwise) const {
  const AttributeMessage *attribute = find(name);
  return attribute && attribute->f ? *attribute->f : otherwise;
}

StringRef NodeImporter::string(StringRef name, StringRef otherwise) const {
  const AttributeMessage *attribute = find(name);
  return attribute && attribute->s ? *attribute->s : otherwise;
}

SmallVector<int64_t> NodeImporter::integers(StringRef name) const {
  const AttributeMessage *attribute = find(name);
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
  if (find(name))
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

Type NodeImporter::typeOf(DataType type, ArrayRef<int64_t> shape) const {
  Type element = elementType(type);
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

static std::string baseName(const NodeMessage &node) {
  return mil::makeIdentifier(node.outputs.empty() ? StringRef()
                                                  : node.outputs.front());
}

mil::StatementBuilder NodeImporter::builder() const {
  return mil::StatementBuilder(graph.builder, graph.names,
                               graph.locationOf(&node), baseName(node));
}

static std::string textOf(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return shape.empty() ? "a number" : text;
}

Value NodeImporter::emit(StringRef type, ArrayRef<mil::NewArgument> arguments,
                         DataType element, ArrayRef<int64_t> shape) const {
  return builder().emit(type, arguments, typeOf(element, shape), type);
}

SmallVector<Value> NodeImporter::emitAll(StringRef type,
                                         ArrayRef<mil::NewArgument> arguments,
                                         TypeRange types) const {
  SmallVector<mil::StatementArgument> sorted(arguments.begin(),
                                             arguments.end());
  llvm::sort(sorted,
             [](const auto &a, const auto &b) { return a.name < b.name; });
  SmallVector<std::string> names;
  for (size_t i = 0; i < types.size(); ++i)
    names.push_back(graph.names.makeUnique(baseName(node) + "_" + Twine(i)));
  SmallVector<StringRef> refs(names.begin(), names.end());
  Operation *op =
      mil::createStatement(graph.builder, graph.locationOf(&node), type, sorted,
                           types, graph.builder.getDictionaryAttr({}), refs);
  return llvm::to_vector_of<Value>(op->getResults());
}

Value NodeImporter::unary(StringRef type, Value x) const {
  return emit(type, {{"x", x}}, dataTypeOf(x), shapeOf(x));
}

void NodeImporter::refuse(const Twine &text) const {
  if (!isWrong)
    error() << text;
  isWrong = true;
}

SmallVector<int64_t> NodeImporter::broadcast(Value x, Value y) const {
  SmallVector<int64_t> left = shapeOf(x), right = shapeOf(y);
  auto shape = broadcastShapes(left, right);
  if (!shape)
    refuse("cannot broadcast " + textOf(left) + " and " + textOf(right) +
           " to each other");
  if (getElementTypeOrSelf(x.getType()) != getElementTypeOrSelf(y.getType()))
    refuse("has inputs of " + onnx::describe(dataTypeOf(x)) + " and " +
           onnx::describe(dataTypeOf(y)));
  return shape ? *shape : left;
}

Value NodeImporter::binary(StringRef type, Value x, Value y) const {
  return emit(type, {{"x", x}, {"y", y}}, dataTypeOf(x), broadcast(x, y));
}

Value NodeImporter::binary(StringRef type, Value x, double y) const {
  return binary(type, x, scalar(dataTypeOf(x), y));
}

Value NodeImporter::reshape(Value x, ArrayRef<int64_t> shape) const {
  if (ArrayRef<int64_t>(shapeOf(x)) == shape)
    return x;
  if (llvm::product_of(shapeOf(x)) != llvm::product_of(shape)) {
    refuse("cannot make " + textOf(shapeOf(x)) + " to " + textOf(shape));
    return x;
  }
  if (shape.empty())
    return emit("squeeze", {{"x", x}}, dataTypeOf(x), {});
  if (shapeOf(x).empty()) {
    SmallVector<int64_t> axes = {0};
    Value one = emit("expand_dims", {{"axes", integers(axes)}, {"x", x}},
                     dataTypeOf(x), {1});
    return reshape(one, shape);
  }
  return emit("reshape", {{"shape", integers(shape)}, {"x", x}}, dataTypeOf(x),
              shape);
}

Value NodeImporter::transpose(Value x, ArrayRef<int64_t> perm) const {
  SmallVector<int64_t> from = shapeOf(x), shape;
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return x;
  for (int64_t axis : perm)
    shape.push_back(from[axis]);
  return emit("transpose", {{"perm", integers(perm)}, {"x", x}}, dataTypeOf(x),
              shape);
}

Value NodeImporter::reduce(StringRef type, Value x, ArrayRef<int64_t> axes,
                           bool keepsDims) const {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x))) {
    bool isReduced = llvm::is_contained(axes, int64_t(dim));
    if (!isReduced || keepsDims)
      shape.push_back(isReduced ? 1 : size);
  }
  return emit(
      type,
      {{"x", x}, {"axes", integers(axes)}, {"keep_dims", boolean(keepsDims)}},
      dataTypeOf(x), shape);
}

Value NodeImporter::slice(Value x, ArrayRef<int64_t> begin,
                          ArrayRef<int64_t> size) const {
  if (ArrayRef<int64_t>(shapeOf(x)) == size)
    return x;
  for (auto [has, first, count] : llvm::zip(shapeOf(x), begin, size))
    if (first < 0 || count < 1 || first > has - count) {
      refuse("takes " + Twine(count) + " elements from " + Twine(first) +
             " on of " + Twine(has));
      return x;
    }
  return emit("slice_by_size",
              {{"begin", integers(begin)}, {"size", integers(size)}, {"x", x}},
              dataTypeOf(x), size);
}

Value NodeImporter::cast(Value x, DataType type) const {
  Type element = elementType(type);
  if (getElementTypeOrSelf(x.getType()) == element)
    return x;
  StringRef name = element.isF16()        ? "fp16"
                   : element.isF32()      ? "fp32"
                   : element.isInteger(1) ? "bool"
                                          : "int32";
  return emit("cast", {{"dtype", string(name)}, {"x", x}}, type, shapeOf(x));
}

// Parameters stand where they are used.
Value NodeImporter::parameter(TypedAttr value) const {
  return mil::ConstOp::create(
      graph.builder, graph.locationOf(&node), value.getType(), value,
      /*is_inline=*/true, graph.builder.getDictionaryAttr({}), StringAttr());
}

Value NodeImporter::string(StringRef value) const {
  return parameter(StringAttr::get(value, mil::StringType::get(context())));
}

Value NodeImporter::boolean(bool value) const {
  return parameter(graph.builder.getBoolAttr(value));
}

Value NodeImporter::integer(int64_t value) const {
  return parameter(graph.builder.getI32IntegerAttr(value));
}

Value NodeImporter::integers(ArrayRef<int64_t> values) const {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return parameter(graph.builder.getI32TensorAttr(narrow));
}

Value NodeImporter::scalar(DataType type, double value) const {
  Type element = elementType(type);
  if (isa<FloatType>(element))
    return parameter(graph.builder.getFloatAttr(element, value));
  return element.isInteger(1) ? boolean(value != 0)
                              : integer(static_cast<int64_t>(value));
}

SmallVector<int64_t> NodeImporter::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? SmallVector<int64_t>(type.getShape()) : SmallVector<int64_t>();
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
