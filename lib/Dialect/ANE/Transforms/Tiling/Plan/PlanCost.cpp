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
