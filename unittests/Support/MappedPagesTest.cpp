//===- MappedPagesTest.cpp - Bytes of files that may leave memory ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/MappedPages.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace ane;

namespace {

constexpr size_t pages = 2048;

/// A file of bytes that count its pages, mapped.
class MappedPagesTest : public testing::Test {
protected:
  void SetUp() override {
    page = sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < pages; ++i)
      contents.insert(contents.end(), page, uint8_t(i + 1));
    file = std::tmpfile();
    ASSERT_EQ(std::fwrite(contents.data(), 1, contents.size(), file),
              contents.size());
    std::fflush(file);
    void *at =
        mmap(nullptr, contents.size(), PROT_READ, MAP_PRIVATE, fileno(file), 0);
    ASSERT_NE(at, MAP_FAILED);
    mapped = {static_cast<const uint8_t *>(at), contents.size()};
  }
  void TearDown() override {
    munmap(const_cast<uint8_t *>(mapped.data()), mapped.size());
    std::fclose(file);
  }

  size_t page = 0;
  std::vector<uint8_t> contents;
  std::FILE *file = nullptr;
  absl::Span<const uint8_t> mapped;
};

/// Pages of files that this process has in memory, in kilobytes; 0: not known.
long residentFilePages() {
  long value = 0;
  char line[256];
  std::FILE *status = std::fopen("/proc/self/status", "r");
  while (status && std::fgets(line, sizeof(line), status))
    if (std::sscanf(line, "RssFile: %ld", &value) == 1)
      break;
  if (status)
    std::fclose(status);
  return value;
}

TEST_F(MappedPagesTest, PagesOfAFileGoAndComeAgain) {
  MappedPages known(mapped);
  EXPECT_TRUE(mapped == absl::MakeConstSpan(contents));
  long before = residentFilePages();
  // All but the first and the last page, which have other bytes as well. The
  // system counts roughly.
  releasePages(mapped.subspan(1, mapped.size() - 2));
  if (before)
    EXPECT_LT(residentFilePages(), before - long(pages * page / 1024 / 2));
  EXPECT_TRUE(mapped == absl::MakeConstSpan(contents));
}

TEST_F(MappedPagesTest, OtherBytesStay) {
  std::vector<uint8_t> heap(pages * page, 7);
  releasePages(heap);
  {
    MappedPages known(mapped);
    releasePages(heap);
    // Partly outside of the file.
    releasePages({mapped.data(), mapped.size() + page});
  }
  EXPECT_EQ(heap, std::vector<uint8_t>(heap.size(), 7));
}

} // namespace
