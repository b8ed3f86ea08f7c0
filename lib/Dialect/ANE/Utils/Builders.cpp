//===- Builders.cpp - Ops and constants that passes make ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Builders.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"
#include "ane/HW/HalfRounding.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::ane;

RankedTensorType mlir::ane::withDim(RankedTensorType type, unsigned dim,
                                    int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static RankedTensorType halfType(OpBuilder &builder, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, builder.getF16Type());
}

Value mlir::ane::splatConstant(OpBuilder &builder, Location loc,
                               ArrayRef<int64_t> shape, float value) {
  uint16_t bits = ::ane::hw::toHalfBits(value);
  auto attr = DenseElementsAttr::getFromRawBuffer(
      halfType(builder, shape),
      ArrayRef<char>(reinterpret_cast<const char *>(&bits), sizeof(bits)));
  return ConstantOp::create(builder, loc, attr);
}

// Few elements as an attribute, more as a resource.
template <typename T>
static Value constantOf(OpBuilder &builder, Location loc, RankedTensorType type,
                        ArrayRef<T> values) {
  if (llvm::all_equal(values))
    values = values.take_front();
  ArrayRef<char> bytes(reinterpret_cast<const char *>(values.data()),
                       values.size() * sizeof(T));
  if (values.size() <= size_t(maxElementsOfAttribute))
    return ConstantOp::create(builder, loc,
                              DenseElementsAttr::getFromRawBuffer(type, bytes));
  return ConstantOp::create(
      builder, loc,
      DenseResourceElementsAttr::get(
          type, "ane_decomposed",
          HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64)));
}

Value mlir::ane::arrayConstant(OpBuilder &builder, Location loc,
                               ArrayRef<int64_t> shape,
                               ArrayRef<float> values) {
  SmallVector<uint16_t> bits(values.size());
  ::ane::hw::convertToHalf(values.data(), bits.data(), bits.size());
  return constantOf<uint16_t>(builder, loc, halfType(builder, shape), bits);
}

Value mlir::ane::unroundedConstant(OpBuilder &builder, Location loc,
                                   ArrayRef<int64_t> shape,
                                   ArrayRef<float> values) {
  return constantOf<float>(
      builder, loc, RankedTensorType::get(shape, builder.getF32Type()), values);
}

static ElementsAttr constantAttr(Value value) {
  auto op = value.getDefiningOp<ConstantOp>();
  return op ? op.getValue() : ElementsAttr();
}

FailureOr<SmallVector<float>> mlir::ane::readConstant(Value value) {
  ElementsAttr attr = constantAttr(value);
  if (!attr)
    return failure();
  Type element = attr.getElementType();
  if (!element.isF16() && !element.isF32())
    return failure();
  FailureOr<ConstantView> view = ConstantView::get(attr);
  if (failed(view))
    return failure();
  SmallVector<float> values(view->getNumElements());
  view->readFloats(values);
  return values;
}

Value mlir::ane::constantReshaped(OpBuilder &builder, Location loc, Value value,
                                  ArrayRef<int64_t> shape) {
  RankedTensorType from = typeOf(value);
  if (from.getShape() == shape)
    return value;
  auto type = RankedTensorType::get(shape, from.getElementType());
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      return ConstantOp::create(builder, loc,
                                cast<ElementsAttr>(dense.reshape(type)));
    if (auto resource =
            dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      return ConstantOp::create(
          builder, loc,
          cast<ElementsAttr>(
              DenseResourceElementsAttr::get(type, resource.getRawHandle())));
  }
  return ReshapeOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value mlir::ane::permuted(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> perm) {
  if (llvm::is_sorted(perm))
    return value;
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(typeOf(value).getDimSize(dim));
  return TransposeOp::create(builder, loc, typeOf(value).clone(shape), value,
                             perm);
}

Value mlir::ane::reshaped(OpBuilder &builder, Location loc, Value value,
                          ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
}

Value mlir::ane::sliced(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                        ArrayRef<int64_t> strides) {
  RankedTensorType type = typeOf(value);
  // As many elements as there are: all of them, in order.
  if (type.getShape() == sizes)
    return value;
  SmallVector<int64_t> ones(sizes.size(), 1);
  return SliceOp::create(builder, loc, type.clone(sizes), value, offsets, sizes,
                         strides.empty() ? ArrayRef<int64_t>(ones) : strides);
}

Value mlir::ane::sliceDim(OpBuilder &builder, Location loc, Value value,
                          unsigned dim, int64_t first, int64_t count,
                          int64_t stride) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape()),
      strides(type.getRank(), 1);
  offsets[dim] = first;
  sizes[dim] = count;
  strides[dim] = stride;
  return sliced(builder, loc, value, offsets, sizes, strides);
}

