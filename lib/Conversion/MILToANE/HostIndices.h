//===- HostIndices.h - Reads and writes at indices, on the host -*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ImportIndices.cpp has checked already, for statements that are on the
// host: shapes fit together, and axes are inside.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_MILTOANE_HOSTINDICES_H
#define ANE_LIB_CONVERSION_MILTOANE_HOSTINDICES_H

#include "Statement.h"

namespace mlir::ane {

/// `shape` is that of the result.
Value gatherOnHost(Statement &s, Value x, int64_t axis, int64_t batch,
                   ArrayRef<int64_t> shape);
Value gatherAlongAxisOnHost(Statement &s, Value x, Value indices, int64_t axis);
Value gatherNdOnHost(Statement &s, Value x, int64_t batch, int64_t depth,
                     ArrayRef<int64_t> shape);
/// Updates come one after the other, as their elements stand.
Value scatterOnHost(Statement &s, Value data, Value updates, int64_t axis);
Value scatterAlongAxisOnHost(Statement &s, Value data, Value updates,
                             int64_t axis);
Value scatterNdOnHost(Statement &s, Value data, Value updates, int64_t depth);
/// Places along `axis` of the `count` first elements in order, of equal ones
/// that in front.
Value searchOnHost(Statement &s, Value x, int64_t axis, int64_t count,
                   bool isMax, HostType result);
Value oneHotOnHost(Statement &s, Value indices, int64_t axis, int64_t size,
                   double on, double off);

/// The places along each dimension of `extents` where the box of `sizes` and
/// `strides` starts: numbers of the argument 'begin', or 0 where `ignored` says
/// so. The box is inside, wherever they are.
SmallVector<Value> startsOnHost(Statement &s, ArrayRef<int64_t> extents,
                                ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> strides,
                                ArrayRef<bool> ignored);

/// slice_by_index and slice_update from where only the host knows. How long the
/// slice is, the text says, and 'update'.
Value sliceByIndexOnHost(Statement &s, Value x);
Value sliceUpdateOnHost(Statement &s, Value x, Value update);

/// `x` backwards along `axis`.
Value reverseOnHost(Statement &s, Value x, int64_t axis);

/// Sequences along `axis`, of which each batch has a length.
Value reverseSequenceOnHost(Statement &s, Value x, int64_t axis, int64_t batch);

/// Two numbers of a type as one, by what MIL calls the operation: add, sub,
/// mul, real_div, floor_div, mod, maximum or minimum. An integer divided by
/// zero is zero. Null for other operations.
Value combineOnHost(HostBuilder &builder, StringRef operation, HostType type,
                    Value lhs, Value rhs);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_MILTOANE_HOSTINDICES_H
