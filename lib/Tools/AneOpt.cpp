//===- AneOpt.cpp - The driver of passes ----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneOpt.h"

#include "ane/Conversion/ANEToHWX/ExplainWord.h"
#include "ane/Dialect/MIL/Transforms/Rules.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Files/Signals.h"
#include "ane/HW/Constraints.h"
#include "ane/InitAll.h"
#include "ane/Target/ONNX/ONNX.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/WithColor.h"

#include <cstdlib>

using namespace mlir;
namespace cl = llvm::cl;

namespace {

/// An option that prints a page and ends the process.
struct PageOption : cl::opt<bool> {
  PageOption(llvm::StringRef name, llvm::StringRef description,
             std::string (*page)())
      : cl::opt<bool>(name, cl::init(false), cl::desc(description),
                      cl::callback([page](const bool &) {
                        llvm::outs() << page();
                        llvm::outs().flush();
                        std::exit(0);
                      })) {}
};

} // namespace

/// Whether --ane-why is all that is asked for.
static bool isOnlyQuestion(ArrayRef<char *> arguments) {
  auto isPass = [](StringRef argument) {
    StringRef name = argument.ltrim('-').split('=').first;
    return argument.starts_with("-") &&
           (PassInfo::lookup(name) || PassPipelineInfo::lookup(name) ||
            name == "pass-pipeline");
  };
  size_t passes = llvm::count_if(arguments, isPass);
  return passes == 1 && llvm::any_of(arguments, [](StringRef argument) {
           return argument.ltrim('-').split('=').first == "ane-why";
         });
}

int mlir::ane::aneOptMain(int argc, char **argv) {
  takeSignals("ane-opt");
  hideOptionsOfLLVM();
  setVersionPrinter();
  explainFailedWrites("ane-opt", ArrayRef(argv, argc));
  PageOption constraints(
      "ane-print-constraints",
      "Print the limits of the engine (docs/SupportedOps.md), exit",
      [] { return std::string(::ane::hw::supportedOpsPage()); });
  PageOption rules("ane-print-mil-rules",
                   "Print the rules of MIL (docs/Formats/MILRules.md), exit",
                   [] { return std::string(mil::rulesPage()); });
  PageOption operators(
      "ane-print-onnx-operators",
      "Print the operators of ONNX (docs/Formats/ONNXOperators.md), exit",
      onnx::operatorsPage);
  PageOption encoder(
      "ane-print-encoder-rules",
      "Print the rules of the encoder (docs/Registers/EncoderRules.md), exit",
      encoderRulesPage);
  // An op may hold a whole network with its weights; its place says enough.
  registerMLIRContextCLOptions();
  if (cl::Option *prints =
          cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic"))
    static_cast<cl::opt<bool> *>(prints)->setInitialValue(false);

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  std::pair<std::string, std::string> files = registerAndParseCLIOptions(
      argc, argv, "ane-opt: runs passes over ane, hwx and mil IR\n", registry);
  // Who only asks gets remarks, and no copy of what was given.
  bool onlyAsks = isOnlyQuestion(ArrayRef(argv, argc).drop_front());
  if (onlyAsks && files.second == "-")
    files.second = "/dev/null";
  std::string wrong =
      describeClash({{"the input", files.first}}, {{"-o", files.second}});
  if (wrong.empty())
    wrong = describeForeign(files.first);
  if (!wrong.empty()) {
    llvm::WithColor::error(llvm::errs(), "ane-opt") << wrong << "\n";
    return 1;
  }
  static OutputFiles outputs;
  return writeBeside("ane-opt", files.second, outputs, [&](StringRef file) {
    return MlirOptMain(argc, argv, files.first, file, registry);
  });
}