Value mlir::ane::padded(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  SmallVector<int64_t> shape(shapeOf(value));
  for (auto [size, before, behind] : llvm::zip_equal(shape, low, high))
    size += before + behind;
  if (shapeOf(value) == ArrayRef(shape))
    return value;
  return PadOp::create(builder, loc, typeOf(value).clone(shape), value, low,
                       high, llvm::APFloat(0.0f));
}

Value mlir::ane::castTo(OpBuilder &builder, Location loc, Value value,
                        Type type) {
  if (getElementTypeOrSelf(value) == type)
    return value;
  return CastOp::create(builder, loc,
                        RankedTensorType::get(shapeOf(value), type), value);
}

Value mlir::ane::concatDim(OpBuilder &builder, Location loc,
                           ArrayRef<Value> values, unsigned dim) {
  if (values.size() == 1)
    return values.front();
  int64_t size = 0;
  for (Value value : values)
    size += typeOf(value).getDimSize(dim);
  return ConcatOp::create(
      builder, loc, withDim(typeOf(values.front()), dim, size), values, dim);
}

/// The type of an elementwise result. Constants are f32 until they are rounded,
/// whatever the data is.
static RankedTensorType broadcastType(ArrayRef<Value> operands) {
  SmallVector<int64_t> shape(shapeOf(operands[0]));
  Type element = getElementTypeOrSelf(operands[0]);
  for (Value operand : operands.drop_front()) {
    for (auto [size, own] : llvm::zip_equal(shape, shapeOf(operand)))
      size = std::max(size, own);
    if (element.isF32())
      element = getElementTypeOrSelf(operand);
  }
  return RankedTensorType::get(shape, element);
}

Value mlir::ane::binary(OpBuilder &builder, Location loc, ElementwiseKind kind,
                        Value lhs, Value rhs, double scale, double bias) {
  return ElementwiseOp::create(builder, loc, broadcastType({lhs, rhs}), kind,
                               lhs, rhs, llvm::APFloat(float(scale)),
                               llvm::APFloat(float(bias)), ActivationAttr());
}

Value mlir::ane::convolve(OpBuilder &builder, Location loc, Value input,
                          Value weight, const ConvSpec &spec,
                          RankedTensorType resultType) {
  return ConvOp::create(
      builder, loc, resultType, input, weight, spec.bias, /*scale=*/Value(),
      builder.getDenseI64ArrayAttr({spec.strideH, spec.strideW}),
      builder.getDenseI64ArrayAttr(
          {spec.top, spec.bottom, spec.left, spec.right}),
      builder.getDenseI64ArrayAttr({1, 1}),
      builder.getI64IntegerAttr(spec.groups), spec.activation);
}

Value mlir::ane::convolveOneHot(OpBuilder &builder, Location loc, Value image,
                                int64_t rows, int64_t columns, int64_t row,
                                int64_t column, const ConvSpec &padding,
                                RankedTensorType resultType) {
  int64_t channels = typeOf(image).getDimSize(1);
  SmallVector<float> weight(channels * rows * columns, 0.0f);
  for (int64_t c = 0; c != channels; ++c)
    weight[(c * rows + row) * columns + column] = 1.0f;
  ConvSpec spec = padding;
  spec.groups = channels;
  return convolve(
      builder, loc, image,
      arrayConstant(builder, loc, {channels, 1, rows, columns}, weight), spec,
      resultType);
}

Value mlir::ane::alternateRows(OpBuilder &builder, Location loc,
                               ArrayRef<Value> images, RankedTensorType type,
                               int64_t align) {
  // Side by side in what is then seen as single rows, as far as parts of a row
  // can be written.
  RankedTensorType of = typeOf(images.front());
  int64_t channels = of.getDimSize(1), height = of.getDimSize(2),
          width = of.getDimSize(3);
  if (width % align == 0)
    return reshaped(builder, loc, concatDim(builder, loc, images, 3),
                    type.getShape());
  auto rows = llvm::map_to_vector(images, [&](Value image) {
    return reshaped(builder, loc, image, {channels, height, 1, width});
  });
  return reshaped(builder, loc, concatDim(builder, loc, rows, 2),
                  type.getShape());
}

Value mlir::ane::subsample(OpBuilder &builder, Location loc, Value input,
                           int64_t stride) {
  RankedTensorType type = typeOf(input);
  int64_t channels = type.getDimSize(1);
  RankedTensorType resultType =
      withDim(withDim(type, 2, (type.getDimSize(2) - 1) / stride + 1), 3,
              (type.getDimSize(3) - 1) / stride + 1);
  ConvSpec spec;
  spec.strideH = spec.strideW = stride;
  spec.groups = channels;
  return convolve(builder, loc, input,
                  splatConstant(builder, loc, {channels, 1, 1, 1}, 1.0f), spec,
                  resultType);
}

