//===- KnownScalars.cpp - Scalars of a body that follow from a loop -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownScalars.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::ane;

/// Longer loops are numbered by a constant, but nothing is folded for them.
static constexpr int64_t maxIterations = 1 << 16;

static bool isScalar(Type type) {
  return isa<FloatType, IntegerType, IndexType>(type);
}

/// The number as f32, if that holds it; booleans are 1 and 0.
static std::optional<float> toFloat(Attribute attr) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return static_cast<float>(number.getValueAsDouble());
  auto whole = dyn_cast<IntegerAttr>(attr);
  if (!whole)
    return std::nullopt;
  if (whole.getType().isInteger(1))
    return whole.getValue().isZero() ? 0.0f : 1.0f;
  constexpr unsigned exactBits = 25; // with a sign
  if (!whole.getValue().isSignedIntN(exactBits))
    return std::nullopt;
  return static_cast<float>(whole.getValue().getSExtValue());
}

std::optional<KnownScalars::Row> KnownScalars::rowOf(Value value) const {
  if (auto known = rows.find(value); known != rows.end())
    return known->second;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)) &&
      isa<FloatAttr, IntegerAttr>(constant))
    return Row{std::nullopt, {constant}};
  return std::nullopt;
}

std::optional<KnownScalars::Row> KnownScalars::fold(Operation &op) const {
  SmallVector<Row> operands;
  Row result;
  for (Value operand : op.getOperands()) {
    std::optional<Row> row = rowOf(operand);
    if (!row || (row->loop && result.loop && *row->loop != *result.loop))
      return std::nullopt;
    if (row->loop)
      result.loop = row->loop;
    operands.push_back(std::move(*row));
  }
  size_t count = 1;
  for (const Row &row : operands)
    count = std::max(count, row.values.size());
  for (size_t i = 0; i != count; ++i) {
    SmallVector<Attribute> attrs;
    for (const Row &row : operands)
      attrs.push_back(row.values[row.loop ? i : 0]);
    SmallVector<OpFoldResult> folded;
    if (failed(op.fold(attrs, folded)) || folded.size() != 1)
      return std::nullopt;
    auto attr = dyn_cast<Attribute>(folded[0]);
    if (!attr) { // one of the operands
      auto operand = llvm::find(op.getOperands(), cast<Value>(folded[0]));
      if (operand == op.operand_end())
        return std::nullopt;
      attr = attrs[operand.getIndex()];
    }
    result.values.push_back(attr);
  }
  return result;
}

void KnownScalars::mapRow(Value value, const Row &row) {
  SmallVector<int64_t> shape(loops.getNumLoops(), 1);
  if (row.loop)
    shape[*row.loop] = row.values.size();
  SmallVector<float> numbers;
  for (Attribute attr : row.values) {
    std::optional<float> number = toFloat(attr);
    if (!number)
      return;
    numbers.push_back(*number);
  }
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  importer.map(value, ConstantOp::create(
                          importer.builder, value.getLoc(),
                          DenseElementsAttr::get(type, ArrayRef(numbers))));
}

bool KnownScalars::evaluate(Operation &op) {
  if (op.getNumResults() != 1 || !isScalar(op.getResult(0).getType()) ||
      op.getNumRegions() || !isMemoryEffectFree(&op) ||
      op.hasTrait<OpTrait::ConstantLike>())
    return false;
  std::optional<Row> row;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    int64_t count = loops.getStaticLoopRanges()[index.getDim()];
    if (count > maxIterations)
      return false;
    row = Row{index.getDim(), {}};
    for (int64_t i = 0; i != count; ++i)
      row->values.push_back(importer.builder.getIndexAttr(i));
  } else if (op.getNumOperands()) {
    row = fold(op);
  }
  if (!row)
    return false;
  mapRow(op.getResult(0), *row);
  rows[op.getResult(0)] = std::move(*row);
  return true;
}
