//===- ImportSearch.cpp - StableHLO's slices at indices, and searches -----===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is taken or put at indices, which have to be known, as slices; and what
// Search.h finds: the largest elements and their places. A body that compares is
// known by what it does with each order of its arguments.
//
//===----------------------------------------------------------------------===//

#include "ImportStableHLO.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::ane;
using stablehlo::numbersOf;

using Numbers = SmallVector<int64_t>;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Value concat(FunctionImporter &importer, Location loc,
                    ArrayRef<Value> values, int64_t axis) {
  SmallVector<Value> parts(values);
  importer.unify(loc, parts);
  return concatDim(importer.builder, loc, parts, axis);
}

//===----------------------------------------------------------------------===//
// At known indices
//===----------------------------------------------------------------------===//

/// Where slices of `sizes` start: within the tensor, as the ops have it.
static FailureOr<Numbers> startsOf(Operation *op, ValueRange starts,
                                   ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> sizes) {
  Numbers result;
  for (auto [start, size, extent] : llvm::zip_equal(starts, sizes, shape)) {
    std::optional<double> number = FunctionImporter::splat(start);
    if (size == extent)
      number = 0;
    if (!number)
      return op->emitOpError("starts at an index that is data, but the DMA has "
                             "fixed addresses; choose on the host");
    result.push_back(
        std::clamp<int64_t>(static_cast<int64_t>(*number), 0, extent - size));
  }
  return result;
}

static LogicalResult importDynamicSlice(FunctionImporter &importer,
                                        stablehlo::DynamicSliceOp op) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Numbers sizes = numbersOf(op.getSliceSizes());
  auto starts = startsOf(op, op.getStartIndices(), shapeOf(*input), sizes);
  if (failed(starts))
    return failure();
  importer.map(op,
               sliced(importer.builder, op.getLoc(), *input, *starts, sizes));
  return success();
}

namespace {
/// What is put into a tensor.
struct Piece {
  Numbers starts;
  Value value;
};
} // namespace

/// `whole` with one piece, from dimension `dim` on.
static Value put(FunctionImporter &importer, Location loc, Value whole,
                 const Piece &piece, size_t dim) {
  Numbers shape(shapeOf(whole));
  while (dim != shape.size() && shapeOf(piece.value)[dim] == shape[dim])
    ++dim;
  if (dim == shape.size())
    return piece.value;
  SmallVector<Value> parts;
  int64_t start = piece.starts[dim], size = shapeOf(piece.value)[dim];
  auto part = [&](int64_t from, int64_t count) {
    Numbers offsets(shape.size(), 0), sizes(shape);
    offsets[dim] = from;
    sizes[dim] = count;
    return sliced(importer.builder, loc, whole, offsets, sizes);
  };
  if (start)
    parts.push_back(part(0, start));
  parts.push_back(put(importer, loc, part(start, size), piece, dim + 1));
  if (int64_t end = start + size; end != shape[dim])
    parts.push_back(part(end, shape[dim] - end));
  return concat(importer, loc, parts, dim);
}

/// The one dimension along which all pieces are less than the tensor.
static std::optional<size_t> commonDim(ArrayRef<int64_t> shape,
                                       ArrayRef<Piece> pieces) {
  std::optional<size_t> common;
  for (const Piece &piece : pieces)
    for (auto [dim, size] : llvm::enumerate(shapeOf(piece.value))) {
      if (size == shape[dim])
        continue;
      if (common && *common != dim)
        return std::nullopt;
      common = dim;
    }
  return common;
}

/// Pieces one after the other along a dimension, as loops leave their results;
/// of two at one place the later one is there.
static Value putAlong(FunctionImporter &importer, Location loc, Value whole,
                      ArrayRef<Piece> pieces, size_t dim) {
  Numbers shape(shapeOf(whole));
  std::vector<int> owners(shape[dim], -1);
  for (auto [number, piece] : llvm::enumerate(pieces))
    std::fill_n(owners.begin() + piece.starts[dim], shapeOf(piece.value)[dim],
                int(number));
  SmallVector<Value> parts;
  for (int64_t from = 0, to; from != shape[dim]; from = to) {
    for (to = from; to != shape[dim] && owners[to] == owners[from];)
      ++to;
    Numbers offsets(shape.size(), 0), sizes(shape);
    sizes[dim] = to - from;
    const Piece *piece = owners[from] < 0 ? nullptr : &pieces[owners[from]];
    offsets[dim] = from - (piece ? piece->starts[dim] : 0);
    parts.push_back(sliced(importer.builder, loc, piece ? piece->value : whole,
                           offsets, sizes));
  }
  return concat(importer, loc, parts, dim);
}

