//===- AneOpt.h - The driver of passes --------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_ANEOPT_H
#define ANE_TOOLS_ANEOPT_H

namespace mlir::ane {

/// Everything that ane-opt does; returns the exit code.
int aneOptMain(int argc, char **argv);

} // namespace mlir::ane

#endif // ANE_TOOLS_ANEOPT_H
