//===- ANE.h - The ane dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANE_H
#define ANE_DIALECT_ANE_IR_ANE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ane/Dialect/ANE/IR/ANEDialect.h.inc"
#include "ane/Dialect/ANE/IR/ANEEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/ANE/IR/ANEAttributes.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/ANE/IR/ANEOps.h.inc"

#endif // ANE_DIALECT_ANE_IR_ANE_H
