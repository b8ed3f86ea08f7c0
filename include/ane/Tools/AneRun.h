//===- AneRun.h - The tool that runs programs -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_ANERUN_H
#define ANE_TOOLS_ANERUN_H

namespace mlir::ane {

/// Everything that ane-run does; returns the exit code.
int aneRunMain(int argc, char **argv);

} // namespace mlir::ane

#endif // ANE_TOOLS_ANERUN_H
