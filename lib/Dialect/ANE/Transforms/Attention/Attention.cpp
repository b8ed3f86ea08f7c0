//===- Attention.cpp - Matrices and sizes of attention --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

using namespace mlir;
using namespace mlir::ane;

static int64_t rowsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 3 : 2];
}
static int64_t columnsOf(const Matrices &m) {
  return m.shape()[m.isTransposed ? 2 : 3];
}

Attention::Attention(AttentionOp op)
    : op(op), queries{op.getQuery(), !op.getTransposeQuery()},
      keys{op.getKey(), op.getTransposeKey()},
      values{op.getValue(), !op.getTransposeValue()}, mask(op.getMask()),
      sink(op.getSink()), cap(op.getCapAttr()),
      isResultTransposed(!op.getTransposeResult()),
      areKeysLast(!op.getTransposeScores()), images(queries.shape()[0]),
      heads(queries.shape()[1]), numQueries(columnsOf(queries)),
      numKeys(rowsOf(keys)), depth(rowsOf(queries)), width(rowsOf(values)),
      isShared(heads > 1 && keys.shape()[1] == 1) {
  for (auto [term, stride] : llvm::zip(op.getTerms(), op.getTermStrides()))
    terms.push_back({term, typeOf(term).getDimSize(3), stride});
  if (!mask || cap || numQueries == 1)
    return;
  ArrayRef<int64_t> shape = typeOf(mask).getShape();
  isMaskOfKeys = shape[0] * shape[1] == 1 && shape[areKeysLast ? 2 : 3] == 1 &&
                 shape[areKeysLast ? 3 : 2] == numKeys &&
                 failed(ConstantView::get(mask));
}

FailureOr<Attention> mlir::ane::getAttention(AttentionOp op,
                                             PatternRewriter &rewriter) {
  if (!isImage(op.getResult()))
    return rewriter.notifyMatchFailure(op, "has not four dimensions");
  if (llvm::any_of(op->getOperands(), [](Value value) {
        return typeOf(value).getNumElements() == 0;
      }))
    return rewriter.notifyMatchFailure(op, "has no elements");
  Attention attention(op);
  int64_t groups = attention.keys.shape()[1];
  if (groups != 1 && groups != attention.heads)
    return rewriter.notifyMatchFailure(op, "has several groups of heads");
  if (op.getScale().convertToFloat() != 1)
    return rewriter.notifyMatchFailure(op, "has a scale");
  if (!attention.terms.empty() && attention.mask)
    return rewriter.notifyMatchFailure(op, "has a mask and terms");
  if (Value mask = attention.mask) {
    ArrayRef<int64_t> shape = typeOf(mask).getShape();
    int64_t count = shape[0] * shape[1];
    if (count != 1 && count != attention.images * attention.heads &&
        failed(ConstantView::get(mask)))
      return rewriter.notifyMatchFailure(op,
                                         "has a computed mask for some heads");
  }
  return attention;
}

// Whether keys and values are small beside the queries: strips of columns may
// read them again.
static bool hasFewKeys(RuntimeConvOp op) {
  constexpr int64_t ratio = 8;
  int64_t channels = std::max(typeOf(op.getInput()).getDimSize(1),
                              typeOf(op.getResult()).getDimSize(1));
  return isImage(op.getResult()) &&
         ratio * channels <= typeOf(op).getDimSize(3);
}

void mlir::ane::markColumns(Operation *before, AttentionOp op) {
  Builder builder(op.getContext());
  for (Operation *next = before ? before->getNextNode()
                                : &op->getBlock()->front();
       next != op; next = next->getNextNode()) {
    if (auto product = dyn_cast<RuntimeConvOp>(next)) {
      next->setAttr(kByColumnAttrName,
                    builder.getBoolAttr(hasFewKeys(product)));
      continue;
    }
    if (!isa<ActivationOp, ConcatOp, ConvOp, ElementwiseOp, ReshapeOp, SliceOp>(
            next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        if (auto said = def->getAttrOfType<BoolAttr>(kByColumnAttrName);
            said && !(next->hasAttr(kByColumnAttrName) && said.getValue()))
          next->setAttr(kByColumnAttrName, said);
  }
}
