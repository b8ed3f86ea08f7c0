//===- AneCompile.h - The compile driver ------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_ANECOMPILE_H
#define ANE_TOOLS_ANECOMPILE_H

namespace mlir::ane {

/// The whole of `ane-compile`: command line, input, passes, output. Returns the
/// exit code; on failure a diagnostic is on standard error and no output file
/// is left.
int aneCompileMain(int argc, char **argv);

} // namespace mlir::ane

#endif // ANE_TOOLS_ANECOMPILE_H
