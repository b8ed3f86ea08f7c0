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
// small beside weights that are large. Whatever takes less time.
//
// Where rows do not fit either, or windows are larger, there are
// strips in any case. Parts make them higher: fewer strips read the weights,
// and fewer rows between them are computed twice. What the additions cost is
// weighed.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "TilePlan.h"

#include "ane/HW/Chip.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

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
  return isSplittable(conv) && isByPixel(conv);
}

// The image keeps its size.
static bool keepsSize(ConvOp conv) {
  return isSplittable(conv) &&
         typeOf(conv.getInput()).getShape().drop_front(2) ==
             typeOf(conv).getShape().drop_front(2);
}

namespace {

/// What computes a layer, up to the convolutions that make its channels.
struct Layer {
  SetVector<Operation *> ops;
  SmallVector<ConvOp, 2> convs;
  int64_t weightBytes = 0, inputBytes = 0;
};

using IsTaken = function_ref<bool(ConvOp)>;

} // namespace

static int64_t bytesOf(Value value) {
  return typeOf(value).getNumElements() * int64_t(sizeof(uint16_t));
}

static bool collect(Value value, RankedTensorType type, IsTaken isTaken,
                    Layer &layer) {
  Operation *op = value.getDefiningOp();
  if (!op || typeOf(value) != type)
    return false;
  bool isNew = layer.ops.insert(op);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    if (layer.convs.empty())
      layer.inputBytes = bytesOf(conv.getInput());
    layer.convs.push_back(conv);
    layer.weightBytes += bytesOf(conv.getWeight());
    return isTaken(conv);
  }
  if (!isa<ActivationOp, ElementwiseOp>(op))
    return false;
  // Gates behind each other have more paths than ops; a conv counts for each
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

static int64_t channelsOfPart(ConvOp op, int64_t parts, int64_t engines) {
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  return llvm::divideCeil(llvm::divideCeil(channels, parts), engines) * engines;
}

namespace {

/// How a layer is cut.
struct Cut {
  int64_t hidden = 0;  ///< channels of the layer at a time
  int64_t outputs = 0; ///< channels that are added at a time
  /// The sum of the result and a shortcut: sums start with the shortcut.
  ElementwiseOp shortcut;
  /// If the layer passes through DRAM, so that input and sum need not be in L2
  /// at once: channels of the layer that are computed at a time.
  int64_t stored = 0;
};

} // namespace

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
  ElementwiseOp add = cut.shortcut;
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
  if (ActivationAttr function = op.getActivationAttr())
    sum = ActivationOp::create(rewriter, loc, op.getType(), sum, function);
  if (add)
    rewriter.replaceOp(add, sum);
  rewriter.replaceOp(op, sum);
  SmallVector<Operation *> inside = inOrder(layer.ops);
  for (Operation *done : llvm::reverse(inside))
    rewriter.eraseOp(done);
  return sum;
}

// What adds something as large to `op` and nothing else.
static ElementwiseOp shortcutOf(ConvOp op) {
  if (!op->hasOneUse() || op.getActivation())
    return {};
  auto add = dyn_cast<ElementwiseOp>(*op->user_begin());
  bool isPlain = add && add.getKind() == ElementwiseKind::Add &&
                 !add.getActivation() && add.getScale().isExactlyValue(1.0) &&
                 add.getBias().isZero() &&
                 add.getLhs().getType() == add.getRhs().getType() &&
                 add.getLhs() != add.getRhs();
  return isPlain ? add : ElementwiseOp();
}

namespace {

/// Bytes for one of some strips of columns.
struct StripBytes {
  int64_t in, hidden, out;
};

} // namespace

static StripBytes bytesOfStrip(ConvOp op, const Layer &layer, int64_t strips,
                               const ::ane::hw::GenerationInfo &info) {
  // Strips start where parts of a row can.
  int64_t columns = typeOf(op).getDimSize(3);
  int64_t size = columns;
  if (strips > 1)
    size = llvm::alignTo(llvm::divideCeil(columns, strips),
                         info.dmaAlign / sizeof(uint16_t));
  auto ofStrip = [&](int64_t bytes) { return bytes / columns * size; };
  return {ofStrip(layer.inputBytes), ofStrip(bytesOf(op.getInput())),
          ofStrip(bytesOf(op.getResult()))};
}

