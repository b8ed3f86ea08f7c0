//===- Planar.h - Elementwise tasks of compiler 9.509 --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_FLAVOURS_ZIN9509_PLANAR_H
#define ANE_LIB_FLAVOURS_ZIN9509_PLANAR_H

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

namespace mlir::ane {

/// The tasks of an elementwise op, or of one that changes places or types; none
/// for others, and for those that have nothing of their own.
std::optional<LogicalResult> emitZinPlanar(TaskEmitter &emitter, Operation *op);

} // namespace mlir::ane

#endif // ANE_LIB_FLAVOURS_ZIN9509_PLANAR_H
