//===- HostBoxes.cpp - Suppression of boxes, on the host ------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// non_maximum_suppression has results of a fixed size: how many boxes are left
// is a result of its own. Steps take the best box that is open and close those
// that overlap it; their number is that of the boxes that are kept, and a step
// reads each box once or twice.
//
// A box whose score is no number or minus infinity is none. The host also does
// the arithmetic that leads to boxes and scores alone, and that of what is left
// of them: fp16 has no half pixels beyond 1024.
//
//===----------------------------------------------------------------------===//

#include "HostIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::ane;

static StringRef suppression() { return "non_maximum_suppression"; }

// Backwards from the suppression, over what has no other use, and onwards from
// it, over what is computed of its results and constants.
void MILImporter::findBoxes(mil::FuncOp source) {
  static const llvm::StringSet<> steps = {
      "add",           "concat",        "equal",
      "expand_dims",   "greater",       "greater_equal",
      "identity",      "logical_or",    "maximum",
      "minimum",       "mul",           "real_div",
      "reduce_argmax", "reduce_max",    "reshape",
      "select",        "slice_by_size", "slice_by_index",
      "split",         "squeeze",       "stack",
      "sub",           "tile",          "transpose"};
  SmallVector<Operation *> found;
  source.walk([&](mil::MILOpInterface op) {
    if (op.getMILType() == suppression())
      found.push_back(op);
  });
  llvm::DenseSet<Operation *> known(found.begin(), found.end());
  while (!found.empty())
    for (Value operand : found.pop_back_val()->getOperands()) {
      auto op = operand.getDefiningOp<mil::MILOpInterface>();
      bool leadsThere = op && steps.contains(op.getMILType()) &&
                        llvm::all_of(op->getUsers(), [&](Operation *user) {
                          return known.contains(user);
                        });
      if (leadsThere && known.insert(op).second) {
        aroundBoxes.insert(op);
        found.push_back(op);
      }
    }
  llvm::DenseSet<Value> kept;
  source.walk([&](mil::MILOpInterface op) {
    bool isOfKept =
        steps.contains(op.getMILType()) &&
        llvm::any_of(op->getOperands(),
                     [&](Value operand) { return kept.contains(operand); }) &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          return kept.contains(operand) ||
                 operand.getDefiningOp<mil::ConstOp>();
        });
    if (isOfKept)
      aroundBoxes.insert(op);
    if (isOfKept || op.getMILType() == suppression())
      kept.insert(op->result_begin(), op->result_end());
  });
}

namespace {

/// Boxes [batch, box, 4] with their centers first, and scores [batch, box,
/// class].
struct Suppression {
  Value boxes, scores;
  int64_t batches, count, classes, kept;
  double overlap;
  std::optional<double> least;
  bool byClass;
};

class Suppressor {
public:
  Suppressor(HostBuilder host, const Suppression &what)
      : host(host), what(what) {}

  /// Boxes, scores, indices and how many there are.
  SmallVector<Value> run();

private:
  using Predicate = arith::CmpIPredicate;

  /// Of each box the class with the highest score, and that score in f32.
  Value findClasses();
  Value findScores(Value classes);
  /// For each box the step that keeps it, -1 if it is open and -2 if a better
  /// one overlaps it; then the last step that kept one.
  Value findSteps(Value classes, Value scores);
  Value makeStep(HostBuilder &inner, Value batch, Value step, Value marks,
                 Value classes, Value scores);
  /// The best open box, or -1.
  Value findBest(HostBuilder &inner, Value batch, Value step, Value marks,
                 Value scores);
  Value close(HostBuilder &inner, Value batch, Value step, Value best,
              Value marks, Value classes);
  /// Left, right, top, bottom, area.
  SmallVector<Value> cornersOf(HostBuilder &inner, Value batch, Value box);
  Value overlaps(HostBuilder &inner, ArrayRef<Value> a, ArrayRef<Value> b);
  /// Elements of `x` of the boxes at `indices`, and zeros.
  Value take(Value x, Value indices);

