//===- TaskEmitter.cpp - Tensor ops to tasks ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping of memrefs and tasks. What each kind of op becomes is in the
// other files of this name.
//
//===----------------------------------------------------------------------===//

#include "ane/Dialect/ANE/Transforms/Tasks/TaskEmitter.h"

#include "ane/Dialect/ANE/Transforms/Legalize/Legalize.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

TaskEmitter::TaskEmitter(func::FuncOp func, const TaskFormerOptions &options)
    : options(options), head(func.getContext()), tail(func.getContext()) {
  // Buffers and the places inside them stand in front of everything, tasks
  // behind the ops that they replace.
  head.setInsertionPointToStart(&func.front());
  tail.setInsertionPoint(func.front().getTerminator());
}

MemRefType TaskEmitter::dramType(ArrayRef<int64_t> shape, Type element) const {
  MLIRContext *context = tail.getContext();
  if (!element)
    element = Float16Type::get(context);
  return MemRefType::get(shape, element, AffineMap(),
                         MemorySpaceAttr::get(context, MemorySpace::Dram));
}

SmallVector<int64_t, 4> mlir::ane::toRank4(ArrayRef<int64_t> dims) {
  SmallVector<int64_t, 4> shape(dims);
  if (shape.size() > 4)
    llvm::erase_if(shape, [](int64_t size) { return size == 1; });
  while (shape.size() > 4) {
    shape[1] *= shape[0];
    shape.erase(shape.begin());
  }
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return shape;
}

MemRefType mlir::ane::getTypeInL2(MemRefType type) {
  return MemRefType::get(
      type.getShape(), type.getElementType(), AffineMap(),
      MemorySpaceAttr::get(type.getContext(), MemorySpace::L2));
}

/// Elements that the engine has in memory.
static bool isElement(Type type) {
  return type.isF16() || type.isUnsignedInteger(8);
}

static bool isRank4F16(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.getRank() == 4 && shaped.getElementType().isF16();
}

// A result of the function that is a constant has any rank.
static Value constantOfRank4(OpBuilder &builder, ConstantOp constant) {
  auto type = cast<RankedTensorType>(constant.getType());
  if (type.getRank() == 4)
    return constant;
  return builder.createOrFold<ReshapeOp>(
      constant.getLoc(), type.clone(toRank4(type.getShape())), constant);
}

FailureOr<Value> TaskEmitter::memref(Operation *user, Value tensor) {
  if (Value known = memrefs.lookup(tensor))
    return known;
  auto constant = tensor.getDefiningOp<ConstantOp>();
  if (!constant)
    return user->emitOpError("has an operand that no task computes: ")
           << tensor.getType();
  if (!getElementTypeOrSelf(constant.getType()).isF16())
    return user->emitOpError("reads a constant of type ")
           << constant.getType() << ", but tasks read f16; run ane-legalize";
  Value image = constantOfRank4(tail, constant);
  Value buffer = ConstantBufferOp::create(
      tail, constant.getLoc(),
      dramType(cast<ShapedType>(image.getType()).getShape()), image);
  bind(tensor, buffer);
  return buffer;
}

static bool isComputed(Value tensor) {
  // A transpose that keeps the last dimension is a view.
  if (auto transpose = tensor.getDefiningOp<TransposeOp>())
    return transpose.getPerm().size() == 4 && transpose.getPerm()[3] != 3;
  if (auto cast = tensor.getDefiningOp<CastOp>())
    return isElement(getElementTypeOrSelf(cast.getInput())) &&
           isElement(getElementTypeOrSelf(cast.getType()));
  return isa_and_nonnull<ConvOp, MatmulOp, RuntimeConvOp, ElementwiseOp,
                         ActivationOp, InterleaveOp, ReduceOp, ConcatOp>(
      tensor.getDefiningOp());
}

bool TaskEmitter::place(Value tensor, Value target) {
  return isComputed(tensor) && targets.try_emplace(tensor, target).second;
}

Value TaskEmitter::destination(Value tensor) {
  Value &target = targets[tensor];
  if (target)
    return target;
  auto buffer =
      BufferOp::create(head, tensor.getLoc(),
                       dramType(cast<ShapedType>(tensor.getType()).getShape(),
                                isElement(getElementTypeOrSelf(tensor))
                                    ? getElementTypeOrSelf(tensor)
                                    : Type()),
                       IntegerAttr());
  if (Operation *def = tensor.getDefiningOp())
    for (StringRef name :
         {ANEDialect::getHoldAttrName(), ANEDialect::getPlanNumberAttrName()})
      if (Attribute attribute = def->getAttr(name))
        buffer->setAttr(name, attribute);
  return target = buffer;
}