// All sums pass through the planar engine once for each part. An addition is
// short: weights of the product behind it are not all there when it ends.
static double secondsOfSums(ConvOp op, const Cut &cut, int64_t bytes,
                            const ::ane::hw::GenerationInfo &info) {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  int64_t outputs = typeOf(op).getDimSize(1);
  int64_t parts =
      llvm::divideCeil(typeOf(op.getInput()).getDimSize(1), cut.hidden);
  int64_t groups = llvm::divideCeil(outputs, cut.outputs);
  double pass = bytes / sizeof(uint16_t) / chip.elementsPerSecond;
  double weights = cut.hidden * cut.outputs * sizeof(uint16_t);
  // Half of the buffers of the engines: the next ones load into the other.
  double ofTask = chip.neCount * chip.kernelBufferBytes / 2;
  double load =
      weights / std::ceil(weights / ofTask) / chip.weightBytesPerSecond;
  double wait = std::max(0.0, load - pass * cut.outputs / outputs);
  return (parts - 1) * pass + parts * groups * chip.overlapLoss * wait;
}

// So that L2 has room for `tensors` as large as a part of the layer beside
// `others` and for some of the sums. None: there is no room for that. If nobody
// needs L2 for anything else, there is more of it, and the best of a few cuts
// is found: more parts would read more tables and biases.
static std::optional<Cut> findCut(ConvOp op, const StripBytes &bytes,
                                  int64_t tensors, int64_t others, bool isAlone,
                                  const ::ane::hw::GenerationInfo &info) {
  constexpr int64_t slack = 0x8000; // as the planner has it for streams
  int64_t most = isAlone ? info.l2Bytes : info.l2SourceBytes;
  int64_t room = most - slack - others;
  if (room < most / 8)
    return std::nullopt;
  // Groups of what parts add to make room, but are tasks of their own.
  int64_t tries = isAlone ? 3 : 1, mostGroups = isAlone ? 2 : 1;
  Cut cut;
  cut.shortcut = shortcutOf(op);
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t outputs = typeOf(op).getDimSize(1), engines = info.neCount;
  int64_t all = bytes.hidden * tensors;
  std::optional<Cut> best;
  double least = 0;
  for (int64_t parts = llvm::divideCeil(all, room); tries > 0; ++parts) {
    cut.hidden = channelsOfPart(op, parts, engines);
    int64_t rest = room - all * cut.hidden / channels;
    int64_t fit = rest * outputs / bytes.out / engines * engines;
    if (fit > 0 && llvm::divideCeilSigned(outputs, fit) <= mostGroups * parts) {
      int64_t groups = llvm::divideCeil(outputs, fit);
      cut.outputs = llvm::alignTo(llvm::divideCeil(outputs, groups), engines);
      double seconds = secondsOfSums(op, cut, bytes.out, info);
      if (!best || seconds < least)
        best = cut, least = seconds;
      --tries;
    }
    if (cut.hidden == engines)
      break;
  }
  return best;
}

// All in L2 at once.
static std::optional<Cut> findCut(ConvOp op, const Layer &layer, int64_t strips,
                                  const ::ane::hw::GenerationInfo &info) {
  StripBytes bytes = bytesOfStrip(op, layer, strips, info);
  std::optional<Cut> cut =
      findCut(op, bytes, layer.convs.size(), bytes.in + bytes.out,
              /*isAlone=*/false, info);
  // Without a shortcut in the sums it waits beside them. Where there is room
  // only if nothing else is there, the parts would be too many.
  if (!cut || !shortcutOf(op))
    return cut;
  return findCut(op, bytes, layer.convs.size(), bytes.in + bytes.out,
                 /*isAlone=*/true, info);
}