static LogicalResult
importDynamicUpdateSlice(FunctionImporter &importer,
                         stablehlo::DynamicUpdateSliceOp op) {
  auto nextOf = [](stablehlo::DynamicUpdateSliceOp from) {
    auto next =
        from->hasOneUse()
            ? dyn_cast<stablehlo::DynamicUpdateSliceOp>(*from->user_begin())
            : stablehlo::DynamicUpdateSliceOp();
    return next && next.getOperand() == from.getResult()
               ? next
               : stablehlo::DynamicUpdateSliceOp();
  };
  ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  if (failed(startsOf(op, op.getStartIndices(), shape,
                      tensorType(op.getUpdate()).getShape())))
    return failure();
  // The last one puts what all of them do.
  if (nextOf(op))
    return success();
  SmallVector<Piece> pieces;
  Value base;
  for (stablehlo::DynamicUpdateSliceOp from = op; from;) {
    FailureOr<Value> update = importer.operand(from, 1);
    if (failed(update))
      return failure();
    auto starts = startsOf(from, from.getStartIndices(), shape,
                           tensorType(from.getUpdate()).getShape());
    pieces.push_back({std::move(*starts), *update});
    base = from.getOperand();
    auto before = base.getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
    if (!before || nextOf(before) != from) {
      FailureOr<Value> whole = importer.operand(from, 0);
      if (failed(whole))
        return failure();
      base = *whole;
      break;
    }
    from = before;
  }
  std::reverse(pieces.begin(), pieces.end());
  Location loc = op.getLoc();
  if (auto dim = commonDim(shape, pieces)) {
    importer.map(op, putAlong(importer, loc, base, pieces, *dim));
    return success();
  }
  for (const Piece &piece : pieces)
    base = put(importer, loc, base, piece, 0);
  importer.map(op, base);
  return success();
}

namespace {

/// A gather with the numbers of its indices.
class Gather {
public:
  Gather(FunctionImporter &importer, stablehlo::GatherOp op, Value input,
         DenseElementsAttr indices)
      : importer(importer), loc(op->getLoc()), dims(op.getDimensionNumbers()),
        input(input), sizes(numbersOf(op.getSliceSizes())) {
    for (const APInt &value : indices.getValues<APInt>())
      numbers.push_back(
          FunctionImporter::integer(value, indices.getElementType()));
    Numbers shape(indices.getType().getShape());
    int64_t vector = dims.getIndexVectorDim();
    stride = 1;
    for (size_t dim = vector + 1; dim < shape.size(); ++dim)
      stride *= shape[dim];
    fields = dims.getStartIndexMap().size();
    if (size_t(vector) < shape.size())
      shape.erase(shape.begin() + vector);
    batch = shape;
  }

  int64_t count() const {
    int64_t count = 1;
    for (int64_t size : batch)
      count *= size;
    return count;
  }
  Value run();

private:
  Numbers startsOf(int64_t number) const;
  std::optional<Value> runAlong() const;
  Value finish(Value slices) const;

  FunctionImporter &importer;
  Location loc;
  stablehlo::GatherDimensionsAttr dims;
  Value input;
  Numbers sizes, numbers, batch;
  int64_t stride = 1, fields = 0;
};

} // namespace

/// Where slice `number` is.
Numbers Gather::startsOf(int64_t number) const {
  Numbers starts(sizes.size(), 0);
  int64_t first = number / stride * stride * fields + number % stride;
  for (auto [field, dim] : llvm::enumerate(dims.getStartIndexMap()))
    starts[dim] = std::clamp<int64_t>(numbers[first + int64_t(field) * stride],
                                      0, shapeOf(input)[dim] - sizes[dim]);
  // The place among the batches.
  Numbers place(batch.size(), 0);
  for (size_t dim = batch.size(); dim-- > 0; number /= batch[dim])
    place[dim] = number % batch[dim];
  for (auto [from, to] : llvm::zip_equal(dims.getStartIndicesBatchingDims(),
                                         dims.getOperandBatchingDims()))
    starts[to] = place[from - (from > dims.getIndexVectorDim() ? 1 : 0)];
  return starts;
}

