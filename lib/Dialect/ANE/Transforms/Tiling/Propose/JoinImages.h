//===- JoinImages.h - Images of a batch below each other --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_JOINIMAGES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_JOINIMAGES_H

#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Makes one image of all of a batch where layers wait for their weights.
/// Whether there is any such layer.
bool joinImages(func::FuncOp func, int64_t images,
                const ::ane::hw::GenerationInfo &generation);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_JOINIMAGES_H
