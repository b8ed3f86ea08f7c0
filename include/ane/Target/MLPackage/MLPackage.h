//===- MLPackage.h - Core ML packages of mil programs -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package is a folder: a manifest, a model file (the program as protocol
// buffers, with a description of inputs and outputs), and a weight file.
//
//    x.mlpackage/Manifest.json
//    x.mlpackage/Data/com.apple.CoreML/model.mlmodel
//    x.mlpackage/Data/com.apple.CoreML/weights/weight.bin
//
// The program is the same that MIL text states; docs/Formats/MIL.md says how
// the two relate.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MLPACKAGE_MLPACKAGE_H
#define ANE_TARGET_MLPACKAGE_MLPACKAGE_H

#include "ane/Target/MIL/MILTranslation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::ane::mil {

struct PackageOptions {
  /// "1.0" or "1.3"; empty: that of the `mil.program`. 1.3 needs the format of
  /// iOS 18.
  std::string version;
  /// Like "ios18"; empty: that of each `mil.func`.
  std::string opset;
  /// Folder that stands for `@model_path` in references of the program.
  std::string root;
  /// Gets the files, which then appear with their commit(). Null: the package
  /// is there on return.
  OutputFiles *outputs = nullptr;
};

/// Writes the one `mil.program` of `module` as the package `path`, which takes
/// the place of a package of that name. Nothing is left on failure, and nothing
/// is replaced.
LogicalResult writeMLPackage(ModuleOp module, StringRef path,
                             const PackageOptions &options);

/// Reads the package `path` into a module with one `mil.program`. Weights stay
/// in their file, as `#mil.blobfile`; `root` gets the folder that stands for
/// `@model_path`.
OwningOpRef<ModuleOp> readMLPackage(StringRef path, MLIRContext *context,
                                    std::string &root);

/// Reads a model file, as a package has one, with one `mil.program`.
OwningOpRef<ModuleOp> readModel(StringRef bytes, StringRef file,
                                MLIRContext *context);

/// Where in a package something comes from: a model has no lines.
struct PackagePlace {
  StringRef file, function;
  StringRef operation, output; ///< empty: the function
  /// "function 'main', operation 'conv', output 'y'"
  std::string describe() const;
};

/// The location of an operation of a package.
Location packageLocation(MLIRContext *context, const PackagePlace &place);

/// The first place in a package that `loc` has.
std::optional<PackagePlace> placeInPackage(Location loc);

/// The arguments of a tool whose inputs and outputs are files: a package that
/// stands for one is named by its manifest, and where `--to-mlpackage` writes
/// is remembered.
SmallVector<char *> splitPackagePaths(ArrayRef<char *> arguments);

/// Registers `--from-mlpackage` and `--to-mlpackage`. Packages go to `outputs`,
/// if there are any.
void registerMLPackageTranslations(void (*registerDialects)(DialectRegistry &),
                                   LowerToMILFn lower, OutputFiles *outputs);

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MLPACKAGE_MLPACKAGE_H
