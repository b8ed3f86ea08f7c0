//===- SequenceEmitter.h - Functions as sequences of tasks ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiler 9.509 takes products of matrices, norms and reductions apart into
// tasks that hand their results over in L2, seen in several ways: a row of
// channels as columns, rows as groups. That is decided for a function as a
// whole, since the form in which a value is left depends on who reads it.
//
// What is written here agrees with the recorded programs; a comment says where
// that is a choice and where more than one program shows it.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTER_H
#define ANE_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTER_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tasks/TaskBuilder.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::ane {

/// What a flavour that writes such sequences has of its own.
struct SequenceForms {
  /// Sums of channels, or of rows seen as channels, are one task of the NEs (as
  /// in a softmax), instead of an exchange and a reduction of the PE.
  bool sumsOnNes = false;
};

class SequenceEmitter : public TaskBuilder {
public:
  SequenceEmitter(func::FuncOp func, const ::ane::hw::GenerationInfo &info,
                  SequenceForms forms = {});

  /// Whether run() can write tasks for all of the function.
  bool takes();
  void run();

private:
  /// How a value lies in memory.
  enum class Form {
    Natural, ///< N, C, H, W
    Rows,    ///< the rows of a matrix are channels: 1, M, 1, N
    Columns, ///< its columns are channels: 1, N, and M pixels
    Kernel,  ///< planes of coefficients in scratch memory
  };
  struct Held {
    Value memref;
    Form form = Form::Natural;
  };

  Value permute(Value source, ArrayRef<int64_t> perm) {
    return TaskBuilder::permute(source.getLoc(), source, perm);
  }
  Value reshape(Value source, ArrayRef<int64_t> shape) {
    return reshapeView(source.getLoc(), source, shape);
  }
  Value box(Value source, ArrayRef<int64_t> offsets, ArrayRef<int64_t> shape) {
    return subview(source.getLoc(), source, offsets, shape);
  }
  /// N, C, H, W with N and H exchanged with C: [0, 2, 1, 3].
  Value swapRows(Value source) { return permute(source, {0, 2, 1, 3}); }
  /// A constant as N x K x 1 x 1, or as a row.
  Value constant(Location loc, Value tensor, ArrayRef<int64_t> perm,
                 ArrayRef<int64_t> shape);

  /// Where the result of an op goes when it leaves the function.
  Value outputOf(Value tensor) const { return outputs.lookup(tensor); }
  void hold(Value tensor, Value memref, Form form) {
    held[tensor] = {memref, form};
  }
  bool isInDram(Value memref) const;

  // Blocks that several ops share.
  /// A task of which the result has channels and columns exchanged.
  static TaskSpec exchanged(TaskSource source, Value target = {});
  Value exchange(Location loc, Value source, Value target, bool hasPlace,
                 ActivationAttr act = {});
  Value copy(Location loc, Value source, Value target, ActivationAttr act = {});

  // Matrix products.
  struct Product;
  std::optional<Product> getProduct(Operation *op) const;
  std::optional<Product> getRowProduct(ConvOp conv) const;
  bool isTaken(const Product &product) const;
  void emitProduct(const Product &product);
  void emitRuntimeProduct(const Product &product);
  bool folds(const Product &product) const;
  int64_t rowsOfTask(const Product &product) const;
  Value stagePixels(const Product &product);
  void computePixels(const Product &product, Value pixels);
  Value stageKernel(const Product &product);

  // Norms and reductions.
  bool isTooLongAsRow(ArrayRef<int64_t> shape) const;
  bool isTaken(SoftmaxOp op) const;
  bool isTaken(LayerNormOp op) const;
  bool isTaken(ReduceOp op) const;
  bool isTaken(PoolOp op) const;
  void emit(SoftmaxOp op);
  void emitChannelSoftmax(SoftmaxOp op);
  void emitColumnSoftmax(SoftmaxOp op);
  void emitRowSoftmax(SoftmaxOp op);
  Value powerOfColumn(Location loc, Value column, Value top);
  void emitLoneSoftmax(SoftmaxOp op);
  void emit(LayerNormOp op);
  Value wholeOf(Value surface);
  Value statistics(LayerNormOp op, Value source, Value rows, bool exchanged);
  void emitWholeNorm(LayerNormOp op);
  void emitRowNorm(LayerNormOp op);
  void emitLongRowNorm(LayerNormOp op);
  void emitPixelNorm(LayerNormOp op);
  void emitColumnNorm(LayerNormOp op);
  void emitChannelNorm(LayerNormOp op);
  void emit(ReduceOp op);
  void emit(PoolOp op);
  void emitChannelReduce(ReduceOp op);
  void emitHeightReduce(ReduceOp op);

  struct Reduction : TaskBuilder::Reduction {
    Value offset = {}; ///< subtracted before squaring
    bool keeps = false;
    Value target = {};
  };
  TaskResults reduce(Location loc, Value source, const Reduction &reduction);
  struct Pair : TaskBuilder::Pair {
    Value target = {}, place = {};
    int64_t interleave = 1;
  };
  Value pair(Location loc, Value lhs, Value rhs, const Pair &how);
  /// Their product is the result of `op`.
  void multiply(Operation *op, Value lhs, Value rhs);
  TaskResults reduceChannels(Location loc, Value source, ReduceKind kind,
                             ActivationAttr act, bool keeps);
  Value normalize(Location loc, Value source, Value rows, bool exchangeRows,
                  bool allChannels, Value target);
  Value rowsOf(Value image);
  Value foldColumns(Value view);
  Value reduceInParts(Location loc, Value rows, const Reduction &reduction);
  ActivationAttr function(ActivationKind kind, double alpha = 0) const;

  // Elementwise.
  void emit(ActivationOp op);

  bool isTaken(Operation *op) const;
  void emit(Operation *op);
  void bind();

  func::FuncOp func;
  Block &block;
  const ::ane::hw::GenerationInfo &info;
  SequenceForms forms;
  unsigned oldArguments = 0;
  SmallVector<Operation *> oldOps;
  SmallVector<DictionaryAttr> argumentAttrs;
  DenseMap<Value, Held> held;
  DenseMap<Value, Value> outputs;
  /// Ops that became part of the tasks of another.
  DenseSet<Operation *> fused;
};

/// N, C, H, W of a tensor of at most four dimensions.
SmallVector<int64_t, 4> getImageShape(Type type);
/// The only op that uses `value`; null if there are several.
Operation *getOnlyUser(Value value);
/// Whether that is the return of the function.
bool isReturned(Value value);

/// What takes several tasks, written as a whole by a SequenceEmitter.
SequenceChoices getSequenceChoices();

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TASKS_SEQUENCEEMITTER_H
