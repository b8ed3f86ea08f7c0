//===- ImportIndices.cpp - MIL operations that read and write at indices --===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant indices are slices where they form few runs, else a product with a
// matrix of zeros and ones. A scatter is a gather from the data and the updates
// after it. What is computed is read as Search.h says.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"
#include "Statement.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;

/// At most what fits; more is more than any tensor has.
static int64_t countOf(ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t size : shape)
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  return std::min<uint64_t>(count, std::numeric_limits<int64_t>::max());
}

static SmallVector<int64_t> joined(ArrayRef<ArrayRef<int64_t>> parts) {
  SmallVector<int64_t> shape;
  for (ArrayRef<int64_t> part : parts)
    llvm::append_range(shape, part);
  return shape;
}

/// Negative indices count from the end; others must be inside of `extent`.
static bool countFromFront(Statement &s, MutableArrayRef<int64_t> indices,
                           int64_t extent) {
  for (int64_t &index : indices) {
    int64_t given = index;
    index += index < 0 ? extent : 0;
    if (index >= 0 && index < extent)
      continue;
    s.error() << "has the index " << given << ", but there are " << extent
              << " elements";
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rows at constant indices
//===----------------------------------------------------------------------===//

/// First row and number of rows.
using Run = std::pair<int64_t, int64_t>;

static SmallVector<Run> runsOf(ArrayRef<int64_t> indices) {
  SmallVector<Run> runs;
  for (int64_t index : indices)
    if (!runs.empty() && runs.back().first + runs.back().second == index)
      ++runs.back().second;
    else
      runs.push_back({index, 1});
  return runs;
}

Value mlir::ane::takeAt(Statement &s, Value x, int64_t axis,
                        ArrayRef<int64_t> indices) {
  constexpr size_t maxRuns = 64;
  if (!x)
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t extent = shape[axis], count = indices.size();
  SmallVector<Run> runs = runsOf(indices);
  if (runs.size() <= maxRuns) {
    SmallVector<Value> parts;
    for (auto [first, size] : runs)
      parts.push_back(s.sliceAxis(x, axis, first, size));
    return s.concat(parts, axis);
  }
  if (count > maxFactors / extent) {
    s.error() << "takes " << count << " of " << extent << " elements in "
              << runs.size() << " ascending runs, which are more than "
              << maxRuns << " slices and a matrix of more than " << maxFactors
              << " elements; gather on the host";
    return {};
  }
  std::vector<float> matrix(count * extent, 0.0f);
  for (auto [row, index] : llvm::enumerate(indices))
    matrix[row * extent + index] = 1;
  ArrayRef<int64_t> dims(shape);
  int64_t outer = countOf(dims.take_front(axis)),
          inner = countOf(dims.drop_front(axis + 1));
  x = s.toData(x);
  // A row for each element is a product from the other side.
  Value product =
      inner == 1 ? s.matmul(s.reshape(x, {outer, extent}),
                            s.constantOf({count, extent}, matrix),
                            /*transposeLhs=*/false, /*transposeRhs=*/true)
                 : s.matmul(s.constantOf({1, count, extent}, matrix),
                            s.reshape(x, {outer, extent, inner}),
                            /*transposeLhs=*/false, /*transposeRhs=*/false);
  shape[axis] = count;
  return s.failed() ? Value() : s.reshape(product, shape);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

/// Slices of `x` along `axis`, whose first `batch` dimensions the indices have,
/// too. The dimensions of the result are those of x, with as many elements
/// along `axis` as there are indices for each batch.
static Value takeKnownOfBatches(Statement &s, Value x, int64_t axis,
                                int64_t batch, SmallVector<int64_t> indices) {
  constexpr int64_t maxBatches = 64;
  SmallVector<int64_t> shape(shapeOf(x));
  ArrayRef<int64_t> dims(shape);
  int64_t batches = countOf(dims.take_front(batch));
  if (!countFromFront(s, indices, shape[axis]))
    return {};
  if (batch == 0)
    return takeAt(s, x, axis, indices);
  if (batches > maxBatches) {
    s.error() << "takes elements of " << batches
              << " batches at constant indices, but at most " << maxBatches
              << " can be imported; join batches";
    return {};
  }
  int64_t count = indices.size() / batches;
  x = s.reshape(x, joined({batches, dims.drop_front(batch)}));
  SmallVector<Value> parts;
  for (int64_t i = 0; i < batches && !s.failed(); ++i)
    parts.push_back(takeAt(s, s.sliceAxis(x, 0, i, 1), axis - batch + 1,
                           ArrayRef(indices).slice(i * count, count)));
  shape[axis] = count;
  return s.failed() ? Value() : s.reshape(s.concat(parts, 0), shape);
}

/// The same for indices that are computed.
static Value takeComputed(Statement &s, Value x, int64_t axis, int64_t batch,
                          Value indices) {
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  ArrayRef<int64_t> dims(shape);
  int64_t batches = countOf(dims.take_front(batch)), extent = shape[axis];
  int64_t count = countOf(shapeOf(indices)) / batches;
  if (auto why = checkTake(batches, extent, count)) {
    s.error() << *why;
    return {};
  }
  x = s.reshape(s.toData(x), {batches, countOf(dims.slice(batch, axis - batch)),
                              extent, countOf(dims.drop_front(axis + 1))});
  indices = s.reshape(indices, {batches, count});
  shape[axis] = count;
  return s.failed()
             ? Value()
             : s.reshape(takeRows(s.getBuilder(), s.getLoc(), x, indices),
                         shape);
}

static Value importGather(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), places = s.declaredShape("indices");
  int64_t rank = shape.size(), indexRank = places.size();
  int64_t axis = s.axis("axis", rank, 0), batch = s.integer("batch_dims", 0);
  if (s.failed())
    return {};
  ArrayRef<int64_t> dims(shape);
  if (batch < 0 || batch > axis || batch > indexRank ||
      dims.take_front(batch) != ArrayRef(places).take_front(batch)) {
    s.error() << "has batch_dims " << batch << " for an input of rank " << rank
              << " and indices of rank " << indexRank << " along axis " << axis
              << ", but batches are the first dimensions of both";
    return {};
  }
  SmallVector<int64_t> sizes =
      joined({dims.take_front(axis), ArrayRef(places).drop_front(batch),
              dims.drop_front(axis + 1)});
  if (s.isOnHost())
    return gatherOnHost(s, x, axis, batch, sizes);
  auto known = s.knownIntegers("indices");
  Value taken =
      known ? takeKnownOfBatches(s, x, axis, batch, *known)
            : takeComputed(s, x, axis, batch, s.toData(s.tensor("indices")));
  return s.failed() ? Value() : s.reshape(taken, sizes);
}

/// Elements that are taken or updated one after the other.
static constexpr int64_t maxSteps = 64;

static Value importGatherAlongAxis(Statement &s) {
  Value x = s.tensor("x"), indices = s.tensor("indices");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), places(shapeOf(indices));
  int64_t axis = s.axis("axis", shape.size(), 0);
  if (s.failed())
    return {};
  SmallVector<int64_t> expected = shape;
  expected[axis] = places.size() == shape.size() ? places[axis] : 0;
  if (places != expected) {
    s.error() << "has an input of " << x.getType() << " and indices of "
              << indices.getType() << ", which must have the same sizes but "
              << "for axis " << axis;
    return {};
  }
  int64_t extent = shape[axis], count = places[axis];
  if (s.isOnHost())
    return gatherAlongAxisOnHost(s, x, indices, axis);
  auto why = checkTake(1, extent, count);
  // Where indices are constants, so is what they are compared with.
  bool isLarge = count > maxFactors / extent / (countOf(shape) / extent);
  if (why || count > maxSteps || (Statement::isConstant(indices) && isLarge)) {
    InFlightDiagnostic error = s.error();
    if (why)
      error << *why;
    else
      error << "takes " << count << " of " << extent
            << " elements, but at most " << maxSteps
            << " can be taken, one after the other, and with constant indices "
            << "at most " << maxFactors
            << " compared; gather on the host, or whole slices";
    return {};
  }
  ArrayRef<int64_t> dims(shape);
  int64_t outer = countOf(dims.take_front(axis)),
          inner = countOf(dims.drop_front(axis + 1));
  Value taken =
      takeElements(s.getBuilder(), s.getLoc(),
                   s.reshape(s.toData(x), {outer, extent, inner}),
                   s.reshape(s.toData(indices), {outer, count, inner}));
  return s.reshape(taken, places);
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// One index for each of the `coordinates`, which name places in `extents`.
static SmallVector<int64_t> joinCoordinates(Statement &s,
                                            ArrayRef<int64_t> coordinates,
                                            ArrayRef<int64_t> extents) {
  SmallVector<int64_t> indices;
  for (size_t i = 0; i < coordinates.size() && !s.failed();
       i += extents.size()) {
    int64_t place = 0;
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      int64_t index = coordinates[i + dim];
      if (!countFromFront(s, index, extent))
        break;
      place = place * extent + index;
    }
    indices.push_back(place);
  }
  return indices;
}

/// The same of coordinates that are computed, the last dimension of 'indices'.
/// No number on the way is larger than the index of the last place.
static Value joinComputed(Statement &s, ArrayRef<int64_t> extents) {
  Value coordinates = s.toData(s.tensor("indices"));
  if (auto why = s.failed() ? std::nullopt : checkTake(1, countOf(extents), 1))
    s.error() << *why;
  if (s.failed())
    return {};
  int64_t rank = shapeOf(coordinates).size();
  Value zero = s.constantOf(SmallVector<int64_t>(rank, 1), 0.0f);
  Value place;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Value index = s.sliceAxis(coordinates, rank - 1, dim, 1);
    Value isNegative = s.build<CompareOp>(CompareKind::Less, index, zero);
    index =
        s.binary(ElementwiseKind::Add, index,
                 s.binary(ElementwiseKind::Mul, isNegative, double(extent)));
    place =
        place ? s.binary(ElementwiseKind::Add,
                         s.binary(ElementwiseKind::Mul, place, double(extent)),
                         index)
              : index;
  }
  return place;
}

