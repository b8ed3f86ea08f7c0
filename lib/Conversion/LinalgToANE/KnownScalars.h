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
      : importer(importer), loops(loops) {}

  /// Maps the result of `op`, an op of the body, to a constant with a dimension
  /// for each loop. False if it does not follow from the numbers of one loop,
  /// or if nothing folds it.
  bool evaluate(Operation &op);

private:
  /// A value for each iteration of `loop`, or one for all.
  struct Row {
    std::optional<unsigned> loop;
    SmallVector<Attribute> values;
  };

  std::optional<Row> rowOf(Value value) const;
  std::optional<Row> fold(Operation &op) const;
  void mapRow(Value value, const Row &row);

  FunctionImporter &importer;
  linalg::LinalgOp loops;
  llvm::DenseMap<Value, Row> rows;
};

} // namespace ane
} // namespace mlir

#endif // ANE_LIB_CONVERSION_LINALGTOANE_KNOWNSCALARS_H
