//===- PropagateLayout.cpp - Data movement towards the border -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources in NHWC are full of transposes, and fully connected layers of
// reshapes. All of them sink: through every op that does not care for the order
// of the elements, towards the results, until they meet their inverse and
// cancel or reach the border of the function. Constants on the way are moved
// the other way; they are folded later and cost nothing.
//
//   act(T(x))         ->  T(act(x))
//   add(T(x), const)  ->  T(add(x, T'(const)))
//   concat(T(x), ...) ->  T(concat(x, ...))
//   matmul(R(x), W)   ->  R(conv(x, R'(W)))        R flattens one image
//   matmul(R(T(x)),W) ->  R(T(conv(x, R'(W))))     rows are pixels, NHWC
//
// Nothing is hoisted, so every step makes progress. A reshape that only adds or
// drops dimensions of size 1 is "trivial": broadcast operands can follow it.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/Transforms/Passes.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

namespace mlir::ane {
#define GEN_PASS_DEF_ANEPROPAGATELAYOUT
#include "ane/Dialect/ANE/Transforms/Passes.h.inc"
} // namespace mlir::ane

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return typeOf(value).getShape();
}

static RankedTensorType withShape(Value value, ArrayRef<int64_t> shape) {
  return typeOf(value).clone(shape);
}

/// Whether `value` is computed from constants alone.
static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa_and_nonnull<ANEDialect>(op->getDialect()))
    return false;
  return llvm::all_of(op->getOperands(), isConstant);
}

/// The one value of a constant expression without data, if it is simple enough.
static std::optional<double> scalarOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<ReshapeOp, TransposeOp, CastOp>(op))
    return scalarOf(op->getOperand(0));
  if (auto act = dyn_cast<ActivationOp>(op)) {
    std::optional<double> input = scalarOf(act.getInput());
    if (!input || act.getFunction().getKind() != ActivationKind::Reciprocal)
      return std::nullopt;
    return 1.0 / *input;
  }
  auto constant = dyn_cast<ConstantOp>(op);
  if (!constant)
    return std::nullopt;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue())) {
    if (!dense.isSplat() || !isa<FloatType>(dense.getElementType()))
      return std::nullopt;
    return dense.getSplatValue<APFloat>().convertToDouble();
  }
  if (auto resource =
          dyn_cast<DenseF32ResourceElementsAttr>(constant.getValue()))
    if (auto values = resource.tryGetAsArrayRef();
        values && llvm::all_equal(*values))
      return values->front();
  return std::nullopt;
}

static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> perm) {
  if (llvm::is_sorted(perm))
    return value;
  auto shape = llvm::map_to_vector(
      perm, [&](int64_t dim) { return shapeOf(value)[dim]; });
  return TransposeOp::create(builder, loc, withShape(value, shape), value,
                             perm);
}

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int64_t> shape) {
  if (shapeOf(value) == shape)
    return value;
  return ReshapeOp::create(builder, loc, withShape(value, shape), value);
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> perm) {
  SmallVector<int64_t> result(perm.size());
  for (auto [to, from] : llvm::enumerate(perm))
    result[from] = to;
  return result;
}

static SmallVector<int64_t> withoutOnes(ArrayRef<int64_t> shape) {
  return llvm::filter_to_vector(shape, [](int64_t size) { return size != 1; });
}

/// A copy of `op` with other operands and another result shape.
static Value cloneWith(PatternRewriter &rewriter, Operation *op,
                       ValueRange operands, ArrayRef<int64_t> shape) {
  Operation *copy = rewriter.clone(*op);
  rewriter.modifyOpInPlace(copy, [&] {
    copy->setOperands(operands);
    copy->getResult(0).setType(withShape(op->getResult(0), shape));
  });
  return copy->getResult(0);
}

/// The transpose or reshape of data that makes `value`.
static Operation *movementOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<TransposeOp, ReshapeOp>(op) || isConstant(value))
    return nullptr;
  return op;
}

/// The movement `like` of another value.
static Value moveLike(OpBuilder &builder, Operation *like, Value value,
                      ArrayRef<int64_t> shape) {
  if (auto op = dyn_cast<TransposeOp>(like))
    return transpose(builder, like->getLoc(), value, op.getPerm());
  return reshape(builder, like->getLoc(), value, shape);
}