  HostType single() { return {host.builder.getF32Type()}; }
  HostType integer() { return {host.builder.getI32Type()}; }
  static Value toIndex(HostBuilder &b, Value number) {
    return arith::IndexCastOp::create(b.builder, b.loc,
                                      b.builder.getIndexType(), number);
  }
  static Value toInteger(HostBuilder &b, Value index) {
    return arith::IndexCastOp::create(b.builder, b.loc, b.builder.getI32Type(),
                                      index);
  }
  static Value compare(HostBuilder &b, Predicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b.builder, b.loc, predicate, x, y);
  }
  static Value choose(HostBuilder &b, Value flag, Value yes, Value no) {
    return arith::SelectOp::create(b.builder, b.loc, flag, yes, no);
  }

  HostBuilder host;
  const Suppression &what;
};

} // namespace

Value Suppressor::findClasses() {
  HostType type = HostType::of(what.scores.getType());
  return host.loop(
      {what.batches, what.count, what.classes},
      host.filled({what.batches, what.count}, integer(), 0),
      [&](HostBuilder &inner, ArrayRef<Value> at, Value found) -> Value {
        Value before = inner.extract(found, at.take_front(2));
        Value best =
            inner.extract(what.scores, {at[0], at[1], toIndex(inner, before)});
        Value score = inner.extract(what.scores, at);
        Value isBetter = arith::CmpFOp::create(
            inner.builder, inner.loc, arith::CmpFPredicate::OGT,
            inner.convertScalar(score, type, single()),
            inner.convertScalar(best, type, single()));
        Value here = choose(inner, isBetter, toInteger(inner, at[2]), before);
        return tensor::InsertOp::create(inner.builder, inner.loc, here, found,
                                        at.take_front(2));
      });
}

Value Suppressor::findScores(Value classes) {
  HostType type = HostType::of(what.scores.getType());
  return host.generate(
      {what.batches, what.count}, single().element,
      [&](HostBuilder &inner, ArrayRef<Value> at) {
        Value which = toIndex(inner, inner.extract(classes, at));
        return inner.convertScalar(
            inner.extract(what.scores, {at[0], at[1], which}), type, single());
      });
}

SmallVector<Value> Suppressor::cornersOf(HostBuilder &inner, Value batch,
                                         Value box) {
  OpBuilder &b = inner.builder;
  HostType type = HostType::of(what.boxes.getType());
  SmallVector<Value> corners;
  Value area;
  Value half = inner.number(single(), 0.5);
  for (int64_t dim : {0, 1}) {
    auto read = [&](int64_t place) {
      return inner.convertScalar(
          inner.extract(what.boxes, {batch, box, inner.index(place)}), type,
          single());
    };
    Value center = read(dim), size = read(dim + 2);
    Value reach = arith::MulFOp::create(b, inner.loc, size, half);
    Value low = arith::SubFOp::create(b, inner.loc, center, reach);
    Value high = arith::AddFOp::create(b, inner.loc, center, reach);
    corners.push_back(low);
    corners.push_back(high);
    Value span = arith::SubFOp::create(b, inner.loc, high, low);
    area = dim ? Value(arith::MulFOp::create(b, inner.loc, area, span)) : span;
  }
  corners.push_back(area);
  return corners;
}

// Nothing overlaps a box without an area: no number compares.
Value Suppressor::overlaps(HostBuilder &inner, ArrayRef<Value> a,
                           ArrayRef<Value> b) {
  OpBuilder &builder = inner.builder;
  Value common, zero = inner.number(single(), 0);
  for (unsigned dim : {0, 2}) {
    Value low = arith::MaximumFOp::create(builder, inner.loc, a[dim], b[dim]);
    Value high =
        arith::MinimumFOp::create(builder, inner.loc, a[dim + 1], b[dim + 1]);
    Value span = arith::SubFOp::create(builder, inner.loc, high, low);
    span = arith::MaximumFOp::create(builder, inner.loc, span, zero);
    common =
        dim ? Value(arith::MulFOp::create(builder, inner.loc, common, span))
            : span;
  }
  Value both = arith::AddFOp::create(builder, inner.loc, a[4], b[4]);
  both = arith::SubFOp::create(builder, inner.loc, both, common);
  Value part = arith::DivFOp::create(builder, inner.loc, common, both);
  return arith::CmpFOp::create(builder, inner.loc, arith::CmpFPredicate::OGT,
                               part, inner.number(single(), what.overlap));
}

