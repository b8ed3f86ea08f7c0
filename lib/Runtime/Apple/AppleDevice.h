//===- AppleDevice.h - Programs on Apple's private runtime ------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_APPLEDEVICE_H
#define ANE_LIB_RUNTIME_APPLE_APPLEDEVICE_H

#include "Engine.h"

#include "ane/Runtime/Device.h"

namespace ane::rt::apple {

/// The device on the libraries that `options` name.
std::unique_ptr<Device> makeDevice(const EngineOptions &options,
                                   const std::string &name = "Apple's runtime");

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_APPLEDEVICE_H
