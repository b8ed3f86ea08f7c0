//===- ane-translate.cpp - Files and text in and out of IR ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneTranslate.h"

int main(int argc, char **argv) {
  return mlir::ane::aneTranslateMain(argc, argv);
}
