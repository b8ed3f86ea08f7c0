//===- InitAll.h - Everything that a tool can register ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_INITALL_H
#define ANE_INITALL_H

#include "ane/Target/HWX/TaskNames.h"

namespace mlir {
class DialectRegistry;

namespace ane {

class OutputFiles;

/// The dialects of this project and those of its inputs.
void registerAllDialects(DialectRegistry &registry);
/// The passes and pipelines of this project.
void registerANEPasses();
/// The same, and the general ones of MLIR that go with them.
void registerAllPasses();
/// The `--to-` and `--from-` flags of ane-translate. Files beside the output
/// that MLIR's driver writes go to `outputs`; null: they are written at once.
/// `nameTasks` reads reports of ane-compile; `differs` becomes true where a
/// comparison found a difference.
void registerAllTranslations(OutputFiles *outputs = nullptr,
                             hwx::TaskNamer nameTasks = nullptr,
                             bool *differs = nullptr);

} // namespace ane
} // namespace mlir

#endif // ANE_INITALL_H
