//===- HostBuilder.cpp - What the host does, in stock MLIR ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/HostBuilder.h"

#include "ane/Dialect/ANE/IR/Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::ane;

HostType HostType::of(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF16() || element.isF32())
    return {element};
  auto integer = dyn_cast<IntegerType>(element);
  unsigned width = integer ? integer.getWidth() : 0;
  if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
    return {};
  return {IntegerType::get(type.getContext(), width),
          width == 1 || integer.isUnsigned()};
}

std::optional<SmallVector<int64_t>>
mlir::ane::broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  SmallVector<int64_t> result;
  for (ArrayRef<int64_t> shape : shapes) {
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    size_t first = result.size() - shape.size();
    for (auto [dim, size] : llvm::enumerate(shape)) {
      int64_t &common = result[first + dim];
      if (common != 1 && size != 1 && common != size)
        return std::nullopt;
      common = common == 1 ? size : common;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value emptyOf(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                     Type element) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

/// How an operand of `shape` is read for each element of `result`.
static AffineMap readsOf(MLIRContext *context, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> result) {
  SmallVector<AffineExpr> places;
  size_t first = result.size() - shape.size();
  for (auto [dim, size] : llvm::enumerate(shape))
    places.push_back(size == 1 && result[first + dim] != 1
                         ? getAffineConstantExpr(0, context)
                         : getAffineDimExpr(first + dim, context));
  return AffineMap::get(result.size(), 0, places, context);
}

Value HostBuilder::elementwise(ArrayRef<Value> operands, Type element,
                               Elementwise body) {
  MLIRContext *context = builder.getContext();
  SmallVector<int64_t> shape = *broadcastShapes(llvm::map_to_vector(
      operands, [](Value operand) { return shapeOf(operand); }));
  SmallVector<AffineMap> maps;
  for (Value operand : operands)
    maps.push_back(readsOf(context, shapeOf(operand), shape));
  maps.push_back(AffineMap::getMultiDimIdentityMap(shape.size(), context));
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(shape, element), operands,
      emptyOf(builder, loc, shape, element), maps, loops,
      [&](OpBuilder &inside, Location at, ValueRange scalars) {
        HostBuilder inner(inside, at);
        linalg::YieldOp::create(inside, at, body(inner, scalars.drop_back()));
      });
  return op.getResult(0);
}

// A loop that no result has is a reduction.
Value HostBuilder::accumulate(ArrayRef<Value> operands, Value into,
                              ArrayRef<AffineMap> maps,
                              ArrayRef<int64_t> extents, Elementwise body) {
  SmallVector<utils::IteratorType> loops;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    loops.push_back(maps.back().isFunctionOfDim(dim)
                        ? utils::IteratorType::parallel
                        : utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(
      builder, loc, into.getType(), operands, into, maps, loops,
      [&](OpBuilder &inside, Location at, ValueRange scalars) {
        HostBuilder inner(inside, at);
        linalg::YieldOp::create(inside, at, body(inner, scalars));
      });
  return op.getResult(0);
}

Value HostBuilder::generate(ArrayRef<int64_t> shape, Type element,
                            Generator body) {
  MLIRContext *context = builder.getContext();
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, RankedTensorType::get(shape, element), ValueRange(),
      emptyOf(builder, loc, shape, element),
      AffineMap::getMultiDimIdentityMap(shape.size(), context), loops,
      [&](OpBuilder &inside, Location at, ValueRange) {
        HostBuilder inner(inside, at);
        SmallVector<Value> place;
        for (size_t dim = 0; dim < shape.size(); ++dim)
          place.push_back(linalg::IndexOp::create(inside, at, dim));
        linalg::YieldOp::create(inside, at, body(inner, place));
      });
  return op.getResult(0);
}

Value HostBuilder::loop(ArrayRef<int64_t> counts, Value tensor, Step body) {
  Value zero = index(0), one = index(1);
  SmallVector<Value> lows(counts.size(), zero), steps(counts.size(), one);
  SmallVector<Value> highs =
      llvm::map_to_vector(counts, [&](int64_t count) { return index(count); });
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lows, highs, steps, tensor,
      [&](OpBuilder &inside, Location at, ValueRange place,
          ValueRange carried) -> scf::ValueVector {
        HostBuilder inner(inside, at);
        return {body(inner, llvm::to_vector(place), carried.front())};
      });
  return nest.results.front();
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

Value HostBuilder::constant(ElementsAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

Value HostBuilder::filled(ArrayRef<int64_t> shape, HostType type,
                          double value) {
  Value empty = emptyOf(builder, loc, shape, type.element);
  return linalg::FillOp::create(builder, loc, number(type, value), empty)
      .getResult(0);
}

Value HostBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  auto type = cast<RankedTensorType>(x.getType());
  // All dimensions become one, and that one becomes all.
  auto all = [](size_t rank) {
    SmallVector<ReassociationIndices> groups(1);
    llvm::append_range(groups.front(), llvm::seq<int64_t>(0, rank));
    return groups;
  };
  auto withShape = [&](ArrayRef<int64_t> sizes) {
    return RankedTensorType::get(sizes, type.getElementType());
  };
  if (shape.empty())
    return tensor::CollapseShapeOp::create(builder, loc, withShape({}), x,
                                           ArrayRef<ReassociationIndices>());
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(builder, loc, withShape(shape), x,
                                         ArrayRef<ReassociationIndices>());
  if (type.getRank() > 1)
    x = tensor::CollapseShapeOp::create(
        builder, loc, withShape(type.getNumElements()), x, all(type.getRank()));
  if (shape.size() == 1)
    return x;
  return tensor::ExpandShapeOp::create(builder, loc, withShape(shape), x,
                                       all(shape.size()));
}

Value HostBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(perm, [&](int64_t dim) { return shapeOf(x)[dim]; });
  Value to = emptyOf(builder, loc, shape, getElementTypeOrSelf(x));
  return linalg::TransposeOp::create(builder, loc, x, to, perm)->getResult(0);
}

