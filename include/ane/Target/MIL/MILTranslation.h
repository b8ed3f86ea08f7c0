//===- MILTranslation.h - MIL text from the mil dialect ---------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_MILTRANSLATION_H
#define ANE_TARGET_MIL_MILTRANSLATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::ane {
class OutputFiles;
} // namespace mlir::ane

namespace mlir::ane::mil {

/// The path by which a program refers to its weight file.
constexpr llvm::StringLiteral kWeightsPath = "@model_path/weights/weight.bin";
/// A resource with fewer elements is written into the text, as coremltools
/// does.
constexpr int64_t kMinBlobElements = 10;

struct MILOptions {
  /// "1.0" or "1.3"; empty: that of the `mil.program`.
  std::string version;
  /// Like "ios18"; empty: that of each `mil.func`.
  std::string opset;
  /// Folder that stands for `@model_path`. Empty: there is no weight file, and
  /// a constant that needs one is an error.
  std::string weightsDir;
  /// Gets the weight file, which then appears with their commit(). Null: it is
  /// there when the text is.
  OutputFiles *outputs = nullptr;
};

/// Writes the one `mil.program` of `module` in the layout of Apple's compiler,
/// and its `dense_resource` constants to `weightsDir`/weights/weight.bin. On
/// failure `os` is untouched and no file is left.
LogicalResult translateToMIL(ModuleOp module, raw_ostream &os,
                             const MILOptions &options);

/// Brings a module without `mil.program` into the mil dialect; gets the opset
/// that was asked for, or "".
using LowerToMILFn = std::function<LogicalResult(ModuleOp, StringRef opset)>;

/// Whether `text`, the beginning of a file, is MIL: it says `program(` where
/// MLIR would have an operation. White space and comments may come first.
bool isMILText(llvm::StringRef text);

/// Reads MIL text, in either spelling, into a module with one `mil.program`.
/// Weight files stay closed: a constant in one is a `#mil.blobfile`. Errors are
/// located in the text; the result is null.
OwningOpRef<ModuleOp> translateFromMIL(llvm::SourceMgr &sources,
                                       MLIRContext *context);

/// Registers `--from-mil`.
void registerFromMILTranslation();
/// Registers `--to-mil` with its flags. Weight files go to `outputs`, if there
/// are any.
void registerToMILTranslation(void (*registerDialects)(DialectRegistry &),
                              LowerToMILFn lower, OutputFiles *outputs);

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_MILTRANSLATION_H
