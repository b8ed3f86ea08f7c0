//===- ImportTosa.h - Parts of the TOSA import ------------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers for TOSA, one function a theme; TosaToANE.cpp has the
// elementwise ones and puts them together.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_TOSATOANE_IMPORTTOSA_H
#define ANE_LIB_CONVERSION_TOSATOANE_IMPORTTOSA_H

#include "ane/Conversion/FunctionImporter.h"

namespace mlir {
namespace ane {

/// Convolutions, poolings, resizing: ops over windows of an NHWC image.
void addTosaWindowImport(FunctionImporter &importer);
/// Ops that move data: reshape, transpose, slice, pad, concat.
void addTosaShapeImport(FunctionImporter &importer);

/// Succeeds if `zeroPoint`, what `what` says, is a constant zero: with another
/// one the network is quantised.
LogicalResult checkZeroPoint(Operation *op, Value zeroPoint, StringRef what);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_TOSATOANE_IMPORTTOSA_H