//===----------------------------------------------------------------------===//
// Through elementwise ops
//===----------------------------------------------------------------------===//

namespace {

struct SinkBelowActivation : OpRewritePattern<ActivationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ActivationOp op,
                                PatternRewriter &rewriter) const override {
    Operation *movement = movementOf(op.getInput());
    if (!movement)
      return failure();
    Value source = movement->getOperand(0);
    Value result = cloneWith(rewriter, op, source, shapeOf(source));
    rewriter.replaceOp(op, moveLike(rewriter, movement, result, shapeOf(op)));
    return success();
  }
};

struct SinkBelowElementwise : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    Operation *movement = movementOf(op.getLhs());
    if (!movement)
      movement = movementOf(op.getRhs());
    if (!movement)
      return failure();
    Value source = movement->getOperand(0);
    // A reshape can only come last if no operand broadcasts what it made.
    if (isa<ReshapeOp>(movement) &&
        shapeOf(movement->getResult(0)) != shapeOf(op))
      return failure();
    SmallVector<Value, 2> operands;
    for (Value operand : op->getOperands()) {
      Value moved = moveBack(rewriter, movement, operand);
      if (!moved)
        return failure();
      operands.push_back(moved);
    }
    SmallVector<int64_t> shape(shapeOf(source));
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      for (auto [to, from] : llvm::enumerate(transposed.getPerm()))
        shape[from] = shapeOf(op)[to];
    Value result = cloneWith(rewriter, op, operands, shape);
    rewriter.replaceOp(op, moveLike(rewriter, movement, result, shapeOf(op)));
    return success();
  }

private:
  /// What stands for `operand` in front of `movement`, or null.
  static Value moveBack(PatternRewriter &rewriter, Operation *movement,
                        Value operand) {
    if (isConstant(operand))
      return moveConstantBack(rewriter, movement, operand);
    Operation *other = movementOf(operand);
    if (!other || other->getName() != movement->getName())
      return {};
    Value source = other->getOperand(0);
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      return cast<TransposeOp>(other).getPerm() == transposed.getPerm()
                 ? source
                 : Value();
    // Reshapes agree when both sides do.
    bool agree = shapeOf(source) == shapeOf(movement->getOperand(0)) &&
                 shapeOf(operand) == shapeOf(movement->getResult(0));
    return agree ? source : Value();
  }

  static Value moveConstantBack(PatternRewriter &rewriter, Operation *movement,
                                Value constant) {
    Location loc = movement->getLoc();
    if (auto transposed = dyn_cast<TransposeOp>(movement))
      return transpose(rewriter, loc, constant, inverse(transposed.getPerm()));
    ArrayRef<int64_t> from = shapeOf(movement->getOperand(0));
    ArrayRef<int64_t> to = shapeOf(movement->getResult(0));
    if (typeOf(constant).getNumElements() == 1)
      return reshape(rewriter, loc, constant,
                     SmallVector<int64_t>(from.size(), 1));
    if (shapeOf(constant) == to)
      return reshape(rewriter, loc, constant, from);
    // Trivial: dimensions other than 1 keep their order, so the constant can
    // follow even if it is broadcast.
    if (withoutOnes(from) != withoutOnes(to))
      return {};
    SmallVector<int64_t> sizes, shape;
    for (auto [size, constantSize] : llvm::zip(to, shapeOf(constant)))
      if (size != 1)
        sizes.push_back(constantSize);
    auto next = sizes.begin();
    for (int64_t size : from)
      shape.push_back(size == 1 ? 1 : *next++);
    return reshape(rewriter, loc, constant, shape);
  }
};

//===----------------------------------------------------------------------===//
// Transposes through ops that name dimensions
//===----------------------------------------------------------------------===//

/// `values`, one for each dimension of a transposed tensor, in the order of the
/// dimensions in front of the transpose.
static SmallVector<int64_t> untranspose(ArrayRef<int64_t> perm,
                                        ArrayRef<int64_t> values) {
  SmallVector<int64_t> result(values.size());
  for (auto [to, from] : llvm::enumerate(perm))
    result[from] = values[to];
  return result;
}

