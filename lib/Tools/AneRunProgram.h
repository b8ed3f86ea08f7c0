//===- AneRunProgram.h - Where a program comes from -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ANERUNPROGRAM_H
#define ANE_LIB_TOOLS_ANERUNPROGRAM_H

#include "TaskSources.h"

#include "ane/HW/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::ane {

/// The folder of a file, where MIL text has its weights.
std::string folderOf(llvm::StringRef path);

/// Reads programs. The constants of a program from IR belong to the reader.
class ProgramReader {
public:
  /// `milRoot` stands for the @model_path of MIL text; empty: the text's
  /// folder.
  explicit ProgramReader(llvm::StringRef milRoot);

  /// A `.hwx` file, recognised by its magic, a `.anec` file, a module with one
  /// `hwx.program`, or a network in MIL text, which is compiled. The error says
  /// the file, and the line of a text.
  llvm::Expected<::ane::hw::Program> read(llvm::StringRef path,
                                          const llvm::MemoryBuffer &file);

  /// What the tasks of the program that was read come from; of IR only.
  const TaskSources &sources() const { return taskSources; }

private:
  llvm::Expected<::ane::hw::Program> readModule(llvm::StringRef path,
                                                const llvm::MemoryBuffer &file);
  llvm::Expected<::ane::hw::Program>
  compileNetwork(llvm::StringRef path, const llvm::MemoryBuffer &file);
  /// `parse` fills `module`; its diagnostics are the error.
  llvm::Expected<::ane::hw::Program>
  makeProgram(llvm::StringRef path, const llvm::MemoryBuffer &file,
              llvm::function_ref<LogicalResult(llvm::SourceMgr &)> parse);

  std::string milRoot;
  TaskSources taskSources;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ANERUNPROGRAM_H
