//===- SequenceEmitterNorm.cpp - Norms as sequences of tasks --------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PE reduces columns, rows and depth of each channel, the NEs channels.
// What else is to go is first brought there by an exchange, or seen there: rows
// as groups, the rows of a lone channel as channels.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/SequenceEmitter.h"

#include "ane/Dialect/ANE/Transforms/LoweringPolicy.h"
#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"

using namespace mlir;
using namespace mlir::ane;

// Channels that a vector of statistics still has side by side (64 and 128 seen,
// 256 and 375 not).
static constexpr int64_t maxExchanged = 128;
// Rows of a lone channel that one task reduces; why 192 is not known.
static constexpr int64_t maxRows = 192;

// More than one channel of one pixel.
static bool isColumn(ArrayRef<int64_t> shape) {
  return shape[1] > 1 && shape[2] == 1 && shape[3] == 1;
}

// Tasks of a column have it as a row, too.
bool SequenceEmitter::isTooLongAsRow(ArrayRef<int64_t> shape) const {
  return isColumn(shape) && shape[1] > int64_t(info.maxWidth);
}

ActivationAttr SequenceEmitter::function(ActivationKind kind,
                                         double alpha) const {
  return ActivationAttr::get(tail.getContext(), kind, alpha);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

// Columns and rows go; squares are of what is left after the offset.
TaskResults SequenceEmitter::reduce(Location loc, Value source,
                                    const Reduction &reduction) {
  ArrayRef<int64_t> in = shapeOf(source);
  TaskSpec spec = {
      {{source, reduction.keeps}}, reduction.target, {in[0], in[1], 1, 1}};
  TaskBuilder::Reduction how = reduction;
  how.subtracts = bool(reduction.offset);
  if (reduction.offset)
    spec.sources.push_back(reduction.offset);
  if (how.exchangeResult)
    std::swap(spec.shape[1], spec.shape[3]);
  return TaskBuilder::reduce(loc, spec, how);
}

Value SequenceEmitter::pair(Location loc, Value lhs, Value rhs,
                            const Pair &how) {
  TaskSpec spec = {{lhs, rhs}, how.target};
  // The larger of both, broadcast or not.
  for (auto [a, b] : llvm::zip_equal(shapeOf(lhs), shapeOf(rhs)))
    spec.shape.push_back(std::max(a, b));
  if (how.exchangeLhs)
    spec.shape = llvm::to_vector(shapeOf(rhs));
  if (how.exchangeRhs)
    spec.shape = llvm::to_vector(shapeOf(lhs));
  if (how.exchangeResult)
    std::swap(spec.shape[1], spec.shape[3]);
  spec.place = how.place;
  spec.interleave = how.interleave;
  return TaskBuilder::pair(loc, spec, how).result;
}

void SequenceEmitter::multiply(Operation *op, Value lhs, Value rhs) {
  Pair product = {{ElementwiseKind::Mul}};
  product.target = outputOf(op->getResult(0));
  pair(op->getLoc(), lhs, rhs, product);
}

TaskResults SequenceEmitter::reduceChannels(Location loc, Value source,
                                            ReduceKind kind, ActivationAttr act,
                                            bool keeps) {
  TaskSpec spec = {{{source, keeps}}, {}, llvm::to_vector(shapeOf(source))};
  spec.shape[1] = 1;
  return TaskBuilder::reduceChannels(loc, spec, kind, act);
}

Value SequenceEmitter::normalize(Location loc, Value source, Value rows,
                                 bool exchangeRows, bool allChannels,
                                 Value target) {
  TaskSpec spec = {{source, rows}, target, llvm::to_vector(shapeOf(source))};
  return TaskBuilder::normalize(loc, spec, exchangeRows, allChannels).result;
}

// Rows of 128 and 256 elements are as good as four.
static constexpr int64_t foldedRows = 4, foldable = 128;

// Columns of a view whose rows are its own: each is folded.
Value SequenceEmitter::foldColumns(Value view) {
  SmallVector<int64_t> shape(shapeOf(view));
  if (shape[2] != 1 || shape[3] % foldable != 0)
    return view;
  return reshape(view, {shape[0], shape[1], foldedRows, shape[3] / foldedRows});
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

// Real programs put log2 e, rounded to fp16, in front of the table of 2^x.
static float log2e() {
  return ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(1.44269504f));
}

bool SequenceEmitter::isTaken(SoftmaxOp op) const {
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  int64_t axis =
      int64_t(op.getAxis()) + 4 - cast<ShapedType>(op.getType()).getRank();
  int64_t bytes =
      shape[1] * shape[2] * int64_t(llvm::alignTo(2 * shape[3], info.l2Align));
  // Three copies at most live at a time, and a statistic.
  if (shape[0] != 1 || 4 * bytes > int64_t(info.l2Bytes))
    return false;
  if (isTooLongAsRow(shape))
    return false;
  if (auto scores = op.getInput().getDefiningOp()) {
    auto next = dyn_cast_or_null<MatmulOp>(getOnlyUser(op.getResult()));
    bool isKernel = next && next.getLhs() == op.getResult() &&
                    !next.getTransposeLhs() && shape[2] > 16;
    return !isa<ConstantOp>(scores) && axis == 3 && shape[1] == 1 &&
           (isKernel || isReturned(op.getResult()));
  }
  if (!isReturned(op.getResult()))
    return false;
  if (axis == 3)
    return shape[3] > 1 || shape[2] == 1;
  return axis != 0;
}

// Rows of an image in L2 as a reduction goes through them: those of a lone
// channel as channels, else as groups; rows of 128 and 256 elements as four.
Value SequenceEmitter::rowsOf(Value image) {
  ArrayRef<int64_t> shape = shapeOf(image);
  if (shape[1] > 1)
    return foldColumns(permute(image, {2, 1, 0, 3}));
  return shape[3] % foldable
             ? swapRows(image)
             : reshape(image, {1, shape[2], foldedRows, shape[3] / foldedRows});
}

Value SequenceEmitter::reduceInParts(Location loc, Value rows,
                                     const Reduction &reduction) {
  ArrayRef<int64_t> shape = shapeOf(rows);
  if (shape[0] > 1 || shape[1] <= maxRows)
    return reduce(loc, rows, reduction).result;
  Value whole = makeL2Buffer(loc, {1, shape[1], 1, 1});
  for (int64_t first = 0; first < shape[1]; first += maxRows) {
    int64_t count = std::min(maxRows, shape[1] - first);
    SmallVector<int64_t> part(shape);
    part[1] = count;
    Reduction of = reduction;
    of.target = box(whole, {0, first, 0, 0}, {1, count, 1, 1});
    reduce(loc, box(rows, {0, first, 0, 0}, part), of);
  }
  return whole;
}

// Of columns, from DRAM: a copy to L2 first, since the rows are seen in another
// way there.
void SequenceEmitter::emitColumnSoftmax(SoftmaxOp op) {
  Location loc = op.getLoc();
  Value image = copy(loc, held.lookup(op.getInput()).memref, Value());
  auto asStatistic = [&](Value reduced) {
    return shapeOf(reduced)[0] > 1 ? permute(reduced, {2, 1, 0, 3})
                                   : swapRows(reduced);
  };
  bool isLone = shapeOf(image)[1] == 1;
  auto statistic = [&](Value source, ReduceKind kind, ActivationAttr act) {
    Value reduced = reduceInParts(loc, rowsOf(source), {{kind, act}});
    return isLone ? swapRows(reduced) : asStatistic(reduced);
  };
  Value top = statistic(image, ReduceKind::Max, ActivationAttr());
  Value less = pair(loc, image, top, {{ElementwiseKind::Sub, log2e()}});
  Value power = copy(loc, less, Value(), function(ActivationKind::Exp2));
  Value factor =
      statistic(power, ReduceKind::Sum, function(ActivationKind::Reciprocal));
  multiply(op, factor, power);
}

// Of a row of each channel: of scores that a product left in L2, on the way to
// the next one, or of what is loaded for the maximum and the difference.
void SequenceEmitter::emitRowSoftmax(SoftmaxOp op) {
  Location loc = op.getLoc();
  Value scores = held.lookup(op.getInput()).memref;
  SmallVector<int64_t> shape(shapeOf(scores));
  Reduction top = {{ReduceKind::Max}};
  top.exchangeResult = shape[1] > 1 && shape[1] <= maxExchanged;
  top.keeps = !isInSpace(scores.getType(), MemorySpace::L2);
  TaskResults maximum = reduce(loc, scores, top);
  if (top.keeps)
    scores = maximum.kept[0];
  Pair sub = {{ElementwiseKind::Sub, log2e()}};
  sub.exchangeRhs = top.exchangeResult;
  Value less = pair(loc, scores, maximum.result, sub);
  Value power = copy(loc, less, Value(), function(ActivationKind::Exp2));
  Reduction sum = {{ReduceKind::Sum, function(ActivationKind::Reciprocal)}};
  sum.exchangeResult = top.exchangeResult;
  Pair product = {{ElementwiseKind::Mul}};
  product.exchangeLhs = top.exchangeResult;
  Value factor = reduce(loc, power, sum).result;
  if (Value output = outputOf(op.getResult())) {
    product.target =
        shapeOf(output) == ArrayRef<int64_t>(shape) ? output : swapRows(output);
  } else {
    int64_t power2 = int64_t(1) << llvm::countr_zero(uint64_t(shape[1]));
    product.interleave = std::clamp<int64_t>(power2 / 16, 2, 8);
    product.target = makeBuffer(loc, {1, shape[1] / product.interleave, 1,
                                      shape[3] * product.interleave});
    hold(op.getResult(), product.target, Form::Kernel);
  }
  pair(loc, factor, power, product);
}

// Of channels, on the NEs; of rows, seen as channels.
void SequenceEmitter::emitChannelSoftmax(SoftmaxOp op) {
  Location loc = op.getLoc();
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  int64_t axis =
      int64_t(op.getAxis()) + 4 - cast<ShapedType>(op.getType()).getRank();
  auto view = [&](Value surface) {
    return axis == 1 ? surface : swapRows(surface);
  };
  TaskResults top =
      reduceChannels(loc, view(held.lookup(op.getInput()).memref),
                     ReduceKind::Max, ActivationAttr(), /*keeps=*/true);
  Value power;
  if (isColumn(shapeOf(top.kept[0])))
    power = powerOfColumn(loc, top.kept[0], top.result);
  else
    power = copy(
        loc,
        pair(loc, top.kept[0], top.result, {{ElementwiseKind::Sub, log2e()}}),
        Value(), function(ActivationKind::Exp2));
  Value factor = reduceChannels(loc, power, ReduceKind::Sum,
                                function(ActivationKind::Reciprocal), false)
                     .result;
  multiply(op, view(factor), view(power));
}

// exp(column - top), by way of a row: a table reads many columns faster.
Value SequenceEmitter::powerOfColumn(Location loc, Value column, Value top) {
  int64_t channels = shapeOf(column)[1];
  Pair sub = {{ElementwiseKind::Sub, log2e()}};
  sub.exchangeResult = true;
  if (info.savesL2)
    sub.place = makeBuffer(loc, {1, 1, 1, channels});
  return exchange(loc, pair(loc, column, top, sub), Value(), false,
                  function(ActivationKind::Exp2));
}

// Of single columns: all ones, but real programs compute it.
void SequenceEmitter::emitLoneSoftmax(SoftmaxOp op) {
  Location loc = op.getLoc();
  Reduction most = {{ReduceKind::Max}};
  most.keeps = true;
  TaskResults top = reduce(loc, held.lookup(op.getInput()).memref, most);
  Value power = powerOfColumn(loc, top.kept[0], top.result);
  Value factor =
      reduce(loc, power,
             {{ReduceKind::Sum, function(ActivationKind::Reciprocal)}})
          .result;
  multiply(op, factor, power);
}

void SequenceEmitter::emit(SoftmaxOp op) {
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  if (held.lookup(op.getInput()).form == Form::Rows)
    return emitRowSoftmax(op);
  if (int64_t(op.getAxis()) + 1 != cast<ShapedType>(op.getType()).getRank())
    return emitChannelSoftmax(op);
  if (shape[3] == 1)
    return emitLoneSoftmax(op);
  return shape[2] == 1 ? emitRowSoftmax(op) : emitColumnSoftmax(op);
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> imageAxes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t axis : axes)
    result.push_back(axis + 4 - rank);
  llvm::sort(result);
  return result;
}