static Value importGatherNd(Statement &s) {
  Value x = s.tensor("x");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x)), places = s.declaredShape("indices");
  int64_t rank = shape.size(), batch = s.integer("batch_dims", 0);
  if (s.failed())
    return {};
  int64_t depth = places.empty() ? 0 : places.back();
  if (depth < 1 || batch < 0 || batch >= int64_t(places.size()) ||
      batch + depth > rank ||
      ArrayRef(shape).take_front(batch) != ArrayRef(places).take_front(batch)) {
    s.error() << "has batch_dims " << batch << " and coordinates of " << depth
              << " dimensions for an input of rank " << rank
              << ", but batches and what coordinates name are its first ones";
    return {};
  }
  ArrayRef<int64_t> dims(shape), extents = dims.slice(batch, depth);
  SmallVector<int64_t> sizes =
      joined({ArrayRef(places).drop_back(), dims.drop_front(batch + depth)});
  if (s.isOnHost())
    return gatherNdOnHost(s, x, batch, depth, sizes);
  x = s.reshape(x, joined({dims.take_front(batch), countOf(extents),
                           dims.drop_front(batch + depth)}));
  Value taken;
  if (auto known = s.knownIntegers("indices")) {
    SmallVector<int64_t> indices = joinCoordinates(s, *known, extents);
    if (!s.failed())
      taken = takeKnownOfBatches(s, x, batch, batch, indices);
  } else {
    Value indices =
        depth == 1 ? s.toData(s.tensor("indices")) : joinComputed(s, extents);
    taken = takeComputed(s, x, batch, batch, indices);
  }
  return s.failed() ? Value() : s.reshape(taken, sizes);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

