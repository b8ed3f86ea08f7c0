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
// One by more pixels than a row can have is one by each of their rows. Of heads:
//
//   T(matmul(x, y))          ->  matmul(y', x')
//   matmul(x, repeat(y))     ->  matmul(x, y)         heads in groups
//   matmul(x, y) * number    ->  matmul(x * number, y)
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

Value layout::weightRows(OpBuilder &builder, MatmulOp op, int64_t k,
                         int64_t n) {
  Location loc = op.getLoc();
  if (op.getTransposeRhs())
    return reshaped(builder, loc, op.getRhs(), {n, k});
  return permuted(builder, loc, reshaped(builder, loc, op.getRhs(), {k, n}),
                  {1, 0});
}

Value layout::convolved(OpBuilder &builder, MatmulOp op, Value image,
                        Value weight, ArrayRef<int64_t> shape) {
  if (typeOf(weight).getRank() == 2)
    weight = reshaped(builder, op.getLoc(), weight,
                      {shapeOf(weight)[0], shapeOf(weight)[1], 1, 1});
  return ConvOp::create(
      builder, op.getLoc(), withShape(op, shape), image, weight,
      /*bias=*/Value(), /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
      ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, /*groups=*/1,
      op.getActivationAttr());
}

// Of other matrices of the same product.
static Value multiplied(OpBuilder &builder, MatmulOp op, Value lhs, Value rhs,
                        ArrayRef<int64_t> shape) {
  return MatmulOp::create(builder, op.getLoc(), withShape(op, shape), lhs, rhs,
                          op.getTransposeLhsAttr(), op.getTransposeRhsAttr(),
                          op.getActivationAttr());
}

namespace {

/// One image, flattened: its elements in the order `perm`, one row after
/// another.
struct FlatImage {
  Value image; // 1 x C x H x W
  SmallVector<int64_t, 4>
      perm; // what stood between the image and the flattening
};

} // namespace

static bool isBatchOfOne(ArrayRef<int64_t> shape) {
  return shape.size() == 4 && shape[0] == 1;
}

namespace {

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
      return rewriter.notifyMatchFailure(op, "is no row times weights");
    Location loc = op.getLoc();
    FlatImage flat = unflatten(rewriter, op.getLhs(), k);
    Value weight = weightRows(rewriter, op, k, n);
    SmallVector<int64_t> shape{n};
    for (int64_t dim : ArrayRef(flat.perm).drop_front())
      shape.push_back(shapeOf(flat.image)[dim]);
    weight = permuted(rewriter, loc, reshaped(rewriter, loc, weight, shape),
                      inverse(flat.perm));
    Value result = convolved(rewriter, op, flat.image, weight, {1, n, 1, 1});
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
      return rewriter.notifyMatchFailure(op, "no rows are pixels");
    int64_t k = shapeOf(image)[1], n = shapeOf(op).back();
    Location loc = op.getLoc();
    SmallVector<int64_t> shape(shapeOf(image));
    shape[1] = n;
    Value result =
        convolved(rewriter, op, image, weightRows(rewriter, op, k, n), shape);
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

} // namespace

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

namespace {

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
      return rewriter.notifyMatchFailure(op,
                                         "columns are no pixels, or fit a row");
    Value image = flatten.getInput();
    ArrayRef<int64_t> pixels = shapeOf(image);
    int64_t inner = pixels[1], rows = shapeOf(op).end()[-2];
    if (shapeOf(flatten).end()[-2] != inner ||
        shapeOf(flatten).back() != pixels[2] * pixels[3] ||
        typeOf(op.getLhs()).getNumElements() != rows * inner)
      return rewriter.notifyMatchFailure(op, "is no product with all pixels");
    computeBefore(rewriter, op.getLhs(), image);
    Location loc = op.getLoc();
    SmallVector<int64_t> matrix{1, 1};
    llvm::append_range(matrix, shapeOf(op.getLhs()).take_back(2));
    Value lhs = reshaped(rewriter, loc, op.getLhs(), matrix);
    Value rhs = permuted(rewriter, loc, image, {0, 2, 1, 3});
    Value result =
        multiplied(rewriter, op, lhs, rhs, {1, pixels[2], rows, pixels[3]});
    result = permuted(rewriter, loc, result, {0, 2, 1, 3});
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shapeOf(op)));
    return success();
  }

  int64_t maxWidth;
};

} // namespace

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

