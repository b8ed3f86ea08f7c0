//===- L2Tiles.h - How tensors lie in L2 ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_MEMORY_L2TILES_H
#define ANE_DIALECT_ANE_TRANSFORMS_MEMORY_L2TILES_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/HW/Generation.h"

namespace mlir::ane {

/// Bytes `begin` to `end` of a value, across tasks `first` to `last`.
struct L2Piece {
  int64_t first = 0, last = 0, begin = 0, end = 0;
};

/// A value that lives in L2 across tasks `first` to `last`.
struct L2Resident {
  int64_t first = 0, last = 0, bytes = 0, offset = 0;
  /// What of it is in use and when, if that is not all of it all the time. No
  /// two have a byte in common at the same time.
  SmallVector<L2Piece, 0> pieces = {};
};

/// The pieces of a place in which these lie, some of them over others.
SmallVector<L2Piece> joinPieces(ArrayRef<L2Piece> parts);
/// What a tensor of `shape` takes of such a place of `bytes`, from `channel`
/// and `row` on.
L2Piece getPart(MemRefType place, const ByteLayout &layout, int64_t bytes,
                int64_t channel, int64_t row, ArrayRef<int64_t> shape);
/// The same of an ane.l2_buffer that views share, by the number of each task.
SmallVector<L2Piece> getPieces(L2BufferOp buffer, const ByteLayout &layout,
                               int64_t bytes,
                               const DenseMap<Operation *, int64_t> &time);

/// Bytes of L2 that a task needs at least for tiles, above what is resident.
struct StreamNeed {
  int64_t sources = 0, result = 0;
};
/// Whether such tiles fit into `bytes` of L2 that lie together.
bool hasRoom(const ::ane::hw::GenerationInfo &info, int64_t bytes,
             const StreamNeed &need);
/// Gives all of them offsets: the largest first, each as low as its life
/// allows. Tries other orders where that leaves too little of L2 in one place
/// for the tiles of tasks (`needs`, one a task). Returns the tasks that have
/// too little nevertheless.
SmallVector<int64_t> placeResidents(const ::ane::hw::GenerationInfo &info,
                                    MutableArrayRef<L2Resident> residents,
                                    ArrayRef<StreamNeed> needs);

/// Source rows that the tile with the most of them holds when `tile` rows of
/// the result are computed at a time.
int64_t getRowsHeld(Operation *compute, Value source, int64_t tile);
/// Bytes that the result of `compute` takes of L2 where it streams to DRAM.
int64_t getStreamedResultBytes(Operation *compute);
/// Rows of the work unit in which the NEs go through an image.
int64_t getRowsOfUnit(Value image);
/// Rows in which the engine of `compute` works on its result.
int64_t getRowStep(const MemoryPolicy &policy, Operation *compute);
/// Bytes of the least tiles of a streamed source, and of a streamed result.
int64_t getLeastSourceBytes(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, DmaLoadOp load);
int64_t getLeastResultBytes(const ::ane::hw::GenerationInfo &info,
                            const MemoryPolicy &policy, DmaStoreOp store);
/// What a task needs for all that it loads and stores.
StreamNeed getStreamNeed(const ::ane::hw::GenerationInfo &info,
                         const MemoryPolicy &policy, TaskOp task);

/// What a task needs of L2 at least, and what there is, where that is less.
struct L2Excess {
  int64_t sources = 0, result = 0; ///< of the smallest tile
  int64_t room = 0;                ///< for both
  int64_t roomOfSources = 0;
};
/// How far the smallest tile of a task is from what L2 holds beside `residents`
/// bytes; none if it fits, or if the flavour has tiles of its own for it.
std::optional<L2Excess> getExcess(const ::ane::hw::GenerationInfo &info,
                                  const MemoryPolicy &policy, TaskOp task,
                                  int64_t residents);

/// Bytes between residents.
struct L2Gap {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};
/// For each of `count` tasks, the largest gap between residents of that time.
SmallVector<L2Gap> getLargestGaps(const ::ane::hw::GenerationInfo &info,
                                  ArrayRef<L2Resident> residents, size_t count);

/// Strides of a tensor that stays in L2 at 0, and with the rows of a channel
/// one after the other.
ByteLayout getResidentLayout(MemRefType type, const L2Tile &tile);
ByteLayout getPlanarLayout(const ::ane::hw::GenerationInfo &info,
                           MemRefType type);
/// Whether views of `source` are views where it has `layout` in L2, too.
bool hasViewsInL2(Value source, const ByteLayout &layout);
/// Bytes of such a tensor, with what the last row is moved apart by.
int64_t getResidentBytes(MemRefType type, const ByteLayout &layout);

/// The values of a function that stay in L2 between tasks: results of tasks,
/// and ane.l2_buffers.
struct ResidentValue {
  Value root;
  ByteLayout layout; ///< at 0
  L2Resident life;
};
SmallVector<ResidentValue>
collectResidents(const ::ane::hw::GenerationInfo &info,
                 const MemoryPolicy &policy, ArrayRef<TaskOp> tasks,
                 ArrayRef<L2BufferOp> buffers);

/// Whether a load leaves its tiles in L2 for later tasks.
bool isKept(DmaLoadOp load);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_MEMORY_L2TILES_H