static SmallVector<int64_t> imageAxes(LayerNormOp op) {
  SmallVector<int64_t> axes =
      imageAxes(op.getAxes(), cast<ShapedType>(op.getType()).getRank());
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  // A lone row of several channels is an image of each.
  if (axes == ArrayRef<int64_t>{3} && shape[1] > 1 && shape[2] == 1)
    return {2, 3};
  return axes;
}

bool SequenceEmitter::isTaken(LayerNormOp op) const {
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  SmallVector<int64_t> axes = imageAxes(op);
  int64_t bytes =
      shape[1] * shape[2] * int64_t(llvm::alignTo(2 * shape[3], info.l2Align));
  if (shape[0] != 1 || op.getGamma() || op.getBeta() ||
      op.getInput().getDefiningOp() || 3 * bytes > int64_t(info.l2Bytes) ||
      isTooLongAsRow(shape))
    return false;
  Operation *next = getOnlyUser(op.getResult());
  bool isRow = axes == ArrayRef<int64_t>{3} && shape[1] == 1;
  if (!isReturned(op.getResult())) {
    // Rows stay in L2 as channels for a table or a product.
    bool isRead =
        isa<ActivationOp>(next)
            ? isReturned(next->getResult(0))
            : isa<MatmulOp>(next) && next->getOperand(0) == op.getResult();
    return isRow && shape[2] <= maxRows && isRead;
  }
  bool isWhole = axes == ArrayRef<int64_t>{1, 2, 3};
  bool isImage = axes == ArrayRef<int64_t>{2, 3} && shape[1] <= maxExchanged;
  bool isChannels =
      axes == ArrayRef<int64_t>{1} && shape[1] > 1 &&
      ((shape[2] > 1 && shape[3] > 1) || (shape[2] == 1 && shape[3] == 1));
  bool isColumns = axes == ArrayRef<int64_t>{3} && shape[1] > 1 &&
                   shape[2] > 1 && shape[2] <= int64_t(info.maxGroups);
  return isWhole || isRow || isImage || isChannels || isColumns;
}

