//===- ShapeOps.cpp - Ops that move elements ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.concat, ane.slice, ane.pad, ane.transpose, ane.reshape, ane.resize: rules
// and result types. ShapeCanonicalization.cpp simplifies them.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

bool SliceOp::hasUnitStrides() {
  return llvm::all_of(getStrides(), [](int64_t stride) { return stride == 1; });
}

//===----------------------------------------------------------------------===//
// ane.concat
//===----------------------------------------------------------------------===//

static InferredType inferConcat(ConcatOp::Adaptor op, EmitError emit) {
  // concat_c1: there is an operand.
  if (op.getInputs().empty())
    return fail(emit, "has no operands, but must have at least one");
  RankedTensorType first = typeOf(op.getInputs().front());
  int64_t axis = op.getAxis();
  // concat_c2: the axis is a dimension.
  if (axis < 0 || axis >= first.getRank())
    return fail(emit, "axis ", axis,
                " is not a dimension of operand 0, which "
                "has rank ",
                first.getRank());
  int64_t extent = 0;
  for (auto [index, value] : llvm::enumerate(op.getInputs())) {
    RankedTensorType type = typeOf(value);
    // concat_c3: element types and ranks are equal.
    if (type.getElementType() != first.getElementType() ||
        type.getRank() != first.getRank())
      return fail(emit, "operand ", index, " is ", type,
                  ", but must have the "
                  "rank and element type of operand 0, which is ",
                  first);
    // concat_c4: dimensions but the axis are equal.
    for (int64_t i = 0, e = first.getRank(); i < e; ++i)
      if (i != axis && type.getDimSize(i) != first.getDimSize(i))
        return fail(emit, "dimension ", i, " of operand ", index, " is ",
                    type.getDimSize(i), ", but must be ", first.getDimSize(i),
                    " as in operand 0 (only axis ", axis, " may differ)");
    if (llvm::AddOverflow(extent, type.getDimSize(axis), extent))
      return fail(emit, "operands are too long along axis ", axis,
                  ": together they must have less than 2^63 elements there");
  }
  SmallVector<int64_t, 4> shape(first.getShape());
  shape[axis] = extent;
  // concat_c5: the result has the inferred type.
  return RankedTensorType::get(shape, first.getElementType());
}
ANE_DEFINE_INFERENCE(ConcatOp, inferConcat)

//===----------------------------------------------------------------------===//
// ane.slice
//===----------------------------------------------------------------------===//

static InferredType inferSlice(SliceOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  size_t rank = input.getRank();
  // slice_c1: an offset, a size and a stride for each dimension, in range.
  constexpr int64_t high = std::numeric_limits<int64_t>::max();
  if (failed(checkArray(emit, "offsets", op.getOffsets(), rank, 0, high)) ||
      failed(checkArray(emit, "sizes", op.getSizes(), rank, 1, high)) ||
      failed(checkArray(emit, "strides", op.getStrides(), rank, 1, high)))
    return failure();
  for (size_t i = 0; i < rank; ++i) {
    // slice_c2: the last element is inside.
    int64_t last;
    if (llvm::MulOverflow(op.getSizes()[i] - 1, op.getStrides()[i], last) ||
        llvm::AddOverflow(last, op.getOffsets()[i], last) ||
        last >= input.getDimSize(i))
      return fail(emit, "takes ", op.getSizes()[i], " elements from ",
                  op.getOffsets()[i], " with stride ", op.getStrides()[i],
                  " along dimension ", i, ", but the input has only ",
                  input.getDimSize(i));
  }
  // slice_c3: the result has the inferred type.
  return RankedTensorType::get(op.getSizes(), input.getElementType());
}
ANE_DEFINE_INFERENCE(SliceOp, inferSlice)

//===----------------------------------------------------------------------===//
// ane.pad
//===----------------------------------------------------------------------===//

