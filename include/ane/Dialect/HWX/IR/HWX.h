//===- HWX.h - The hwx dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_HWX_IR_HWX_H
#define ANE_DIALECT_HWX_IR_HWX_H

#include "ane/HW/Task.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#include "ane/Dialect/HWX/IR/HWXDialect.h.inc"
#include "ane/Dialect/HWX/IR/HWXEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/HWX/IR/HWXAttributes.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/HWX/IR/HWXOps.h.inc"

#endif // ANE_DIALECT_HWX_IR_HWX_H
