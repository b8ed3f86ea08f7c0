//===- Search.cpp - Places of elements, elements at places ----------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Utils/Search.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/ConstantView.h"
#include "ane/HW/Float16.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::largestHalf;

/// Elements of a matrix that chooses rows.
static constexpr int64_t maxFactors = int64_t(1) << 25; // 128 MB

bool mlir::ane::isWholeHalf(int64_t number) {
  uint64_t size = number < 0 ? -static_cast<uint64_t>(number) : number;
  return size <= maxWholeHalf ||
         (size <= static_cast<uint64_t>(largestHalf) &&
          llvm::bit_width(size) - llvm::countr_zero(size) <= 11);
}

Value mlir::ane::createRow(OpBuilder &builder, Location loc, int64_t rank,
                           int64_t axis, int64_t count) {
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = count;
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return createConstant(builder, loc,
                        RankedTensorType::get(shape, builder.getF32Type()),
                        numbers);
}

std::optional<std::string> mlir::ane::checkSearch(int64_t extent) {
  if (extent <= maxWholeHalf + 1)
    return std::nullopt;
  return "searches " + std::to_string(extent) +
         " elements, but indices are computed in fp16, which counts no further "
         "than " +
         std::to_string(maxWholeHalf) +
         "; search slices of the dimension, or search on the host";
}

std::optional<std::string> mlir::ane::checkSearch(int64_t extent,
                                                  int64_t count) {
  constexpr int64_t maxSteps = 64;
  if (count >= 1 && count <= std::min(extent, maxSteps))
    return checkSearch(extent);
  return "finds " + std::to_string(count) + " of " + std::to_string(extent) +
         " elements, but must find at least one and at most " +
         std::to_string(maxSteps) + " of them, one after the other; find " +
         "more on the host";
}

namespace {

/// Builds the steps of a search along `axis`.
struct Searcher : AneBuilder {
  Searcher(OpBuilder &builder, Location loc, int64_t axis)
      : AneBuilder(builder, loc), axis(axis) {}

  Value negate(Value x) const { return activate(x, ActivationKind::Neg); }
  /// The difference of two infinities would be no number.
  Value clampToFinite(Value x) const {
    return activate(x, ActivationKind::Clamp, -largestHalf, largestHalf);
  }

  /// Places count from the last one up to the first, so that the largest of
  /// them is the first, and 0 loses against all: the last place, or none.
  /// Upwards, the largest is the last.
  Value placesOf(Value x, bool isUpwards = false) const {
    std::vector<float> places(shapeOf(x)[axis]);
    std::iota(places.begin(), places.end(), 0.0f);
    if (!isUpwards)
      std::reverse(places.begin(), places.end());
    return numbers(places, typeOf(x).getRank(), axis);
  }
  /// 1 where the number of an element along the axis is `indices`, else 0.
  Value compareWithRow(Value indices, int64_t extent) const {
    Value row =
        createRow(builder, loc, typeOf(indices).getRank(), axis, extent);
    return compare(CompareKind::Equal, indices, row);
  }
  /// Negative numbers count from the end of `extent`.
  Value countFromFront(Value indices, int64_t extent) const {
    Value isNegative = compare(CompareKind::Less, indices, number(0, indices));
    return add(indices, mul(isNegative, number(double(extent), indices)));
  }

  /// The largest of `places` where `x` is `value`; both are finite.
  Value findLargest(Value x, Value value, Value places) const {
    Value isThere = compare(CompareKind::Equal, x, value);
    return reduce(ReduceKind::Max, mul(isThere, places), axis);
  }
  /// Where that is, if they count from the last one.
  Value find(Value x, Value value, Value places) const {
    Value place = findLargest(x, value, places);
    return sub(number(double(shapeOf(x)[axis] - 1), x), place);
  }

  int64_t axis;
};

} // namespace

Extreme mlir::ane::findExtreme(OpBuilder &builder, Location loc, Value x,
                               int64_t axis, bool isMax, bool isFirst) {
  Searcher searcher{builder, loc, axis};
  ReduceKind kind = isMax ? ReduceKind::Max : ReduceKind::Min;
  Value finite = searcher.clampToFinite(x);
  Value extreme = searcher.reduce(kind, finite, axis);
  Value places = searcher.placesOf(x, /*isUpwards=*/!isFirst);
  Value index = isFirst ? searcher.find(finite, extreme, places)
                        : searcher.findLargest(finite, extreme, places);
  return {searcher.reduce(kind, x, axis), index};
}

