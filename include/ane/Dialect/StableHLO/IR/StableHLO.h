//===- StableHLO.h - The stablehlo dialect ----------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_STABLEHLO_IR_STABLEHLO_H
#define ANE_DIALECT_STABLEHLO_IR_STABLEHLO_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ane/Dialect/StableHLO/IR/StableHLODialect.h.inc"
#include "ane/Dialect/StableHLO/IR/StableHLOEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/StableHLO/IR/StableHLOAttributes.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/StableHLO/IR/StableHLOOps.h.inc"

#include "ane/Dialect/StableHLO/IR/CHLODialect.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/StableHLO/IR/CHLOOps.h.inc"

namespace mlir::ane::stablehlo {

/// The numbers of an array or a small tensor; `count` times `otherwise` if
/// `attr` is null. Verifiers have seen to it that there are no more.
SmallVector<int64_t> numbersOf(Attribute attr, size_t count = 0,
                               int64_t otherwise = 0);

/// The one op of a body that combines two numbers, which its arguments are and
/// which it returns, or null.
Operation *combinerOf(Region &body);

} // namespace mlir::ane::stablehlo

#endif // ANE_DIALECT_STABLEHLO_IR_STABLEHLO_H