/// Elements along one dimension, which goes, and all of the others.
std::optional<Value> Gather::runAlong() const {
  if (dims.getStartIndexMap().size() != 1 ||
      !dims.getOperandBatchingDims().empty() ||
      dims.getCollapsedSliceDims() != dims.getStartIndexMap())
    return std::nullopt;
  int64_t axis = dims.getStartIndexMap()[0];
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (int64_t(dim) != axis && size != shapeOf(input)[dim])
      return std::nullopt;
  Numbers places;
  for (int64_t number = 0, end = count(); number != end; ++number)
    places.push_back(startsOf(number)[axis]);
  if (checkTakeAt(shapeOf(input)[axis], places))
    return std::nullopt;
  Value taken = takeAt(importer.builder, loc, input, axis, places);
  Numbers order = {axis};
  for (size_t dim = 0; dim != sizes.size(); ++dim)
    if (int64_t(dim) != axis)
      order.push_back(dim);
  return importer.transpose(loc, taken, order);
}

/// Slices in front, in the order and the shape that the result has.
Value Gather::finish(Value slices) const {
  Numbers shape(batch);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(dims.getCollapsedSliceDims(), int64_t(dim)) &&
        !llvm::is_contained(dims.getOperandBatchingDims(), int64_t(dim)))
      shape.push_back(size);
  Value value = importer.reshape(loc, slices, shape);
  Numbers perm(shape.size(), 0);
  int64_t nextBatch = 0, nextOffset = batch.size();
  for (size_t dim = 0; dim != perm.size(); ++dim)
    perm[dim] = llvm::is_contained(dims.getOffsetDims(), int64_t(dim))
                    ? nextOffset++
                    : nextBatch++;
  return importer.transpose(loc, value, perm);
}

Value Gather::run() {
  if (auto taken = runAlong())
    return finish(*taken);
  SmallVector<Value> parts;
  Numbers shape(sizes);
  shape.insert(shape.begin(), 1);
  for (int64_t number = 0, end = count(); number != end; ++number)
    parts.push_back(importer.reshape(
        loc, sliced(importer.builder, loc, input, startsOf(number), sizes),
        shape));
  return finish(concat(importer, loc, parts, 0));
}

