//===- ConstexprStatement.h - One compressed constant -----------*- C++ -*-===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ANE_LIB_TARGET_MIL_CONSTEXPRSTATEMENT_H
#define ANE_LIB_TARGET_MIL_CONSTEXPRSTATEMENT_H

#include "ane/Target/MIL/Constexpr.h"

namespace mlir::ane::mil {

/// New bytes for `data`, or failure where the machine has not as many.
FailureOr<char *> allocate(Operation *op, uint64_t size, ConstantData &data);

/// One statement with its operands, which are arguments since iOS 18 and
/// attributes before.
class ConstexprStatement {
public:
  ConstexprStatement(ConstexprEvaluator &evaluator, MILOpInterface statement,
                     unsigned result)
      : evaluator(evaluator), statement(statement), op(statement),
        result(result) {}

  FailureOr<ConstantData> evaluate();

private:
  FailureOr<ConstantData> evaluateAffine();
  FailureOr<ConstantData> evaluateCast();
  FailureOr<ConstantData> evaluateFlatTable();
  FailureOr<ConstantData> evaluateFlatSparse();
  FailureOr<ConstantData> evaluateBlockwise();
  FailureOr<ConstantData> evaluateTable();
  FailureOr<ConstantData> evaluateSparse();
  FailureOr<ConstantData> evaluateSparseTable();
  FailureOr<ConstantData> evaluateSparseBlockwise();

  FailureOr<ConstantData> dequantize(const ConstantData &data,
                                     const ConstantData &scale,
                                     const std::optional<ConstantData> &offset);
  FailureOr<ConstantData> lookUp(const ConstantData &indices,
                                 const ConstantData &table, int64_t &axis,
                                 uint64_t &vector);
  FailureOr<ConstantData> scatter(ConstantData mask, ConstantData values,
                                  RankedTensorType type);
  FailureOr<ConstantData> gather(const ConstantData &mask,
                                 const ConstantData &dense);

  bool has(StringRef name) { return !!find(name); }
  PointerUnion<Attribute, Value> find(StringRef name);
  FailureOr<ConstantData> get(StringRef name);
  FailureOr<int64_t> getAxis(StringRef name, int64_t rank);
  LogicalResult getNumbers(StringRef name, ConstantData &data);
  LogicalResult checkResult(const ConstantData &data);
  LogicalResult checkGrowth(uint64_t bytes, uint64_t from);

  ConstexprEvaluator &evaluator;
  MILOpInterface statement;
  Operation *op;
  unsigned result;
};

} // namespace mlir::ane::mil

#endif // ANE_LIB_TARGET_MIL_CONSTEXPRSTATEMENT_H
