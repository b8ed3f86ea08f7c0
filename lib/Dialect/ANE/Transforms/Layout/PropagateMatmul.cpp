//===- PropagateMatmul.cpp - Matrix multiplications as convolutions -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix multiplication by a constant is a convolution when its rows are an
// image (a fully connected layer) or the pixels of one. The transposes and
// reshapes in front of it go into the weight, where folding makes them free.
// One by more pixels than a row can have is one by each of their rows.
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

namespace {

/// One image, flattened: its elements in the order `perm`, one row after
/// another.
struct FlatImage {
  Value image; // 1 x C x H x W
  SmallVector<int64_t, 4>
      perm; // what stood between the image and the flattening
};

static bool isBatchOfOne(ArrayRef<int64_t> shape) {
  return shape.size() == 4 && shape[0] == 1;
}

/// matmul(x, const), where x is one row: a fully connected layer. The row is an
/// image that was flattened, or becomes one of one pixel; then the layer is a
/// convolution whose window is the image.
struct RowTimesConstant : OpRewritePattern<MatmulOp> {
  RowTimesConstant(MLIRContext *context, const ::ane::hw::GenerationInfo &info)
      : OpRewritePattern(context), info(info) {}

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    int64_t k = typeOf(op.getLhs()).getNumElements();
    int64_t n = typeOf(op).getNumElements();
    bool isRow = shapeOf(op.getLhs()).back() == k && !op.getTransposeLhs();
    if (!isRow || isConstant(op.getLhs()) || !isConstant(op.getRhs()) ||
        typeOf(op.getRhs()).getNumElements() != k * n)
      return failure();
    Location loc = op.getLoc();
    FlatImage flat = unflatten(rewriter, op.getLhs(), k);
    Value weight =
        weightRows(rewriter, loc, op.getRhs(), op.getTransposeRhs(), k, n);
    SmallVector<int64_t> shape{n};
    for (int64_t dim : ArrayRef(flat.perm).drop_front())
      shape.push_back(shapeOf(flat.image)[dim]);
    weight = permuted(rewriter, loc, reshaped(rewriter, loc, weight, shape),
                      inverse(flat.perm));
    Value result = ConvOp::create(
        rewriter, loc, withShape(op, {1, n, 1, 1}), flat.image, weight,
        /*bias=*/Value(), /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
        ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, /*groups=*/1,
        op.getActivationAttr());
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shapeOf(op)));
    return success();
  }

private:
  // An image that a window covers.
  bool isWindow(ArrayRef<int64_t> shape) const {
    return isBatchOfOne(shape) && shape[2] <= info.maxKernelHeight &&
           shape[3] <= info.maxKernelWidth;
  }

  FlatImage unflatten(PatternRewriter &rewriter, Value row, int64_t k) const {
    if (auto flatten = row.getDefiningOp<ReshapeOp>()) {
      Value source = flatten.getInput();
      auto transposed = source.getDefiningOp<TransposeOp>();
      if (transposed && transposed.getPerm()[0] == 0 &&
          isWindow(shapeOf(transposed.getInput())))
        return {transposed.getInput(),
                SmallVector<int64_t, 4>(transposed.getPerm())};
      if (isWindow(shapeOf(source)))
        return {source, {0, 1, 2, 3}};
    }
    return {reshaped(rewriter, row.getLoc(), row, {1, k, 1, 1}), {0, 1, 2, 3}};
  }

  const ::ane::hw::GenerationInfo &info;
};

/// matmul(reshaped(T(x)), const), where the rows are the pixels of x, or the
/// columns are and `transpose_lhs` makes rows of them: a convolution with a
/// window of one pixel.
struct PixelsTimesConstant : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Value image = imageOfRows(op);
    if (!image)
      return failure();
    int64_t k = shapeOf(image)[1], n = shapeOf(op).back();
    Location loc = op.getLoc();
    Value weight =
        weightRows(rewriter, loc, op.getRhs(), op.getTransposeRhs(), k, n);
    SmallVector<int64_t> shape(shapeOf(image));
    shape[1] = n;
    Value result = ConvOp::create(
        rewriter, loc, withShape(op, shape), image,
        reshaped(rewriter, loc, weight, {n, k, 1, 1}), /*bias=*/Value(),
        /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
        ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, /*groups=*/1,
        op.getActivationAttr());
    result = permuted(rewriter, loc, result, toNHWC);
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shapeOf(op)));
    return success();
  }

