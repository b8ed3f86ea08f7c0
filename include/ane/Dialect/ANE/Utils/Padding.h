//===- Padding.h - Padding that no window has -------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_DIALECT_ANE_UTILS_PADDING_H
#define ANE_DIALECT_ANE_UTILS_PADDING_H

#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// `image` (N x C x H x W) with as many zeros around it as `pad` (top, bottom,
/// left, right) has beyond what a window of `window` rows and columns may have,
/// one less than its size (conv_c7). `pad` keeps the rest.
Value padBeyondWindow(OpBuilder &builder, Location loc, Value image,
                      ArrayRef<int64_t> window, MutableArrayRef<int64_t> pad);

} // namespace mlir::ane

#endif // ANE_DIALECT_ANE_UTILS_PADDING_H
