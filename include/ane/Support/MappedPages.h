//===- MappedPages.h - Bytes of files that may leave memory -----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A large network is mapped from its file, and each weight is read once. The
// pages would stay in memory until the file is closed, beside all that was made
// from them. Whoever has read some says so here, and the pages go; a later look
// at them reads the file again.
//
// That is true of pages of files only: others would lose what is in them. So
// whoever maps a file says that, too, and all other bytes are left alone.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_MAPPEDPAGES_H
#define ANE_SUPPORT_MAPPEDPAGES_H

#include "absl/types/span.h"

#include <cstdint>

namespace ane {

/// Says, as long as it lives, that bytes are those of a file, mapped and never
/// written to.
class MappedPages {
public:
  explicit MappedPages(absl::Span<const uint8_t> bytes);
  ~MappedPages();
  MappedPages(const MappedPages &) = delete;
  MappedPages &operator=(const MappedPages &) = delete;

private:
  uintptr_t begin;
};

/// Lets pages leave memory that have nothing but these bytes of a mapped file;
/// does nothing with other bytes.
void releasePages(absl::Span<const uint8_t> bytes);

} // namespace ane

#endif // ANE_SUPPORT_MAPPEDPAGES_H
