//===- CommandLine.h - What the command lines of tools share ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libLLVM registers hundreds of options of code generators in each tool that
// links it. They bury the tool's own in --help, and most do nothing.
//
// What a user cannot have meant is an error before anything is read: an option
// given twice, an option without its value, an output over an input.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_COMMANDLINE_H
#define ANE_TOOLS_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LogicalResult.h"

#include <string>
#include <vector>

namespace mlir::ane {

class OutputFiles;

/// Leaves the options that are registered so far out of --help, but for those
/// in `keep`; --help-hidden has them. Call it before the tool's own are made.
/// (Inline, as ane-tblgen is built before all libraries.)
inline void hideOptionsOfLLVM(llvm::ArrayRef<llvm::StringRef> keep = {}) {
  auto &options = llvm::cl::getRegisteredOptions();
  // One option may have several names: a value for each.
  llvm::SmallPtrSet<llvm::cl::Option *, 8> kept;
  for (llvm::StringRef name : keep)
    kept.insert(options.lookup(name));
  for (auto &[name, option] : options)
    if (!name.starts_with("help") && name != "version" &&
        !kept.contains(option))
      option->setHiddenFlag(llvm::cl::Hidden);
}

/// Lets --version print which mlir-ane and which LLVM this is.
void setVersionPrinter();

/// Several shapes in one text, as --shape takes them: what has no '=' is a size
/// that belongs to the shape in front of it ("a=1,3,8,8,b=2x4").
std::vector<std::string> splitShapes(llvm::ArrayRef<std::string> texts);

/// Takes the options that are registered so far away, for tools to which none
/// means anything, and which have some of the names themselves.
void forgetOptionsOfLLVM();

/// What is wrong with how options of `category` are given: one that takes one
/// value has two, or one of `needValue` has an empty one. Else nothing.
std::string
describeMisuse(const llvm::cl::OptionCategory &category,
               llvm::ArrayRef<const llvm::cl::opt<std::string> *> needValue);

/// A file of the command line and what it is there.
struct NamedFile {
  std::string what; ///< "the input", "--report"
  std::string path; ///< empty: not given
};

/// Whether two names are one file, which need not exist yet. Standard output
/// and devices take several.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// What is wrong when an output would be written over an input or another
/// output, into a package that is an input, or as a package around an input, or
/// when two files are standard input or output; else nothing.
std::string describeClash(llvm::ArrayRef<NamedFile> inputs,
                          llvm::ArrayRef<NamedFile> outputs);

/// The same for a command line `TOOL INPUT... -o OUTPUT` that MLIR parses: its
/// tools would clear the file that they are about to read.
std::string describeClash(llvm::ArrayRef<char *> arguments);

/// Runs one of MLIR's drivers, which writes `output` itself, so that the file
/// takes its place, with `outputs`, when the driver has succeeded. Returns the
/// exit code of `tool`. A driver may end the process: `outputs` are static.
int writeBeside(llvm::StringRef tool, llvm::StringRef output,
                OutputFiles &outputs,
                llvm::function_ref<llvm::LogicalResult(llvm::StringRef)> run);

/// The same of a driver that reads `-o` from its arguments.
int writeBeside(
    llvm::StringRef tool, llvm::ArrayRef<char *> arguments,
    OutputFiles &outputs,
    llvm::function_ref<llvm::LogicalResult(int argc, char **argv)> run);

/// Lets streams that nobody asks for their errors, such as those of MLIR's
/// drivers, say as `tool` that `-o` or standard output cannot be written. (They
/// end the process with 1 and take their file away anyway.)
void explainFailedWrites(llvm::StringRef tool,
                         llvm::ArrayRef<char *> arguments);

/// Whether the bytes begin as those of a `.hwx` file do.
bool isContainer(llvm::StringRef bytes);

/// What a file is that some people give to tools that read MLIR, and what makes
/// MLIR of it; nothing where it may be MLIR, or cannot be read.
std::string describeForeign(llvm::StringRef path);

} // namespace mlir::ane

#endif // ANE_TOOLS_COMMANDLINE_H
