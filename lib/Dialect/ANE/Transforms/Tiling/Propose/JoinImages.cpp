//===- JoinImages.cpp - Images of a batch below each other ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NEs have no loop over images, so that each image of a batch has tasks of
// its own, which load the weights again. Layers late in a network have many
// weights and few pixels, and wait for them. There the images become one, with
// the rows of all of them below each other:
//
//   x, N x C x H x W          rows, 1 x C x N * H x W
//   conv(x, w) of 1 x 1       conv(rows, w)
//   x + y, act(x), ...        the same
//   norm of the channels      the same
//
// A window that looks at rows around its own has rows of zeros between the
// images, as many as it is padded with:
//
//   rows = concat(x[0], 0, x[1], 0, ..., x[N - 1])
//   conv(x, w)[n]  =  conv(rows, w)[rows of image n]
//
// What comes before and after is of one image after the other.
//
//===----------------------------------------------------------------------===//

#include "JoinImages.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Simulator/CostModel.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// How a convolution reads images below each other.
struct Window {
  int64_t top = 0, bottom = 0; ///< rows of zeros around an image
  int64_t stride = 1;
  int64_t pitch = 1; ///< rows from an image to the next
};

class ImageJoiner {
public:
  ImageJoiner(func::FuncOp func, int64_t images,
              const ::ane::hw::GenerationInfo &generation)
      : func(func), images(images), info(generation),
        chip(::ane::hw::chipOf(generation.id)) {}
  bool run();

private:
  bool isBatch(Value value) const;
  Window windowOf(ConvOp conv) const;
  bool isWorthIt(ConvOp conv) const;
  bool isOfRows(Operation *op) const;
  Value imageOf(OpBuilder &builder, Value value, int64_t image);
  Value rowsOf(OpBuilder &builder, Value value);
  Value spacedRowsOf(OpBuilder &builder, Value value, int64_t gap);
  void leaveRows(OpBuilder &builder, Operation *op, Value rows, int64_t pitch);
  void joinConv(ConvOp conv);
  void joinOp(Operation *op);

  func::FuncOp func;
  const int64_t images;
  const ::ane::hw::GenerationInfo &info;
  const ::ane::hw::ChipInfo &chip;
  /// Of batches: all rows, without any between the images.
  DenseMap<Value, Value> rows;
  DenseMap<Value, SmallVector<Value>> parts; ///< of batches: each image
};

} // namespace

bool ImageJoiner::isBatch(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 4 && type.getDimSize(0) == images &&
         type.getElementType().isF16();
}

//===----------------------------------------------------------------------===//
// What is joined
//===----------------------------------------------------------------------===//

Window ImageJoiner::windowOf(ConvOp conv) const {
  int64_t in = shapeOf(conv.getInput())[2], out = shapeOf(conv)[2];
  DimMap rows = getDimMap(conv, 0, 2);
  Window window;
  window.stride = rows.stride;
  window.top = rows.before;
  window.bottom = std::max<int64_t>(0, (out - 1) * rows.stride +
                                           rows.getSpan() - rows.before - in);
  window.pitch =
      llvm::alignTo(in + std::max(window.top, window.bottom), window.stride);
  return window;
}

// Whether it waits so long for its weights that moving images is faster.
bool ImageJoiner::isWorthIt(ConvOp conv) const {
  if (!isBatch(conv.getInput()) ||
      !conv.getWeight().getDefiningOp<ConstantOp>())
    return false;
  ArrayRef<int64_t> in = shapeOf(conv.getInput()), out = shapeOf(conv);
  ArrayRef<int64_t> weight = shapeOf(conv.getWeight());
  ::ane::sim::LayerShape layer;
  layer.cin = in[1];
  layer.cout = out[1];
  layer.height = out[2];
  layer.width = out[3];
  layer.kh = weight[2];
  layer.kw = weight[3];
  layer.groups = conv.getGroups();
  auto seconds = [&] {
    ::ane::sim::TaskTime time = ::ane::sim::predict(
        chip, ::ane::sim::workOf(chip, layer, /*reads=*/false,
                                 /*writes=*/false));
    return std::max(time.compute, time.weights);
  };
  Window window = windowOf(conv);
  double each = seconds();
  int64_t rows = (images - 1) * window.pitch + in[2];
  if (rows > int64_t(info.maxHeight))
    return false;
  layer.height = rows / window.stride;
  // All images may be more than L2 holds: then all go through DRAM once.
  int64_t elements =
      ShapedType::getNumElements(in) + ShapedType::getNumElements(out);
  return images * each - seconds() >
         sizeof(uint16_t) * elements / chip.tileBytesPerSecond;
}

static bool hasWhole(SliceOp slice, unsigned dim) {
  return shapeOf(slice.getInput())[dim] == shapeOf(slice)[dim];
}