// An image as the PE reduces all of it: rows become depth and channels rows. A
// lone channel needs no other view.
Value SequenceEmitter::wholeOf(Value surface) {
  SmallVector<int64_t> shape(shapeOf(surface));
  if (shape[1] == 1)
    return surface;
  return permute(reshape(surface, {1, 1, shape[1], shape[2], shape[3]}),
                 {0, 1, 3, 2, 4});
}

static ActivationAttr rootOf(LayerNormOp op) {
  return rsqrtOf(op.getContext(), op.getEpsilon().convertToFloat());
}

// The means of `source`, and the inverse roots of what is left, as two `rows`.
// Returns the source in L2.
Value SequenceEmitter::statistics(LayerNormOp op, Value source, Value rows,
                                  bool exchanged) {
  Location loc = op.getLoc();
  SmallVector<int64_t> shape(shapeOf(rows));
  shape[2] = 1;
  Reduction means = {{ReduceKind::Mean}};
  means.exchangeResult = exchanged;
  means.keeps = isInDram(source);
  means.target = box(rows, {0, 0, 0, 0}, shape);
  TaskResults first = reduce(loc, source, means);
  if (means.keeps)
    source = first.kept[0];
  Reduction root = {{ReduceKind::MeanSquare, rootOf(op)}};
  root.offset = means.target;
  root.exchangeOffset = root.exchangeResult = exchanged;
  root.target = box(rows, {0, 0, 1, 0}, shape);
  reduce(loc, source, root);
  return source;
}

