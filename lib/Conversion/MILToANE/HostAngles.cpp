//===- HostAngles.cpp - Angles of positions, on the host ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rotary embeddings and time steps are sines and cosines of a position times
// frequencies. fp16 has no positions above 2048 that are odd, and of their
// products not the digits after whole turns, which are all that matters. What
// leads from an input that the host has to such a sine is few and small, so the
// host computes it in the type that the text declares; the engine gets the
// sines.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::ane;

/// Whether the product has one factor for each element, so that it is no work.
bool MILImporter::isOuterProduct(mil::MILOpInterface op) {
  Value x;
  bool isTransposed = false;
  for (const mil::NamedArgument &argument : op.getMILArguments()) {
    if (argument.values.size() != 1)
      continue;
    Value value = argument.values.front();
    if (argument.name == "x")
      x = value;
    if (argument.name == "transpose_x")
      if (auto known = getIntegers(constant(value)))
        isTransposed = known->front() != 0;
  }
  auto type = x ? dyn_cast<RankedTensorType>(x.getType()) : RankedTensorType();
  return type && type.getRank() >= 2 &&
         type.getDimSize(type.getRank() - (isTransposed ? 2 : 1)) == 1;
}

// Backwards from the sines.
void MILImporter::findAngles(mil::FuncOp source) {
  static const llvm::StringSet<> steps = {
      "add",      "cast",           "concat",        "cos",      "expand_dims",
      "identity", "matmul",         "mul",           "real_div", "reshape",
      "sin",      "slice_by_index", "slice_by_size", "squeeze",  "stack",
      "sub",      "tile",           "transpose"};
  SmallVector<mil::MILOpInterface> found;
  auto add = [&](Operation *op) {
    auto statement = dyn_cast_or_null<mil::MILOpInterface>(op);
    if (statement && steps.contains(statement.getMILType()) &&
        (statement.getMILType() != "matmul" || isOuterProduct(statement)) &&
        towardsAngles.insert(op).second)
      found.push_back(statement);
  };
  source.walk([&](mil::MILOpInterface op) {
    if (op.getMILType() == "sin" || op.getMILType() == "cos")
      add(op);
  });
  while (!found.empty())
    for (Value operand : found.pop_back_val()->getOperands())
      add(operand.getDefiningOp());
}

bool MILImporter::isAngle(mil::MILOpInterface op) {
  if (!hosted || !towardsAngles.contains(op))
    return false;
  bool isOfHosts = false;
  for (Value operand : op->getOperands()) {
    bool isHosts =
        fromOutside.contains(operand) ||
        (isa<BlockArgument>(operand) && hostValues.contains(operand));
    if (!isHosts && !isKnown(operand))
      return false;
    isOfHosts |= isHosts;
  }
  return isOfHosts;
}

template <typename OpTy> static Value hostFunction(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  HostType type = s.hostType("x");
  if (!type.isFloat()) {
    s.error() << "is of " << x.getType() << ", but must be of floats";
    return {};
  }
  return s.host().elementwise(
      x, type.element, [](HostBuilder &inner, ValueRange scalars) -> Value {
        return OpTy::create(inner.builder, inner.loc, scalars[0]);
      });
}

/// A product of a column and a row.
static Value hostOuterProduct(Statement &s) {
  Value x = s.tensor("x"), y = s.tensor("y");
  bool transposeX = s.boolean("transpose_x", false);
  bool transposeY = s.boolean("transpose_y", false);
  if (s.failed())
    return {};
  SmallVector<int64_t> column(shapeOf(x)), row(shapeOf(y));
  HostType type = s.hostType("x");
  bool fits = column.size() >= 2 && row.size() >= 2 && type.isFloat() &&
              s.hostType("y").element == type.element;
  if (fits && transposeX)
    std::swap(column.end()[-1], column.end()[-2]);
  if (fits && transposeY)
    std::swap(row.end()[-1], row.end()[-2]);
  if (!fits || column.back() != 1 || row.end()[-2] != 1 ||
      !broadcastShapes({column, row})) {
    s.error() << "can be left to the host for a column times a row of floats, "
                 "but multiplies "
              << x.getType() << " and " << y.getType();
    return {};
  }
  HostBuilder host = s.host();
  return host.elementwise(
      {host.reshape(x, column), host.reshape(y, row)}, type.element,
      [](HostBuilder &inner, ValueRange scalars) -> Value {
        return arith::MulFOp::create(inner.builder, inner.loc, scalars[0],
                                     scalars[1]);
      });
}

void mlir::ane::addMILHostAngles(MILImporter &importer) {
  importer.addHost("sin", hostFunction<math::SinOp>);
  importer.addHost("cos", hostFunction<math::CosOp>);
  importer.addHost("matmul", hostOuterProduct);
}
