//===- RangeReport.h - How far sums and values reach ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_RANGEREPORT_H
#define ANE_LIB_TOOLS_RANGEREPORT_H

#include "TaskSources.h"

#include "ane/HW/Generation.h"
#include "ane/Simulator/Simulator.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::ane {

/// What a run with sim::Options::tracksSums says of each task against the
/// limits of `sums`: all of it as JSON.
void writeRangesAsJson(llvm::raw_ostream &os, ::ane::hw::SumArithmetic sums,
                       const ::ane::sim::Stats &stats,
                       const TaskSources &sources);
/// The tasks that are beyond a limit or near it, and a summary.
void writeRanges(llvm::raw_ostream &os, ::ane::hw::SumArithmetic sums,
                 const ::ane::sim::Stats &stats, const TaskSources &sources);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_RANGEREPORT_H