// Attention takes features apart into heads and puts them together again. Where
// tokens are columns, the transposes of that are matrices that are read the other
// way round.

// The last two dimensions only.
static bool swapsMatrix(TransposeOp op) {
  ArrayRef<int64_t> perm = op.getPerm();
  int64_t rank = perm.size();
  return rank > 1 && perm[rank - 1] == rank - 2 && perm[rank - 2] == rank - 1 &&
         llvm::is_sorted(perm.drop_back(2));
}

namespace {

/// Transposed matrices are the product of the transposed ones, also where heads
/// are regrouped after it. In one step: a transpose between the two would sink
/// below the reshape again.
struct TransposeOfMatmul : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    Value product = op.getInput();
    if (auto regroup = product.getDefiningOp<ReshapeOp>();
        regroup && regroup->hasOneUse() &&
        typeOf(regroup.getInput()).getRank() > 1 &&
        shapeOf(regroup.getInput()).take_back(2) ==
            shapeOf(regroup).take_back(2))
      product = regroup.getInput();
    auto matmul = product.getDefiningOp<MatmulOp>();
    if (!matmul || !matmul->hasOneUse() || !swapsMatrix(op))
      return rewriter.notifyMatchFailure(op, "is no transposed product");
    SmallVector<int64_t> shape(shapeOf(matmul));
    std::swap(shape.end()[-2], shape.end()[-1]);
    Value result = MatmulOp::create(rewriter, op.getLoc(), withShape(op, shape),
                                    matmul.getRhs(), matmul.getLhs(),
                                    /*transpose_lhs=*/!matmul.getTransposeRhs(),
                                    /*transpose_rhs=*/!matmul.getTransposeLhs(),
                                    matmul.getActivationAttr());
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }
};

/// x + 0, where x is repeated.
struct SumToTile : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getKind() != ElementwiseKind::Add || !op.isPlain())
      return rewriter.notifyMatchFailure(op, "is no sum with zero");
    Value value = op.getLhs(), zero = op.getRhs();
    if (isConstant(value))
      std::swap(value, zero);
    std::optional<double> number = scalarOf(zero);
    if (!number || *number != 0 || isConstant(value) ||
        typeOf(value).getElementType() != op.getType().getElementType())
      return rewriter.notifyMatchFailure(op, "repeats no data");
    auto repeats = llvm::map_to_vector(
        llvm::zip_equal(shapeOf(op), shapeOf(value)),
        [](auto sizes) { return std::get<0>(sizes) / std::get<1>(sizes); });
    rewriter.replaceOpWithNewOp<TileOp>(op, op.getType(), value, repeats);
    return success();
  }
};

/// Keys or values that several heads share are repeated for each of them.
/// Matrices with a dimension of 1 say the same.
struct HeadsInGroups : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = repeated(op.getLhs()), rhs = repeated(op.getRhs());
    if (bool(lhs) == bool(rhs))
      return rewriter.notifyMatchFailure(op,
                                         "repeats neither or both matrices");
    Value other = lhs ? op.getRhs() : op.getLhs();
    Value shared = lhs ? lhs : rhs;
    int64_t heads = headsOf(op), groups = headsOf(shared);
    if (headsOf(other) != heads)
      return rewriter.notifyMatchFailure(op, "has other heads");
    Location loc = op.getLoc();
    auto grouped = [&](Value value, int64_t ofGroup) {
      ArrayRef<int64_t> matrix = shapeOf(value).take_back(2);
      return reshaped(rewriter, loc, value,
                      {groups, ofGroup, matrix[0], matrix[1]});
    };
    shared = grouped(shared, 1);
    other = grouped(other, heads / groups);
    ArrayRef<int64_t> matrix = shapeOf(op).take_back(2);
    Value result =
        multiplied(rewriter, op, lhs ? shared : other, lhs ? other : shared,
                   {groups, heads / groups, matrix[0], matrix[1]});
    rewriter.replaceOp(op, reshaped(rewriter, loc, result, shapeOf(op)));
    return success();
  }

