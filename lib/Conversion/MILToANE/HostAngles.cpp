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

/// Sums of products of integers, which wrap.
static Value multiplyIntegers(Statement &s, Value x, Value y, bool transposeX,
                              bool transposeY) {
  ArrayRef<int64_t> lhs = shapeOf(x), rhs = shapeOf(y);
  HostType type = s.hostType("x");
  bool hasRanks = lhs.size() >= 2 && rhs.size() >= 2;
  auto batch = hasRanks ? broadcastShapes({lhs.drop_back(2), rhs.drop_back(2)})
                        : std::nullopt;
  if (!batch || s.hostType("y").element != type.element ||
      lhs.end()[transposeX ? -2 : -1] != rhs.end()[transposeY ? -1 : -2]) {
    s.error() << "multiplies " << x.getType() << " and " << y.getType()
              << ", which are no matrices of one type that fit";
    return {};
  }
  MLIRContext *context = s.getContext();
  size_t count = batch->size();
  SmallVector<int64_t> shape(*batch);
  shape.push_back(lhs.end()[transposeX ? -1 : -2]);
  shape.push_back(rhs.end()[transposeY ? -2 : -1]);
  SmallVector<int64_t> extents(shape);
  extents.push_back(lhs.end()[transposeX ? -2 : -1]);
  // Of the loops over a batch, rows, columns and summands.
  auto reads = [&](ArrayRef<int64_t> sizes, size_t row, size_t column) {
    SmallVector<AffineExpr> places;
    size_t first = count - (sizes.size() - 2);
    for (auto [dim, size] : llvm::enumerate(sizes.drop_back(2)))
      places.push_back(size == 1 ? getAffineConstantExpr(0, context)
                                 : getAffineDimExpr(first + dim, context));
    places.push_back(getAffineDimExpr(row, context));
    places.push_back(getAffineDimExpr(column, context));
    return AffineMap::get(count + 3, 0, places, context);
  };
  size_t row = count, column = count + 1, summand = count + 2;
  AffineMap ofLhs = transposeX ? reads(lhs, summand, row)
                               : reads(lhs, row, summand),
            ofRhs = transposeY ? reads(rhs, column, summand)
                               : reads(rhs, summand, column),
            ofResult = AffineMap::getMultiDimIdentityMap(count + 3, context)
                           .getMajorSubMap(count + 2);
  HostBuilder host = s.host();
  return host.accumulate(
      {x, y}, host.filled(shape, type, 0), {ofLhs, ofRhs, ofResult}, extents,
      [](HostBuilder &inner, ValueRange scalars) -> Value {
        Value product = arith::MulIOp::create(inner.builder, inner.loc,
                                              scalars[0], scalars[1]);
        return arith::AddIOp::create(inner.builder, inner.loc, scalars[2],
                                     product);
      });
}

/// Of floats, a product of a column and a row.
static Value hostMatmul(Statement &s) {
  Value x = s.tensor("x"), y = s.tensor("y");
  bool transposeX = s.boolean("transpose_x", false);
  bool transposeY = s.boolean("transpose_y", false);
  if (s.failed())
    return {};
  HostType type = s.hostType("x");
  if (!type.isFloat() && !type.isBool())
    return multiplyIntegers(s, x, y, transposeX, transposeY);
  SmallVector<int64_t> column(shapeOf(x)), row(shapeOf(y));
  bool fits = column.size() >= 2 && row.size() >= 2 && type.isFloat() &&
              s.hostType("y").element == type.element;
  if (fits && transposeX)
    std::swap(column.end()[-1], column.end()[-2]);
  if (fits && transposeY)
    std::swap(row.end()[-1], row.end()[-2]);
  if (!fits || column.back() != 1 || row.end()[-2] != 1 ||
      !broadcastShapes({column, row})) {
    s.error() << "can be left to the host for a column times a row of floats, "
                 "and for integers, but multiplies "
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
  importer.addHost("matmul", hostMatmul);
}
