//===- RecordedTables.h - Activation tables of compiler 9.509 ---*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_HW_RECORDEDTABLES_H
#define ANE_LIB_HW_RECORDEDTABLES_H

#include "ane/HW/LookupTable.h"

#include <optional>

namespace ane::hw {

/// The table of a function whose samples no rule gives.
std::optional<LookupTable> recordedTable(TableFunction function);

/// Gives a built table the words of that compiler that no argument reaches.
void adaptToRecord(TableFunction function, LookupTable &table);

} // namespace ane::hw

#endif // ANE_LIB_HW_RECORDEDTABLES_H
