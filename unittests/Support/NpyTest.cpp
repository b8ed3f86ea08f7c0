//===- NpyTest.cpp - Arrays in .npy files ---------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Npy.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ane;
using ::testing::HasSubstr;

namespace {

std::vector<uint8_t> file(uint8_t major, std::string dictionary,
                          size_t dataBytes) {
  std::vector<uint8_t> bytes = {0x93, 'N', 'U', 'M', 'P', 'Y', major, 0};
  for (size_t i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes.push_back(dictionary.size() >> (8 * i) & 0xff);
  bytes.insert(bytes.end(), dictionary.begin(), dictionary.end());
  for (size_t i = 0; i < dataBytes; ++i)
    bytes.push_back(i);
  return bytes;
}

std::string errorOf(const std::vector<uint8_t> &bytes) {
  auto view = npy::parse(bytes);
  return view.ok() ? "" : std::string(view.status().message());
}

const char *const good = "{'descr': '<f2', 'fortran_order': False, "
                         "'shape': (1, 3), }  \n";

TEST(Npy, ReadsAllVersions) {
  for (uint8_t major : {1, 2, 3}) {
    std::vector<uint8_t> bytes = file(major, good, 6);
    auto view = npy::parse(bytes);
    ASSERT_TRUE(view.ok()) << view.status();
    EXPECT_EQ(view->type, npy::Type::Float16);
    EXPECT_EQ(view->shape, (std::vector<uint64_t>{1, 3}));
    EXPECT_EQ(view->elementCount(), 3u);
    EXPECT_EQ(view->data.front(), 0);
    EXPECT_EQ(view->data.back(), 5);
  }
}

TEST(Npy, WhatIsWrittenIsRead) {
  using Shape = std::vector<uint64_t>;
  for (npy::Type type :
       {npy::Type::Float16, npy::Type::Float32, npy::Type::Int8,
        npy::Type::UInt8, npy::Type::Int16, npy::Type::Int32, npy::Type::Int64})
    for (const Shape &shape :
         {Shape{}, Shape{5}, Shape{2, 3, 4}, Shape{0, 7}}) {
      std::vector<uint8_t> bytes = npy::header(type, shape);
      EXPECT_EQ(bytes.size() % 64, 0u);
      EXPECT_EQ(bytes.back(), '\n');
      size_t count = 1;
      for (uint64_t dim : shape)
        count *= dim;
      bytes.resize(bytes.size() + count * npy::typeBytes(type), 7);
      auto view = npy::parse(bytes);
      ASSERT_TRUE(view.ok()) << view.status();
      EXPECT_EQ(view->type, type);
      EXPECT_EQ(view->shape, shape);
      EXPECT_EQ(view->elementCount(), count);
    }
}

TEST(Npy, NamesWhatIsWrong) {
  EXPECT_THAT(errorOf({}), HasSubstr("not an npy file"));
  EXPECT_THAT(errorOf(file(4, good, 6)),
              HasSubstr("npy version is 4.0, expected 1.0, 2.0 or 3.0"));
  EXPECT_THAT(errorOf(file(1, good, 5)),
              HasSubstr("data has 5 bytes, but shape 1x3 of float16 needs 6"));
  EXPECT_THAT(errorOf(file(1, good, 7)), HasSubstr("data has 7 bytes"));
  auto dict = [](std::string descr, std::string order, std::string shape) {
    return file(1,
                "{'descr': " + descr + ", 'fortran_order': " + order +
                    ", 'shape': " + shape + "}",
                0);
  };
  EXPECT_THAT(errorOf(dict("'<f8'", "False", "(0,)")),
              HasSubstr("element type '<f8' is not supported"));
  EXPECT_THAT(errorOf(dict("'>f2'", "False", "(0,)")), HasSubstr("'>f2'"));
  EXPECT_THAT(errorOf(dict("[('a', '<f4')]", "False", "(0,)")),
              HasSubstr("byte 20: expected a quoted string"));
  EXPECT_THAT(errorOf(dict("'<f4'", "True", "(0,)")),
              HasSubstr("Fortran order"));
  EXPECT_THAT(errorOf(dict("'<f4'", "False", "(-1,)")),
              HasSubstr("expected a dimension"));
  EXPECT_THAT(errorOf(dict("'<f4'", "False", "(99999999999999999999,)")),
              HasSubstr("expected a dimension"));
  EXPECT_THAT(errorOf(dict("'<f4'", "False", "(4294967296, 4294967296, 2)")),
              HasSubstr("more than 64 bits can count"));
  EXPECT_THAT(errorOf(file(1, "{'descr': '<f4'}", 0)), HasSubstr("missing"));
  EXPECT_THAT(errorOf(file(1, "{'descr': '<f4", 0)),
              HasSubstr("string without an end"));
  EXPECT_THAT(errorOf(file(1, "{'colour': 1}", 0)),
              HasSubstr("unknown key 'colour'"));
}

TEST(Npy, TruncationAndHugeHeadersAreErrors) {
  std::vector<uint8_t> whole = file(2, good, 6);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(npy::parse(absl::MakeSpan(whole.data(), size)).ok()) << size;
  std::vector<uint8_t> huge = {0x93, 'N', 'U', 'M', 'P', 'Y',
                               2,    0,   255, 255, 255, 255};
  EXPECT_THAT(errorOf(huge),
              HasSubstr("claims 4294967295 bytes, the limit is"));
}

} // namespace
