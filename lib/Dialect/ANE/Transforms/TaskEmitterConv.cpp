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

#include "TaskEmitter.h"

#include "ane/HW/KernelPacking.h"

using namespace mlir;
using namespace mlir::ane;

// The widest image whose source may be small (Common.Cfg.SmallSourceMode), seen
// in all recorded convolutions; its coefficients stream past the buffer.
static bool isSmall(ConvOp conv) {
  auto out = cast<ShapedType>(conv.getType());
  return out.getDimSize(2) <= 8 && out.getDimSize(3) <= 8;
}

static bool isDepthwise(ConvOp conv) {
  int64_t channels = cast<ShapedType>(conv.getInput().getType()).getDimSize(1);
  return int64_t(conv.getGroups()) == channels && channels > 1 &&
         cast<ShapedType>(conv.getType()).getDimSize(1) == channels;
}

LogicalResult TaskEmitter::checkConv(ConvOp conv) {
  auto weight = cast<ShapedType>(conv.getWeight().getType());
  if (!conv.getWeight().getDefiningOp<ConstantOp>() ||
      (conv.getBias() && !conv.getBias().getDefiningOp<ConstantOp>()))
    return conv.emitOpError("has a weight or bias that is not a constant: the "
                            "coefficient streams are made at compile time");
  if (!weight.getElementType().isF16() ||
      (conv.getBias() &&
       !cast<ShapedType>(conv.getBias().getType()).getElementType().isF16()))
    return conv.emitOpError("has a weight or bias that is not f16; run "
                            "ane-legalize");
  if (llvm::any_of(conv.getDilations(), [](int64_t d) { return d != 1; }))
    return conv.emitOpError("has a dilation of ")
           << conv.getDilations()[0] << " x " << conv.getDilations()[1]
           << ", but the engine has no register for it; run ane-legalize, "
              "which "
              "fills the kernel with zeros";
  ArrayRef<int64_t> strides = conv.getStrides();
  if (strides[0] != strides[1] || strides[0] > int64_t(info().maxStride))
    return conv.emitOpError("has strides ")
           << strides[0] << " x " << strides[1]
           << ", but both must be equal and at most " << info().maxStride
           << "; run ane-legalize";
  int64_t kernel[] = {weight.getDimSize(2), weight.getDimSize(3)};
  int64_t maxKernel[] = {info().maxKernelHeight, info().maxKernelWidth};
  for (int dim = 0; dim < 2; ++dim) {
    if (kernel[dim] > maxKernel[dim])
      return conv.emitOpError("has a kernel of ")
             << kernel[0] << " x " << kernel[1] << ", but the engine has "
             << maxKernel[0] << " x " << maxKernel[1];
    if (conv.getPad()[2 * dim] > int64_t(info().maxPad))
      return conv.emitOpError("has a pad of ")
             << conv.getPad()[2 * dim] << ", but the engine has "
             << info().maxPad;
  }
  if (conv.getGroups() > 1 && !isDepthwise(conv) && conv.getBias())
    return unproven(conv, "a bias on a grouped convolution");
  return success();
}

// Output channels of the tasks, in the order in which they run: the last
// channels first, as the records have it (they re-read the same source).
SmallVector<int64_t> TaskEmitter::splitChannels(ConvOp conv, int64_t channels) {
  auto weight = cast<ShapedType>(conv.getWeight().getType());
  auto out = cast<ShapedType>(conv.getType());
  ::ane::hw::KernelShape shape;
  shape.cin = weight.getDimSize(1);
  shape.kh = weight.getDimSize(2);
  shape.kw = weight.getDimSize(3);
  shape.hasBias = bool(conv.getBias());
  shape.zeroSkipping = conv.getStrides()[0] == 2;
  shape.depthwise = isDepthwise(conv);
  auto fits = [&](int64_t perEngine) {
    shape.cout = std::min(channels, perEngine * info().neCount);
    shape.groups = shape.depthwise ? shape.cout : 1;
    ::ane::hw::chooseLanes(info(), shape, out.getDimSize(2), out.getDimSize(3));
    // Weights only: the records that fill the buffer exactly have a bias too.
    ::ane::hw::KernelShape bare = shape;
    bare.hasBias = false;
    return ::ane::hw::streamBytes(info(), bare) <= info().kernelBufferBytes;
  };
  int64_t perEngine = llvm::divideCeil(channels, info().neCount);
  if (isSmall(conv) || fits(perEngine))
    return {channels};
  // Full passes where the task has several, else an even number of lanes.
  int64_t lanes = perEngine, pass = info().maxLanes;
  while (lanes > 1 && !fits(lanes))
    --lanes;
  if (lanes >= pass)
    lanes -= lanes % pass;
  else if (lanes > 1)
    lanes -= lanes % 2;
  int64_t step = lanes * info().neCount;
  SmallVector<int64_t> parts;
  if (channels % step)
    parts.push_back(channels % step);
  parts.append(channels / step, step);
  return parts;
}

