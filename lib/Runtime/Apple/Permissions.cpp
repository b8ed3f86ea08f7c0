//===- Permissions.cpp - What macOS allows this process -------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Permissions.h"

#include "Foundation.h"

#include <optional>
#include <unistd.h>

namespace ane::rt::apple {

static const char *answer(std::optional<bool> holds, const char *yes,
                          const char *no) {
  return holds ? *holds ? yes : no : "unknown";
}

/// Bits of what is switched off: 0 where all of it is on (*seen*: csrutil reads
/// the same).
static std::optional<bool> isProtected(const Libraries &libraries) {
  Library system;
  int (*getConfig)(uint32_t *) = nullptr;
  uint32_t config = 0;
  if (!system.open(libraries.system).ok() ||
      !system.find("csr_get_active_config", getConfig).ok() ||
      getConfig(&config))
    return std::nullopt;
  constexpr uint32_t unrestrictedFiles = 2;
  return !(config & unrestrictedFiles);
}

/// By the public functions of Security.
static std::optional<bool> isEntitled(const Libraries &libraries,
                                      const char *name) {
  ObjC objc;
  Foundation foundation(objc);
  Library security, core;
  void *(*makeTask)(const void *) = nullptr;
  void *(*copyValue)(void *, Id, void *) = nullptr;
  void (*release)(const void *) = nullptr;
  if (!objc.open(libraries).ok() || !foundation.open(libraries).ok() ||
      !security.open(libraries.security).ok() ||
      !core.open(libraries.coreFoundation).ok() ||
      !security.find("SecTaskCreateFromSelf", makeTask).ok() ||
      !security.find("SecTaskCopyValueForEntitlement", copyValue).ok() ||
      !core.find("CFRelease", release).ok())
    return std::nullopt;
  std::optional<bool> result;
  (void)objc.guarded([&] {
    void *task = makeTask(nullptr);
    if (!task)
      return absl::OkStatus();
    void *value = copyValue(task, foundation.string(name), nullptr);
    result = value != nullptr;
    if (value)
      release(value);
    release(task);
    return absl::OkStatus();
  });
  return result;
}

std::vector<Permission> permissions(const Libraries &libraries) {
  const char *entitlement = "com.apple.aned.private.allow";
  return {
      {"root", geteuid() == 0 ? "yes" : "no",
       "MIL text needs none; a register program has to be put into the cache "
       "of "
       "aned once, by sudo"},
      {"System Integrity Protection",
       answer(isProtected(libraries), "on", "off"),
       "register programs need it off from macOS 26.6.2 on, nothing else does"},
      {entitlement, answer(isEntitled(libraries, entitlement), "yes", "no"),
       "path=realtime and path=chained are said to need it, which Apple gives "
       "to "
       "its own programs only; the other paths need no entitlement"}};
}

} // namespace ane::rt::apple
