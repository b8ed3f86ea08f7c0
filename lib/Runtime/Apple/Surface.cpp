//===- Surface.cpp - Memory that the engine shares ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Surface.h"

#include "ane/HW/Layout.h"

#include "absl/strings/str_format.h"

#include <cstring>

namespace ane::rt::apple {

/// Pages of the system. That surfaces are whole pages is a *guess* on the safe
/// side.
constexpr uint64_t kPage = 0x4000;
constexpr uint32_t kReadOnly = 1; // kIOSurfaceLockReadOnly

absl::Status Surfaces::open(const Libraries &libraries) {
  Library library, core;
  absl::Status status = library.open(libraries.ioSurface);
  if (status.ok())
    status = core.open(libraries.coreFoundation);
  auto find = [&](const Library &from, const char *name, auto &symbol) {
    if (status.ok())
      status = from.find(name, symbol);
  };
  find(library, "IOSurfaceCreate", create);
  find(library, "IOSurfaceLock", lock);
  find(library, "IOSurfaceUnlock", unlock);
  find(library, "IOSurfaceGetBaseAddress", baseAddress);
  find(library, "IOSurfaceGetAllocSize", allocSize);
  find(library, "kIOSurfaceWidth", keys.width);
  find(library, "kIOSurfaceHeight", keys.height);
  find(library, "kIOSurfaceBytesPerElement", keys.bytesPerElement);
  find(library, "kIOSurfaceBytesPerRow", keys.bytesPerRow);
  find(library, "kIOSurfaceAllocSize", keys.allocSize);
  find(library, "kIOSurfacePixelFormat", keys.pixelFormat);
  find(core, "CFRelease", release);
  return status;
}

Surface::~Surface() {
  if (surface)
    api->release(surface);
}

// One row of bytes: *seen* in three published programs. A CFDictionary is an
// NSDictionary.
absl::StatusOr<Surface> Surface::make(const Surfaces &api,
                                      const Foundation &foundation,
                                      uint64_t bytes) {
  uint64_t size = hw::alignTo(std::max<uint64_t>(bytes, 1), kPage);
  Id all = foundation.number(size), one = foundation.number(1);
  Foundation::Entry properties[] = {
      {*api.keys.width, all},
      {*api.keys.height, one},
      {*api.keys.bytesPerElement, one},
      {*api.keys.bytesPerRow, all},
      {*api.keys.allocSize, all},
      {*api.keys.pixelFormat, foundation.number(0)}};
  Surface made;
  made.api = &api;
  made.surface = api.create(foundation.dictionary(properties));
  if (!made.surface)
    return absl::ResourceExhaustedError(
        absl::StrFormat("macOS gives no IOSurface of %d bytes", size));
  if (uint64_t got = api.allocSize(made.surface); got < size)
    return absl::ResourceExhaustedError(absl::StrFormat(
        "macOS gives an IOSurface of %d bytes, asked for %d", got, size));
  return made;
}

template <typename Copy>
absl::Status Surface::locked(uint32_t options, Copy copy) const {
  if (int32_t code = api->lock(surface, options, nullptr))
    return absl::InternalError(
        absl::StrFormat("cannot lock an IOSurface (0x%08x)", uint32_t(code)));
  copy(static_cast<uint8_t *>(api->baseAddress(surface)));
  if (int32_t code = api->unlock(surface, options, nullptr))
    return absl::InternalError(
        absl::StrFormat("cannot unlock an IOSurface (0x%08x)", uint32_t(code)));
  return absl::OkStatus();
}

absl::Status Surface::write(absl::Span<const uint8_t> bytes) const {
  return locked(0, [&](uint8_t *memory) {
    std::memcpy(memory, bytes.data(), bytes.size());
  });
}

absl::Status Surface::read(absl::Span<uint8_t> bytes) const {
  return locked(kReadOnly, [&](const uint8_t *memory) {
    std::memcpy(bytes.data(), memory, bytes.size());
  });
}

} // namespace ane::rt::apple
