//===- CutLongRows.cpp - Ops on rows that are longer than one can be ------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of long rows (LongRow.h) become runs of ops on parts of their columns
// (RowRun.h), or ops of images, in the order of the function: what one makes
// the next takes as it is. A window reads across the ends of a row, so each row
// gets columns of its neighbours; of what a window makes of those, only the
// columns of its own row are kept. What is left of a long row where another op
// needs it is put together again.
//
// An op that is not known here stays, and legality reports it.
//
//===----------------------------------------------------------------------===//

#include "CutLongRows.h"

#include "LongSurfaces.h"
#include "ManyImages.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Constants/Fold.h"
#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/CutLongDims.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Regroup.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

namespace mlir::ane {
#define GEN_PASS_DEF_ANECUTLONGROWS
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// Rows of all channels should fit into L2.
static constexpr int64_t maxColumns = 4096;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool RowCutter::isLong(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getRank() >= 1 &&
         type.getShape().back() > int64_t(info.maxWidth);
}

// Whether L2 holds half of a row of all channels.
bool RowCutter::isWide(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!makesRuns || !type || !type.hasStaticShape() || type.getRank() < 3 ||
      value.getDefiningOp<ConstantOp>())
    return false;
  SmallVector<int64_t> shape = fourOf(type);
  return shape[0] == 1 && (type.getRank() == 3 || shape[2] == 1) &&
         type.getNumElements() > int64_t(info.l2Bytes / sizeof(uint16_t) / 2);
}

// Weights and biases have no row: numbers of a bias are of channels.
static OperandRange operandsWithRows(Operation *op) {
  return isa<ConvOp, ConvTransposeOp>(op) ? op->getOperands().take_front()
                                          : op->getOperands();
}

bool RowCutter::hasLongRow(Operation *op) const {
  auto isLong = [&](Value value) { return this->isLong(value); };
  return llvm::any_of(operandsWithRows(op), isLong) ||
         llvm::any_of(op->getResults(), isLong);
}

bool RowCutter::hasWideRow(Operation *op) const {
  auto isWide = [&](Value value) { return this->isWide(value); };
  return llvm::any_of(operandsWithRows(op), isWide) ||
         llvm::any_of(op->getResults(), isWide);
}

SmallVector<int64_t> mlir::ane::fourOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() > 4)
    return {1, 1, type.getNumElements() / shape.back(), shape.back()};
  SmallVector<int64_t> four(4 - shape.size(), 1);
  llvm::append_range(four, shape);
  return four;
}

RankedTensorType mlir::ane::withoutLastOnes(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  while (!shape.empty() && shape.back() == 1)
    shape = shape.drop_back();
  return RankedTensorType::get(shape, type.getElementType());
}

SmallVector<int64_t> mlir::ane::mergedLead(RankedTensorType type) {
  SmallVector<int64_t> shape = fourOf(type);
  return {shape[0], shape[1] * shape[2]};
}

bool mlir::ane::broadcastsMerged(RankedTensorType part,
                                 RankedTensorType whole) {
  SmallVector<int64_t> of = fourOf(part), all = fourOf(whole);
  bool isSame = of[1] == all[1] && of[2] == all[2];
  if (whole.getRank() > 4)
    return isSame ? ArrayRef(part.getShape()).drop_back() ==
                        ArrayRef(whole.getShape()).drop_back()
                  : part.getNumElements() == 1;
  return isSame || all[1] == 1 || all[2] == 1 || of[1] * of[2] == 1;
}

// Columns of `value`, so that those of what is made of it are whole.
void RowCutter::wantGranules(Operation *op) {
  if (op->getNumResults() != 1 || !hasLongRow(op))
    return;
  int64_t granule = granuleOf(op->getResult(0));
  DimMap columns;
  if (isa<DimMapOpInterface>(op))
    columns = getDimMap(op, 0, typeOf(op->getResult(0)).getRank() - 1);
  if (columns.kind == DimMap::Window || columns.kind == DimMap::Segment)
    granule *= columns.stride;
  else if (auto conv = dyn_cast<ConvTransposeOp>(op))
    granule /= std::gcd(granule, conv.getStrides()[1]);
  for (Value operand : op->getOperands())
    if (isLong(operand))
      if (int64_t both = std::lcm(granule, granuleOf(operand));
          both <= maxColumns)
        granules[operand] = both;
}

