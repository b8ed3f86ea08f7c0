//===- CutLongRowsWhole.cpp - Statistics and shapes of long rows ----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is after a row is in no sum and no maximum: of the last row only the
// part that is of the long one is taken.
//
//===----------------------------------------------------------------------===//

#include "CutLongRows.h"

#include "ane/Dialect/ANE/Transforms/Norms/Patterns.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"

#include "llvm/ADT/SmallVectorExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Whole rows
//===----------------------------------------------------------------------===//

// Over all elements, as n x c x 1 x 1, or n x 1 x 1 x 1.
Value RowCutter::reduced(LongRow row, ReduceKind kind, bool overChannels) {
  SmallVector<int64_t> axes{2, 3};
  if (overChannels)
    axes.insert(axes.begin(), 1);
  auto part = [&](Value image) -> Value {
    return ReduceOp::create(builder, loc, kind, image, axes);
  };
  row = rows().shrunk(row);
  if (row.behind() == 0)
    return part(row.image);
  int64_t whole = row.length / row.columns();
  int64_t rest = row.length - whole * row.columns();
  Value end = sliceDim(builder, loc, row.image, 2, whole, 1);
  end = part(sliceDim(builder, loc, end, 3, 0, rest));
  if (whole == 0)
    return end;
  Value front = part(sliceDim(builder, loc, row.image, 2, 0, whole));
  return combineReductions(builder, loc, kind, {front, end},
                           {whole * row.columns(), rest});
}

namespace {
/// Whether `axes` has the row, and all channels of it.
struct RowAxes {
  bool row = false, channels = false, isKnown = true;
  RowAxes(ArrayRef<int64_t> axes, RankedTensorType type) {
    SmallVector<int64_t> shape = fourOf(type);
    SmallVector<bool> has(4, false);
    for (int64_t axis : axes)
      if (int64_t four = axis + 4 - type.getRank(); four >= 0)
        has[four] = shape[four] != 1;
    row = has[3];
    channels = has[1] || has[2];
    isKnown =
        type.getRank() <= 4 && !has[0] &&
        (row || channels || shape[1] * shape[2] == 1) &&
        (!channels || ((has[1] || shape[1] == 1) && (has[2] || shape[2] == 1)));
  }
};
} // namespace

LogicalResult RowCutter::visitReduce(ReduceOp op) {
  RankedTensorType type = typeOf(op.getInput());
  RowAxes axes(op.getAxes(), type);
  FailureOr<LongRow> row = rowOf(op.getInput());
  if (failed(row) || !axes.isKnown)
    return failure();
  if (!axes.row) {
    SmallVector<int64_t> shape(typeOf(row->image).getShape());
    shape[1] = 1;
    Value result = ReduceOp::create(
        builder, loc, typeOf(row->image).clone(shape), op.getKind(), row->image,
        ArrayRef<int64_t>{1}, op.getActivationAttr());
    return set(op, {result, row->length, row->mayHaveInfinitePadding});
  }
  return replace(op, activated(builder, loc,
                               reduced(*row, op.getKind(), axes.channels),
                               op.getActivationAttr()));
}

// The sum of all powers may be more than f16 has; that of the means of rows is
// not.
LogicalResult RowCutter::visitSoftmax(SoftmaxOp op) {
  FailureOr<LongRow> row = rowOf(op.getInput());
  RankedTensorType type = typeOf(op.getInput());
  int64_t axis = op.getAxis() + 4 - type.getRank();
  if (failed(row) || axis != 3)
    return failure();
  LongRow source = rows().cleared(*row, -65504.0f);
  auto act = [&](Value value, ActivationKind kind) -> Value {
    return ActivationOp::create(
        builder, loc, value.getType(), value,
        ActivationAttr::get(builder.getContext(), kind, 0));
  };
  Value most =
      ReduceOp::create(builder, loc, ReduceKind::Max, source.image, {2, 3});
  Value powers =
      act(binary(builder, loc, ElementwiseKind::Sub, source.image, most),
          ActivationKind::Exp);
  Value sum = ReduceOp::create(
      builder, loc, ReduceKind::Sum,
      ReduceOp::create(builder, loc, ReduceKind::Mean, powers, {3}), {2});
  Value result = binary(builder, loc, ElementwiseKind::Mul, powers,
                        act(sum, ActivationKind::Reciprocal));
  result.getDefiningOp<ElementwiseOp>().setScaleAttr(
      builder.getF32FloatAttr(1.0f / source.columns()));
  return set(op, source.with(result));
}

