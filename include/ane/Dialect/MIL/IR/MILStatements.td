//===- MILStatements.td - All operations of MIL ------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_MIL_IR_MILSTATEMENTS_TD
#define ANE_DIALECT_MIL_IR_MILSTATEMENTS_TD

include "ane/Dialect/MIL/IR/MILActivationOps.td"
include "ane/Dialect/MIL/IR/MILCompressionOps.td"
include "ane/Dialect/MIL/IR/MILElementwiseOps.td"
include "ane/Dialect/MIL/IR/MILImageOps.td"
include "ane/Dialect/MIL/IR/MILLinearOps.td"
include "ane/Dialect/MIL/IR/MILReductionOps.td"
include "ane/Dialect/MIL/IR/MILSequenceOps.td"
include "ane/Dialect/MIL/IR/MILShapeOps.td"
include "ane/Dialect/MIL/IR/MILTensorOps.td"

#endif // ANE_DIALECT_MIL_IR_MILSTATEMENTS_TD
