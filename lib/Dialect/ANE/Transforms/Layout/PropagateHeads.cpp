//===- PropagateHeads.cpp - Movements between heads -----------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention takes features apart into heads and puts them together again, with
// a transpose and a reshape for each. Where tokens are columns, all of them
// are reshapes of channels, and matrices that are read the other way round:
//
//   reshaped(T(x))            ->  T(reshaped(x))        heads of T(x) are of x
//   T(reshaped(T(x)))         ->  reshaped(T(x))        where that cannot be
//   matmul(R(x), R(y))       ->  R(matmul(x, y))      R regroups heads
//   T(matmul(x, y))          ->  matmul(y', x')
//   matmul(x, repeat(y))     ->  matmul(x, y)         heads in groups
//   matmul(x, y) * number    ->  matmul(x * number, y)
//
//===----------------------------------------------------------------------===//

#include "PropagateLayout.h"

#include "ane/Dialect/ANE/IR/IndexMap.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::layout;

// Nothing to meet: a convolution in front stores what is transposed.
static bool isBorder(Operation *user) {
  return isa<CastOp>(user) || user->hasTrait<OpTrait::IsTerminator>();
}

// The last two dimensions only.
static bool swapsMatrix(TransposeOp op) {
  ArrayRef<int64_t> perm = op.getPerm();
  int64_t rank = perm.size();
  return rank > 1 && perm[rank - 1] == rank - 2 && perm[rank - 2] == rank - 1 &&
         llvm::is_sorted(perm.drop_back(2));
}

namespace {

/// Reshapes that keep the columns cost nothing, so none becomes one that does
/// not.
struct SinkBelowReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transposed = dataTransposeOf(op.getInput());
    if (!transposed || llvm::all_of(op->getUsers(), isBorder))
      return failure();
    Value source = transposed.getInput();
    IndexMap map(shapeOf(source), transposed.getPerm());
    if (!map.reshape(shapeOf(op)))
      return failure();
    SmallVector<int64_t> order = map.getSourceOrder();
    map.transpose(order);
    if (!map.isInOrder())
      return failure();
    SmallVector<int64_t> shape = map.getShape();
    if (shapeOf(transposed).back() == shapeOf(op).back() &&
        shapeOf(source).back() != shape.back())
      return failure();
    Value result = reshaped(rewriter, op.getLoc(), source, shape);
    rewriter.replaceOp(op,
                       permuted(rewriter, op.getLoc(), result, inverse(order)));
    return success();
  }
};

/// Where a reshape merges what the transpose in front of it brings together,
/// the transpose after it moves the parts.
struct MeetAboveReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto merge = op.getInput().getDefiningOp<ReshapeOp>();
    TransposeOp first = merge ? dataTransposeOf(merge.getInput()) : nullptr;
    if (!first || !merge->hasOneUse())
      return failure();
    Value source = first.getInput();
    IndexMap map(shapeOf(source), first.getPerm());
    if (!map.reshape(shapeOf(merge)))
      return failure();
    map.transpose(op.getPerm());
    // Dimensions of 1 stay after what the first transpose has them after.
    SmallVector<int64_t> perm, places = inverse(first.getPerm());
    auto takeOnes = [&](size_t at) {
      for (; at < places.size() && shapeOf(first)[at] == 1; ++at)
        perm.push_back(first.getPerm()[at]);
    };
    takeOnes(0);
    for (int64_t dim = 0; dim < map.getRank(); ++dim) {
      auto digits = map.getSourceDigits(dim);
      if (!digits)
        return failure();
      for (auto [of, step, size] : *digits) {
        if (size != shapeOf(source)[of])
          return failure();
        perm.push_back(of);
        takeOnes(places[of] + 1);
      }
    }
    // The engine would take it apart again, and know less of where to.
    constexpr size_t most = 4;
    if (map.getBlocks().size() > most &&
        IndexMap(shapeOf(source), first.getPerm()).getBlocks().size() <= most)
      return failure();
    Value result = permuted(rewriter, op.getLoc(), source, perm);
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }
};