static TransposeOp dataTransposeOf(Value value) {
  return dyn_cast_or_null<TransposeOp>(movementOf(value));
}

struct SinkBelowReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transposed = dataTransposeOf(op.getInput());
    if (!transposed)
      return failure();
    ArrayRef<int64_t> perm = transposed.getPerm();
    auto axes = llvm::map_to_vector(op.getAxes(),
                                    [&](int64_t axis) { return perm[axis]; });
    llvm::sort(axes);
    Value result = ReduceOp::create(
        rewriter, op.getLoc(), withShape(op, untranspose(perm, shapeOf(op))),
        op.getKind(), transposed.getInput(), axes);
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), result, perm));
    return success();
  }
};

struct SinkBelowConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp first;
    for (Value input : op.getInputs())
      if ((first = dataTransposeOf(input)))
        break;
    if (!first)
      return failure();
    ArrayRef<int64_t> perm = first.getPerm();
    for (Value input : op.getInputs()) {
      TransposeOp transposed = dataTransposeOf(input);
      if (!isConstant(input) && (!transposed || transposed.getPerm() != perm))
        return failure();
    }
    SmallVector<Value> sources;
    for (Value input : op.getInputs()) {
      TransposeOp transposed = dataTransposeOf(input);
      sources.push_back(
          transposed ? Value(transposed.getInput())
                     : transpose(rewriter, op.getLoc(), input, inverse(perm)));
    }
    Value result = ConcatOp::create(
        rewriter, op.getLoc(), withShape(op, untranspose(perm, shapeOf(op))),
        SmallVector<Value>(sources.begin(), sources.end()), perm[op.getAxis()]);
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), result, perm));
    return success();
  }
};

struct SinkBelowSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transposed = dataTransposeOf(op.getInput());
    if (!transposed)
      return failure();
    ArrayRef<int64_t> perm = transposed.getPerm();
    Value result = SliceOp::create(
        rewriter, op.getLoc(), withShape(op, untranspose(perm, shapeOf(op))),
        transposed.getInput(), untranspose(perm, op.getOffsets()),
        untranspose(perm, op.getSizes()), untranspose(perm, op.getStrides()));
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), result, perm));
    return success();
  }
};

struct SinkBelowPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transposed = dataTransposeOf(op.getInput());
    if (!transposed)
      return failure();
    ArrayRef<int64_t> perm = transposed.getPerm();
    Value result = PadOp::create(
        rewriter, op.getLoc(), withShape(op, untranspose(perm, shapeOf(op))),
        transposed.getInput(), untranspose(perm, op.getLow()),
        untranspose(perm, op.getHigh()), op.getValue());
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), result, perm));
    return success();
  }
};

/// A transpose that moves only dimensions of size 1 keeps the elements in
/// order.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto moved = llvm::filter_to_vector(op.getPerm(), [&](int64_t dim) {
      return shapeOf(op.getInput())[dim] != 1;
    });
    if (!llvm::is_sorted(moved))
      return failure();
    rewriter.replaceOp(
        op, reshape(rewriter, op.getLoc(), op.getInput(), shapeOf(op)));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Matrix multiplications by constants
//===----------------------------------------------------------------------===//

namespace {

/// One image, flattened: its elements in the order `perm`, one row after
/// another.
struct FlatImage {
  Value image; // 1 x C x H x W
  SmallVector<int64_t, 4>
      perm; // what stood between the image and the flattening
};

/// The matrix `weight`, K x N (N x K if `isTransposed`) behind leading ones, as
/// N x K.
static Value weightRows(OpBuilder &builder, Location loc, Value weight,
                        bool isTransposed, int64_t k, int64_t n) {
  if (isTransposed)
    return reshape(builder, loc, weight, {n, k});
  return transpose(builder, loc, reshape(builder, loc, weight, {k, n}), {1, 0});
}

static bool isBatchOfOne(ArrayRef<int64_t> shape) {
  return shape.size() == 4 && shape[0] == 1;
}

/// matmul(x, const), where x is one row: a fully connected layer. The row is an
/// image that was flattened, or becomes one of one pixel; then the layer is a
/// convolution whose window is the image.
struct RowTimesConstant : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

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
    weight = transpose(rewriter, loc, reshape(rewriter, loc, weight, shape),
                       inverse(flat.perm));
    Value result = ConvOp::create(
        rewriter, loc, withShape(op, {1, n, 1, 1}), flat.image, weight,
        /*bias=*/Value(), /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
        ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, /*groups=*/1,
        op.getActivationAttr());
    rewriter.replaceOp(op, reshape(rewriter, loc, result, shapeOf(op)));
    return success();
  }