FailureOr<LongRow> mlir::ane::constantRow(OpBuilder &builder, Location loc,
                                          Value value, int64_t columns) {
  FailureOr<SmallVector<float>> values = readConstant(value);
  if (failed(values))
    return failure();
  RankedTensorType type = typeOf(value);
  int64_t length = type.getShape().back();
  SmallVector<int64_t> shape = mergedLead(type);
  int64_t planes = shape[0] * shape[1];
  shape.append({int64_t(llvm::divideCeil(length, columns)), columns});
  SmallVector<float> wide(planes * shape[2] * columns, 0.0f);
  for (int64_t plane = 0; plane != planes; ++plane)
    llvm::copy(ArrayRef(*values).slice(plane * length, length),
               wide.begin() + plane * shape[2] * columns);
  bool isHalf = type.getElementType().isF16();
  Value image = isHalf ? arrayConstant(builder, loc, shape, wide)
                       : unroundedConstant(builder, loc, shape, wide);
  return LongRow{image, length};
}

/// `value` as a long row, of as many columns.
FailureOr<LongRow> RowCutter::rowOf(Value value, int64_t columns) {
  RankedTensorType type = typeOf(value);
  LongRow row;
  if (auto found = cut.find(value); found != cut.end()) {
    row = found->second;
  } else {
    row.length = type.getShape().back();
    int64_t width = row.length;
    if (isLong(value) && value.getDefiningOp<ConstantOp>())
      return constantRow(builder, loc, value, columns ? columns : 1024);
    if (isLong(value))
      width = chooseColumns(row.length, granuleOf(value), info);
    if (width == 0)
      return failure();
    SmallVector<int64_t> shape = mergedLead(type);
    llvm::append_range(shape, ArrayRef{row.length / width, width});
    row.image = constantReshaped(builder, loc, value, shape);
    if (isLong(value)) {
      int64_t wanted = std::lcm(width, granuleOf(value));
      FailureOr<LongRow> better = failure();
      if (wanted <= maxColumns)
        better = rows().withColumns(row, wanted);
      row = succeeded(better) ? *better : row;
      cut[value] = row;
    }
  }
  if (columns == 0)
    return row;
  FailureOr<LongRow> other = rows().withColumns(row, columns);
  constexpr int64_t maxRows = 256; // each of them is put together
  if (succeeded(other) || row.length > maxRows * columns)
    return other;
  return rows().join({{row.image, 0, row.length}}, columns);
}

// An operand with one element for a row.
Value RowCutter::asShortRow(Value value) {
  SmallVector<int64_t> shape = mergedLead(typeOf(value));
  shape.append({1, 1});
  return constantReshaped(builder, loc, value, shape);
}

Value RowCutter::copyOf(Operation *op, ValueRange operands,
                        ArrayRef<int64_t> shape) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  copy->getResult(0).setType(typeOf(op->getResult(0)).clone(shape));
  return copy->getResult(0);
}

//===----------------------------------------------------------------------===//
// Elements and windows
//===----------------------------------------------------------------------===//

// Where the operands are not.
static bool mayBeInfinite(Operation *op) {
  if (auto pair = dyn_cast<ElementwiseOp>(op))
    return pair.getKind() == ElementwiseKind::Div ||
           pair.getKind() == ElementwiseKind::Pow || pair.getActivation();
  if (auto act = dyn_cast<ActivationOp>(op))
    switch (act.getFunction().getKind()) {
    case ActivationKind::Exp:
    case ActivationKind::Exp2:
    case ActivationKind::Log:
    case ActivationKind::Log2:
    case ActivationKind::Log1p:
    case ActivationKind::Expm1:
    case ActivationKind::Sqrt:
    case ActivationKind::Rsqrt:
    case ActivationKind::Reciprocal:
      return true;
    default:
      return false;
    }
  return false;
}

