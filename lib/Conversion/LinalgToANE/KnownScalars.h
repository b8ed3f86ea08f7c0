//===- KnownScalars.h - Scalars of a body that follow from a loop -*- C++ -*-=//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies compute places and weights from the numbers of iterations: which row a
// resize reads, and how much of it counts. What depends on one loop alone is a
// row of numbers, which the folders of the dialects compute exactly, in
// integers where the source has integers.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_CONVERSION_LINALGTOANE_KNOWNSCALARS_H
#define ANE_LIB_CONVERSION_LINALGTOANE_KNOWNSCALARS_H

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace ane {

class KnownScalars {
public:
  KnownScalars(FunctionImporter &importer, linalg::LinalgOp loops)
      : importer(importer), ranges(loops.getStaticLoopRanges()) {}

  /// Maps the result of `op`, an op of the body, to a constant with a dimension
  /// for each loop. False if it follows from something else, or from so many
  /// iterations that it is better computed as a tensor, or if nothing folds it.
  bool evaluate(Operation &op);

private:
  /// A value for each iteration of `loops`, in their order.
  struct Numbers {
    SmallVector<unsigned> loops;
    SmallVector<Attribute> values;
  };

  std::optional<Numbers> numbersOf(Value value) const;
  std::optional<Numbers> fold(Operation &op) const;
  void mapNumbers(Value value, const Numbers &numbers);

  FunctionImporter &importer;
  SmallVector<int64_t> ranges; // of the loops
  llvm::DenseMap<Value, Numbers> known;
};

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_KNOWNSCALARS_H