private:
  static FlatImage unflatten(PatternRewriter &rewriter, Value row, int64_t k) {
    if (auto flatten = row.getDefiningOp<ReshapeOp>()) {
      Value source = flatten.getInput();
      auto transposed = source.getDefiningOp<TransposeOp>();
      if (transposed && transposed.getPerm()[0] == 0 &&
          isBatchOfOne(shapeOf(source)))
        return {transposed.getInput(),
                SmallVector<int64_t, 4>(transposed.getPerm())};
      if (isBatchOfOne(shapeOf(source)))
        return {source, {0, 1, 2, 3}};
    }
    return {reshape(rewriter, row.getLoc(), row, {1, k, 1, 1}), {0, 1, 2, 3}};
  }
};

/// matmul(reshape(T(x)), const), where the rows are the pixels of x: a
/// convolution with a window of one pixel.
struct PixelsTimesConstant : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    int64_t k = shapeOf(op.getLhs()).back(), n = shapeOf(op).back();
    if (op.getTransposeLhs() || !isConstant(op.getRhs()) ||
        typeOf(op.getRhs()).getNumElements() != k * n)
      return failure();
    Value rows = op.getLhs();
    if (auto flatten = rows.getDefiningOp<ReshapeOp>())
      rows = flatten.getInput();
    constexpr int64_t toNHWC[] = {0, 2, 3, 1};
    TransposeOp transposed = dataTransposeOf(rows);
    if (!transposed || transposed.getPerm() != ArrayRef<int64_t>(toNHWC) ||
        shapeOf(rows).back() != k)
      return failure();
    Location loc = op.getLoc();
    Value weight =
        weightRows(rewriter, loc, op.getRhs(), op.getTransposeRhs(), k, n);
    SmallVector<int64_t> shape(shapeOf(transposed.getInput()));
    shape[1] = n;
    Value result = ConvOp::create(
        rewriter, loc, withShape(op, shape), transposed.getInput(),
        reshape(rewriter, loc, weight, {n, k, 1, 1}), /*bias=*/Value(),
        /*scale=*/Value(), ArrayRef<int64_t>{1, 1},
        ArrayRef<int64_t>{0, 0, 0, 0}, ArrayRef<int64_t>{1, 1}, /*groups=*/1,
        op.getActivationAttr());
    result = transpose(rewriter, loc, result, toNHWC);
    rewriter.replaceOp(op, reshape(rewriter, loc, result, shapeOf(op)));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

/// One reduction over the dimensions of two.
struct MergeReductions : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReduceOp>();
    if (!inner || inner.getKind() != op.getKind() || !inner->hasOneUse())
      return failure();
    SmallVector<int64_t> axes(op.getAxes());
    llvm::append_range(axes, inner.getAxes());
    llvm::sort(axes);
    axes.erase(llvm::unique(axes), axes.end());
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(),
                                          inner.getInput(), axes);
    return success();
  }
};

static int64_t countReduced(ReduceOp op) {
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    count *= shapeOf(op.getInput())[axis];
  return count;
}

/// sum(x) * (1 / n) and sum(x) / n over n elements are a mean, whose sum is
/// never rounded.
struct SumToMean : OpRewritePattern<ElementwiseOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementwiseOp op,
                                PatternRewriter &rewriter) const override {
    Value sum = op.getLhs(), factor = op.getRhs();
    if (op.getKind() == ElementwiseKind::Mul && isConstant(sum))
      std::swap(sum, factor);
    else if (op.getKind() != ElementwiseKind::Mul &&
             op.getKind() != ElementwiseKind::Div)
      return failure();
    auto reduce = sum.getDefiningOp<ReduceOp>();
    if (!reduce || reduce.getKind() != ReduceKind::Sum || isConstant(sum) ||
        !reduce->hasOneUse() || shapeOf(sum) != shapeOf(op) ||
        op.getActivation() || !op.getScale().isExactlyValue(1.0) ||
        !op.getBias().isZero())
      return failure();
    std::optional<double> value = scalarOf(factor);
    if (!value)
      return failure();
    // The exporter rounded 1/n to f32 at best, to f16 at worst.
    double count = countReduced(reduce);
    double one =
        op.getKind() == ElementwiseKind::Mul ? *value * count : *value / count;
    if (std::abs(one - 1) > 1.0 / 2048)
      return failure();
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), ReduceKind::Mean,
                                          reduce.getInput(), reduce.getAxes());
    return success();
  }
};

