//===- ane-translate.cpp - Files and text in and out of IR ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/InitAll.h"
#include "ane/Target/HWX/HWXTranslation.h"
#include "ane/Target/MLPackage/MLPackage.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::ane::registerAllTranslations();
  llvm::SmallVector<char *> arguments = mlir::ane::mil::splitPackagePaths(
      mlir::ane::hwx::splitDumpFlag(argc, argv));
  return failed(mlir::mlirTranslateMain(
      arguments.size() - 1, arguments.data(),
      "ane-translate: files and text in and out of IR\n"));
}
