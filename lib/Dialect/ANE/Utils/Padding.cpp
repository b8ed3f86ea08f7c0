//===- Padding.cpp - Padding that no window has ---------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Padding.h"

using namespace mlir;
using namespace mlir::ane;

Value mlir::ane::padBeyondWindow(OpBuilder &builder, Location loc, Value image,
                                 ArrayRef<int64_t> window,
                                 MutableArrayRef<int64_t> pad) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> low(4, 0), high(4, 0), shape(type.getShape());
  for (unsigned i : {0u, 1u}) {
    for (auto [beyond, side] :
         {std::pair(&low[2 + i], 2 * i), std::pair(&high[2 + i], 2 * i + 1)}) {
      *beyond = std::max<int64_t>(0, pad[side] - (window[i] - 1));
      pad[side] -= *beyond;
      shape[2 + i] += *beyond;
    }
  }
  if (type.getShape() == ArrayRef(shape))
    return image;
  return PadOp::create(builder, loc, type.clone(shape), image, low, high,
                       llvm::APFloat(0.0f));
}