LogicalResult TaskEmitter::convPass(ConvOp conv, Value source, Value target,
                                    int64_t firstChannel, int64_t groups,
                                    float scale) {
  auto weight = cast<ShapedType>(conv.getWeight().getType());
  SmallVector<int64_t> kernelShape(weight.getShape());
  kernelShape[0] = cast<MemRefType>(target.getType()).getDimSize(1);
  MLIRContext *context = conv.getContext();
  auto kernelType =
      MemRefType::get(kernelShape, weight.getElementType(), AffineMap(),
                      MemorySpaceAttr::get(context, MemorySpace::Kernel));
  auto resultType = MemRefType::get(
      cast<MemRefType>(target.getType()).getShape(), weight.getElementType(),
      AffineMap(), MemorySpaceAttr::get(context, MemorySpace::L2));
  LogicalResult status = success();
  task(
      conv.getLoc(), source, target, [&](OpBuilder &builder, ValueRange tiles) {
        std::optional<ActivationAttr> act = conv.getActivation();
        // table() makes a load of its own; its function moves into ours.
        FailureOr<Value> table = this->table(conv, builder, act, scale);
        ActivationAttr tableAttr;
        if (succeeded(table) && *table) {
          (*table).getDefiningOp()->erase();
          tableAttr = *act;
        }
        Value kernel = KernelLoadOp::create(builder, conv.getLoc(), kernelType,
                                            conv.getWeight(), conv.getBias(),
                                            firstChannel, tableAttr);
        return NeConvOp::create(
                   builder, conv.getLoc(), resultType, tiles[0], kernel,
                   conv.getStrides(),
                   ArrayRef<int64_t>{conv.getPad()[0], conv.getPad()[2]},
                   groups, llvm::APFloat(scale), act.value_or(ActivationAttr()))
            .getResult();
      });
  return status;
}

LogicalResult TaskEmitter::emitConv(ConvOp conv) {
  if (failed(checkConv(conv)))
    return failure();
  float scale = 1;
  if (conv.getScale()) {
    std::optional<float> value = getScalarConstant(conv.getScale());
    if (!value || conv.getBias())
      return conv.emitOpError(
          "has a scale for each channel or next to a bias, "
          "but the engine has one multiplier; run ane-fold, "
          "which moves it into the weights");
    scale = *value;
  }
  FailureOr<Value> source = memref(conv, conv.getInput());
  if (failed(source))
    return failure();
  Value target = destination(conv.getResult());
  ArrayRef<int64_t> in = cast<MemRefType>(source->getType()).getShape();
  ArrayRef<int64_t> out = cast<MemRefType>(target.getType()).getShape();
  bool depthwise = isDepthwise(conv);
  int64_t groups = conv.getGroups();
  // Grouped kernels are not split: a group a task would be the first choice.
  SmallVector<int64_t> parts = {out[1]};
  if (groups == 1 || depthwise)
    parts = splitChannels(conv, out[1]);
  for (int64_t n = 0; n < in[0]; ++n) {
    int64_t end = out[1];
    for (int64_t channels : parts) {
      end -= channels;
      int64_t inFirst = depthwise ? end : 0;
      int64_t inChannels = depthwise ? channels : in[1];
      Value from = subview(conv.getLoc(), *source, {n, inFirst, 0, 0},
                           {1, inChannels, in[2], in[3]});
      Value to = subview(conv.getLoc(), target, {n, end, 0, 0},
                         {1, channels, out[2], out[3]});
      if (failed(convPass(conv, from, to, end, depthwise ? channels : groups,
                          scale)))
        return failure();
    }
  }
  return success();
}
