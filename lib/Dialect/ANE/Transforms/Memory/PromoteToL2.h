//===- PromoteToL2.h - From buffers in DRAM to places in L2 -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrites of ane-keep-in-l2; what is worth it is decided there.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_PROMOTETOL2_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_PROMOTETOL2_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// A tensor in DRAM that only tasks touch, with all its accesses.
struct BufferAccesses {
  BufferOp buffer;
  SmallVector<DmaStoreOp> stores;
  SmallVector<DmaLoadOp> loads;
  /// Its views need the rows of a channel one after the other.
  bool isPlanar = false;

  /// One task writes all of it, and all readers read all of it.
  bool isWhole() const;
};

/// Makes the buffer a result of the task that writes it. Returns the task that
/// stands where it stood.
TaskOp promoteToResult(BufferAccesses &accesses);

struct RowOffset {
  int64_t channel = 0, row = 0;
};

/// Makes the buffer an ane.l2_buffer of at least `rows`, of which others need
/// other parts if it is `shared`; or part of `place`, from `offset` on, if that
/// is given.
L2BufferOp promoteToPlace(BufferAccesses &accesses, L2BufferOp place,
                          RowOffset offset = {}, int64_t rows = 0,
                          bool isShared = false);

/// Lets a task of the PE on tensors of one channel take their rows for
/// channels, which is the same for it: views with both exchanged. False when
/// one of the tensors has several of both.
bool takeRowsForChannels(TaskOp task);

/// Lets the first of `loads`, all of the same elements, keep its tiles; the
/// others find them there.
void keepLoaded(ArrayRef<DmaLoadOp> loads);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_MEMORY_PROMOTETOL2_H
