//===- Messages.h - The messages of a model ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is needed of the messages that onnx.proto declares (versions 3 to 13 of
// the format). Names and weights are views of the file: nothing here is larger
// than it, and no weight is copied. Numbers of fields and types are those of
// the public definition, github.com/onnx/onnx, onnx/onnx.proto.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_ONNX_MESSAGES_H
#define ANE_LIB_TARGET_ONNX_MESSAGES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::ane::onnx {

enum class DataType : uint8_t {
  Undefined = 0,
  Float = 1,
  Uint8 = 2,
  Int8 = 3,
  Uint16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  Uint32 = 12,
  Uint64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
};
/// "float16"; "type 17" for what this version does not know.
std::string describe(DataType type);
bool isFloat(DataType type);
bool isInteger(DataType type);
/// Whether it is an integer of 8 or 16 bits. Wider ones are int32 here.
bool isNarrow(DataType type);
/// The least and the largest integer.
std::pair<double, double> endsOf(DataType type);
/// `integer` without the bits that a type of at most 32 does not have, as far as
/// f64 has them.
double wrapped(double integer, DataType type);
/// Of an element in `raw_data`; 0 for what has no fixed size.
unsigned bytesOf(DataType type);

struct TensorMessage {
  llvm::StringRef name;
  llvm::SmallVector<int64_t> dims;
  DataType type = DataType::Undefined;
  std::optional<llvm::StringRef> raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<int64_t> ints; ///< int32_data, int64_data or uint64_data
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> external;
};

struct GraphMessage;

enum class AttributeType : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
};
/// "ints"; "type 11" for what holds nothing that can be imported.
std::string describe(AttributeType type);

struct AttributeMessage {
  llvm::StringRef name;
  /// What it says; files of the first versions of the format do not.
  AttributeType type = AttributeType::Undefined;
  llvm::StringRef reference; ///< an attribute of the function around it
  std::optional<float> f;
  std::optional<int64_t> i;
  std::optional<llvm::StringRef> s;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<llvm::StringRef> strings;
  std::shared_ptr<TensorMessage> tensor;
  std::shared_ptr<GraphMessage> graph;

  /// By what it holds, where it does not say.
  AttributeType kind() const;
};

struct NodeMessage {
  llvm::StringRef name, type, domain;
  std::vector<llvm::StringRef> inputs, outputs;
  std::vector<AttributeMessage> attributes;
};

struct Dimension {
  std::optional<int64_t> size;
  llvm::StringRef parameter; ///< the name of an open one
};

struct ValueMessage {
  llvm::StringRef name;
  DataType type = DataType::Undefined;
  bool isTensor = false;
  std::optional<llvm::SmallVector<Dimension>> shape;
};

struct GraphMessage {
  llvm::StringRef name;
  std::vector<NodeMessage> nodes;
  std::vector<TensorMessage> initializers;
  std::vector<ValueMessage> inputs, outputs;
  bool hasSparse = false;
};

/// A function of the model's own, which stands for its nodes.
struct FunctionMessage {
  llvm::StringRef name, domain;
  std::vector<llvm::StringRef> inputs, outputs;
  std::vector<NodeMessage> nodes;
  std::vector<std::pair<llvm::StringRef, int64_t>> opsets;
};

struct ModelMessage {
  int64_t version = 0;
  llvm::StringRef producer;
  std::vector<std::pair<llvm::StringRef, int64_t>> opsets; ///< domain, version
  GraphMessage graph;
  std::vector<FunctionMessage> functions;
  bool hasGraph = false;
};

/// Fails with a sentence in `error` for what is no model, is cut off, or nests
/// too deep.
bool readModel(llvm::StringRef bytes, ModelMessage &model, std::string &error);

} // namespace mlir::ane::onnx

#endif // ANE_LIB_TARGET_ONNX_MESSAGES_H
