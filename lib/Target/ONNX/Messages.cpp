//===- Messages.cpp - The messages of a model -----------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include "google/protobuf/io/coded_stream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cmath>
#include <cstring>

using namespace mlir::ane::onnx;
using google::protobuf::io::CodedInputStream;
using llvm::StringRef;
using llvm::Twine;

std::string mlir::ane::onnx::describe(DataType type) {
  static constexpr llvm::StringLiteral names[] = {
      "undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
      "int32",     "int64",  "string",    "bool",       "float16", "double",
      "uint32",    "uint64", "complex64", "complex128", "bfloat16"};
  auto number = static_cast<unsigned>(type);
  return number < std::size(names) ? names[number].str()
                                   : ("type " + Twine(number)).str();
}

std::string mlir::ane::onnx::describe(AttributeType type) {
  static constexpr llvm::StringLiteral names[] = {
      "no type", "float",  "int",  "string", "tensor",
      "graph",   "floats", "ints", "strings"};
  auto number = static_cast<unsigned>(type);
  return number < std::size(names) ? names[number].str()
                                   : ("type " + Twine(number)).str();
}

AttributeType AttributeMessage::kind() const {
  return type != AttributeType::Undefined ? type
         : f                              ? AttributeType::Float
         : i                              ? AttributeType::Int
         : s                              ? AttributeType::String
         : tensor                         ? AttributeType::Tensor
         : graph                          ? AttributeType::Graph
         : !floats.empty()                ? AttributeType::Floats
         : !ints.empty()                  ? AttributeType::Ints
         : !strings.empty()               ? AttributeType::Strings
                                          : AttributeType::Undefined;
}

bool mlir::ane::onnx::isFloat(DataType type) {
  return type == DataType::Float || type == DataType::Float16 ||
         type == DataType::Double || type == DataType::BFloat16;
}

bool mlir::ane::onnx::isInteger(DataType type) {
  switch (type) {
  case DataType::Uint8:
  case DataType::Int8:
  case DataType::Uint16:
  case DataType::Int16:
  case DataType::Int32:
  case DataType::Int64:
  case DataType::Uint32:
  case DataType::Uint64:
    return true;
  default:
    return false;
  }
}

bool mlir::ane::onnx::isNarrow(DataType type) {
  return isInteger(type) && bytesOf(type) <= 2;
}

std::pair<double, double> mlir::ane::onnx::endsOf(DataType type) {
  double count = std::ldexp(1.0, 8 * static_cast<int>(bytesOf(type)));
  bool isSigned = type == DataType::Int8 || type == DataType::Int16 ||
                  type == DataType::Int32 || type == DataType::Int64;
  double low = isSigned ? -count / 2 : 0;
  return {low, low + count - 1};
}

double mlir::ane::onnx::wrapped(double integer, DataType type) {
  constexpr double limit = 0x1p53;
  if (bytesOf(type) > 4 || !(std::fabs(integer) < limit))
    return integer;
  auto [low, high] = endsOf(type);
  double count = high - low + 1;
  return integer - count * std::floor((integer - low) / count);
}

unsigned mlir::ane::onnx::bytesOf(DataType type) {
  switch (type) {
  case DataType::Uint8:
  case DataType::Int8:
  case DataType::Bool:
    return 1;
  case DataType::Uint16:
  case DataType::Int16:
  case DataType::Float16:
  case DataType::BFloat16:
    return 2;
  case DataType::Float:
  case DataType::Int32:
  case DataType::Uint32:
    return 4;
  case DataType::Int64:
  case DataType::Uint64:
  case DataType::Double:
    return 8;
  default:
    return 0;
  }
}

namespace {

/// The fields of a message, one after the other.
class Fields {
public:
  explicit Fields(StringRef bytes)
      : bytes(bytes),
        in(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()) {}

  /// Goes to the next field; false at the end, and where the bytes are no
  /// message.
  bool next() {
    uint32_t tag = in.ReadTag();
    if (tag == 0) {
      isBroken = !in.ConsumedEntireMessage();
      return false;
    }
    number = tag >> 3;
    isBytes = false;
    switch (tag & 7) {
    case 0:
      return take(in.ReadVarint64(&value));
    case 1:
      return take(in.ReadLittleEndian64(&value));
    case 2: {
      int size = 0;
      isBytes = true;
      if (!in.ReadVarintSizeAsInt(&size))
        return take(false);
      content = bytes.substr(in.CurrentPosition(), size);
      return take(content.size() == size_t(size) && in.Skip(size));
    }
    case 5: {
      uint32_t narrow = 0;
      bool isRead = in.ReadLittleEndian32(&narrow);
      value = narrow;
      return take(isRead);
    }
    default:
      return take(false);
    }
  }

  float asFloat() const {
    auto narrow = static_cast<uint32_t>(value);
    float result;
    std::memcpy(&result, &narrow, sizeof result);
    return result;
  }
  double asDouble() const {
    double result;
    std::memcpy(&result, &value, sizeof result);
    return result;
  }

