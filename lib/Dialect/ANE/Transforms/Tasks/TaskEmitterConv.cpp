//===- TaskEmitterConv.cpp - Convolutions to tasks ------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One task convolves one image, and no more output channels than the
// coefficient buffer of an NE has room for.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Plan/ConvTasks.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/KernelPacking.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;

// The tasks of one image, the last channels first, as the records have it (they
// re-read the same source).
FailureOr<SmallVector<TaskEmitter::ConvPart>>
TaskEmitter::splitConv(ConvOp conv) const {
  int64_t out = cast<ShapedType>(conv.getType()).getDimSize(1);
  int64_t in = cast<ShapedType>(conv.getInput().getType()).getDimSize(1);
  int64_t groups = conv.getGroups(), outPerGroup = out / groups,
          inPerGroup = in / groups;
  SmallVector<ConvPart> parts;
  bool depthwise = isDepthwise(conv);
  ConvTasks tasks(conv, info(), policy().conv.doubleBuffers);
  if (groups > 1 && !depthwise &&
      (streamsCoefficients(conv) || tasks.fits(outPerGroup, 1))) {
    int64_t count = groups;
    while (count > 1 && !streamsCoefficients(conv) &&
           !tasks.fits(count * outPerGroup, count))
      --count;
    for (int64_t end = groups; end > 0;) {
      int64_t now = end % count ? end % count : count;
      end -= now;
      parts.push_back({end * outPerGroup, now * outPerGroup, end * inPerGroup,
                       now * inPerGroup, now});
    }
    return parts;
  }
  // A group that does not fit is a convolution of its own.
  int64_t blocks = depthwise ? 1 : groups, channels = out / blocks;
  int64_t step = tasks.channelsOfTask(channels);
  if (!step)
    return conv.emitOpError("has coefficients of ")
           << conv.getWeight().getType()
           << ", and one output channel exceeds the "
           << info().kernelBufferBytes
           << " bytes of the coefficient buffer of an NE; split the input "
              "channels and add the results";
  for (int64_t block = blocks - 1; block >= 0; --block)
    for (int64_t end = channels; end > 0;) {
      int64_t now = end == channels && channels % step ? channels % step : step;
      end -= now;
      int64_t first = block * channels + end;
      if (depthwise)
        parts.push_back({first, now, first, now, now});
      else
        parts.push_back({first, now, block * inPerGroup, inPerGroup, 1});
    }
  return parts;
}

Value TaskEmitter::convPass(ConvOp conv, const ConvPart &part,
                            const ConvPass &pass) {
  TaskSpec spec;
  spec.sources = {{pass.source, pass.keepsSource}};
  spec.target = pass.target;
  spec.shape = llvm::to_vector(shapeOf(pass.target));
  spec.shape[1] *= pass.interleave;
  spec.shape[3] /= pass.interleave;
  spec.interleave = pass.interleave;
  TaskResults results = task(
      conv.getLoc(), spec,
      [&](OpBuilder &body, ValueRange tiles, MemRefType type) -> Value {
        ActivationAttr act = conv.getActivationAttr();
        float scale = pass.scale;
        bool hasTable = takesTable(act, scale);
        Value weights =
            kernel(body, conv.getLoc(), conv.getWeight(), pass.bias, part.first,
                   part.channels, hasTable ? act : ActivationAttr());
        return NeConvOp::create(
            body, conv.getLoc(), type, tiles[0], weights, conv.getStrides(),
            ArrayRef<int64_t>{conv.getPad()[0], conv.getPad()[2]}, part.groups,
            llvm::APFloat(scale), act, pass.exchange, pass.lanes);
      });
  return pass.keepsSource ? results.kept.front() : Value();
}

// The field for the lanes of a part follows the whole where the kernel skips
// zeros (3 of 3 recorded splits), and the part elsewhere.
IntegerAttr TaskEmitter::lanesOfWhole(ConvOp conv) {
  if (!policy().conv.lanesOfWhole || conv.getStrides()[0] != 2)
    return {};
  auto out = cast<ShapedType>(conv.getType());
  ::ane::hw::KernelShape shape;
  shape.cout = out.getDimSize(1);
  ::ane::hw::chooseLanes(info(), shape, out.getDimSize(2), out.getDimSize(3));
  return Builder(conv.getContext()).getI64IntegerAttr(1 << shape.lanesLog2);
}

