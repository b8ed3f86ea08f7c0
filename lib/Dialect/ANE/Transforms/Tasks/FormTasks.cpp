//===- FormTasks.cpp - One task for each pass of the engine ---------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the tensor ops of a function by tasks on memrefs. Arguments become
// surfaces, results become further arguments, everything between them gets a
// buffer in DRAM. What is only another view of the same rows (slices, concats,
// reshapes that keep the width) costs nothing: the producer of a concat operand
// writes to its place in the result.
//
// How a value becomes tasks is in TaskEmitter.cpp; this file decides what lies
// where.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"
#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/Dialect/ANE/Transforms/Tasks/Passes.h"
#include "ane/Dialect/ANE/Utils/TaskOrder.h"
#include "ane/Dialect/ANE/Utils/TensorNames.h"
#include "ane/Dialect/ANE/Utils/TensorSizes.h"
#include "ane/HW/Constraints.h"
#include "ane/HW/Generation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::ane {
#define GEN_PASS_DEF_ANEFORMTASKS
#include "ane/Dialect/ANE/Transforms/Tasks/Passes.h.inc"
} // namespace mlir::ane

using namespace mlir;
using namespace mlir::ane;

// What the host does at the border of the function: it converts elements, and
// dimensions of 1 are nothing to it.
static bool isHostOp(Operation *op, const ::ane::hw::GenerationInfo &info) {
  auto reshape = dyn_cast_or_null<ReshapeOp>(op);
  // Between f16 and bytes the engine converts.
  auto cast = dyn_cast_or_null<CastOp>(op);
  return (cast && (isHostElement(cast.getInput().getType()) ||
                   isHostElement(cast.getType()))) ||
         (reshape && isHostReshape(reshape, info));
}

// Seen through by the search for the value after a border of the function.
static Value behindBorder(Operation *op,
                          const ::ane::hw::GenerationInfo &info) {
  return isHostOp(op, info) ? op->getOperand(0) : Value();
}

namespace {

/// Rewrites one function.
class TaskFormer {
public:
  TaskFormer(func::FuncOp func, const TaskFormerOptions &options)
      : func(func), block(func.front()), emitter(func, options),
        copiesEarly(options.policy->planar.copiesSlicesEarly) {}

  LogicalResult run();

private:
  FailureOr<Value> addSurface(Type tensorType, Type networkType,
                              DictionaryAttr attrs);
  LogicalResult bindArguments();
  LogicalResult bindResults();
  LogicalResult placeConcats();
  LogicalResult placeConcat(ConcatOp concat);
  LogicalResult convert(Operation *op);
  LogicalResult copyParts(Operation *slice);
  LogicalResult convertSlice(SliceOp slice);
  LogicalResult convertReshape(ReshapeOp reshape);
  LogicalResult convertTranspose(TransposeOp transpose);
  LogicalResult checkHolds();

  func::FuncOp func;
  Block &block;
  TaskEmitter emitter;
  unsigned oldArguments = 0;
  SmallVector<Operation *> oldOps;
  SmallVector<DictionaryAttr> argumentAttrs;
  /// Casts and reshapes after the results, which the host does.
  DenseSet<Operation *> hostOps;
  /// Values that a task copies to a place because their producer cannot write
  /// there: (tensor, target).
  SmallVector<std::pair<Value, Value>> outputCopies;
  DenseMap<Operation *, SmallVector<std::pair<Value, Value>>> concatCopies;
  /// Those of parts of what others use, after the slice that makes them: what
  /// they are a part of need not live until all of the concat is there.
  DenseMap<Operation *, SmallVector<std::pair<Value, Value>>> sliceCopies;
  bool copiesEarly;
};

} // namespace

/// `attrs` with the shape that callers know, where it is not that of the
/// surface.
static DictionaryAttr withShape(DictionaryAttr attrs, ArrayRef<int64_t> network,
                                ArrayRef<int64_t> surface,
                                MLIRContext *context) {
  NamedAttrList list(attrs ? attrs.getValue() : ArrayRef<NamedAttribute>());
  if (network != surface && !list.get(kShapeAttrName))
    list.append(kShapeAttrName, DenseI64ArrayAttr::get(context, network));
  return list.getDictionary(context);
}

