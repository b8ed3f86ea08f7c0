//===- PropertyList.h - Property lists as values ----------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A property list holds what JSON holds, and dates and bytes, which no network
// has: so JSON's values stand for it. Reading needs memory in proportion to the
// file, in both forms.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MODELS_PROPERTYLIST_H
#define ANE_LIB_TARGET_MODELS_PROPERTYLIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::ane::models {

/// From 1 on; 0 where there is none.
struct TextPlace {
  unsigned line = 0, column = 0;
};

/// XML or binary, told apart by the first bytes. The error says what is wrong
/// and, of binary ones, at which byte; of XML, `place` is where.
llvm::Expected<llvm::json::Value> parsePropertyList(llvm::StringRef bytes,
                                                    TextPlace &place);

} // namespace mlir::ane::models

#endif // ANE_LIB_TARGET_MODELS_PROPERTYLIST_H