private:
  static int64_t headsOf(Value value) {
    return ShapedType::getNumElements(shapeOf(value).drop_back(2));
  }

  /// [.., groups, 1, rows, columns] where `value` is made of it by repeating
  /// the dimension of 1.
  static Value repeated(Value value) {
    auto merge = value.getDefiningOp<ReshapeOp>();
    auto tile = merge ? merge.getInput().getDefiningOp<TileOp>() : TileOp();
    if (!tile || shapeOf(tile).take_back(2) != shapeOf(value).take_back(2))
      return {};
    int64_t at = typeOf(tile).getRank() - 3;
    if (at < 1 || shapeOf(tile.getInput())[at] != 1)
      return {};
    for (auto [dim, count] : llvm::enumerate(tile.getRepeats()))
      if (count != 1 && int64_t(dim) != at)
        return {};
    return tile.getInput();
  }
};

/// The factor of a product goes to its smaller matrix, and on to the weights
/// that make it.
struct FactorOfMatmul : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    bool isRight = scalarOf(op.getRhs()).has_value();
    std::optional<double> number =
        scalarOf(isRight ? op.getRhs() : op.getLhs());
    auto matmul =
        (isRight ? op.getLhs() : op.getRhs()).getDefiningOp<MatmulOp>();
    if (op.getKind() != ElementwiseKind::Mul || !op.isPlain() || !matmul ||
        !matmul->hasOneUse() || matmul.getActivation() || !number ||
        isConstant(matmul.getLhs()) || isConstant(matmul.getRhs()))
      return rewriter.notifyMatchFailure(
          op, "is no product of data times a number");
    bool isLeft = typeOf(matmul.getLhs()).getNumElements() <=
                  typeOf(matmul.getRhs()).getNumElements();
    Value matrix = isLeft ? matmul.getLhs() : matmul.getRhs();
    if (typeOf(matrix).getNumElements() >= typeOf(matmul).getNumElements())
      return rewriter.notifyMatchFailure(
          op, "both matrices are larger than the product");
    rewriter.setInsertionPoint(matmul);
    SmallVector<int64_t> ones(typeOf(matrix).getRank(), 1);
    auto factor = DenseElementsAttr::get(
        RankedTensorType::get(ones, rewriter.getF32Type()), float(*number));
    Value scaled = ElementwiseOp::create(
        rewriter, op.getLoc(), matrix.getType(), ElementwiseKind::Mul, matrix,
        ConstantOp::create(rewriter, op.getLoc(), factor), llvm::APFloat(1.0f),
        llvm::APFloat(0.0f), ActivationAttr());
    rewriter.modifyOpInPlace(matmul, [&] {
      (isLeft ? matmul.getLhsMutable() : matmul.getRhsMutable()).assign(scaled);
    });
    rewriter.replaceOp(op, matmul.getResult());
    return success();
  }
};

} // namespace

void layout::addMatmulPatterns(RewritePatternSet &patterns,
                               const LoweringPolicy &policy,
                               const ::ane::hw::GenerationInfo &info,
                               bool heads) {
  MLIRContext *context = patterns.getContext();
  patterns.add<PixelsTimesConstant>(context);
  patterns.add<MatrixTimesPixels>(context, info);
  if (!policy.conv.leavesRowProducts)
    patterns.add<RowTimesConstant>(context, info);
  if (!heads)
    return;
  patterns.add<FactorOfMatmul, HeadsInGroups, SumToTile, TransposeOfMatmul>(
      context);
  MatmulOp::getCanonicalizationPatterns(patterns, context);
}
