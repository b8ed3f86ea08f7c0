//===- L2Tiles.h - How tensors lie in L2 ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_L2TILES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_L2TILES_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/MemoryPolicy.h"
#include "ane/HW/Generation.h"

namespace mlir::ane {

/// `strips`: wide tensors lie in columns as wide as a patch of the PE.
/// `compute` reads or writes the tensor, if a single task does.
L2Tile getL2Tile(const ::ane::hw::GenerationInfo &info,
                 const MemoryPolicy &policy, MemRefType type, L2User user,
                 bool strips, Operation *compute = nullptr);

/// Who writes the result of `compute`, and who reads its sources.
L2User getResultUser(Operation *compute);
L2User getSourceUser(Operation *compute);

/// A value that lives in L2 across tasks `first` to `last`.
struct L2Resident {
  int64_t first = 0, last = 0, bytes = 0, offset = 0;
};

/// Gives all of them offsets: the largest first, each as low as its life
/// allows.
void placeResidents(MutableArrayRef<L2Resident> residents);

/// For each of `count` tasks, where the residents that live then end.
SmallVector<int64_t> getResidentEnds(ArrayRef<L2Resident> residents,
                                     size_t count);

/// Strides of a tensor that stays in L2 at `base`.
ByteLayout getResidentLayout(MemRefType type, const L2Tile &tile, int64_t base);

/// The values of a function that stay in L2 between tasks: results of tasks,
/// and ane.l2_buffers.
struct ResidentValue {
  Value root;
  L2User user = L2User::Planar; ///< who writes it first
  Operation *compute = nullptr; ///< the same, if it is a value of one task
  L2Resident life;
};
SmallVector<ResidentValue>
collectResidents(const ::ane::hw::GenerationInfo &info,
                 const MemoryPolicy &policy, ArrayRef<TaskOp> tasks,
                 ArrayRef<L2BufferOp> buffers);

/// Whether a load leaves its tiles in L2 for later tasks.
bool isKept(DmaLoadOp load);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_L2TILES_H
