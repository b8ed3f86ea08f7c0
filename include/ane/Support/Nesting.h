//===- Nesting.h - MLIR text of others --------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What to ask before MLIR's parser, which recurses for each level of nesting,
// sees a text that anybody may have written.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_NESTING_H
#define ANE_SUPPORT_NESTING_H

#include "absl/strings/string_view.h"

#include <cstddef>

namespace ane {

/// How deep regions, attributes, types and expressions may nest. MLIR's parser
/// and verifier take 2 to 4 KiB of stack for a level (measured: 2,000 levels of
/// regions fit 8 MiB, 5,000 do not); real networks have less than 20.
constexpr int maxTextDepth = 1000;

/// Where brackets or signs of `text` nest deeper than that; npos if nowhere.
size_t findTooDeep(absl::string_view text);

} // namespace ane

#endif // ANE_SUPPORT_NESTING_H
