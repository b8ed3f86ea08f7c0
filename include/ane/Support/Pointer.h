//===- Pointer.h - Files that stand for others ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A repository that is cloned without Git LFS has a few lines of text in place
// of each large file. Readers would say that it is no file of their kind, which
// is true and no help.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_POINTER_H
#define ANE_SUPPORT_POINTER_H

#include "absl/strings/string_view.h"

namespace ane {

/// Whether `bytes` are a pointer of Git LFS.
bool isLfsPointer(absl::string_view bytes);

/// What an error says of one.
inline constexpr absl::string_view kLfsPointerText =
    "is a pointer of Git LFS, not the file itself; run 'git lfs pull' where it "
    "was cloned";

} // namespace ane

#endif // ANE_SUPPORT_POINTER_H
