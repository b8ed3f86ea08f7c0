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

/// Fourier transforms, scatter, variables.
void addTosaTransformImport(FunctionImporter &importer);
/// The values of the shape operand that `what` names.
FailureOr<SmallVector<int64_t>> shapeOperand(Operation *op, Value shape,
                                             StringRef what);

/// rescale, and sums of what it makes: networks of 8-bit integers.
void addTosaQuantizedImport(FunctionImporter &importer);

/// An op of two floating-point operands.
LogicalResult importBinary(FunctionImporter &importer, Operation *op,
                           ElementwiseKind kind);
/// The numbers of a constant operand, `what` of `op`.
FailureOr<SmallVector<double>> numbersOf(Operation *op, Value source,
                                         StringRef what);
/// `value` less the constant `zeroPoint`, which `what` names: the number that a
/// quantised one stands for. Nothing happens if it is 0.
FailureOr<Value> withoutZeroPoint(FunctionImporter &importer, Operation *op,
                                  Value value, Value zeroPoint, StringRef what);
/// Whole numbers from -128 to 127 that are next to `value` + `zeroPoint`.
Value createByte(FunctionImporter &importer, Location loc, Value value,
                 double zeroPoint = 0);

/// Succeeds if `zeroPoint`, what `what` says, is a constant zero: with another
/// one the network is quantised.
LogicalResult checkZeroPoint(Operation *op, Value zeroPoint, StringRef what);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_TOSATOANE_IMPORTTOSA_H
