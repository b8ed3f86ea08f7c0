//===- TaskEmitterCentred.cpp - Tasks that subtract on the way ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Squares are of sums with a second source, which is minus the mean here. A
// product takes its two numbers for each channel as the rows of one tensor.
// Both lie in L2, where they are repeated.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"
#include "ane/Dialect/ANE/Utils/Centred.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

using namespace mlir;
using namespace mlir::ane;

std::optional<Centred> TaskEmitter::centred(Value value) const {
  return policy().sequences.centresOnTheWay ? getCentred(value) : std::nullopt;
}

FailureOr<Value> TaskEmitter::meansOf(Operation *user, Centred from,
                                      int64_t channels) {
  FailureOr<Value> means = memref(user, from.difference.getRhs());
  if (failed(means) || shapeOf(*means)[1] == 1)
    return means;
  return subview(user->getLoc(), *means, {0, from.firstChannel, 0, 0},
                 {1, channels, 1, 1});
}

LogicalResult TaskEmitter::emitNormalize(ElementwiseOp op, Centred from,
                                         Value target) {
  Location loc = op.getLoc();
  bool isLeft = centred(op.getLhs()).has_value();
  FailureOr<Value> source = memref(op, isLeft ? op.getLhs() : op.getRhs());
  FailureOr<Value> factors = memref(op, isLeft ? op.getRhs() : op.getLhs());
  FailureOr<Value> means = meansOf(op, from, shapeOf(target)[1]);
  if (failed(source) || failed(factors) || failed(means))
    return failure();
  SmallVector<int64_t> one(shapeOf(*factors)), both = one;
  both[2] = 2;
  Value &rows = normRows[{*means, *factors}];
  if (!rows) {
    rows = makeBuffer(loc, both);
    const Value values[] = {*means, *factors};
    for (auto [row, value] : llvm::enumerate(values))
      bypass(op, value, subview(loc, rows, {0, 0, int64_t(row), 0}, one),
             ActivationAttr());
  }
  normalize(loc, {{*source, keep(loc, rows)}, target}, /*exchangeRows=*/false,
            /*allChannels=*/one[1] == 1 && shapeOf(target)[1] > 1,
            /*add=*/false, op.getActivationAttr());
  return success();
}