FailureOr<Value> TaskFormer::addSurface(Type tensorType, Type networkType,
                                        DictionaryAttr attrs) {
  SmallVector<int64_t, 4> shape =
      toRank4(cast<ShapedType>(tensorType).getShape());
  Type element = cast<ShapedType>(tensorType).getElementType();
  if (!element.isF16() && !isHostElement(element) &&
      !element.isUnsignedInteger(8))
    return func.emitOpError("has a tensor of ")
           << element
           << " at its border, but surfaces are of f16 or ui8; cast it";
  Type type =
      emitter.memrefType(shape, MemorySpace::Dram,
                         element.isUnsignedInteger(8) ? element : Type());
  argumentAttrs.push_back(withShape(attrs,
                                    cast<ShapedType>(networkType).getShape(),
                                    shape, func.getContext()));
  return Value(block.addArgument(type, func.getLoc()));
}

LogicalResult TaskFormer::bindArguments() {
  oldArguments = block.getNumArguments();
  for (unsigned i = 0; i < oldArguments; ++i) {
    Value value = block.getArgument(i);
    // A cast or reshape that is alone with the argument is the host's business,
    // so the surface has the shape after it.
    SmallVector<Value> chain(1, value);
    while (value.hasOneUse() && isHostOp(*value.user_begin(), emitter.info())) {
      value = value.user_begin()->getResult(0);
      chain.push_back(value);
    }
    // A caller's array has the shape that four dimensions leave as it is.
    for (Value link : chain)
      if (cast<ShapedType>(link.getType()).getRank() <= 4)
        value = link;
    FailureOr<Value> surface =
        addSurface(value.getType(), block.getArgument(i).getType(),
                   func.getArgAttrDict(i));
    if (failed(surface))
      return failure();
    for (Value link : chain)
      emitter.bind(link, *surface);
  }
  return success();
}

LogicalResult TaskFormer::bindResults() {
  Operation *terminator = block.getTerminator();
  for (auto [i, result] : llvm::enumerate(terminator->getOperands())) {
    Value value = result;
    while (Value behind = behindBorder(value.getDefiningOp(), emitter.info())) {
      if (llvm::all_of(value.getUsers(), [&](Operation *user) {
            return user == terminator || hostOps.contains(user);
          }))
        hostOps.insert(value.getDefiningOp());
      value = behind;
    }
    Value known = emitter.lookup(value);
    FailureOr<Value> surface =
        addSurface(known ? known.getType() : value.getType(), result.getType(),
                   getOutputAttrs(func, i));
    if (failed(surface))
      return failure();
    emitter.markWritten(*surface);
    if (!emitter.placeBehindViews(value, *surface))
      outputCopies.emplace_back(value, *surface);
  }
  return success();
}

// Consumers before producers, so that a concat of concats writes to the
// outermost one at once.
LogicalResult TaskFormer::placeConcats() {
  for (Operation *op : llvm::reverse(oldOps))
    if (auto concat = dyn_cast<ConcatOp>(op))
      if (failed(placeConcat(concat)))
        return failure();
  return success();
}

LogicalResult TaskFormer::placeConcat(ConcatOp concat) {
  int64_t axis = concat.getAxis(), offset = 0;
  auto type = cast<ShapedType>(concat.getType());
  int64_t align = emitter.info().dmaAlign / 2;
  bool isAligned =
      axis < 3 ||
      llvm::all_of(
          concat.getInputs().drop_back(),
          [&](Value v) {
            return cast<ShapedType>(v.getType()).getShape().back() % align == 0;
          });
  if (type.getRank() != 4 || axis < 0 || !isAligned)
    return concat.emitOpError("joins dimension ")
           << axis << " of " << type
           << ", but tasks can write one after the other along N, C or H only, "
              "or "
              "at multiples of "
           << align
           << " columns; run ane-decompose, or cut the columns of tiles at "
              "these";
  Value whole = emitter.destination(concat.getResult());
  for (Value input : concat.getInputs()) {
    SmallVector<int64_t> offsets(4, 0);
    offsets[axis] = offset;
    ArrayRef<int64_t> shape = cast<ShapedType>(input.getType()).getShape();
    offset += shape[axis];
    Value part = emitter.part(concat.getLoc(), whole, offsets, shape);
    if (emitter.placeBehindViews(input, part))
      continue;
    auto slice = input.getDefiningOp<SliceOp>();
    if (slice && copiesEarly)
      sliceCopies[slice].emplace_back(input, part);
    else
      concatCopies[concat].emplace_back(input, part);
  }
  return success();
}

