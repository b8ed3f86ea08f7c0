//===- LinuxDoctor.h - What a Linux machine lacks ---------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_ASAHI_LINUXDOCTOR_H
#define ANE_LIB_RUNTIME_ASAHI_LINUXDOCTOR_H

#include "Driver.h"

#include "ane/Runtime/Doctor.h"

namespace ane::rt::asahi {

/// Of the machine that `system` is.
std::vector<Finding> examine(System &system);

} // namespace ane::rt::asahi

#endif // ANE_LIB_RUNTIME_ASAHI_LINUXDOCTOR_H
