//===- CacheKey.cpp - A program's place in the daemon's cache -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheKey.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

#include <filesystem>

namespace ane::rt::apple {

/// SHA-256 of no bytes: what the daemon writes for options that are not there
/// (*seen* in a published key).
static constexpr char kNothing[] =
    "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";

absl::StatusOr<std::string> cacheKey(const Libraries &libraries,
                                     absl::Span<const uint8_t> file) {
  // The digest of the system: public interface of CommonCrypto.
  unsigned char *(*sha256)(const void *, uint32_t, unsigned char *) = nullptr;
  Library system;
  if (absl::Status status = system.open(libraries.system); !status.ok())
    return status;
  if (absl::Status status = system.find("CC_SHA256", sha256); !status.ok())
    return status;
  if (file.size() > UINT32_MAX)
    return absl::ResourceExhaustedError(
        absl::StrFormat("the program has %d bytes, expected at most %d",
                        file.size(), UINT32_MAX));
  std::string digest(32, '\0');
  sha256(file.data(), static_cast<uint32_t>(file.size()),
         reinterpret_cast<unsigned char *>(digest.data()));
  return absl::StrCat(absl::AsciiStrToUpper(absl::BytesToHexString(digest)),
                      "_", kNothing, "_", kNothing);
}

/// For a shell, whatever is in it.
static std::string shellQuoted(const std::string &text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

absl::StatusOr<std::string> provisionCommand(const Libraries &libraries,
                                             const std::string &key,
                                             const std::string &path) {
  int (*executablePath)(char *, uint32_t *) = nullptr;
  Library system;
  if (absl::Status status = system.open(libraries.system); !status.ok())
    return status;
  if (absl::Status status = system.find("_NSGetExecutablePath", executablePath);
      !status.ok())
    return status;
  std::string self(4096, '\0');
  uint32_t size = self.size();
  if (executablePath(self.data(), &size) != 0)
    return absl::InternalError("the path of this executable is too long");
  std::string name = std::filesystem::path(self.c_str()).filename().string();
  std::string folder =
      absl::StrCat("/Library/Caches/com.apple.aned/$(sw_vers -buildVersion)"
                   "/InMemoryModelCache/",
                   shellQuoted(name), "/", key);
  return absl::StrFormat("sudo install -d %s && sudo install -m 0644 %s "
                         "%s/model.hwx",
                         folder, shellQuoted(path), folder);
}

} // namespace ane::rt::apple