// What was found takes part no more: it becomes as small as any other, and its
// place one that loses.
Extreme mlir::ane::findExtremes(OpBuilder &builder, Location loc, Value x,
                                int64_t axis, int64_t count, bool isMax) {
  Searcher searcher{builder, loc, axis};
  if (!isMax)
    x = searcher.negate(x);
  x = searcher.clampToFinite(x);
  Value row =
      createRow(builder, loc, typeOf(x).getRank(), axis, shapeOf(x)[axis]);
  Value places = searcher.placesOf(x);
  SmallVector<Value> values, indices;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(searcher.reduce(ReduceKind::Max, x, axis));
    indices.push_back(searcher.find(x, values.back(), places));
    if (i + 1 == count)
      break;
    Value isLeft = searcher.compare(CompareKind::NotEqual, row, indices.back());
    places = searcher.mul(isLeft, places);
    x = searcher.select(isLeft, x, searcher.number(-largestHalf, x));
  }
  Value value = searcher.concat(values, axis);
  return {isMax ? value : searcher.negate(value),
          searcher.concat(indices, axis)};
}

//===----------------------------------------------------------------------===//
// Elements at places
//===----------------------------------------------------------------------===//

std::optional<std::string> mlir::ane::checkTake(int64_t matrices,
                                                int64_t extent, int64_t count) {
  if (extent > maxWholeHalf)
    return "reads at computed indices among " + std::to_string(extent) +
           " elements, but they are computed in fp16, which counts no "
           "further than " +
           std::to_string(maxWholeHalf) + "; gather on the host";
  if (count > maxFactors / extent / matrices)
    return "reads " + std::to_string(matrices) + " x " + std::to_string(count) +
           " of " + std::to_string(extent) +
           " elements at computed indices, which needs matrices of more than " +
           std::to_string(maxFactors) + " elements; gather on the host";
  return std::nullopt;
}

Value mlir::ane::takeRows(OpBuilder &builder, Location loc, Value x,
                          Value indices) {
  ArrayRef<int64_t> from = shapeOf(x);
  int64_t batches = from[0], extent = from[2], count = shapeOf(indices)[1];
  Searcher searcher{builder, loc, /*axis=*/3};
  Value places = searcher.reshape(searcher.countFromFront(indices, extent),
                                  {batches, 1, count, 1});
  Value chosen = searcher.compareWithRow(places, extent);
  // f16, unless both are constants that are still f32.
  Type element = getElementTypeOrSelf(x);
  if (element.isF32())
    element = getElementTypeOrSelf(chosen);
  return MatmulOp::create(
      builder, loc,
      RankedTensorType::get({batches, from[1], count, from[3]}, element),
      chosen, x, /*transpose_lhs=*/false, /*transpose_rhs=*/false,
      ActivationAttr());
}

// One place after the other: the largest of all that are not minus infinity.
Value mlir::ane::takeElements(OpBuilder &builder, Location loc, Value x,
                              Value indices) {
  int64_t extent = shapeOf(x)[1], count = shapeOf(indices)[1];
  Searcher searcher{builder, loc, /*axis=*/1};
  indices = searcher.countFromFront(indices, extent);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; ++i) {
    Value chosen =
        searcher.compareWithRow(searcher.slice(indices, 1, i, 1), extent);
    Value left = searcher.select(
        chosen, x,
        searcher.number(-std::numeric_limits<double>::infinity(), x));
    parts.push_back(searcher.reduce(ReduceKind::Max, left, searcher.axis));
  }
  return searcher.concat(parts, searcher.axis);
}

