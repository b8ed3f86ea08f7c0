//===- ImageOps.cpp - MIL ops: resizing -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All code is generated from MILImageOps.td. The ops of the table are spread
// over files so that they compile side by side.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILImageOps.h.inc"

#define GET_OP_CLASSES
#include "ane/Dialect/MIL/IR/MILImageOps.cpp.inc"

void mlir::ane::mil::MILDialect::addImageOps() {
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILImageOps.cpp.inc"
      >();
}
