//===- ANETensorOps.cpp - The tensor level of the ane dialect -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generated op classes. What is written by hand is by theme:
// ConvolutionOps, ElementwiseOps, ShapeOps and the *Canonicalization files.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::ane;

#include "ane/Dialect/ANE/IR/ANEInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "ane/Dialect/ANE/IR/ANEOps.cpp.inc"

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