Value mlir::ane::putElements(OpBuilder &builder, Location loc, Value x,
                             Value indices, Value updates,
                             std::optional<ElementwiseKind> kind) {
  int64_t extent = shapeOf(x)[1], count = shapeOf(indices)[1];
  Searcher searcher{builder, loc, /*axis=*/1};
  indices = searcher.countFromFront(indices, extent);
  for (int64_t i = 0; i < count; ++i) {
    Value chosen =
        searcher.compareWithRow(searcher.slice(indices, 1, i, 1), extent);
    Value update = searcher.slice(updates, 1, i, 1);
    if (kind)
      update = searcher.binary(*kind, x, update);
    x = searcher.select(chosen, update, x);
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Places that are known
//===----------------------------------------------------------------------===//

// Beyond so many runs, a product is less than that many slices.
static constexpr size_t maxRuns = 64;

namespace {
/// Places first, first + step, ...
struct Run {
  int64_t first, count, step;
};
} // namespace

/// Runs go upwards only, as the engine does.
static SmallVector<Run> runsOf(ArrayRef<int64_t> places) {
  SmallVector<Run> runs;
  for (int64_t place : places) {
    if (!runs.empty()) {
      Run &last = runs.back();
      int64_t step = place - (last.first + (last.count - 1) * last.step);
      if (step > 0 && (last.count == 1 || step == last.step)) {
        last.step = step;
        ++last.count;
        continue;
      }
    }
    runs.push_back({place, 1, 1});
  }
  return runs;
}

size_t mlir::ane::countRuns(ArrayRef<int64_t> places) {
  return runsOf(places).size();
}

std::optional<std::string> mlir::ane::checkPlaces(int64_t extent,
                                                  ArrayRef<int64_t> places) {
  for (int64_t place : places)
    if (place < 0 || place >= extent)
      return "reads element " + std::to_string(place) + ", but there are " +
             std::to_string(extent);
  return std::nullopt;
}

std::optional<std::string> mlir::ane::checkTakeAt(int64_t extent,
                                                  ArrayRef<int64_t> places) {
  if (auto why = checkPlaces(extent, places))
    return why;
  size_t runs = countRuns(places);
  if (runs <= maxRuns ||
      extent <= maxFactors / static_cast<int64_t>(places.size()))
    return std::nullopt;
  return "reads " + std::to_string(places.size()) + " of " +
         std::to_string(extent) + " elements in " + std::to_string(runs) +
         " runs, which needs a matrix of more than " +
         std::to_string(maxFactors) + " elements; do it on the host";
}

/// A product with a matrix that has a one for each place.
static Value choose(OpBuilder &builder, Location loc, Value x, int64_t axis,
                    ArrayRef<int64_t> places) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t extent = shape[axis], count = places.size();
  int64_t front = ShapedType::getNumElements(shape.take_front(axis));
  int64_t behind = ShapedType::getNumElements(shape.drop_front(axis + 1));
  bool isLast = behind == 1; // then the matrix is on the right
  std::vector<float> matrix(count * extent, 0.0f);
  for (auto [i, place] : llvm::enumerate(places))
    matrix[isLast ? place * count + i : i * extent + place] = 1;
  SmallVector<int64_t> sizes = {1, count, extent};
  if (isLast)
    std::swap(sizes[1], sizes[2]);
  Value ones = createConstant(
      builder, loc, RankedTensorType::get(sizes, builder.getF32Type()), matrix);
  SmallVector<int64_t> images = {front, extent, behind},
                       taken = {front, count, behind};
  if (isLast)
    images = {1, front, extent}, taken = {1, front, count};
  Value image = reshaped(builder, loc, x, images);
  Value product = MatmulOp::create(
      builder, loc, RankedTensorType::get(taken, getElementTypeOrSelf(x)),
      isLast ? image : ones, isLast ? ones : image, /*transpose_lhs=*/false,
      /*transpose_rhs=*/false, ActivationAttr());
  SmallVector<int64_t> result(shape);
  result[axis] = count;
  return reshaped(builder, loc, product, result);
}

Value mlir::ane::takeAt(OpBuilder &builder, Location loc, Value x, int64_t axis,
                        ArrayRef<int64_t> places) {
  SmallVector<Run> runs = runsOf(places);
  if (runs.size() > maxRuns)
    return choose(builder, loc, x, axis, places);
  SmallVector<Value> parts;
  for (const Run &run : runs)
    parts.push_back(
        sliceDim(builder, loc, x, axis, run.first, run.count, run.step));
  return concatDim(builder, loc, parts, axis);
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

/// More blocks than this are blocks of blocks: each is copied by a task.
static constexpr int64_t maxBlocks = 32;
/// Columns of one product with a matrix of 2 MB; of 32 MB where there is no
/// other way.
static constexpr int64_t maxColumns = 1024, maxColumnsAtAll = 4096;
/// Multiples at which rows begin: cuts there are views.
static constexpr int64_t rowColumns = 32;

/// Block 0 last of `count` blocks, which together are dimension `axis`.
static Value reverseBlocks(OpBuilder &builder, Location loc, Value x,
                           int64_t axis, int64_t count) {
  int64_t size = shapeOf(x)[axis] / count;
  SmallVector<Value> blocks;
  for (int64_t i = count; i-- > 0;)
    blocks.push_back(sliceDim(builder, loc, x, axis, i * size, size));
  return concatDim(builder, loc, blocks, axis);
}

/// The largest divisor of `extent` that is at most `most`.
static int64_t largestDivisor(int64_t extent, int64_t most) {
  int64_t divisor = std::min(extent, most);
  while (extent % divisor)
    --divisor;
  return divisor;
}

/// The first `whole` elements of `axis` and the others, each backwards.
static Value reverseParts(OpBuilder &builder, Location loc, Value x,
                          int64_t axis, int64_t whole) {
  int64_t rest = shapeOf(x)[axis] - whole;
  Value first = sliceDim(builder, loc, x, axis, 0, whole);
  Value second = sliceDim(builder, loc, x, axis, whole, rest);
  return concatDim(builder, loc,
                   {reversed(builder, loc, second, axis),
                    reversed(builder, loc, first, axis)},
                   axis);
}

/// Rows of `images` images of `blocks` blocks of `height` rows, where the
/// dimension of blocks is backwards: one copy for each of few, else blocks of
/// blocks.
static Value reverseRows(OpBuilder &builder, Location loc, Value x,
                         int64_t images, int64_t blocks, int64_t height) {
  constexpr int64_t maxRows = 16384, maxChannels = 65536; // of any target
  int64_t width = shapeOf(x).back();
  while (blocks > 1) {
    int64_t outer = blocks;
    if (blocks > maxBlocks) {
      // Of about the same number, where a tensor can have the rows of a block.
      outer = std::ceil(std::sqrt(double(blocks)));
      while (blocks % outer ||
             (outer < blocks && blocks / outer * height > maxRows))
        ++outer;
    }
    int64_t inner = blocks / outer;
    if (blocks * height <= maxRows && images <= maxChannels)
      x = reverseBlocks(
          builder, loc,
          reshaped(builder, loc, x, {1, images, blocks * height, width}), 2,
          outer);
    else
      x = reverseBlocks(
          builder, loc,
          reshaped(builder, loc, x, {images, outer, inner * height, width}), 1,
          outer);
    images *= outer;
    blocks = inner;
  }
  return x;
}

/// Whether blocks of at most `maxBlocks` blocks, and so on, make `extent`.
static bool isOfFewBlocks(int64_t extent) {
  for (int64_t factor = 2; factor <= maxBlocks; ++factor)
    while (extent % factor == 0)
      extent /= factor;
  return extent == 1;
}

/// Columns backwards: by a product, or as rows of fewer columns.
static Value reverseColumns(OpBuilder &builder, Location loc, Value x) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t extent = shape.back(), axis = shape.size() - 1, columns = extent;
  if (extent > maxColumns && extent % rowColumns == 0)
    columns = rowColumns *
              largestDivisor(extent / rowColumns, maxColumns / rowColumns);
  else if (extent > maxColumnsAtAll)
    columns = largestDivisor(extent, maxColumns);
  if (columns < 2 * rowColumns && columns < extent)
    columns = extent; // too many rows
  if (columns > maxColumnsAtAll)
    return reverseParts(builder, loc, x, axis,
                        llvm::alignDown(extent - 1, maxColumns));
  if (columns == extent) {
    auto places = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, extent)));
    return takeAt(builder, loc, x, axis, places);
  }
  Value rows = reshaped(builder, loc, x,
                        {ShapedType::getNumElements(shape.drop_back()),
                         extent / columns, columns});
  rows = reversed(builder, loc, reverseColumns(builder, loc, rows), 1);
  return reshaped(builder, loc, rows, shape);
}

Value mlir::ane::reversed(OpBuilder &builder, Location loc, Value x,
                          int64_t axis) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t extent = shape[axis], rank = shape.size();
  if (extent == 1)
    return x;
  if (axis == rank - 1)
    return reverseColumns(builder, loc, x);
  if (extent <= maxBlocks)
    return reverseBlocks(builder, loc, x, axis, extent);
  // A large prime has more than one part.
  if (!isOfFewBlocks(extent))
    return reverseParts(builder, loc, x, axis,
                        extent > maxBlocks * maxBlocks
                            ? llvm::alignDown(extent, maxBlocks * maxBlocks)
                            : llvm::alignDown(extent, maxBlocks));
  int64_t images = ShapedType::getNumElements(shape.take_front(axis));
  int64_t height =
      ShapedType::getNumElements(shape.slice(axis + 1, rank - axis - 2));
  x = reverseRows(builder, loc, x, images, extent, height);
  return reshaped(builder, loc, x, shape);
}
