//===- Constexpr.h - Values of compressed constants -------------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights may be stored compressed: quantised, palettized, sparse, or several
// of these one after the other. A program then says how to get the values by
// statements whose names begin with `constexpr_`, and whose operands are
// constants or such statements again. Whoever translates MIL to MIL leaves them
// alone; whoever needs the values evaluates them here.
//
// Results are computed in fp32 and rounded once to the type of the result.
// Everything is checked before anything is allocated: that the shapes agree,
// that the bits of a mask are as many as the values, and that the result is not
// out of proportion to what it is made of.
//
//===----------------------------------------------------------------------===//

#ifndef ANE_TARGET_MIL_CONSTEXPR_H
#define ANE_TARGET_MIL_CONSTEXPR_H

#include "ane/Dialect/MIL/IR/MIL.h"
#include "ane/Target/MIL/BlobReader.h"

namespace mlir::ane::mil {

/// A tensor of known elements, row by row. Elements of less than a byte are
/// packed (BlobPacking.h) or one a byte; bool does not occur.
struct ConstantData {
  RankedTensorType type;
  ArrayRef<char> bytes;
  bool isPacked = false;
  /// Keeps the bytes where they are; null when an attribute does.
  std::shared_ptr<const void> owner;
};

/// Whether `op` is a statement that this file evaluates.
bool isConstexpr(Operation *op);

/// Evaluates constants and the statements above.
class ConstexprEvaluator {
public:
  /// `reader` finds what lies in weight files; with null, references to them
  /// are errors.
  explicit ConstexprEvaluator(BlobReader *reader) : reader(reader) {}

  /// The value of a `mil.const` or a `constexpr_*` statement. A constant is not
  /// copied. Errors are located at the statement that they concern.
  FailureOr<ConstantData> evaluate(Value value);

private:
  friend class ConstexprStatement;
  FailureOr<ConstantData> fromAttribute(Operation *op, Attribute value);

  BlobReader *reader;
  unsigned depth = 0;
};

/// A resource that keeps what `data` refers to. The data must have an owner.
AsmResourceBlob makeResourceBlob(const ConstantData &data);

/// Puts constants in place of all `constexpr_*` statements of the module.
LogicalResult evaluateConstexprs(ModuleOp module, BlobReader *reader);

} // namespace mlir::ane::mil

#endif // ANE_TARGET_MIL_CONSTEXPR_H
