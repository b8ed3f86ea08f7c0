//===- ane-opt.cpp - Runs passes over ane, hwx and mil IR -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/MIL/Transforms/Rules.h"
#include "ane/HW/Constraints.h"
#include "ane/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

#include <cstdlib>

static llvm::cl::opt<bool> printConstraints(
    "ane-print-constraints", llvm::cl::init(false),
    llvm::cl::desc("Print what the engine can do (docs/SupportedOps.md), exit"),
    llvm::cl::callback([](const bool &isSet) {
      llvm::outs() << ane::hw::supportedOpsPage();
      llvm::outs().flush();
      std::exit(0);
    }));
static llvm::cl::opt<bool> printMILRules(
    "ane-print-mil-rules", llvm::cl::init(false),
    llvm::cl::desc("Print the rules of MIL (docs/Formats/MILRules.md), exit"),
    llvm::cl::callback([](const bool &isSet) {
      llvm::outs() << mlir::ane::mil::rulesPage();
      llvm::outs().flush();
      std::exit(0);
    }));

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::ane::registerAllDialects(registry);
  mlir::ane::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "ane-opt: runs passes over ane, hwx and mil IR\n", registry));
}