// Each carries what rounding has left to the next one. The smallest takes the
// last of it, as it has the finest numbers next to it.
LogicalResult mlir::ane::roundKeepingSum(MutableArrayRef<float> weights) {
  auto rounded = [](double value) { return ::ane::hw::roundToHalf(value); };
  double rest = 0;
  float *smallest = weights.begin();
  for (float &weight : weights) {
    double exact = weight + rest;
    weight = rounded(exact);
    if (!std::isfinite(weight))
      return failure();
    rest = exact - weight;
    if (std::abs(weight) < std::abs(*smallest))
      smallest = &weight;
  }
  if (!weights.empty())
    *smallest = rounded(*smallest + rest);
  return success();
}

// Both take turns: after i of them the larger one was taken i * part times.
SmallVector<float> mlir::ane::sharesInHalf(double sum, int64_t count) {
  uint16_t bits = ::ane::hw::toHalfBits(sum / count);
  if (double(::ane::hw::fromHalfBits(bits)) * count > sum)
    --bits;
  double less = ::ane::hw::fromHalfBits(bits);
  double more = ::ane::hw::fromHalfBits(bits + 1);
  double part = (sum - count * less) / (count * (more - less));
  SmallVector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        std::floor((i + 1) * part + 0.5) > std::floor(i * part + 0.5) ? more
                                                                      : less);
  return values;
}

SmallVector<int64_t> mlir::ane::inverse(ArrayRef<int64_t> perm) {
  SmallVector<int64_t> result(perm.size());
  for (auto [to, from] : llvm::enumerate(perm))
    result[from] = to;
  return result;
}

//===----------------------------------------------------------------------===//
// AneBuilder
//===----------------------------------------------------------------------===//

Value AneBuilder::numbers(ArrayRef<float> values, int64_t rank,
                          int64_t dim) const {
  SmallVector<int64_t> shape(rank, 1);
  shape[dim] = values.size();
  return unroundedConstant(builder, loc, shape, values);
}

Value AneBuilder::number(double value, Value like) const {
  return numbers(float(value), typeOf(like).getRank(), /*dim=*/0);
}

Value AneBuilder::compare(CompareKind kind, Value lhs, Value rhs) const {
  return CompareOp::create(builder, loc, broadcastType({lhs, rhs}), kind, lhs,
                           rhs);
}

Value AneBuilder::select(Value condition, Value trueValue,
                         Value falseValue) const {
  return SelectOp::create(builder, loc,
                          broadcastType({trueValue, falseValue, condition}),
                          condition, trueValue, falseValue);
}

Value AneBuilder::reduce(ReduceKind kind, Value x,
                         ArrayRef<int64_t> axes) const {
  SmallVector<int64_t> shape(shapeOf(x)), sorted(axes);
  llvm::sort(sorted);
  for (int64_t axis : sorted)
    shape[axis] = 1;
  return ReduceOp::create(builder, loc, typeOf(x).clone(shape), kind, x,
                          sorted);
}

Value mlir::ane::activated(OpBuilder &builder, Location loc, Value value,
                           ActivationAttr function) {
  return function ? Value(ActivationOp::create(builder, loc, value.getType(),
                                               value, function))
                  : value;
}

Value mlir::ane::activated(OpBuilder &builder, Location loc, Value value,
                           ActivationKind kind, double alpha, double beta) {
  return activated(
      builder, loc, value,
      ActivationAttr::get(builder.getContext(), kind, alpha, beta));
}

Value mlir::ane::addTo(OpBuilder &builder, Location loc, Value sum,
                       Value part) {
  return sum ? binary(builder, loc, ElementwiseKind::Add, sum, part) : part;
}

Value mlir::ane::combineReductions(OpBuilder &builder, Location loc,
                                   ReduceKind kind, ArrayRef<Value> parts,
                                   ArrayRef<int64_t> counts) {
  ElementwiseKind how = kind == ReduceKind::Max   ? ElementwiseKind::Max
                        : kind == ReduceKind::Min ? ElementwiseKind::Min
                                                  : ElementwiseKind::Add;
  bool isMean = kind == ReduceKind::Mean || kind == ReduceKind::MeanSquare;
  double all = 0;
  for (int64_t count : counts)
    all += count;
  Value result;
  for (auto [part, count] : llvm::zip_equal(parts, counts)) {
    Value term = part;
    if (isMean && parts.size() > 1)
      term = binary(
          builder, loc, ElementwiseKind::Mul, part,
          unroundedConstant(builder, loc,
                            SmallVector<int64_t>(typeOf(part).getRank(), 1),
                            {static_cast<float>(count / all)}));
    result = result ? binary(builder, loc, how, result, term) : term;
  }
  return result;
}
