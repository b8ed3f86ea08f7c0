//===- CutLongRowsRuns.cpp - Runs of ops on long rows ---------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops can be of a run (RowRun.h), and these ops for each part of the
// columns.
//
//===----------------------------------------------------------------------===//

#include "CutLongRows.h"

#include "RowRun.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isOne(ArrayRef<int64_t> values) {
  return values == ArrayRef<int64_t>{1};
}

// Operands that are as long as the result are rows.
static bool setByElement(Operation *op, RowStep &step) {
  RankedTensorType type = typeOf(op->getResult(0));
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (!broadcastsMerged(typeOf(operand), type))
      return false;
    bool isRow = typeOf(operand).getShape().back() == type.getShape().back();
    (isRow ? step.rows : step.shortRows).push_back(index);
  }
  return true;
}

// All columns of some channels.
static bool isOfChannels(SliceOp op) {
  RankedTensorType from = typeOf(op.getInput());
  if (from.getRank() != 4)
    return false;
  for (int64_t dim : {0, 2, 3})
    if (op.getSizes()[dim] != from.getDimSize(dim))
      return false;
  return from.getDimSize(2) == 1;
}

static bool setWindow(RowStep &step) {
  DimMap columns = getDimMap(step.op, 0, 3);
  step.rows = {0};
  step.stride = columns.stride;
  step.extent = columns.getSpan();
  step.low = columns.before;
  return getDimMap(step.op, 0, 2).kernel == 1;
}

static bool isRowWindow(const RowStep &step, ArrayRef<int64_t> pad) {
  RankedTensorType type = typeOf(step.op->getOperand(0));
  return type.getRank() == 4 && type.getDimSize(2) == 1 && pad[0] == 0 &&
         pad[1] == 0 && pad[3] >= 0 && step.low >= 0 && step.low < step.extent;
}

// Columns in front of a row have theirs in the result, which starts in front of
// its row by as many.
static bool setConvTranspose(RowStep &step, ConvTransposeOp op) {
  step.isTransposed = true;
  step.rows = {0};
  step.stride = op.getStrides()[1];
  step.extent =
      (typeOf(op.getWeight()).getDimSize(3) - 1) * op.getDilations()[1] + 1;
  step.low = op.getPad()[2];
  return typeOf(op.getWeight()).getDimSize(2) == 1 &&
         step.low + step.stride <= step.extent;
}

// Whether the result and the rows that it comes from are f16.
static bool isOfHalves(const RowStep &step) {
  auto isHalf = [](Value value) {
    return typeOf(value).getElementType().isF16();
  };
  return isHalf(step.op->getResult(0)) &&
         llvm::all_of(step.rows, [&](unsigned index) {
           return isHalf(step.op->getOperand(index));
         });
}

