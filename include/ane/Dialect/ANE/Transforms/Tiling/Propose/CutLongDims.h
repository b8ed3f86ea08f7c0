//===- CutLongDims.h - Dimensions that are longer than one can be -*- C++ -*-=//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGDIMS_H
#define ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGDIMS_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Cuts what has a dimension longer than a tensor may have. What it cannot cut
/// is left to legality. Returns the number of ops that were cut.
int64_t cutLongDims(func::FuncOp func, const ::ane::hw::GenerationInfo &info);

/// The same in all functions of `scope`, after images that are too many have
/// become channels (ManyImages.cpp). Parts of constants are folded.
int64_t shortenDims(Operation *scope, const ::ane::hw::GenerationInfo &info);

/// A window that is shorter than its stride along `axis` (0 for rows) gets zeros
/// at its end, so that parts of any size begin and end within a window.
void fillWindow(OpBuilder &builder, ConvTransposeOp op, int64_t axis);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_CUTLONGDIMS_H
