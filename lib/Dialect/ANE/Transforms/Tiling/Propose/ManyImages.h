//===- ManyImages.h - Images that are channels ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H

#include "ane/HW/Generation.h"

#include "mlir/IR/Operation.h"

namespace mlir::ane {

/// Ops of very many images have them as channels, where they can. Returns how
/// many have.
int64_t joinManyImages(Operation *scope, const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H
