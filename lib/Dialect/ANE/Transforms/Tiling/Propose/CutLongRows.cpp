//===- CutLongRows.cpp - Rows that L2 does not hold, part by part ---------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops along rows that L2 does not hold become runs (RowRun.h): all ops of a run
// are computed for one part of the columns after the other, and the parts of
// what others use are joined. How an op reads along its row is what its maps of
// dimensions say (DimMap.h). Rows, and other dimensions, that are longer than a
// tensor may have are left for CutLongDims.cpp, which has pieces of them.
//
//===----------------------------------------------------------------------===//

#include "ManyImages.h"
#include "RowRun.h"
#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Constants/DecomposePass.h"
#include "ane/Dialect/ANE/Transforms/Constants/Fold.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/CutLongDims.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h"
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Patterns.h"
#include "ane/Dialect/ANE/Utils/Builders.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANECUTLONGROWS
#include "ane/Dialect/ANE/Transforms/Tiling/Propose/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

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

// Operands that are the same for all columns stay as they are.
static bool setRows(RowStep &step) {
  RankedTensorType type = typeOf(step.op->getResult(0));
  for (auto [index, operand] : llvm::enumerate(step.op->getOperands())) {
    DimMap map = getDimMap(step.op, index, type.getRank() - 1);
    if (map.kind == DimMap::Broadcast)
      continue;
    RankedTensorType from = typeOf(operand);
    if (map.dim != from.getRank() - 1)
      return false;
    bool isSame = from.getShape().back() == type.getShape().back();
    if (isa<ConvOp, PoolOp>(step.op)) {
      step.stride = map.stride;
      step.extent = map.getSpan();
      step.low = map.before;
    } else if (!map.isPlain() || !isSame) {
      return false;
    }
    step.rows.push_back(index);
  }
  return true;
}

// A window of one row, none of whose steps would see padding alone.
static bool isRowWindow(const RowStep &step) {
  auto pad = step.op->getAttrOfType<DenseI64ArrayAttr>("pad");
  RankedTensorType type = typeOf(step.op->getOperand(0));
  return type.getRank() == 4 && type.getDimSize(2) == 1 && step.low >= 0 &&
         (!pad || (pad[0] == 0 && pad[1] == 0 && pad[3] >= 0)) &&
         step.low + (isa<PoolOp>(step.op) && pad ? pad[3] : 0) < step.extent &&
         (step.isTransposed || getDimMap(step.op, 0, 2).kernel == 1);
}