// Over all of an image.
void SequenceEmitter::emitWholeNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  Value surface = held.lookup(op.getInput()).memref;
  SmallVector<int64_t> shape(shapeOf(surface));
  bool isLone = shape[1] == 1;
  Value source = wholeOf(surface);
  Value rows = makeL2Buffer(loc, {1, 1, 2, 1});
  Value kept = statistics(op, source, rows, /*exchanged=*/false);
  normalize(loc, isLone ? kept : surface, rows, false, true,
            outputOf(op.getResult()));
}

// Over the columns of a lone channel, whose rows become channels, or over
// columns and rows of each channel.
void SequenceEmitter::emitRowNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  Value surface = held.lookup(op.getInput()).memref;
  bool isRow = imageAxes(op) == ArrayRef<int64_t>{3};
  Value source = isRow ? swapRows(surface) : surface;
  int64_t channels = shapeOf(source)[1];
  bool exchanged = channels > 1;
  // Means as columns; those of a lone channel are that anyway.
  Value rows = makeL2Buffer(loc, {1, 1, 2, channels});
  Value kept = statistics(op, source, rows, exchanged);
  Value output = outputOf(op.getResult());
  Value result = normalize(loc, kept, rows, exchanged, false,
                           !output ? Value()
                           : isRow ? swapRows(output)
                                   : output);
  if (!output)
    hold(op.getResult(), result, Form::Rows);
}

