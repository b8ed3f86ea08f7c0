//===- ANEOps.td - All ops of the ane dialect --------------*- tablegen -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_IR_ANEOPS_TD
#define ANE_DIALECT_ANE_IR_ANEOPS_TD

include "ane/Dialect/ANE/IR/ANETensorOps.td"
include "ane/Dialect/ANE/IR/ANETaskOps.td"

#endif // ANE_DIALECT_ANE_IR_ANEOPS_TD
