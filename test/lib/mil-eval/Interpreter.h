//===- Interpreter.h - Runs a MIL function, op by op ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is evaluated statement by statement. An operation is a row of a
// table: its MIL name, the arguments that it must have, and a function that
// reads arguments from a `Call` and yields results to it. What it yields is
// held against the types that the program declares, so a wrong shape is found
// where it arises.
//
// Nothing here is shared with the compiler but the reader of the text: the
// evaluator is there to find the compiler's errors.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TEST_TOOLS_MIL_EVAL_INTERPRETER_H
#define ANE_TEST_TOOLS_MIL_EVAL_INTERPRETER_H

#include "Tensor.h"

#include "ane/Dialect/MIL/IR/MIL.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <map>
#include <memory>

namespace mlir::ane::mileval {

using TensorRef = std::shared_ptr<const Tensor>;

/// States by the argument that holds them.
using States = llvm::DenseMap<Value, TensorRef>;

/// One operation with its arguments.
class Call {
public:
  explicit Call(mil::MILOpInterface op) : op(op) {}

  bool has(StringRef name) const;
  /// An argument that the table says is there.
  const Tensor &operator[](StringRef name) const;
  const Tensor *find(StringRef name) const;
  ArrayRef<TensorRef> tuple(StringRef name) const;

  /// Scalars and short vectors; a value of another kind is an error.
  double number(StringRef name, double byDefault);
  int64_t integer(StringRef name, int64_t byDefault);
  bool flag(StringRef name, bool byDefault);
  StringRef text(StringRef name, StringRef byDefault);
  Shape integers(StringRef name, ArrayRef<int64_t> byDefault);
  /// A dimension of `rank`, negative ones counted from the end.
  int64_t axis(StringRef name, int64_t byDefault, int64_t rank);
  /// Several of them in ascending order; all when the argument is absent.
  Shape axes(StringRef name, int64_t rank);

  /// The element type of a result, and whether an error was reported.
  Type resultElement(unsigned i = 0) const;
  unsigned resultCount() const { return op->getNumResults(); }
  bool failed() const { return hasFailed; }

  LogicalResult fail(const Twine &message);
  /// The next result. Its element type becomes the declared one.
  LogicalResult yield(Tensor result);
  /// A result of zeros to be filled; fails when it is too large.
  FailureOr<Tensor> make(ArrayRef<int64_t> shape);

  mil::MILOpInterface op;
  std::vector<Tensor> results;
  States *states = nullptr;

private:
  friend class Interpreter;
  llvm::StringMap<SmallVector<TensorRef, 1>> arguments;
  bool hasFailed = false;
};

using Handler = std::function<LogicalResult(Call &)>;

struct OpEntry {
  std::string required; // names, separated by blanks
  Handler handler;
};

class OpTable {
public:
  OpTable();
  void add(StringRef names, StringRef required, Handler handler);
  const OpEntry *lookup(StringRef name) const;
  std::vector<StringRef> names() const;

private:
  llvm::StringMap<OpEntry> entries;
};

// Each file of operations adds its rows.
void addConstexprOps(OpTable &table);
void addConvolutionOps(OpTable &table);
void addElementwiseOps(OpTable &table);
void addGatherOps(OpTable &table);
void addImageOps(OpTable &table);
void addMatrixOps(OpTable &table);
void addPoolOps(OpTable &table);
void addRecurrentOps(OpTable &table);
void addReductionOps(OpTable &table);
void addShapeOps(OpTable &table);
void addStateOps(OpTable &table);

/// Reads weight files below a folder that stands for `@model_path`.
class Weights {
public:
  explicit Weights(StringRef root) : root(root) {}
  /// The blob whose record is at the offset; an error says what is wrong.
  llvm::Expected<Tensor> read(mil::BlobFileAttr blob);

private:
  std::string root;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
};

/// The value of a constant. Emits an error at `loc`.
FailureOr<Tensor> evaluateConstant(TypedAttr value, Type type, Location loc,
                                   Weights &weights);

/// Evaluates a function on `inputs`, in the order of its arguments. An argument
/// that is a state has its first value there, and its last in `states`.
FailureOr<std::vector<TensorRef>> evaluate(mil::FuncOp func,
                                           ArrayRef<TensorRef> inputs,
                                           Weights &weights, States &states);

} // namespace mlir::ane::mileval

#endif // ANE_TEST_TOOLS_MIL_EVAL_INTERPRETER_H
