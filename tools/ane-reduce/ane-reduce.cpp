//===- ane-reduce.cpp - Makes a failing network smaller -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Files/OutputFiles.h"
#include "ane/Files/Signals.h"
#include "ane/InitAll.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::ane::takeSignals("ane-reduce");
  mlir::ane::setVersionPrinter();
  mlir::DialectRegistry registry;
  mlir::ane::registerAllDialects(registry);
  mlir::ane::registerAllPasses();
  mlir::registerReducerPasses();
  mlir::MLIRContext context(registry);
  static mlir::ane::OutputFiles outputs;
  return mlir::ane::writeBeside(
      "ane-reduce", {argv, argv + argc}, outputs, [&](int argc, char **argv) {
        return mlir::mlirReduceMain(argc, argv, context);
      });
}