LogicalResult TaskFormer::convertSlice(SliceOp slice) {
  FailureOr<Value> source = emitter.memref(slice, slice.getInput());
  if (failed(source))
    return failure();
  ArrayRef<int64_t> offsets = slice.getOffsets();
  int64_t align = emitter.info().dmaAlign / 2;
  if (offsets.size() != 4 || slice.getStrides().back() != 1 ||
      offsets.back() % align)
    return slice.emitOpError("is not a view: ")
           << "the stride of the last dimension must be 1 and the offset in a "
              "row a multiple of "
           << align << " elements; run ane-legalize";
  emitter.bind(slice.getResult(),
               emitter.stridedView(slice.getLoc(), *source, offsets,
                                   slice.getSizes(), slice.getStrides()));
  return success();
}

LogicalResult TaskFormer::convertReshape(ReshapeOp reshape) {
  FailureOr<Value> source = emitter.memref(reshape, reshape.getInput());
  if (failed(source))
    return failure();
  auto type = cast<ShapedType>(reshape.getResult().getType());
  FailureOr<Value> view =
      emitter.reshape(reshape, *source, toRank4(type.getShape()));
  if (failed(view))
    return failure();
  emitter.bind(reshape.getResult(), *view);
  return success();
}

// Only one that keeps the last dimension is a view; the others are passes.
LogicalResult TaskFormer::convertTranspose(TransposeOp transpose) {
  if (transpose.getPerm().size() != 4 || transpose.getPerm()[3] != 3)
    return emitter.emit(transpose);
  FailureOr<Value> source = emitter.memref(transpose, transpose.getInput());
  if (failed(source))
    return failure();
  emitter.bind(
      transpose.getResult(),
      emitter.permute(transpose.getLoc(), *source, transpose.getPerm()));
  return success();
}

LogicalResult TaskFormer::convert(Operation *op) {
  if (hostOps.contains(op) ||
      (op->getNumResults() == 1 && emitter.lookup(op->getResult(0))))
    return success();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ConstantOp>([](auto) { return success(); })
      .Case([&](SliceOp slice) { return convertSlice(slice); })
      .Case([&](ReshapeOp reshape) { return convertReshape(reshape); })
      .Case([&](TransposeOp transpose) { return convertTranspose(transpose); })
      .Case([&](ConcatOp concat) -> LogicalResult {
        for (auto [value, target] : concatCopies[concat])
          if (failed(emitter.copy(concat, value, target)))
            return failure();
        emitter.bind(concat.getResult(),
                     emitter.destination(concat.getResult()));
        return success();
      })
      .Case([&](CastOp cast) -> LogicalResult {
        if (!isHostOp(cast, emitter.info()))
          return emitter.emit(cast);
        FailureOr<Value> source = emitter.memref(cast, cast.getInput());
        if (failed(source))
          return failure();
        emitter.bind(cast.getResult(), *source);
        return success();
      })
      .Default([&](Operation *op) { return emitter.emit(op); });
}

LogicalResult TaskFormer::copyParts(Operation *slice) {
  for (auto [value, target] : sliceCopies[slice])
    if (failed(emitter.copy(slice, value, target)))
      return failure();
  return success();
}

// What has no place of its own cannot be held in one. Of an op that was cut,
// some strips may have none: they stand where the op stood.
LogicalResult TaskFormer::checkHolds() {
  SmallVector<Operation *> without;
  DenseSet<Location> places;
  for (Operation *op : oldOps) {
    if (!op->hasAttr(ANEDialect::getHoldAttrName()))
      continue;
    Value memory = emitter.lookup(op->getResult(0));
    if (memory && memory.getDefiningOp<BufferOp>())
      places.insert(op->getLoc());
    else
      without.push_back(op);
  }
  for (Operation *op : without)
    if (!places.contains(op->getLoc()))
      return op->emitOpError("has '")
             << ANEDialect::getHoldAttrName()
             << "', but its result has no memory of its own: it is a result of "
                "the function, an operand of a concat, or a view; set it on "
                "the concat or the source of the view, or remove it";
  return success();
}