static std::optional<ElementwiseKind> combinationOf(StringRef mode) {
  return llvm::StringSwitch<std::optional<ElementwiseKind>>(mode)
      .Case("add", ElementwiseKind::Add)
      .Case("sub", ElementwiseKind::Sub)
      .Case("mul", ElementwiseKind::Mul)
      .Case("div", ElementwiseKind::Div)
      .Case("max", ElementwiseKind::Max)
      .Case("min", ElementwiseKind::Min)
      .Default(std::nullopt);
}

/// `data` with slices along `axis` replaced by those of `updates`, or combined
/// with them. The last of several updates of a slice counts.
static Value putSlices(Statement &s, Value data, Value updates, int64_t axis,
                       SmallVector<int64_t> indices) {
  StringRef mode = s.string("mode", "add");
  int64_t extent = shapeOf(data)[axis];
  if (!s.failed() && extent > maxFactors)
    s.error() << "updates some of " << extent << " elements, but at most "
              << maxFactors << " can be imported; scatter on the host";
  if (s.failed() || !countFromFront(s, indices, extent))
    return {};
  if (mode != "update") {
    auto kind = combinationOf(mode);
    llvm::SmallSet<int64_t, 16> once(indices.begin(), indices.end());
    if (!kind)
      s.error() << "mode is '" << mode
                << "', but must be add, sub, mul, div, max, min or update";
    else if (once.size() != indices.size())
      s.error() << "combines several updates with one element, but only one "
                   "can be imported; add up the updates first";
    if (s.failed())
      return {};
    updates = s.binary(*kind, takeAt(s, data, axis, indices), updates);
  }
  auto source = llvm::to_vector(llvm::seq<int64_t>(0, extent));
  for (auto [number, index] : llvm::enumerate(indices))
    source[index] = extent + number;
  if (s.failed())
    return {};
  return takeAt(s, s.concat({s.toData(data), s.toData(updates)}, axis), axis,
                source);
}

