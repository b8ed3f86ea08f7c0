//===- TaskSources.h - Which ops of a network a task does -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `.hwx` file has no names of ops. IR has their locations, and the report of
// the compilation has what the locations of a program's tasks were.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_TASKSOURCES_H
#define ANE_LIB_TOOLS_TASKSOURCES_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace mlir::ane {

class TaskSources {
public:
  /// Nothing is known.
  TaskSources() = default;
  /// Of the tasks of an `hwx.program`; lines are quoted from `sourceMgr`.
  TaskSources(Operation *program, llvm::SourceMgr &sourceMgr);
  /// Of the program called `file`, with `taskCount` tasks, in a report of
  /// ane-compile. The error says what the report has instead.
  static llvm::Expected<TaskSources>
  fromReport(llvm::StringRef report, llvm::StringRef file, size_t taskCount);

  /// The places of a task: objects as in the report's `sources`.
  llvm::json::Array toJson(size_t task) const;
  /// "net.mlir:12:8 (conv1), net.mlir:14:8", shortened; empty: unknown.
  std::string describe(size_t task) const;

private:
  llvm::json::Array places;
  std::vector<std::vector<unsigned>> tasks; ///< numbers of places
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_TASKSOURCES_H
