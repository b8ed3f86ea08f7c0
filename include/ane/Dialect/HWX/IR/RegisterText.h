//===- RegisterText.h - Words of a task by their names ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes words apart into named fields and bits without a name. The printer of
// hwx.task, the dumps and the count of unknown bits all see a task through
// this.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_HWX_IR_REGISTERTEXT_H
#define ANE_DIALECT_HWX_IR_REGISTERTEXT_H

#include "ane/HW/Registers.h"
#include "ane/HW/Task.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::ane::hwx {

/// A field and its decoded value; the bits are not all zero.
struct FieldText {
  const ::ane::hw::Field *field;
  uint32_t value;
};

/// A word of a header or record.
struct WordText {
  const ::ane::hw::Register *reg = nullptr; ///< null when it has no name
  llvm::SmallVector<FieldText, 8> fields;
  uint32_t raw = 0; ///< bits that no field gives back
};

WordText describeWord(const ::ane::hw::Register *reg, uint32_t word);

/// The value as people write it: an enumerator, a float, bytes in hexadecimal.
std::string fieldValueText(const FieldText &text);

/// The block that holds all words of a record, or null.
const ::ane::hw::Block *blockOfRecord(const ::ane::hw::RegisterMap &map,
                                      const ::ane::hw::Record &record);

/// "0x1c".
std::string hexText(uint64_t value);

} // namespace mlir::ane::hwx

#endif // ANE_DIALECT_HWX_IR_REGISTERTEXT_H