static LogicalResult importGather(FunctionImporter &importer,
                                  stablehlo::GatherOp op) {
  constexpr int64_t maxSlices = 4096;
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  auto indices = dyn_cast_or_null<DenseElementsAttr>(
      FunctionImporter::constant(op.getStartIndices()));
  if (!indices)
    return op.emitOpError("takes elements at indices that are data, but the "
                          "DMA has fixed addresses; gather on the host");
  if (indices.getNumElements() > maxSlices)
    return op.emitOpError("takes ")
           << indices.getNumElements() << " indices, but at most " << maxSlices
           << " can be imported; gather on the host";
  importer.map(op, Gather(importer, op, *input, indices).run());
  return success();
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

namespace {

/// What a body that only compares and chooses makes of numbers: its arguments
/// in all orders are all that it can tell apart, but for NaN.
class Comparison {
public:
  explicit Comparison(Block &block) : block(block) {}

  bool isKnown() const {
    // With a number from outside, orders alone do not say it.
    auto isInside = [&](Value value) {
      return value.getParentBlock() == &block;
    };
    return llvm::all_of(block.without_terminator(), [&](Operation &op) {
      return isa<stablehlo::AndOp, stablehlo::CompareOp, stablehlo::OrOp,
                 stablehlo::SelectOp, stablehlo::MaxOp, stablehlo::MinOp>(op) &&
             llvm::all_of(op.getOperands(), isInside);
    });
  }

  /// What it returns; nothing where that does not follow.
  std::optional<SmallVector<double>> run(ArrayRef<double> numbers) const {
    OpBuilder builder(block.getParentOp());
    Block scratch;
    builder.setInsertionPointToEnd(&scratch);
    IRMapping map;
    for (auto [argument, number] :
         llvm::zip_equal(block.getArguments(), numbers)) {
      auto type = cast<RankedTensorType>(argument.getType());
      Attribute attr =
          isa<FloatType>(type.getElementType())
              ? Attribute(builder.getFloatAttr(type.getElementType(), number))
              : builder.getIntegerAttr(type.getElementType(),
                                       static_cast<int64_t>(number));
      map.map(argument, stablehlo::ConstantOp::create(
                            builder, block.getParentOp()->getLoc(), type,
                            DenseElementsAttr::get(type, ArrayRef(attr)))
                            .getResult());
    }
    for (Operation &op : block.without_terminator()) {
      Operation *copy = builder.clone(op, map);
      SmallVector<Value> folded;
      if (failed(builder.tryFold(copy, folded)) || folded.empty())
        return std::nullopt;
      map.map(op.getResults(), folded);
    }
    SmallVector<double> results;
    for (Value value : block.getTerminator()->getOperands()) {
      std::optional<double> number =
          FunctionImporter::splat(map.lookupOrDefault(value));
      if (!number)
        return std::nullopt;
      results.push_back(*number);
    }
    return results;
  }

private:
  Block &block;
};

} // namespace

std::optional<Search> mlir::ane::selectionOf(Block &block) {
  Comparison body(block);
  if (block.getNumArguments() != 2 || !body.isKnown())
    return std::nullopt;
  auto keeps = [&](double a, double b) -> std::optional<bool> {
    auto results = body.run({a, b});
    if (!results || results->size() != 1)
      return std::nullopt;
    return (*results)[0] != 0;
  };
  auto falling = keeps(2, 1), rising = keeps(1, 2), equal = keeps(1, 1);
  if (!falling || !rising || !equal || *falling == *rising)
    return std::nullopt;
  return Search{*falling, *equal};
}

/// How a reduction of numbers with their places finds one of them.
static std::optional<Search> searchOf(Block &block) {
  Comparison body(block);
  if (block.getNumArguments() != 4 || !body.isKnown())
    return std::nullopt;
  // Each of two orders, whichever comes first; equal ones, too.
  auto place = [&](double a, double b, double i,
                   double j) -> std::optional<double> {
    auto results = body.run({a, i, b, j});
    if (!results || results->size() != 2)
      return std::nullopt;
    double found = (*results)[1];
    if ((found != i && found != j) || (*results)[0] != (found == i ? a : b))
      return std::nullopt;
    return found;
  };
  auto both = [&](double a, double b) -> std::optional<double> {
    auto one = place(a, b, 3, 7), other = place(b, a, 7, 3);
    return one == other ? one : std::nullopt;
  };
  auto rising = both(1, 2), falling = both(2, 1), equal = both(1, 1);
  if (!rising || !falling || !equal || *rising == *falling)
    return std::nullopt;
  return Search{*rising == 7, *equal == 3};
}

/// Whether `value` has the places of elements along `axis`: an iota, also one
/// that is a constant by now.
static bool hasPlaces(Value value, int64_t axis) {
  if (auto iota = value.getDefiningOp<stablehlo::IotaOp>())
    return int64_t(iota.getIotaDimension()) == axis;
  auto numbers =
      dyn_cast_or_null<DenseIntElementsAttr>(FunctionImporter::constant(value));
  if (!numbers)
    return false;
  ArrayRef<int64_t> shape = numbers.getType().getShape();
  int64_t inner = 1, at = 0;
  for (int64_t size : shape.drop_front(axis + 1))
    inner *= size;
  return llvm::all_of(numbers.getValues<APInt>(), [&](const APInt &number) {
    return FunctionImporter::integer(number, numbers.getElementType()) ==
           at++ / inner % shape[axis];
  });
}

static LogicalResult refuseSearch(Operation *op) {
  return op->emitOpError("compares in a way that is no search for the largest "
                         "or the least element and its place along one "
                         "dimension; search on the host");
}

LogicalResult mlir::ane::importSearch(FunctionImporter &importer,
                                      stablehlo::ReduceOp op) {
  Numbers axes = numbersOf(op.getDimensions());
  std::optional<Search> search;
  if (op.getInputs().size() == 2 && axes.size() == 1 &&
      hasPlaces(op.getInputs()[1], axes[0]))
    search = searchOf(op.getBody().front());
  std::optional<double> init = knownNumber(op.getInitValues()[0]);
  if (!search || !init ||
      !isNeutral(search->isMax ? ElementwiseKind::Max : ElementwiseKind::Min,
                 op.getInitValues()[0]))
    return refuseSearch(op);
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  Location loc = op.getLoc();
  if (auto why = checkSearch(shapeOf(*input)[axes[0]]))
    return op.emitOpError(*why);
  Value x = importer.castTo(loc, *input, importer.builder.getF16Type());
  Extreme found = findExtreme(importer.builder, loc, x, axes[0], search->isMax,
                              search->isFirst);
  ArrayRef<int64_t> shape = tensorType(op->getResult(0)).getShape();
  importer.map(op->getResult(0), importer.reshape(loc, found.value, shape));
  importer.map(op->getResult(1), importer.reshape(loc, found.index, shape));
  return success();
}

/// The first `count` elements in order along `axis`, with their places.
static FailureOr<Extreme> sortAlong(FunctionImporter &importer, Operation *op,
                                    int64_t axis, int64_t count, bool isMax) {
  FailureOr<Value> input = importer.operand(op, 0);
  if (failed(input))
    return failure();
  if (auto why = checkSearch(shapeOf(*input)[axis], count))
    return op->emitOpError(*why);
  Value x =
      importer.castTo(op->getLoc(), *input, importer.builder.getF16Type());
  return findExtremes(importer.builder, op->getLoc(), x, axis, count, isMax);
}

static LogicalResult importTopK(FunctionImporter &importer, chlo::TopKOp op) {
  auto found =
      sortAlong(importer, op, tensorType(op.getOperand()).getRank() - 1,
                op.getKAttr().getInt(), /*isMax=*/true);
  if (failed(found))
    return failure();
  importer.map(op.getValues(), found->value);
  importer.map(op.getIndices(), found->index);
  return success();
}

/// Of one tensor, or of one with its places.
static LogicalResult importSort(FunctionImporter &importer,
                                stablehlo::SortOp op) {
  RankedTensorType type = tensorType(op.getInputs()[0]);
  int64_t axis = op.getDimension().value_or(-1);
  axis += axis < 0 ? type.getRank() : 0;
  Comparison body(op.getComparator().front());
  std::optional<bool> isMax;
  size_t count = op.getInputs().size();
  bool isSearch =
      count == 1 || (count == 2 && hasPlaces(op.getInputs()[1], axis));
  if (isSearch && body.isKnown()) {
    // Whether the first one comes first: of places, only equal ones may know.
    auto comesFirst = [&](double a, double b, double i, double j) {
      auto results = count == 1 ? body.run({a, b}) : body.run({a, b, i, j});
      return results ? std::optional((*results)[0] != 0) : std::nullopt;
    };
    auto rising = comesFirst(1, 2, 3, 7), falling = comesFirst(2, 1, 3, 7),
         same = comesFirst(1, 2, 7, 3), swapped = comesFirst(2, 1, 7, 3);
    if (rising && falling && *rising != *falling && rising == same &&
        falling == swapped && comesFirst(1, 1, 7, 3) == false)
      isMax = falling;
  }
  if (!isMax)
    return refuseSearch(op);
  auto found = sortAlong(importer, op, axis, type.getDimSize(axis), *isMax);
  if (failed(found))
    return failure();
  importer.map(op->getResult(0), found->value);
  if (count == 2)
    importer.map(op->getResult(1), found->index);
  return success();
}

void mlir::ane::addStableHLOSearchImport(FunctionImporter &importer) {
  importer.add<chlo::TopKOp>(importTopK);
  importer.add<stablehlo::DynamicSliceOp>(importDynamicSlice);
  importer.add<stablehlo::DynamicUpdateSliceOp>(importDynamicUpdateSlice);
  importer.add<stablehlo::GatherOp>(importGather);
  importer.add<stablehlo::SortOp>(importSort);
}