Value Suppressor::findBest(HostBuilder &inner, Value batch, Value step,
                           Value marks, Value scores) {
  OpBuilder &b = inner.builder;
  Value none = inner.number(integer(), -1);
  Value lowest =
      inner.number(single(), -std::numeric_limits<double>::infinity());
  Value isFirst = compare(inner, Predicate::eq, step, inner.index(0));
  auto loop = scf::ForOp::create(
      b, inner.loc, inner.index(0), inner.index(what.count), inner.index(1),
      ValueRange{none, lowest},
      [&](OpBuilder &inside, Location at, Value box, ValueRange carried) {
        HostBuilder body(inside, at);
        Value score = body.extract(scores, {batch, box});
        Value isOpen = compare(body, Predicate::eq,
                               body.extract(marks, {batch, box}), none);
        // One box is always left: the best, however bad it is.
        if (what.least) {
          Value isGood =
              arith::CmpFOp::create(inside, at, arith::CmpFPredicate::OGE,
                                    score, body.number(single(), *what.least));
          isGood = arith::OrIOp::create(inside, at, isGood, isFirst);
          isOpen = arith::AndIOp::create(inside, at, isOpen, isGood);
        }
        Value isBetter = arith::CmpFOp::create(
            inside, at, arith::CmpFPredicate::OGT, score, carried[1]);
        Value isBest = arith::AndIOp::create(inside, at, isOpen, isBetter);
        scf::YieldOp::create(
            inside, at,
            ValueRange{choose(body, isBest, toInteger(body, box), carried[0]),
                       choose(body, isBest, score, carried[1])});
      });
  return loop.getResult(0);
}

Value Suppressor::close(HostBuilder &inner, Value batch, Value step, Value best,
                        Value marks, Value classes) {
  Value place = toIndex(inner, best);
  SmallVector<Value> corners = cornersOf(inner, batch, place);
  Value number = toInteger(inner, step);
  Value ofClass = inner.extract(classes, {batch, place});
  marks = inner.loop(
      {what.count}, marks,
      [&](HostBuilder &body, ArrayRef<Value> at, Value marks) -> Value {
        OpBuilder &b = body.builder;
        Value box = at.front();
        Value before = body.extract(marks, {batch, box});
        Value isOpen =
            compare(body, Predicate::eq, before, body.number(integer(), -1));
        Value isWorse = overlaps(body, corners, cornersOf(body, batch, box));
        if (what.byClass)
          isWorse = arith::AndIOp::create(
              b, body.loc, isWorse,
              compare(body, Predicate::eq, ofClass,
                      body.extract(classes, {batch, box})));
        isWorse = arith::AndIOp::create(b, body.loc, isOpen, isWorse);
        Value after = choose(body, isWorse, body.number(integer(), -2), before);
        after = choose(body, compare(body, Predicate::eq, box, place), number,
                       after);
        return tensor::InsertOp::create(b, body.loc, after, marks,
                                        ValueRange{batch, box});
      });
  return tensor::InsertOp::create(inner.builder, inner.loc, number, marks,
                                  ValueRange{batch, inner.index(what.count)});
}

Value Suppressor::makeStep(HostBuilder &inner, Value batch, Value step,
                           Value marks, Value classes, Value scores) {
  // Where a step found none, no later one does.
  auto branch = [&](HostBuilder &at, Value flag, auto then) -> Value {
    auto op = scf::IfOp::create(
        at.builder, at.loc, flag,
        [&](OpBuilder &inside, Location loc) {
          HostBuilder body(inside, loc);
          scf::YieldOp::create(inside, loc, then(body));
        },
        [&](OpBuilder &inside, Location loc) {
          scf::YieldOp::create(inside, loc, marks);
        });
    return op.getResult(0);
  };
  Value last = inner.extract(marks, {batch, inner.index(what.count)});
  Value next = arith::AddIOp::create(inner.builder, inner.loc, last,
                                     inner.number(integer(), 1));
  Value goesOn = compare(inner, Predicate::eq, next, toInteger(inner, step));
  return branch(inner, goesOn, [&](HostBuilder &outer) {
    Value best = findBest(outer, batch, step, marks, scores);
    Value isThere =
        compare(outer, Predicate::sge, best, outer.number(integer(), 0));
    return branch(outer, isThere, [&](HostBuilder &body) {
      return close(body, batch, step, best, marks, classes);
    });
  });
}