  /// Of a repeated number, packed or not.
  template <typename T> bool appendTo(std::vector<T> &numbers) const {
    if constexpr (std::is_same_v<T, int64_t>) {
      if (!isBytes) {
        numbers.push_back(static_cast<int64_t>(value));
        return true;
      }
      CodedInputStream packed(reinterpret_cast<const uint8_t *>(content.data()),
                              content.size());
      uint64_t each;
      while (packed.CurrentPosition() != int(content.size())) {
        if (!packed.ReadVarint64(&each))
          return false;
        numbers.push_back(static_cast<int64_t>(each));
      }
      return true;
    } else {
      if (!isBytes) {
        if constexpr (std::is_same_v<T, float>)
          numbers.push_back(asFloat());
        else
          numbers.push_back(asDouble());
        return true;
      }
      size_t count = content.size() / sizeof(T), before = numbers.size();
      numbers.resize(before + count);
      llvm::copy(content.take_front(count * sizeof(T)),
                 reinterpret_cast<char *>(numbers.data() + before));
      return content.size() % sizeof(T) == 0;
    }
  }

  uint32_t number = 0;
  uint64_t value = 0;
  StringRef content;
  bool isBytes = false, isBroken = false;

private:
  bool take(bool isRead) {
    isBroken = !isRead;
    return isRead;
  }

  StringRef bytes;
  CodedInputStream in;
};

class Reader {
public:
  explicit Reader(std::string &error) : error(error) {}

  bool read(StringRef bytes, ModelMessage &model);

private:
  bool fail(const Twine &text) {
    if (error.empty())
      error = text.str();
    return false;
  }
  bool end(const Fields &fields, StringRef what) {
    return !fields.isBroken || fail("is cut off or damaged in " + Twine(what));
  }

  bool read(StringRef bytes, GraphMessage &graph);
  bool read(StringRef bytes, NodeMessage &node);
  bool read(StringRef bytes, AttributeMessage &attribute);
  bool read(StringRef bytes, TensorMessage &tensor);
  bool read(StringRef bytes, ValueMessage &value);
  bool read(StringRef bytes, FunctionMessage &function);
  bool readType(StringRef bytes, ValueMessage &value);
  bool readShape(StringRef bytes, ValueMessage &value);
  bool readOpset(StringRef bytes,
                 std::vector<std::pair<StringRef, int64_t>> &opsets);

  std::string &error;
  int depth = 0;
};

} // namespace

bool Reader::read(StringRef bytes, ModelMessage &model) {
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.number) {
    case 1:
      model.version = static_cast<int64_t>(fields.value);
      break;
    case 2:
      model.producer = fields.content;
      break;
    case 7:
      model.hasGraph = true;
      if (!read(fields.content, model.graph))
        return false;
      break;
    case 8:
      if (!readOpset(fields.content, model.opsets))
        return false;
      break;
    case 25:
      if (!read(fields.content, model.functions.emplace_back()))
        return false;
      break;
    default:
      break;
    }
  }
  return end(fields, "the model");
}

bool Reader::readOpset(StringRef bytes,
                       std::vector<std::pair<StringRef, int64_t>> &opsets) {
  auto &[domain, version] = opsets.emplace_back();
  Fields fields(bytes);
  while (fields.next()) {
    if (fields.number == 1)
      domain = fields.content;
    else if (fields.number == 2)
      version = static_cast<int64_t>(fields.value);
  }
  return end(fields, "a set of operators");
}

bool Reader::read(StringRef bytes, FunctionMessage &function) {
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.number) {
    case 1:
      function.name = fields.content;
      break;
    case 4:
      function.inputs.push_back(fields.content);
      break;
    case 5:
      function.outputs.push_back(fields.content);
      break;
    case 7:
      if (!read(fields.content, function.nodes.emplace_back()))
        return false;
      break;
    case 9:
      if (!readOpset(fields.content, function.opsets))
        return false;
      break;
    case 10:
      function.domain = fields.content;
      break;
    default:
      break;
    }
  }
  return end(fields, "a function");
}

bool Reader::read(StringRef bytes, GraphMessage &graph) {
  // Bodies of loops and branches in each other.
  constexpr int deepest = 16;
  if (depth == deepest)
    return fail("nests graphs more than " + Twine(deepest) + " deep");
  ++depth;
  Fields fields(bytes);
  while (fields.next()) {
    bool isRead = true;
    switch (fields.number) {
    case 1:
      isRead = read(fields.content, graph.nodes.emplace_back());
      break;
    case 2:
      graph.name = fields.content;
      break;
    case 5:
      isRead = read(fields.content, graph.initializers.emplace_back());
      break;
    case 11:
      isRead = read(fields.content, graph.inputs.emplace_back());
      break;
    case 12:
      isRead = read(fields.content, graph.outputs.emplace_back());
      break;
    case 15:
      graph.hasSparse = true;
      break;
    default:
      break;
    }
    if (!isRead)
      return false;
  }
  --depth;
  return end(fields, "a graph");
}

