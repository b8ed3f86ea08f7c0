//===- TaskBuilder.h - Memrefs, views and tasks -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a task is made of is the same whoever forms it: sources that are loaded
// or lie in L2, one compute op, a result that is stored, kept in a place or
// yielded. Emitters say which; this writes the ops.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKBUILDER_H
#define ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKBUILDER_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::ane {

/// What a task reads. In DRAM: a load. In L2: read where it lies.
struct TaskSource {
  TaskSource(Value value, bool keeps = false) : value(value), keeps(keeps) {}

  Value value;
  bool keeps; ///< what is loaded stays in L2 for later tasks
};

struct TaskSpec {
  SmallVector<TaskSource, 2> sources;
  /// In DRAM: the result is stored; in L2: it is kept there; null: the task
  /// yields it.
  Value target = {};
  /// Of the result in L2; those of `target` where nothing is said, else f16.
  SmallVector<int64_t> shape = {};
  Type element = {};
  int64_t interleave = 1; ///< channels that are stored side by side
  Value place = {};       ///< in DRAM, see ane.scratch_place
};

/// What a task leaves in L2.
struct TaskResults {
  Value result;               ///< null where it has a target
  SmallVector<Value, 2> kept; ///< of the sources that stay, in their order
};

class TaskBuilder {
public:
  /// Buffers and places inside them stand in front of the ops of `func`, tasks
  /// after.
  explicit TaskBuilder(func::FuncOp func);

  OpBuilder &builder() { return tail; }

  /// A memref without a layout, of f16 unless another type is given.
  MemRefType memrefType(ArrayRef<int64_t> shape,
                        MemorySpace space = MemorySpace::Dram,
                        Type element = {}) const;
  /// A new place in DRAM, or in L2.
  Value makeBuffer(Location loc, ArrayRef<int64_t> shape, Type element = {});
  Value makeL2Buffer(Location loc, ArrayRef<int64_t> shape);

  /// A box of `source`; part() stands where buffers do.
  Value subview(Location loc, Value source, ArrayRef<int64_t> offsets,
                ArrayRef<int64_t> shape);
  Value part(Location loc, Value source, ArrayRef<int64_t> offsets,
             ArrayRef<int64_t> shape);
  /// A subview of every strides[i]-th element of dimension i.
  Value stridedView(Location loc, Value source, ArrayRef<int64_t> offsets,
                    ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);
  /// The dimensions of `source` in another order.
  Value permute(Location loc, Value source, ArrayRef<int64_t> perm);
  /// The elements of `source` in their order under another shape.
  Value reshapeView(Location loc, Value source, ArrayRef<int64_t> shape);

  /// Makes the result from the sources in L2; it has the type.
  using Compute =
      llvm::function_ref<Value(OpBuilder &, ValueRange, MemRefType)>;
  TaskResults task(Location loc, const TaskSpec &spec, Compute compute);
  /// Copies the source on the NEs, times `scale`, through `function`.
  TaskResults bypass(Location loc, const TaskSpec &spec,
                     ActivationAttr function = {}, float scale = 1,
                     bool exchange = false);
  /// `function` of scale * source + bias on the PE.
  TaskResults unary(Location loc, const TaskSpec &spec, float scale = 1,
                    float bias = 0, ActivationAttr function = {},
                    bool exchangeInput = false, bool exchangeResult = false);

  struct Pair {
    ElementwiseKind kind;
    float scale = 1, bias = 0;
    ActivationAttr function = {};
    bool exchangeLhs = false, exchangeRhs = false, exchangeResult = false;
    bool reluRhs = false;
  };
  /// `kind` of both sources on the PE.
  TaskResults pair(Location loc, const TaskSpec &spec, const Pair &how);
  struct Reduction {
    ReduceKind kind;
    ActivationAttr function = {};
    bool subtracts = false; ///< the second source, before squaring
    bool exchangeOffset = false, exchangeResult = false;
  };
  /// Columns and rows of the source go on the PE; a second one is added to it
  /// before it is squared.
  TaskResults reduce(Location loc, const TaskSpec &spec, const Reduction &how);
  /// Channels of the source go on the NEs.
  TaskResults reduceChannels(Location loc, const TaskSpec &spec,
                             ReduceKind kind, ActivationAttr function = {});
  /// The source less the first row of the second one, times the second row (the
  /// sum, with `add`), on the PE.
  TaskResults normalize(Location loc, const TaskSpec &spec, bool exchangeRows,
                        bool allChannels, bool add = false,
                        ActivationAttr function = {});
  /// The product of the source, as a matrix of channels and pixels, with `rows`
  /// rows of coefficients that lie in `planes`.
  TaskResults product(Location loc, const TaskSpec &spec, int64_t rows,
                      Value planes, float scale = 1,
                      ActivationAttr function = {}, bool exchange = false);

  /// The kernel with the table of `function`; null for none and for relu, which
  /// have none.
  Value tableOf(OpBuilder &body, Location loc, ActivationAttr function) const;
  /// `count` output channels of a constant weight from `first` on, with a table
  /// or null.
  Value kernel(OpBuilder &body, Location loc, Value weight, Value bias,
               int64_t first, int64_t count, ActivationAttr table) const;
  /// A task that copies `source`, times a number, to L2 for later ones.
  Value keep(Location loc, Value source, float scale = 1);

protected:
  OpBuilder head, tail;
};

/// N, C, H, W of a tensor: with ones in front, or, of more than four
/// dimensions, the first ones as one.
SmallVector<int64_t, 4> toRank4(ArrayRef<int64_t> dims);

/// The attributes of the argument that result `index` becomes.
DictionaryAttr getOutputAttrs(func::FuncOp func, unsigned index);

/// Leaves the tasks of a function: erases those of `ops`, which tasks compute
/// now, that nothing uses any more, the first `numArguments` arguments, which
/// were tensors, and the results. `attrs` are those of the arguments that stay.
void keepOnlyTasks(func::FuncOp func, ArrayRef<Operation *> ops,
                   unsigned numArguments, ArrayRef<DictionaryAttr> attrs);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TASKS_TASKBUILDER_H