Value Suppressor::findSteps(Value classes, Value scores) {
  return host.loop({what.batches, what.kept},
                   host.filled({what.batches, what.count + 1}, integer(), -1),
                   [&](HostBuilder &inner, ArrayRef<Value> at, Value marks) {
                     return makeStep(inner, at[0], at[1], marks, classes,
                                     scores);
                   });
}

Value Suppressor::take(Value x, Value indices) {
  HostType type = HostType::of(x.getType());
  return host.generate(
      {what.batches, what.kept, shapeOf(x).back()}, type.element,
      [&](HostBuilder &inner, ArrayRef<Value> at) {
        Value zero = inner.number(integer(), 0);
        Value box = inner.extract(indices, at.take_front(2));
        Value isThere = compare(inner, Predicate::sge, box, zero);
        Value place = toIndex(inner, choose(inner, isThere, box, zero));
        return choose(inner, isThere, inner.extract(x, {at[0], place, at[2]}),
                      inner.number(type, 0));
      });
}

SmallVector<Value> Suppressor::run() {
  Value classes = findClasses(), scores = findScores(classes);
  Value marks = findSteps(classes, scores);
  Value indices = host.loop(
      {what.batches, what.count},
      host.filled({what.batches, what.kept}, integer(), -1),
      [&](HostBuilder &inner, ArrayRef<Value> at, Value found) -> Value {
        Value zero = inner.number(integer(), 0);
        Value step = inner.extract(marks, at);
        Value isKept = compare(inner, Predicate::sge, step, zero);
        Value place = toIndex(inner, choose(inner, isKept, step, zero));
        Value here = choose(inner, isKept, toInteger(inner, at[1]),
                            inner.extract(found, {at[0], place}));
        return tensor::InsertOp::create(inner.builder, inner.loc, here, found,
                                        ValueRange{at[0], place});
      });
  Value counts = host.generate(
      what.batches, integer().element,
      [&](HostBuilder &inner, ArrayRef<Value> at) -> Value {
        Value last = inner.extract(marks, {at[0], inner.index(what.count)});
        return arith::AddIOp::create(inner.builder, inner.loc, last,
                                     inner.number(integer(), 1));
      });
  return {take(what.boxes, indices), take(what.scores, indices), indices,
          counts};
}

// From ios17 on boxes are last, and how many are left is not said.
static SmallVector<Value> suppress(Statement &s) {
  Suppression what;
  what.boxes = s.tensor("boxes");
  what.scores = s.tensor("scores");
  int64_t kept = s.integer("max_boxes");
  what.overlap = s.number("iou_threshold");
  what.byClass = s.boolean("per_class_suppression", false);
  if (s.has("score_threshold"))
    what.least = s.number("score_threshold");
  if (s.failed())
    return {};
  bool isLast = s.getNumResults() == 3;
  HostBuilder host = s.host();
  if (shapeOf(what.boxes).size() == 3 && shapeOf(what.scores).size() == 3 &&
      isLast)
    for (Value *each : {&what.boxes, &what.scores})
      *each = host.transpose(*each, {0, 2, 1});
  ArrayRef<int64_t> boxes = shapeOf(what.boxes), scores = shapeOf(what.scores);
  if (boxes.size() != 3 || scores.size() != 3 || boxes[2] != 4 ||
      boxes[0] != scores[0] || boxes[1] != scores[1]) {
    s.error() << "has boxes of " << what.boxes.getType() << " and scores of "
              << what.scores.getType()
              << ", but must have four numbers and scores for each box";
    return {};
  }
  if (kept < 1 || kept > maxMILExtent) {
    s.error() << "leaves up to " << kept << " boxes, but 1 to " << maxMILExtent
              << " can be";
    return {};
  }
  what.batches = boxes[0];
  what.count = boxes[1];
  what.classes = scores[2];
  what.kept = kept;
  SmallVector<Value> results = Suppressor(host, what).run();
  if (!isLast)
    return results;
  results.pop_back();
  for (Value &each : MutableArrayRef(results).take_front(2))
    each = host.transpose(each, {0, 2, 1});
  return results;
}

void mlir::ane::addMILHostBoxes(MILImporter &importer) {
  importer.addHostMany(suppression(), suppress);
}
