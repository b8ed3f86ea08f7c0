//===- ImportGraph.cpp - A model as a program -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportNode.h"

#include "ane/Dialect/ANE/Utils/NumericWarning.h"
#include "ane/Files/InputFiles.h"
#include "ane/HW/Float16.h"
#include "ane/Support/Npy.h"
#include "ane/Target/MLPackage/MLPackage.h"
#include "ane/Target/ONNX/ONNX.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <cstring>
#include <map>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::onnx;

bool onnx::isModel(StringRef bytes) {
  // ir_version, then the producer, its version, a domain, the graph or the sets
  // of operators.
  constexpr unsigned char lastVersion = 32;
  if (bytes.size() < 4 || bytes[0] != 0x08 || bytes[1] < 1 ||
      static_cast<unsigned char>(bytes[1]) > lastVersion)
    return false;
  return StringRef("\x12\x1a\x22\x28\x32\x3a\x42").contains(bytes[2]);
}

int64_t onnx::countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(count, std::max<int64_t>(size, 1), count))
      return impossibleCount;
  return llvm::is_contained(shape, 0) ? 0 : count;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

FailureOr<ArrayRef<char>> GraphImporter::bytesOf(const TensorMessage &tensor) {
  auto named = [&] { return error() << "tensor '" << tensor.name << "' "; };
  if (tensor.external.empty())
    return tensor.raw ? ArrayRef<char>(tensor.raw->data(), tensor.raw->size())
                      : ArrayRef<char>();
  StringRef location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (auto [key, value] : tensor.external) {
    uint64_t number = 0;
    if (key == "location")
      location = value;
    else if (key == "offset" || key == "length") {
      if (value.getAsInteger(10, number))
        return named() << "has an external " << key << " of '" << value
                       << "', which is no number";
      if (key == "offset")
        offset = number;
      else
        length = number;
    }
  }
  // A model from elsewhere does not choose which files are read.
  if (location.empty() || llvm::sys::path::is_absolute(location) ||
      llvm::is_contained(llvm::split(location, '/'), ".."))
    return named() << "lies in '" << location
                   << "', which is no file beside the model or below it";
  auto &file = files[location];
  if (!file) {
    SmallString<256> path(folder);
    llvm::sys::path::append(path, location);
    auto opened = readInput(path);
    if (!opened)
      return named() << "lies in '" << path.str() << "', which cannot be read: "
                     << opened.getError().message();
    file = std::move(*opened);
  }
  size_t size = file->getBufferSize();
  if (offset > size || length.value_or(0) > size - offset)
    return named() << "ends at byte " << offset + length.value_or(0) << " of '"
                   << location << "', which has " << size;
  return ArrayRef<char>(file->getBufferStart() + offset,
                        length.value_or(size - offset));
}

LogicalResult GraphImporter::checkTensor(const TensorMessage &tensor) {
  auto named = [&] { return error() << "tensor '" << tensor.name << "' "; };
  if (!isFloat(tensor.type) && !isInteger(tensor.type) &&
      tensor.type != DataType::Bool)
    return named() << "is of " << describe(tensor.type)
                   << ", but numbers and bools can be imported";
  int64_t count = countOf(tensor.dims);
  if (count == impossibleCount)
    return named() << "has a dimension below 0, or more elements than a number "
                      "of 64 bits counts";
  FailureOr<ArrayRef<char>> bytes = bytesOf(tensor);
  if (failed(bytes))
    return failure();
  size_t has = tensor.floats.size() + tensor.doubles.size() +
               tensor.ints.size() + bytes->size() / onnx::bytesOf(tensor.type);
  if (has != size_t(count))
    return named() << "has " << has << " elements, but its shape has " << count;
  return success();
}

