//===- Surface.h - Memory that the engine shares ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_RUNTIME_APPLE_SURFACE_H
#define ANE_LIB_RUNTIME_APPLE_SURFACE_H

#include "Foundation.h"

namespace ane::rt::apple {

/// The public functions of IOSurface.
class Surfaces {
public:
  absl::Status open(const Libraries &libraries);

private:
  friend class Surface;
  void *(*create)(Id properties) = nullptr;
  int32_t (*lock)(void *, uint32_t, uint32_t *) = nullptr;
  int32_t (*unlock)(void *, uint32_t, uint32_t *) = nullptr;
  void *(*baseAddress)(void *) = nullptr;
  size_t (*allocSize)(void *) = nullptr;
  void (*release)(const void *) = nullptr;
  struct {
    const Id *width, *height, *bytesPerElement, *bytesPerRow, *allocSize,
        *pixelFormat;
  } keys = {};
};

/// An IOSurface. The Surfaces that made it outlive it.
class Surface {
public:
  Surface() = default;
  Surface(Surface &&other) noexcept { *this = std::move(other); }
  Surface &operator=(Surface &&other) noexcept {
    std::swap(api, other.api);
    std::swap(surface, other.surface);
    return *this;
  }
  ~Surface();

  /// A surface of at least `bytes` bytes.
  static absl::StatusOr<Surface>
  make(const Surfaces &api, const Foundation &foundation, uint64_t bytes);
  void *get() const { return surface; }
  /// Copy to and from its beginning.
  absl::Status write(absl::Span<const uint8_t> bytes) const;
  absl::Status read(absl::Span<uint8_t> bytes) const;

private:
  template <typename Copy>
  absl::Status locked(uint32_t options, Copy copy) const;

  const Surfaces *api = nullptr;
  void *surface = nullptr;
};

} // namespace ane::rt::apple

#endif // ANE_LIB_RUNTIME_APPLE_SURFACE_H
