//===- ImportLinalg.h - Parts of the linalg import --------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers for linalg and tensor, one function a theme; LinalgToANE.cpp
// puts them together.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H
#define ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace ane {

/// Everything that is described well enough by its maps and its body:
/// elementwise ops, broadcasts, transposes, fills, reductions, contractions.
void addLinalgLoopImport(FunctionImporter &importer);
/// tensor.*
void addTensorImport(FunctionImporter &importer);

/// Ends the import of an op: its result is `result`, computed from nothing,
/// combined with what its destination held before (if that changes anything).
LogicalResult mapWithInit(FunctionImporter &importer, linalg::LinalgOp op,
                          Value result, ElementwiseKind kind);

/// The one number that a destination is filled with.
std::optional<double> uniformValue(Value init);

/// Gives the arguments of the body their tensors, with a dimension for each
/// loop.
LogicalResult mapInputs(FunctionImporter &importer, linalg::LinalgOp op);
/// `value`, whose element for an iteration `map` tells, with one dimension for
/// each loop.
FailureOr<Value> toLoops(FunctionImporter &importer, linalg::LinalgOp op,
                         Value value, AffineMap map);
/// `value`, which has one dimension for each loop, as a result of `type`.
FailureOr<Value> fromLoops(FunctionImporter &importer, Operation *op,
                           Value value, AffineMap map, Type type);
/// The loop that each dimension of an operand follows, if it follows one.
using DimLoops = SmallVector<std::optional<unsigned>>;
/// `value` with a dimension for each of `numLoops` loops. Dimensions that
/// follow none have size 1; no two of the others follow the same.
Value spreadToLoops(FunctionImporter &importer, Location loc, Value value,
                    ArrayRef<std::optional<unsigned>> loops, unsigned numLoops);
/// `value` repeated to `shape`.
Value expand(FunctionImporter &importer, Location loc, Value value,
             ArrayRef<int64_t> shape);

/// `acc <op> value`, what the body of a reduction yields.
struct Combiner {
  std::optional<ReduceKind> kind; // none: a product
  ElementwiseKind elementwise;
  Operation *op;
  Value value;
};
/// Nothing where the body is something else.
std::optional<Combiner> combinerOf(linalg::LinalgOp op);
/// Whether the body adds up products of the two inputs.
bool isMultiplyAdd(linalg::LinalgOp op);

/// Imports a convolution or a pooling, with a name or without. False if `op` is
/// something else.
FailureOr<bool> importWindow(FunctionImporter &importer, linalg::LinalgOp op);

/// Imports a reduction that finds the largest element of each row, or the
/// least, and its place. False if `op` is something else.
FailureOr<bool> importSearch(FunctionImporter &importer, linalg::LinalgOp op);

/// Computes products of bytes that are added up in integers by floats, where
/// these hold the sum, or where it becomes floats anyway.
void multiplyFloats(func::FuncOp function);
/// Why they do not, if `op` is such a product.
std::optional<std::string> whyNotFloats(linalg::LinalgOp op);

/// `op`, with what its body extracts along a window as operands, which maps
/// read.
linalg::GenericOp readByMaps(linalg::GenericOp op);

class KnownScalars;
/// What a body yields that samples an image at places, and sums up the samples,
/// with a dimension for each loop. Null if it does something else.
Value importSampling(FunctionImporter &importer, linalg::LinalgOp op,
                     const KnownScalars &known);

/// Imports tensor.extract in a body: what stands at indices.
void addExtractImport(FunctionImporter &importer);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_IMPORTLINALG_H
