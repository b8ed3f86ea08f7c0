//===- NestingTest.cpp - MLIR text of others ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Nesting.h"

#include "gtest/gtest.h"

#include <string>

using ane::findTooDeep;
using ane::maxTextDepth;

namespace {

std::string repeat(absl::string_view text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result.append(text.data(), text.size());
  return result;
}

constexpr size_t npos = absl::string_view::npos;

TEST(Nesting, FindsTheBracketThatIsTooDeep) {
  for (const char *open : {"(", "[", "{", "<"}) {
    EXPECT_EQ(findTooDeep(repeat(open, maxTextDepth)), npos);
    EXPECT_EQ(findTooDeep(repeat(open, maxTextDepth + 1)),
              size_t(maxTextDepth));
  }
  EXPECT_NE(findTooDeep(repeat("([{<", maxTextDepth / 4 + 1)), npos);
  EXPECT_NE(findTooDeep(repeat("- ", maxTextDepth + 1)), npos);
}

TEST(Nesting, CountsOnlyWhatIsOpen) {
  EXPECT_EQ(findTooDeep(repeat("([{<>}])", 5000)), npos);
  EXPECT_EQ(findTooDeep(repeat("(i32) -> (i32), ", 5000)), npos);
  EXPECT_EQ(findTooDeep(repeat("d0 >= 0, d1 <= 5, ", 5000)), npos);
  EXPECT_EQ(findTooDeep("// " + repeat("(", 5000) + "\n"), npos);
  EXPECT_EQ(findTooDeep("\"" + repeat("(", 5000) + "\""), npos);
  EXPECT_EQ(findTooDeep(R"("\\" "\"(((" )" + repeat("x - 1, ", 5000)), npos);
}

TEST(Nesting, IsNotMisledByBracketsOfOtherKinds) {
  EXPECT_NE(findTooDeep(repeat("(>", maxTextDepth + 1)), npos);
  EXPECT_NE(findTooDeep(repeat("{->", maxTextDepth + 1)), npos);
  EXPECT_NE(findTooDeep("\"\\\"\"" + repeat("(", maxTextDepth + 1)), npos);
}

} // namespace
