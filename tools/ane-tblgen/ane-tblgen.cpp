//===- ane-tblgen.cpp - Generator after the register maps ----------------===//
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

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::ane::hideOptionsOfLLVM({"D", "I", "d", "o", "gen-ane-reg-doc"});
  // Without the commit: each would make the registers anew.
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "mlir-ane " ANE_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
  });
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Generator behind the register maps\n");
  return llvm::TableGenMain(argv[0], llvm::MultiFileTableGenMainFn(nullptr));
}
