//===- ImportSearch.cpp - linalg ops that find and read places ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An argmax in linalg is a reduction with two results: the largest element so
// far, and the number of the iteration where it was.
//
//   %place = arith.index_cast (linalg.index 1)
//   %more = arith.cmpf ogt, %x, %largest
//   linalg.yield (arith.maximumf %x, %largest),
//                (arith.select %more, %place, %known)
//
// The largest element may be chosen by the same comparison, and the comparison
// may ask whether there is a number at all: data has no NaN. What the
// destinations held before stays where nothing is larger.
//
// A gather in linalg is a body that extracts an element of a tensor which is no
// operand of the op. Coordinates are numbers of iterations or follow from those
// of one loop, as a resize or a reversal has them; one may be data.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Transforms/Constants/Evaluate.h"
#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::ane;

namespace {
/// The parts of such a body.
struct Search {
  BlockArgument x;
  unsigned value, index; // numbers of the results
  bool isMax;
  bool isFirst; // of several that are equal
};
} // namespace

/// Leaves out questions whether a number is one.
static Value withoutOrder(Value condition) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both)
    return condition;
  for (unsigned i : {0, 1}) {
    auto order = both->getOperand(i).getDefiningOp<arith::CmpFOp>();
    if (order && order.getPredicate() == arith::CmpFPredicate::ORD &&
        order.getLhs() == order.getRhs())
      return both->getOperand(1 - i);
  }
  return condition;
}

/// What `condition` says of x and what is known: 1 where it chooses a larger
/// x, -1 a smaller one, 0 anything else. `isFirst`: not an equal one.
static int orderOf(Value condition, Value x, Value known, bool &isFirst) {
  auto compare = withoutOrder(condition).getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return 0;
  bool isStraight = compare.getLhs() == x && compare.getRhs() == known;
  bool isCrossed = compare.getLhs() == known && compare.getRhs() == x;
  if (!isStraight && !isCrossed)
    return 0;
  using arith::CmpFPredicate;
  CmpFPredicate predicate = compare.getPredicate();
  auto isOneOf = [&](ArrayRef<CmpFPredicate> of) {
    return llvm::is_contained(of, predicate);
  };
  isFirst = isOneOf({CmpFPredicate::OGT, CmpFPredicate::UGT, CmpFPredicate::OLT,
                     CmpFPredicate::ULT});
  if (isOneOf({CmpFPredicate::OGT, CmpFPredicate::UGT, CmpFPredicate::OGE,
               CmpFPredicate::UGE}))
    return isStraight ? 1 : -1;
  if (isOneOf({CmpFPredicate::OLT, CmpFPredicate::ULT, CmpFPredicate::OLE,
               CmpFPredicate::ULE}))
    return isStraight ? -1 : 1;
  return 0;
}

/// Whether `place` is the number of an iteration of `loop`, of which there are
/// `count`.
static bool isPlace(Value place, unsigned loop, int64_t count) {
  if (count == 1 && FunctionImporter::splat(place) == 0)
    return true;
  if (auto cast = place.getDefiningOp<arith::IndexCastOp>())
    place = cast.getIn();
  auto index = place.getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == loop;
}

static std::optional<Search> searchOf(linalg::LinalgOp op, unsigned loop) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 2 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  Block &body = *op.getBlock();
  Search search;
  search.x = body.getArgument(0);
  search.index = isa<FloatType>(body.getArgument(1).getType()) ? 1 : 0;
  search.value = 1 - search.index;
  Value known = body.getArgument(1 + search.value);
  Value yielded = body.getTerminator()->getOperand(search.value);
  auto chosen = body.getTerminator()
                    ->getOperand(search.index)
                    .getDefiningOp<arith::SelectOp>();
  if (!isa<FloatType>(known.getType()) || !chosen ||
      chosen.getFalseValue() != body.getArgument(1 + search.index) ||
      !isPlace(chosen.getTrueValue(), loop, op.getStaticLoopRanges()[loop]))
    return std::nullopt;
  int order = orderOf(chosen.getCondition(), search.x, known, search.isFirst);
  if (order == 0)
    return std::nullopt;
  search.isMax = order > 0;
  Operation *def = yielded.getDefiningOp();
  if (auto select = dyn_cast_or_null<arith::SelectOp>(def)) {
    bool ignored;
    if (select.getTrueValue() == search.x && select.getFalseValue() == known &&
        orderOf(select.getCondition(), search.x, known, ignored) == order)
      return search;
    return std::nullopt;
  }
  bool isBound =
      search.isMax ? isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(def)
                   : isa_and_nonnull<arith::MinimumFOp, arith::MinNumFOp>(def);
  if (isBound && llvm::is_contained(def->getOperands(), search.x) &&
      llvm::is_contained(def->getOperands(), known))
    return search;
  return std::nullopt;
}

