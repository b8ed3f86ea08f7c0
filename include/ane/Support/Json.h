//===- Json.h - JSON of others ----------------------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What to ask before LLVM's reader of JSON, which does not bound its recursion,
// sees a file that anybody may have written.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_SUPPORT_JSON_H
#define ANE_SUPPORT_JSON_H

#include "absl/strings/string_view.h"

namespace ane {

/// How deep arrays and objects of the kinds that this project reads may nest.
constexpr int maxJsonDepth = 16;

/// Whether arrays and objects of `text` nest deeper than maxJsonDepth.
bool isJsonTooDeep(absl::string_view text);

} // namespace ane

#endif // ANE_SUPPORT_JSON_H
