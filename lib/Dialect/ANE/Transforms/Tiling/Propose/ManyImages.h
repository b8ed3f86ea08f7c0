//===- ManyImages.h - Images that are channels ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H
#define ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::ane {

/// Ops of very many images have them as channels, where they can. Returns how
/// many have.
int64_t joinManyImages(Operation *scope, const ::ane::hw::GenerationInfo &info);

/// Whether an op has so many images that tasks for each of them are too many.
bool hasManyImages(Operation *op, const ::ane::hw::GenerationInfo &info);

/// Whether tasks for each image of such ops may be more than a program has.
bool areTooManyImages(Operation *scope, const ::ane::hw::GenerationInfo &info);

/// Replaces a convolution by some of groups of images below each other, as many
/// as one image can have rows for; whether that takes fewer tasks.
bool stackImages(ConvOp op, const ::ane::hw::GenerationInfo &info);
bool stackImages(ConvTransposeOp op, const ::ane::hw::GenerationInfo &info);

/// A product of many matrices by elements; null where it has few of them.
Value multiplyMany(OpBuilder &builder, MatmulOp op,
                   const ::ane::hw::GenerationInfo &info);

/// Arguments and results that all others see with one image have one.
void joinSurfaces(func::FuncOp func, const ::ane::hw::GenerationInfo &info);

} // namespace mlir::ane

#endif // ANE_LIB_DIALECT_ANE_TRANSFORMS_TILING_PROPOSE_MANYIMAGES_H
