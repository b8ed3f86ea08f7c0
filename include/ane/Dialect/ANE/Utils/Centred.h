//===- Centred.h - Differences that other passes compute --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PE subtracts a number for each channel in the pass that squares and sums
// the differences, or that multiplies them with another number for each channel
// (both seen in norms). A difference that only such passes read needs no pass
// of its own, and is not rounded.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_CENTRED_H
#define ANE_DIALECT_ANE_UTILS_CENTRED_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// Some channels of a difference x - m.
struct Centred {
  ElementwiseOp difference;
  int64_t firstChannel;
};

/// What `value` is a part of, if whoever reads that computes it on the way.
std::optional<Centred> getCentred(Value value);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_CENTRED_H
