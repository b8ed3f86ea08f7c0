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
// may ask whether there is a number at all: data has no NaN.
//
// A gather in linalg is a body that extracts an element of a tensor which is no
// operand of the op. One of its coordinates is data or a constant; the others
// are numbers of iterations.
//
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Utils/ConstantView.h"
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

/// Whether `place` is the number of an iteration of `loop`.
static bool isPlace(Value place, unsigned loop) {
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
      !isPlace(chosen.getTrueValue(), loop))
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

/// Whether the destinations hold what loses against everything, and place 0.
static LogicalResult checkStart(linalg::LinalgOp op, const Search &search) {
  std::optional<double> value =
      uniformValue(op.getDpsInitOperand(search.value)->get());
  std::optional<double> index =
      uniformValue(op.getDpsInitOperand(search.index)->get());
  constexpr double largest = 65504;
  if (value && (search.isMax ? *value <= -largest : *value >= largest) &&
      index && *index == 0)
    return success();
  InFlightDiagnostic error = op->emitOpError("searches from ");
  auto print = [&](std::optional<double> number) {
    if (number)
      error << *number;
    else
      error << "data";
  };
  print(value);
  error << " at place ";
  print(index);
  return error << ", but must start from "
               << (search.isMax ? "-65504 or less" : "65504 or more")
               << " at place 0; fill the destinations with "
               << (search.isMax ? "minus infinity" : "infinity") << " and 0";
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
  if (!search->isFirst)
    return op->emitOpError("finds the last of equal elements, but only the "
                           "first can be found; compare by 'ogt' or 'olt'");
  if (failed(checkStart(op, *search)) || failed(mapInputs(importer, op)))
    return failure();
  Value x = importer.lookup(search->x);
  if (!x)
    return op->emitOpError("searches a ")
           << search->x.getType() << ", but only f32 and f16 can be imported";
  x = expand(importer, op.getLoc(), x, ranges);
  Extreme found =
      findExtreme(importer.builder, op.getLoc(), x, loops[0], search->isMax);
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

/// Checks indices that are known.
static LogicalResult checkKnownIndices(Operation *op, Value indices,
                                       int64_t extent) {
  FailureOr<ConstantView> view = ConstantView::get(indices);
  if (failed(view) || !view->isReadable())
    return success();
  for (float index : view->readFloats())
    if (!(index >= 0 && index < extent))
      return op->emitOpError("reads element ")
             << static_cast<int64_t>(index) << ", but there are " << extent;
  return success();
}

namespace {
/// One dimension of the source is read at `indices`, which have a dimension for
/// each loop; each of the others follows a loop.
struct Extraction {
  int64_t dim = -1;
  Value indices;
  SmallVector<int64_t> otherDims, otherLoops;
};
} // namespace

static FailureOr<Extraction> extractionOf(FunctionImporter &importer,
                                          tensor::ExtractOp op,
                                          ArrayRef<int64_t> ranges) {
  Extraction extraction;
  ArrayRef<int64_t> shape = op.getTensor().getType().getShape();
  for (auto [dim, coordinate] : llvm::enumerate(op.getIndices())) {
    std::optional<int64_t> loop = loopOf(coordinate);
    if (loop && ranges[*loop] == shape[dim] &&
        !llvm::is_contained(extraction.otherLoops, *loop)) {
      extraction.otherDims.push_back(dim);
      extraction.otherLoops.push_back(*loop);
      continue;
    }
    Value indices = importer.lookup(coordinate);
    if (!indices || extraction.indices)
      return op.emitOpError("reads at several computed coordinates, or at some "
                            "that come from outside, but only one may be "
                            "computed and the others must be the numbers of "
                            "iterations over all of their dimensions");
    extraction.dim = dim;
    extraction.indices = indices;
  }
  auto usesLoop = [&](int64_t loop) {
    return shapeOf(extraction.indices)[loop] != 1;
  };
  if (extraction.indices && llvm::none_of(extraction.otherLoops, usesLoop))
    return extraction;
  return op.emitOpError("reads at coordinates that all are numbers of "
                        "iterations, or at one that depends on the others, "
                        "but exactly one must be computed, from other loops");
}

static LogicalResult importExtract(FunctionImporter &importer,
                                   tensor::ExtractOp op) {
  auto loops = op->getParentOfType<linalg::LinalgOp>();
  SmallVector<int64_t> ranges = loops.getStaticLoopRanges();
  FailureOr<Extraction> found = extractionOf(importer, op, ranges);
  FailureOr<Value> source =
      failed(found) ? FailureOr<Value>(failure()) : importer.operand(op, 0);
  if (failed(source))
    return failure();
  ArrayRef<int64_t> shape = shapeOf(*source);
  int64_t extent = shape[found->dim], count = 1, others = 1;
  for (int64_t size : shapeOf(found->indices))
    count *= size;
  bool isData = getElementTypeOrSelf(found->indices.getType()).isF16();
  if (auto why = checkTake(1, extent, count))
    return op.emitOpError(*why);
  if (failed(checkKnownIndices(op, found->indices, extent)) ||
      (isData && failed(FunctionImporter::checkWhole(op))))
    return failure();
  // The dimension that is read comes first, the others in the order of loops.
  auto order = llvm::to_vector(llvm::seq<size_t>(0, found->otherDims.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return found->otherLoops[a] < found->otherLoops[b];
  });
  SmallVector<int64_t> perm = {found->dim};
  for (size_t i : order) {
    perm.push_back(found->otherDims[i]);
    others *= shape[found->otherDims[i]];
  }
  Location loc = op.getLoc();
  Value table = importer.reshape(loc, importer.transpose(loc, *source, perm),
                                 {1, 1, extent, others});
  Value taken = takeRows(importer.builder, loc, table,
                         importer.reshape(loc, found->indices, {1, count}));
  // Loops of the indices, then those of the columns; and back in order.
  SmallVector<int64_t> sizes, loopsOfSizes;
  for (auto [loop, size] : llvm::enumerate(shapeOf(found->indices)))
    if (!llvm::is_contained(found->otherLoops, int64_t(loop))) {
      sizes.push_back(size);
      loopsOfSizes.push_back(loop);
    }
  for (size_t i : order) {
    sizes.push_back(shape[found->otherDims[i]]);
    loopsOfSizes.push_back(found->otherLoops[i]);
  }
  SmallVector<int64_t> back(ranges.size());
  for (auto [from, loop] : llvm::enumerate(loopsOfSizes))
    back[loop] = from;
  importer.map(
      op, importer.transpose(loc, importer.reshape(loc, taken, sizes), back));
  return success();
}

void mlir::ane::addExtractImport(FunctionImporter &importer) {
  importer.add<tensor::ExtractOp>(importExtract);
}
