//===- Version.cpp - Which mlir-ane this is -------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of its own: it is the only one that a new commit changes.
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Version.h"

const char *ane::version() {
  return
#include "Version.inc"
      ;
}
