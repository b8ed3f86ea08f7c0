//===- Planar.cpp - Elementwise ops as compiler 9.509 takes them -------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What that compiler refuses, and what it takes apart in another way than ours.
// The tasks are in PlanarTasks.cpp. All of it is seen in records of single
// ops; where one record is the only source, a comment says so.
//
//===----------------------------------------------------------------------===//

#include "Zin.h"

#include "Planar.h"

#include "ane/Dialect/ANE/Utils/Builders.h"
#include "ane/Dialect/ANE/Utils/FunctionPattern.h"
#include "ane/HW/Float16.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::ane;
using namespace mlir::ane::zin9509;

//===----------------------------------------------------------------------===//
// Refused
//===----------------------------------------------------------------------===//

// Whether `value` is 0 or 1 by what computes it, so that the network has it as
// a truth value and not as a number. Each op once: a truth may be used twice.
static bool isTruth(Value value) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *def = next.getDefiningOp();
    if (isBytes(next.getType()) || isa_and_present<CompareOp>(def))
      continue;
    auto act = dyn_cast_if_present<ActivationOp>(def);
    if (act && act.getFunction().getKind() == ActivationKind::WhereNonzero)
      continue;
    if (!isa_and_present<CastOp, ReshapeOp, ElementwiseOp>(def))
      return false;
    if (seen.insert(def).second)
      llvm::append_range(worklist, def->getOperands());
  }
  return true;
}

static LogicalResult refuse(Operation *op, const Twine &what) {
  return op->emitOpError(what)
         << ", which compiler 9.509 refuses (seen for H13); compile with "
            "--hwx-flavour=clean";
}

static LogicalResult checkAccepted(Operation *op) {
  if (auto compare = dyn_cast<CompareOp>(op)) {
    if (llvm::any_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>))
      return refuse(op, "gives the result of a comparison as numbers");
    return success();
  }
  if (auto select = dyn_cast<SelectOp>(op)) {
    if (!isTruth(select.getCondition()))
      return refuse(op, "has a condition of numbers");
    return success();
  }
  if (isa<PadOp>(op))
    return refuse(op, "pads a tensor");
  auto act = dyn_cast<ActivationOp>(op);
  if (!act)
    return success();
  ActivationAttr function = act.getFunction();
  if (function.getKind() == ActivationKind::Log)
    return refuse(op, "is a logarithm");
  // The bounds of relu6 are another op to it.
  if (function.getKind() == ActivationKind::Clamp &&
      !(function.getAlpha() == 0 && function.getBeta() == 6))
    return refuse(op, "has a lower and an upper bound");
  return success();
}

//===----------------------------------------------------------------------===//
// Taken apart
//===----------------------------------------------------------------------===//

/// c ? a : b = (c != 0) * a + (c == 0) * b. What is not chosen must be finite.
static LogicalResult selectByProducts(SelectOp op, PatternRewriter &rewriter) {
  auto isInfinite = [](Value value) {
    std::optional<float> splat = getSplatValue(value);
    return splat && !std::isfinite(*splat);
  };
  if (!isImage(op.getResult()) || isInfinite(op.getTrueValue()) ||
      isInfinite(op.getFalseValue()))
    return failure();
  Location loc = op.getLoc();
  Value condition = op.getCondition();
  if (isBytes(condition.getType()))
    condition = castTo(rewriter, loc, condition, op.getType().getElementType());
  auto masked = [&](double yes, Value value) {
    Value mask = activated(rewriter, loc, condition,
                           ActivationKind::WhereNonzero, yes, 1 - yes);
    return binary(rewriter, loc, ElementwiseKind::Mul, mask, value);
  };
  Value first = masked(1, op.getTrueValue());
  Value second = masked(0, op.getFalseValue());
  Value sum = binary(rewriter, loc, ElementwiseKind::Add, first, second);
  if (sum.getType() != op.getType())
    return failure();
  rewriter.replaceOp(op, sum);
  return success();
}

/// x / s = x * (1 / s) with a reciprocal for each channel (seen once).
static LogicalResult divisionByNumber(ElementwiseOp op,
                                      PatternRewriter &rewriter) {
  std::optional<float> divisor = getSplatValue(op.getRhs());
  RankedTensorType type = typeOf(op.getLhs());
  if (op.getKind() != ElementwiseKind::Div || !isImage(op.getResult()) ||
      !divisor || *divisor == 0 || !::ane::hw::hasAllBits(1 / *divisor) ||
      typeOf(op.getRhs()).getNumElements() != 1 || type != op.getType())
    return failure();
  Value factors = splatConstant(rewriter, op.getLoc(),
                                {1, type.getDimSize(1), 1, 1}, 1 / *divisor);
  rewriter.modifyOpInPlace(op, [&] {
    op.setKind(ElementwiseKind::Mul);
    op.getRhsMutable().assign(factors);
  });
  return success();
}

static void populatePatterns(RewritePatternSet &patterns,
                             const DecomposeOptions &options) {
  // Ahead of the patterns of every flavour.
  addPatterns<divisionByNumber, selectByProducts>(patterns, options,
                                                  /*benefit=*/10);
}

PlanarChoices zin9509::getPlanarChoices() {
  PlanarChoices choices;
  choices.check = checkAccepted;
  choices.populatePatterns = populatePatterns;
  choices.emit = emitZinPlanar;
  choices.keepsChannelConstants = true;
  choices.repeatsBatch = [](ElementwiseOp, const ::ane::hw::GenerationInfo &) {
    return true;
  };
  return choices;
}