static std::optional<RowStep> stepOf(Operation *op) {
  RowStep step;
  step.op = op;
  auto isHalf = [](Value value) {
    return typeOf(value).getElementType().isF16();
  };
  auto transposed = dyn_cast<ConvTransposeOp>(op);
  bool isKnown = transposed ? setConvTranspose(step, transposed)
                            : setRows(step) && !step.rows.empty();
  if (!isKnown || !isHalf(op->getResult(0)) ||
      !llvm::all_of(
          step.rows,
          [&](unsigned index) { return isHalf(op->getOperand(index)); }) ||
      (isa<ConvOp, ConvTransposeOp, PoolOp>(op) && !isRowWindow(step)))
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

  void make();
  /// The columns of a value that are of the part.
  Value ownOf(Value value) {
    return columnsOf(parts.lookup(value), leftOf(value), countOf(value));
  }

private:
  bool isLast() const { return part == plan.parts - 1; }
  int64_t scaled(Value value, int64_t count) const {
    const RunValue &entry = run[value];
    return count * entry.num / entry.den;
  }
  int64_t leftOf(Value value) const {
    return part == 0 ? 0 : scaled(value, plan.left);
  }
  int64_t startOf(Value value) const {
    return part * scaled(value, plan.columns);
  }
  int64_t countOf(Value value) const {
    return isLast() ? run[value].length - startOf(value)
                    : scaled(value, plan.columns);
  }
  int64_t widthOf(Value value) const {
    return leftOf(value) + countOf(value) +
           (isLast() ? 0 : scaled(value, plan.right));
  }
  Value columnsOf(Value value, int64_t first, int64_t count) {
    return sliceDim(builder, value.getLoc(), value, typeOf(value).getRank() - 1,
                    first, count);
  }
  void make(const RowStep &step);
  void setPad(Operation *copy, const RowStep &step);

  OpBuilder &builder;
  const RowRun &run;
  const RunPlan &plan;
  int64_t part;
  DenseMap<Value, Value> parts;
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

void PartMaker::make(const RowStep &step) {
  Operation *copy = builder.clone(*step.op);
  for (unsigned index : step.rows)
    copy->setOperand(index, parts.lookup(step.op->getOperand(index)));
  Value result = step.op->getResult(0);
  RankedTensorType type =
      withDim(typeOf(result), typeOf(result).getRank() - 1, widthOf(result));
  copy->getResult(0).setType(type);
  if (isa<ConvOp, ConvTransposeOp, PoolOp>(copy))
    setPad(copy, step);
  if (auto slice = dyn_cast<SliceOp>(copy))
    slice.setSizes(type.getShape());
  parts[result] = copy->getResult(0);
}

void PartMaker::make() {
  for (Value source : run.getSources())
    parts[source] =
        columnsOf(source, startOf(source) - leftOf(source), widthOf(source));
  for (const RowStep &step : run.getSteps())
    make(step);
}

// What each part has of a result is cut out with it, so that none waits for the
// others.
static void makeRun(const RowRun &run, const RunPlan &plan) {
  OpBuilder builder(run.getSteps().back().op);
  SmallVector<Value> results = run.getResults();
  SmallVector<SmallVector<Value>> pieces(results.size());
  for (int64_t part = 0; part < plan.parts; ++part) {
    PartMaker maker(builder, run, plan, part);
    maker.make();
    for (auto [result, parts] : llvm::zip(results, pieces))
      parts.push_back(maker.ownOf(result));
  }
  for (auto [result, parts] : llvm::zip(results, pieces))
    result.replaceAllUsesWith(concatDim(builder, result.getLoc(), parts,
                                        typeOf(result).getRank() - 1));
  for (const RowStep &step : llvm::reverse(run.getSteps()))
    step.op->erase();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

// A row that is longer than one can be, or of whose channels L2 does not hold
// twice as many.
static bool isWide(Value value, const ::ane::hw::GenerationInfo &info) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() < 3 || type.getRank() > 4 ||
      value.getDefiningOp<ConstantOp>())
    return false;
  ArrayRef<int64_t> shape = type.getShape();
  bool isRow = shape.size() == 3 || (shape[0] == 1 && shape[2] == 1);
  return shape.back() > int64_t(info.maxWidth) ||
         (isRow && 2 * halfBytesOf(type) > int64_t(info.l2Bytes));
}

// What becomes of an op when it is taken apart has room in L2, too: nearly all of
// it is for ops that are not.
static constexpr double shares[] = {0.5, 0.9};

// The ops that can be of a run. Its results are there after its last op, so ops
// that are `others` may not use them before.
static RowRun collect(ArrayRef<Operation *> ops,
                      function_ref<bool(Operation *)> isOther,
                      const ::ane::hw::GenerationInfo &info, double share) {
  RowRun run(info, share);
  Operation *firstOther = nullptr;
  for (Operation *op : ops) {
    std::optional<RowStep> step = stepOf(op);
    if (!step || op->getBlock() != ops[0]->getBlock() ||
        (firstOther && firstOther->isBeforeInBlock(op)) || !run.add(*step))
      break;
    for (Operation *user : op->getUsers())
      if (isOther(user) && user->getBlock() == op->getBlock() &&
          (!firstOther || user->isBeforeInBlock(firstOther)))
        firstOther = user;
  }
  return run;
}

static void makeRun(ArrayRef<Operation *> ops, const RunPlan &plan,
                    const ::ane::hw::GenerationInfo &info, double share) {
  auto isNone = [](Operation *) { return false; };
  RowRun run = collect(ops.take_front(plan.steps), isNone, info, share);
  run.take(plan.steps);
  makeRun(run, plan);
}

