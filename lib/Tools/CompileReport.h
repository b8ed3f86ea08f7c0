//===- CompileReport.h - What the compiler did ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_COMPILEREPORT_H
#define ANE_LIB_TOOLS_COMPILEREPORT_H

#include "SourceLines.h"

#include "ane/HW/Program.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <string>
#include <vector>

namespace mlir::ane {

/// Collected during a compilation; printed as JSON or as a page.
class CompileReport {
public:
  /// The files of `sourceMgr` are quoted where tasks come from them.
  explicit CompileReport(llvm::SourceMgr &sourceMgr) : sources(sourceMgr) {}

  std::string input, output, target;
  std::string accuracyGoal; ///< and how many functions have which form:
  llvm::json::Object functionForms;
  uint64_t inputBytes = 0, outputBytes = 0;

  /// Starts the step `name`; the one before it ends here.
  void begin(llvm::StringRef name);
  /// Takes the plan of tiles of the next program, if there is one.
  void addPlan(llvm::StringRef text);
  /// Takes the register program of `file`; `op` is the `hwx.program` that it
  /// was made from.
  void addProgram(llvm::StringRef file, const ::ane::hw::Program &program,
                  Operation *op);

  void printJson(llvm::raw_ostream &os);
  void printHtml(llvm::raw_ostream &os);

private:
  using Clock = std::chrono::steady_clock;
  struct Step {
    std::string name;
    Clock::time_point start;
    double milliseconds = 0;
  };

  struct Program {
    std::string file;
    ::ane::hw::Program program;
    llvm::json::Array sources; ///< of each task
    llvm::json::Value plan;    ///< of tiles, or null
  };

  llvm::json::Object toJson();

  std::vector<Step> steps;
  llvm::json::Value plan = nullptr; ///< of the next program
  SourceLines sources;
  std::vector<Program> programs;
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_COMPILEREPORT_H