/// Checks that `updates` has `shape`.
static bool checkUpdates(Statement &s, Value updates, ArrayRef<int64_t> shape) {
  if (s.failed())
    return false;
  if (shapeOf(updates) == shape)
    return true;
  InFlightDiagnostic error = s.error();
  error << "has updates of " << updates.getType() << ", but must have sizes [";
  llvm::interleaveComma(shape, error);
  error << "]";
  return false;
}

static Value importScatter(Statement &s) {
  Value data = s.tensor("data"), updates = s.tensor("updates");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(data));
  ArrayRef<int64_t> dims(shape);
  SmallVector<int64_t> places = s.declaredShape("indices");
  int64_t axis = s.axis("axis", shape.size(), 0);
  if (!checkUpdates(
          s, updates,
          joined({dims.take_front(axis), places, dims.drop_front(axis + 1)})))
    return {};
  if (s.isOnHost())
    return scatterOnHost(s, data, updates, axis);
  SmallVector<int64_t> indices = s.integers("indices"), sizes = shape;
  sizes[axis] = indices.size();
  if (s.failed())
    return {};
  return putSlices(s, data, s.reshape(updates, sizes), axis, indices);
}

static Value importScatterNd(Statement &s) {
  Value data = s.tensor("data"), updates = s.tensor("updates");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(data)),
      places = s.declaredShape("indices");
  ArrayRef<int64_t> dims(shape);
  int64_t depth = places.empty() ? 0 : places.back();
  if (depth < 1 || depth > int64_t(shape.size())) {
    s.error() << "has coordinates of " << depth
              << " dimensions for data of rank " << shape.size();
    return {};
  }
  if (!checkUpdates(
          s, updates,
          joined({ArrayRef(places).drop_back(), dims.drop_front(depth)})))
    return {};
  if (s.isOnHost())
    return scatterNdOnHost(s, data, updates, depth);
  ArrayRef<int64_t> extents = dims.take_front(depth);
  SmallVector<int64_t> coordinates = s.integers("indices");
  SmallVector<int64_t> indices = joinCoordinates(s, coordinates, extents);
  if (s.failed())
    return {};
  auto joinTo = [&](int64_t count, Value value) {
    return s.reshape(value, joined({count, dims.drop_front(depth)}));
  };
  Value result =
      putSlices(s, joinTo(countOf(extents), data),
                joinTo(indices.size(), updates), /*axis=*/0, indices);
  return s.failed() ? Value() : s.reshape(result, shape);
}