LogicalResult RowCutter::byElement(Operation *op) {
  RankedTensorType type = typeOf(op->getResult(0));
  int64_t length = type.getShape().back(), columns = 0, most = 0;
  auto isWhole = [&](Value v) { return typeOf(v).getShape().back() == length; };
  for (Value operand : op->getOperands()) {
    if (!broadcastsMerged(typeOf(operand), type))
      return failure();
    // All operands get the columns of one that has them already.
    if (cut.contains(operand))
      columns = std::max(columns, cut[operand].columns());
  }
  SmallVector<LongRow> operands;
  bool mayHaveInfinitePadding = mayBeInfinite(op);
  auto add = [&](Value operand) -> LogicalResult {
    if (!isWhole(operand)) {
      operands.push_back({asShortRow(operand), 1});
      return success();
    }
    FailureOr<LongRow> row = rowOf(operand, columns);
    if (failed(row))
      return failure();
    columns = row->columns();
    most = std::max(most, row->rows());
    mayHaveInfinitePadding |= row->mayHaveInfinitePadding;
    operands.push_back(*row);
    return success();
  };
  // Constants have any columns.
  for (Value operand : op->getOperands())
    if (!operand.getDefiningOp<ConstantOp>() && isWhole(operand) &&
        columns == 0) {
      FailureOr<LongRow> row = rowOf(operand);
      if (failed(row))
        return failure();
      columns = row->columns();
    }
  for (Value operand : op->getOperands())
    if (failed(add(operand)))
      return failure();
  SmallVector<Value> images;
  for (LongRow row : operands) {
    if (row.length == length && row.rows() < most &&
        typeOf(row.image).getElementType().isF32())
      return failure();
    if (row.length == length)
      row = rows().grown(row, most * columns);
    images.push_back(row.image);
  }
  SmallVector<int64_t> shape = mergedLead(type);
  shape.append({most, columns});
  return set(op, {copyOf(op, images, shape), length, mayHaveInfinitePadding});
}

// The rows that a window needs, and of what it makes those that are its own.
LogicalResult RowCutter::window(Operation *op) {
  DimMap window = getDimMap(op, 0, 3);
  auto pool = dyn_cast<PoolOp>(op);
  bool isMax = pool && pool.getKind() == PoolKind::Max;
  float fill = isMax ? -65504.0f : 0.0f;
  RankedTensorType type = typeOf(op->getResult(0));
  int64_t stride = window.stride, length = type.getDimSize(3);
  FailureOr<LongRow> row = rowOf(op->getOperand(0));
  if (failed(row))
    return failure();
  int64_t align = info.dmaAlign / sizeof(uint16_t);
  // After columns of the row before, the row's own results start where the DMA
  // can address them.
  int64_t left = llvm::alignTo(window.before, align * stride);
  int64_t right =
      std::max<int64_t>(0, window.getSpan() - window.before - stride);
  int64_t columns = std::lcm(row->columns(), stride);
  columns *= llvm::divideCeil(std::max(left, right), columns);
  columns = std::max(columns, std::lcm(row->columns(), stride));
  row = rows().withColumns(*row, columns);
  if (failed(row) || left + columns + right > int64_t(info.maxWidth))
    return failure();
  int64_t last = (length - 1) * stride - window.before + window.getSpan();
  LongRow source = last > row->length || row->mayHaveInfinitePadding
                       ? rows().cleared(*row, fill)
                       : *row;
  source = rows().grown(source, length * stride, fill);
  Value image = rows().withNeighbours(source, left, right, fill);
  SmallVector<int64_t> pad{0, 0, window.before, 0}, shape(type.getShape());
  int64_t width = left + columns + right;
  shape[2] = source.rows();
  shape[3] = (window.before + width - window.getSpan()) / stride + 1;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = image;
  Value result = copyOf(op, operands, shape);
  result.getDefiningOp()->setAttr("pad", builder.getDenseI64ArrayAttr(pad));
  result.getDefiningOp()->setAttr("strides",
                                  builder.getDenseI64ArrayAttr({1, stride}));
  result = sliceDim(builder, loc, result, 3, left / stride, columns / stride);
  return set(op, {result, length});
}

