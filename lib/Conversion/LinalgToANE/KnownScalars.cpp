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

/// More are numbered by a constant, but nothing is folded for them.
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

KnownScalars::KnownScalars(FunctionImporter &importer, linalg::LinalgOp loops)
    : importer(importer), ranges(loops.getStaticLoopRanges()) {
  for (Operation &op : loops.getBlock()->without_terminator())
    evaluate(op);
}

bool KnownScalars::contains(Operation &op) const {
  return op.getNumResults() == 1 && known.contains(op.getResult(0));
}

std::optional<KnownScalars::Numbers> KnownScalars::lookup(Value value) const {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)) &&
      isa<FloatAttr, IntegerAttr>(constant))
    return Numbers{{}, {constant}};
  return std::nullopt;
}

std::optional<KnownScalars::Numbers> KnownScalars::fold(Operation &op) const {
  SmallVector<Numbers> operands;
  Numbers result;
  for (Value operand : op.getOperands()) {
    std::optional<Numbers> numbers = lookup(operand);
    if (!numbers)
      return std::nullopt;
    for (unsigned loop : numbers->loops)
      if (!llvm::is_contained(result.loops, loop))
        result.loops.push_back(loop);
    operands.push_back(std::move(*numbers));
  }
  llvm::sort(result.loops);
  // Masks and weights of several loops are tensors, and cheaper as such.
  Type type = op.getResult(0).getType();
  if (result.loops.size() > 1 && (isa<FloatType>(type) || type.isInteger(1)))
    return std::nullopt;
  int64_t count = 1;
  for (unsigned loop : result.loops)
    if (count > maxIterations / ranges[loop])
      return std::nullopt;
    else
      count *= ranges[loop];
  for (int64_t i = 0; i != count; ++i) {
    SmallVector<int64_t> at(ranges.size(), 0);
    int64_t rest = i;
    for (unsigned loop : llvm::reverse(result.loops)) {
      at[loop] = rest % ranges[loop];
      rest /= ranges[loop];
    }
    SmallVector<Attribute> attrs;
    for (const Numbers &numbers : operands) {
      int64_t index = 0;
      for (unsigned loop : numbers.loops)
        index = index * ranges[loop] + at[loop];
      attrs.push_back(numbers.values[index]);
    }
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

void KnownScalars::mapNumbers(Value value, const Numbers &numbers) {
  SmallVector<int64_t> shape(ranges.size(), 1);
  for (unsigned loop : numbers.loops)
    shape[loop] = ranges[loop];
  SmallVector<float> floats;
  for (Attribute attr : numbers.values) {
    std::optional<float> number = toFloat(attr);
    if (!number)
      return;
    floats.push_back(*number);
  }
  auto type = RankedTensorType::get(shape, importer.builder.getF32Type());
  importer.map(value, ConstantOp::create(
                          importer.builder, value.getLoc(),
                          DenseElementsAttr::get(type, ArrayRef(floats))));
}

void KnownScalars::evaluate(Operation &op) {
  if (op.getNumResults() != 1 || !isScalar(op.getResult(0).getType()) ||
      op.getNumRegions() || !isMemoryEffectFree(&op) ||
      op.hasTrait<OpTrait::ConstantLike>())
    return;
  std::optional<Numbers> numbers;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    int64_t count = ranges[index.getDim()];
    if (count > maxIterations)
      return;
    numbers = Numbers{{static_cast<unsigned>(index.getDim())}, {}};
    for (int64_t i = 0; i != count; ++i)
      numbers->values.push_back(importer.builder.getIndexAttr(i));
  } else if (op.getNumOperands()) {
    numbers = fold(op);
  }
  if (!numbers)
    return;
  mapNumbers(op.getResult(0), *numbers);
  known[op.getResult(0)] = std::move(*numbers);
}
