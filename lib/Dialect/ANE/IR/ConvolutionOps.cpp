//===- ConvolutionOps.cpp - Ops with windows and dot products -------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ane.conv, ane.conv_transpose, ane.matmul, ane.pool: rules and result types.
// ComputeCanonicalization.cpp simplifies them.
//
//===----------------------------------------------------------------------===//

#include "VerifyUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::detail;

static bool areAll(ArrayRef<int64_t> values, int64_t wanted) {
  return llvm::all_of(values, [=](int64_t value) { return value == wanted; });
}

bool ConvOp::hasUnitStrides() { return areAll(getStrides(), 1); }
bool ConvOp::hasUnitDilations() { return areAll(getDilations(), 1); }
bool ConvOp::hasPadding() { return !areAll(getPad(), 0); }
bool ConvOp::hasUnitKernel() {
  return areAll(shapeOf(getWeight()).drop_front(2), 1);
}
bool ConvTransposeOp::hasUnitStrides() { return areAll(getStrides(), 1); }
bool ConvTransposeOp::hasUnitDilations() { return areAll(getDilations(), 1); }
bool PoolOp::hasUnitStrides() { return areAll(getStrides(), 1); }
bool PoolOp::hasPadding() { return !areAll(getPad(), 0); }

static constexpr StringLiteral axisNames[] = {"height", "width"};

/// The attributes that conv and conv_transpose share. `id`_c3: arity and
/// ranges.
template <typename AdaptorT>
static LogicalResult checkConvAttributes(AdaptorT op, EmitError emit) {
  if (failed(checkArray(emit, "strides", op.getStrides(), 2, 1)) ||
      failed(checkArray(emit, "pad", op.getPad(), 4, 0)) ||
      failed(checkArray(emit, "dilations", op.getDilations(), 2, 1)))
    return failure();
  if (op.getGroups() < 1)
    return fail(emit, "groups is ", op.getGroups(), ", but must be at least 1");
  return success();
}

/// Element types and ranks of the data, and one value for each output channel.
template <typename AdaptorT>
static LogicalResult checkConvOperands(AdaptorT op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput()),
                   weight = typeOf(op.getWeight());
  if (input.getElementType().isF32())
    return fail(emit,
                "input is f32, but the engine computes on f16, i8 or ui8; "
                "cast it first");
  if (failed(checkRank(emit, "input", input, 4)) ||
      failed(checkRank(emit, "weight", weight, 4)) ||
      failed(checkExtents(emit, "input", input)) ||
      failed(checkExtents(emit, "weight", weight)))
    return failure();
  for (int64_t i = 0; i < 4; ++i)
    if (input.getDimSize(i) == 0 || weight.getDimSize(i) == 0)
      return fail(emit, "dimension ", i, " of ",
                  input.getDimSize(i) == 0 ? "input" : "weight",
                  " is 0, but must be at least 1");
  return success();
}

template <typename AdaptorT>
static LogicalResult checkChannelVectors(AdaptorT op, EmitError emit,
                                         int64_t channels) {
  auto check = [&](Value vector, StringRef name) -> LogicalResult {
    if (!vector || typeOf(vector).getDimSize(0) == channels)
      return success();
    return fail(emit, name, " has ", typeOf(vector).getDimSize(0),
                " elements, but must have ", channels,
                ", one for each output channel");
  };
  if (failed(check(op.getBias(), "bias")))
    return failure();
  return check(op.getScale(), "scale");
}

/// A window of `extent` with `pad` on both sides: no padding reaches a whole
/// window, so that no window lies in the padding alone.
static LogicalResult checkPadding(EmitError emit, ArrayRef<int64_t> pad,
                                  int axis, int64_t window) {
  for (int side = 0; side < 2; ++side)
    if (int64_t value = pad[2 * axis + side]; value >= window)
      return fail(emit, "pad[", 2 * axis + side, "] is ", value,
                  ", but must be smaller than the window, whose ",
                  axisNames[axis], " is ", window);
  return success();
}

/// floor((in + pads - window) / stride) + 1.
static FailureOr<int64_t> windowOutput(EmitError emit, int axis, int64_t in,
                                       int64_t window, ArrayRef<int64_t> pad,
                                       int64_t stride) {
  int64_t padded = in + pad[2 * axis] + pad[2 * axis + 1];
  if (window > padded)
    return fail(emit, "the ", axisNames[axis], " of the window is ", window,
                ", but the padded input has only ", padded);
  return (padded - window) / stride + 1;
}

//===----------------------------------------------------------------------===//
// ane.conv
//===----------------------------------------------------------------------===//

