//===- ONNX.h - Networks of the ONNX format ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model becomes a `mil.program`, whose operations are nearly those of ONNX:
// from there it goes the way of Core ML packages, the host part included.
// Arithmetic on shapes is carried out on the way, so all shapes have to be
// known: those of the model, or those that the caller says.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_ONNX_ONNX_H
#define ANE_TARGET_ONNX_ONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::ane::onnx {

/// Whether `bytes`, the beginning of a file, may be a model. The format has no
/// magic number: a model begins with its version, which no text does, and goes
/// on with a field of the message.
bool isModel(StringRef bytes);

struct ImportOptions {
  /// What errors name.
  std::string file;
  /// Where files of external weights lie.
  std::string folder;
  /// `name=1x3x224x224` or `number=...` for inputs with open dimensions, as of
  /// `ane-compile --shape`.
  SmallVector<std::string> shapes;
  /// `name=@file.npy` or `number=@...` for inputs that are constants, as of
  /// `ane-compile --bind`: sizes and axes have to be. Others are left alone.
  SmallVector<std::string> bindings;
};

/// Whether a binding is one that `importModel` takes.
bool isTakenByImport(StringRef binding);

/// Reads the model `bytes` into a module with one `mil.program`; null after an
/// error. `bytes` may go afterwards.
OwningOpRef<ModuleOp> importModel(StringRef bytes, MLIRContext *context,
                                  const ImportOptions &options);

/// The page of operators that are imported.
std::string operatorsPage();

/// Registers `--from-onnx`.
void registerONNXTranslation();

} // namespace mlir::ane::onnx

#endif // ANE_TARGET_ONNX_ONNX_H