// One row, and a window of one.
static bool isOfRow(Operation *op, int64_t rows, ArrayRef<int64_t> pad) {
  return typeOf(op->getOperand(0)).getDimSize(2) == 1 && rows == 1 &&
         pad[0] == 0 && pad[1] == 0;
}

LogicalResult RowCutter::visitConv(ConvOp op) {
  int64_t rows = typeOf(op.getWeight()).getDimSize(2);
  if (!isLong(op.getInput()) || !isOfRow(op, rows, op.getPad()))
    return failure();
  return window(op);
}

LogicalResult RowCutter::visitPool(PoolOp op) {
  ArrayRef<int64_t> pad = op.getPad();
  if (!isLong(op.getInput()) || !isOfRow(op, op.getKernel()[0], pad))
    return failure();
  if (op.getKernel()[1] == typeOf(op.getInput()).getDimSize(3) &&
      llvm::all_of(pad, [](int64_t pad) { return pad == 0; })) {
    FailureOr<LongRow> row = rowOf(op.getInput());
    if (failed(row))
      return failure();
    bool isMax = op.getKind() == PoolKind::Max;
    return replace(op, reduced(*row, isMax ? ReduceKind::Max : ReduceKind::Mean,
                               /*overChannels=*/false));
  }
  // How many elements an average has depends on where it is.
  if (op.getKind() == PoolKind::Average && !op.getCountIncludePad() &&
      (pad[2] != 0 || pad[3] != 0))
    return failure();
  return window(op);
}

// Result b of a row is made of the elements that lie under the turned window,
// those of the rows beside it among them.
LogicalResult RowCutter::visitTransposed(ConvTransposeOp op) {
  RankedTensorType weight = typeOf(op.getWeight());
  ArrayRef<int64_t> pad = op.getPad();
  if (!isOfRow(op, weight.getDimSize(2), pad))
    return failure();
  FailureOr<LongRow> row = rowOf(op.getInput());
  if (failed(row))
    return failure();
  int64_t stride = op.getStrides()[1], low = pad[2];
  int64_t extent = (weight.getDimSize(3) - 1) * op.getDilations()[1] + 1;
  int64_t length = typeOf(op).getDimSize(3);
  int64_t align = info.dmaAlign / sizeof(uint16_t);
  int64_t left = std::max<int64_t>(0, llvm::divideCeil(extent - 1, stride));
  left = llvm::alignTo(left, align / std::gcd(align, stride));
  int64_t right =
      llvm::divideCeil(low + std::max<int64_t>(0, stride - extent), stride);
  int64_t columns = row->columns();
  if (!isLong(op.getInput()))
    columns = llvm::alignTo(
        std::max<int64_t>(left, 1024 / stride),
        std::lcm(align, granuleOf(op) / std::gcd(granuleOf(op), stride)));
  columns *= llvm::divideCeil(std::max(left, right), columns);
  LongRow source = rows().cleared(*row, 0);
  if (!isLong(op.getInput()))
    source = rows().join({{source.image, 0, source.length}}, columns);
  row = rows().withColumns(source, columns);
  if (failed(row) ||
      (left + columns + right) * stride + extent > int64_t(info.maxWidth))
    return failure();
  source = rows().grown(*row, llvm::divideCeil(length, stride));
  Value image = rows().withNeighbours(source, left, right, 0);
  SmallVector<int64_t> shape(typeOf(op).getShape());
  shape[2] = source.rows();
  shape[3] = (left + columns + right - 1) * stride + extent - low;
  SmallVector<Value> operands(op->getOperands());
  operands[0] = image;
  Value result = copyOf(op, operands, shape);
  auto copy = result.getDefiningOp<ConvTransposeOp>();
  copy.setPad({0, 0, low, 0});
  copy.setStrides({1, stride});
  result = sliceDim(builder, loc, result, 3, left * stride, columns * stride);
  return set(op, {result, length});
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

LogicalResult RowCutter::visit(Operation *op) {
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ActivationOp, CompareOp, ElementwiseOp, SelectOp>(
          [&](auto op) { return byElement(op); })
      .Case([&](CastOp cast) -> LogicalResult {
        if (isHostElement(cast.getType()) ||
            isHostElement(cast.getInput().getType()))
          return failure();
        return byElement(op);
      })
      .Case([&](ConvOp op) { return visitConv(op); })
      .Case([&](PoolOp op) { return visitPool(op); })
      .Case([&](ConvTransposeOp op) { return visitTransposed(op); })
      .Case([&](ReduceOp op) { return visitReduce(op); })
      .Case([&](SoftmaxOp op) { return visitSoftmax(op); })
      .Case([&](LayerNormOp op) -> LogicalResult {
        return visitNorm(op, /*isCentred=*/true);
      })
      .Case([&](RmsNormOp op) -> LogicalResult {
        return visitNorm(op, /*isCentred=*/false);
      })
      .Case([&](SliceOp op) { return visitSlice(op); })
      .Case([&](ConcatOp op) { return visitConcat(op); })
      .Case([&](PadOp op) { return visitPad(op); })
      .Case([&](ReshapeOp op) { return visitReshape(op); })
      .Default([](Operation *) { return failure(); });
}

static SmallVector<int64_t> axesOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case<LayerNormOp, ReduceOp, RmsNormOp>(
          [](auto op) { return SmallVector<int64_t>(op.getAxes()); })
      .Case<ConcatOp, SoftmaxOp>([](auto op) {
        return SmallVector<int64_t>{static_cast<int64_t>(op.getAxis())};
      })
      .Default({});
}