// More rows than one task reduces: the source is read again each time, the last
// rows first, and back.
void SequenceEmitter::emitLongRowNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  Value source = swapRows(held.lookup(op.getInput()).memref);
  SmallVector<int64_t> shape(shapeOf(source));
  Value rows = makeL2Buffer(loc, {1, shape[1], 2, 1});
  SmallVector<std::pair<int64_t, int64_t>> parts;
  for (int64_t first = 0; first < shape[1]; first += maxRows)
    parts.emplace_back(first, std::min(maxRows, shape[1] - first));
  auto part = [&](std::pair<int64_t, int64_t> range, int64_t row) {
    return box(rows, {0, range.first, row, 0}, {1, range.second, 1, 1});
  };
  auto sourceOf = [&](std::pair<int64_t, int64_t> range) {
    return box(source, {0, range.first, 0, 0}, {1, range.second, 1, shape[3]});
  };
  for (auto range : llvm::reverse(parts)) {
    Reduction means = {{ReduceKind::Mean}};
    means.target = part(range, 0);
    reduce(loc, sourceOf(range), means);
  }
  for (auto range : parts) {
    Reduction root = {{ReduceKind::MeanSquare, rootOf(op)}};
    root.offset = part(range, 0);
    root.target = part(range, 1);
    reduce(loc, sourceOf(range), root);
  }
  normalize(loc, source, rows, false, false,
            swapRows(outputOf(op.getResult())));
}

// Over channels, which an exchange turns into columns.
void SequenceEmitter::emitChannelNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  TaskSpec spec = exchanged({held.lookup(op.getInput()).memref, true});
  TaskResults first =
      bypass(loc, spec, ActivationAttr(), /*scale=*/1, /*exchange=*/true);
  auto statistic = [&](Value exchanged, ReduceKind kind, ActivationAttr act) {
    Reduction how = {{kind, act}};
    how.exchangeResult = true;
    Value rows = foldColumns(permute(exchanged, {2, 1, 0, 3}));
    return permute(reduce(loc, rows, how).result, {2, 1, 0, 3});
  };
  Value mean = statistic(first.result, ReduceKind::Mean, ActivationAttr());
  Value less = pair(loc, first.kept[0], mean, {{ElementwiseKind::Sub}});
  multiply(op, less,
           statistic(exchange(loc, less, Value(), false),
                     ReduceKind::MeanSquare, rootOf(op)));
}

// Over the channels of one pixel: the PE exchanges them to a row and back.
void SequenceEmitter::emitPixelNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  auto turn = [&](Value source, Value target, bool isInput) {
    return unary(loc, exchanged(source, target), /*scale=*/1, /*bias=*/0,
                 ActivationAttr(), isInput, !isInput)
        .result;
  };
  Value row = turn(held.lookup(op.getInput()).memref, Value(), false);
  Value rows = makeL2Buffer(loc, {1, 1, 2, 1});
  statistics(op, row, rows, /*exchanged=*/false);
  Value normalized = normalize(loc, row, rows, /*exchangeRows=*/true,
                               /*allChannels=*/false, Value());
  turn(normalized, outputOf(op.getResult()), true);
}

