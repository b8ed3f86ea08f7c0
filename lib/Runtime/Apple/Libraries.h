//===- Libraries.h - Where macOS keeps what is needed -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing of macOS is linked and no header of it is read: libraries are opened
// by their paths and functions looked up by name. A test says other paths.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_LIBRARIES_H
#define ANE_LIB_RUNTIME_APPLE_LIBRARIES_H

#include "absl/status/status.h"

#include <string>

namespace ane::rt::apple {

/// *seen*: macOS keeps all but libobjc and libSystem in one cache; opening
/// these paths works although no file is there.
struct Libraries {
  std::string objc = "/usr/lib/libobjc.A.dylib";
  std::string system = "/usr/lib/libSystem.B.dylib";
  std::string foundation =
      "/System/Library/Frameworks/Foundation.framework/Foundation";
  std::string coreFoundation =
      "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation";
  std::string ioSurface =
      "/System/Library/Frameworks/IOSurface.framework/IOSurface";
  std::string engine = "/System/Library/PrivateFrameworks/"
                       "AppleNeuralEngine.framework/AppleNeuralEngine";
  std::string security =
      "/System/Library/Frameworks/Security.framework/Security";

  /// One library that plays all of them.
  static Libraries allIn(const std::string &path) {
    return {path, path, path, path, path, path, path};
  }
};

/// An open library. It is never closed: classes stay registered.
class Library {
public:
  /// Fails with what the loader says.
  absl::Status open(const std::string &path);
  /// Fills `function`, whatever its type, with the symbol of that name.
  template <typename Function>
  absl::Status find(const char *name, Function &function) const {
    void *symbol = nullptr;
    absl::Status status = lookUp(name, symbol);
    function = reinterpret_cast<Function>(symbol);
    return status;
  }

private:
  absl::Status lookUp(const char *name, void *&symbol) const;

  std::string path;
  void *handle = nullptr;
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_LIBRARIES_H
