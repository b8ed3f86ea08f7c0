//===- DecomposeFeedForward.cpp - Hidden channels in parts ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer between two 1x1 convolutions of a transformer has several times the
// channels of its input and output. Where L2 does not hold it, strips of pixels
// would read all weights again for each strip, and they are larger than the
// layer. Parts of its channels read each weight once: the second convolution
// makes a sum for each part, and the sums are added: to the shortcut around the
// layer first, which need not wait in L2 then, and some channels at a time.
//
// Where input and sum of all columns do not fit, those of a strip do: all that
// is computed column by column for the layer (norm, projection, shortcut) goes
// strip by strip, and weights are read once for each of few strips.
//
// One of the two may fit, or both in fewer strips, where the layer passes
// through DRAM between the convolutions: written once and read once, it is
// small beside weights that are large. FeedForwardCuts.cpp proposes what fits,
// and the plan of each decides (PlanCost.h).
//
// Where rows do not fit either, or windows are larger, there are
// strips in any case. Parts make them higher: fewer strips read the weights,
// and fewer rows between them are computed twice. What the additions cost is
// weighed.
//
//===----------------------------------------------------------------------===//

#include "FeedForwardCuts.h"
#include "ane/Dialect/ANE/Transforms/Attention/Patterns.h"
#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/TilePlan.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Predicates.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::feedforward;

// Channels of input and output can be taken apart.
static bool isSplittable(ConvOp conv) {
  auto isConstant = [](Value value) {
    return !value || value.getDefiningOp<ConstantOp>();
  };
  return conv.getGroups() == 1 && isImage(conv.getResult()) &&
         typeOf(conv.getWeight()).getRank() == 4 && !conv.getScale() &&
         isConstant(conv.getWeight()) && isConstant(conv.getBias());
}

static bool isPointwise(ConvOp conv) {
  return isSplittable(conv) && conv.isByPixel();
}

// The image keeps its size.
static bool keepsSize(ConvOp conv) {
  return isSplittable(conv) &&
         typeOf(conv.getInput()).getShape().drop_front(2) ==
             typeOf(conv).getShape().drop_front(2);
}

using IsTaken = function_ref<bool(ConvOp)>;

static bool collect(Value value, RankedTensorType type, IsTaken isTaken,
                    Layer &layer) {
  Operation *op = value.getDefiningOp();
  if (!op || typeOf(value) != type)
    return false;
  bool isNew = layer.ops.insert(op);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    if (layer.convs.empty())
      layer.inputBytes = halfBytesOf(conv.getInput());
    layer.convs.push_back(conv);
    layer.weightBytes += halfBytesOf(conv.getWeight());
    return isTaken(conv);
  }
  if (!isa<ActivationOp, ElementwiseOp>(op))
    return false;
  // Gates after each other have more paths than ops; a conv counts for each
  // tensor that it has in L2.
  if (!isNew)
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return typeOf(operand).getNumElements() == 1 ||
           collect(operand, type, isTaken, layer);
  });
}

static bool isOnlyOf(const Layer &layer, ConvOp op) {
  return llvm::all_of(layer.ops, [&](Operation *inside) {
    return llvm::all_of(inside->getUsers(), [&](Operation *user) {
      return user == op || layer.ops.contains(user);
    });
  });
}

// The layer in front of `op`, if nobody else needs it.
static std::optional<Layer> layerOf(ConvOp op, IsTaken isTaken) {
  Layer layer;
  if (!isTaken(op) ||
      !collect(op.getInput(), typeOf(op.getInput()), isTaken, layer) ||
      layer.convs.empty() || !isOnlyOf(layer, op))
    return std::nullopt;
  return layer;
}

