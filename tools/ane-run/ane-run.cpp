//===- ane-run.cpp - Runs a register program ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneRun.h"

int main(int argc, char **argv) { return mlir::ane::aneRunMain(argc, argv); }