// As the estimate of each run says, for what is left after a candidate.
static void cutByEstimate(ArrayRef<Operation *> ops,
                          const ::ane::hw::GenerationInfo &info, double share) {
  while (!ops.empty()) {
    auto isNone = [](Operation *) { return false; };
    SmallVector<RunPlan> plans = collect(ops, isNone, info, share).propose();
    bool isCut = !plans.empty() && plans[0].isForced;
    if (isCut)
      makeRun(ops, plans[0], info, share);
    ops = ops.drop_front(isCut ? plans[0].steps : 1);
  }
}

// Cuts a run that `ops` begin with as is best by the plans of these ops, or not
// at all. Returns how many ops it has.
static size_t cutRun(ArrayRef<Operation *> ops,
                     function_ref<bool(Operation *)> isOther,
                     const DecomposeOptions &options, PlanCost &cost) {
  const ::ane::hw::GenerationInfo &info = options.generation;
  SmallVector<std::pair<double, RunPlan>> proposals;
  size_t longest = 0;
  bool isForced = false;
  for (double share : shares)
    for (const RunPlan &plan : collect(ops, isOther, info, share).propose()) {
      proposals.emplace_back(share, plan);
      longest = std::max(longest, plan.steps);
      isForced |= plan.isForced;
    }
  if (proposals.empty())
    return 0;
  unsigned best = cost.choose(
      ops.take_front(longest), proposals.size() + 1,
      [&](ArrayRef<Operation *> own, unsigned candidate) -> LogicalResult {
        auto clone = own[0]->getParentOfType<func::FuncOp>();
        if (candidate == 0)
          return isForced ? failure() : completeCandidate(clone, options);
        const auto &[share, plan] = proposals[candidate - 1];
        if (isForced && !plan.isForced)
          return failure();
        makeRun(own, plan, info, share);
        cutByEstimate(own.drop_front(plan.steps), info, share);
        return completeCandidate(clone, options);
      });
  if (best == 0)
    return 0;
  const auto &[share, plan] = proposals[best - 1];
  makeRun(ops, plan, info, share);
  return plan.steps;
}

static int64_t cutRuns(Operation *scope, const DecomposeOptions &options,
                       PlanCost &cost) {
  const ::ane::hw::GenerationInfo &info = options.generation;
  auto isOfRow = [&](Value value) { return isWide(value, info); };
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (isa<ANEDialect>(op->getDialect()) && op->getNumResults() == 1 &&
        !isa<ConstantOp>(op) &&
        (isOfRow(op->getResult(0)) || llvm::any_of(op->getOperands(), isOfRow)))
      ops.push_back(op);
  });
  const DenseSet<Operation *> all(ops.begin(), ops.end());
  auto isOther = [&](Operation *op) { return !all.contains(op); };
  int64_t count = 0;
  for (ArrayRef<Operation *> rest = ops; !rest.empty();) {
    size_t taken = cutRun(rest, isOther, options, cost);
    count += taken;
    rest = rest.drop_front(std::max<size_t>(1, taken));
  }
  return count;
}

namespace {
struct CutLongRows
    : DecomposePass<CutLongRows,
                    mlir::ane::impl::ANECutLongRowsBase<CutLongRows>> {
  using DecomposePass::DecomposePass;

  LogicalResult run(const DecomposeOptions &options) {
    rewritten += joinManyImages(getOperation(), options.generation);
    FailureOr<MemoryTarget> memory = getMemoryTarget(getOperation(), flavour);
    if (failed(memory))
      return failure();
    PlanCost cost(*memory, options.policy);
    if (options.policy.tiling.cutsRowsTogether)
      rewritten += cutRuns(getOperation(), options, cost);
    int64_t cut = 0;
    getOperation()->walk([&](func::FuncOp func) {
      cut += cutLongDims(func, options.generation);
    });
    if (cut > 0)
      foldConstants(getOperation()); // parts of weights
    rewritten += cut;
    return success();
  }
};
} // namespace
