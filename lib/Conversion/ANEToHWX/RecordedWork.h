//===- RecordedWork.h - What records show of a generation -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few programs of the later generations are on record. What tasks do that none
// of them shows would be a guess about the hardware.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOHWX_RECORDEDWORK_H
#define ANE_LIB_CONVERSION_ANETOHWX_RECORDEDWORK_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

namespace mlir::ane {

/// Fails where a task does what no record of the generation shows, with an
/// error for each op and kind of work.
LogicalResult checkRecorded(ArrayRef<TaskOp> tasks,
                            const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOHWX_RECORDEDWORK_H
