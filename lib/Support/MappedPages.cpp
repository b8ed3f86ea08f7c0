//===- MappedPages.cpp - Bytes of files that may leave memory -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/MappedPages.h"

#include <map>
#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ane {

namespace {

/// Mapped files: where each begins and ends.
struct Files {
  std::mutex mutex;
  std::map<uintptr_t, uintptr_t> ends;
};

} // namespace

// Never destroyed: a file may be closed while the program ends.
static Files &files() {
  static Files &result = *new Files;
  return result;
}

MappedPages::MappedPages(absl::Span<const uint8_t> bytes)
    : begin(reinterpret_cast<uintptr_t>(bytes.data())) {
  std::lock_guard<std::mutex> lock(files().mutex);
  files().ends[begin] = begin + bytes.size();
}

MappedPages::~MappedPages() {
  std::lock_guard<std::mutex> lock(files().mutex);
  files().ends.erase(begin);
}

void releasePages(absl::Span<const uint8_t> bytes) {
#if defined(__unix__) || defined(__APPLE__)
  static const uintptr_t page = sysconf(_SC_PAGESIZE);
  uintptr_t begin = reinterpret_cast<uintptr_t>(bytes.data());
  uintptr_t end = begin + bytes.size();
  std::lock_guard<std::mutex> lock(files().mutex);
  auto file = files().ends.upper_bound(begin);
  if (file == files().ends.begin() || end > (--file)->second)
    return;
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
#endif
}

} // namespace ane
