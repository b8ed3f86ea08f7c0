//===- AneTranslate.cpp - The driver of translations ----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Tools/AneTranslate.h"

#include "TaskSources.h"

#include "ane/Files/InputFiles.h"
#include "ane/Files/OutputFiles.h"
#include "ane/Files/Signals.h"
#include "ane/InitAll.h"
#include "ane/Target/HWX/HWXTranslation.h"
#include "ane/Target/MLPackage/MLPackage.h"
#include "ane/Tools/CommandLine.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
namespace cl = llvm::cl;

/// "--from-hwx", ...: what is registered.
static SmallVector<std::string> namesOfTranslations() {
  // Made as MLIR's driver makes it, and taken away again before that.
  cl::opt<const Translation *, false, TranslationParser> all("");
  SmallVector<std::string> names;
  for (unsigned i = 0, e = all.getParser().getNumOptions(); i != e; ++i)
    names.push_back("--" + all.getParser().getOption(i).str());
  all.removeArgument();
  llvm::sort(names);
  return names;
}

/// MLIR's own driver would say once for each translation that one is missing.
static std::string describeNoTranslation(ArrayRef<char *> arguments) {
  SmallVector<std::string> names = namesOfTranslations();
  for (StringRef argument : arguments.drop_front()) {
    std::string name = ("--" + argument.ltrim('-').split('=').first).str();
    if (argument.starts_with("-") &&
        (llvm::is_contained(names, name) ||
         llvm::is_contained({"--help", "--help-list", "--help-hidden",
                             "--help-list-hidden", "--version", "--h"},
                            name)))
      return "";
  }
  return "no translation is given; give one of " + llvm::join(names, ", ");
}

/// Whether `argument` is a flag such as --to-mil.
static bool isTranslation(StringRef argument, StringRef direction) {
  return argument.starts_with("-") &&
         argument.ltrim('-').starts_with(direction);
}

/// The input of --to-... is MLIR, unless a --from-... comes before. What stands
/// after an option may be its value, so only what cannot be one is looked at.
static std::string describeInput(ArrayRef<char *> arguments) {
  auto has = [&](StringRef direction) {
    return llvm::any_of(arguments, [&](StringRef argument) {
      return isTranslation(argument, direction);
    });
  };
  if (!has("to-") || has("from-"))
    return "";
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument = arguments[i], before = arguments[i - 1];
    bool mayBeValue = before.starts_with("-") && !before.contains('=') &&
                      !isTranslation(before, "to-");
    if (argument.starts_with("-") || mayBeValue)
      continue;
    std::string wrong = mlir::ane::describeForeign(argument);
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

/// What the tasks of a program come from, of a report of ane-compile.
static llvm::Expected<mlir::ane::hwx::TaskNames>
nameTasks(StringRef report, StringRef file, size_t tasks) {
  auto buffer = mlir::ane::readInput(report);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "--sources: cannot open '" + report +
                                       "': " + buffer.getError().message());
  auto sources =
      mlir::ane::TaskSources::fromReport((*buffer)->getBuffer(), file, tasks);
  if (!sources)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "--sources: '" + report + "' " +
                                       llvm::toString(sources.takeError()));
  mlir::ane::hwx::TaskNames names;
  for (size_t task = 0; task < tasks; ++task) {
    names.texts.push_back(sources->describe(task));
    names.lists.push_back(sources->toJson(task));
  }
  return names;
}

int mlir::ane::aneTranslateMain(int argc, char **argv) {
  takeSignals("ane-translate");
  hideOptionsOfLLVM();
  setVersionPrinter();
  static OutputFiles outputs;
  static bool differs = false;
  registerAllTranslations(&outputs, nameTasks, &differs);
  ArrayRef<char *> given(argv, argc);
  explainFailedWrites("ane-translate", given);
  std::string wrong = describeNoTranslation(given);
  if (wrong.empty())
    wrong = describeClash(given);
  if (wrong.empty())
    wrong = describeInput(given);
  if (!wrong.empty()) {
    llvm::WithColor::error(llvm::errs(), "ane-translate") << wrong << "\n";
    return 1;
  }
  int code = writeBeside(
      "ane-translate", mil::splitPackagePaths(hwx::splitFlags(given)), outputs,
      [](int argc, char **argv) {
        return mlirTranslateMain(
            argc, argv, "ane-translate: files and text in and out of IR\n");
      });
  return differs ? 1 : code;
}