// The layer in DRAM. What is stored passes through L2 beside what it is
// computed from; half of what the input leaves is for that, as parts of all
// sizes leave gaps.
static std::optional<Cut> findStoredCut(ConvOp op, const Layer &layer,
                                        int64_t strips,
                                        const ::ane::hw::GenerationInfo &info) {
  StripBytes bytes = bytesOfStrip(op, layer, strips, info);
  std::optional<Cut> cut =
      findCut(op, bytes, 1, bytes.out, /*isAlone=*/false, info);
  int64_t room = (int64_t(info.l2SourceBytes) - bytes.in) / 2;
  int64_t tensors = layer.convs.size() + 1;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t fit = room * channels / (bytes.hidden * tensors);
  if (!cut || fit < int64_t(info.neCount))
    return std::nullopt;
  cut->stored = std::min(cut->hidden,
                         int64_t(llvm::alignDown(fit, int64_t(info.neCount))));
  return cut;
}

// Whether L2 holds the layer as it is.
static bool fits(ConvOp op, const Layer &layer,
                 const ::ane::hw::GenerationInfo &info) {
  return layer.inputBytes + bytesOf(op.getResult()) +
             bytesOf(op.getInput()) * int64_t(layer.convs.size()) <=
         int64_t(info.l2SourceBytes);
}

namespace {

struct Strips {
  double count = 0, seconds = 0;
};

} // namespace

// Of some of the channels.
static double secondsOf(ConvOp conv, int64_t channels,
                        const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
  ArrayRef<int64_t> out = typeOf(conv).getShape();
  ::ane::sim::TaskWork work;
  work.cout = channels;
  work.kernelWidth = weight[3];
  work.macs = channels * weight[1] * weight[2] * weight[3] * out[2] * out[3];
  return ::ane::sim::predict(::ane::hw::chipOf(info.id), work).compute;
}

// Strips of rows, or of columns if there is one row, as high as L2 has room
// for, with `step` channels of the layer at a time.
static Strips stripsOf(ConvOp op, const Layer &layer, int64_t step,
                       const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> out = typeOf(op).getShape();
  unsigned dim = out[2] > 1 ? 2 : 3;
  ArrayRef<int64_t> window = typeOf(op.getWeight()).getShape();
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t parts = llvm::divideCeil(channels, step);
  double extent = out[dim];
  auto bytesOfRow = [&](int64_t count) {
    return 2.0 * count * out[2] * out[3] / extent;
  };
  int64_t haloIn = 0;
  for (ConvOp conv : layer.convs)
    haloIn = std::max(haloIn, typeOf(conv.getWeight()).getDimSize(dim) - 1);
  int64_t halo = window[dim] - 1;
  double hidden = bytesOfRow(step * layer.convs.size());
  double in = layer.inputBytes / extent;
  double sums = bytesOfRow(parts > 1 ? 2 * out[1] : out[1]);
  constexpr double slack = 0x20000; // of L2, for tiles
  double height =
      (info.l2SourceBytes - slack - halo * hidden - (halo + haloIn) * in) /
      (hidden + in + sums);
  Strips strips;
  height = std::max(1.0, height);
  strips.count = std::max(1.0, extent / height);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  double elements = (parts - 1) * typeOf(op).getNumElements();
  double seconds = elements / chip.elementsPerSecond;
  for (ConvOp conv : layer.convs)
    seconds += parts * secondsOf(conv, step, info) * (1 + halo / height);
  // Weights of the next task load during it.
  constexpr double arithmetic = 0.5;
  strips.seconds = strips.count *
                       double(layer.weightBytes + bytesOf(op.getWeight())) /
                       chip.weightBytesPerSecond +
                   arithmetic * seconds;
  return strips;
}

