//===- Backends.h - The devices that this build knows -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_BACKENDS_H
#define ANE_LIB_RUNTIME_BACKENDS_H

#include "ane/Runtime/Device.h"

namespace ane::rt {

/// What an engine must not see is an error (HW/Verifier.h).
absl::Status checkProgram(const hw::Program &program);

std::unique_ptr<Device> makeSimulatedDevice();
std::unique_ptr<Device> makeAppleDevice();
std::unique_ptr<Device> makeAsahiDevice();

} // namespace ane::rt

#endif // ANE_LIB_RUNTIME_BACKENDS_H