bool Reader::read(StringRef bytes, NodeMessage &node) {
  Fields fields(bytes);
  while (fields.next()) {
    switch (fields.number) {
    case 1:
      node.inputs.push_back(fields.content);
      break;
    case 2:
      node.outputs.push_back(fields.content);
      break;
    case 3:
      node.name = fields.content;
      break;
    case 4:
      node.type = fields.content;
      break;
    case 5:
      if (!read(fields.content, node.attributes.emplace_back()))
        return false;
      break;
    case 7:
      node.domain = fields.content;
      break;
    default:
      break;
    }
  }
  return end(fields, "a node");
}

bool Reader::read(StringRef bytes, AttributeMessage &attribute) {
  Fields fields(bytes);
  while (fields.next()) {
    bool isRead = true;
    switch (fields.number) {
    case 1:
      attribute.name = fields.content;
      break;
    case 2:
      attribute.f = fields.asFloat();
      break;
    case 3:
      attribute.i = static_cast<int64_t>(fields.value);
      break;
    case 4:
      attribute.s = fields.content;
      break;
    case 5:
      attribute.tensor = std::make_shared<TensorMessage>();
      isRead = read(fields.content, *attribute.tensor);
      break;
    case 6:
      attribute.graph = std::make_shared<GraphMessage>();
      isRead = read(fields.content, *attribute.graph);
      break;
    case 7:
      isRead = fields.appendTo(attribute.floats);
      break;
    case 8:
      isRead = fields.appendTo(attribute.ints);
      break;
    case 9:
      attribute.strings.push_back(fields.content);
      break;
    case 21:
      attribute.reference = fields.content;
      break;
    case 20:
      attribute.type =
          static_cast<AttributeType>(std::min<uint64_t>(fields.value, 255));
      break;
    default:
      break;
    }
    if (!isRead)
      return fail("is cut off or damaged in an attribute");
  }
  return end(fields, "an attribute");
}

bool Reader::read(StringRef bytes, TensorMessage &tensor) {
  Fields fields(bytes);
  std::vector<int64_t> dims;
  while (fields.next()) {
    bool isRead = true;
    switch (fields.number) {
    case 1:
      isRead = fields.appendTo(dims);
      break;
    case 2:
      tensor.type =
          static_cast<DataType>(std::min<uint64_t>(fields.value, 255));
      break;
    case 4:
      isRead = fields.appendTo(tensor.floats);
      break;
    case 5:
    case 7:
    case 11:
      isRead = fields.appendTo(tensor.ints);
      break;
    case 8:
      tensor.name = fields.content;
      break;
    case 9:
      tensor.raw = fields.content;
      break;
    case 10:
      isRead = fields.appendTo(tensor.doubles);
      break;
    case 13: {
      auto &[key, value] = tensor.external.emplace_back();
      Fields entry(fields.content);
      while (entry.next())
        (entry.number == 1 ? key : value) = entry.content;
      isRead = !entry.isBroken;
      break;
    }
    default:
      break;
    }
    if (!isRead)
      return fail("is cut off or damaged in a tensor");
  }
  tensor.dims.assign(dims.begin(), dims.end());
  return end(fields, "a tensor");
}

bool Reader::read(StringRef bytes, ValueMessage &value) {
  Fields fields(bytes);
  while (fields.next()) {
    if (fields.number == 1)
      value.name = fields.content;
    else if (fields.number == 2 && !readType(fields.content, value))
      return false;
  }
  return end(fields, "a value");
}

bool Reader::readType(StringRef bytes, ValueMessage &value) {
  Fields type(bytes);
  while (type.next()) {
    if (type.number != 1)
      continue;
    value.isTensor = true;
    Fields tensor(type.content);
    while (tensor.next()) {
      if (tensor.number == 1)
        value.type =
            static_cast<DataType>(std::min<uint64_t>(tensor.value, 255));
      else if (tensor.number == 2 && !readShape(tensor.content, value))
        return false;
    }
    if (!end(tensor, "a type"))
      return false;
  }
  return end(type, "a type");
}

bool Reader::readShape(StringRef bytes, ValueMessage &value) {
  value.shape.emplace();
  Fields shape(bytes);
  while (shape.next()) {
    if (shape.number != 1)
      continue;
    Dimension &dim = value.shape->emplace_back();
    Fields fields(shape.content);
    while (fields.next()) {
      if (fields.number == 1)
        dim.size = static_cast<int64_t>(fields.value);
      else if (fields.number == 2)
        dim.parameter = fields.content;
    }
    if (!end(fields, "a shape"))
      return false;
  }
  return end(shape, "a shape");
}

bool mlir::ane::onnx::readModel(StringRef bytes, ModelMessage &model,
                                std::string &error) {
  // What a message of protocol buffers can be.
  if (bytes.size() > std::numeric_limits<int>::max()) {
    error = "is larger than 2 GiB, which no message is; keep weights in files "
            "of their own (external data)";
    return false;
  }
  if (!Reader(error).read(bytes, model))
    return false;
  if (!model.hasGraph)
    error = "has no graph";
  return model.hasGraph;
}