namespace {

struct SplitHiddenChannels : public OpRewritePattern<ConvOp> {
  SplitHiddenChannels(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Layer> layer = layerOf(op, isPointwise);
    // Weights that are small are read again for strips.
    if (!layer || fits(op, *layer, info) ||
        layer->weightBytes + bytesOf(op.getWeight()) <
            2 * bytesOf(op.getInput()))
      return failure();
    std::optional<Cut> cut = findCut(op, *layer, 1, info);
    if (!cut)
      return failure();
    split(rewriter, op, *layer, *cut);
    return success();
  }

private:
  const ::ane::hw::GenerationInfo &info;
};

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
static SmallVector<Operation *>
collectColumns(Operation *last, const DenseSet<Operation *> &attention) {
  int64_t columns = typeOf(last->getResult(0)).getDimSize(3);
  SetVector<Operation *> ops;
  ops.insert(last);
  SmallVector<Operation *> next = {last};
  while (!next.empty())
    for (Value operand : next.pop_back_val()->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || ops.contains(def) || attention.contains(def) ||
          !isByColumn(def, columns) ||
          !llvm::all_of(def->getUsers(),
                        [&](Operation *user) { return ops.contains(user); }))
        continue;
      ops.insert(def);
      next.push_back(def);
    }
  return inOrder(ops);
}

namespace {

/// A cut layer in strips of columns.
struct CutStrips {
  int64_t count = 1;
  Cut cut;
};

} // namespace

// Of a layer whose weights are read `times` times.
static double secondsOf(ConvOp op, const Layer &layer, double times,
                        const ::ane::hw::GenerationInfo &info) {
  double products = secondsOf(op, typeOf(op).getDimSize(1), info);
  for (ConvOp conv : layer.convs)
    products += secondsOf(conv, typeOf(conv).getDimSize(1), info);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  double weights = times * double(layer.weightBytes + bytesOf(op.getWeight())) /
                   chip.weightBytesPerSecond;
  return std::max(products, weights) +
         chip.overlapLoss * std::min(products, weights);
}

// Weights load during the task before, but not during `times` tasks of the
// planar engine, which are short. `weights` are those of all tasks behind them.
static double waitingTime(double times, double weights,
                          const ::ane::hw::ChipInfo &chip) {
  double ahead = chip.neCount * chip.kernelBufferBytes / 2;
  return times * chip.overlapLoss * std::min(weights / times, ahead) /
         chip.weightBytesPerSecond;
}

// With what the additions, and a layer in DRAM, cost.
static double secondsOf(ConvOp op, const Layer &layer, const CutStrips &strips,
                        const ::ane::hw::GenerationInfo &info) {
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  const Cut &cut = strips.cut;
  int64_t channels = typeOf(op.getInput()).getDimSize(1);
  int64_t parts = llvm::divideCeil(channels, cut.hidden);
  int64_t groups = llvm::divideCeil(typeOf(op).getDimSize(1), cut.outputs);
  int64_t steps =
      llvm::divideCeil(channels, cut.stored ? cut.stored : cut.hidden);
  double seconds =
      secondsOf(op, layer, strips.count, info) +
      (parts - 1) * typeOf(op).getNumElements() / chip.elementsPerSecond;
  seconds +=
      strips.count * waitingTime(parts * groups, bytesOf(op.getWeight()), chip);
  if (layer.convs.size() > 1)
    seconds +=
        strips.count *
        waitingTime(steps, bytesOf(ConvOp(layer.convs[0]).getWeight()), chip);
  if (!cut.stored)
    return seconds;
  // A tenth, as this knows nothing of what the planner keeps.
  return 1.1 * (seconds + 2 * bytesOf(op.getInput()) / chip.tileBytesPerSecond);
}

// Strips of the layer as it is.
static double countStrips(ConvOp op, const Layer &layer,
                          const ::ane::hw::GenerationInfo &info) {
  return stripsOf(op, layer, typeOf(op.getInput()).getDimSize(1), info).count;
}

