//===- Permissions.h - What macOS allows this process -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_PERMISSIONS_H
#define ANE_LIB_RUNTIME_APPLE_PERMISSIONS_H

#include "Libraries.h"

#include "ane/Runtime/Device.h"

namespace ane::rt::apple {

/// Root, System Integrity Protection, entitlements: looked up, nothing is tried.
std::vector<Permission> permissions(const Libraries &libraries);

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_PERMISSIONS_H
