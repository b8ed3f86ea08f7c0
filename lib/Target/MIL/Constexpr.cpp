//===- Constexpr.cpp - Values of compressed constants ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Target/MIL/Constexpr.h"
#include "ConstexprStatement.h"
#include "Spelling.h"

using namespace mlir;
using namespace mlir::ane::mil;

// A sparse, palettized, quantised weight is three deep.
static constexpr unsigned kMaxDepth = 8;

bool mlir::ane::mil::isConstexpr(Operation *op) {
  auto statement = dyn_cast_or_null<MILOpInterface>(op);
  return statement && statement.getMILType().starts_with("constexpr_");
}

// Bytes of a scalar; all types that occur have 32 bits or less.
static FailureOr<ConstantData> fromScalar(Operation *op, Type type,
                                          const APInt &bits) {
  ConstantData data{RankedTensorType::get({}, type), {}, false, nullptr};
  uint64_t size = llvm::divideCeil(bits.getBitWidth(), 8);
  FailureOr<char *> to = allocate(op, size, data);
  if (failed(to))
    return failure();
  uint64_t raw = bits.getZExtValue();
  std::memcpy(*to, &raw, size);
  return data;
}

// Elements that an attribute holds in a form of its own.
static FailureOr<ConstantData> fromDense(Operation *op,
                                         DenseElementsAttr dense) {
  ConstantData data{
      cast<RankedTensorType>(dense.getType()), {}, false, nullptr};
  uint64_t count = dense.getNumElements();
  if (data.type.getElementType().isInteger(1)) {
    FailureOr<char *> to = allocate(op, count, data);
    if (failed(to))
      return failure();
    for (auto [i, bit] : llvm::enumerate(dense.getValues<bool>()))
      (*to)[i] = bit;
    return data;
  }
  ArrayRef<char> one = dense.getRawData();
  FailureOr<char *> to = allocate(op, one.size() * count, data);
  if (failed(to))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    std::memcpy(*to + i * one.size(), one.data(), one.size());
  return data;
}

FailureOr<ConstantData> ConstexprEvaluator::fromAttribute(Operation *op,
                                                          Attribute value) {
  if (auto reference = dyn_cast<BlobFileAttr>(value)) {
    if (!reader)
      return op->emitError() << "value lies in '" << reference.getPath()
                             << "', but no folder of weight files is known; "
                                "name it with --mil-root";
    llvm::Expected<Blob> blob = reader->get(reference);
    if (!blob)
      return op->emitError() << llvm::toString(blob.takeError());
    auto type = dyn_cast<RankedTensorType>(reference.getType());
    if (!type)
      type = RankedTensorType::get({}, reference.getType());
    return ConstantData{type, blob->bytes, getBlobBits(blob->type) < 8,
                        blob->file};
  }
  if (auto number = dyn_cast<IntegerAttr>(value))
    return fromScalar(op, number.getType(), number.getValue());
  if (auto number = dyn_cast<FloatAttr>(value))
    return fromScalar(op, number.getType(), number.getValue().bitcastToAPInt());
  auto elements = dyn_cast<ElementsAttr>(value);
  auto type = elements ? dyn_cast<RankedTensorType>(elements.getType())
                       : RankedTensorType();
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value);
  if (dense && type && (dense.isSplat() || type.getElementType().isInteger(1)))
    return fromDense(op, dense);
  FailureOr<RawElements> raw = failure();
  if (type)
    raw = getRawElements(elements);
  if (failed(raw))
    return op->emitError("value is no tensor of numbers whose bytes are known");
  return ConstantData{type, raw->bytes, raw->isPacked, nullptr};
}

FailureOr<ConstantData> ConstexprEvaluator::evaluate(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<ConstOp>(op)) {
    if (constant.getValue().getType() != constant.getType())
      return op->emitError("value is not yet rounded to its type ")
             << constant.getType();
    return fromAttribute(op, constant.getValue());
  }
  if (!isConstexpr(op))
    return emitError(value.getLoc(), "value is no constant");
  if (depth == kMaxDepth)
    return op->emitError("more than ")
           << kMaxDepth << " constexpr statements depend on each other";
  ++depth;
  FailureOr<ConstantData> data =
      ConstexprStatement(*this, cast<MILOpInterface>(op),
                         cast<OpResult>(value).getResultNumber())
          .evaluate();
  --depth;
  return data;
}

AsmResourceBlob mlir::ane::mil::makeResourceBlob(const ConstantData &data) {
  return AsmResourceBlob(
      data.bytes, /*dataAlignment=*/4,
      [owner = data.owner](void *, size_t, size_t) { (void)owner; },
      /*dataIsMutable=*/false);
}

LogicalResult mlir::ane::mil::evaluateConstexprs(ModuleOp module,
                                                 BlobReader *reader) {
  ConstexprEvaluator evaluator(reader);
  SmallVector<Operation *> statements;
  module.walk([&](Operation *op) {
    if (isConstexpr(op))
      statements.push_back(op);
  });
  // Forward: operands of a later statement are constants by then.
  for (Operation *op : statements) {
    auto statement = cast<MILOpInterface>(op);
    SmallVector<StringRef> names = statement.getMILResultNames();
    OpBuilder builder(op);
    for (OpResult result : op->getResults()) {
      FailureOr<ConstantData> data = evaluator.evaluate(result);
      if (failed(data))
        return failure();
      unsigned number = result.getResultNumber();
      StringRef name = number < names.size() ? names[number] : StringRef();
      auto attribute = DenseResourceElementsAttr::get(
          data->type, name.empty() ? "constexpr" : name,
          makeResourceBlob(*data));
      StringAttr resultName =
          name.empty() ? StringAttr() : builder.getStringAttr(name);
      auto constant = ConstOp::create(
          builder, op->getLoc(), result.getType(), attribute,
          /*is_inline=*/false, builder.getDictionaryAttr({}), resultName);
      result.replaceAllUsesWith(constant);
    }
    SmallVector<Operation *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand.getDefiningOp());
    op->erase();
    llvm::SmallPtrSet<Operation *, 4> seen;
    for (Operation *operand : operands)
      if (isa_and_nonnull<ConstOp>(operand) && seen.insert(operand).second &&
          operand->use_empty())
        operand->erase();
  }
  return success();
}
