//===- ane-opt.cpp - Runs passes over ane, hwx and mil IR -----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneOpt.h"

int main(int argc, char **argv) { return mlir::ane::aneOptMain(argc, argv); }
