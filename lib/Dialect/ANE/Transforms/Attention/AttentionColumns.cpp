//===- AttentionColumns.cpp - What strips of columns take of attention ----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention over blocks of keys ends, head by head, with a last addition to the
// mixed values and the sum of the powers, and a product with its reciprocal. A
// layer after it in strips of columns would read all heads from DRAM for each
// strip. For the first strip the last additions wait instead, L2 holds those of
// the heads that come last until the strip begins, and their products are
// stored where the strip reads them. They are computed in columns for that:
//
//   sum    = add x, y                 sum0 = add x[.., 0:a], y[.., 0:a]
//   share  = 1 / sum[n, ..]           (sum1, share1, result1 for other strips)
//   result = sum[0:n, ..] share       ...
//   strip0 = result[.., 0:a]          result0 = sum0[0:n, ..] (1 / sum0[n, ..])
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "ane/HW/Layout.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

SmallVector<ConcatOp> mlir::ane::resultsOfAttention(ArrayRef<Operation *> ops) {
  SetVector<Operation *> results;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (auto concat = operand.getDefiningOp<ConcatOp>();
          concat && concat->hasAttr(kByColumnAttrName))
        results.insert(concat);
  return llvm::map_to_vector(results,
                             [](Operation *op) { return cast<ConcatOp>(op); });
}

// Channels of all columns.
static bool cutsChannels(SliceOp slice) {
  ArrayRef<int64_t> from = typeOf(slice.getInput()).getShape();
  ArrayRef<int64_t> to = typeOf(slice).getShape();
  return from.size() == 4 && from[0] == to[0] && from[2] == to[2] &&
         from[3] == to[3] && slice.hasUnitStrides();
}

static bool isPlainAdd(Operation *op) {
  auto pair = dyn_cast<ElementwiseOp>(op);
  return pair && pair.getKind() == ElementwiseKind::Add &&
         pair.getLhs().getType() == pair.getRhs().getType();
}

// From the last additions to `value`, if that is all there is to it.
static bool collectEnd(Value value, SetVector<Operation *> &end) {
  Operation *op = value.getDefiningOp();
  if (!op || !op->hasAttr(kByColumnAttrName))
    return false;
  if (end.contains(op))
    return true;
  auto slice = dyn_cast<SliceOp>(op);
  auto concat = dyn_cast<ConcatOp>(op);
  bool isAdd = isPlainAdd(op);
  if (!(isAdd || isa<ActivationOp, ElementwiseOp>(op) ||
        (concat && concat.getAxis() == 1) || (slice && cutsChannels(slice))))
    return false;
  bool isEnd = isAdd || llvm::all_of(op->getOperands(), [&](Value operand) {
                 return collectEnd(operand, end);
               });
  end.insert(op);
  return isEnd;
}

static bool isInside(Value value, const SetVector<Operation *> &ops) {
  return llvm::all_of(value.getUsers(),
                      [&](Operation *user) { return ops.contains(user); });
}

// Strips of columns that are all that is used of `results`.
static SmallVector<SliceOp> stripsOf(ConcatOp results) {
  SmallVector<SliceOp> strips;
  int64_t columns = typeOf(results).getDimSize(3), end = 0;
  for (Operation *user : results->getUsers()) {
    auto slice = dyn_cast<SliceOp>(user);
    if (!slice || typeOf(slice).getDimSize(1) != typeOf(results).getDimSize(1))
      return {};
    strips.push_back(slice);
  }
  llvm::sort(strips, [](SliceOp a, SliceOp b) {
    return a.getOffsets()[3] < b.getOffsets()[3];
  });
  for (SliceOp strip : strips) {
    if (strip.getOffsets()[3] != end)
      return {};
    end += strip.getSizes()[3];
  }
  return end == columns ? strips : SmallVector<SliceOp>();
}

// Its input waits in L2 for all that comes before it. Those of attention itself
// say whether they are by column.
static ConvOp lastLayerBefore(Operation *op) {
  for (; op; op = op->getPrevNode())
    if (auto conv = dyn_cast<ConvOp>(op);
        conv && !conv->hasAttr(kByColumnAttrName))
      return conv;
  return {};
}