LogicalResult TaskFormer::run() {
  for (Operation &op : block.without_terminator())
    oldOps.push_back(&op);
  if (failed(bindArguments()) || failed(bindResults()) ||
      failed(placeConcats()))
    return failure();
  for (Operation *op : oldOps)
    if (failed(convert(op)) || failed(copyParts(op)))
      return failure();
  for (auto [value, target] : outputCopies)
    if (failed(emitter.copy(block.getTerminator(), value, target)))
      return failure();
  if (failed(checkHolds()))
    return failure();
  keepOnlyTasks(func, oldOps, oldArguments, argumentAttrs);
  return success();
}

// An error where the most tasks come from.
static LogicalResult checkTaskCount(func::FuncOp func,
                                    const ::ane::hw::GenerationInfo &info) {
  llvm::MapVector<Location, SmallVector<TaskOp>> byPlace;
  int64_t total = 0;
  for (TaskOp task : func.getOps<TaskOp>()) {
    byPlace[task.getLoc()].push_back(task);
    ++total;
  }
  if (!::ane::hw::exceeds(::ane::hw::ConstraintId::ProgramTasks, info, total))
    return success();
  ArrayRef<TaskOp> most =
      llvm::max_element(byPlace, [](const auto &a, const auto &b) {
        return a.second.size() < b.second.size();
      })->second;
  InFlightDiagnostic error =
      TaskOp(most.front())
          .getCompute()
          ->emitOpError(::ane::hw::describeExcess(
              ::ane::hw::ConstraintId::ProgramTasks, info, total));
  error.attachNote() << most.size() << " of them are of this operation";
  return error;
}

// Surfaces are tensors whose shapes are known, or are there already.
static LogicalResult checkBorder(func::FuncOp func) {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!isa<MemRefType>(type) && !(tensor && tensor.hasStaticShape()))
        return func.emitOpError("has ")
               << what << " of type " << type
               << ", but tasks work on tensors of known shapes; run "
                  "convert-*-to-ane and ane-legalize first";
    }
    return success();
  };
  return success(succeeded(check(func.getArgumentTypes(), "an argument")) &&
                 succeeded(check(func.getResultTypes(), "a result")));
}

namespace {

struct FormTasks : public mlir::ane::impl::ANEFormTasksBase<FormTasks> {
  using ANEFormTasksBase::ANEFormTasksBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (failed(checkTaskOrder(func)) || failed(checkTensorSizes(func)) ||
        failed(checkBorder(func)))
      return signalPassFailure();
    FailureOr<LoweringTarget> lowering = getLoweringTarget(func, flavour);
    if (failed(lowering))
      return signalPassFailure();
    TaskFormerOptions options;
    options.generation = lowering->generation;
    options.policy = lowering->policy;
    options.stretchTables = stretchTables;
    if (func->removeAttr(ANEDialect::getSequenceAttrName())
            ? failed(formSequence(func, options))
            : failed(TaskFormer(func, options).run()))
      return signalPassFailure();
    if (failed(checkTaskCount(func, *options.generation)))
      return signalPassFailure();
    func.walk([&](TaskOp) { ++numTasks; });
  }

  // The mark of ane-decompose may be of another flavour, or older than the ops.
  LogicalResult formSequence(func::FuncOp func,
                             const TaskFormerOptions &options) {
    const SequenceChoices &sequences = options.policy->sequences;
    const ::ane::hw::GenerationInfo &info = *options.generation;
    if (!sequences.takes || !sequences.takes(func, info))
      return func.emitOpError("has '")
             << ANEDialect::getSequenceAttrName() << "', but flavour "
             << options.policy->flavour
             << " has no tasks for its ops as a whole; remove the attribute "
                "and run ane-decompose";
    for (Operation &op : func.front())
      if (op.hasAttr(ANEDialect::getHoldAttrName()))
        return op.emitOpError("has '")
               << ANEDialect::getHoldAttrName()
               << "', but becomes tasks together with the other ops of its "
                  "function, as flavour "
               << options.policy->flavour << " lowers them; remove it";
    sequences.formTasks(func, info);
    return success();
  }
};

} // namespace
