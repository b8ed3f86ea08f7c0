//===- CutLongRows.h - Ops on rows that are too long ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements and windows are in CutLongRows.cpp, whole rows and shapes in
// CutLongRowsWhole.cpp, several ops at once in CutLongRowsRuns.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGROWS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGROWS_H

#include "LongRow.h"

namespace mlir::ane {

class RowRun;
struct RowStep;
struct RunPlan;

/// Makes the ops of a function that have long rows ops of images.
class RowCutter {
public:
  RowCutter(Operation *scope, const DecomposeOptions &options)
      : scope(scope), info(options.generation),
        makesRuns(options.policy.tiling.cutsRowsTogether),
        builder(scope->getContext()) {}
  /// Whether ops have become parts.
  bool run();

private:
  // What is known of values.
  bool isLong(Value value) const;
  bool isWide(Value value) const;
  bool hasLongRow(Operation *op) const;
  bool hasWideRow(Operation *op) const;
  int64_t granuleOf(Value value) const {
    auto found = granules.find(value);
    return found == granules.end() ? info.dmaAlign / sizeof(uint16_t)
                                   : found->second;
  }
  void wantGranules(Operation *op);
  FailureOr<LongRow> rowOf(Value value, int64_t columns = 0);
  Value asShortRow(Value value);
  RowBuilder rows() { return RowBuilder(builder, loc, info); }
  LogicalResult set(Operation *op, LongRow row) {
    cut[op->getResult(0)] = row;
    made.insert(op->getResult(0));
    return success();
  }
  LogicalResult replace(Operation *op, Value image) {
    image = reshaped(builder, loc, image, typeOf(op->getResult(0)).getShape());
    op->getResult(0).replaceAllUsesWith(image);
    return success();
  }
  Value copyOf(Operation *op, ValueRange operands, ArrayRef<int64_t> shape);

  void dropOnes(Operation *op);
  void joinCopies(TileOp op);
  void joinBorders(PadOp op);
  LogicalResult visit(Operation *op);
  LogicalResult byElement(Operation *op);
  LogicalResult window(Operation *op);
  LogicalResult visitConv(ConvOp op);
  LogicalResult visitPool(PoolOp op);
  LogicalResult visitTransposed(ConvTransposeOp op);
  LogicalResult visitReduce(ReduceOp op);
  LogicalResult visitSoftmax(SoftmaxOp op);
  template <typename OpT> LogicalResult visitNorm(OpT op, bool isCentred);
  LogicalResult visitSlice(SliceOp op);
  LogicalResult visitConcat(ConcatOp op);
  LogicalResult visitPad(PadOp op);
  LogicalResult visitReshape(ReshapeOp op);

  Value reduced(LongRow row, ReduceKind kind, bool overChannels);
  Value scaled(LongRow row, float epsilon, bool overChannels);

  // Several ops at once (RowRun.h); the number of ops, 0 if it is one by one.
  size_t cutRun(ArrayRef<Operation *> ops);
  std::optional<RowStep> stepOf(Operation *op) const;
  LogicalResult makeRun(const RowRun &run, const RunPlan &plan);
  LongRow joinParts(ArrayRef<RowPiece> pieces, int64_t length);

  Operation *scope;
  const ::ane::hw::GenerationInfo &info;
  bool makesRuns; ///< otherwise long rows alone are cut, op by op
  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
  DenseMap<Value, LongRow> cut;
  DenseSet<Value> made;              ///< what nothing else makes
  DenseSet<Operation *> surfacePads; ///< of results (LongSurfaces.h)
  /// Whether an op is looked at, and where it stands.
  DenseMap<Operation *, std::pair<bool, size_t>> positions;
  DenseMap<Value, int64_t> granules; ///< what columns should be multiples of
};

/// The shape with four dimensions; more are merged in front of the row.
SmallVector<int64_t> fourOf(RankedTensorType type);
/// Without the dimensions of 1 at the end.
RankedTensorType withoutLastOnes(RankedTensorType type);
/// Images and channels of a row; rows of an image of rows are channels.
SmallVector<int64_t> mergedLead(RankedTensorType type);
/// Whether what is broadcast still is where images have merged channels.
bool broadcastsMerged(RankedTensorType part, RankedTensorType whole);
/// A constant with zeros after it, in rows of `columns`.
FailureOr<LongRow> constantRow(OpBuilder &builder, Location loc, Value value,
                               int64_t columns);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGROWS_H
