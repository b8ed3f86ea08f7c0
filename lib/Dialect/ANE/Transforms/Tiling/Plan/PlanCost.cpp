//===- PlanCost.cpp - What a cut costs ------------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tiling/Plan/PlanCost.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

OwningOpRef<func::FuncOp> mlir::ane::extractOps(ArrayRef<Operation *> ops) {
  OpBuilder builder(ops[0]->getContext());
  OwningOpRef<func::FuncOp> run = func::FuncOp::create(
      ops[0]->getLoc(), "run", builder.getFunctionType({}, {}));
  Block *block = run->addEntryBlock();
  builder.setInsertionPointToStart(block);
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  auto isOutside = [&](Operation *user) { return !inside.contains(user); };
  IRMapping map;
  SmallVector<Value> results;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (map.contains(operand))
        continue;
      if (auto constant = operand.getDefiningOp<ConstantOp>())
        builder.clone(*constant, map);
      else
        map.map(operand,
                block->addArgument(operand.getType(), operand.getLoc()));
    }
    builder.clone(*op, map);
    if (llvm::any_of(op->getUsers(), isOutside))
      results.push_back(map.lookup(op->getResult(0)));
  }
  func::ReturnOp::create(builder, ops[0]->getLoc(), results);
  run->setFunctionType(builder.getFunctionType(block->getArgumentTypes(),
                                               TypeRange(ValueRange(results))));
  return run;
}

double PlanCost::costOf(const TileGraph &graph) {
  TilePlan plan = planTiles(graph);
  return plan.overlapped + plan.plannedBytes / graph.chip.weightBytesPerSecond;
}

double PlanCost::predict(func::FuncOp func) const {
  orderOps(func.front());
  return costOf(TileGraph(func, memory, lowering));
}

std::optional<double> PlanCost::predict(func::FuncOp func, Cut cut) const {
  OwningOpRef<func::FuncOp> clone(func.clone());
  if (failed(cut(*clone)))
    return std::nullopt;
  return predict(*clone);
}

// Weights of equal shapes are alike; cuts of them are constants, too, without
// any bytes.
static void forgetWeights(func::FuncOp func) {
  func.walk([](ConstantOp constant) {
    auto type = cast<ShapedType>(constant.getType());
    if (type.getNumElements() > 1 && isa<FloatType>(type.getElementType()))
      constant.setValueAttr(DenseElementsAttr::get(
          type, FloatAttr::get(type.getElementType(), 1.0).getValue()));
  });
}

static std::string describe(func::FuncOp func) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  func.print(stream);
  return text;
}

unsigned PlanCost::choose(ArrayRef<Operation *> ops, unsigned count,
                          Candidate candidate) {
  OwningOpRef<func::FuncOp> whole = extractOps(ops);
  forgetWeights(*whole);
  auto [known, isNew] = chosen.try_emplace(describe(*whole), 0);
  if (!isNew)
    return known->second;
  unsigned best = 0;
  std::optional<double> least;
  for (unsigned number = 0; number < count; ++number) {
    std::optional<double> cost = predict(*whole, [&](func::FuncOp clone) {
      SmallVector<Operation *> own;
      for (Operation &op : clone.front().without_terminator())
        if (!isa<ConstantOp>(op))
          own.push_back(&op);
      return candidate(own, number);
    });
    if (!cost || (least && *cost >= *least))
      continue;
    least = cost;
    best = number;
  }
  return known->second = best;
}