// Channels in L2 while the powers of a block are mixed: queries, powers, and
// both summands.
static int64_t countChannels(Operation *add) {
  auto channelsOf = [](Value value) { return typeOf(value).getDimSize(1); };
  Value part = add->getOperand(1);
  if (auto concat = part.getDefiningOp<ConcatOp>())
    part = concat.getInputs().front();
  int64_t channels =
      channelsOf(add->getOperand(0)) + channelsOf(add->getOperand(1));
  auto mixed = part.getDefiningOp<RuntimeConvOp>();
  if (!mixed)
    return channels;
  channels += channelsOf(mixed.getInput());
  // Back to the scores. A product makes powers beside them.
  Operation *op = mixed.getInput().getDefiningOp();
  while (isa_and_nonnull<ActivationOp, ConcatOp, ConvOp, ReshapeOp>(op)) {
    Operation *before = op->getOperand(0).getDefiningOp();
    if (isa<ConvOp>(op) && isa_and_nonnull<ReshapeOp>(before))
      channels += channelsOf(before->getOperand(0));
    op = before;
  }
  if (auto product = dyn_cast_or_null<RuntimeConvOp>(op))
    channels += channelsOf(product.getInput());
  return channels;
}

// Whether L2 holds all columns of each head, so that there are no strips of
// queries; and whether most heads come when nobody needs the input of attention
// any more, so that their sums have room.
static bool canWait(ConcatOp results, const SetVector<Operation *> &end,
                    const ::ane::hw::GenerationInfo &info) {
  ConvOp layer = lastLayerBefore(results);
  if (!layer)
    return false;
  int64_t row = ::ane::hw::alignTo(
      typeOf(results).getDimSize(3) * sizeof(uint16_t), info.l2Align);
  // Each is a place that others lie around. With those of twelve heads L2 is
  // too often in pieces, and up to a third more bytes move.
  constexpr int64_t maxSums = 8;
  int64_t before = 0, behind = 0, sums = 0;
  for (Operation *add : llvm::make_filter_range(end, isPlainAdd)) {
    bool isBefore = add->isBeforeInBlock(layer);
    int64_t channels = 0; // of the widest block of keys
    for (Operation *sum = add; sum && isPlainAdd(sum);
         sum = sum->getOperand(0).getDefiningOp())
      channels = std::max(channels, countChannels(sum));
    if (isBefore)
      channels += typeOf(layer.getInput()).getDimSize(1);
    if (++sums > maxSums || channels * row > int64_t(info.l2Bytes))
      return false;
    (isBefore ? before : behind) += typeOf(add->getResult(0)).getDimSize(1);
  }
  return behind >= before;
}

namespace {

/// Computes columns of the end of attention.
class EndColumns {
public:
  EndColumns(OpBuilder &builder, int64_t first, int64_t count)
      : builder(builder), first(first), count(count) {}

  Value of(Value value) {
    return sliceDim(builder, value.getLoc(), value, 3, first, count);
  }

  void compute(Operation *op) {
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand, of(operand));
    Operation *part = builder.clone(*op, mapping);
    if (auto slice = dyn_cast<SliceOp>(part)) {
      SmallVector<int64_t> sizes(slice.getSizes());
      sizes[3] = count;
      slice.setSizes(sizes);
    }
    part->getResult(0).setType(withDim(typeOf(op->getResult(0)), 3, count));
    mapping.map(op->getResult(0), part->getResult(0));
  }

  Value lookup(Value value) const { return mapping.lookup(value); }

private:
  OpBuilder &builder;
  int64_t first, count;
  IRMapping mapping;
};

} // namespace

void mlir::ane::cutAttentionInStrips(ConcatOp results,
                                     const ::ane::hw::GenerationInfo &info) {
  SmallVector<SliceOp> strips = stripsOf(results);
  SetVector<Operation *> end;
  end.insert(results);
  if (strips.size() < 2 || results.getAxis() != 1 ||
      !llvm::all_of(results.getInputs(),
                    [&](Value input) { return collectEnd(input, end); }))
    return;
  end.remove(results);
  SetVector<Operation *> inside = end;
  inside.insert(results);
  if (!llvm::all_of(
          end,
          [&](Operation *op) { return isInside(op->getResult(0), inside); }) ||
      !canWait(results, end, info))
    return;
  SmallVector<Operation *> ops = end.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(results);
  bool isFirst = true;
  for (SliceOp strip : strips) {
    EndColumns columns(builder, strip.getOffsets()[3], strip.getSizes()[3]);
    for (Operation *op : ops) {
      builder.setInsertionPoint(
          isFirst && !isPlainAdd(op) ? strip.getOperation() : op);
      columns.compute(op);
    }
    SmallVector<Value> parts;
    for (Value input : results.getInputs())
      parts.push_back(columns.lookup(input));
    builder.setInsertionPoint(strip);
    strip.replaceAllUsesWith(
        concatDim(builder, results.getLoc(), parts, /*dim=*/1));
    strip->erase();
    isFirst = false;
  }
  ops.push_back(results);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}
