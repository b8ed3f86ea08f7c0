//===- ane-compile.cpp - Compiles a network for the Apple Neural Engine ---===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneCompile.h"

int main(int argc, char **argv) {
  return mlir::ane::aneCompileMain(argc, argv);
}
