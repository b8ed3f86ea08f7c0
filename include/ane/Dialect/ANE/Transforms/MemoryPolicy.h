//===- MemoryPolicy.h - Choices of a flavour in L2 --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the hardware leaves a choice, compilers differ: how rows are padded
// against bank conflicts, whether a result is staged. A flavour answers such
// questions through one of these; no pass asks which flavour it is.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_MEMORYPOLICY_H
#define ANE_DIALECT_ANE_TRANSFORMS_MEMORYPOLICY_H

#include "ane/HW/Generation.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::ane {

/// Who reads or writes a row in L2.
enum class L2User {
  ConvSource,
  ConvResult,
  Bypass, ///< source
  BypassResult,
  Planar,          ///< source
  PlanarExchanged, ///< source whose columns the PE takes as channels
  PlanarResult
};

/// Log2 of columns and rows (Common.PatchCfg).
struct PatchShape {
  unsigned width, height;
};

/// A row of all channels in L2, without padding.
struct L2Row {
  L2User user;
  int64_t channels, bytes;
  Operation *compute;  ///< what reads or writes it
  int64_t rows = 1;    ///< as this one
  int64_t columns = 0; ///< elements of a channel that lie side by side
};

/// A tensor in L2, as far as its layout goes: bytes between channels, of all
/// channels of a row, and between rows.
struct L2Tile {
  int64_t channelStride = 0, dense = 0, row = 0;
};

/// How a convolution cuts a source that it loads: result rows of a tile, and
/// how the source lies in L2. Without rows there is no way.
struct ConvTiling {
  int64_t tileHeight = 0;
  L2Tile source;
};

struct MemoryPolicy {
  /// Bytes that a row is moved apart from the next.
  int64_t (*rowPadding)(const L2Row &row);
  /// Whether results of convolutions lie in L2 as a whole before they are
  /// stored, if there is room.
  bool stagesConvResults;
  /// Columns of a tensor that passes through L2 in a task: a wider one lies
  /// there in strips.
  int64_t (*stripColumns)(L2User user, MemRefType type, Operation *compute);
  /// Whether the result of a task that is no convolution lies in L2 as a whole
  /// before it is stored.
  bool (*stagesResult)(Operation *compute);
  /// The patches in which the PE works through `sources` tensors; a tensor
  /// wider than a patch lies in L2 in columns.
  PatchShape (*patch)(int64_t width, int64_t height, unsigned sources);
  /// The tiles of a convolution whose source streams through L2 behind `base`.
  /// Null where the general way is right.
  ConvTiling (*tileConv)(Operation *conv, int64_t base) = nullptr;
  /// How a source lies in L2 that a convolution keeps there; null as above.
  L2Tile (*convResident)(Operation *conv) = nullptr;
  /// Rows that a reduction works through at a time when it loads its source for
  /// later tasks, too; 0: all.
  int64_t reducedRows = 0;
  /// Columns of the widest patch in which a reduction works through several
  /// rows; 0: any.
  int64_t reducedColumns = 0;
  /// Whether a pass of the NEs that stores exchanged rows goes through them a
  /// work unit at a time.
  bool exchangesInUnits = false;
  /// Rows of a tile of a pass of the NEs whose engines work on top of each
  /// other, 0 where they do not; null for the general way.
  int64_t (*stackedRows)(Operation *compute) = nullptr;
  /// Gives what stays in L2 between tasks its layout and address; the result is
  /// for each task where its tiles may begin. Null for the general way.
  FailureOr<SmallVector<int64_t>> (*placeResidents)(
      func::FuncOp func, const ::ane::hw::GenerationInfo &info) = nullptr;
  /// Whether tasks may have another order than in the program.
  bool ordersTasks = false;
};

/// What a pass uses memory for.
struct MemoryTarget {
  const ::ane::hw::GenerationInfo *generation;
  const MemoryPolicy *policy;
};

/// The target of the module around `op`; reports an unknown flavour there.
FailureOr<MemoryTarget> getMemoryTarget(Operation *op, llvm::StringRef flavour);

/// `strips`: wide tensors lie in columns as wide as a patch of the PE.
/// `compute` reads or writes the tensor, if a single task does.
L2Tile getL2Tile(const ::ane::hw::GenerationInfo &info,
                 const MemoryPolicy &policy, MemRefType type, L2User user,
                 bool strips, Operation *compute = nullptr);
/// Who writes the result of `compute`, and who reads its sources, or `source`.
L2User getResultUser(Operation *compute);
L2User getSourceUser(Operation *compute, Value source = {});

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_MEMORYPOLICY_H
