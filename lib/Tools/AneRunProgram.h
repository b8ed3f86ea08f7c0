//===- AneRunProgram.h - Where a program comes from -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ANERUNPROGRAM_H
#define ANE_LIB_TOOLS_ANERUNPROGRAM_H

#include "ane/HW/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::ane {

/// Reads programs. The constants of a program from IR belong to the reader.
class ProgramReader {
public:
  ProgramReader();

  /// A `.hwx` file, recognised by its magic, or a module with one
  /// `hwx.program`. The error says the file, and the line of a module.
  llvm::Expected<::ane::hw::Program> read(llvm::StringRef path,
                                          const llvm::MemoryBuffer &file);

private:
  llvm::Expected<::ane::hw::Program> readModule(llvm::StringRef path,
                                                const llvm::MemoryBuffer &file);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ANERUNPROGRAM_H
