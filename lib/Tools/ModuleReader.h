//===- ModuleReader.h - Reads networks with large weights -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights of a network in text stand at the end of the file, as hexadecimal
// strings of the builtin dialect's resources. They are all but a thousandth of
// the file, and the parser wants the whole file in memory to turn them into
// half as many bytes. This reader gives the parser the ops only, and decodes
// the strings piece by piece from the file, those that the ops refer to.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_MODULEREADER_H
#define ANE_LIB_TOOLS_MODULEREADER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

namespace mlir::ane {

enum class SourceFormat { MLIR, MIL, ONNX, Layers };

/// Whether a program of MIL stands for a network of another format, which is
/// compiled as one, also to MIL.
inline bool isTranslated(SourceFormat format) {
  return format == SourceFormat::ONNX || format == SourceFormat::Layers;
}

/// Parses the file (MLIR as text or bytecode, MIL text, an ONNX model or a
/// net.plist, which its beginning tells; "-" is standard input) into `context`.
/// `shapes` and `bindings` are of inputs of an ONNX model, whose shapes are all
/// known then.
/// The buffer with the ops becomes the main file of `sourceMgr`, so that
/// diagnostics point into it. Null after an error, which has been reported:
/// through the context, or in `error` when the file cannot be opened.
OwningOpRef<ModuleOp> readModule(const std::string &path,
                                 llvm::SourceMgr &sourceMgr,
                                 MLIRContext *context,
                                 ArrayRef<std::string> shapes,
                                 ArrayRef<std::string> bindings,
                                 SourceFormat &format, std::string &error);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_MODULEREADER_H