// Over the columns of several channels, whose rows are groups.
void SequenceEmitter::emitColumnNorm(LayerNormOp op) {
  Location loc = op.getLoc();
  auto statistic = [&](Value image, ReduceKind kind, ActivationAttr act) {
    Value groups = permute(image, {2, 1, 0, 3});
    return permute(reduce(loc, groups, {{kind, act}}).result, {2, 1, 0, 3});
  };
  Value image = copy(loc, held.lookup(op.getInput()).memref, Value());
  Value mean = statistic(image, ReduceKind::Mean, ActivationAttr());
  Value less = pair(loc, image, mean, {{ElementwiseKind::Sub}});
  multiply(op, less, statistic(less, ReduceKind::MeanSquare, rootOf(op)));
}

void SequenceEmitter::emit(LayerNormOp op) {
  SmallVector<int64_t> axes = imageAxes(op);
  SmallVector<int64_t, 4> shape = getImageShape(op.getType());
  if (axes == ArrayRef<int64_t>{1} && isColumn(shape))
    return emitPixelNorm(op);
  if (axes == ArrayRef<int64_t>{3} && shape[1] > 1)
    return emitColumnNorm(op);
  if (axes == ArrayRef<int64_t>{1, 2, 3})
    return emitWholeNorm(op);
  if (axes == ArrayRef<int64_t>{1})
    return emitChannelNorm(op);
  bool isLong =
      axes == ArrayRef<int64_t>{3} && getImageShape(op.getType())[2] > maxRows;
  return isLong ? emitLongRowNorm(op) : emitRowNorm(op);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> imageAxes(ReduceOp op) {
  return imageAxes(op.getAxes(),
                   cast<ShapedType>(op.getInput().getType()).getRank());
}

// What is returned of a reduction: its result, or that without the dimensions
// that are gone.
static Value returnedOf(Value result) {
  auto flat = dyn_cast_or_null<ReshapeOp>(getOnlyUser(result));
  if (!flat)
    return result;
  SmallVector<int64_t, 4> from = getImageShape(result.getType()),
                          to = getImageShape(flat.getType());
  bool isRow = from[2] == 1 && from[3] == 1 && to[1] == 1 && to[2] == 1;
  return from == to || isRow ? flat.getResult() : result;
}

// Whether channels become a row in it.
static bool isRowOfChannels(Value result) {
  SmallVector<int64_t, 4> from = getImageShape(result.getType());
  return from[1] > 1 && getImageShape(returnedOf(result).getType()) != from;
}

bool SequenceEmitter::isTaken(ReduceOp op) const {
  auto type = cast<ShapedType>(op.getInput().getType());
  SmallVector<int64_t, 4> shape = getImageShape(type);
  ReduceKind kind = op.getKind();
  SmallVector<int64_t> axes = imageAxes(op);
  int64_t bytes =
      shape[1] * shape[2] * int64_t(llvm::alignTo(2 * shape[3], info.l2Align));
  if (shape[0] != 1 || op.getActivation() || op.getInput().getDefiningOp() ||
      !isReturned(returnedOf(op.getResult())) ||
      2 * bytes > int64_t(info.l2Bytes) ||
      type.getRank() != cast<ShapedType>(op.getType()).getRank() ||
      (isRowOfChannels(op.getResult()) && axes != ArrayRef<int64_t>{2, 3}))
    return false;
  bool isSum = kind == ReduceKind::Sum || kind == ReduceKind::Mean;
  if (!isSum && kind != ReduceKind::Max)
    return false;
  if (axes == ArrayRef<int64_t>{1})
    return shape[1] > 1 && (!isSum || isColumn(shape) || shape[3] > 1);
  if (axes == ArrayRef<int64_t>{2, 3} || axes == ArrayRef<int64_t>{1, 2, 3})
    return true;
  if (axes == ArrayRef<int64_t>{3})
    return shape[3] > 1 && shape[2] <= int64_t(info.maxGroups);
  return axes == ArrayRef<int64_t>{2} && shape[1] > 1 && shape[2] > 1 &&
         shape[3] > 1;
}

// Channels become columns by an exchange, rows are groups.
void SequenceEmitter::emitChannelReduce(ReduceOp op) {
  Location loc = op.getLoc();
  Value surface = held.lookup(op.getInput()).memref;
  Value output = outputOf(returnedOf(op.getResult()));
  if (op.getKind() == ReduceKind::Max ||
      (forms.sumsOnNes && op.getKind() == ReduceKind::Sum)) {
    TaskBuilder::reduceChannels(loc, {{surface}, output}, op.getKind());
    return;
  }
  bool isRow = shapeOf(surface)[2] == 1;
  Value columns = exchange(loc, surface, Value(), /*hasPlace=*/isRow);
  Reduction how = {{op.getKind()}};
  how.exchangeResult = true;
  how.target = isRow ? output : permute(output, {2, 1, 0, 3});
  reduce(loc, foldColumns(isRow ? columns : permute(columns, {2, 1, 0, 3})),
         how);
}

// Rows become columns by an exchange, and the columns groups; back the same
// way.
void SequenceEmitter::emitHeightReduce(ReduceOp op) {
  Location loc = op.getLoc();
  Value rows = swapRows(held.lookup(op.getInput()).memref);
  if (forms.sumsOnNes && op.getKind() == ReduceKind::Sum) {
    Value output = swapRows(outputOf(returnedOf(op.getResult())));
    TaskBuilder::reduceChannels(loc, {{rows}, output}, op.getKind());
    return;
  }
  Value columns = exchange(loc, rows, Value(), false);
  Value reduced =
      reduce(loc, permute(columns, {1, 2, 0, 3}), {{op.getKind()}}).result;
  exchange(loc, permute(reduced, {2, 0, 1, 3}),
           swapRows(outputOf(returnedOf(op.getResult()))), false);
}

void SequenceEmitter::emit(ReduceOp op) {
  SmallVector<int64_t> axes = imageAxes(op);
  Value surface = held.lookup(op.getInput()).memref;
  Reduction how = {{op.getKind()}};
  how.target = outputOf(returnedOf(op.getResult()));
  ArrayRef<int64_t> shape = shapeOf(surface);
  bool isMax = op.getKind() == ReduceKind::Max;
  if (axes == ArrayRef<int64_t>{1} && (isMax || !isColumn(shape)))
    return emitChannelReduce(op);
  if (axes == ArrayRef<int64_t>{2})
    return emitHeightReduce(op);
  if (axes.front() == 1) {
    surface = isColumn(shape) ? swapRows(surface) : wholeOf(surface);
  } else if (axes == ArrayRef<int64_t>{3} && shape[1] == 1 && shape[2] > 1 &&
             shape[2] <= maxRows) {
    // Rows of a lone channel are as good as channels (2 of 2).
    surface = swapRows(surface);
    how.target = swapRows(how.target);
  } else if (axes == ArrayRef<int64_t>{3} && shape[2] > 1) {
    // Rows are groups.
    surface = permute(surface, {2, 1, 0, 3});
    how.target = permute(how.target, {2, 1, 0, 3});
  } else if (axes == ArrayRef<int64_t>{3}) {
    surface = foldColumns(surface);
  }
  how.exchangeResult = isRowOfChannels(op.getResult());
  reduce(op.getLoc(), surface, how);
}

// The mean of an image, which ane-fold has as a pool.
bool SequenceEmitter::isTaken(PoolOp op) const {
  auto type = cast<ShapedType>(op.getInput().getType());
  ArrayRef<int64_t> shape = type.getShape();
  return type.getRank() == 4 && shape[0] == 1 &&
         op.getKind() == PoolKind::Average &&
         op.getKernel() == shape.take_back(2) && !op.hasPadding() &&
         cast<ShapedType>(op.getType()).getShape().take_back(2) ==
             ArrayRef<int64_t>{1, 1} &&
         !op.getInput().getDefiningOp() &&
         isReturned(returnedOf(op.getResult()));
}

void SequenceEmitter::emit(PoolOp op) {
  Reduction how = {{ReduceKind::Mean}};
  how.target = outputOf(returnedOf(op.getResult()));
  how.exchangeResult = isRowOfChannels(op.getResult());
  reduce(op.getLoc(), held.lookup(op.getInput()).memref, how);
}
