//===- Message.h - Messages to Objective-C objects, typed -------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message knows who understands it, its selector and the types of arguments
// and result, so that the function after it is called by a pointer of exactly
// that type: a variadic call puts arguments elsewhere on arm64.
//
// Needs no header of any system, so that it can be checked for arm64 macOS
// where there is no SDK (test/Runtime/apple-types.test).
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_MESSAGE_H
#define ANE_LIB_RUNTIME_APPLE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

namespace ane::rt::apple {

using Id = struct Object *; ///< an object or a class
using Selector = struct SelectorName *;
using Method = struct MethodEntry *;
using Implementation = void (*)();
/// BOOL is bool on arm64 and signed char on x86-64: on both a byte that the
/// callee has extended.
using Bool = unsigned char;

/// What a type is to a calling convention, in one letter; an integer of any
/// size is the same.
template <typename T> struct KindOf {
  static constexpr char value = 'i';
};
template <> struct KindOf<void> {
  static constexpr char value = 'v';
};
template <> struct KindOf<Id> {
  static constexpr char value = '@';
};
template <typename T> struct KindOf<T *> {
  static constexpr char value = '^';
};

/// The type of a parameter that no argument changes.
template <typename T> struct Exactly {
  using Type = T;
};

template <typename Signature> struct Message;
template <typename Result, typename... Arguments>
struct Message<Result(Arguments...)> {
  const char *owner; ///< its class
  bool ofClass;      ///< for the class itself, not for its objects
  const char *selector;

  using Function = Result (*)(Id, Selector, Arguments...);
  /// Of result, receiver, selector and arguments.
  static constexpr char kinds[] = {KindOf<Result>::value, '@', ':',
                                   KindOf<Arguments>::value..., 0};

  /// A selector has a colon for each argument.
  constexpr bool hasAllArguments() const {
    size_t colons = 0;
    for (const char *c = selector; *c; ++c)
      colons += *c == ':';
    return colons == sizeof...(Arguments);
  }

  static Result call(Implementation function, Id receiver, Selector selector,
                     Arguments... arguments) {
    return reinterpret_cast<Function>(function)(receiver, selector,
                                                arguments...);
  }
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_MESSAGE_H
