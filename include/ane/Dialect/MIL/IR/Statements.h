//===- Statements.h - One op for each operation of MIL ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes ConvOp, ReluOp, ... with accessors for their arguments. They are
// many; what sees statements by name needs only MIL.h.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_STATEMENTS_H
#define ANE_DIALECT_MIL_IR_STATEMENTS_H

#include "ane/Dialect/MIL/IR/MIL.h"

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILActivationOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILCompressionOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILImageOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILLinearOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILReductionOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILSequenceOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILShapeOps.h.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILTensorOps.h.inc"

#endif // ANE_DIALECT_MIL_IR_STATEMENTS_H
