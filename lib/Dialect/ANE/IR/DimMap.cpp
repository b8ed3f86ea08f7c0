//===- DimMap.cpp - What a dimension of a result needs --------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/IR/DimMap.h"

#include "ane/Dialect/ANE/IR/ANE.h"
#include "ane/Dialect/ANE/IR/Shapes.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::ane;

DimMap DimMap::parallel(int64_t dim) {
  DimMap map;
  map.kind = Parallel;
  map.dim = dim;
  return map;
}

DimMap DimMap::window(int64_t dim, int64_t kernel, int64_t stride,
                      int64_t dilation, int64_t before) {
  DimMap map;
  map.kind = Window;
  map.dim = dim;
  map.kernel = kernel;
  map.stride = stride;
  map.dilation = dilation;
  map.before = before;
  return map;
}

DimMap DimMap::segment(int64_t dim, int64_t stride, int64_t before) {
  DimMap map;
  map.kind = Segment;
  map.dim = dim;
  map.stride = stride;
  map.before = before;
  return map;
}

DimMap DimMap::blocks(int64_t dim, int64_t unit, int64_t stride,
                      bool mayCutBlocks) {
  if (unit == 1 && stride == 1)
    return parallel(dim);
  DimMap map;
  map.kind = Blocks;
  map.dim = dim;
  map.unit = unit;
  map.stride = map.kernel = stride;
  map.mayCutBlocks = mayCutBlocks;
  return map;
}

DimMap DimMap::reduced(int64_t dim) {
  DimMap map;
  map.kind = Reduced;
  map.dim = dim;
  return map;
}

DimMap DimMap::broadcast(int64_t dim, int64_t unit) {
  DimMap map;
  map.kind = Broadcast;
  map.dim = dim;
  map.unit = unit;
  return map;
}

DimMap DimMap::elementwise(ArrayRef<int64_t> shape, int64_t dim) {
  return shape[dim] == 1 ? broadcast(dim) : parallel(dim);
}

DimMap DimMap::matrix(ArrayRef<int64_t> shape, int64_t dim, bool isRhs,
                      bool isTransposed) {
  int64_t rank = shape.size();
  if (dim < rank - 2)
    return elementwise(shape, dim);
  // Rows are those of the left one, columns those of the right one.
  if ((dim == rank - 1) != isRhs)
    return broadcast();
  return parallel(isTransposed ? 2 * rank - 3 - dim : dim);
}

// Indices along one dimension are, for each index of the dimensions before it,
// one run of elements; where the other shape has a dimension with as many
// elements before it, that is some indices of it.
DimMap DimMap::reshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                       int64_t dim) {
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  int64_t before = product(to.take_front(dim));
  int64_t inner = product(to.drop_front(dim + 1));
  int64_t front = 1, behind = before * to[dim] * inner;
  for (auto [of, size] : llvm::enumerate(from)) {
    behind /= size;
    if (front == before && size != 1) {
      int64_t common = std::gcd(inner, behind);
      return blocks(of, behind / common, inner / common,
                    /*mayCutBlocks=*/inner == common);
    }
    front *= size;
  }
  return opaque();
}

std::optional<DimMap::Part> DimMap::getPart(int64_t offset, int64_t size,
                                            int64_t extent) const {
  if (kind == Opaque || kind == Reduced)
    return std::nullopt;
  bool isWhole = offset % unit == 0 && size % unit == 0;
  if (!isWhole && !mayCutBlocks)
    return std::nullopt;
  if (kind == Broadcast)
    return Part{0, extent, 0, 0};
  int64_t first = offset / unit * stride - before;
  int64_t last = llvm::divideCeil(offset + size, unit) - 1;
  int64_t end = last * stride - before + getSpan();
  int64_t low = std::clamp<int64_t>(first, 0, extent);
  int64_t high = std::clamp<int64_t>(end, low, extent);
  // A window that would see padding alone is none.
  if (kind == Window && low == high)
    return std::nullopt;
  return Part{low, high - low, low - first, end - high};
}

DimMap mlir::ane::getDimMap(Operation *op, unsigned index, int64_t dim) {
  auto mapped = dyn_cast<DimMapOpInterface>(op);
  return mapped ? mapped.getDimMap(index, dim) : DimMap::opaque();
}

//===----------------------------------------------------------------------===//
// What declarations of ops name
//===----------------------------------------------------------------------===//

// All of thousands are asked one after the other, and most have one type: to
// compare that is quicker than to ask it.
DimMap ConcatOp::getInputDimMap(unsigned operand, int64_t dim) {
  int64_t axis = getAxis();
  if (dim != axis)
    return DimMap::parallel(dim);
  Type type;
  int64_t extent = 0, start = 0;
  for (Value input : getInputs().take_front(operand)) {
    if (input.getType() != type) {
      type = input.getType();
      extent = shapeOf(input)[axis];
    }
    start += extent;
  }
  return DimMap::segment(dim, 1, start);
}
