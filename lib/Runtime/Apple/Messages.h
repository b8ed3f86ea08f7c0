//===- Messages.h - What Apple's private runtime is asked -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_MESSAGES_H
#define ANE_LIB_RUNTIME_APPLE_MESSAGES_H

#include "Message.h"

namespace ane::rt::apple::messages {

#define ANE_MESSAGE(NAME, OWNER, OF_CLASS, SELECTOR, ...)                      \
  inline constexpr Message<__VA_ARGS__> NAME{OWNER, OF_CLASS, SELECTOR};       \
  static_assert(NAME.hasAllArguments(), "a colon for each argument");
#include "Messages.def"

} // namespace ane::rt::apple::messages

#endif // ANE_LIB_RUNTIME_APPLE_MESSAGES_H
