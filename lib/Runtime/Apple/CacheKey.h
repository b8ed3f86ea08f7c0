//===- CacheKey.h - A program's place in the daemon's cache -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// aned keeps what it compiled as
//
//   /Library/Caches/com.apple.aned/<build of macOS>/InMemoryModelCache/
//     <name of the executable>/<key>/model.hwx
//
// and loads a file by its key. *claim* (one publication, receipts of a machine
// with macOS 26.3 and an M4): a file that root puts there runs, whoever made
// it, and the key is any text of three SHA-256 that "_" joins. Ours starts with
// that of the file, so that no other program is run in its place.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_CACHEKEY_H
#define ANE_LIB_RUNTIME_APPLE_CACHEKEY_H

#include "Libraries.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace ane::rt::apple {

/// The key of a .hwx file.
absl::StatusOr<std::string> cacheKey(const Libraries &libraries,
                                     absl::Span<const uint8_t> file);

/// The command line that puts the file where the running executable finds it.
absl::StatusOr<std::string> provisionCommand(const Libraries &libraries,
                                             const std::string &key,
                                             const std::string &path);

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_CACHEKEY_H