static SmallVector<Operation *> inOrder(const SetVector<Operation *> &ops) {
  SmallVector<Operation *> sorted(ops.begin(), ops.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

// Some channels of the layer.
static Value createHidden(OpBuilder &builder, ConvOp op, const Layer &layer,
                          int64_t first, int64_t count) {
  Location loc = op.getLoc();
  IRMapping mapping;
  RankedTensorType type = withDim(typeOf(op.getInput()), 1, count);
  for (Operation *inside : inOrder(layer.ops)) {
    if (auto conv = dyn_cast<ConvOp>(inside))
      for (Value constant : {conv.getWeight(), conv.getBias()})
        if (constant)
          mapping.map(constant,
                      sliceDim(builder, loc, constant, 0, first, count));
    Operation *part = builder.clone(*inside, mapping);
    part->getResult(0).setType(type);
    mapping.map(inside->getResult(0), part->getResult(0));
  }
  return mapping.lookup(op.getInput());
}

// What the channels of the layer from `first` add to some channels of `op`.
static Value createSummand(OpBuilder &builder, ConvOp op, Value hidden,
                           int64_t first, int64_t output, int64_t outputs) {
  Location loc = op.getLoc();
  auto ofOutputs = [&](Value constant) {
    return sliceDim(builder, loc, constant, 0, output, outputs);
  };
  Value weight = sliceDim(builder, loc, ofOutputs(op.getWeight()), 1, first,
                          typeOf(hidden).getDimSize(1));
  Value bias;
  if (first == 0 && op.getBias())
    bias = ofOutputs(op.getBias());
  auto part = cast<ConvOp>(builder.clone(*op));
  part.getInputMutable().assign(hidden);
  part.getWeightMutable().assign(weight);
  part.getBiasMutable().clear();
  if (bias)
    part.getBiasMutable().assign(bias);
  part.removeActivationAttr();
  part.getResult().setType(withDim(typeOf(op), 1, outputs));
  return part;
}

// The channels of the layer from `first` that are summed at a time.
static Value createStored(OpBuilder &builder, ConvOp op, const Layer &layer,
                          const Cut &cut, int64_t first) {
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t end = std::min(first + cut.hidden, channels);
  SmallVector<Value> parts;
  for (; first < end; first += cut.stored)
    parts.push_back(createHidden(builder, op, layer, first,
                                 std::min(cut.stored, end - first)));
  return concatDim(builder, op.getLoc(), parts, 1);
}

static Value split(RewriterBase &rewriter, ConvOp op, const Layer &layer,
                   const Cut &cut) {
  Location loc = op.getLoc();
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t outputs = typeOf(op).getDimSize(1);
  SmallVector<Value> sums(llvm::divideCeil(outputs, cut.outputs));
  ElementwiseOp add = cut.takesShortcut ? shortcutOf(op) : ElementwiseOp();
  if (add) {
    rewriter.setInsertionPoint(add);
    Value start = add.getLhs() == op ? add.getRhs() : add.getLhs();
    for (auto [i, sum] : llvm::enumerate(sums))
      sum = sliceDim(rewriter, loc, start, 1, i * cut.outputs,
                     std::min(cut.outputs, outputs - int64_t(i) * cut.outputs));
  }
  SmallVector<Value> waiting;
  for (int64_t first = 0; cut.stored && first < channels; first += cut.hidden)
    waiting.push_back(createStored(rewriter, op, layer, cut, first));
  for (int64_t first = 0; first < channels; first += cut.hidden) {
    Value hidden = cut.stored
                       ? waiting[first / cut.hidden]
                       : createHidden(rewriter, op, layer, first,
                                      std::min(cut.hidden, channels - first));
    for (auto [i, sum] : llvm::enumerate(sums)) {
      int64_t output = i * cut.outputs;
      Value part = createSummand(rewriter, op, hidden, first, output,
                                 std::min(cut.outputs, outputs - output));
      sum = sum ? binary(rewriter, loc, ElementwiseKind::Add, sum, part) : part;
    }
  }
  Value sum = concatDim(rewriter, loc, sums, 1);
  sum = activated(rewriter, loc, sum, op.getActivationAttr());
  if (add)
    rewriter.replaceOp(add, sum);
  rewriter.replaceOp(op, sum);
  SmallVector<Operation *> inside = inOrder(layer.ops);
  for (Operation *done : llvm::reverse(inside))
    rewriter.eraseOp(done);
  return sum;
}

namespace {

struct SplitForStrips : public OpRewritePattern<ConvOp> {
  SplitForStrips(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Layer> layer = layerOf(op, keepsSize);
    if (!layer)
      return failure();
    int64_t channels = typeOf(op.getInput()).getDimSize(1);
    const Strips whole = stripsOf(op, *layer, channels, info);
    if (whole.count <= 1)
      return failure();
    // A tenth, as this knows nothing of what the planner keeps.
    double least = whole.seconds * 0.9;
    int64_t best = channels, engines = info.neCount;
    for (int64_t parts = 2; parts * engines <= channels; parts *= 2) {
      int64_t step = channelsOfPart(op, parts, engines);
      if (double seconds = stripsOf(op, *layer, step, info).seconds;
          seconds < least) {
        least = seconds;
        best = step;
      }
    }
    if (best == channels)
      return failure();
    Cut cut;
    cut.hidden = best;
    cut.outputs = typeOf(op).getDimSize(1);
    split(rewriter, op, *layer, cut);
    return success();
  }

private:
  const ::ane::hw::GenerationInfo &info;
};

} // namespace

//===----------------------------------------------------------------------===//
// Strips of columns
//===----------------------------------------------------------------------===//

// What is computed column by column for `last` and nothing else, in order.
static SmallVector<Operation *> collectColumns(Operation *last) {
  int64_t columns = typeOf(last->getResult(0)).getDimSize(3);
  SetVector<Operation *> ops;
  ops.insert(last);
  SmallVector<Operation *> next = {last};
  while (!next.empty())
    for (Value operand : next.pop_back_val()->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || ops.contains(def) || def->hasAttr(kByColumnAttrName) ||
          !isByColumn(def, columns) ||
          !llvm::all_of(def->getUsers(),
                        [&](Operation *user) { return ops.contains(user); }))
        continue;
      ops.insert(def);
      next.push_back(def);
    }
  return inOrder(ops);
}

// The result of a layer, to which its shortcut is added.
static Operation *lastOf(ConvOp op) {
  Operation *add = shortcutOf(op);
  return add ? add : op;
}

// Cuts a layer; what attention gives to it is cut with it.
static LogicalResult cut(ConvOp op, const CutTiles &tiles,
                         const ::ane::hw::GenerationInfo &info) {
  std::optional<Layer> layer = layerOf(op, isPointwise);
  int64_t granule = info.dmaAlign / sizeof(uint16_t);
  int64_t size = llvm::alignTo(
      llvm::divideCeil(typeOf(op).getDimSize(3), tiles.count), granule);
  IRRewriter rewriter(op);
  Operation *last = split(rewriter, op, *layer, tiles.cut).getDefiningOp();
  if (tiles.count == 1)
    return success();
  SmallVector<Operation *> ops = collectColumns(last);
  for (Operation *op : ops)
    op->setAttr(ANEDialect::getTileAttrName(),
                TileAttr::get(op->getContext(), /*group=*/0, /*dim=*/3, size));
  SmallVector<ConcatOp> results = resultsOfAttention(ops);
  if (failed(tileGroup(ops)))
    return failure();
  for (ConcatOp result : results)
    cutAttentionInStrips(result, info);
  return success();
}

LogicalResult mlir::ane::splitLongLayers(Operation *scope,
                                         const DecomposeOptions &options,
                                         PlanCost &cost) {
  if (!options.policy.tiling.cutsHiddenChannels)
    return success();
  const ::ane::hw::GenerationInfo &info = options.generation;
  SmallVector<ConvOp> convs;
  scope->walk([&](ConvOp op) { convs.push_back(op); });
  DenseSet<Operation *> done;
  for (ConvOp op : convs) {
    if (done.contains(op))
      continue;
    std::optional<Layer> layer = layerOf(op, isPointwise);
    if (!layer || fits(op, *layer, info))
      continue;
    bool isOfColumns = isByColumn(op, typeOf(op).getDimSize(3));
    SmallVector<CutTiles> found = proposeCuts(op, *layer, isOfColumns, info);
    if (found.empty())
      continue;
    SmallVector<Operation *> around;
    if (isOfColumns) {
      around = collectColumns(lastOf(op));
    } else {
      SetVector<Operation *> ops = layer->ops;
      ops.insert(op);
      ops.insert(lastOf(op));
      around = inOrder(ops);
    }
    const size_t number = llvm::find(around, op) - around.begin();
    unsigned best =
        cost.choose(around, found.size() + 1,
                    [&](ArrayRef<Operation *> ops, unsigned candidate) {
                      auto clone = ops[0]->getParentOfType<func::FuncOp>();
                      if (candidate && failed(cut(cast<ConvOp>(ops[number]),
                                                  found[candidate - 1], info)))
                        return failure();
                      return completeCandidate(clone, options);
                    });
    if (best == 0)
      continue;
    done.insert(around.begin(), around.end());
    if (failed(cut(op, found[best - 1], info)))
      return failure();
  }
  return success();
}

void mlir::ane::populateSplitForStripsPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.tiling.cutsHiddenChannels)
    patterns.add<SplitForStrips>(patterns.getContext(), options);
}
