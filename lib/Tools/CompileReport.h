//===- CompileReport.h - What the compiler did ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_COMPILEREPORT_H
#define ANE_LIB_TOOLS_COMPILEREPORT_H

#include "ane/HW/Program.h"

#include "llvm/Support/JSON.h"

#include <chrono>
#include <string>
#include <vector>

namespace mlir::ane {

/// Collected during a compilation; printed as JSON or as a page.
class CompileReport {
public:
  std::string input, output, target;
  uint64_t inputBytes = 0, outputBytes = 0;

  /// Starts the step `name`; the one before it ends here.
  void begin(llvm::StringRef name);
  /// Takes the figures of a register program.
  void setProgram(const ::ane::hw::Program &program);

  void printJson(llvm::raw_ostream &os);
  void printHtml(llvm::raw_ostream &os);

private:
  using Clock = std::chrono::steady_clock;
  struct Step {
    std::string name;
    Clock::time_point start;
    double milliseconds = 0;
  };

  llvm::json::Object toJson();

  std::vector<Step> steps;
  llvm::json::Array tensors;
  bool hasProgram = false;
  uint64_t tasks = 0, constantBytes = 0, scratchBytes = 0, textBytes = 0;
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_COMPILEREPORT_H
