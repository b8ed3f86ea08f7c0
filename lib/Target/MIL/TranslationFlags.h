//===- TranslationFlags.h - Flags of text and packages ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_TRANSLATIONFLAGS_H
#define ANE_LIB_TARGET_MIL_TRANSLATIONFLAGS_H

#include "ane/Target/MIL/MILTranslation.h"

#include "llvm/Support/CommandLine.h"

namespace mlir::ane::mil {

/// Flags that text and packages share.
struct TranslationFlags {
  llvm::cl::opt<std::string> version{
      "mil-version", llvm::cl::value_desc("1.0|1.3"),
      llvm::cl::desc(
          "Version of MIL text (default: the version of the program, 1.3 for "
          "the ane dialect). States and elements under 8 bits need 1.3")};
  llvm::cl::opt<std::string> opset{
      "opset", llvm::cl::value_desc("ios18"),
      llvm::cl::desc("Convert MIL functions to this opset (default: the opset "
                     "of the program; for the ane dialect ios18, with "
                     "--mil-version=1.0 ios16)")};
  llvm::cl::opt<std::string> weightsDir{
      "weights-dir", llvm::cl::value_desc("DIR"),
      llvm::cl::desc("Write constants of MIL text to DIR/weights/weight.bin")};
  llvm::cl::opt<std::string> root{
      "mil-root", llvm::cl::value_desc("DIR"),
      llvm::cl::desc(
          "Look up files that MIL refers to as @model_path/... below DIR "
          "(default: weight files of text are not opened)")};
  llvm::cl::opt<bool> embed{
      "embed-weights",
      llvm::cl::desc("Put the values of weight files into the program instead "
                     "of references")};
  llvm::cl::opt<bool> evaluate{
      "evaluate-constexpr",
      llvm::cl::desc("Put the values of compressed weights (constexpr_*) into "
                     "the program instead of the statements")};
};

/// They exist from the first call, in tools that register a translation.
TranslationFlags &getTranslationFlags();

/// Brings the ane dialect into the mil dialect as the flags say; a program in
/// the mil dialect stays.
LogicalResult lowerAsFlagsSay(ModuleOp module, const LowerToMILFn &lower);

/// Checks, embeds or evaluates what refers to files below `root`, as the flags
/// say. With an empty root nothing is known of files.
LogicalResult readWeightsAsFlagsSay(ModuleOp module, StringRef root);

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_TRANSLATIONFLAGS_H
