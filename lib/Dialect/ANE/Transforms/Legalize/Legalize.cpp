//===- Legalize.cpp - Only ops that the target does in one pass -----------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANELEGALIZE
#include "ane/Dialect/ANE/Transforms/Legalize/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;
using ::ane::hw::ConstraintId;

// Whether each dimension of `to` is one of `from` or several neighbours.
static bool isMerged(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  const int64_t *next = from.begin();
  for (int64_t size : to)
    for (int64_t left = size; left > 1; left /= *next++)
      if (next == from.end() || left % *next)
        return false;
  return std::all_of(next, from.end(), [](int64_t size) { return size == 1; });
}

// The shape that the surface of an argument has: that of its first use, if the
// host can make it from a caller's array.
static SmallVector<int64_t>
surfaceShape(ArrayRef<int64_t> from, ReshapeOp first,
             const ::ane::hw::GenerationInfo &info) {
  ArrayRef<int64_t> used = cast<RankedTensorType>(first.getType()).getShape();
  if (used.size() == 4 && isHostReshape(first, info) &&
      (isMerged(from, used) || isTooLong(from, info)))
    return SmallVector<int64_t>(used);
  SmallVector<int64_t> shape =
      llvm::filter_to_vector(from, [](int64_t size) { return size != 1; });
  if (shape.size() > 4) {
    int64_t channels = 1;
    for (int64_t size : ArrayRef(shape).drop_back(2))
      channels *= size;
    return {1, channels, shape.end()[-2], shape.back()};
  }
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return shape;
}

// An argument of more than four dimensions has one surface, whatever shapes it
// is used in, and dimensions of a caller's array are merged there.
static void mergeDimsOfArgument(BlockArgument argument,
                                const ::ane::hw::GenerationInfo &info) {
  Value value = argument;
  while (value.hasOneUse() && isa<CastOp>(*value.user_begin()))
    value = value.user_begin()->getResult(0);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isF16() ||
      (type.getRank() <= 4 && !isTooLong(type.getShape(), info)) ||
      !llvm::all_of(value.getUsers(),
                    llvm::IsaPred<ReshapeOp, CastOp, func::ReturnOp>))
    return;
  SmallVector<Operation *> users(value.getUsers());
  llvm::sort(users,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  auto *first = llvm::find_if(users, llvm::IsaPred<ReshapeOp>);
  if (first == users.end())
    return;
  auto merged =
      type.clone(surfaceShape(type.getShape(), cast<ReshapeOp>(*first), info));
  if (value.hasOneUse() && (*first)->getResult(0).getType() == merged)
    return;
  OpBuilder builder(users.front());
  auto reshape = [&](Value from, Type to) -> Value {
    return ReshapeOp::create(builder, users.front()->getLoc(), to, from);
  };
  Value surface = reshape(value, merged), back;
  for (Operation *user : users) {
    if (!isa<ReshapeOp>(user)) {
      if (!back)
        back = reshape(surface, type);
      user->replaceUsesOfWith(value, back);
      continue;
    }
    // What has less dimensions has ones in front first.
    auto to = cast<RankedTensorType>(user->getResult(0).getType());
    SmallVector<int64_t> image(std::max<int64_t>(4 - to.getRank(), 0), 1);
    llvm::append_range(image, to.getShape());
    Value from = surface;
    if (to.getRank() < 4 && ArrayRef(image) != merged.getShape())
      from = reshape(surface, type.clone(image));
    user->setOperand(0, from);
    if (to == merged)
      user->replaceAllUsesWith(ValueRange(surface));
  }
}

// Tasks that an op becomes at least: the NEs have no loop over the batch. Less
// where that depends on what is around it.
static int64_t minTasks(Operation *op) {
  if (isa<ConstantOp, ReshapeOp, SliceOp, ConcatOp, CastOp>(op))
    return 0;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return !isStoredInterleaved(transpose) &&
           !transpose.getInput().getDefiningOp<ConvOp>() &&
           transpose.getPerm()[3] != 3;
  auto hasLoop = [](std::optional<ActivationAttr> function) {
    return !function || function->getKind() == ActivationKind::Abs ||
           function->getKind() == ActivationKind::Neg;
  };
  bool isByImage = isa<ConvOp>(op);
  if (auto act = dyn_cast<ActivationOp>(op)) {
    if (act.getFunction().getKind() == ActivationKind::Relu)
      return 0; // may be the summand of another task
    isByImage = !hasLoop(act.getFunction());
  }
  return isByImage ? cast<ShapedType>(op->getResult(0).getType()).getDimSize(0)
                   : 1;
}

// The planner and what is after it take minutes for so many.
static LogicalResult checkTaskCount(Operation *root,
                                    const ::ane::hw::GenerationInfo &info) {
  int64_t total = 0, most = 0;
  Operation *largest = nullptr;
  root->walk([&](Operation *op) {
    if (!isa<ANEDialect>(op->getDialect()) || op->getNumResults() != 1)
      return;
    int64_t tasks = minTasks(op);
    total += tasks;
    if (tasks > most)
      largest = op;
    most = std::max(most, tasks);
  });
  if (!::ane::hw::exceeds(ConstraintId::ProgramTasks, info, total))
    return success();
  InFlightDiagnostic error = largest->emitOpError(
      ::ane::hw::describeExcess(ConstraintId::ProgramTasks, info, total));
  error.attachNote() << "this operation needs at least " << most << " of them";
  return error;
}

namespace {
struct Legalize : public mlir::ane::impl::ANELegalizeBase<Legalize> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<LoweringTarget> lowering =
        getLoweringTarget(getOperation(), flavour);
    if (failed(lowering))
      return signalPassFailure();
    LegalizeOptions options = {*lowering->generation, *lowering->policy};
    FailureOr<RoundedConstants> rounded =
        roundConstants(getOperation(), options.info);
    if (failed(rounded))
      return signalPassFailure();
    roundedConstants += rounded->constants;
    subnormalElements += rounded->subnormals;

    // What becomes tasks as a whole was checked as a whole.
    SmallVector<func::FuncOp> functions = llvm::filter_to_vector(
        getOperation().getOps<func::FuncOp>(), [](func::FuncOp func) {
          return !func.isExternal() &&
                 !func->hasAttr(ANEDialect::getSequenceAttrName());
        });
    for (func::FuncOp func : functions)
      for (BlockArgument argument : func.getArguments())
        mergeDimsOfArgument(argument, options.info);

    // One error for each op, so that a user sees all of them at once.
    bool isLegal = true;
    for (func::FuncOp func : functions)
      func->walk([&](Operation *op) {
        if (isa<ANEDialect>(op->getDialect()))
          isLegal &= succeeded(checkLegal(op, options));
      });
    for (func::FuncOp func : functions)
      isLegal = isLegal && succeeded(checkTaskCount(func, options.info));
    if (!isLegal)
      signalPassFailure();
  }
};
} // namespace
