//===- Json.cpp - JSON of others ------------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Support/Json.h"

bool ane::isJsonTooDeep(absl::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '{' || c == '['))
      ++depth;
    else if (!inString && (c == '}' || c == ']'))
      --depth;
    if (depth > maxJsonDepth)
      return true;
  }
  return false;
}
