//===- ImportSearch.cpp - linalg reductions that find places --------------===//
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
//===----------------------------------------------------------------------===//

#include "ImportLinalg.h"

#include "ane/Dialect/ANE/Utils/Search.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
