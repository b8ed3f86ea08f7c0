//===- MILDialect.cpp - The mil dialect -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/IR/MIL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::mil;

#include "ane/Dialect/MIL/IR/MILDialect.cpp.inc"
#include "ane/Dialect/MIL/IR/MILInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/MIL/IR/MILAttributes.cpp.inc"

void MILDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ane/Dialect/MIL/IR/MILTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/MIL/IR/MILAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/MIL/IR/MILOps.cpp.inc"
      >();
  addActivationOps();
  addCompressionOps();
  addElementwiseOps();
  addImageOps();
  addLinearOps();
  addReductionOps();
  addSequenceOps();
  addShapeOps();
  addTensorOps();
}

bool mlir::ane::mil::isIdentifier(StringRef name) {
  if (name.empty() || llvm::isDigit(name[0]) || name[0] == '@')
    return false;
  return llvm::all_of(
      name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '@'; });
}