namespace {
/// What a destination holds before a search, with a dimension for each loop.
struct Start {
  Value value;
  std::optional<double> number; // if it is one everywhere
};
} // namespace

static FailureOr<Start> startOf(FunctionImporter &importer, linalg::LinalgOp op,
                                unsigned result, Value like) {
  OpOperand *init = op.getDpsInitOperand(result);
  if (std::optional<double> number = uniformValue(init->get()))
    return Start{createNumber(importer, op.getLoc(), like, *number), number};
  Value before = importer.lookup(init->get());
  if (!before)
    return op->emitOpError("searches from a tensor that holds nothing; fill "
                           "its destination first");
  FailureOr<Value> moved =
      toLoops(importer, op, before, op.getMatchingIndexingMap(init));
  if (failed(moved))
    return failure();
  return Start{*moved, std::nullopt};
}

// What was there before stays where nothing that was found is beyond it.
static LogicalResult startFrom(FunctionImporter &importer, linalg::LinalgOp op,
                               const Search &search, Extreme &found) {
  constexpr double largest = 65504;
  Location loc = op.getLoc();
  auto value = startOf(importer, op, search.value, found.value);
  auto index = startOf(importer, op, search.index, found.index);
  if (failed(value) || failed(index) ||
      failed(FunctionImporter::checkWhole(op)))
    return failure();
  bool losesAlways =
      value->number &&
      (search.isMax ? *value->number <= -largest : *value->number >= largest);
  if (losesAlways && (!search.isFirst || index->number == 0))
    return success();
  if (index->number && !isWholeHalf(static_cast<int64_t>(*index->number)))
    return op->emitOpError("searches from place ")
           << *index->number
           << ", which fp16 does not hold exactly; start from place 0";
  double infinity = std::numeric_limits<double>::infinity();
  Value bound = losesAlways ? createNumber(importer, loc, found.value,
                                           search.isMax ? -infinity : infinity)
                            : value->value;
  CompareKind kind =
      search.isMax
          ? (search.isFirst ? CompareKind::Greater : CompareKind::GreaterEqual)
          : (search.isFirst ? CompareKind::Less : CompareKind::LessEqual);
  Value isBeyond = createCompare(importer, loc, kind, found.value, bound);
  found.index =
      createSelect(importer, loc, isBeyond, found.index, index->value);
  if (!losesAlways)
    found.value =
        createBinary(importer, loc,
                     search.isMax ? ElementwiseKind::Max : ElementwiseKind::Min,
                     found.value, value->value);
  return success();
}