std::optional<RowStep> RowCutter::stepOf(Operation *op) const {
  RowStep step;
  step.op = op;
  auto isOfColumns = [&](ArrayRef<int64_t> axes) {
    step.rows = {0};
    return isOne(axes) && typeOf(op->getOperand(0)).getRank() == 4 &&
           typeOf(op->getOperand(0)).getDimSize(2) == 1;
  };
  auto isOfGamma = [](Value gamma) {
    return !gamma || typeOf(gamma).getRank() == 1;
  };
  bool isKnown =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<ActivationOp, CompareOp, ElementwiseOp, SelectOp>(
              [&](auto) { return setByElement(op, step); })
          .Case([&](ConvOp op) {
            return setWindow(step) && isRowWindow(step, op.getPad());
          })
          .Case([&](ConvTransposeOp op) {
            return setConvTranspose(step, op) && isRowWindow(step, op.getPad());
          })
          .Case([&](PoolOp op) {
            // One of a window's steps would see padding alone.
            return setWindow(step) && step.low + op.getPad()[3] < step.extent &&
                   isRowWindow(step, op.getPad());
          })
          .Case([&](LayerNormOp op) {
            return isOfGamma(op.getGamma()) && isOfColumns(op.getAxes());
          })
          .Case([&](RmsNormOp op) {
            return isOfGamma(op.getGamma()) && isOfColumns(op.getAxes());
          })
          .Case([&](ReduceOp op) { return isOfColumns(op.getAxes()); })
          .Case([&](SliceOp op) {
            step.rows = {0};
            return isOfChannels(op);
          })
          .Case([&](ConcatOp op) {
            for (unsigned i = 0, e = op.getInputs().size(); i != e; ++i)
              step.rows.push_back(i);
            return op.getAxis() == 1 && typeOf(op.getResult()).getRank() == 4 &&
                   typeOf(op.getResult()).getDimSize(2) == 1;
          })
          .Default([](Operation *) { return false; });
  if (!isKnown || step.rows.empty() || !isOfHalves(step))
    return std::nullopt;
  return step;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {

/// Makes the ops of a run for one part of the columns.
class PartMaker {
public:
  PartMaker(OpBuilder &builder, const RowRun &run, const RunPlan &plan,
            int64_t part)
      : builder(builder), run(run), plan(plan), part(part) {}

  bool isLast() const { return part == plan.parts - 1; }
  int64_t leftOf(Value value) const {
    return part == 0 ? 0 : scaled(value, plan.left);
  }
  /// Where the columns start that are of the part, and how many they are.
  int64_t startOf(Value value) const {
    return part * scaled(value, plan.columns);
  }
  int64_t columnsOf(Value value) const {
    return isLast() ? run[value].length - startOf(value)
                    : scaled(value, plan.columns);
  }
  int64_t widthOf(Value value) const {
    return leftOf(value) + columnsOf(value) +
           (isLast() ? 0 : scaled(value, plan.right));
  }
  void make(const RowStep &step, const DenseMap<Value, Value> &shortRows);

  DenseMap<Value, Value> images;

private:
  int64_t scaled(Value value, int64_t count) const {
    const RunValue &entry = run[value];
    return count * entry.num / entry.den;
  }
  void setPad(Operation *copy, const RowStep &step);

  OpBuilder &builder;
  const RowRun &run;
  const RunPlan &plan;
  int64_t part;
};

} // namespace

// Element j of the result has its window where it has it in the long row, since
// what is in front of the part grows and shrinks with the stride.
void PartMaker::setPad(Operation *copy, const RowStep &step) {
  int64_t from = widthOf(step.op->getOperand(0));
  int64_t to = widthOf(step.op->getResult(0));
  SmallVector<int64_t> pad{0, 0, step.low, 0};
  if (step.isTransposed)
    pad[3] = (from - 1) * step.stride + step.extent - step.low - to;
  else
    pad[3] = std::max<int64_t>(0, (to - 1) * step.stride + step.extent -
                                      step.low - from);
  copy->setAttr("pad", builder.getDenseI64ArrayAttr(pad));
}

void PartMaker::make(const RowStep &step,
                     const DenseMap<Value, Value> &shortRows) {
  Operation *copy = builder.clone(*step.op);
  for (unsigned index : step.rows)
    copy->setOperand(index, images.lookup(step.op->getOperand(index)));
  for (unsigned index : step.shortRows)
    copy->setOperand(index, shortRows.lookup(step.op->getOperand(index)));
  Value result = step.op->getResult(0);
  SmallVector<int64_t> shape = mergedLead(typeOf(result));
  shape.append({1, widthOf(result)});
  copy->getResult(0).setType(typeOf(result).clone(shape));
  if (isa<ConvOp, ConvTransposeOp, PoolOp>(copy))
    setPad(copy, step);
  if (auto slice = dyn_cast<SliceOp>(copy))
    slice.setSizes(shape);
  images[result] = copy->getResult(0);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// Results of the parts, one after the other. Long ones are rows again.
LongRow RowCutter::joinParts(ArrayRef<RowPiece> pieces, int64_t length) {
  if (length <= int64_t(info.maxWidth))
    return rows().join(pieces, length);
  return rows().join(pieces, pieces[0].length);
}

LogicalResult RowCutter::makeRun(const RowRun &run, const RunPlan &plan) {
  builder.setInsertionPoint(run.getSteps().back().op);
  llvm::MapVector<Value, LongRow> sources;
  for (Value source : run.getSources()) {
    bool isKnown = cut.contains(source);
    FailureOr<LongRow> row = rowOf(source);
    if (failed(row))
      return failure();
    // It is made here, after what may use it next.
    if (!isKnown)
      cut.erase(source);
    sources[source] = *row;
  }
  DenseMap<Value, Value> shortRows;
  for (const RowStep &step : run.getSteps())
    for (unsigned index : step.shortRows)
      if (Value value = step.op->getOperand(index); !shortRows.contains(value))
        shortRows[value] = asShortRow(value);

  SmallVector<Value> results = run.getResults();
  SmallVector<SmallVector<RowPiece>> pieces(results.size());
  for (int64_t part = 0; part < plan.parts; ++part) {
    PartMaker maker(builder, run, plan, part);
    for (const auto &[source, row] : sources) {
      loc = source.getLoc();
      maker.images[source] =
          rows().piece(row, maker.startOf(source) - maker.leftOf(source),
                       maker.widthOf(source));
    }
    for (const RowStep &step : run.getSteps()) {
      loc = step.op->getLoc();
      maker.make(step, shortRows);
    }
    // What goes out is cut out here, so that no part waits for the others.
    for (auto [result, parts] : llvm::zip(results, pieces)) {
      int64_t columns = maker.columnsOf(result);
      loc = result.getLoc();
      parts.push_back({sliceDim(builder, loc, maker.images.lookup(result), 3,
                                maker.leftOf(result), columns),
                       0, columns});
    }
  }
  for (auto [result, parts] : llvm::zip(results, pieces)) {
    loc = result.getLoc();
    (void)set(result.getDefiningOp(), joinParts(parts, run[result].length));
  }
  return success();
}

// Results of a run are there after its last op, so ops that are not looked at
// may not use them before.
size_t RowCutter::cutRun(ArrayRef<Operation *> ops) {
  RowRun run(info);
  size_t firstOther = std::numeric_limits<size_t>::max();
  for (Operation *op : ops) {
    std::optional<RowStep> step = stepOf(op);
    if (!step || op->getBlock() != ops[0]->getBlock() ||
        positions[op].second > firstOther || !run.add(*step))
      break;
    for (Operation *user : op->getUsers())
      if (auto [isCut, position] = positions.lookup(user); !isCut)
        firstOther = std::min(firstOther, position);
  }
  FailureOr<RunPlan> plan = run.plan();
  if (failed(plan) || failed(makeRun(run, *plan)))
    return 0;
  return run.getSteps().size();
}
