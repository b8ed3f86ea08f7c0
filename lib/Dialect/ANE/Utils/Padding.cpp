//===- Padding.cpp - Padding that no window has ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Padding.h"

#include "ane/Dialect/ANE/Utils/Builders.h"

using namespace mlir;
using namespace mlir::ane;

Value mlir::ane::padBeyondWindow(OpBuilder &builder, Location loc, Value image,
                                 ArrayRef<int64_t> window,
                                 MutableArrayRef<int64_t> pad) {
  SmallVector<int64_t> low(4, 0), high(4, 0);
  for (unsigned i : {0u, 1u}) {
    for (auto [beyond, side] :
         {std::pair(&low[2 + i], 2 * i), std::pair(&high[2 + i], 2 * i + 1)}) {
      *beyond = std::max<int64_t>(0, pad[side] - (window[i] - 1));
      pad[side] -= *beyond;
    }
  }
  return padded(builder, loc, image, low, high);
}
