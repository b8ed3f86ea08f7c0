//===- FlattenBranches.cpp - Branches and loops that are known ------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine has no control flow. A branch whose condition is a constant is the
// ops of one side, and a loop that asks a condition is its body, as often as
// the condition follows from constants and says so: each op of an iteration is
// cloned and folded, so that counters stay constants.
//
//===----------------------------------------------------------------------===//

#include "ane/Conversion/FunctionImporter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::ane;

namespace {

/// Builds ops of regions in front of the op that has them.
class Flattener {
public:
  explicit Flattener(MLIRContext *context) : rewriter(context) {}

  /// Whether something has changed.
  bool flattenAll(Block &block);

private:
  bool flatten(Operation *op);
  bool choose(Operation *op, Region &yes, Region &no, ValueRange arguments);
  bool unroll(Operation *loop, Block &before, Block &after);
  /// What the terminator of `block` has as operands; nothing where types of
  /// arguments differ or there are too many ops.
  std::optional<SmallVector<Value>> clone(Block &block, ValueRange arguments);
  LogicalResult fold(Operation *op, SmallVectorImpl<Value> &results);
  LogicalResult foldLoops(linalg::GenericOp loops, Value &result);
  std::optional<bool> knownCondition(Value condition);
  void foldNumbers(Block &block);
  bool replace(Operation *op, ValueRange values);
  void undo();

  IRRewriter rewriter;
  SmallVector<Operation *> made;
  uint64_t count = 0; ///< ops that were made, in all
};

} // namespace

/// As many as unrollLoops makes.
static constexpr uint64_t maxTrips = 1 << 16, maxOps = 1 << 20;

static bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || (tensor.hasStaticShape() && tensor.getNumElements() == 1);
}

/// A linalg op that computes one number from constants, as lowerings of tensors
/// without dimensions leave them.
LogicalResult Flattener::foldLoops(linalg::GenericOp loops, Value &result) {
  auto type = loops.getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(loops.getResult(0).getType())
                  : RankedTensorType();
  if (!type || !llvm::all_of(loops->getOperandTypes(), isSmall) ||
      !loops.getRegionOutputArgs().front().use_empty())
    return failure();
  IRMapping map;
  for (auto [input, arg] :
       llvm::zip_equal(loops.getInputs(), loops.getRegionInputArgs())) {
    ElementsAttr known = FunctionImporter::constant(input);
    if (!known || !known.isSplat())
      return failure();
    Operation *number = arith::ConstantOp::materialize(
        rewriter, known.getSplatValue<Attribute>(), arg.getType(),
        loops.getLoc());
    if (!number)
      return failure();
    map.map(arg, number->getResult(0));
  }
  for (Operation &op : loops.getBlock()->without_terminator()) {
    Operation *copy = rewriter.clone(op, map);
    SmallVector<Value> folded;
    bool isFolded = op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
                    succeeded(rewriter.tryFold(copy, folded)) &&
                    !folded.empty();
    if (isFolded)
      map.map(op.getResults(), folded);
    bool isConstant = op.hasTrait<OpTrait::ConstantLike>();
    if (!isConstant)
      rewriter.eraseOp(copy);
    if (!isFolded && !isConstant)
      return failure();
  }
  Attribute number;
  Value yielded =
      map.lookupOrDefault(loops.getBlock()->getTerminator()->getOperand(0));
  if (!matchPattern(yielded, m_Constant(&number)))
    return failure();
  result = arith::ConstantOp::create(rewriter, loops.getLoc(),
                                     DenseElementsAttr::get(type, number));
  return success();
}

LogicalResult Flattener::fold(Operation *op, SmallVectorImpl<Value> &results) {
  if (auto loops = dyn_cast<linalg::GenericOp>(op)) {
    Value number;
    if (failed(foldLoops(loops, number)))
      return failure();
    results.push_back(number);
    return success();
  }
  if (op->getNumRegions())
    return failure();
  return success(succeeded(rewriter.tryFold(op, results)) && !results.empty());
}

/// Numbers that are computed from constants become constants.
void Flattener::foldNumbers(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumResults() == 0 || op.hasTrait<OpTrait::ConstantLike>() ||
        !isMemoryEffectFree(&op) ||
        !llvm::all_of(op.getOperandTypes(), isSmall) ||
        !llvm::all_of(op.getResultTypes(), isSmall))
      continue;
    SmallVector<Value> results;
    rewriter.setInsertionPoint(&op);
    if (succeeded(fold(&op, results)))
      rewriter.replaceOp(&op, results);
  }
}

