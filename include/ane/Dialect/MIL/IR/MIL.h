//===- MIL.h - The mil dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MIL_H
#define ANE_DIALECT_MIL_IR_MIL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::ane::mil {

/// An argument of a statement: one value, or a tuple of any number.
struct NamedArgument {
  StringRef name;
  OperandRange values;
  bool isTuple;
};

/// Letters, digits, '_' and '@', not starting with a digit or '@'.
bool isIdentifier(StringRef name);

} // namespace mlir::ane::mil

#include "ane/Dialect/MIL/IR/MILDialect.h.inc"
#include "ane/Dialect/MIL/IR/MILInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttributes.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILOps.h.inc"

#endif // ANE_DIALECT_MIL_IR_MIL_H