static InferredType inferConv(ConvOp::Adaptor op, EmitError emit) {
  // conv_c1: the input is not f32; conv_c2: ranks are 4, nothing is empty.
  if (failed(checkConvOperands(op, emit)))
    return failure();
  // conv_c3: arity and range of strides, pad, dilations and groups.
  if (failed(checkConvAttributes(op, emit)))
    return failure();
  RankedTensorType input = typeOf(op.getInput()),
                   weight = typeOf(op.getWeight());
  int64_t channels = input.getDimSize(1), outputs = weight.getDimSize(0);
  int64_t groups = op.getGroups();
  // conv_c4: groups divide the channels of input and output.
  if (channels % groups || outputs % groups)
    return fail(emit, "groups is ", groups, ", but must divide the ", channels,
                " input and the ", outputs, " output channels");
  // conv_c5: the weight has the input channels of a group.
  if (weight.getDimSize(1) != channels / groups)
    return fail(emit, "dimension 1 of weight is ", weight.getDimSize(1),
                ", but must be ", channels / groups, " (", channels,
                " input channels in ", groups, " groups)");
  // conv_c6: bias and scale have an element for each output channel.
  if (failed(checkChannelVectors(op, emit, outputs)))
    return failure();
  SmallVector<int64_t, 4> shape = {input.getDimSize(0), outputs};
  for (int axis = 0; axis < 2; ++axis) {
    int64_t window =
        (weight.getDimSize(2 + axis) - 1) * op.getDilations()[axis] + 1;
    // conv_c7: padding is smaller than the window.
    if (failed(checkPadding(emit, op.getPad(), axis, window)))
      return failure();
    // conv_c8: the window fits into the padded input.
    FailureOr<int64_t> size =
        windowOutput(emit, axis, input.getDimSize(2 + axis), window,
                     op.getPad(), op.getStrides()[axis]);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  // conv_c9: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(ConvOp, inferConv)

//===----------------------------------------------------------------------===//
// ane.conv_transpose
//===----------------------------------------------------------------------===//

static InferredType inferConvTranspose(ConvTransposeOp::Adaptor op,
                                       EmitError emit) {
  // conv_transpose_c1: the input is not f32, ranks are 4, nothing is empty.
  if (failed(checkConvOperands(op, emit)))
    return failure();
  // conv_transpose_c2: arity and range of strides, pad, dilations and groups.
  if (failed(checkConvAttributes(op, emit)))
    return failure();
  RankedTensorType input = typeOf(op.getInput()),
                   weight = typeOf(op.getWeight());
  int64_t channels = input.getDimSize(1), groups = op.getGroups();
  // conv_transpose_c3: groups divide the input channels.
  if (channels % groups)
    return fail(emit, "groups is ", groups, ", but must divide the ", channels,
                " input channels");
  // conv_transpose_c4: the weight has all input channels.
  if (weight.getDimSize(0) != channels)
    return fail(emit, "dimension 0 of weight is ", weight.getDimSize(0),
                ", but must be ", channels, ", the number of input channels");
  int64_t outputs;
  if (llvm::MulOverflow(weight.getDimSize(1), groups, outputs))
    return fail(emit, "groups is ", groups, ", but times the ",
                weight.getDimSize(1),
                " output channels of a group must be "
                "less than 2^63");
  // conv_transpose_c5: bias and scale have an element for each output channel.
  if (failed(checkChannelVectors(op, emit, outputs)))
    return failure();
  SmallVector<int64_t, 4> shape = {input.getDimSize(0), outputs};
  for (int axis = 0; axis < 2; ++axis) {
    int64_t window =
        (weight.getDimSize(2 + axis) - 1) * op.getDilations()[axis] + 1;
    // conv_transpose_c6: padding is smaller than the window and leaves a
    // result.
    if (failed(checkPadding(emit, op.getPad(), axis, window)))
      return failure();
    int64_t full =
        (input.getDimSize(2 + axis) - 1) * op.getStrides()[axis] + window;
    int64_t cut = op.getPad()[2 * axis] + op.getPad()[2 * axis + 1];
    if (cut >= full)
      return fail(emit, "pad removes ", cut, " of the ", full,
                  " elements that the ", axisNames[axis],
                  " of the result has, but must leave one");
    shape.push_back(full - cut);
  }
  // conv_transpose_c7: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(ConvTransposeOp, inferConvTranspose)

//===----------------------------------------------------------------------===//
// ane.matmul
//===----------------------------------------------------------------------===//

static InferredType inferMatmul(MatmulOp::Adaptor op, EmitError emit) {
  RankedTensorType lhs = typeOf(op.getLhs()), rhs = typeOf(op.getRhs());
  // matmul_c1: element types agree, but for f32 constants.
  FailureOr<Type> element = getDataType(emit, {lhs, rhs});
  if (failed(element))
    return failure();
  // matmul_c2: ranks are equal and at least 2.
  int64_t rank = lhs.getRank();
  if (rank < 2 || rank != rhs.getRank())
    return fail(emit, "operands have ranks ", rank, " and ", rhs.getRank(),
                ", but must have the same rank, at least 2");
  // matmul_c3: leading dimensions are equal or 1.
  SmallVector<int64_t, 4> shape;
  for (int64_t i = 0; i < rank - 2; ++i) {
    int64_t a = lhs.getDimSize(i), b = rhs.getDimSize(i);
    if (a != b && a != 1 && b != 1)
      return fail(emit, "dimension ", i, " of the operands is ", a, " and ", b,
                  ", but must be equal or 1");
    shape.push_back(a == 1 ? b : a);
  }
  // matmul_c4: the inner dimensions agree.
  int64_t lhsInner = lhs.getDimSize(op.getTransposeLhs() ? rank - 2 : rank - 1);
  int64_t rhsInner = rhs.getDimSize(op.getTransposeRhs() ? rank - 1 : rank - 2);
  if (lhsInner != rhsInner)
    return fail(emit, "lhs has ", lhsInner, " columns, but rhs has ", rhsInner,
                " rows");
  shape.push_back(lhs.getDimSize(op.getTransposeLhs() ? rank - 1 : rank - 2));
  shape.push_back(rhs.getDimSize(op.getTransposeRhs() ? rank - 2 : rank - 1));
  // matmul_c5: the result has the inferred type.
  return RankedTensorType::get(shape, *element);
}
ANE_DEFINE_INFERENCE(MatmulOp, inferMatmul)

//===----------------------------------------------------------------------===//
// ane.runtime_conv
//===----------------------------------------------------------------------===//

static InferredType inferRuntimeConv(RuntimeConvOp::Adaptor op,
                                     EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  RankedTensorType planes = typeOf(op.getCoefficients());
  // runtime_conv_c1: element types agree.
  FailureOr<Type> element = getDataType(emit, {input, planes});
  if (failed(element))
    return failure();
  // runtime_conv_c2: one image, one set of coefficients.
  if (input.getRank() != 4 || planes.getRank() != 4 ||
      input.getDimSize(0) != 1 || planes.getDimSize(0) != 1)
    return fail(emit, "takes ", input, " and ", planes,
                ", but both must have rank 4 and a batch of 1");
  if (failed(checkExtents(emit, "input", input)) ||
      failed(checkExtents(emit, "coefficients", planes)))
    return failure();
  // runtime_conv_c3: each lane has a coefficient for each input channel.
  int64_t lanes = op.getLanes();
  if (lanes < 1 || lanes > maxExtent ||
      planes.getDimSize(3) != input.getDimSize(1) * lanes)
    return fail(emit, "has ", planes.getDimSize(3),
                " coefficients in a row of ", planes, ", but ", lanes,
                " lanes of ", input.getDimSize(1),
                " input channels need the product of both");
  // runtime_conv_c4: coefficients for each row, or for all.
  int64_t rows = input.getDimSize(2);
  if (planes.getDimSize(2) != 1 && planes.getDimSize(2) != rows)
    return fail(emit, "has coefficients for ", planes.getDimSize(2),
                " rows, but an input of ", rows, "; they must be equal or 1");
  // runtime_conv_c5: the result has the inferred type.
  return RankedTensorType::get(
      {1, planes.getDimSize(1) * lanes, rows, input.getDimSize(3)}, *element);
}
ANE_DEFINE_INFERENCE(RuntimeConvOp, inferRuntimeConv)

//===----------------------------------------------------------------------===//
// ane.pool
//===----------------------------------------------------------------------===//

static InferredType inferPool(PoolOp::Adaptor op, EmitError emit) {
  RankedTensorType input = typeOf(op.getInput());
  // pool_c1: the input has rank 4 and is not f32.
  if (input.getElementType().isF32())
    return fail(emit,
                "input is f32, but the engine computes on f16, i8 or ui8; "
                "cast it first");
  if (failed(checkRank(emit, "input", input, 4)) ||
      failed(checkExtents(emit, "input", input)))
    return failure();
  // pool_c2: arity and range of kernel, strides and pad.
  if (failed(checkArray(emit, "kernel", op.getKernel(), 2, 1)) ||
      failed(checkArray(emit, "strides", op.getStrides(), 2, 1)) ||
      failed(checkArray(emit, "pad", op.getPad(), 4, 0)))
    return failure();
  // pool_c3: only an average counts padding.
  if (op.getCountIncludePad() && op.getKind() != PoolKind::Average)
    return fail(emit, "count_include_pad is set on a '",
                stringifyPoolKind(op.getKind()),
                "' pooling, but only an average counts elements");
  SmallVector<int64_t, 4> shape = {input.getDimSize(0), input.getDimSize(1)};
  for (int axis = 0; axis < 2; ++axis) {
    // pool_c4: padding is smaller than the window, which fits into the input.
    if (failed(checkPadding(emit, op.getPad(), axis, op.getKernel()[axis])))
      return failure();
    FailureOr<int64_t> size =
        windowOutput(emit, axis, input.getDimSize(2 + axis),
                     op.getKernel()[axis], op.getPad(), op.getStrides()[axis]);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  // pool_c5: the result has the inferred type.
  return RankedTensorType::get(shape, input.getElementType());
}
ANE_DEFINE_INFERENCE(PoolOp, inferPool)
