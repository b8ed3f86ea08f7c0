//===- TaskEmitterActivation.cpp - Functions and bytes --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NEs read and write bytes as they are (seen in negations, casts and
// transposes of truth values): what is done to bytes there needs no task that
// makes numbers of them first.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "ane/HW/Layout.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

bool mlir::ane::isOnPe(ActivationAttr function) {
  return function.getKind() == ActivationKind::Abs ||
         function.getKind() == ActivationKind::Neg;
}

bool mlir::ane::isAddedRelu(Value tensor) {
  auto relu = tensor.getDefiningOp<ActivationOp>();
  if (!relu || relu.getFunction().getKind() != ActivationKind::Relu ||
      !relu->hasOneUse())
    return false;
  auto sum = dyn_cast<ElementwiseOp>(*relu->user_begin());
  return sum && sum.getKind() == ElementwiseKind::Add &&
         sum.getLhs() != sum.getRhs() &&
         (sum.getLhs() == tensor ? sum.getRhs() : sum.getLhs()) ==
             relu.getInput();
}

// The result of the cast of `tensor` to bytes that is all that reads it; null
// when there is none.
static Value getOnlyBytes(Value tensor) {
  auto cast =
      tensor.hasOneUse() ? dyn_cast<CastOp>(*tensor.user_begin()) : CastOp();
  return cast && isBytes(cast.getType()) ? cast.getResult() : Value();
}

// Whole numbers, so that it does not matter how they are rounded to bytes.
static bool givesBytes(ActivationAttr function) {
  auto isByte = [](double value) {
    return value >= 0 && value <= 255 && value == std::floor(value);
  };
  switch (function.getKind()) {
  case ActivationKind::WhereNonzero:
  case ActivationKind::WherePositive:
  case ActivationKind::WhereNegative:
    return isByte(function.getAlpha()) && isByte(function.getBeta());
  default:
    return false;
  }
}

// One image of which L2 holds several.
bool TaskEmitter::fitsInL2(ArrayRef<int64_t> shape) const {
  int64_t row = ::ane::hw::alignTo(2 * shape[3], info().l2Align);
  return shape[0] == 1 &&
         shape[1] * shape[2] * row <= int64_t(info().l2SourceBytes) / 4;
}

LogicalResult TaskEmitter::emitActivation(ActivationOp op) {
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  if (isAddedRelu(op.getResult())) { // whoever reads it looks after it
    bind(op.getResult(), *source);
    return success();
  }
  ActivationAttr function = op.getFunction();
  if (!isOnPe(function)) {
    Value bytes = givesBytes(function) ? getOnlyBytes(op.getResult()) : Value();
    Value result = bytes ? bytes : op.getResult();
    Value target = destination(result);
    bind(op.getResult(), target);
    bind(result, target);
    Value read = lookupKept(*source), kept;
    // Bytes that another function reads, too, stay where they are.
    bool keeps = !read && isBytes(source->getType()) &&
                 !op.getInput().hasOneUse() && fitsInL2(shapeOf(*source));
    bypass(op, read ? read : *source, target, function,
           keeps ? &kept : nullptr);
    if (kept)
      setKept(*source, kept);
    return success();
  }
  bool isAbs = function.getKind() == ActivationKind::Abs;
  unary(op.getLoc(), {{*source}, destination(op.getResult())}, isAbs ? 1 : -1,
        /*bias=*/0, isAbs ? function : ActivationAttr());
  return success();
}

// The PE computes on either type and rounds and clamps to the one of its
// result.
void TaskEmitter::convert(Location loc, Value source, Value target) {
  unary(loc, {{source}, target});
}

// Whether all that reads numbers made of bytes can have the bytes.
static bool areBytesEnough(CastOp cast) {
  return !cast->use_empty() &&
         llvm::all_of(cast->getUsers(), [](Operation *user) {
           if (auto transpose = dyn_cast<TransposeOp>(user))
             return bool(getOnlyBytes(transpose.getResult()));
           auto act = dyn_cast<ActivationOp>(user);
           return act && !isOnPe(act.getFunction()) &&
                  act.getFunction().getKind() != ActivationKind::Relu;
         });
}

LogicalResult TaskEmitter::emitCast(CastOp op) {
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  if (isBytes(source->getType()) && !isBytes(op.getType()) &&
      !isPlaced(op.getResult()) && areBytesEnough(op)) {
    bind(op.getResult(), *source);
    return success();
  }
  convert(op.getLoc(), *source, destination(op.getResult()));
  return success();
}

LogicalResult TaskEmitter::emitTranspose(TransposeOp op) {
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  Value bytes =
      isBytes(source->getType()) ? getOnlyBytes(op.getResult()) : Value();
  Value result = bytes ? bytes : op.getResult();
  Value target = destination(result);
  transpose(op, *source, target);
  bind(op.getResult(), target);
  bind(result, target);
  return success();
}
