//===- TaskNames.h - Operations that tasks come from ------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register program has no names of operations. A report of ane-compile has
// them; who reads reports is above this library and hands the names down.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_HWX_TASKNAMES_H
#define ANE_TARGET_HWX_TASKNAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlir::ane::hwx {

/// What the tasks of a program come from; nothing for tasks that it lacks.
struct TaskNames {
  std::vector<std::string> texts;       ///< "net.mlir:12:8 (conv1)"
  std::vector<llvm::json::Array> lists; ///< as `sources` of the report

  llvm::StringRef text(size_t task) const {
    return task < texts.size() ? llvm::StringRef(texts[task]) : "";
  }
  llvm::json::Array toJSON(size_t task) const {
    return task < lists.size() ? lists[task] : llvm::json::Array();
  }
};

/// Reads them from the file `report` for the program `file` of `tasks` tasks.
using TaskNamer = llvm::Expected<TaskNames> (*)(llvm::StringRef report,
                                                llvm::StringRef file,
                                                size_t tasks);

} // namespace mlir::ane::hwx

#endif // ANE_TARGET_HWX_TASKNAMES_H