// One element for each update: the engine has no such write, so all elements
// are compared with each index.
static Value importScatterAlongAxis(Statement &s) {
  Value data = s.tensor("data"), updates = s.tensor("updates");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(data));
  SmallVector<int64_t> places = s.declaredShape("indices");
  int64_t axis = s.axis("axis", shape.size(), 0);
  if (s.failed())
    return {};
  shape[axis] = places.size() == shape.size() ? places[axis] : 0;
  if (places != shape) {
    Type indices = s.value("indices").getType();
    s.error() << "has data of " << data.getType() << " and indices of "
              << indices << ", which must have the same sizes but for axis "
              << axis;
    return {};
  }
  if (!checkUpdates(s, updates, places))
    return {};
  if (s.isOnHost())
    return scatterAlongAxisOnHost(s, data, updates, axis);
  Value indices = s.toData(s.tensor("indices"));
  StringRef mode = s.string("mode", "add");
  auto kind = combinationOf(mode);
  if (s.failed())
    return {};
  int64_t extent = shapeOf(data)[axis], count = places[axis];
  if (s.isInteger("data")) {
    s.error() << "updates integers, but fp16 may not hold the results; scatter "
                 "on the host";
  } else if (!kind && mode != "update") {
    s.error() << "mode is '" << mode
              << "', but must be add, sub, mul, div, max, min or update";
  } else if (auto why = checkTake(1, extent, count)) {
    s.error() << *why;
  } else if (count > maxSteps) {
    s.error() << "updates " << count << " of " << extent
              << " elements, but at most " << maxSteps
              << " can be updated, one after the other; scatter on the host, "
                 "or whole slices";
  }
  if (s.failed())
    return {};
  SmallVector<Value> values = {data, updates};
  s.unify(values);
  ArrayRef<int64_t> dims = shapeOf(data);
  int64_t outer = countOf(dims.take_front(axis)),
          inner = countOf(dims.drop_front(axis + 1));
  auto joinTo = [&](Value value, int64_t size) {
    return s.reshape(s.toData(value), {outer, size, inner});
  };
  Value result =
      putElements(s.getBuilder(), s.getLoc(), joinTo(values[0], extent),
                  joinTo(indices, count), joinTo(values[1], count), kind);
  return s.reshape(result, dims);
}

//===----------------------------------------------------------------------===//
// one_hot
//===----------------------------------------------------------------------===//

// An index outside of the vector lights nothing.
static Value importOneHot(Statement &s) {
  Value indices = s.tensor("indices");
  if (s.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(indices));
  int64_t size = s.integer("one_hot_vector_size");
  int64_t axis = s.axis("axis", shape.size() + 1, -1);
  double on = s.number("on_value", 1.0), off = s.number("off_value", 0.0);
  if (s.isOnHost())
    return s.failed() ? Value() : oneHotOnHost(s, indices, axis, size, on, off);
  if (!s.failed() && (size < 1 || size > maxWholeHalf + 1))
    s.error() << "makes vectors of " << size
              << " elements, but must make at least one and, since fp16 counts "
                 "no further than "
              << maxWholeHalf << ", at most " << maxWholeHalf + 1;
  if (!s.failed() && isWideInteger(s.resultElementType()))
    for (double value : {on, off})
      if (!isWholeHalf(static_cast<int64_t>(value)))
        s.error() << "has the integer " << static_cast<int64_t>(value)
                  << ", which fp16 does not hold exactly";
  if (s.failed())
    return {};
  shape.insert(shape.begin() + axis, 1);
  Value places = s.reshape(s.toData(indices), shape);
  Value row = createRow(s.getBuilder(), s.getLoc(), shape.size(), axis, size);
  Value isLit = s.build<CompareOp>(CompareKind::Equal, places, row);
  if (on == 1 && off == 0)
    return isLit;
  SmallVector<int64_t> ones(shape.size(), 1);
  return s.build<SelectOp>(isLit, s.constantOf(ones, static_cast<float>(on)),
                           s.constantOf(ones, static_cast<float>(off)));
}

void mlir::ane::addMILIndexImport(MILImporter &importer) {
  importer.takeIntegers({"gather", "gather_along_axis", "gather_nd", "one_hot",
                         "scatter_along_axis"});
  importer.add("gather", importGather);
  importer.add("gather_along_axis", importGatherAlongAxis);
  importer.add("gather_nd", importGatherNd);
  importer.add("one_hot", importOneHot);
  importer.add("scatter", importScatter);
  importer.add("scatter_nd", importScatterNd);
  importer.add("scatter_along_axis", importScatterAlongAxis);
}