FailureOr<bool> mlir::ane::importSearch(FunctionImporter &importer,
                                        linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() != 1)
    return false;
  std::optional<Search> search = searchOf(op, loops[0]);
  if (!search)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (auto why = checkSearch(ranges[loops[0]]))
    return op->emitOpError(*why);
  if (failed(mapInputs(importer, op)))
    return failure();
  Value x = importer.lookup(search->x);
  if (!x)
    return op->emitOpError("searches a ")
           << search->x.getType() << ", but only f32 and f16 can be imported";
  x = expand(importer, op.getLoc(), x, ranges);
  Extreme found = findExtreme(importer.builder, op.getLoc(), x, loops[0],
                              search->isMax, search->isFirst);
  if (failed(startFrom(importer, op, *search, found)))
    return failure();
  for (auto [number, value] : {std::pair(search->value, found.value),
                               std::pair(search->index, found.index)}) {
    FailureOr<Value> result =
        fromLoops(importer, op, value,
                  op.getMatchingIndexingMap(op.getDpsInitOperand(number)),
                  op->getResult(number).getType());
    if (failed(result))
      return failure();
    importer.map(op->getResult(number), *result);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Elements at places
//===----------------------------------------------------------------------===//

/// The loop that a coordinate is the number of.
static std::optional<int64_t> loopOf(Value coordinate) {
  if (auto cast = coordinate.getDefiningOp<arith::IndexCastOp>())
    coordinate = cast.getIn();
  if (auto index = coordinate.getDefiningOp<linalg::IndexOp>())
    return index.getDim();
  return std::nullopt;
}

namespace {
/// A coordinate that is known: where it is in each iteration of the loops along
/// which it changes.
struct Places {
  SmallVector<unsigned> loops;
  SmallVector<int64_t> numbers;
};
} // namespace

/// `coordinate` has a dimension for each loop.
static Places placesOf(const Array &coordinate) {
  ArrayRef<int64_t> shape = coordinate.shape;
  SmallVector<size_t> strides(shape.size(), 1);
  for (size_t loop = shape.size(); loop-- > 1;)
    strides[loop - 1] = strides[loop] * shape[loop];
  Places places;
  for (auto [loop, stride] : llvm::enumerate(strides))
    for (size_t i = 0; i != coordinate.data.size(); ++i)
      if ((i / stride) % shape[loop] != 0 &&
          coordinate.data[i] != coordinate.data[i - stride]) {
        places.loops.push_back(loop);
        break;
      }
  // Those of the first iteration of all other loops.
  for (size_t i = 0; i != coordinate.data.size(); ++i)
    if (llvm::all_of(llvm::seq<size_t>(0, shape.size()), [&](size_t loop) {
          return llvm::is_contained(places.loops, loop) ||
                 (i / strides[loop]) % shape[loop] == 0;
        }))
      places.numbers.push_back(static_cast<int64_t>(coordinate.data[i]));
  return places;
}

namespace {
/// What a body extracts: the source, read at known places already, the loop
/// that each of its dimensions follows, and the one that is read at `indices`,
/// which have a dimension for each loop.
struct Extraction {
  Value source;
  DimLoops loops;
  ArrayRef<int64_t> ranges;
  int64_t dim = -1;
  Value indices;
};
} // namespace

/// Reads dimension `dim` of the source at `places`, which leaves a dimension
/// for each of their loops.
static void takeKnown(FunctionImporter &importer, Location loc,
                      Extraction &extraction, size_t dim,
                      const Places &places) {
  extraction.source =
      takeAt(importer.builder, loc, extraction.source, dim, places.numbers);
  if (places.loops.empty())
    return;
  SmallVector<int64_t> shape(shapeOf(extraction.source));
  shape.erase(shape.begin() + dim);
  extraction.loops.erase(extraction.loops.begin() + dim);
  for (auto [i, loop] : llvm::enumerate(places.loops)) {
    shape.insert(shape.begin() + dim + i, extraction.ranges[loop]);
    extraction.loops.insert(extraction.loops.begin() + dim + i, loop);
  }
  extraction.source = importer.reshape(loc, extraction.source, shape);
  if (extraction.dim > static_cast<int64_t>(dim))
    extraction.dim += places.loops.size() - 1;
}

/// Coordinates that are known, one after the other, the last first; what they
/// leave in the source are dimensions that follow loops.
static FailureOr<Extraction> extractionOf(FunctionImporter &importer,
                                          tensor::ExtractOp op,
                                          ArrayRef<int64_t> ranges) {
  constexpr int64_t maxKnown = 1 << 22;
  FailureOr<Value> source = importer.operand(op, 0);
  if (failed(source))
    return failure();
  SmallVector<int64_t> extents(shapeOf(*source));
  Extraction extraction{*source, DimLoops(extents.size()), ranges, -1, {}};
  auto isNamed = [&](unsigned loop) {
    return llvm::is_contained(extraction.loops, std::optional(loop));
  };
  SmallVector<size_t> others;
  for (auto [dim, coordinate] : llvm::enumerate(op.getIndices())) {
    std::optional<int64_t> loop = loopOf(coordinate);
    if (loop && ranges[*loop] == extents[dim] && !isNamed(*loop))
      extraction.loops[dim] = *loop;
    else
      others.push_back(dim);
  }
  for (size_t dim : llvm::reverse(others)) {
    FailureOr<Value> indices = importer.operand(op, 1 + dim);
    if (failed(indices))
      return failure();
    if (std::optional<Array> known = evaluateConstant(*indices, maxKnown)) {
      Places places = placesOf(*known);
      bool isOwn = llvm::none_of(places.loops, isNamed);
      if (auto why = isOwn ? checkTakeAt(extents[dim], places.numbers)
                           : checkPlaces(extents[dim], places.numbers))
        return op.emitOpError(*why);
      if (isOwn) {
        takeKnown(importer, op.getLoc(), extraction, dim, places);
        continue;
      }
    }
    if (extraction.indices)
      return op.emitOpError("reads at several coordinates that are computed or "
                            "share loops with others, but at most one is "
                            "supported; read along one dimension after the "
                            "other");
    extraction.dim = dim;
    extraction.indices = *indices;
  }
  return extraction;
}

/// Reads one dimension at computed indices: a product with a matrix for each
/// iteration of the loops that both the indices and the source have.
static FailureOr<Value> takeComputed(FunctionImporter &importer,
                                     tensor::ExtractOp op,
                                     const Extraction &extraction) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = shapeOf(extraction.source),
                    ranges = shapeOf(extraction.indices);
  SmallVector<int64_t> dimOf(ranges.size(), -1);
  for (auto [dim, loop] : llvm::enumerate(extraction.loops))
    if (loop)
      dimOf[*loop] = dim;
  // Loops of both, of the indices alone, of the source alone.
  SmallVector<int64_t> both, rows, columns;
  for (auto [loop, dim] : llvm::enumerate(dimOf))
    (dim < 0 ? rows : ranges[loop] != 1 ? both : columns).push_back(loop);
  int64_t extent = shape[extraction.dim], batches = 1, count = 1, others = 1;
  SmallVector<int64_t> perm, sizes;
  for (int64_t loop : both) {
    perm.push_back(dimOf[loop]);
    batches *= ranges[loop];
    sizes.push_back(ranges[loop]);
  }
  perm.push_back(extraction.dim);
  for (int64_t loop : rows) {
    count *= ranges[loop];
    sizes.push_back(ranges[loop]);
  }
  for (int64_t loop : columns) {
    perm.push_back(dimOf[loop]);
    others *= shape[dimOf[loop]];
    sizes.push_back(shape[dimOf[loop]]);
  }
  for (auto [dim, loop] : llvm::enumerate(extraction.loops))
    if (!loop && int64_t(dim) != extraction.dim)
      perm.push_back(dim); // of size 1
  bool isData = getElementTypeOrSelf(extraction.indices.getType()).isF16();
  if (auto why = checkTake(batches, extent, count))
    return op.emitOpError(*why);
  if (isData && failed(FunctionImporter::checkWhole(op)))
    return failure();
  Value table =
      importer.reshape(loc, importer.transpose(loc, extraction.source, perm),
                       {batches, 1, extent, others});
  SmallVector<int64_t> toRows(both);
  for (ArrayRef<int64_t> loops : {ArrayRef(rows), ArrayRef(columns)})
    llvm::append_range(toRows, loops);
  Value indices =
      importer.reshape(loc, importer.transpose(loc, extraction.indices, toRows),
                       {batches, count});
  Value taken = takeRows(importer.builder, loc, table, indices);
  SmallVector<int64_t> back(toRows.size());
  for (auto [from, loop] : llvm::enumerate(toRows))
    back[loop] = from;
  return importer.transpose(loc, importer.reshape(loc, taken, sizes), back);
}

static LogicalResult importExtract(FunctionImporter &importer,
                                   tensor::ExtractOp op) {
  auto loops = op->getParentOfType<linalg::LinalgOp>();
  SmallVector<int64_t> ranges = loops.getStaticLoopRanges();
  FailureOr<Extraction> extraction = extractionOf(importer, op, ranges);
  if (failed(extraction))
    return failure();
  FailureOr<Value> result =
      extraction->indices
          ? takeComputed(importer, op, *extraction)
          : spreadToLoops(importer, op.getLoc(), extraction->source,
                          extraction->loops, loops.getNumLoops());
  if (failed(result))
    return failure();
  importer.map(op, *result);
  return success();
}

void mlir::ane::addExtractImport(FunctionImporter &importer) {
  importer.add<tensor::ExtractOp>(importExtract);
}
