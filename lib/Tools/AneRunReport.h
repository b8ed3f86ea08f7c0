//===- AneRunReport.h - Statistics and traces -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ANERUNREPORT_H
#define ANE_LIB_TOOLS_ANERUNREPORT_H

#include "TaskSources.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/Simulator.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::ane {

/// One JSON object with what the simulator counted and predicts.
void writeStats(llvm::raw_ostream &os, const ::ane::hw::ChipInfo &chip,
                const ::ane::sim::Stats &stats);

/// The same as tables for people.
void writeProfile(llvm::raw_ostream &os, const ::ane::hw::ChipInfo &chip,
                  const ::ane::sim::Stats &stats);

/// Chrome trace events: a lane for each engine and DMA, L2 as a counter. Times
/// are predictions; tasks follow each other, the parts of a task overlap.
void writeTrace(llvm::raw_ostream &os, const ::ane::sim::Stats &stats);

/// One line for each result of a task, and each output, with elements that are
/// infinite, NaN or too small, after `place`: "net.hwx: warning: ". Results
/// that are no numbers since those of earlier tasks are none have no line.
void writeSpecialValues(llvm::raw_ostream &os, llvm::StringRef place,
                        const ::ane::sim::Stats &stats,
                        const TaskSources &sources);
/// The same for one surface.
void writeSpecialValues(llvm::raw_ostream &os, llvm::StringRef place,
                        llvm::StringRef tensor,
                        const ::ane::sim::ValueCounts &values);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ANERUNREPORT_H
