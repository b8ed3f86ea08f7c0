//===- LongSurfaces.h - Surfaces of tensors with a long row -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGSURFACES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGSURFACES_H

#include "ane/HW/Generation.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::ane {

/// Arguments and results whose long row has no surface get one with padding.
/// Returns the ops that pad results: their padding may be any number.
DenseSet<Operation *> padLongSurfaces(Operation *scope,
                                      const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_LONGSURFACES_H
