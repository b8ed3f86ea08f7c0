//===- ImportStableHLO.h - Parts of the StableHLO import --------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers for StableHLO, one function a theme.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_STABLEHLOTOANE_IMPORTSTABLEHLO_H
#define ANE_LIB_CONVERSION_STABLEHLOTOANE_IMPORTSTABLEHLO_H

#include "ane/Conversion/FunctionImporter.h"
#include "ane/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir {
namespace ane {

/// Functions of single elements.
void addStableHLOElementwiseImport(FunctionImporter &importer);
/// Constants and ops that move data.
void addStableHLOShapeImport(FunctionImporter &importer);
/// Matrix products and reductions along whole dimensions.
void addStableHLOProductImport(FunctionImporter &importer);
/// Convolutions and reductions of windows.
void addStableHLOWindowImport(FunctionImporter &importer);

/// Places of elements, and elements at places.
void addStableHLOSearchImport(FunctionImporter &importer);

/// Takes loops and branches apart: those whose conditions are known, and
/// branches whose conditions are data. Others stay, as loops of scf.
void flattenStableHLO(func::FuncOp function);

/// A reduction of two tensors that finds an element and its place.
LogicalResult importSearch(FunctionImporter &importer, stablehlo::ReduceOp op);

/// Which of two numbers is kept: the larger or the lesser one, and of equal ones
/// the first or the last.
struct Search {
  bool isMax, isFirst;
};

/// How a body that says whether its first number is kept chooses one of many;
/// nothing where it is no such search.
std::optional<Search> selectionOf(Block &block);

/// The function of one element that a call or a composite of this name is.
std::optional<ActivationKind> namedFunction(StringRef name);

/// Fails with an error at `op` if it computes with integers that are data: an
/// integer that is known at compile time is a float (FunctionImporter.h).
LogicalResult checkNumeric(FunctionImporter &importer, Operation *op);

/// How a body combines two numbers; an error at `op` if the engine has no such
/// reduction.
FailureOr<ElementwiseKind> combinerKind(Operation *op, Region &body);

/// The number that all elements of `value` are, if it is known: a constant, also
/// one that is repeated.
std::optional<double> knownNumber(Value value);

/// Whether combining with `init`, which is known, changes nothing.
bool isNeutral(ElementwiseKind kind, Value init);

/// `value` with ones for new dimensions, so that it has `rank`: its own become
/// those of `dims`.
Value expand(FunctionImporter &importer, Location loc, Value value,
             ArrayRef<int64_t> dims, int64_t rank);

/// `value` repeated where it has one element and `shape` more.
Value repeatTo(FunctionImporter &importer, Location loc, Value value,
               ArrayRef<int64_t> shape);

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_STABLEHLOTOANE_IMPORTSTABLEHLO_H
