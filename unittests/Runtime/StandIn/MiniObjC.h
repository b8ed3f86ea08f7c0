//===- MiniObjC.h - Objects, classes and messages in C++ --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class is a table from selectors to functions, and an object itself: its own
// class has the methods "+". The types of a method are derived from those of
// its function, in the runtime's spelling.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_UNITTESTS_RUNTIME_STANDIN_MINIOBJC_H
#define ANE_UNITTESTS_RUNTIME_STANDIN_MINIOBJC_H

#include "StandIn.h"

#include <atomic>
#include <mutex>

namespace ane::standin {

using Bool = unsigned char;
using Selector = const std::string *;

struct Method {
  void (*function)();
  std::string selector, types;
};

struct Class;
struct Object {
  explicit Object(const char *className);
  virtual ~Object();
  Class *isa;
  std::atomic<int> references{1};
};
using Id = Object *;

struct Class {
  std::string name;
  std::map<std::string, Method> methods;
};

/// A class as an object: the methods of `isa` are those of the class itself.
struct ClassObject : Object {
  ClassObject(const std::string &name);
  Class objects, itself;
};

ClassObject &classNamed(const std::string &name);
Id retain(Id object);
void release(Id object);
/// Into the pool that is open.
Id autorelease(Id object);
/// Of what threads write down.
std::mutex &standInLock();
void complain(const std::string &what);
/// Writes down the message; whether it is to be answered with nil.
bool note(const char *selector);

template <typename T> std::string encode() {
  if constexpr (std::is_void_v<T>)
    return "v";
  else if constexpr (std::is_same_v<T, Id>)
    return "@";
  else if constexpr (std::is_same_v<T, Selector>)
    return ":";
  else if constexpr (std::is_same_v<T, const char *>)
    return "r*";
  else if constexpr (std::is_same_v<T, void *>)
    return "^{__IOSurface=}";
  else if constexpr (std::is_pointer_v<T>)
    return "^" + encode<std::remove_const_t<std::remove_pointer_t<T>>>();
  else if constexpr (std::is_same_v<T, Bool>)
    return "B";
  else if constexpr (std::is_signed_v<T>)
    return "q";
  else
    return sizeof(T) == 4 ? "I" : "Q";
}

/// Adds a method to a class: `+` when `ofClass`.
template <typename Result, typename... Arguments>
void add(const char *owner, bool ofClass, const char *selector,
         Result (*function)(Id, Selector, Arguments...)) {
  ClassObject &object = classNamed(owner);
  std::string types =
      encode<Result>() + std::to_string(16 + 8 * sizeof...(Arguments)) + "@0:8";
  int offset = 16;
  ((types += encode<Arguments>() + std::to_string(offset), offset += 8), ...);
  (ofClass ? object.itself : object.objects).methods[selector] = {
      reinterpret_cast<void (*)()>(function), selector, types};
}

// The objects of Foundation that the others use.
struct String : Object {
  explicit String(std::string text)
      : Object("NSString"), text(std::move(text)) {}
  std::string text;
};
struct Number : Object {
  explicit Number(uint64_t value) : Object("NSNumber"), value(value) {}
  uint64_t value;
};
struct Array : Object {
  explicit Array(std::vector<Id> all)
      : Object("NSArray"), objects(std::move(all)) {
    for (Id object : objects)
      retain(object);
  }
  ~Array() override {
    for (Id object : objects)
      release(object);
  }
  std::vector<Id> objects;
};
struct Dictionary : Object {
  explicit Dictionary(std::map<std::string, Id> all)
      : Object("NSDictionary"), entries(std::move(all)) {
    for (auto &[key, object] : entries)
      retain(object);
  }
  ~Dictionary() override {
    for (auto &[key, object] : entries)
      release(object);
  }
  std::map<std::string, Id> entries;
};
struct URL : Object {
  explicit URL(std::string path) : Object("NSURL"), path(std::move(path)) {}
  std::string path;
};
struct NSError : Object {
  explicit NSError(std::string text)
      : Object("NSError"), text(std::move(text)) {}
  std::string text;
};

template <typename T, typename... Arguments> Id make(Arguments &&...arguments) {
  return autorelease(new T(std::forward<Arguments>(arguments)...));
}
template <typename T> T *as(Id object, const char *what) {
  auto *result = dynamic_cast<T *>(object);
  if (object && !result)
    complain(std::string("not what was expected for ") + what);
  return result;
}

struct IOSurface : Object {
  IOSurface(size_t bytes) : Object("IOSurface"), bytes(bytes) {}
  std::vector<uint8_t> bytes;
  int locks = 0;
  bool isReadOnly = false;
};

void addFoundation();
void addEngine();

} // namespace ane::standin

#endif // ANE_UNITTESTS_RUNTIME_STANDIN_MINIOBJC_H
