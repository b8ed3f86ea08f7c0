//===- ObjC.cpp - The Objective-C runtime, found at run time --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjC.h"

#include "absl/strings/str_format.h"

#include <cctype>
#include <cstring>
#include <dlfcn.h>

namespace ane::rt::apple {

absl::Status Library::open(const std::string &file) {
  path = file;
  handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return absl::OkStatus();
  const char *reason = dlerror();
  return absl::NotFoundError(absl::StrCat("cannot open ", file, ": ",
                                          reason ? reason : "no reason given"));
}

absl::Status Library::lookUp(const char *name, void *&symbol) const {
  symbol = dlsym(handle, name);
  if (symbol)
    return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(path, " has no '", name, "'"));
}

absl::Status ObjC::open(const Libraries &libraries) {
  Library library;
  absl::Status status = library.open(libraries.objc);
  auto find = [&](const char *name, auto &function) {
    if (status.ok())
      status = library.find(name, function);
  };
  find("objc_getClass", getClass);
  find("object_getClass", classOf);
  find("sel_registerName", registerName);
  find("class_respondsToSelector", respondsTo);
  find("class_getInstanceMethod", getMethod);
  find("method_getTypeEncoding", typesOf);
  find("class_getMethodImplementation", implementation);
  find("objc_autoreleasePoolPush", pushPool);
  find("objc_autoreleasePoolPop", popPool);
  find("objc_retain", retain);
  find("objc_release", release);
  return status;
}

const char *&ObjC::lastSelector() {
  static thread_local const char *selector = "";
  return selector;
}

/// Steps over one type and says what it is.
static char takeType(const char *&next) {
  while (*next && std::strchr("rnNoORVA", *next)) // const, in, out, ...
    ++next;
  char letter = *next;
  if (letter)
    ++next;
  if (letter == '^') {
    takeType(next);
    return '^';
  }
  if (letter == '@') { // a block, or a class in quotes
    if (*next == '?')
      ++next;
    else if (*next == '"')
      for (++next; *next && *next++ != '"';) {
      }
    return '@';
  }
  if (letter == '{' || letter == '(' || letter == '[') {
    for (int depth = 1; *next && depth; ++next)
      depth += std::strchr("{([", *next)   ? 1
               : std::strchr("})]", *next) ? -1
                                           : 0;
    return '?';
  }
  if (letter && std::strchr("cCsSiIlLqQB", letter))
    return 'i';
  return letter == '#'                    ? '@'
         : letter == '*'                  ? '^'
         : letter == ':' || letter == 'v' ? letter
                                          : '?';
}

std::string kindsOfTypes(const char *types) {
  std::string kinds;
  while (*types) {
    kinds += takeType(types);
    while (std::isdigit(static_cast<unsigned char>(*types)) || *types == '-')
      ++types;
  }
  return kinds;
}

absl::Status ObjC::checkKinds(const char *owner, bool ofClass,
                              const char *selector,
                              const char *expected) const {
  Id ownerClass = classNamed(owner);
  if (!ownerClass)
    return absl::NotFoundError(
        absl::StrFormat("this version of macOS has no class %s", owner));
  // The methods of a class are those of the objects of its class.
  Method method = getMethod(ofClass ? classOf(ownerClass) : ownerClass,
                            registerName(selector));
  if (!method)
    return absl::NotFoundError(
        absl::StrFormat("this version of macOS has no %s[%s %s]",
                        ofClass ? "+" : "-", owner, selector));
  const char *types = typesOf(method);
  std::string kinds = kindsOfTypes(types ? types : "");
  // A result that nobody looks at may be any.
  if (*expected == 'v' && !kinds.empty())
    kinds[0] = 'v';
  if (kinds == expected)
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s[%s %s] has types '%s' in this version of macOS, expected such as "
      "'%s'",
      ofClass ? "+" : "-", owner, selector, types ? types : "", expected));
}

} // namespace ane::rt::apple