// Divides by the deviation. With zeros after the row one reduction squares all
// of it, so that no mean of squares has to be a number of f16; zeros make it
// smaller.
Value RowCutter::scaled(LongRow row, float epsilon, bool overChannels) {
  row = rows().cleared(row, 0.0f);
  double share = double(row.length) / double(row.rows() * row.columns());
  SmallVector<int64_t> axes{2, 3};
  if (overChannels)
    axes.insert(axes.begin(), 1);
  SmallVector<int64_t> shape(typeOf(row.image).getShape());
  for (int64_t axis : axes)
    shape[axis] = 1;
  Value factor = ReduceOp::create(
      builder, loc, typeOf(row.image).clone(shape), ReduceKind::MeanSquare,
      row.image, axes, rsqrtOf(builder.getContext(), epsilon * share));
  Value result = binary(builder, loc, ElementwiseKind::Mul, row.image, factor);
  result.getDefiningOp<ElementwiseOp>().setScaleAttr(
      builder.getF32FloatAttr(std::sqrt(share)));
  return result;
}

template <typename OpT>
LogicalResult RowCutter::visitNorm(OpT op, bool isCentred) {
  RankedTensorType type = typeOf(op.getInput());
  RowAxes axes(op.getAxes(), type);
  FailureOr<LongRow> row = rowOf(op.getInput());
  if (failed(row) || !axes.isKnown)
    return failure();

  auto normed = [&](Value value, ArrayRef<int64_t> axes,
                    bool isScaled) -> Value {
    Value gamma = isScaled ? op.getGamma() : Value();
    if constexpr (std::is_same_v<OpT, LayerNormOp>)
      return LayerNormOp::create(builder, loc, value.getType(), value, gamma,
                                 isScaled ? op.getBeta() : Value(), axes,
                                 op.getEpsilon());
    else
      return RmsNormOp::create(builder, loc, value.getType(), value, gamma,
                               axes, op.getEpsilon());
  };
  LongRow source = rows().shrunk(*row);
  Value value = source.image;
  if (!axes.row) {
    if (op.getGamma() && typeOf(op.getGamma()).getRank() != 1)
      return failure();
    return set(op, source.with(normed(value, {1}, /*isScaled=*/true)));
  }
  if (source.behind() == 0) {
    SmallVector<int64_t> all{2, 3};
    if (axes.channels)
      all.insert(all.begin(), 1);
    value = normed(value, all, /*isScaled=*/false);
  } else {
    if (isCentred)
      value = binary(builder, loc, ElementwiseKind::Sub, value,
                     reduced(source, ReduceKind::Mean, axes.channels));
    value = scaled(source.with(value), op.getEpsilon().convertToFloat(),
                   axes.channels);
  }
  auto apply = [&](ElementwiseKind kind, Value factors) -> LogicalResult {
    if (!factors)
      return success();
    FailureOr<LongRow> by = failure();
    if (factors.getDefiningOp<ConstantOp>())
      by = constantRow(builder, loc, factors, source.columns());
    if (failed(by))
      return failure();
    value = binary(builder, loc, kind, value, by->image);
    return success();
  };
  if (failed(apply(ElementwiseKind::Mul, op.getGamma())))
    return failure();
  if constexpr (std::is_same_v<OpT, LayerNormOp>)
    if (failed(apply(ElementwiseKind::Add, op.getBeta())))
      return failure();
  return set(op, source.with(value));
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

LogicalResult RowCutter::visitSlice(SliceOp op) {
  RankedTensorType from = typeOf(op.getInput());
  if (from.getRank() > 4 || !isLong(op.getInput()))
    return failure();
  FailureOr<LongRow> row = rowOf(op.getInput());
  if (failed(row))
    return failure();
  int64_t first = op.getOffsets().back(), stride = op.getStrides().back();
  int64_t length = op.getSizes().back();
  // Images and channels first, as in the slice.
  Value image = row->image;
  SmallVector<int64_t> offsets(4, 0), sizes(typeOf(image).getShape()),
      strides(4, 1), four = fourOf(from);
  for (int64_t dim = 0, rank = from.getRank(); dim + 1 < rank; ++dim) {
    int64_t to = dim + 4 - rank;
    if (op.getSizes()[dim] == from.getDimSize(dim))
      continue;
    if (to != 0 && four[3 - to] != 1)
      return failure();
    offsets[to != 0] = op.getOffsets()[dim];
    sizes[to != 0] = op.getSizes()[dim];
    strides[to != 0] = op.getStrides()[dim];
  }
  if (ArrayRef(sizes) != typeOf(image).getShape())
    image = SliceOp::create(builder, loc, typeOf(image).clone(sizes), image,
                            offsets, sizes, strides);
  int64_t reach = (length - 1) * stride + 1;
  int64_t columns = std::lcm(row->columns(), stride);
  LongRow part{image, row->length, row->mayHaveInfinitePadding};
  if (first != 0)
    part = rows().join({{image, first, reach}}, row->columns());
  else if (reach < row->length) // what follows is padding now
    part = rows().shrunk({image, reach, /*mayHaveInfinitePadding=*/true});
  if (stride == 1)
    return set(op, part);
  FailureOr<LongRow> wide = rows().withColumns(part, columns);
  if (failed(wide))
    return failure();
  sizes.assign(typeOf(wide->image).getShape().begin(),
               typeOf(wide->image).getShape().end());
  sizes[3] = columns / stride;
  Value result = SliceOp::create(builder, loc, typeOf(wide->image).clone(sizes),
                                 wide->image, ArrayRef<int64_t>{0, 0, 0, 0},
                                 sizes, ArrayRef<int64_t>{1, 1, 1, stride});
  return set(op, {result, length, part.mayHaveInfinitePadding});
}

LogicalResult RowCutter::visitConcat(ConcatOp op) {
  RankedTensorType type = typeOf(op.getResult());
  int64_t axis = op.getAxis() + 4 - type.getRank();
  int64_t columns = 0, most = 0;
  if (type.getRank() > 4 || (axis == 2 && fourOf(type)[1] != 1))
    return failure();
  for (Value input : op.getInputs())
    if (isLong(input) && !input.getDefiningOp<ConstantOp>())
      if (FailureOr<LongRow> row = rowOf(input); succeeded(row))
        columns = std::max(columns, row->columns());
  if (columns == 0)
    columns = llvm::alignTo(1024, granuleOf(op.getResult()));
  SmallVector<LongRow> parts;
  for (Value input : op.getInputs()) {
    FailureOr<LongRow> part =
        rowOf(input, axis == 3 && !isLong(input) ? 0 : columns);
    if (failed(part))
      return failure();
    parts.push_back(*part);
    most = std::max(most, part->rows());
  }
  if (axis == 3) {
    auto pieces = llvm::map_to_vector(parts, [](LongRow part) {
      return RowPiece{part.image, 0, part.length};
    });
    return set(op, rows().join(pieces, columns));
  }
  bool mayHaveInfinitePadding = false;
  auto images = llvm::map_to_vector(parts, [&](LongRow part) {
    mayHaveInfinitePadding |= part.mayHaveInfinitePadding;
    return rows().grown(part, most * columns).image;
  });
  return set(op, {concatDim(builder, loc, images, axis == 0 ? 0 : 1),
                  parts[0].length, mayHaveInfinitePadding});
}

LogicalResult RowCutter::visitPad(PadOp op) {
  FailureOr<LongRow> row = rowOf(op.getInput());
  if (failed(row))
    return failure();
  for (ArrayRef<int64_t> pads : {op.getLow(), op.getHigh()})
    if (llvm::any_of(pads.drop_back(), [](int64_t pad) { return pad != 0; }))
      return failure();
  float fill = op.getValue().convertToFloat();
  int64_t length = typeOf(op.getResult()).getShape().back();
  if (surfacePads.contains(op)) // any number will do
    if (auto padded = rows().withColumns(
            rows().shrunk(*row),
            typeOf(*op->user_begin()->result_begin()).getShape().back());
        succeeded(padded)) {
      LongRow whole = rows().grown(*padded, length);
      return set(op, rows().shrunk({whole.image, length}));
    }
  return set(op, rows().join({{Value(), 0, op.getLow().back(), fill},
                              {row->image, 0, row->length},
                              {Value(), 0, op.getHigh().back(), fill}},
                             isLong(op.getInput()) ? row->columns() : 1024));
}

// Rows that come out even are others of the same elements; only ones may come
// or go in front of those that do not, and after them.
LogicalResult RowCutter::visitReshape(ReshapeOp op) {
  auto found = cut.find(op.getInput());
  if (found == cut.end())
    return failure();
  LongRow row = rows().shrunk(found->second);
  RankedTensorType type = withoutLastOnes(op.getType());
  if (!type.getShape().empty() && type.getShape().back() == row.length) {
    SmallVector<int64_t> shape = mergedLead(type);
    llvm::append_range(shape, ArrayRef{row.rows(), row.columns()});
    return set(op, row.with(reshaped(builder, loc, row.image, shape)));
  }
  if (row.behind() != 0)
    return failure();
  if (!isLong(op.getResult()))
    return replace(op, row.image);
  type = op.getType();
  SmallVector<int64_t> shape = mergedLead(type);
  int64_t length = type.getShape().back();
  if (length % row.columns() != 0 ||
      length / row.columns() > int64_t(info.maxHeight))
    return failure();
  llvm::append_range(shape, ArrayRef{length / row.columns(), row.columns()});
  return set(op, {reshaped(builder, loc, row.image, shape), length});
}

template LogicalResult RowCutter::visitNorm(LayerNormOp op, bool isCentred);
template LogicalResult RowCutter::visitNorm(RmsNormOp op, bool isCentred);
