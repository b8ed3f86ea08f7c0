//===- TileSums.h - Sums of enlarged images into one product ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_APPLY_TILESUMS_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_APPLY_TILESUMS_H

#include "ane/HW/Chip.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Adds what products with `ane.banded` have for rows in the products, where
/// that is faster and L2 has room for all they read.
void joinSumsOfRows(func::FuncOp func,
                    const ::ane::hw::GenerationInfo &generation);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_APPLY_TILESUMS_H