std::optional<bool> Flattener::knownCondition(Value condition) {
  std::optional<double> number = FunctionImporter::splat(condition);
  return number ? std::optional(*number != 0) : std::nullopt;
}

std::optional<SmallVector<Value>> Flattener::clone(Block &block,
                                                   ValueRange arguments) {
  if (ValueRange(block.getArguments()).getTypes() != arguments.getTypes())
    return std::nullopt;
  IRMapping map;
  map.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator()) {
    op.walk([&](Operation *) { ++count; });
    if (count > maxOps)
      return std::nullopt;
    Operation *copy = rewriter.clone(op, map);
    SmallVector<Value> folded;
    if (failed(fold(copy, folded))) {
      made.push_back(copy);
      continue;
    }
    map.map(op.getResults(), folded);
    rewriter.eraseOp(copy);
  }
  SmallVector<Value> yielded;
  for (Value operand : block.getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(operand));
  return yielded;
}

/// Takes away what was made for a loop that does not end.
void Flattener::undo() {
  for (Operation *op : llvm::reverse(made))
    rewriter.eraseOp(op);
  made.clear();
}

bool Flattener::replace(Operation *op, ValueRange values) {
  if (values.getTypes() != op->getResultTypes()) {
    undo();
    return false;
  }
  rewriter.replaceOp(op, values);
  made.clear();
  return true;
}

bool Flattener::choose(Operation *op, Region &yes, Region &no,
                       ValueRange arguments) {
  std::optional<bool> condition = knownCondition(op->getOperand(0));
  if (!condition)
    return false;
  Region &chosen = *condition ? yes : no;
  rewriter.setInsertionPoint(op);
  if (chosen.empty())
    return replace(op, {});
  auto values = clone(chosen.front(), arguments);
  if (!values) {
    undo();
    return false;
  }
  return replace(op, *values);
}

/// The constants among these values, and nothing for others.
static SmallVector<Attribute> knownOf(ValueRange values) {
  return llvm::map_to_vector(values, [](Value value) {
    Attribute known;
    return matchPattern(value, m_Constant(&known)) ? known : Attribute();
  });
}

// The condition of scf.while comes with what the body gets; that of TOSA asks
// about it only.
bool Flattener::unroll(Operation *loop, Block &before, Block &after) {
  SmallVector<Value> carried(loop->getOperands());
  SmallVector<Attribute> known = knownOf(carried);
  rewriter.setInsertionPoint(loop);
  for (uint64_t trip = 0; trip <= maxTrips; ++trip) {
    auto asked = clone(before, carried);
    auto condition =
        asked ? knownCondition(asked->front()) : std::optional<bool>();
    if (!condition)
      break;
    if (isa<scf::WhileOp>(loop))
      carried.assign(asked->begin() + 1, asked->end());
    if (!*condition)
      return replace(loop, carried);
    auto next = clone(after, carried);
    if (!next)
      break;
    carried = *next;
    // The condition follows from constants: if a trip changes none, all others
    // are as it is.
    SmallVector<Attribute> knownNow = knownOf(carried);
    if (known == knownNow) {
      loop->setAttr(endlessAttr, rewriter.getUnitAttr());
      break;
    }
    known = std::move(knownNow);
  }
  undo();
  return false;
}

bool Flattener::flatten(Operation *op) {
  if (auto branch = dyn_cast<tosa::IfOp>(op))
    return choose(op, branch.getThenGraph(), branch.getElseGraph(),
                  branch.getInputList());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return choose(op, branch.getThenRegion(), branch.getElseRegion(), {});
  if (auto loop = dyn_cast<tosa::WhileOp>(op))
    return unroll(op, loop.getCondGraph().front(), loop.getBodyGraph().front());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return unroll(op, *loop.getBeforeBody(), *loop.getAfterBody());
  return false;
}

bool Flattener::flattenAll(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (isa<tosa::IfOp, tosa::WhileOp, scf::IfOp, scf::WhileOp>(op))
      ops.push_back(&op);
  if (ops.empty())
    return false;
  foldNumbers(block);
  bool changed = false;
  for (Operation *op : ops)
    changed |= flatten(op);
  return changed;
}

void mlir::ane::flattenBranches(func::FuncOp function) {
  constexpr int maxNesting = 32;
  if (!llvm::hasSingleElement(function.getBody()))
    return;
  Flattener flattener(function.getContext());
  for (int nesting = 0; nesting != maxNesting; ++nesting)
    if (!flattener.flattenAll(function.front()))
      return;
}
