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
// makes a sum for each part, and the sums are added.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

static bool isPointwise(ConvOp conv) {
  ArrayRef<int64_t> weight = typeOf(conv.getWeight()).getShape();
  auto isConstant = [](Value value) {
    return !value || value.getDefiningOp<ConstantOp>();
  };
  return conv.getGroups() == 1 && weight.size() == 4 && weight[2] == 1 &&
         weight[3] == 1 && !conv.getScale() && isConstant(conv.getWeight()) &&
         isConstant(conv.getBias()) &&
         llvm::all_of(conv.getStrides(), [](int64_t s) { return s == 1; }) &&
         llvm::all_of(conv.getPad(), [](int64_t pad) { return pad == 0; });
}

namespace {

/// What computes a layer, up to the convolutions that make its channels.
struct Layer {
  SetVector<Operation *> ops; ///< users before what they use
  int64_t weightBytes = 0, inputBytes = 0;
  int64_t numConvs = 0;
};

} // namespace

static int64_t bytesOf(Value value) {
  return typeOf(value).getNumElements() * int64_t(sizeof(uint16_t));
}

static bool collect(Value value, RankedTensorType type, Layer &layer) {
  Operation *op = value.getDefiningOp();
  if (!op || typeOf(value) != type)
    return false;
  layer.ops.insert(op);
  if (auto conv = dyn_cast<ConvOp>(op)) {
    if (layer.numConvs++ == 0)
      layer.inputBytes = bytesOf(conv.getInput());
    layer.weightBytes += bytesOf(conv.getWeight());
    return isPointwise(conv);
  }
  if (!isa<ActivationOp, ElementwiseOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return typeOf(operand).getNumElements() == 1 ||
           collect(operand, type, layer);
  });
}

namespace {

struct SplitHiddenChannels : public OpRewritePattern<ConvOp> {
  SplitHiddenChannels(MLIRContext *context, const DecomposeOptions &options)
      : OpRewritePattern(context), info(options.generation) {}

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    Layer layer;
    if (!isImage(op.getResult()) || !isPointwise(op) ||
        !collect(op.getInput(), typeOf(op.getInput()), layer) ||
        !isOnlyOf(layer, op))
      return failure();
    int64_t parts = countParts(op, layer);
    if (parts == 1)
      return failure();
    int64_t channels = typeOf(op.getInput()).getDimSize(1);
    int64_t engines = info.neCount;
    int64_t step =
        llvm::divideCeil(llvm::divideCeil(channels, parts), engines) * engines;
    Value sum;
    for (int64_t first = 0; first < channels; first += step) {
      int64_t count = std::min(step, channels - first);
      Value part = createPart(rewriter, op, layer, first, count);
      sum = sum ? binary(rewriter, op.getLoc(), ElementwiseKind::Add, sum, part)
                : part;
    }
    if (ActivationAttr function = op.getActivationAttr())
      sum = ActivationOp::create(rewriter, op.getLoc(), op.getType(), sum,
                                 function);
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  static bool isOnlyOf(const Layer &layer, ConvOp op) {
    return llvm::all_of(layer.ops, [&](Operation *inside) {
      return llvm::all_of(inside->getUsers(), [&](Operation *user) {
        return user == op || layer.ops.contains(user);
      });
    });
  }

  // So that the tensors of a part fit into L2 beside input and sum, and beside
  // what is added behind if that does not make the parts small. 1: all fits, or
  // the weights are not worth it.
  int64_t countParts(ConvOp op, const Layer &layer) const {
    constexpr int64_t slack = 0x20000; // of L2, for tiles
    int64_t hidden = bytesOf(op.getInput()), out = bytesOf(op.getResult());
    int64_t all = hidden * layer.numConvs, most = info.l2SourceBytes;
    int64_t room = most - slack - layer.inputBytes - out;
    if (layer.numConvs == 0 || room < most / 8 ||
        layer.inputBytes + out + all <= most ||
        layer.weightBytes + bytesOf(op.getWeight()) < 2 * hidden)
      return 1;
    if (room - out >= most / 3)
      room -= out;
    return llvm::divideCeil(all, room);
  }

  static Value createPart(OpBuilder &builder, ConvOp op, const Layer &layer,
                          int64_t first, int64_t count) {
    Location loc = op.getLoc();
    IRMapping mapping;
    auto clone = [&](Operation *from, RankedTensorType type) {
      Operation *part = builder.clone(*from, mapping);
      part->getResult(0).setType(type);
      return part;
    };
    RankedTensorType type = withDim(typeOf(op.getInput()), 1, count);
    // A stable order in which operands come first.
    SmallVector<Operation *> ops(layer.ops.begin(), layer.ops.end());
    llvm::sort(
        ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *inside : ops) {
      if (auto conv = dyn_cast<ConvOp>(inside))
        for (Value constant : {conv.getWeight(), conv.getBias()})
          if (constant)
            mapping.map(constant,
                        sliceDim(builder, loc, constant, 0, first, count));
      Operation *part = clone(inside, type);
      mapping.map(inside->getResult(0), part->getResult(0));
    }
    Value weight = sliceDim(builder, loc, op.getWeight(), 1, first, count);
    auto part = cast<ConvOp>(clone(op, op.getType()));
    part.getWeightMutable().assign(weight);
    part.removeActivationAttr();
    if (first)
      part.getBiasMutable().clear();
    return part;
  }

  const ::ane::hw::GenerationInfo &info;
};

} // namespace

void mlir::ane::populateDecomposeFeedForwardPatterns(
    RewritePatternSet &patterns, const DecomposeOptions &options) {
  if (options.policy.conv.splitsHiddenChannels)
    patterns.add<SplitHiddenChannels>(patterns.getContext(), options);
}
