//===- LowerFunctions.h - Functions of scalars, for the host ----*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_ANETOLINALG_LOWERFUNCTIONS_H
#define ANE_LIB_CONVERSION_ANETOLINALG_LOWERFUNCTIONS_H

#include "ane/Conversion/HostBuilder.h"
#include "ane/Dialect/ANE/IR/ANE.h"

namespace mlir::ane {

/// A scalar of f32 by a function, which may be none.
Value lowerActivation(HostBuilder &builder, ActivationAttr function, Value x);
Value lowerElementwise(HostBuilder &builder, ElementwiseKind kind, Value lhs,
                       Value rhs);
/// An i1.
Value lowerCompare(HostBuilder &builder, CompareKind kind, Value lhs,
                   Value rhs);

/// Ops on images, in f32 and without their epilogue (LowerImages.cpp).
Value lowerResize(HostBuilder &host, ResizeOp op);
Value lowerConvTranspose(HostBuilder &host, ConvTransposeOp op);
/// Of the type that `op` has.
Value lowerInterleave(HostBuilder &host, InterleaveOp op);

} // namespace mlir::ane

#endif // ANE_LIB_CONVERSION_ANETOLINALG_LOWERFUNCTIONS_H