// A long dimension with ones after it is a row without them, and without those
// in front.
void RowCutter::dropOnes(Operation *op) {
  if (!canRegroup(op) || op->getNumResults() != 1)
    return;
  RankedTensorType type = typeOf(op->getResult(0));
  // The host casts arguments and results as they are.
  if (isa<CastOp>(op) &&
      (isHostElement(type) || isHostElement(op->getOperand(0).getType())))
    return;
  SmallVector<int64_t> most(type.getRank(), 1);
  bool hasLong = false, isSameRank = true;
  auto look = [&](Value value) {
    if (typeOf(value).getRank() != type.getRank()) {
      isSameRank = false;
      return;
    }
    for (auto [extent, other] : llvm::zip_equal(most, typeOf(value).getShape()))
      extent = std::max(extent, other);
    RankedTensorType shape = withoutLastOnes(typeOf(value));
    hasLong |=
        shape.getRank() > 0 && shape.getShape().back() > int64_t(info.maxWidth);
  };
  // Factors of a norm have its axes only.
  bool isNorm = isa<LayerNormOp, RmsNormOp>(op);
  look(op->getResult(0));
  for (Value operand :
       op->getOperands().take_front(isNorm ? 1 : op->getNumOperands()))
    look(operand);
  SmallVector<int64_t> axes = axesOf(op);
  if (!hasLong || !isSameRank || most.empty() || most.back() != 1 ||
      (!axes.empty() &&
       llvm::all_of(axes, [&](int64_t axis) { return most[axis] == 1; })))
    return;
  DimGroups groups;
  groups.rank = 0;
  for (int64_t extent : most)
    groups.to.push_back(extent == 1 ? -1 : groups.rank++);
  loc = op->getLoc();
  builder.setInsertionPoint(op);
  Value row = createRegrouped(builder, op, groups);
  op->getResult(0).replaceAllUsesWith(
      reshaped(builder, loc, row, type.getShape()));
  op->erase();
}