/// The half from 1 to 2 with which slope / factor is nearest to what f16 has:
/// of 1/6 itself, f16 misses a quarter of a thousandth.
static float factorOfSlope(float slope) {
  auto rounded = [](float value) {
    return ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(value));
  };
  constexpr int halves = 1024;
  float best = 1, leastError = std::fabs(rounded(slope) - slope);
  for (int i = 1; i < halves && leastError > 0; ++i) {
    float factor = 1 + float(i) / halves;
    float error = std::fabs(rounded(slope / factor) * factor - slope);
    if (error < leastError) {
      leastError = error;
      best = factor;
    }
  }
  return best;
}

static Value makeSubview(OpBuilder &builder, Location loc, Value source,
                         ArrayRef<int64_t> offsets, MemRefType type) {
  if (source.getType() == type)
    return source;
  return SubviewOp::create(builder, loc, type, source, offsets);
}

Value TaskEmitter::subview(Location loc, Value source,
                           ArrayRef<int64_t> offsets, ArrayRef<int64_t> shape) {
  return makeSubview(tail, loc, source, offsets,
                     dramType(shape, getElementTypeOrSelf(source)));
}

Value TaskEmitter::part(Location loc, Value source, ArrayRef<int64_t> offsets,
                        ArrayRef<int64_t> shape) {
  return makeSubview(head, loc, source, offsets,
                     dramType(shape, getElementTypeOrSelf(source)));
}

LogicalResult TaskEmitter::unproven(Operation *op, const Twine &mechanism) {
  if (options.allowUnproven)
    return success();
  return op->emitOpError("needs ")
         << mechanism
         << ", which no recorded program shows; allow-unproven emits it";
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TaskOp TaskEmitter::task(Location loc, ValueRange sources, Value target,
                         Compute compute) {
  auto op = TaskOp::create(tail, loc);
  OpBuilder body = OpBuilder::atBlockBegin(&op.getBody().front());
  SmallVector<Value> tiles;
  for (Value source : sources) {
    if (isInSpace(source.getType(), MemorySpace::L2)) {
      tiles.push_back(source);
      continue;
    }
    // x + x reads x twice, as two sources.
    Value tile = DmaLoadOp::create(
        body, loc, getTypeInL2(cast<MemRefType>(source.getType())), source,
        Residency::Streamed);
    tiles.push_back(tile);
  }
  Value result = compute(body, tiles);
  DmaStoreOp::create(body, loc, result, target, Residency::Streamed);
  YieldOp::create(body, loc);
  return op;
}

Value TaskEmitter::keepSource(TaskOp op) {
  auto load = *op.getBody().front().getOps<DmaLoadOp>().begin();
  load.setResidency(Residency::Kept);
  tail.setInsertionPoint(op);
  auto kept = TaskOp::create(tail, op.getLoc(), TypeRange(load.getType()));
  kept.getBody().takeBody(op.getBody());
  cast<YieldOp>(kept.getBody().front().getTerminator())
      .getResultsMutable()
      .assign(load.getResult());
  op.erase();
  tail.setInsertionPointAfter(kept);
  return kept.getResult(0);
}

FailureOr<Value> TaskEmitter::table(Operation *op, OpBuilder &builder,
                                    std::optional<ActivationAttr> &act,
                                    float &scale) {
  if (!act || act->getKind() == ActivationKind::Relu)
    return Value();
  // exp(x) is 2^(x log2 e); real programs put log2 e, rounded to fp16, into the
  // multiplier in front of the table.
  if (act->getKind() == ActivationKind::Exp) {
    constexpr float log2e = 1.44269504f;
    scale *= ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(log2e));
    act = ActivationAttr::get(op->getContext(), ActivationKind::Exp2);
  }
  auto type = MemRefType::get(
      {64}, Float16Type::get(op->getContext()), AffineMap(),
      MemorySpaceAttr::get(op->getContext(), MemorySpace::Kernel));
  return Value(KernelLoadOp::create(builder, op->getLoc(), type, Value(),
                                    Value(), 0, *act));
}

