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
namespace hw = ::ane::hw;

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
                                 uint32_t address, ArrayRef<uint32_t> words,
                                 std::optional<uint32_t> follow,
                                 std::optional<uint32_t> base, uint32_t) {
  // record_c1: the count in the first word of a record has six bits
  if (words.empty() || words.size() > 64)
    return emitError() << "record has " << words.size()
                       << " words, expected 1 to 64";
  // record_c2: the address shares that word with the count
  if (address >> 26)
    return emitError() << "record address is " << hexText(address)
                       << ", expected at most 0x3ffffff";
  // record_c3: a word for the first register and for each bit of the mask; the
  // bits of a base are those of the mask
  if (follow &&
      (*follow >> 16 || words.size() != 1u + llvm::popcount(*follow) || base))
    return emitError() << "scattered record has " << words.size()
                       << " words, the mask " << hexText(*follow) << " and "
                       << (base ? "a base" : "no base")
                       << ", expected one word more than the mask has of its "
                          "16 bits, and no base";
  if (base && *base > UINT8_MAX)
    return emitError() << "record has base " << *base
                       << ", expected at most 255";
  return success();
}

RecordAttr RecordAttr::get(MLIRContext *context, const hw::Record &record) {
  const bool isScattered = record.kind == hw::RecordKind::Scatter;
  std::optional<uint32_t> follow, base;
  if (isScattered)
    follow = record.follow;
  if (record.base)
    base = *record.base;
  return get(context, record.address, record.words, follow, base,
             record.unknown);
}

hw::Record RecordAttr::record() const {
  hw::Record record;
  record.address = getAddress();
  record.words = getWords().vec();
  if (getFollow()) {
    record.kind = hw::RecordKind::Scatter;
    record.follow = *getFollow();
  }
  if (getBase())
    record.base = *getBase();
  record.unknown = getUnknown();
  return record;
}
