//===- ScalesInFront.h - Scale what is multiplied, not the product -*- C++
//-*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_SCALESINFRONT_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_SCALESINFRONT_H

#include "ane/Dialect/ANE/Transforms/Numerics/Ranges.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Whether a product of matrices or a convolution is scaled down behind.
bool hasScaledProducts(func::FuncOp function);

/// c * (a b + d) with a number c below 1 becomes (c a) b + c d where a b may
/// leave f16. Gives the number of products.
int64_t moveScalesInFront(func::FuncOp function, const RangeAnalysis &ranges);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_NUMERICS_SCALESINFRONT_H
