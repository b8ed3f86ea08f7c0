//===- AsahiDevice.h - Programs on the driver of Asahi Linux ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_ASAHI_ASAHIDEVICE_H
#define ANE_LIB_RUNTIME_ASAHI_ASAHIDEVICE_H

#include "Driver.h"

#include "ane/Runtime/Device.h"

namespace ane::rt::asahi {

/// The device on a kernel, which outlives it.
std::unique_ptr<Device> makeDevice(System &system);

} // namespace ane::rt::asahi

#endif // ANE_LIB_RUNTIME_ASAHI_ASAHIDEVICE_H