private:
  static constexpr int64_t toNHWC[] = {0, 2, 3, 1};

  // What has one pixel for each row of the left matrix.
  static Value imageOfRows(MatmulOp op) {
    Value rows = op.getLhs();
    ArrayRef<int64_t> matrix = shapeOf(rows);
    int64_t rank = matrix.size();
    int64_t k = matrix[rank - (op.getTransposeLhs() ? 2 : 1)];
    if (!isConstant(op.getRhs()) ||
        typeOf(op.getRhs()).getNumElements() != k * shapeOf(op).back())
      return {};
    if (auto flatten = rows.getDefiningOp<ReshapeOp>())
      rows = flatten.getInput();
    ArrayRef<int64_t> shape = shapeOf(rows);
    if (op.getTransposeLhs()) {
      bool isImage = shape.size() == 4 && shape[1] == k &&
                     matrix.back() == shape[2] * shape[3];
      return isImage && !isConstant(rows) ? rows : Value();
    }
    TransposeOp transposed = dataTransposeOf(rows);
    if (!transposed || transposed.getPerm() != ArrayRef<int64_t>(toNHWC) ||
        shape.back() != k)
      return {};
    return transposed.getInput();
  }
};

// The ops that make `image` from the last value that others use, too: strips go
// through them.
static SetVector<Operation *> chainOf(Value image) {
  SetVector<Operation *> chain;
  for (Operation *op = image.getDefiningOp(); op && op->hasOneUse();
       op = op->getOperand(0).getDefiningOp()) {
    chain.insert(op);
    if (op->getNumOperands() == 0)
      break;
  }
  return chain;
}

// What makes `value` goes in front of what makes `image`, so that nothing comes
// between the strips of that and what takes both.
static void computeBefore(PatternRewriter &rewriter, Value value, Value image) {
  SetVector<Operation *> chain = chainOf(image), slice;
  Operation *last = value.getDefiningOp();
  if (chain.empty() || !last)
    return;
  Operation *first = chain.back();
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == first->getBlock() && first->isBeforeInBlock(op);
  };
  if (failed(getBackwardSlice(last, &slice, options)) ||
      llvm::any_of(slice, [&](Operation *op) { return chain.contains(op); }))
    return;
  for (Operation *op : slice)
    if (options.filter(op))
      rewriter.moveOpBefore(op, first);
}

/// matmul(x, reshaped(image)), where columns are pixels, as with masks that are
/// sums of images: of each row of the image where they are too many for one.
struct MatrixTimesPixels : OpRewritePattern<MatmulOp> {
  MatrixTimesPixels(MLIRContext *context, const ::ane::hw::GenerationInfo &info)
      : OpRewritePattern(context), maxWidth(info.maxWidth) {}

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto flatten = op.getRhs().getDefiningOp<ReshapeOp>();
    if (!flatten || op.getTransposeRhs() || shapeOf(op).back() <= maxWidth ||
        !isBatchOfOne(shapeOf(flatten.getInput())))
      return failure();
    Value image = flatten.getInput();
    ArrayRef<int64_t> pixels = shapeOf(image);
    int64_t inner = pixels[1], rows = shapeOf(op).end()[-2];
    if (shapeOf(flatten).end()[-2] != inner ||
        shapeOf(flatten).back() != pixels[2] * pixels[3] ||
        typeOf(op.getLhs()).getNumElements() != rows * inner)
      return failure();
    computeBefore(rewriter, op.getLhs(), image);
    Location loc = op.getLoc();
    SmallVector<int64_t> matrix{1, 1};
    llvm::append_range(matrix, shapeOf(op.getLhs()).take_back(2));
    Value lhs = reshaped(rewriter, loc, op.getLhs(), matrix);
    Value rhs = permuted(rewriter, loc, image, {0, 2, 1, 3});
    Value result = MatmulOp::create(
        rewriter, loc, withShape(op, {1, pixels[2], rows, pixels[3]}), lhs, rhs,
        op.getTransposeLhsAttr(), op.getTransposeRhsAttr(),
        op.getActivationAttr());
    result = permuted(rewriter, loc, result, {0, 2, 1, 3});
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shapeOf(op)));
    return success();
  }

  int64_t maxWidth;
};

} // namespace

Value layout::weightRows(OpBuilder &builder, Location loc, Value weight,
                         bool isTransposed, int64_t k, int64_t n) {
  if (isTransposed)
    return reshaped(builder, loc, weight, {n, k});
  return permuted(builder, loc, reshaped(builder, loc, weight, {k, n}), {1, 0});
}

void layout::addMatmulPatterns(RewritePatternSet &patterns,
                               const LoweringPolicy &policy,
                               const ::ane::hw::GenerationInfo &info) {
  patterns.add<PixelsTimesConstant>(patterns.getContext());
  patterns.add<MatrixTimesPixels>(patterns.getContext(), info);
  if (!policy.conv.leavesRowProducts)
    patterns.add<RowTimesConstant>(patterns.getContext(), info);
}
