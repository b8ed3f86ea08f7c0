//===- InputFiles.h - Files that a user names -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is mapped, so that its size costs no memory. A device such as
// /dev/zero cannot be, and may have no end: it is an error before anything is
// read.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_FILES_INPUTFILES_H
#define ANE_FILES_INPUTFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::ane {

/// An error for a device; what cannot be read otherwise shows when it is.
std::error_code checkInput(llvm::StringRef path);

/// The bytes of a file, without a zero after them; "-" is standard input.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readInput(llvm::StringRef path);

} // namespace mlir::ane

#endif // ANE_FILES_INPUTFILES_H
