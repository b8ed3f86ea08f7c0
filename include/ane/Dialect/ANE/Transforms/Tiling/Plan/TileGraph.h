//===- TileGraph.h - What the planner of tiles knows ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of legal tensor ops as numbers: bytes of values in L2 and DRAM,
// bytes of weights, seconds of arithmetic, and for each way to cut a result
// what the operands are cut like. The latter is what the ops' maps of dimensions
// say (DimMap.h), so that the planner needs no boxes.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGRAPH_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGRAPH_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// How operand indices follow from result indices along one dimension: n times
/// `unit` of them need (n - 1) * stride + span, of which `before` lie in front
/// of n * stride.
struct CutMap {
  enum Kind : uint8_t { Impossible, Whole, Along } kind = Impossible;
  uint8_t dim = 0; ///< of the operand
  int32_t unit = 1, stride = 1, span = 1, before = 0;

  bool isPlain() const { return unit == 1 && stride == 1 && span == 1; }
  bool operator==(const CutMap &other) const {
    return kind == other.kind && dim == other.dim && unit == other.unit &&
           stride == other.stride && span == other.span &&
           before == other.before;
  }
};

/// Columns at which parts of a row can start.
constexpr int64_t columnAlign = 32;

/// How operand `index` of `op` follows from its result along dimension `dim`; of
/// a reshape to another rank only if it may be one.
CutMap getCut(Operation *op, unsigned index, unsigned dim,
              bool mayChangeRank = false);

/// Dimensions of a result by which the planner cuts: channels, rows, columns.
constexpr unsigned numCutDims = 3, firstCutDim = 1;

struct TileNode {
  struct Operand {
    int value;
    std::array<CutMap, numCutDims> cuts;
  };
  Operation *op = nullptr;
  int result = 0;
  SmallVector<Operand, 2> operands; ///< without constants
  /// No task: a slice, concat, or another shape of the same rows.
  bool isView = false;
  /// Whether the result may take the place of an operand of its size.
  bool worksInPlace = false;
  /// The result is stored in DRAM at any rate.
  bool isStored = false;
  /// The concat whose memory the result is written to, through views, or -1.
  int joinedIn = -1;
  /// At most half as large as something that it comes from, through ops of its
  /// own size, the last of these.
  bool isNarrow = false;
  bool needsWholeSource = false; ///< tiles of rows are not enough
  int64_t tileRows = 0; ///< rows that a task streams at least, if they are many
  int64_t weightBytes = 0; ///< coefficients and tables, from DRAM
  int64_t passes = 1;      ///< times that a source is read
  int64_t tasks = 1;
  /// The last addition to the rows that it computes as channels, which all are
  /// one product where they are cut (TileSums.cpp), or -1.
  int addedIn = -1;
  double seconds = 0;        ///< of arithmetic
  ::ane::sim::TaskWork work; ///< of all tasks, without transfers
};

struct TileValue {
  int def = -1;     ///< node; -1: an argument
  int lastUse = -1; ///< node; their number when it is a result
  int root = 0;     ///< the value whose memory it is
  /// Value over which this one is written part by part, or -1.
  int placedOver = -1;
  bool isResult = false, isArgument = false;
  /// Its rows are too wide for the PE, which has a part in it, to have them in
  /// L2.
  bool isTooWide = false;
  /// Of a root: when the first part of its memory is written, and when the last
  /// is read.
  int firstDef = -1, end = -1;
  /// Nodes that write parts of a value over the same parts of this one, after
  /// all its other uses, in order.
  SmallVector<int, 1> overwriters;
  std::array<int64_t, 4> extents = {1, 1, 1, 1};
  int64_t l2Bytes = 0, dramBytes = 0;
};

/// Whether all that is computed are shaped values: there is no graph of others.
bool isOfShapes(func::FuncOp func);

class TileGraph {
public:
  /// `lowering` says what tasks the ops will be. For the PE, rows are as wide
  /// as they would be in `columnParts` parts.
  TileGraph(func::FuncOp func, const MemoryTarget &memory,
            const LoweringPolicy &lowering, int64_t columnParts = 1);

  std::vector<TileNode> nodes;
  std::vector<TileValue> values;
  /// Users of a value, by node.
  std::vector<SmallVector<int, 2>> users;
  const LoweringPolicy &lowering;
  const ::ane::hw::GenerationInfo &info;
  const ::ane::hw::ChipInfo &chip;
  const MemoryPolicy &policy;
  /// Bytes that no plan can avoid: weights, arguments, results.
  int64_t compulsoryBytes = 0;

private:
  int addValue(Value value, int def);
  void addNode(Operation *op);
  void setTileRows();
  void findTooWide();
  int getWritten(int value) const;
  void setRoots();
  void findNarrow();
  void findJoined();
  void findAdded();
  void findOverwriters(const TileNode &concat);
  void setWork(TileNode &node) const;
  int64_t widthOfPart(int64_t width) const;

  int64_t columnParts;
  DenseSet<Value> coefficients; ///< read by the kernel DMA
  DenseMap<Value, int> numbers;
};

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PLAN_TILEGRAPH_H