LogicalResult TaskEmitter::bypass(Operation *op, Value source, Value target,
                                  std::optional<ActivationAttr> act) {
  // A longer row than the engine has, as a flattened argument that is a result,
  // is several, which begin at whole multiples of what its DMA addresses.
  ArrayRef<int64_t> whole = cast<MemRefType>(source.getType()).getShape();
  if (int64_t most = info().maxWidth; whole[3] > most) {
    for (int64_t first = 0; first < whole[3]; first += most) {
      SmallVector<int64_t> row(whole), offsets{0, 0, 0, first};
      row[3] = std::min(most, whole[3] - first);
      if (failed(bypass(op, subview(op->getLoc(), source, offsets, row),
                        subview(op->getLoc(), target, offsets, row), act)))
        return failure();
    }
    return success();
  }
  // Bytes are copied by the PE (seen); no program has them on the NEs alone.
  if (!getElementTypeOrSelf(source).isF16() && !act) {
    convert(op->getLoc(), source, target);
    return success();
  }
  // One image a task: the NEs have no loop over the batch. A row of all
  // channels is the least that L2 has to hold.
  ArrayRef<int64_t> shape = cast<MemRefType>(source.getType()).getShape();
  int64_t perChannel = ::ane::hw::alignTo(2 * shape[3], info().l2Align);
  int64_t step =
      std::clamp<int64_t>(info().l2SourceBytes / 2 / perChannel, 1, shape[1]);
  LogicalResult status = success();
  for (int64_t at = 0, parts = llvm::divideCeil(shape[1], step);
       at < shape[0] * parts; ++at) {
    int64_t n = at / parts, first = at % parts * step;
    SmallVector<int64_t> image(shape);
    image[0] = 1;
    image[1] = std::min(step, shape[1] - first);
    Value from = isInSpace(source.getType(), MemorySpace::L2)
                     ? source
                     : subview(op->getLoc(), source, {n, first, 0, 0}, image);
    Value to = subview(op->getLoc(), target, {n, first, 0, 0}, image);
    auto type = getTypeInL2(cast<MemRefType>(to.getType()));
    task(op->getLoc(), from, to, [&](OpBuilder &builder, ValueRange tiles) {
      float scale = 1;
      std::optional<ActivationAttr> function = act;
      if (function && options.stretchTables &&
          policy().planar.stretchesTables && isBentNearZero(*function)) {
        scale = ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(tableStretch));
        function =
            ActivationAttr::get(op->getContext(), function->getKind(), scale);
      }
      if (function && policy().planar.scalesSlopes &&
          function->getKind() == ActivationKind::HardSigmoid) {
        scale = factorOfSlope(function->getAlpha());
        function = ActivationAttr::get(op->getContext(), function->getKind(),
                                       function->getAlpha() / scale,
                                       function->getBeta());
      }
      FailureOr<Value> kernel = table(op, builder, function, scale);
      status = failure(failed(kernel) || failed(status));
      return NeBypassOp::create(builder, op->getLoc(), type, tiles[0],
                                kernel.value_or(Value()), llvm::APFloat(scale),
                                function.value_or(ActivationAttr()))
          .getResult();
    });
  }
  return status;
}

LogicalResult TaskEmitter::copy(Operation *user, Value tensor, Value target) {
  FailureOr<Value> source = memref(user, tensor);
  if (failed(source))
    return failure();
  return bypass(user, *source, target, std::nullopt);
}

LogicalResult TaskEmitter::emitGenerally(Operation *op) {
  if (failed(checkLegal(op, {info(), options.allowUnproven, policy()})))
    return failure();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConvOp conv) { return emitConv(conv); })
      .Case([&](ElementwiseOp e) { return emitElementwise(e); })
      .Case([&](ActivationOp act) { return emitActivation(act); })
      .Case([&](ReduceOp reduce) { return emitReduce(reduce); })
      .Case([&](CastOp cast) { return emitCast(cast); })
      .Case([&](MatmulOp matmul) { return emitMatmul(matmul); })
      .Case([&](RuntimeConvOp conv) { return emitRuntimeConv(conv); })
      .Case([&](TransposeOp transpose) { return emitTranspose(transpose); })
      .Case([&](InterleaveOp op) { return emitInterleave(op); })
      .Default([](Operation *op) {
        return op->emitOpError("is not what one task can do; run "
                               "ane-decompose and ane-legalize first");
      });
}

LogicalResult TaskEmitter::emit(Operation *op) {
  if (op->getNumResults() == 1 && isComputed(op->getResult(0)) &&
      !isRank4F16(op->getResult(0).getType()) && !isa<CastOp>(op))
    return op->emitOpError("has a result of type ")
           << op->getResult(0).getType()
           << ", but tasks compute f16 of rank 4; run ane-legalize";
  // The interleave behind it does both.
  if (auto transpose = dyn_cast<TransposeOp>(op);
      transpose && isStoredInterleaved(transpose))
    return success();
  std::optional<LogicalResult> status;
  for (const LoweringHooks *hooks : policy().hooks())
    if (hooks->emit && !status)
      status = hooks->emit(*this, op);
  if (!status)
    status = emitGenerally(op);
  if (failed(*status))
    return failure();
  Value result = op->getResult(0);
  if (auto conv = dyn_cast<ConvOp>(op))
    result = resultOf(conv);
  // What a flavour keeps in L2 is bound there already.
  if (!lookup(result))
    bind(result, destination(result));
  return success();
}

void mlir::ane::keepOnlyTasks(func::FuncOp func, ArrayRef<Operation *> ops,
                              unsigned numArguments,
                              ArrayRef<DictionaryAttr> attrs) {
  Block &block = func.front();
  block.getTerminator()->setOperands({});
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
  block.eraseArguments(0, numArguments);
  Builder builder(func.getContext());
  func.setFunctionType(
      builder.getFunctionType(block.getArgumentTypes(), TypeRange()));
  func.setAllArgAttrs(attrs);
  func->removeAttr(func.getResAttrsAttrName());
}