static InferredType inferPad(PadOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  size_t rank = input.getRank();
  // pad_c1: a border on both sides of each dimension, not negative.
  if (failed(checkArray(emit, "low", op.getLow(), rank, 0)) ||
      failed(checkArray(emit, "high", op.getHigh(), rank, 0)) ||
      failed(checkExtents(emit, "input", input)))
    return failure();
  SmallVector<int64_t, 4> shape;
  for (size_t i = 0; i < rank; ++i)
    shape.push_back(op.getLow()[i] + input.getDimSize(i) + op.getHigh()[i]);
  // pad_c2: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(PadOp, inferPad)

//===----------------------------------------------------------------------===//
// ane.interleave
//===----------------------------------------------------------------------===//

static InferredType inferInterleave(InterleaveOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  if (failed(checkExtents(emit, "input", input)))
    return failure();
  // interleave_c1: an image whose channels are whole groups.
  int64_t factor = op.getFactor();
  if (input.getRank() != 4 || factor < 1 || input.getDimSize(1) % factor)
    return fail(emit, "puts ", factor, " channels of ", input,
                " side by side, but they are whole groups of at least 1 of a "
                "tensor of rank 4");
  SmallVector<int64_t, 4> shape(input.getShape());
  shape[1] /= factor;
  shape[3] *= factor;
  // interleave_c2: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(InterleaveOp, inferInterleave)

//===----------------------------------------------------------------------===//
// ane.tile
//===----------------------------------------------------------------------===//

static InferredType inferTile(TileOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  // tile_c1: a number of copies for each dimension, at least 1.
  if (failed(
          checkArray(emit, "repeats", op.getRepeats(), input.getRank(), 1)) ||
      failed(checkExtents(emit, "input", input)))
    return failure();
  SmallVector<int64_t, 4> shape;
  for (auto [size, count] : llvm::zip_equal(input.getShape(), op.getRepeats()))
    shape.push_back(size * count);
  // tile_c2: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(TileOp, inferTile)

//===----------------------------------------------------------------------===//
// ane.transpose
//===----------------------------------------------------------------------===//

static InferredType inferTranspose(TransposeOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  int64_t rank = input.getRank();
  // transpose_c1: perm holds each dimension once.
  if (failed(checkArray(emit, "perm", op.getPerm(), rank, 0, rank - 1)))
    return failure();
  llvm::SmallBitVector seen(rank);
  SmallVector<int64_t, 4> shape;
  for (int64_t from : op.getPerm()) {
    if (seen.test(from))
      return fail(emit, "perm holds dimension ", from,
                  " twice, but must hold each of the ", rank,
                  " dimensions once");
    seen.set(from);
    shape.push_back(input.getDimSize(from));
  }
  // transpose_c2: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(TransposeOp, inferTranspose)

//===----------------------------------------------------------------------===//
// ane.reshape
//===----------------------------------------------------------------------===//

/// The product of the dimensions, unless it overflows.
static std::optional<int64_t> countElements(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count;
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = typeOf(getInput()), to = typeOf(getResult());
  // reshape_c1: the element type stays.
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "changes the element type from "
                         << from.getElementType() << " to "
                         << to.getElementType();
  // reshape_c2: the number of elements stays.
  std::optional<int64_t> before = countElements(from),
                         after = countElements(to);
  if (!before || !after)
    return emitOpError() << "the number of elements overflows 64 bits";
  if (*before != *after)
    return emitOpError() << "result has " << *after
                         << " elements, but must have the " << *before
                         << " of the input";
  return checkConstantsOnly(*this);
}

//===----------------------------------------------------------------------===//
// ane.resize
//===----------------------------------------------------------------------===//

LogicalResult ResizeOp::verify() {
  auto emit = [&] { return emitOpError(); };
  RankedTensorType from = typeOf(getInput()), to = typeOf(getResult());
  // resize_c1: images are of rank 4 and not f32.
  if (from.getElementType().isF32())
    return emitOpError() << "input is f32, but the engine computes on f16, i8 "
                            "or ui8; cast it first";
  if (failed(checkRank(emit, "input", from, 4)) ||
      failed(checkRank(emit, "result", to, 4)))
    return failure();
  // resize_c2: batch, channels and element type stay.
  if (from.getElementType() != to.getElementType())
    return emitOpError() << "changes the element type from "
                         << from.getElementType() << " to "
                         << to.getElementType();
  for (int i = 0; i < 2; ++i)
    if (from.getDimSize(i) != to.getDimSize(i))
      return emitOpError() << "dimension " << i << " of the result is "
                           << to.getDimSize(i) << ", but must be "
                           << from.getDimSize(i) << " as in the input";
  // resize_c3: one way to place the samples.
  if (getAlignCorners() && getHalfPixel())
    return emitOpError()
           << "has both align_corners and half_pixel, but at most "
              "one may place the samples";
  // resize_c4: neither image is empty.
  for (int i = 2; i < 4; ++i)
    if (!from.getDimSize(i) || !to.getDimSize(i))
      return emitOpError() << "dimension " << i << " goes from "
                           << from.getDimSize(i) << " to " << to.getDimSize(i)
                           << ", but both must be at least 1";
  return success();
}
