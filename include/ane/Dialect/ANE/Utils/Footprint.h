//===- Footprint.h - Which bytes a memref takes -----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For passes after ane-assign-layout and ane-allocate-l2, when types have
// layouts. Bytes are counted as the layout counts them: in L2 from its start,
// in DRAM from the start of the surface or buffer.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_FOOTPRINT_H
#define ANE_DIALECT_ANE_UTILS_FOOTPRINT_H

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/HW/Footprint.h"
#include "ane/HW/Generation.h"

namespace mlir::ane {

/// The bytes of all elements, the axis with the largest stride first, without
/// those of one element; none without a layout.
std::optional<::ane::hw::Footprint> getFootprint(MemRefType type);

/// From the first byte of a memref to after its last one.
struct ByteRange {
  int64_t begin = 0, end = 0;
  bool overlaps(const ByteRange &other) const {
    return begin < other.end && other.begin < end;
  }
};
std::optional<ByteRange> getByteRange(MemRefType type);

/// How a tensor of the function, a constant or a buffer of rank 4 lies in DRAM:
/// what a program says of its surfaces.
ByteLayout getSurfaceLayout(const ::ane::hw::GenerationInfo &info,
                            MemRefType type);
/// Whether the layout of `type` is that.
bool hasSurfaceLayout(const ::ane::hw::GenerationInfo &info, MemRefType type);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_FOOTPRINT_H