Value HostBuilder::slice(Value x, ArrayRef<int64_t> offsets,
                         ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  auto attrs = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  return tensor::ExtractSliceOp::create(builder, loc, x, attrs(offsets),
                                        attrs(sizes), attrs(strides));
}

Value HostBuilder::slice(Value x, ArrayRef<Value> offsets,
                         ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  MLIRContext *context = builder.getContext();
  return tensor::ExtractSliceOp::create(
      builder, loc, x, getAsOpFoldResult(ValueRange(offsets)),
      getAsIndexOpFoldResult(context, sizes),
      getAsIndexOpFoldResult(context, strides));
}

Value HostBuilder::replace(Value x, Value update, ArrayRef<Value> offsets,
                           ArrayRef<int64_t> strides) {
  MLIRContext *context = builder.getContext();
  return tensor::InsertSliceOp::create(
      builder, loc, update, x, getAsOpFoldResult(ValueRange(offsets)),
      getAsIndexOpFoldResult(context, shapeOf(update)),
      getAsIndexOpFoldResult(context, strides));
}

Value HostBuilder::concat(ArrayRef<Value> values, int64_t axis) {
  SmallVector<int64_t> shape(shapeOf(values.front()));
  shape[axis] = 0;
  for (Value value : values)
    shape[axis] += shapeOf(value)[axis];
  Value whole = emptyOf(builder, loc, shape,
                        getElementTypeOrSelf(values.front().getType()));
  auto attrs = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  SmallVector<int64_t> offsets(shape.size(), 0), ones(shape.size(), 1);
  for (Value value : values) {
    whole = tensor::InsertSliceOp::create(builder, loc, value, whole,
                                          attrs(offsets), attrs(shapeOf(value)),
                                          attrs(ones));
    offsets[axis] += shapeOf(value)[axis];
  }
  return whole;
}

Value HostBuilder::pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                       double value) {
  SmallVector<int64_t> shape(shapeOf(x)), ones(shape.size(), 1);
  for (auto [size, before, behind] : llvm::zip_equal(shape, low, high))
    size += before + behind;
  if (shape == shapeOf(x))
    return x;
  auto attrs = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  Value whole = filled(shape, HostType::of(x.getType()), value);
  return tensor::InsertSliceOp::create(builder, loc, x, whole, attrs(low),
                                       attrs(shapeOf(x)), attrs(ones));
}

Value HostBuilder::tile(Value x, ArrayRef<int64_t> repeats) {
  SmallVector<int64_t> shape(shapeOf(x));
  for (auto [size, count] : llvm::zip_equal(shape, repeats))
    size *= count;
  return generate(shape, getElementTypeOrSelf(x),
                  [&](HostBuilder &inner, ArrayRef<Value> place) {
                    SmallVector<Value> from(place);
                    for (auto [dim, at] : llvm::enumerate(from))
                      at = arith::RemUIOp::create(inner.builder, inner.loc, at,
                                                  inner.index(shapeOf(x)[dim]));
                    return inner.extract(x, from);
                  });
}

