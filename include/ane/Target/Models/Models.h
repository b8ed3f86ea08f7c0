//===- Models.h - Networks of layers ----------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats that list layers: `net.plist` of Apple's compiler for the engine, and
// the neural networks of Core ML's older models. A network becomes a
// `mil.program`, as a model of ONNX does, and goes the way of Core ML packages
// from there.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MODELS_MODELS_H
#define ANE_TARGET_MODELS_MODELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::ane::models {

struct ImportOptions {
  /// What errors name.
  std::string file;
  /// Where files of weights lie.
  std::string folder;
};

/// Whether `bytes`, the beginning of a file, are a property list, as XML or in
/// its binary form.
bool isPropertyList(StringRef bytes);

/// Reads a network from a property list into a module with one `mil.program`;
/// null after an error. `bytes` may go afterwards.
OwningOpRef<ModuleOp> importNetPlist(StringRef bytes, MLIRContext *context,
                                     const ImportOptions &options);

/// Whether `bytes`, the beginning of a file, may be a Core ML model in one file.
bool isCoreMLModel(StringRef bytes);

/// Reads a neural network, a pipeline of them, or an ML program from a
/// `.mlmodel` file.
OwningOpRef<ModuleOp> importCoreMLModel(StringRef bytes, MLIRContext *context,
                                        const ImportOptions &options);

/// Whether `bytes`, the beginning of a file, may be `model.espresso.net`.
bool isEspressoNetwork(StringRef bytes);

/// Opens a file by its path.
using OpenFn =
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> (*)(StringRef path);

/// Reads a neural network that Core ML has compiled: `bytes` is
/// `model.espresso.net`; its shapes and weights lie in `options.folder`, and are
/// opened by `open` where it is not null.
OwningOpRef<ModuleOp> importEspresso(StringRef bytes, MLIRContext *context,
                                     const ImportOptions &options,
                                     OpenFn open = nullptr);

/// Registers `--from-plist` and `--from-mlmodel`.
void registerModelTranslations();

} // namespace mlir::ane::models

#endif // ANE_TARGET_MODELS_MODELS_H