/// Of reshapes that leave the matrices as they are.
struct SinkBelowMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = source(op.getLhs()), rhs = source(op.getRhs());
    if (!lhs || !rhs)
      return failure();
    ArrayRef<int64_t> heads = shapeOf(lhs).drop_back(2);
    if (heads.size() < 2 || heads != shapeOf(rhs).drop_back(2) ||
        shapeOf(op.getLhs()).drop_back(2) != shapeOf(op.getRhs()).drop_back(2))
      return failure();
    SmallVector<int64_t> shape(heads);
    llvm::append_range(shape, shapeOf(op).take_back(2));
    Value result =
        MatmulOp::create(rewriter, op.getLoc(), withShape(op, shape), lhs, rhs,
                         op.getTransposeLhsAttr(), op.getTransposeRhsAttr(),
                         op.getActivationAttr());
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }

private:
  static Value source(Value value) {
    auto op = dyn_cast_or_null<ReshapeOp>(movementOf(value));
    if (!op || typeOf(op.getInput()).getRank() < 2 ||
        shapeOf(op.getInput()).take_back(2) != shapeOf(op).take_back(2))
      return {};
    return op.getInput();
  }
};

/// Products of one image have heads as channels.
struct HeadsAsChannels : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (typeOf(op).getRank() != 3 || isConstant(op.getLhs()) ||
        isConstant(op.getRhs()))
      return failure();
    auto image = [&](Value value) {
      SmallVector<int64_t> shape{1};
      llvm::append_range(shape, shapeOf(value));
      return reshaped(rewriter, op.getLoc(), value, shape);
    };
    SmallVector<int64_t> shape{1};
    llvm::append_range(shape, shapeOf(op));
    Value lhs = image(op.getLhs()), rhs = image(op.getRhs());
    Value result =
        MatmulOp::create(rewriter, op.getLoc(), withShape(op, shape), lhs, rhs,
                         op.getTransposeLhsAttr(), op.getTransposeRhsAttr(),
                         op.getActivationAttr());
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }
};

struct SinkBelowSoftmaxOfRows : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto regroup = dyn_cast_or_null<ReshapeOp>(movementOf(op.getInput()));
    if (!regroup)
      return failure();
    Value source = regroup.getInput();
    int64_t behind = typeOf(op).getRank() - int64_t(op.getAxis());
    int64_t rank = typeOf(source).getRank();
    if (behind > rank ||
        shapeOf(source).take_back(behind) != shapeOf(op).take_back(behind))
      return failure();
    Value result = SoftmaxOp::create(rewriter, op.getLoc(), source.getType(),
                                     source, rank - behind);
    rewriter.replaceOp(op,
                       reshaped(rewriter, op.getLoc(), result, shapeOf(op)));
    return success();
  }
};

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
      return failure();
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
      return failure();
    Value value = op.getLhs(), zero = op.getRhs();
    if (isConstant(value))
      std::swap(value, zero);
    std::optional<double> number = scalarOf(zero);
    if (!number || *number != 0 || isConstant(value) ||
        typeOf(value).getElementType() != op.getType().getElementType())
      return failure();
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
      return failure();
    Value other = lhs ? op.getRhs() : op.getLhs();
    Value shared = lhs ? lhs : rhs;
    int64_t heads = headsOf(op), groups = headsOf(shared);
    if (headsOf(other) != heads)
      return failure();
    Location loc = op.getLoc();
    auto grouped = [&](Value value, int64_t ofGroup) {
      ArrayRef<int64_t> matrix = shapeOf(value).take_back(2);
      return reshaped(rewriter, loc, value,
                      {groups, ofGroup, matrix[0], matrix[1]});
    };
    shared = grouped(shared, 1);
    other = grouped(other, heads / groups);
    ArrayRef<int64_t> matrix = shapeOf(op).take_back(2);
    Value result = MatmulOp::create(
        rewriter, loc,
        withShape(op, {groups, heads / groups, matrix[0], matrix[1]}),
        lhs ? shared : other, lhs ? other : shared, op.getTransposeLhsAttr(),
        op.getTransposeRhsAttr(), op.getActivationAttr());
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
      return failure();
    bool isLeft = typeOf(matmul.getLhs()).getNumElements() <=
                  typeOf(matmul.getRhs()).getNumElements();
    Value matrix = isLeft ? matmul.getLhs() : matmul.getRhs();
    if (typeOf(matrix).getNumElements() >= typeOf(matmul).getNumElements())
      return failure();
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

void layout::addHeadPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FactorOfMatmul, HeadsAsChannels, HeadsInGroups, MeetAboveReshape,
               SinkBelowMatmul, SinkBelowReshape, SinkBelowSoftmaxOfRows,
               SumToTile, TransposeOfMatmul>(context);
  MatmulOp::getCanonicalizationPatterns(patterns, context);
}
