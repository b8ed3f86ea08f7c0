//===- ane-tblgen.cpp - Generator behind the register maps ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes code, documentation and test data from the register maps below
// include/ane/HW/Registers. Each generator registers its own flag.
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/CommandLine.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::ane::hideOptionsOfLLVM({"D", "I", "d", "o", "gen-ane-reg-doc"});
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Generator behind the register maps\n");
  return llvm::TableGenMain(argv[0], llvm::MultiFileTableGenMainFn(nullptr));
}
