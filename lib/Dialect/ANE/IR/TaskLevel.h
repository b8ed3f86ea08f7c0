//===- TaskLevel.h - What verifiers of the task level share -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_IR_TASKLEVEL_H
#define ANE_LIB_DIALECT_ANE_IR_TASKLEVEL_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Target.h"

namespace mlir::ane::detail {

/// Channels that the tile DMA puts beside each other. The field has four bits;
/// recorded programs have 2, 4 and 8.
constexpr int64_t maxInterleave = 8;

/// Strides and the start of a tensor in DRAM are such that the DMA can say
/// them.
LogicalResult verifyDramLayout(Operation *op, MemRefType type);

/// Rows, channels and the start of a value in L2 lie where they can.
LogicalResult verifyL2Layout(Operation *op, MemRefType type);

} // namespace mlir::ane::detail

#endif // ANE_LIB_DIALECT_ANE_IR_TASKLEVEL_H
