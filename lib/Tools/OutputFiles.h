//===- OutputFiles.h - Files that a command writes --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TOOLS_OUTPUTFILES_H
#define ANE_LIB_TOOLS_OUTPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::ane {

/// A file of the command line and what it is there.
struct NamedFile {
  std::string what; ///< "the input", "--report"
  std::string path; ///< empty: not given
};

/// Whether two names are one file, which need not exist yet. Standard output
/// and devices take several.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// What is wrong when an output would be written over an input or another
/// output; else nothing.
std::string describeClash(llvm::ArrayRef<NamedFile> inputs,
                          llvm::ArrayRef<NamedFile> outputs);

} // namespace mlir::ane

#endif // ANE_LIB_TOOLS_OUTPUTFILES_H
