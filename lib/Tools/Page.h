//===- Page.h - Reports as pages --------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_PAGE_H
#define ANE_LIB_TOOLS_PAGE_H

#include "llvm/Support/JSON.h"

namespace mlir::ane {

/// Writes a page that needs no other file: `page`, with the `input` of the
/// report for @TITLE@ and the report itself for @DATA@.
void writePage(llvm::raw_ostream &os, llvm::StringRef page,
               llvm::json::Object report);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_PAGE_H