// Whether each row of the result is of the same row of what is computed.
bool ImageJoiner::isOfRows(Operation *op) const {
  auto isOther = [](ArrayRef<int64_t> axes) {
    return !llvm::is_contained(axes, 0) && !llvm::is_contained(axes, 2);
  };
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return isOther(norm.getAxes());
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return isOther(norm.getAxes());
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return isOther(softmax.getAxis());
  if (auto concat = dyn_cast<ConcatOp>(op))
    return isOther(concat.getAxis());
  if (auto slice = dyn_cast<SliceOp>(op))
    return hasWhole(slice, 0) && hasWhole(slice, 2);
  if (!isa<ElementwiseOp, ActivationOp, CompareOp, SelectOp>(op))
    return false;
  int64_t height = shapeOf(op->getResult(0))[2];
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    ArrayRef<int64_t> shape = shapeOf(operand);
    bool isSame = shape.size() == 4 && shape[0] == 1 && shape[2] == 1;
    return isSame || (isBatch(operand) && shape[2] == height);
  });
}

//===----------------------------------------------------------------------===//
// Rows of images
//===----------------------------------------------------------------------===//

Value ImageJoiner::imageOf(OpBuilder &builder, Value value, int64_t image) {
  auto found = parts.find(value);
  return found != parts.end()
             ? found->second[image]
             : sliceDim(builder, value.getLoc(), value, 0, image, 1);
}

Value ImageJoiner::rowsOf(OpBuilder &builder, Value value) {
  if (!isBatch(value))
    return value; // the same for all rows
  Value &joined = rows[value];
  if (joined)
    return joined;
  SmallVector<Value> all;
  for (int64_t image = 0; image < images; ++image)
    all.push_back(imageOf(builder, value, image));
  return joined = concatDim(builder, value.getLoc(), all, 2);
}

Value ImageJoiner::spacedRowsOf(OpBuilder &builder, Value value, int64_t gap) {
  if (gap == 0)
    return rowsOf(builder, value);
  SmallVector<int64_t> shape(shapeOf(value));
  shape[0] = 1;
  shape[2] = gap;
  Value zeros = splatConstant(builder, value.getLoc(), shape, 0);
  SmallVector<Value> all;
  for (int64_t image = 0; image < images; ++image) {
    if (image > 0)
      all.push_back(zeros);
    all.push_back(imageOf(builder, value, image));
  }
  return concatDim(builder, value.getLoc(), all, 2);
}

// The images of a result, for ops that are not joined.
void ImageJoiner::leaveRows(OpBuilder &builder, Operation *op, Value joined,
                            int64_t pitch) {
  Value result = op->getResult(0);
  int64_t height = shapeOf(result)[2];
  SmallVector<Value> all;
  for (int64_t image = 0; image < images; ++image)
    all.push_back(
        sliceDim(builder, op->getLoc(), joined, 2, image * pitch, height));
  Value batch = concatDim(builder, op->getLoc(), all, 0);
  if (pitch == height)
    rows[batch] = joined;
  parts[batch] = std::move(all);
  result.replaceAllUsesWith(batch);
  op->erase();
}

void ImageJoiner::joinConv(ConvOp conv) {
  OpBuilder builder(conv);
  Window window = windowOf(conv);
  int64_t height = shapeOf(conv.getInput())[2];
  Value joined = spacedRowsOf(builder, conv.getInput(), window.pitch - height);
  IRMapping mapping;
  mapping.map(conv.getInput(), joined);
  auto clone = cast<ConvOp>(builder.clone(*conv, mapping));
  int64_t pitch = window.pitch / window.stride;
  SmallVector<int64_t> shape(shapeOf(conv));
  shape[0] = 1;
  shape[2] += (images - 1) * pitch;
  clone.getResult().setType(typeOf(conv).clone(shape));
  leaveRows(builder, conv, clone, pitch);
}

void ImageJoiner::joinOp(Operation *op) {
  OpBuilder builder(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, rowsOf(builder, operand));
  Operation *clone = builder.clone(*op, mapping);
  Value result = clone->getResult(0);
  SmallVector<int64_t> shape(shapeOf(result));
  int64_t height = shape[2];
  shape[0] = 1;
  shape[2] *= images;
  result.setType(typeOf(result).clone(shape));
  if (auto slice = dyn_cast<SliceOp>(clone))
    slice.setSizes(shape);
  leaveRows(builder, op, result, height);
}

bool ImageJoiner::run() {
  bool isJoined = false;
  for (Operation &op : llvm::make_early_inc_range(func.front())) {
    if (op.getNumResults() != 1 || !isBatch(op.getResult(0)))
      continue;
    auto hasRows = [&](Value operand) { return rows.contains(operand); };
    if (auto conv = dyn_cast<ConvOp>(op)) {
      if (!isWorthIt(conv))
        continue;
      joinConv(conv);
      isJoined = true;
    } else if (llvm::any_of(op.getOperands(), hasRows) && isOfRows(&op)) {
      joinOp(&op);
    }
  }
  return isJoined;
}

bool mlir::ane::joinImages(func::FuncOp func, int64_t images,
                           const ::ane::hw::GenerationInfo &generation) {
  return images > 1 && ImageJoiner(func, images, generation).run();
}
