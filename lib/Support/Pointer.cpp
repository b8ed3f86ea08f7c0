//===- Pointer.cpp - Files that stand for others --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Pointer.h"

#include "absl/strings/match.h"

bool ane::isLfsPointer(absl::string_view bytes) {
  // The specification: at most 1,024 bytes, which begin with the version.
  return bytes.size() <= 1024 &&
         absl::StartsWith(bytes, "version https://git-lfs.github.com/spec/");
}
