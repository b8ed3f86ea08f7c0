//===- AneTranslate.h - The driver of translations --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TOOLS_ANETRANSLATE_H
#define ANE_TOOLS_ANETRANSLATE_H

namespace mlir::ane {

/// Everything that ane-translate does; returns the exit code.
int aneTranslateMain(int argc, char **argv);

} // namespace mlir::ane

#endif // ANE_TOOLS_ANETRANSLATE_H
