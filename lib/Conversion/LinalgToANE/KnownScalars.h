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
  /// A value for each iteration of `loops`, in their order.
  struct Numbers {
    SmallVector<unsigned> loops;
    SmallVector<Attribute> values;

    bool operator==(const Numbers &other) const {
      return loops == other.loops && values == other.values;
    }
  };

  /// Maps what the body of `loops` computes of such values to constants with a
  /// dimension for each loop. What follows from something else, or from so many
  /// iterations that it is better computed as a tensor, is not known, nor what
  /// nothing folds.
  KnownScalars(FunctionImporter &importer, linalg::LinalgOp loops);

  /// Whether the result of `op` is known.
  bool contains(Operation &op) const;
  /// A constant, or a result that is known.
  std::optional<Numbers> lookup(Value value) const;

private:
  void evaluate(Operation &op);
  std::optional<Numbers> fold(Operation &op) const;
  void mapNumbers(Value value, const Numbers &numbers);

  FunctionImporter &importer;
  SmallVector<int64_t> ranges; // of the loops
  llvm::DenseMap<Value, Numbers> known;
};

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_KNOWNSCALARS_H
