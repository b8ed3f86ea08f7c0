//===- StridedCopy.h - Copies between strided arrays ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_UTILS_STRIDEDCOPY_H
#define ANE_LIB_DIALECT_ANE_UTILS_STRIDEDCOPY_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlir::ane {

/// out[sum i*outStrides] = in[sum i*inStrides] for all indices i below `shape`.
/// Strides count elements of `elementBytes` (1, 2, 4 or 8). Does not overlap.
void copyStrided(int64_t elementBytes, llvm::ArrayRef<int64_t> shape,
                 const char *in, llvm::ArrayRef<int64_t> inStrides, char *out,
                 llvm::ArrayRef<int64_t> outStrides);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_UTILS_STRIDEDCOPY_H