Value HostBuilder::convert(Value x, HostType from, HostType to) {
  if (from.element == to.element && from.isUnsigned == to.isUnsigned)
    return x;
  return elementwise(x, to.element,
                     [&](HostBuilder &inner, ValueRange scalars) {
                       return inner.convertScalar(scalars.front(), from, to);
                     });
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value HostBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value HostBuilder::number(HostType type, double value) {
  TypedAttr attr =
      type.isFloat()
          ? TypedAttr(builder.getFloatAttr(type.element, value))
          : builder.getIntegerAttr(type.element, static_cast<int64_t>(value));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value HostBuilder::extract(Value tensor, ArrayRef<Value> place) {
  return tensor::ExtractOp::create(builder, loc, tensor, place);
}

/// The least and the largest number of an integer type, as MIL has them: no
/// type of it is of unsigned 64 bits.
static std::pair<int64_t, int64_t> rangeOf(HostType type) {
  unsigned width = type.element.getIntOrFloatBitWidth();
  if (type.isUnsigned)
    return {0, width >= 63 ? INT64_MAX : (int64_t(1) << width) - 1};
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

// Out of its range the conversion of arith is undefined; so is that of no
// number, which is the least one here.
Value HostBuilder::floatToInteger(Value x, HostType to) {
  HostType wide{builder.getF64Type()}, integer{builder.getI64Type()};
  x = arith::ExtFOp::create(builder, loc, wide.element, x);
  auto [low, high] = rangeOf(to);
  // 2^63 itself is too large.
  double most = std::min(static_cast<double>(high), 0x1.fffffffffffffp62);
  auto select = [&](arith::CmpFPredicate holds, double bound) {
    Value limit = number(wide, bound);
    Value fits = arith::CmpFOp::create(builder, loc, holds, x, limit);
    return arith::SelectOp::create(builder, loc, fits, x, limit);
  };
  x = select(arith::CmpFPredicate::OGE, static_cast<double>(low));
  x = select(arith::CmpFPredicate::OLE, most);
  x = arith::FPToSIOp::create(builder, loc, integer.element, x);
  if (to.element == integer.element)
    return x;
  return arith::TruncIOp::create(builder, loc, to.element, x);
}

Value HostBuilder::integerToInteger(Value x, HostType from, HostType to) {
  HostType wide{builder.getI64Type()};
  auto extend = [&]() -> Value {
    if (from.element == wide.element)
      return x;
    if (from.isUnsigned)
      return arith::ExtUIOp::create(builder, loc, wide.element, x);
    return arith::ExtSIOp::create(builder, loc, wide.element, x);
  };
  x = extend();
  auto [low, high] = rangeOf(to);
  auto [least, most] = rangeOf(from);
  if (least < low)
    x = arith::MaxSIOp::create(builder, loc, x, number(wide, low));
  if (most > high)
    x = arith::MinSIOp::create(builder, loc, x, number(wide, high));
  if (to.element == wide.element)
    return x;
  return arith::TruncIOp::create(builder, loc, to.element, x);
}

Value HostBuilder::convertScalar(Value x, HostType from, HostType to) {
  if (from.element == to.element && from.isUnsigned == to.isUnsigned)
    return x;
  if (to.isBool()) {
    Value zero = number(from, 0);
    if (from.isFloat())
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, x,
                                   zero);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x,
                                 zero);
  }
  if (from.isFloat() && to.isFloat()) {
    if (to.element.isF32())
      return arith::ExtFOp::create(builder, loc, to.element, x);
    return arith::TruncFOp::create(builder, loc, to.element, x);
  }
  if (from.isFloat())
    return floatToInteger(x, to);
  if (!to.isFloat())
    return integerToInteger(x, from, to);
  if (from.isUnsigned)
    return arith::UIToFPOp::create(builder, loc, to.element, x);
  return arith::SIToFPOp::create(builder, loc, to.element, x);
}

Value HostBuilder::toPlace(Value number, HostType type, int64_t extent,
                           Value *isInside, int64_t span) {
  Type indexType = builder.getIndexType();
  Value place;
  if (type.isUnsigned)
    place = arith::IndexCastUIOp::create(builder, loc, indexType, number);
  else
    place = arith::IndexCastOp::create(builder, loc, indexType, number);
  Value zero = index(0), count = index(extent), last = index(extent - span);
  Value isNegative = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, place, zero);
  Value wrapped = arith::AddIOp::create(builder, loc, place, count);
  place = arith::SelectOp::create(builder, loc, isNegative, wrapped, place);
  // Below zero is far above when there is no sign.
  if (isInside)
    *isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      place, count);
  place = arith::MaxSIOp::create(builder, loc, place, zero);
  return arith::MinSIOp::create(builder, loc, place, last);
}
