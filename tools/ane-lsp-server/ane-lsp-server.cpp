//===- ane-lsp-server.cpp - Editor support for ane, hwx and mil IR --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/InitAll.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::ane::hideOptionsOfLLVM();
  mlir::ane::setVersionPrinter();
  mlir::DialectRegistry registry;
  mlir::ane::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
