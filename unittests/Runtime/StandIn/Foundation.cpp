//===- Foundation.cpp - Foundation and IOSurface, played ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MiniObjC.h"

#include "absl/algorithm/container.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

#define ANE_EXPORT extern "C" __attribute__((visibility("default")))

namespace ane::standin {

static std::string describe(Id object) {
  if (auto *string = dynamic_cast<String *>(object))
    return string->text;
  if (auto *number = dynamic_cast<Number *>(object))
    return std::to_string(number->value);
  std::string text = "{";
  if (auto *dictionary = dynamic_cast<Dictionary *>(object))
    for (auto &[key, value] : dictionary->entries)
      text += (text.size() > 1 ? ", " : "") + key;
  return text + "}";
}

template <typename T> static const T &the(Id object) {
  return *dynamic_cast<T *>(object);
}

static void addStrings() {
  add(
      "NSString", true, "stringWithUTF8String:",
      +[](Id, Selector, const char *text) { return make<String>(text); });
  add(
      "NSString", false, "UTF8String",
      +[](Id self, Selector) { return the<String>(self).text.c_str(); });
  for (const char *owner : {"NSNumber", "NSArray", "NSDictionary", "NSURL"})
    add(
        owner, false, "description",
        +[](Id self, Selector) { return make<String>(describe(self)); });
  add(
      "NSURL", true, "fileURLWithPath:", +[](Id, Selector, Id path) {
        return make<URL>(the<String>(path).text);
      });
}

static void addNumbers() {
  add(
      "NSNumber", true, "numberWithUnsignedLongLong:",
      +[](Id, Selector, unsigned long long value) {
        return make<Number>(value);
      });
  add(
      "NSNumber", true, "numberWithBool:", +[](Id, Selector, Bool value) {
        return make<Number>(value);
      });
  add(
      "NSNumber", false, "unsignedLongLongValue",
      +[](Id self, Selector) -> unsigned long long {
        return the<Number>(self).value;
      });
}

static void addContainers() {
  add(
      "NSArray", true, "arrayWithObjects:count:",
      +[](Id, Selector, const Id *objects, unsigned long count) {
        return make<Array>(std::vector<Id>(objects, objects + count));
      });
  add(
      "NSArray", false, "count", +[](Id self, Selector) {
        return static_cast<unsigned long>(the<Array>(self).objects.size());
      });
  add(
      "NSArray", false,
      "objectAtIndex:", +[](Id self, Selector, unsigned long index) {
        return the<Array>(self).objects.at(index);
      });
  add(
      "NSDictionary", true, "dictionaryWithObjects:forKeys:count:",
      +[](Id, Selector, const Id *objects, const Id *keys,
          unsigned long count) {
        std::map<std::string, Id> entries;
        for (unsigned long i = 0; i < count; ++i)
          entries[the<String>(keys[i]).text] = objects[i];
        return make<Dictionary>(entries);
      });
  add(
      "NSDictionary", false, "objectForKey:", +[](Id self, Selector, Id key) {
        auto &entries = the<Dictionary>(self).entries;
        auto found = entries.find(the<String>(key).text);
        return found == entries.end() ? nullptr : found->second;
      });
}

static void addErrors() {
  add(
      "NSError", false, "domain", +[](Id, Selector) {
        return make<String>("com.apple.appleneuralengine");
      });
  add("NSError", false, "code", +[](Id, Selector) { return 5L; });
  add(
      "NSError", false, "localizedDescription",
      +[](Id self, Selector) { return make<String>(the<NSError>(self).text); });
}

/// A key of IOSurface: a string that lives as long as the library.
static Id surfaceKey(const char *name) {
  Id key = new String(name);
  --aneStandIn().alive;
  return key;
}

void addFoundation() {
  addStrings();
  addNumbers();
  addContainers();
  addErrors();
  classNamed("IOSurface");
}

// Names are those of macOS.
// NOLINTBEGIN(readability-identifier-naming)
// NOLINTBEGIN(bugprone-throwing-static-initialization)

ANE_EXPORT Id NSTemporaryDirectory() {
  const char *folder = std::getenv("TMPDIR");
  std::string &chosen = aneStandIn().temporaryFolder;
  return make<String>(!chosen.empty() ? chosen : folder ? folder : "/tmp");
}

#define ANE_KEY(NAME)                                                          \
  ANE_EXPORT Id NAME;                                                          \
  Id NAME = surfaceKey(#NAME);
ANE_KEY(kIOSurfaceWidth)
ANE_KEY(kIOSurfaceHeight)
ANE_KEY(kIOSurfaceBytesPerElement)
ANE_KEY(kIOSurfaceBytesPerRow)
ANE_KEY(kIOSurfaceAllocSize)
ANE_KEY(kIOSurfacePixelFormat)

ANE_EXPORT void *IOSurfaceCreate(Id properties) {
  Control &control = aneStandIn();
  auto &entries = the<Dictionary>(properties).entries;
  auto number = [&](const char *key) {
    auto found = entries.find(key);
    if (found == entries.end())
      complain(std::string("no ") + key);
    return found == entries.end() ? 0 : the<Number>(found->second).value;
  };
  uint64_t bytes = number("kIOSurfaceAllocSize");
  if (number("kIOSurfaceWidth") * number("kIOSurfaceHeight") *
              number("kIOSurfaceBytesPerElement") !=
          bytes ||
      number("kIOSurfaceBytesPerRow") != bytes ||
      number("kIOSurfacePixelFormat") != 0 || bytes % 0x4000)
    complain("an IOSurface is not one row of bytes in whole pages");
  if (control.noSurfaces)
    return nullptr;
  auto *surface = new IOSurface(bytes - control.missingSurfaceBytes);
  // What was there before is not zero.
  absl::c_fill(surface->bytes, 0xa5);
  return static_cast<Object *>(surface);
}

static IOSurface &surfaceOf(void *surface) {
  return *dynamic_cast<IOSurface *>(static_cast<Object *>(surface));
}

ANE_EXPORT int32_t IOSurfaceLock(void *surface, uint32_t options, uint32_t *) {
  if (aneStandIn().lockError)
    return aneStandIn().lockError;
  surfaceOf(surface).isReadOnly = options & 1;
  ++surfaceOf(surface).locks;
  return 0;
}

ANE_EXPORT int32_t IOSurfaceUnlock(void *surface, uint32_t options,
                                   uint32_t *) {
  if (surfaceOf(surface).locks-- != 1 ||
      surfaceOf(surface).isReadOnly != bool(options & 1))
    complain("an IOSurface is not unlocked as it was locked");
  return 0;
}

ANE_EXPORT void *IOSurfaceGetBaseAddress(void *surface) {
  if (surfaceOf(surface).locks != 1)
    complain("an IOSurface is used without a lock");
  return surfaceOf(surface).bytes.data();
}

ANE_EXPORT size_t IOSurfaceGetAllocSize(void *surface) {
  return surfaceOf(surface).bytes.size();
}

ANE_EXPORT void CFRelease(void *object) {
  release(static_cast<Object *>(object));
}

// What a process may.

ANE_EXPORT int csr_get_active_config(uint32_t *config) {
  *config = aneStandIn().protection;
  return 0;
}

ANE_EXPORT void *SecTaskCreateFromSelf(const void *) {
  return static_cast<Object *>(new Number(0));
}

ANE_EXPORT void *SecTaskCopyValueForEntitlement(void *task, Id name, void *) {
  if (!task)
    complain("entitlements of no task");
  if (!aneStandIn().entitlements.count(the<String>(name).text))
    return nullptr;
  return static_cast<Object *>(new Number(1));
}

// Not SHA-256, but as many bytes that depend on all of the data.
ANE_EXPORT unsigned char *CC_SHA256(const void *data, uint32_t size,
                                    unsigned char *digest) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  for (uint64_t part = 0; part < 4; ++part) {
    uint64_t state = 0xcbf29ce484222325 + part;
    for (uint32_t i = 0; i < size; ++i)
      state = (state ^ bytes[i]) * 0x100000001b3;
    std::memcpy(digest + 8 * part, &state, 8);
  }
  return digest;
}

ANE_EXPORT int _NSGetExecutablePath(char *path, uint32_t *size) {
  ssize_t length = readlink("/proc/self/exe", path, *size - 1);
  if (length < 0)
    return -1;
  path[length] = 0;
  return 0;
}

// NOLINTEND(bugprone-throwing-static-initialization)
// NOLINTEND(readability-identifier-naming)

} // namespace ane::standin
