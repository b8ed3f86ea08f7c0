//===- Nesting.cpp - MLIR text of others ----------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Nesting.h"

#include "absl/strings/ascii.h"

#include <algorithm>

using absl::string_view;

/// After the string that starts at `at`.
static size_t skipString(string_view text, size_t at) {
  for (size_t from = at + 1;;) {
    size_t quote = text.find('"', from);
    if (quote == string_view::npos)
      return text.size();
    size_t escapes = 0;
    while (text[quote - 1 - escapes] == '\\')
      ++escapes;
    if (escapes % 2 == 0)
      return quote + 1;
    from = quote + 1;
  }
}

size_t ane::findTooDeep(string_view text) {
  // A bracket that closes another kind is an error of the text; until the
  // parser comes there, no kind may hide another.
  int depths[4] = {}, minuses = 0;
  constexpr string_view open = "([{<", close = ")]}>";
  for (size_t i = 0; i < text.size();) {
    char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '"') {
      i = skipString(text, i);
      continue;
    }
    if (c == '/' && next == '/') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    // Neither arrows nor comparisons are brackets.
    if ((c == '-' && next == '>') || ((c == '<' || c == '>') && next == '=')) {
      i += 2;
      continue;
    }
    if (c == '-')
      ++minuses;
    else if (!absl::ascii_isspace(c))
      minuses = 0;
    if (size_t kind = open.find(c); kind != string_view::npos)
      ++depths[kind];
    else if (kind = close.find(c); kind != string_view::npos)
      depths[kind] = std::max(0, depths[kind] - 1);
    if (depths[0] + depths[1] + depths[2] + depths[3] + minuses > maxTextDepth)
      return i;
    ++i;
  }
  return string_view::npos;
}
