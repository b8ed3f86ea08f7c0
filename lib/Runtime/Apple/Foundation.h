//===- Foundation.h - Strings, numbers, arrays, errors ----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_FOUNDATION_H
#define ANE_LIB_RUNTIME_APPLE_FOUNDATION_H

#include "ObjC.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <string>
#include <utility>
#include <vector>

namespace ane::rt::apple {

/// The public classes that Apple's runtime takes and gives. What is made here
/// belongs to the pool that is open.
class Foundation {
public:
  explicit Foundation(const ObjC &objc) : objc(objc) {}
  /// Opens the library and looks for the classes.
  absl::Status open(const Libraries &libraries);

  Id string(const std::string &text) const;
  Id number(uint64_t value) const;
  Id boolean(bool value) const;
  Id array(absl::Span<const Id> objects) const;
  using Entry = std::pair<Id, Id>; ///< key, value
  Id dictionary(absl::Span<const Entry> entries) const;
  Id fileURL(const std::string &path) const;
  /// NSTemporaryDirectory(): sandboxed programs have one of their own.
  std::string temporaryFolder() const;

  /// The text of a string, or how any other object describes itself.
  std::string text(Id object) const;

  // Readers of what the runtime gives. `what` is for the error, which says what
  // is there instead.
  absl::StatusOr<uint64_t> toNumber(Id object, const std::string &what) const;
  absl::StatusOr<std::vector<Id>> toArray(Id object,
                                          const std::string &what) const;
  /// Null when the dictionary has no such key.
  absl::StatusOr<Id> find(Id dictionary, const char *key,
                          const std::string &what) const;

  /// "<description> (<domain> <code>)" of an NSError, which may be null.
  std::string describeError(Id error) const;

private:
  const ObjC &objc;
  Id (*nsTemporaryDirectory)() = nullptr;
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_FOUNDATION_H
