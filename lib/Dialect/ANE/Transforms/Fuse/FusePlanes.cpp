//===- FusePlanes.cpp - Maps of channels to the planes of a volume --------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A volume is convolved plane by plane (Volume.h), and the planes are joined:
//
//   map(reshape(concat(p0, p1, ...)), c)  ->  reshape(concat(map(p0, c), ...))
//
// where c has one value for each channel. After a convolution the map goes
// into its weights and bias then, as a batch norm of images does.
//
//===----------------------------------------------------------------------===//

#include "Fuse.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"

using namespace mlir;
using namespace mlir::ane;

/// Something that ends in a convolution, which this map can go into.
static bool isPlane(Value value, ArrayRef<int64_t> shape) {
  Operation *op = value.getDefiningOp();
  if (auto map = dyn_cast_if_present<ElementwiseOp>(op))
    return map->hasOneUse() && !map.getActivationAttr() &&
           (isPlane(map.getLhs(), shape) || isPlane(map.getRhs(), shape));
  return isa_and_present<ConvOp, ConvTransposeOp>(op) && op->hasOneUse() &&
         !op->hasAttr("activation") && shapeOf(value) == shape;
}

/// The planes behind `value`, 1 x D x C x H x W; none if it is no volume.
static ConcatOp planesOf(Value value) {
  auto volume = value.getDefiningOp<ReshapeOp>();
  if (!volume || !volume->hasOneUse() || shapeOf(volume).size() != 5)
    return {};
  auto concat = volume.getInput().getDefiningOp<ConcatOp>();
  ArrayRef<int64_t> shape = shapeOf(volume);
  if (!concat || !concat->hasOneUse() || concat.getAxis() != 1 ||
      shapeOf(concat).size() != 4 || shape[0] != 1 ||
      shape[1] != int64_t(concat.getInputs().size()))
    return {};
  SmallVector<int64_t> plane = {1, shape[2], shape[3], shape[4]};
  for (Value input : concat.getInputs())
    if (!isPlane(input, plane))
      return {};
  return concat;
}

static LogicalResult mapPlanes(ElementwiseOp op, PatternRewriter &rewriter) {
  bool isLeft = planesOf(op.getLhs()) != ConcatOp();
  Value data = isLeft ? op.getLhs() : op.getRhs();
  Value other = isLeft ? op.getRhs() : op.getLhs();
  ConcatOp planes = planesOf(data);
  if (!planes || op.getType() != data.getType())
    return rewriter.notifyMatchFailure(op, "no planes that are joined");
  ArrayRef<int64_t> shape = shapeOf(other);
  FailureOr<ConstantView> view = ConstantView::get(other);
  if (failed(view) || !view->isReadable() || shape.size() != 5 ||
      ShapedType::getNumElements(shape) != shape[2])
    return rewriter.notifyMatchFailure(op, "not one value for each channel");
  AneBuilder make(rewriter, op.getLoc());
  Value channels = make.numbers(view->readFloats(), /*rank=*/4, /*dim=*/1);
  SmallVector<Value> parts;
  for (Value plane : planes.getInputs())
    parts.push_back(ElementwiseOp::create(
        rewriter, op.getLoc(), plane.getType(), op.getKind(),
        isLeft ? plane : channels, isLeft ? channels : plane, op.getScale(),
        op.getBias(), op.getActivationAttr()));
  rewriter.replaceOp(op, make.reshape(make.concat(parts, planes.getAxis()),
                                      shapeOf(op.getResult())));
  return success();
}

void mlir::ane::populatePlanePatterns(RewritePatternSet &patterns) {
  addPatterns<mapPlanes>(patterns);
}