// Copies of a long dimension are a concat.
void RowCutter::joinCopies(TileOp op) {
  if (!isTooLong(op.getType().getShape(), info))
    return;
  loc = op.getLoc();
  builder.setInsertionPoint(op);
  Value value = op.getInput();
  for (auto [dim, count] : llvm::enumerate(op.getRepeats()))
    if (count > 1)
      value = concatDim(builder, loc, SmallVector<Value>(count, value), dim);
  op.replaceAllUsesWith(value);
  op.erase();
}

// A border around a long row, then others around all rows, which are joined.
void RowCutter::joinBorders(PadOp op) {
  RankedTensorType type = op.getType();
  int64_t last = type.getRank() - 1;
  auto isPadded = [&](int64_t dim) {
    return op.getLow()[dim] != 0 || op.getHigh()[dim] != 0;
  };
  if (!isLong(op.getResult()) || type.getRank() > 4 ||
      llvm::none_of(llvm::seq<int64_t>(0, last), isPadded))
    return;
  loc = op.getLoc();
  builder.setInsertionPoint(op);
  Value value = op.getInput();
  for (int64_t dim = last; dim >= 0; --dim) {
    if (!isPadded(dim))
      continue;
    SmallVector<int64_t> low(last + 1, 0), high(last + 1, 0);
    if (dim == last) {
      low[dim] = op.getLow()[dim];
      high[dim] = op.getHigh()[dim];
      value = PadOp::create(builder, loc,
                            withDim(typeOf(value), dim, type.getDimSize(dim)),
                            value, low, high, op.getValue());
      continue;
    }
    SmallVector<Value> parts;
    auto addBorder = [&](int64_t count) {
      if (count == 0)
        return;
      RankedTensorType border = withDim(typeOf(value), dim, count);
      parts.push_back(splatConstant(builder, loc, border.getShape(),
                                    op.getValue().convertToFloat()));
    };
    addBorder(op.getLow()[dim]);
    parts.push_back(value);
    addBorder(op.getHigh()[dim]);
    value = concatDim(builder, loc, parts, dim);
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

bool RowCutter::run() {
  bool hasParts = false;
  surfacePads = padLongSurfaces(scope, info);
  scope->walk([&](Operation *op) { dropOnes(op); });
  scope->walk([&](TileOp op) { joinCopies(op); });
  scope->walk([&](PadOp op) { joinBorders(op); });
  // A row is known through one reshape, not through another shape in between.
  composeReshapes(scope);
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    bool isCut = isa<ANEDialect>(op->getDialect()) &&
                 op->getNumResults() == 1 && !isa<ConstantOp>(op) &&
                 (hasLongRow(op) || hasWideRow(op));
    positions[op] = {isCut, positions.size()};
    if (isCut)
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    wantGranules(op);
  for (ArrayRef<Operation *> rest = ops; !rest.empty();) {
    size_t count = makesRuns ? cutRun(rest) : 0;
    hasParts |= count != 0;
    if (count == 0) {
      if (hasLongRow(rest[0]))
        (void)visit(rest[0]);
      count = 1;
    }
    rest = rest.drop_front(count);
  }
  for (Operation *op : llvm::reverse(ops)) {
    Value result = op->getResult(0);
    if (made.contains(result) && !result.use_empty()) {
      loc = op->getLoc();
      builder.setInsertionPointAfterValue(cut[result].image);
      result.replaceAllUsesWith(rows().flat(cut[result], typeOf(result)));
    }
    if (op->use_empty())
      op->erase();
  }
  return hasParts;
}

namespace {
struct CutLongRows
    : DecomposePass<CutLongRows,
                    mlir::ane::impl::ANECutLongRowsBase<CutLongRows>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    rewritten += joinManyImages(getOperation(), options.generation);
    rewritten += RowCutter(getOperation(), options).run();
    // What was begun for an op that stays would keep its operands whole.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    int64_t cut = 0;
    getOperation()->walk([&](func::FuncOp func) {
      cut += cutLongDims(func, options.generation);
    });
    if (cut > 0)
      foldConstants(getOperation()); // parts of weights
    rewritten += cut;
    return success();
  }
};
} // namespace
