//===- ExplainWord.h - Why a word of a program is what it is ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_CONVERSION_ANETOHWX_EXPLAINWORD_H
#define ANE_CONVERSION_ANETOHWX_EXPLAINWORD_H

#include "ane/HW/Container.h"

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::ane {

/// Prints what a register word of a program holds, how the map of registers
/// knows its fields, and the rules by which the encoder sets them. `where` is
/// "ADDRESS" or "ADDRESS:TASK": a register address ("13800"), a word of the
/// header ("header 3"), or a register's name ("Common.Cfg"). Without a task, of
/// all tasks.
LogicalResult explainWord(Location loc, const ::ane::hw::Container &container,
                          llvm::StringRef where, raw_ostream &os);

/// docs/Registers/EncoderRules.md.
std::string encoderRulesPage();

} // namespace mlir::ane

#endif // ANE_CONVERSION_ANETOHWX_EXPLAINWORD_H
