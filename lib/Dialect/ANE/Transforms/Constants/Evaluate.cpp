//===- Evaluate.cpp - What functions of ane tensor ops compute ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "EvaluateOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class Evaluator {
public:
  LogicalResult run(Operation *op) {
    FailureOr<Array> array = evaluateOp(
        op, [&](Value value) -> const Array & { return get(value); });
    if (failed(array))
      return failure();
    set(op->getResult(0), std::move(*array));
    return success();
  }
  void set(Value value, Array array) {
    values.insert({value, std::move(array)});
  }
  Array &get(Value value) { return values.find(value)->second; }

private:
  llvm::DenseMap<Value, Array> values;
};

} // namespace

LogicalResult mlir::ane::checkCanEvaluate(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("must have one block to be evaluated");
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.hasStaticShape())
      return function.emitOpError("has argument ")
             << number << " of type " << type
             << ", but only tensors of static shape can be evaluated";
  return success();
}

FailureOr<SmallVector<Array>>
mlir::ane::evaluate(func::FuncOp function, ArrayRef<Array> arguments,
                    llvm::function_ref<void(Value, Array &)> observe) {
  Evaluator evaluator;
  for (auto [argument, array] :
       llvm::zip_equal(function.getArguments(), arguments))
    evaluator.set(argument, array);
  for (Operation &op : function.front().without_terminator()) {
    if (failed(evaluator.run(&op)))
      return failure();
    if (observe)
      observe(op.getResult(0), evaluator.get(op.getResult(0)));
  }
  SmallVector<Array> results;
  for (Value value : function.front().getTerminator()->getOperands())
    results.push_back(evaluator.get(value));
  return results;
}

static bool canEvaluateConstant(Operation *op, int64_t maxElements) {
  auto isSmall = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.hasStaticShape() &&
           type.getNumElements() <= maxElements;
  };
  if (!llvm::all_of(op->getResults(), isSmall))
    return false;
  if (isa<ConstantOp>(op))
    return isa<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return isa<ElementwiseOp, ActivationOp, CompareOp, SelectOp, ReduceOp,
             ConcatOp, SliceOp, PadOp, TransposeOp, TileOp, ReshapeOp, CastOp>(
      op);
}

std::optional<Array> mlir::ane::evaluateConstant(Value value,
                                                 int64_t maxElements) {
  constexpr size_t maxOps = 1024;
  llvm::SetVector<Operation *> ops;
  ops.insert(value.getDefiningOp());
  for (size_t next = 0; next < ops.size(); ++next) {
    Operation *op = ops[next];
    if (!op || ops.size() > maxOps || !canEvaluateConstant(op, maxElements))
      return std::nullopt;
    for (Value operand : op->getOperands())
      ops.insert(operand.getDefiningOp());
  }
  SmallVector<Operation *> order(ops.begin(), ops.end());
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Evaluator evaluator;
  for (Operation *op : order)
    if (failed(evaluator.run(op)))
      return std::nullopt;
  return evaluator.get(value);
}
