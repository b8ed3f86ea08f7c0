//===- PlanReport.h - What a program does with time and L2 ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_PLANREPORT_H
#define ANE_LIB_TOOLS_PLANREPORT_H

#include "ane/HW/Program.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::ane {

/// What the simulator says of a program without computing anything:
///
///   stats      the object of `ane-run --stats`
///   chip       name and size of its L2
///   lanes      names; `slices` are [lane, task, start ms, ms, bytes]
///   buffers    [first byte, end, first task, last task, kind] of L2; kinds are
///              those of `buffer_kinds`
///   l2_live_bytes  for each task, the bytes in such a buffer
///
/// or only `error`, when it refuses the program.
llvm::json::Object planToJson(const ::ane::hw::Program &program);

/// A page that shows `report`, the object of a compilation, without any other
/// file.
void writePlanPage(llvm::raw_ostream &os, llvm::json::Object report);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_PLANREPORT_H
