//===- Evaluate.cpp - What functions of ane tensor ops compute ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"

#include "EvaluateOps.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

class Evaluator {
public:
  LogicalResult run(Operation *op);
  void set(Value value, Array array) {
    values.insert({value, std::move(array)});
  }
  const Array &get(Value value) const { return values.find(value)->second; }
  Array &get(Value value) { return values.find(value)->second; }

private:
  const Array *getOptional(Value value) const {
    return value ? &get(value) : nullptr;
  }

  FailureOr<Array> compute(ConstantOp op) const;
  Array compute(ConvOp op) const;
  Array compute(ConvTransposeOp op) const;
  Array compute(MatmulOp op) const;
  Array compute(ElementwiseOp op) const;
  Array compute(ActivationOp op) const;
  Array compute(CompareOp op) const;
  Array compute(SelectOp op) const;
  Array compute(SoftmaxOp op) const;
  Array compute(AttentionOp op) const;
  Array compute(LayerNormOp op) const;
  Array compute(RmsNormOp op) const;
  Array compute(PoolOp op) const;
  Array compute(ReduceOp op) const;
  Array compute(ConcatOp op) const;
  Array compute(SliceOp op) const;
  Array compute(PadOp op) const;
  Array compute(TransposeOp op) const;
  FailureOr<Array> compute(ResizeOp op) const;
  Array compute(InterleaveOp op) const;
  Array compute(RuntimeConvOp op) const;
  Array compute(TileOp op) const;
  Array compute(ReshapeOp op) const;
  Array compute(CastOp op) const;

  llvm::DenseMap<Value, Array> values;
};

} // namespace

FailureOr<Array> Evaluator::compute(ConstantOp op) const {
  FailureOr<SmallVector<float>> elements = readConstant(op);
  if (failed(elements))
    return op->emitOpError("has no f16 or f32 elements to evaluate");
  Array array(shapeOf(op));
  array.data.assign(elements->begin(), elements->end());
  return array;
}

Array Evaluator::compute(ConvOp op) const {
  return evaluateConv(op, get(op.getInput()), get(op.getWeight()),
                      getOptional(op.getBias()), getOptional(op.getScale()));
}

Array Evaluator::compute(ConvTransposeOp op) const {
  return evaluateConvTranspose(op, get(op.getInput()), get(op.getWeight()),
                               getOptional(op.getBias()),
                               getOptional(op.getScale()));
}

Array Evaluator::compute(MatmulOp op) const {
  return evaluateMatmul(op, get(op.getLhs()), get(op.getRhs()));
}

Array Evaluator::compute(ElementwiseOp op) const {
  return evaluateElementwise(op, get(op.getLhs()), get(op.getRhs()));
}

Array Evaluator::compute(ActivationOp op) const {
  return evaluateActivation(op, get(op.getInput()));
}

Array Evaluator::compute(CompareOp op) const {
  return evaluateCompare(op, get(op.getLhs()), get(op.getRhs()));
}

Array Evaluator::compute(SelectOp op) const {
  return evaluateSelect(op, get(op.getCondition()), get(op.getTrueValue()),
                        get(op.getFalseValue()));
}

Array Evaluator::compute(SoftmaxOp op) const {
  return evaluateSoftmax(op, get(op.getInput()));
}

Array Evaluator::compute(AttentionOp op) const {
  return evaluateAttention(
      op, [&](Value value) -> const Array & { return get(value); });
}

Array Evaluator::compute(LayerNormOp op) const {
  return evaluateNorm(op, get(op.getInput()), op.getAxes(),
                      op.getEpsilon().convertToFloat(), /*centered=*/true,
                      getOptional(op.getGamma()), getOptional(op.getBeta()));
}

Array Evaluator::compute(RmsNormOp op) const {
  return evaluateNorm(op, get(op.getInput()), op.getAxes(),
                      op.getEpsilon().convertToFloat(), /*centered=*/false,
                      getOptional(op.getGamma()), nullptr);
}

Array Evaluator::compute(PoolOp op) const {
  return evaluatePool(op, get(op.getInput()));
}

Array Evaluator::compute(ReduceOp op) const {
  return evaluateReduce(op, get(op.getInput()));
}

Array Evaluator::compute(ConcatOp op) const {
  SmallVector<Array> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(get(input));
  return evaluateConcat(op, inputs);
}

Array Evaluator::compute(SliceOp op) const {
  return evaluateSlice(op, get(op.getInput()));
}

Array Evaluator::compute(PadOp op) const {
  return evaluatePad(op, get(op.getInput()));
}

Array Evaluator::compute(TransposeOp op) const {
  return evaluateTranspose(op, get(op.getInput()));
}

FailureOr<Array> Evaluator::compute(ResizeOp op) const {
  FailureOr<Array> array = evaluateResize(op, get(op.getInput()));
  if (failed(array))
    return op->emitOpError("has no definition to evaluate: it is nearest "
                           "by a factor that is not whole");
  return array;
}

Array Evaluator::compute(InterleaveOp op) const {
  return evaluateInterleave(op, get(op.getInput()));
}

Array Evaluator::compute(RuntimeConvOp op) const {
  return evaluateRuntimeConv(op, get(op.getInput()), get(op.getCoefficients()));
}

Array Evaluator::compute(TileOp op) const {
  return evaluateTile(op, get(op.getInput()));
}

Array Evaluator::compute(ReshapeOp op) const {
  return evaluateReshape(op.getResult(), get(op.getInput()));
}

Array Evaluator::compute(CastOp op) const {
  return evaluateCast(op, get(op.getInput()));
}

LogicalResult Evaluator::run(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConstantOp, ConvOp, ConvTransposeOp, MatmulOp, ElementwiseOp,
            ActivationOp, CompareOp, SelectOp, SoftmaxOp, AttentionOp,
            LayerNormOp, RmsNormOp, PoolOp, ReduceOp, ConcatOp, SliceOp, PadOp,
            TransposeOp, ResizeOp, InterleaveOp, RuntimeConvOp, TileOp,
            ReshapeOp, CastOp>([&](auto op) -> LogicalResult {
        FailureOr<Array> array = compute(op);
        if (failed(array))
          return failure();
        set(op.getResult(), std::move(*array));
        return success();
      })
      .Default([](Operation *op) {
        return op->emitOpError("has no definition to evaluate");
      });
}

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
