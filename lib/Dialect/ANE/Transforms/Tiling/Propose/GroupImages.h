//===- GroupImages.h - Some images of a batch at a time ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_GROUPIMAGES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_GROUPIMAGES_H

#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Cuts what is computed of a batch into groups of as many images as are the
/// fastest, where layers on rows have their weights in common. How many images
/// a group has; all of them where nothing is cut.
int64_t groupImages(func::FuncOp func, int64_t images,
                    const ::ane::hw::GenerationInfo &generation);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_GROUPIMAGES_H
