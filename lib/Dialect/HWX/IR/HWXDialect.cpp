//===- HWXDialect.cpp - The hwx dialect -----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/HWX/IR/HWX.h"
#include "ane/Dialect/HWX/IR/RegisterText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane::hwx;

#include "ane/Dialect/HWX/IR/HWXDialect.cpp.inc"
#include "ane/Dialect/HWX/IR/HWXEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ane/Dialect/HWX/IR/HWXAttributes.cpp.inc"

void HWXDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ane/Dialect/HWX/IR/HWXAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ane/Dialect/HWX/IR/HWXOps.cpp.inc"
      >();
}

LogicalResult RecordAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 uint32_t address, ArrayRef<uint32_t> words) {
  // record_c1: the count in the first word of a record has six bits
  if (words.empty() || words.size() > 64)
    return emitError() << "record has " << words.size()
                       << " words, expected 1 to 64";
  // record_c2: the address shares that word with the count
  if (address >> 26)
    return emitError() << "record address is " << hexText(address)
                       << ", expected at most 0x3ffffff";
  return success();
}
