//===- ImportNode.h - Statements for a node ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator is imported by a function that gets a node: its attributes with
// their defaults, its inputs, and the statements of MIL that it makes. Types of
// f64 are f32 and all integers int32, as in MIL.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_ONNX_IMPORTNODE_H
#define ANE_LIB_TARGET_ONNX_IMPORTNODE_H

#include "Messages.h"

#include "ane/Dialect/MIL/Utils/MILBuilder.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::ane::onnx {

/// The product of dimensions. Where it is no size that can be, the largest
/// number, which any limit refuses: a dimension is below 0, or the others than
/// those of 0 make more than 64 bits hold, so that no product of some can either.
inline constexpr int64_t impossibleCount = std::numeric_limits<int64_t>::max();
int64_t countOf(ArrayRef<int64_t> shape);

/// A value of the graph. Its statement is made when one is needed: shapes and
/// what is computed of them never are.
struct Tensor {
  DataType type = DataType::Undefined;
  SmallVector<int64_t> shape;
  Value value;
  const TensorMessage *weight = nullptr;
  /// All elements in order, where they are few and known.
  std::shared_ptr<const std::vector<double>> known;
  /// Of a sum that f16 may not hold: this times `value` is what it is. Casts and
  /// products look at it; for all others, valueOf() multiplies.
  std::optional<double> factor;

  int64_t rank() const { return shape.size(); }
  int64_t count() const { return countOf(shape); }
  bool isConstant() const { return weight || known; }
};

/// Elements beyond which a weight is data, and nothing is computed with it, and
/// beyond which what is computed is data. Masks of attention are between both.
/// All that a model computes of itself stays within some hundred megabytes.
inline constexpr int64_t maxKnownWeight = 1 << 12;
inline constexpr int64_t maxKnownElements = 1 << 18;
inline constexpr int64_t maxKnownOfModel = 1 << 25;

/// The nodes, each after those whose results it uses: as they are, where they
/// are in order.
SmallVector<unsigned> orderOf(ArrayRef<NodeMessage> nodes);

using mil::broadcastShapes;

class GraphImporter;

class NodeImporter : public mil::MILBuilder {
public:
  NodeImporter(GraphImporter &graph, const NodeMessage &node, int64_t opset);

  const NodeMessage &node;
  const int64_t opset; ///< of the domain of the node

  InFlightDiagnostic error() const;
  /// Whether a statement could not be made, which has been said.
  bool hasFailed() const { return isWrong; }

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  bool hasAttribute(StringRef name) const;
  /// Null where it is absent, or of another type, which is an error.
  const AttributeMessage *find(StringRef name, AttributeType type) const;
  /// Fails with an error for an attribute that nobody asked for, except those
  /// that are known to change nothing, or to be read by `other`.
  LogicalResult checkAttributes(ArrayRef<StringRef> ignored) const;
  /// Attributes that another importer of the same node asks for.
  void ignore(const NodeImporter &other);
  int64_t integer(StringRef name, int64_t otherwise) const;
  double number(StringRef name, double otherwise) const;
  StringRef string(StringRef name, StringRef otherwise) const;
  /// Empty if it is absent.
  SmallVector<int64_t> integers(StringRef name) const;
  /// An axis, counted from the front; fails where it is out of range.
  FailureOr<int64_t> axis(int64_t axis, int64_t rank) const;
  FailureOr<SmallVector<int64_t>> axes(ArrayRef<int64_t> axes,
                                       int64_t rank) const;

  //===--------------------------------------------------------------------===//
  // Inputs
  //===--------------------------------------------------------------------===//

  bool has(unsigned index) const;
  unsigned inputCount() const { return node.inputs.size(); }
  const Tensor &tensor(unsigned index) const;
  /// The statement of it.
  Value input(unsigned index) const;
  Value valueOf(const Tensor &tensor) const;
  /// What a parameter has to be: fails with an error that names the input.
  FailureOr<SmallVector<int64_t>> knownIntegers(unsigned index,
                                                StringRef what) const;
  FailureOr<SmallVector<double>> knownNumbers(unsigned index,
                                              StringRef what) const;
  /// An attribute in old sets of operators and an input in new ones; nothing
  /// where it is absent in both.
  FailureOr<std::optional<SmallVector<int64_t>>>
  attributeOrInput(StringRef name, unsigned index) const;

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  MLIRContext *context() const;
  Type elementType(DataType type) const;
  using MILBuilder::typeOf;
  Type typeOf(DataType type, ArrayRef<int64_t> shape) const {
    return typeOf(elementType(type), shape);
  }

  using MILBuilder::emit;
  Value emit(StringRef type, ArrayRef<mil::NewArgument> arguments,
             DataType element, ArrayRef<int64_t> shape) {
    return emit(type, arguments, elementType(element), shape);
  }
  using MILBuilder::cast;
  Value cast(Value x, DataType type) { return cast(x, elementType(type)); }
  using MILBuilder::number;
  Value number(DataType type, double value) {
    return number(elementType(type), value);
  }
  using MILBuilder::integer;
  using MILBuilder::integers;
  using MILBuilder::string;

