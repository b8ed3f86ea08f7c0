//===- ShareConstants.cpp - Equal constants once --------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Constants/ShareConstants.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::ane;

static DenseResourceElementsAttr resourceOf(ConstantOp op) {
  return dyn_cast<DenseResourceElementsAttr>(op.getValue());
}

ConstantSharer::ConstantSharer(Operation *scope) {
  scope->walk([&](ConstantOp op) {
    if (DenseResourceElementsAttr attr = resourceOf(op))
      entries.insert(attr.getRawHandle().getResource());
  });
}

void ConstantSharer::notifyOperationInserted(Operation *op,
                                             OpBuilder::InsertPoint previous) {
  auto constant = dyn_cast<ConstantOp>(op);
  if (!constant || previous.isSet())
    return;
  DenseResourceElementsAttr attr = resourceOf(constant);
  AsmResourceBlob *blob = attr ? attr.getRawHandle().getBlob() : nullptr;
  // Other shapes of bytes that are there have these already.
  if (!blob || !entries.insert(attr.getRawHandle().getResource()).second)
    return;
  ArrayRef<char> bytes = blob->getData();
  auto &others = known[llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()))];
  for (DenseResourceElementsAttr other : others) {
    AsmResourceBlob *there = other.getRawHandle().getBlob();
    if (!there || other.getType() != attr.getType() ||
        there->getData() != bytes)
      continue;
    constant.setValueAttr(other);
    Entry *entry = attr.getRawHandle().getResource();
    entries.erase(entry);
    entry->setBlob(AsmResourceBlob(ArrayRef<char>(), /*dataAlignment=*/1,
                                   /*deleter=*/nullptr,
                                   /*dataIsMutable=*/false));
    return;
  }
  others.push_back(attr);
}

void ConstantSharer::merge(Operation *scope) {
  DenseMap<std::pair<Block *, Attribute>, ConstantOp> first;
  scope->walk([&](ConstantOp op) {
    if (!resourceOf(op))
      return;
    auto [it, isNew] = first.try_emplace({op->getBlock(), op.getValue()}, op);
    if (isNew)
      return;
    op.replaceAllUsesWith(it->second.getResult());
    op.erase();
  });
}