/// The mean of every plane is an average pooling, which has more ways down.
struct PlaneMeanToPool : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = shapeOf(op.getInput());
    if (op.getKind() != ReduceKind::Mean || shape.size() != 4 ||
        op.getAxes() != ArrayRef<int64_t>{2, 3} || isConstant(op))
      return failure();
    rewriter.replaceOpWithNewOp<PoolOp>(
        op, op.getType(), PoolKind::Average, op.getInput(), shape.drop_front(2),
        ArrayRef<int64_t>{1, 1}, ArrayRef<int64_t>{0, 0, 0, 0},
        /*count_include_pad=*/false);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Windows of one pixel, and slices that windows do not notice
//===----------------------------------------------------------------------===//

/// The maximum or average of one element.
struct DropWindowOfOne : OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    auto isOne = [](int64_t size) { return size == 1; };
    if (!llvm::all_of(op.getKernel(), isOne) ||
        op.getType() != op.getInput().getType())
      return failure();
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// TOSA wants windows that end at the border, so exporters cut off the rows and
/// columns behind the last window. Ours may leave a rest: conv(slice(x)) is
/// conv(x) if the windows read nothing of what was cut off or of the padding
/// there, and give the same size.
template <typename OpTy> struct DropUnreadSlice : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto slice = op.getInput().template getDefiningOp<SliceOp>();
    if (!slice || isConstant(slice))
      return failure();
    ArrayRef<int64_t> whole = shapeOf(slice.getInput());
    ArrayRef<int64_t> cut = shapeOf(slice);
    auto isOne = [](int64_t stride) { return stride == 1; };
    auto isZero = [](int64_t offset) { return offset == 0; };
    if (whole.take_front(2) != cut.take_front(2) ||
        !llvm::all_of(slice.getStrides(), isOne) ||
        !llvm::all_of(slice.getOffsets(), isZero))
      return failure();
    SmallVector<int64_t, 4> pad(op.getPad());
    for (int axis : {0, 1}) {
      if (whole[2 + axis] == cut[2 + axis])
        continue;
      int64_t stride = op.getStrides()[axis], size = windowSize(op, axis);
      int64_t before = pad[2 * axis], out = shapeOf(op)[2 + axis];
      bool readsBehind = (out - 1) * stride + size - before > cut[2 + axis];
      if (readsBehind || (whole[2 + axis] + before - size) / stride + 1 != out)
        return failure();
      pad[2 * axis + 1] = 0;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(slice.getInput());
      op.setPad(pad);
    });
    return success();
  }

private:
  static int64_t windowSize(ConvOp op, int axis) {
    return (shapeOf(op.getWeight())[2 + axis] - 1) * op.getDilations()[axis] +
           1;
  }
  static int64_t windowSize(PoolOp op, int axis) {
    return op.getKernel()[axis];
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ANEPropagateLayoutPass
    : public ane::impl::ANEPropagateLayoutBase<ANEPropagateLayoutPass> {
  using ANEPropagateLayoutBase::ANEPropagateLayoutBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<DropUnreadSlice<ConvOp>, DropUnreadSlice<PoolOp>, DropWindowOfOne,
            MergeReductions, PixelsTimesConstant, PlaneMeanToPool,
            RowTimesConstant, SinkBelowActivation, SinkBelowConcat,
            SinkBelowElementwise, SinkBelowPad, SinkBelowReduce, SinkBelowSlice,
            SumToMean, TransposeToReshape>(context);
    // They let movements meet and cancel.
    ReshapeOp::getCanonicalizationPatterns(set, context);
    TransposeOp::getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