// Parts of the channels start at columns that rows can start at.
TransposeOp TaskEmitter::storedTranspose(ConvOp conv) {
  TransposeOp transpose = getStoredTranspose(conv);
  if (!transpose)
    return {};
  FailureOr<SmallVector<ConvPart>> parts = splitConv(conv);
  int64_t align = info().dmaAlign / sizeof(uint16_t);
  if (failed(parts) || llvm::any_of(*parts, [&](const ConvPart &part) {
        return part.first % align != 0;
      }))
    return {};
  return transpose;
}

// Parts are whole groups of the channels that lie side by side.
InterleaveOp TaskEmitter::storedInterleave(ConvOp conv) {
  InterleaveOp interleave = getStoredInterleave(conv);
  if (!interleave)
    return {};
  FailureOr<SmallVector<ConvPart>> parts = splitConv(conv);
  int64_t factor = interleave.getFactor();
  if (failed(parts) || llvm::any_of(*parts, [&](const ConvPart &part) {
        return part.first % factor != 0 || part.channels % factor != 0;
      }))
    return {};
  return interleave;
}

Value TaskEmitter::resultOf(ConvOp conv) {
  if (TransposeOp transpose = storedTranspose(conv))
    return transpose.getResult();
  if (InterleaveOp interleave = storedInterleave(conv))
    return interleave.getResult();
  return conv.getResult();
}

static bool isPowerOfTwo(float value) {
  int exponent;
  return std::frexp(value, &exponent) == 0.5f;
}

/// The bias as the engine adds it: before its multiplier.
static Value biasBeforeScale(ConvOp conv, float scale) {
  Value bias = conv.getBias();
  if (!bias || scale == 1)
    return bias;
  FailureOr<SmallVector<float>> values = readConstant(bias);
  if (failed(values))
    return bias; // checkLegal has seen that it is a constant of f16
  for (float &value : *values)
    value /= scale;
  OpBuilder builder(bias.getContext());
  builder.setInsertionPointAfterValue(bias);
  return createConstant(builder, bias.getLoc(),
                        cast<RankedTensorType>(bias.getType()), *values);
}

LogicalResult TaskEmitter::emitConv(ConvOp conv) {
  float scale = 1;
  if (conv.getScale()) {
    std::optional<float> value = getScalarConstant(conv.getScale());
    if (!value || (conv.getBias() && !isPowerOfTwo(*value)))
      return conv.emitOpError(
          "has a scale for each channel, or one next to a bias that is no "
          "power of two, but the engine has one multiplier, after the bias; "
          "run ane-fold, which moves it into the weights");
    scale = *value;
  }
  const Value bias = biasBeforeScale(conv, scale);
  FailureOr<Value> source = memref(conv, conv.getInput());
  if (failed(source))
    return failure();
  TransposeOp stored = storedTranspose(conv);
  InterleaveOp interleave = stored ? InterleaveOp() : storedInterleave(conv);
  int64_t factor = interleave ? interleave.getFactor() : 1;
  Value target = destination(resultOf(conv));
  if (stored)
    target = exchanged(stored, target, {0, 2});
  ArrayRef<int64_t> in = shapeOf(*source);
  ArrayRef<int64_t> out = shapeOf(target);
  FailureOr<SmallVector<ConvPart>> parts = splitConv(conv);
  if (failed(parts))
    return failure();
  bool isSplit = parts->size() > 1;
  // Groups have sources of their own.
  bool keeps = isSplit && policy().conv.keepsSource &&
               (*parts)[0].inChannels == in[1] &&
               policy().conv.keepsSource({1, in[1], in[2], in[3]});
  for (int64_t n = 0; n < in[0]; ++n) {
    Value kept;
    for (const ConvPart &part : *parts) {
      ConvPass pass;
      pass.source =
          kept ? kept
               : subview(conv.getLoc(), *source, {n, part.inFirst, 0, 0},
                         {1, part.inChannels, in[2], in[3]});
      pass.target =
          stored
              ? subview(conv.getLoc(), target, {n, 0, 0, part.first},
                        {1, out[1], out[2], part.channels})
              : subview(conv.getLoc(), target, {n, part.first / factor, 0, 0},
                        {1, part.channels / factor, out[2], out[3]});
      pass.scale = scale;
      pass.bias = bias;
      pass.exchange = bool(stored);
      pass.interleave = factor;
      pass.keepsSource = keeps && !kept;
      if (isSplit)
        pass.lanes = lanesOfWhole(conv);
      Value left = convPass(conv, part, pass);
      kept = kept ? kept : left;
    }
  }
  return success();
}