// The fewest strips that a cut layer needs, if its weights are then read less
// often than for strips of the layer as it is. What this saves pays for the
// additions.
static std::optional<CutStrips>
findStrips(ConvOp op, const Layer &layer,
           const ::ane::hw::GenerationInfo &info) {
  const double whole = countStrips(op, layer, info);
  const ::ane::hw::ChipInfo &chip = ::ane::hw::chipOf(info.id);
  for (int64_t count = 2; count + 1 < whole; ++count)
    if (std::optional<Cut> cut = findCut(op, layer, count, info)) {
      double saved = (whole - count) *
                     double(layer.weightBytes + bytesOf(op.getWeight())) /
                     chip.weightBytesPerSecond;
      int64_t parts =
          llvm::divideCeil(typeOf(op.getInput()).getDimSize(1), cut->hidden);
      double added =
          (parts - 1) * typeOf(op).getNumElements() / chip.elementsPerSecond;
      if (saved < added)
        return std::nullopt;
      return CutStrips{count, *cut};
    }
  return std::nullopt;
}

// The best strips with the layer in DRAM, if they take less time than `others`,
// or without these than strips of the layer as it is.
static std::optional<CutStrips>
findStoredStrips(ConvOp op, const Layer &layer,
                 const std::optional<CutStrips> &others,
                 const ::ane::hw::GenerationInfo &info) {
  const double whole = countStrips(op, layer, info);
  std::optional<CutStrips> best;
  double least = others ? secondsOf(op, layer, *others, info)
                        : secondsOf(op, layer, whole, info);
  for (int64_t count = 1; count + 1 < whole; ++count)
    if (std::optional<Cut> cut = findStoredCut(op, layer, count, info)) {
      CutStrips strips = {count, *cut};
      if (double seconds = secondsOf(op, layer, strips, info);
          seconds < least) {
        least = seconds;
        best = strips;
      }
    }
  return best;
}

LogicalResult mlir::ane::splitLongLayers(Operation *scope,
                                         const DecomposeOptions &options) {
  if (!options.policy.conv.splitsHiddenChannels)
    return success();
  const ::ane::hw::GenerationInfo &info = options.generation;
  SmallVector<ConvOp> convs;
  bool isPlanned = false;
  scope->walk([&](Operation *op) {
    isPlanned |= op->hasAttr(ANEDialect::getTileAttrName());
    if (auto conv = dyn_cast<ConvOp>(op);
        conv && isByColumn(conv, typeOf(conv).getDimSize(3)))
      convs.push_back(conv);
  });
  DenseSet<Operation *> attention = findAttention(scope);
  IRRewriter rewriter(scope->getContext());
  for (ConvOp op : convs) {
    std::optional<Layer> layer = layerOf(op, isPointwise);
    if (isPlanned || !layer || fits(op, *layer, info))
      continue;
    std::optional<CutStrips> found = findStrips(op, *layer, info);
    if (auto stored = findStoredStrips(op, *layer, found, info))
      found = stored;
    if (!found)
      continue;
    int64_t granule = info.dmaAlign / sizeof(uint16_t);
    int64_t size = llvm::alignTo(
        llvm::divideCeil(typeOf(op).getDimSize(3), found->count), granule);
    rewriter.setInsertionPoint(op);
    Operation *last = split(rewriter, op, *layer, found->cut).getDefiningOp();
    if (found->count == 1)
      continue;
    SmallVector<Operation *> ops = collectColumns(last, attention);
    for (Operation *op : ops)
      op->setAttr(
          ANEDialect::getTileAttrName(),
          TileAttr::get(op->getContext(), /*group=*/0, /*dim=*/3, size));
    SmallVector<ConcatOp> results = resultsOfAttention(ops, attention);
    if (failed(tileGroup(ops)))
      return failure();
    for (ConcatOp result : results)
      cutAttentionInStrips(result, attention, info);
  }
  return success();
}

void mlir::ane::populateDecomposeFeedForwardPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.conv.splitsHiddenChannels)
    patterns.add<SplitHiddenChannels>(patterns.getContext(), options);
}

void mlir::ane::populateSplitForStripsPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.conv.splitsHiddenChannels)
    patterns.add<SplitForStrips>(patterns.getContext(), options);
}
