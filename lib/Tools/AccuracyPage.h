//===- AccuracyPage.h - Accuracy for people ---------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_ACCURACYPAGE_H
#define ANE_LIB_TOOLS_ACCURACYPAGE_H

#include "ane/Accuracy/Accuracy.h"

#include "llvm/Support/Error.h"

namespace mlir::ane {

/// The array of `[NAME=]x.npy`: float32, float16 or integers.
llvm::Expected<NamedArray> readNamedArray(llvm::StringRef binding);

/// What accuracyToJson gives, with `input`, `target` and `mode`, as a page.
void writeAccuracyPage(llvm::raw_ostream &os, llvm::json::Object report);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_ACCURACYPAGE_H
