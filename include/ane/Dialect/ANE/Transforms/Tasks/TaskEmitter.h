//===- TaskEmitter.h - Tensor ops to tasks ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows which memref holds which tensor, and writes the tasks that compute one.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKEMITTER_H
#define ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKEMITTER_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tasks/TaskBuilder.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"
#include "ane/HW/Generation.h"

#include "ane/Dialect/ANE/Utils/Centred.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "mlir/IR/Builders.h"

namespace mlir::ane {

struct TaskFormerOptions {
  const ::ane::hw::GenerationInfo *generation = nullptr;
  /// Functions get an argument that suits their table.
  bool stretchTables = true;
  const LoweringPolicy *policy = nullptr;
};

class TaskEmitter : public TaskBuilder {
public:
  TaskEmitter(func::FuncOp func, const TaskFormerOptions &options)
      : TaskBuilder(func), options(options) {}

  const ::ane::hw::GenerationInfo &info() const { return *options.generation; }
  const LoweringPolicy &policy() const { return *options.policy; }

  /// Says that `memref` holds `tensor`.
  void bind(Value tensor, Value memref) { memrefs[tensor] = memref; }
  /// Says that a surface is written by tasks.
  void markWritten(Value surface) { written.insert(surface); }
  /// The memref that holds `tensor`, null when none does yet.
  Value lookup(Value tensor) const { return memrefs.lookup(tensor); }
  /// The same; a constant gets a place in the constant section.
  FailureOr<Value> memref(Operation *user, Value tensor);

  /// Says that an earlier task left `memref` in L2 as `tile`.
  void setKept(Value memref, Value tile) { keptTiles[memref] = tile; }
  Value lookupKept(Value memref) const { return keptTiles.lookup(memref); }
  /// Whether place() said where the producer of `tensor` writes.
  bool isPlaced(Value tensor) const { return targets.contains(tensor); }

  /// Tells the producer of `tensor` to write to `target`. False when there is
  /// no producer that could, or when it writes somewhere else already.
  bool place(Value tensor, Value target);
  /// The same; a reshape or transpose that is a view passes `target` on to what
  /// it looks at, as a view the other way round.
  bool placeBehindViews(Value tensor, Value target);
  /// Where the producer of `tensor` writes: where place() said, or a new
  /// buffer.
  Value destination(Value tensor);

  /// The elements of `source` in their order under another shape: a view where
  /// the rows stay what they are and have one distance.
  FailureOr<Value> reshape(Operation *user, Value source,
                           ArrayRef<int64_t> shape);

  /// Copies `tensor` to `target` for `user`.
  LogicalResult copy(Operation *user, Value tensor, Value target);
  /// The tasks of one op; an error when it is none that a task can do.
  LogicalResult emit(Operation *op);

  /// Rows of `source` that a copy leaves in L2 for a task that repeats them.
  static int64_t getRowsInL2(const ::ane::hw::GenerationInfo &info,
                             ArrayRef<int64_t> source);

  //===--- Building blocks
  //-------------------------------------------------===//

  using TaskBuilder::bypass;
  /// `act` of `source` on the NEs. `kept` gets the source in L2, where one task
  /// does it.
  void bypass(Operation *op, Value source, Value target, ActivationAttr act,
              Value *kept = nullptr);
  /// The same with channels and columns of the result exchanged, image by
  /// image. `factor` channels of the result are stored side by side.
  void exchange(Location loc, Value source, Value target, int64_t factor = 1);
  /// The same with rows and columns exchanged, plane by plane.
  void turn(Location loc, Value source, Value target);
  /// Whether a function needs a table. One that has the table of another gets
  /// that; a factor that it wants on its argument is multiplied into `scale`.
  static bool takesTable(ActivationAttr &act, float &scale);
  /// A pass that writes `source` to `target` with the dimensions exchanged.
  void transpose(TransposeOp op, Value source, Value target);

private:
  LogicalResult emitConv(ConvOp conv);
  /// The transpose after a convolution that its tasks can do when they store
  /// their result; null when they cannot.
  TransposeOp storedTranspose(ConvOp conv);
  /// The same for the interleave after one.
  InterleaveOp storedInterleave(ConvOp conv);
  /// What the tasks of a convolution store.
  Value resultOf(ConvOp conv);
  /// `target` of a transpose as images with channels and columns exchanged.
  Value exchanged(TransposeOp op, Value target, ArrayRef<int64_t> rest);
  /// Channels of a convolution that one task computes.
  struct ConvPart {
    int64_t first, channels, inFirst, inChannels, groups;
  };
  /// `source` is in DRAM, or in L2 where an earlier part has left it.
  struct ConvPass {
    Value source, target;
    float scale;
    Value bias; ///< before the scale; null: none
    bool exchange = false;
    bool keepsSource = false;
    IntegerAttr lanes;
    int64_t interleave = 1; ///< channels that are stored side by side
  };
  /// Returns the source in L2, if the pass keeps it there.
  Value convPass(ConvOp conv, const ConvPart &part, const ConvPass &pass);
  IntegerAttr lanesOfWhole(ConvOp conv);
  FailureOr<SmallVector<ConvPart>> splitConv(ConvOp conv) const;
  LogicalResult emitElementwise(ElementwiseOp op);
  LogicalResult emitPair(ElementwiseOp op, Value target);
  /// What `value` is a part of, if a pass that reads it subtracts on the way.
  std::optional<Centred> centred(Value value) const;
  /// The numbers that are subtracted from some channels.
  FailureOr<Value> meansOf(Operation *user, Centred from, int64_t channels);
  LogicalResult emitNormalize(ElementwiseOp op, Centred from, Value target);
  LogicalResult emitScalar(ElementwiseOp op, Value tensor, float value,
                           bool scalarFirst, Value target);
  bool fitsInL2(ArrayRef<int64_t> shape) const;
  /// Of `columns` as many as L2 holds of all channels at once.
  int64_t columnsInL2(int64_t channels, int64_t columns) const;
  LogicalResult emitActivation(ActivationOp op);
  LogicalResult emitReduce(ReduceOp op);
  LogicalResult emitMaxOfChannels(ReduceOp op);
  Value zeroBuffer(Location loc);
  LogicalResult emitTranspose(TransposeOp op);
  LogicalResult emitInterleave(InterleaveOp op);
  /// Stores `factor` channels of `source` side by side.
  void interleave(Location loc, Value source, Value target, int64_t factor);
  FailureOr<Value> reshapeColumns(Operation *user, Value source,
                                  ArrayRef<int64_t> shape);
  LogicalResult emitCast(CastOp op);
  LogicalResult emitGenerally(Operation *op);
  void convert(Location loc, Value source, Value target);
  LogicalResult emitMatmul(MatmulOp op);
  LogicalResult emitRuntimeConv(RuntimeConvOp op);
  struct Product;
  void multiply(const Product &product);
  struct PlaneProduct;
  void multiplyPlanes(const PlaneProduct &product);
  bool holdsCoefficients(Value memref) const;
  Value coefficients(Location loc, Value rows, int64_t factor);

  TaskFormerOptions options;
  DenseMap<Value, Value> memrefs, targets, keptTiles;
  DenseSet<Value> written;
  DenseMap<std::pair<Value, Value>, Value> normRows; ///< by both rows
};

/// Whether a task of the PE computes the function without a table.
bool isOnPe(ActivationAttr function);
/// Whether `tensor` is the relu of an x + relu(x), which one task of the PE
/// computes.
bool isAddedRelu(Value tensor);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKEMITTER_H