  DataType dataTypeOf(Value value) const;

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  LogicalResult set(Value value, unsigned index = 0) const;
  LogicalResult set(Tensor tensor, unsigned index = 0) const;
  /// Another name for a value.
  LogicalResult forward(unsigned input) const { return set(tensor(input)); }
  LogicalResult setKnown(DataType type, ArrayRef<int64_t> shape,
                         std::vector<double> elements,
                         unsigned index = 0) const;
  bool isUsed(unsigned output) const;

  GraphImporter &graph;

private:
  void refuse(const Twine &text) override;
  mil::StatementBuilder statements() override;

  mutable bool isWrong = false;
  mutable llvm::StringSet<> asked; ///< attributes
};

using ImportFn = std::function<LogicalResult(NodeImporter &)>;
struct Operator {
  ImportFn import;
  unsigned inputs = 1; ///< that it has at least
  /// Attributes that change nothing of what is imported.
  SmallVector<StringRef, 2> ignored;

  Operator() = default;
  template <typename Fn>
  Operator(Fn import, unsigned inputs = 1, ArrayRef<StringRef> ignored = {})
      : import(std::move(import)), inputs(inputs), ignored(ignored) {}
};
/// By the domain, a dot and the type: ".Conv", "com.microsoft.Gelu".
using ImportTable = llvm::StringMap<Operator>;

void addElementwiseImport(ImportTable &table);
void addImageImport(ImportTable &table);
void addLayerImport(ImportTable &table);
void addLossImport(ImportTable &table);
void addQuantizedImport(ImportTable &table);
void addRecurrentImport(ImportTable &table);
void addShapeImport(ImportTable &table);

/// All of them.
ImportTable importTable();

/// Computes a node whose inputs are all known. Nothing where it is no node of
/// arithmetic or of shapes, or not of so few elements.
std::optional<Tensor> foldNode(const NodeImporter &node);

/// One graph, with those that its nodes have.
class GraphImporter {
public:
  GraphImporter(mil::FuncOp function, OpBuilder &builder,
                const ModelMessage &model, StringRef file, StringRef folder);

  /// Defines initializers and imports nodes.
  LogicalResult importGraph(const GraphMessage &graph);
  LogicalResult importNodes(ArrayRef<NodeMessage> nodes,
                            ArrayRef<std::pair<StringRef, int64_t>> opsets);
  LogicalResult importNode(const NodeMessage &node,
                           ArrayRef<std::pair<StringRef, int64_t>> opsets);
  /// A graph of a node: the values of its outputs.
  FailureOr<SmallVector<Tensor>> importBody(const GraphMessage &graph);
  LogicalResult define(StringRef name, Tensor tensor);
  LogicalResult defineConstant(StringRef name, const TensorMessage &message);
  const Tensor *lookup(StringRef name) const;
  Value valueOf(const Tensor &tensor, StringRef name);
  FailureOr<ArrayRef<char>> bytesOf(const TensorMessage &tensor);
  /// With an error for a tensor that is none.
  FailureOr<std::vector<double>>
  elementsOfConstant(const TensorMessage &tensor);
  /// Of a constant, however large.
  FailureOr<std::vector<double>> elementsOf(const Tensor &tensor);
  LogicalResult checkTensor(const TensorMessage &tensor);
  Location locationOf(const NodeMessage *node) const;
  InFlightDiagnostic error() const;

  OpBuilder &builder;
  mil::NameTable names;
  const ModelMessage &model;
  std::string file, folder;
  const NodeMessage *current = nullptr;
  llvm::StringMap<Tensor> tensors;
  /// Counts what nodes use, and those of their graphs.
  void countUses(ArrayRef<NodeMessage> nodes);
  /// By the key of the table; null for what is not imported.
  const Operator *findOperator(StringRef name) const;
  /// Whether so many elements more may be kept, however many nodes do it.
  bool hasRoom(int64_t elements) const;
  /// How often a name is used, outputs of the graph included.
  llvm::StringMap<unsigned> uses;

  /// A name that is kept as long as this.
  StringRef internName(StringRef name) {
    return interned.insert(name).first->first();
  }
  /// Nodes of all trips of all loops.
  uint64_t unrolled = 0;

private:
  LogicalResult importIf(NodeImporter &node);
  LogicalResult importLoop(NodeImporter &node);
  /// Makes weights known that a node only moves.
  LogicalResult readMovedWeights(const NodeMessage &node);
  LogicalResult importFunction(const FunctionMessage &function,
                               const NodeMessage &node);

  ImportTable table;
  int64_t knownElements = 0;
  int depth = 0;
  llvm::StringSet<> interned;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
};

} // namespace mlir::ane::onnx

#endif // ANE_LIB_TARGET_ONNX_IMPORTNODE_H