static float widenBFloat(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

template <typename T> static T read(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

static double elementOf(DataType type, const char *at) {
  switch (type) {
  case DataType::Float:
    return read<float>(at);
  case DataType::Double:
    return read<double>(at);
  case DataType::Float16:
    return ::ane::hw::fromHalfBits(read<uint16_t>(at));
  case DataType::BFloat16:
    return widenBFloat(read<uint16_t>(at));
  case DataType::Uint8:
  case DataType::Bool:
    return read<uint8_t>(at);
  case DataType::Int8:
    return read<int8_t>(at);
  case DataType::Uint16:
    return read<uint16_t>(at);
  case DataType::Int16:
    return read<int16_t>(at);
  case DataType::Int32:
    return read<int32_t>(at);
  case DataType::Uint32:
    return read<uint32_t>(at);
  case DataType::Int64:
    return read<int64_t>(at);
  default:
    return read<uint64_t>(at);
  }
}

// All elements; the tensor has been checked.
static std::vector<double> elementsOf(const TensorMessage &tensor,
                                      ArrayRef<char> bytes) {
  std::vector<double> result;
  result.reserve(countOf(tensor.dims));
  for (size_t at = 0, size = onnx::bytesOf(tensor.type);
       at + size <= bytes.size(); at += size)
    result.push_back(elementOf(tensor.type, bytes.data() + at));
  result.insert(result.end(), tensor.floats.begin(), tensor.floats.end());
  result.insert(result.end(), tensor.doubles.begin(), tensor.doubles.end());
  for (int64_t value : tensor.ints) {
    // Halves are given as the numbers that their bits are.
    if (tensor.type == DataType::Float16)
      result.push_back(::ane::hw::fromHalfBits(uint16_t(value)));
    else if (tensor.type == DataType::BFloat16)
      result.push_back(widenBFloat(uint16_t(value)));
    else
      result.push_back(value);
  }
  return result;
}

FailureOr<std::vector<double>>
GraphImporter::elementsOfConstant(const TensorMessage &tensor) {
  if (failed(checkTensor(tensor)))
    return failure();
  return ::elementsOf(tensor, *bytesOf(tensor));
}

FailureOr<std::vector<double>> GraphImporter::elementsOf(const Tensor &tensor) {
  if (tensor.known)
    return std::vector<double>(*tensor.known);
  if (!tensor.weight)
    return error() << "has weights that are data";
  return elementsOfConstant(*tensor.weight);
}

// f64 and bf16 become f32, and integers int32 with the largest and smallest
// ones for what is beyond.
static TypedAttr attributeOf(Type type, ArrayRef<double> elements,
                             StringRef name) {
  Type element = getElementTypeOrSelf(type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto clamped = [](double value) {
    return static_cast<int32_t>(
        std::clamp(value, double(std::numeric_limits<int32_t>::min()),
                   double(std::numeric_limits<int32_t>::max())));
  };
  if (!tensor) {
    if (isa<FloatType>(element))
      return FloatAttr::get(element, elements.front());
    if (element.isInteger(1))
      return BoolAttr::get(type.getContext(), elements.front() != 0);
    return IntegerAttr::get(element, clamped(elements.front()));
  }
  if (element.isInteger(1)) {
    SmallVector<bool> bools;
    for (double value : elements)
      bools.push_back(value != 0);
    return DenseElementsAttr::get(tensor, bools);
  }
  SmallVector<char> bytes;
  auto append = [&](auto value) {
    const char *at = reinterpret_cast<const char *>(&value);
    bytes.append(at, at + sizeof value);
  };
  for (double value : elements) {
    if (element.isF32())
      append(static_cast<float>(value));
    else if (element.isF16())
      append(::ane::hw::toHalfBits(static_cast<float>(value)));
    else
      append(clamped(value));
  }
  return mil::makeConstant(tensor, bytes, name);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

GraphImporter::GraphImporter(mil::FuncOp function, OpBuilder &builder,
                             const ModelMessage &model, StringRef file,
                             StringRef folder)
    : builder(builder), names(function), model(model), file(file.str()),
      folder(folder.str()), table(importTable()) {
  for (const FunctionMessage &function : model.functions) {
    countUses(function.nodes);
    for (StringRef output : function.outputs)
      ++uses[output];
  }
}

ImportTable onnx::importTable() {
  ImportTable table;
  addElementwiseImport(table);
  addImageImport(table);
  addLayerImport(table);
  addLossImport(table);
  addQuantizedImport(table);
  addRecurrentImport(table);
  addShapeImport(table);
  return table;
}

std::string onnx::operatorsPage() {
  std::map<std::string, SmallVector<std::string>> domains;
  for (const auto &entry : importTable()) {
    auto [domain, type] = entry.first().rsplit('.');
    domains[domain.str()].push_back(type.str());
  }
  // What has no statement of its own.
  for (StringRef type : {"If", "Loop", "Scan", "Shape", "Size"})
    domains[""].push_back(type.str());
  std::string page =
      "# Operators of ONNX that are imported\n\n"
      "Generated by `ane-opt --ane-print-onnx-operators`; do not edit. "
      "[ONNX.md](ONNX.md) has the limits.\n";
  for (auto &[domain, types] : domains) {
    llvm::sort(types);
    page += "\n## " + (domain.empty() ? "ai.onnx" : domain) + "\n\n" +
            llvm::join(types, ", ") + "\n";
  }
  return page;
}

static mil::PackagePlace placeOf(const GraphImporter &importer,
                                 const NodeMessage *node) {
  StringRef graph = importer.model.graph.name;
  mil::PackagePlace place{
      importer.file, graph.empty() ? "main" : graph, {}, {}};
  if (node) {
    place.operation = node->type;
    if (!node->name.empty())
      place.output = node->name;
    else if (!node->outputs.empty())
      place.output = node->outputs.front();
  }
  return place;
}

Location GraphImporter::locationOf(const NodeMessage *node) const {
  return mil::packageLocation(builder.getContext(), placeOf(*this, node));
}

InFlightDiagnostic GraphImporter::error() const {
  return emitError(locationOf(current))
         << placeOf(*this, current).describe() << ": ";
}

LogicalResult GraphImporter::define(StringRef name, Tensor tensor) {
  if (tensor.known && !tensor.weight)
    knownElements += tensor.known->size();
  tensors[name] = std::move(tensor);
  return success();
}

bool GraphImporter::hasRoom(int64_t elements) const {
  return elements <= maxKnownWeight ||
         elements <= maxKnownOfModel - knownElements;
}

const Tensor *GraphImporter::lookup(StringRef name) const {
  auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

Value GraphImporter::valueOf(const Tensor &tensor, StringRef name) {
  if (tensor.value && tensor.factor) {
    const NodeMessage none;
    NodeImporter node(*this, current ? *current : none, /*opset=*/0);
    Value value = *tensor.factor == 1
                      ? tensor.value
                      : node.binary("mul", tensor.value, *tensor.factor);
    return node.cast(value, tensor.type);
  }
  if (tensor.value)
    return tensor.value;
  MLIRContext *context = builder.getContext();
  Type element =
      isFloat(tensor.type)
          ? (tensor.type == DataType::Float16 ? Type(Float16Type::get(context))
                                              : Type(Float32Type::get(context)))
      : tensor.type == DataType::Bool ? Type(IntegerType::get(context, 1))
                                      : Type(IntegerType::get(context, 32));
  Type type = tensor.shape.empty()
                  ? element
                  : RankedTensorType::get(tensor.shape, element);
  std::string identifier = mil::makeIdentifier(name);
  TypedAttr attribute;
  // What int32 and f32 do not hold.
  auto isBeyond = [&](double value) {
    return isFloat(tensor.type)
               ? std::isfinite(value) &&
                     std::fabs(value) > std::numeric_limits<float>::max()
               : value < std::numeric_limits<int32_t>::min() ||
                     value > std::numeric_limits<int32_t>::max();
  };
  auto warn = [&](ArrayRef<double> elements) {
    const auto *beyond = llvm::find_if(elements, isBeyond);
    if (beyond != elements.end())
      markNumeric(emitWarning(locationOf(current)))
          << "constant '" << name << "' of " << describe(tensor.type) << " has "
          << llvm::formatv("{0:e}", *beyond).str()
          << ", which becomes the nearest number of "
          << (isFloat(tensor.type) ? "f32" : "int32");
  };
  // The bytes as they are, where they are what MIL has.
  bool isRaw =
      tensor.weight &&
      (tensor.weight->raw || !tensor.weight->external.empty()) &&
      (tensor.type == DataType::Float || tensor.type == DataType::Float16 ||
       tensor.type == DataType::Int32) &&
      !tensor.shape.empty();
  if (isRaw)
    attribute = mil::makeConstant(cast<RankedTensorType>(type),
                                  *bytesOf(*tensor.weight), identifier);
  else {
    std::vector<double> own;
    if (!tensor.known)
      own = ::elementsOf(*tensor.weight, *bytesOf(*tensor.weight));
    ArrayRef<double> elements(tensor.known ? *tensor.known : own);
    warn(elements);
    attribute = attributeOf(type, elements, identifier);
  }
  Value value =
      mil::StatementBuilder(builder, names, locationOf(current), identifier)
          .constant(attribute, "value");
  // Once for all that use it.
  if (auto found = tensors.find(name);
      found != tensors.end() && &found->second == &tensor)
    found->second.value = value;
  return value;
}

void GraphImporter::countUses(ArrayRef<NodeMessage> nodes) {
  for (const NodeMessage &node : nodes) {
    for (StringRef input : node.inputs)
      ++uses[input];
    for (const AttributeMessage &attribute : node.attributes)
      if (attribute.graph) {
        countUses(attribute.graph->nodes);
        for (const ValueMessage &output : attribute.graph->outputs)
          ++uses[output.name];
      }
  }
}

const Operator *GraphImporter::findOperator(StringRef name) const {
  auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

LogicalResult GraphImporter::defineConstant(StringRef name,
                                            const TensorMessage &message) {
  if (failed(checkTensor(message)))
    return failure();
  Tensor tensor;
  tensor.type = message.type;
  tensor.shape.assign(message.dims.begin(), message.dims.end());
  tensor.weight = &message;
  if (tensor.count() <= maxKnownWeight)
    tensor.known = std::make_shared<const std::vector<double>>(
        ::elementsOf(message, *bytesOf(message)));
  return define(name, std::move(tensor));
}

LogicalResult GraphImporter::importGraph(const GraphMessage &graph) {
  if (graph.hasSparse)
    return error() << "the model has sparse weights, which cannot be imported; "
                      "store them dense";
  for (const TensorMessage &message : graph.initializers)
    if (failed(defineConstant(message.name, message)))
      return failure();
  return importNodes(graph.nodes, model.opsets);
}

LogicalResult
GraphImporter::importNodes(ArrayRef<NodeMessage> nodes,
                           ArrayRef<std::pair<StringRef, int64_t>> opsets) {
  for (unsigned index : orderOf(nodes))
    if (failed(importNode(nodes[index], opsets)))
      return failure();
  return success();
}

// Exporters that fold nothing slice and join the weights of a layer in another
// order. What large weights these are is for layers that need to know it.
LogicalResult GraphImporter::readMovedWeights(const NodeMessage &node) {
  static constexpr StringLiteral movements[] = {"Concat", "Slice", "Transpose"};
  if (!llvm::is_contained(movements, node.type) || node.inputs.empty())
    return success();
  ArrayRef<StringRef> moved(node.inputs);
  if (node.type != "Concat")
    moved = moved.take_front(1);
  int64_t count = 0;
  for (StringRef name : moved) {
    const Tensor *tensor = lookup(name);
    if (!tensor || !tensor->isConstant())
      return success();
    count += tensor->count();
  }
  if (count > maxKnownElements || !hasRoom(count))
    return success();
  for (StringRef name : moved) {
    Tensor &tensor = tensors.find(name)->second;
    if (tensor.known)
      continue;
    auto elements = elementsOfConstant(*tensor.weight);
    if (failed(elements))
      return failure();
    knownElements += tensor.count();
    tensor.known =
        std::make_shared<const std::vector<double>>(std::move(*elements));
  }
  return success();
}

static bool isStandard(StringRef domain) {
  return domain.empty() || domain == "ai.onnx";
}

LogicalResult
GraphImporter::importNode(const NodeMessage &node,
                          ArrayRef<std::pair<StringRef, int64_t>> opsets) {
  const NodeMessage *outer = current;
  current = &node;
  llvm::scope_exit restore([&] { current = outer; });
  for (StringRef input : node.inputs)
    if (!input.empty() && !lookup(input))
      return error() << "input '" << input << "' is not defined before it";
  int64_t opset = -1;
  for (auto [domain, version] : opsets)
    if (domain == node.domain ||
        (isStandard(domain) && isStandard(node.domain)))
      opset = version;
  for (const AttributeMessage &attribute : node.attributes)
    if (!attribute.reference.empty())
      return error() << "takes its '" << attribute.name
                     << "' from an attribute of the function around it, which "
                        "cannot be imported; inline it with onnx.inliner";
  for (const FunctionMessage &function : model.functions)
    if (function.name == node.type && function.domain == node.domain)
      return importFunction(function, node);
  StringRef domain = isStandard(node.domain) ? "" : node.domain;
  NodeImporter importer(*this, node, opset);
  if (domain.empty() && node.type == "If")
    return success(succeeded(importIf(importer)) &&
                   succeeded(importer.checkAttributes({})));
  if (domain.empty() && (node.type == "Loop" || node.type == "Scan"))
    return success(succeeded(importLoop(importer)) &&
                   succeeded(importer.checkAttributes({})));
  if (domain.empty() && failed(readMovedWeights(node)))
    return failure();
  const Operator *entry = findOperator((domain + "." + node.type).str());
  ArrayRef<StringRef> ignored =
      entry ? ArrayRef(entry->ignored) : ArrayRef<StringRef>();
  if (std::optional<Tensor> folded = foldNode(importer)) {
    if (failed(importer.checkAttributes(ignored)))
      return failure();
    return importer.set(std::move(*folded));
  }
  if (!entry)
    return error() << "operator " << (domain.empty() ? "" : domain.str() + ".")
                   << node.type
                   << " is not imported; docs/Formats/ONNX.md has those that "
                      "are";
  for (unsigned i = 0; i < entry->inputs; ++i)
    if (!importer.has(i))
      return error() << "has no input " << i << ", but needs " << entry->inputs;
  return success(succeeded(entry->import(importer)) && !importer.hasFailed() &&
                 succeeded(importer.checkAttributes(ignored)));
}

// Nodes of the function in place of the one that stands for them. Names of it
// are not those of the graph.
LogicalResult GraphImporter::importFunction(const FunctionMessage &function,
                                            const NodeMessage &node) {
  constexpr int deepest = 32;
  if (depth == deepest)
    return error() << "functions call each other more than " << deepest
                   << " deep";
  if (!node.attributes.empty())
    return error() << "calls a function of the model with attributes, which "
                      "cannot be imported; inline it with onnx.inliner";
  if (node.inputs.size() > function.inputs.size() ||
      node.outputs.size() > function.outputs.size())
    return error() << "has more inputs or outputs than the function '"
                   << function.name << "' of the model";
  llvm::StringMap<Tensor> inner;
  for (auto [name, input] : llvm::zip(function.inputs, node.inputs))
    if (!input.empty())
      inner[name] = *lookup(input);
  std::swap(tensors, inner);
  ++depth;
  LogicalResult result = importNodes(
      function.nodes, function.opsets.empty() ? ArrayRef(model.opsets)
                                              : ArrayRef(function.opsets));
  --depth;
  std::swap(tensors, inner);
  if (failed(result))
    return failure();
  for (auto [name, output] : llvm::zip(function.outputs, node.outputs)) {
    auto found = inner.find(name);
    if (found == inner.end())
      return error() << "calls a function whose '" << name
                     << "' is not defined";
    if (failed(define(output, found->second)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {

/// Shapes that the user says, for inputs that are open.
class ShapeChoices {
public:
  explicit ShapeChoices(ArrayRef<std::string> shapes) {
    for (const std::string &shape : shapes) {
      auto [name, sizes] = StringRef(shape).rsplit('=');
      choices.push_back({name, sizes, false});
    }
  }

  FailureOr<SmallVector<int64_t>>
  shapeOf(const ValueMessage &input, unsigned index,
          llvm::function_ref<InFlightDiagnostic()> error) {
    SmallVector<int64_t> shape;
    for (Choice &choice : choices) {
      unsigned number;
      bool isNumber = !choice.name.getAsInteger(10, number);
      if (choice.name != input.name && !(isNumber && number == index))
        continue;
      choice.isUsed = true;
      for (StringRef size : llvm::split(choice.sizes, 'x'))
        if (size.getAsInteger(10, shape.emplace_back()) || shape.back() < 1)
          return error() << "--shape of '" << input.name << "' is '"
                         << choice.sizes << "'; write it as 1x3x224x224";
      if (input.shape && input.shape->size() != shape.size())
        return error() << "input '" << input.name << "' has "
                       << input.shape->size() << " dimensions, but --shape "
                       << shape.size();
      for (size_t dim = 0; input.shape && dim < shape.size(); ++dim)
        if (auto size = (*input.shape)[dim].size; size && *size != shape[dim])
          return error() << "dimension " << dim << " of input '" << input.name
                         << "' is " << *size << ", but " << shape[dim]
                         << " in --shape";
      return shape;
    }
    if (!input.shape)
      return error() << "input '" << input.name
                     << "' has no shape; say it with --shape=" << input.name
                     << "=1x3x224x224";
    std::string example;
    bool isOpen = false;
    for (const Dimension &dim : *input.shape) {
      isOpen |= !dim.size || *dim.size < 1;
      shape.push_back(dim.size.value_or(0));
      example += (example.empty() ? "" : "x") +
                 (dim.size && *dim.size > 0 ? std::to_string(*dim.size)
                  : dim.parameter.empty()   ? "?"
                                            : dim.parameter.str());
    }
    if (isOpen)
      return error() << "input '" << input.name << "' has open dimensions ("
                     << example
                     << "); say its shape with --shape=" << input.name << "="
                     << "...";
    return shape;
  }

  StringRef firstUnused() const {
    for (const Choice &choice : choices)
      if (!choice.isUsed)
        return choice.name;
    return {};
  }

private:
  struct Choice {
    StringRef name, sizes;
    bool isUsed;
  };
  SmallVector<Choice> choices;
};

/// Inputs that files give.
class Bindings {
public:
  /// Fails with an error for a file that is no array.
  static FailureOr<Bindings>
  load(ArrayRef<std::string> texts,
       llvm::function_ref<InFlightDiagnostic()> error) {
    Bindings result;
    for (StringRef text : texts) {
      auto [name, path] = text.split("=@");
      if (!isTakenByImport(text))
        continue;
      auto file = readInput(path);
      if (!file)
        return error() << "'" << path
                       << "' cannot be read: " << file.getError().message();
      auto view = ::ane::npy::parse(
          {reinterpret_cast<const uint8_t *>((*file)->getBufferStart()),
           (*file)->getBufferSize()});
      if (!view.ok())
        return error() << "'" << path << "' "
                       << std::string(view.status().message());
      auto tensor = std::make_unique<TensorMessage>();
      tensor->dims.assign(view->shape.begin(), view->shape.end());
      tensor->type = typeOf(view->type);
      tensor->raw = StringRef(reinterpret_cast<const char *>(view->data.data()),
                              view->data.size());
      result.tensors.push_back(
          {name, std::move(tensor), std::move(*file), false});
    }
    return result;
  }

  /// The array for an input, or null.
  const TensorMessage *find(StringRef input, unsigned index) {
    for (Entry &entry : tensors) {
      unsigned number;
      bool isNumber = !entry.name.getAsInteger(10, number);
      if (entry.name == input || (isNumber && number == index)) {
        entry.isUsed = true;
        return entry.tensor.get();
      }
    }
    return nullptr;
  }

  StringRef firstUnused() const {
    for (const Entry &entry : tensors)
      if (!entry.isUsed)
        return entry.name;
    return {};
  }

private:
  static DataType typeOf(::ane::npy::Type type) {
    switch (type) {
    case ::ane::npy::Type::Float16:
      return DataType::Float16;
    case ::ane::npy::Type::Float32:
      return DataType::Float;
    case ::ane::npy::Type::Int8:
      return DataType::Int8;
    case ::ane::npy::Type::UInt8:
      return DataType::Uint8;
    case ::ane::npy::Type::Int16:
      return DataType::Int16;
    case ::ane::npy::Type::Int32:
      return DataType::Int32;
    case ::ane::npy::Type::Int64:
      break;
    }
    return DataType::Int64;
  }

  struct Entry {
    StringRef name;
    std::unique_ptr<TensorMessage> tensor;
    std::unique_ptr<llvm::MemoryBuffer> file;
    bool isUsed;
  };
  std::vector<Entry> tensors;
};

} // namespace

// Whether an output is what the model says of it. A number alone may be a tensor
// of one here, and one is open where it says nothing.
static bool isDeclared(const ValueMessage &output, const Tensor &tensor) {
  if (!output.shape)
    return true;
  ArrayRef<Dimension> dims = *output.shape;
  if (dims.size() != tensor.shape.size())
    return tensor.count() == 1 &&
           std::max(dims.size(), tensor.shape.size()) == 1;
  return llvm::all_of(llvm::zip(dims, tensor.shape), [](auto pair) {
    auto [dim, size] = pair;
    return !dim.size || *dim.size < 1 || *dim.size == size;
  });
}

static std::string describeShape(const ValueMessage &value) {
  std::string text;
  for (const Dimension &dim : *value.shape)
    text += (text.empty() ? "" : "x") +
            (dim.size ? std::to_string(*dim.size) : dim.parameter.str());
  return text.empty() ? "a number" : text;
}

bool onnx::isTakenByImport(StringRef binding) { return binding.contains("=@"); }

OwningOpRef<ModuleOp> onnx::importModel(StringRef bytes, MLIRContext *context,
                                        const ImportOptions &options) {
  context->getOrLoadDialect<mil::MILDialect>();
  Location loc = FileLineColLoc::get(context, options.file, 0, 0);
  auto error = [&] { return emitError(loc); };
  ModelMessage model;
  std::string problem;
  if (!readModel(bytes, model, problem)) {
    error() << "the model " << problem;
    return {};
  }
  // Weights are inputs as well in old models.
  llvm::StringSet<> weights;
  for (const TensorMessage &tensor : model.graph.initializers)
    weights.insert(tensor.name);
  ShapeChoices choices(options.shapes);
  FailureOr<Bindings> bindings = Bindings::load(options.bindings, error);
  if (failed(bindings))
    return {};
  SmallVector<std::pair<StringRef, const TensorMessage *>> constants;
  unsigned index = 0;
  SmallVector<const ValueMessage *> inputs;
  SmallVector<SmallVector<int64_t>> shapes;
  SmallVector<Type> types;
  SmallVector<std::string> names;
  llvm::StringSet<> taken;
  for (const ValueMessage &input : model.graph.inputs) {
    if (weights.contains(input.name))
      continue;
    if (!input.isTensor || (!isFloat(input.type) && !isInteger(input.type) &&
                            input.type != DataType::Bool)) {
      error() << "input '" << input.name << "' is "
              << (input.isTensor ? "of " + describe(input.type)
                                 : std::string("no tensor"))
              << ", but tensors of numbers and bools can be";
      return {};
    }
    if (const TensorMessage *constant = bindings->find(input.name, index)) {
      if (input.shape && input.shape->size() != constant->dims.size()) {
        error() << "input '" << input.name << "' has " << input.shape->size()
                << " dimensions, but the array that is bound to it "
                << constant->dims.size();
        return {};
      }
      constants.emplace_back(input.name, constant);
      ++index;
      continue;
    }
    auto shape = choices.shapeOf(input, index++, error);
    if (failed(shape))
      return {};
    if (countOf(*shape) > mil::maxElements) {
      error() << "input '" << input.name << "' has more than 2^40 elements";
      return {};
    }
    Type element =
        input.type == DataType::Float16 ? Type(Float16Type::get(context))
        : isFloat(input.type)           ? Type(Float32Type::get(context))
        : input.type == DataType::Bool  ? Type(IntegerType::get(context, 1))
                                        : Type(IntegerType::get(context, 32));
    inputs.push_back(&input);
    // A number alone is a tensor of one for MIL, whose inputs have a rank.
    types.push_back(RankedTensorType::get(
        shape->empty() ? ArrayRef<int64_t>{1} : ArrayRef(*shape), element));
    shapes.push_back(*shape);
    std::string name = mil::makeIdentifier(input.name);
    while (!taken.insert(name).second)
      name += '_';
    names.push_back(name);
  }
  if (StringRef unused = choices.firstUnused(); !unused.empty()) {
    error() << "--shape is for '" << unused << "', but there is no such input";
    return {};
  }
  if (StringRef unused = bindings->firstUnused(); !unused.empty()) {
    error() << "--bind is for '" << unused << "', but there is no such input";
    return {};
  }
  auto module = ModuleOp::create(loc);
  OwningOpRef<ModuleOp> owner(module);
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(module.getBody());
  auto program = mil::ProgramOp::create(builder, loc, "1.3",
                                        builder.getDictionaryAttr({}));
  builder.setInsertionPointToEnd(&program.getBody().front());
  SmallVector<StringRef> nameRefs(names.begin(), names.end());
  auto function = mil::FuncOp::create(builder, loc, "main", "ios18", nameRefs,
                                      types, builder.getDictionaryAttr({}));
  builder.setInsertionPointToEnd(&function.getBody().front());
  GraphImporter importer(function, builder, model, options.file,
                         options.folder);
  for (auto [input, shape, value] :
       llvm::zip(inputs, shapes, function.getBody().getArguments())) {
    Tensor tensor;
    tensor.type = input->type;
    tensor.value = value;
    tensor.shape.assign(shape.begin(), shape.end());
    if (shape.empty())
      tensor.shape = {1};
    (void)importer.define(input->name, std::move(tensor));
  }
  for (auto [name, constant] : constants)
    if (failed(importer.defineConstant(name, *constant)))
      return {};
  importer.countUses(model.graph.nodes);
  for (const ValueMessage &output : model.graph.outputs)
    ++importer.uses[output.name];
  if (failed(importer.importGraph(model.graph)))
    return {};
  SmallVector<Value> results;
  for (const ValueMessage &output : model.graph.outputs) {
    const Tensor *tensor = importer.lookup(output.name);
    if (!tensor) {
      error() << "output '" << output.name << "' is not defined";
      return {};
    }
    if (!isDeclared(output, *tensor)) {
      error() << "output '" << output.name << "' is declared as "
              << describeShape(output) << ", but is "
              << mil::describe(tensor->shape);
      return {};
    }
    Value value = importer.valueOf(*tensor, output.name);
    std::string name = mil::makeIdentifier(output.name);
    // A statement of its own, where the value has a name already.
    bool isNamed = isa<BlockArgument>(value) ||
                   value.getDefiningOp<mil::ConstOp>() ||
                   llvm::is_contained(results, value);
    if (isNamed) {
      name = importer.names.makeUnique(name);
      Operation *op = mil::createStatement(
          builder, loc, "identity", mil::NewArgument("x", value),
          value.getType(), builder.getDictionaryAttr({}), StringRef(name));
      value = op->getResult(0);
    } else if (mil::getValueName(value) != name) {
      mil::setValueName(value, importer.names.makeUnique(name));
    }
    results.push_back(value);
  }
  if (results.empty()) {
    error() << "the model has no outputs";
    return {};
  }
  mil::ReturnOp::create(builder, loc, results);
  // What a node says wrong and no importer looked at.
  if (failed(verify(module)))
    return {};
  return owner;
}
