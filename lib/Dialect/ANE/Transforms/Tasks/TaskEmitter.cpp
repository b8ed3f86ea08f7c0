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
#include "ane/Dialect/ANE/Transforms/Numerics/FunctionForms.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::ane;

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

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
  Value buffer = ConstantBufferOp::create(tail, constant.getLoc(),
                                          memrefType(shapeOf(image)), image);
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
  Type element = getElementTypeOrSelf(tensor);
  Value buffer = makeBuffer(tensor.getLoc(), shapeOf(tensor),
                            isElement(element) ? element : Type());
  if (Operation *def = tensor.getDefiningOp())
    for (StringRef name :
         {ANEDialect::getHoldAttrName(), ANEDialect::getPlanNumberAttrName()})
      if (Attribute attribute = def->getAttr(name))
        buffer.getDefiningOp()->setAttr(name, attribute);
  return target = buffer;
}

/// The half from 1 to 2 with which slope / factor is nearest to what f16 has:
/// of 1/6 itself, f16 misses a quarter of a thousandth.
static float factorOfSlope(float slope) {
  auto rounded = [](float value) {
    return ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(value));
  };
  constexpr int halves = 1024;
  float best = 1, minError = std::fabs(rounded(slope) - slope);
  for (int i = 1; i < halves && minError > 0; ++i) {
    float factor = 1 + float(i) / halves;
    float error = std::fabs(rounded(slope / factor) * factor - slope);
    if (error < minError) {
      minError = error;
      best = factor;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

bool TaskEmitter::takesTable(ActivationAttr &act, float &scale) {
  if (!act || act.getKind() == ActivationKind::Relu)
    return false;
  // exp(x) is 2^(x log2 e); real programs put log2 e, rounded to fp16, into the
  // multiplier in front of the table.
  if (act.getKind() == ActivationKind::Exp) {
    constexpr float log2e = 1.44269504f;
    scale *= ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(log2e));
    act = ActivationAttr::get(act.getContext(), ActivationKind::Exp2);
  }
  return true;
}

void TaskEmitter::bypass(Operation *op, Value source, Value target,
                         ActivationAttr act, Value *kept) {
  // A longer row than the engine has, as a flattened argument that is a result,
  // is several, which begin at whole multiples of what its DMA addresses.
  ArrayRef<int64_t> whole = cast<MemRefType>(source.getType()).getShape();
  if (int64_t most = info().maxWidth; whole[3] > most) {
    for (int64_t first = 0; first < whole[3]; first += most) {
      SmallVector<int64_t> row(whole), offsets{0, 0, 0, first};
      row[3] = std::min(most, whole[3] - first);
      bypass(op, subview(op->getLoc(), source, offsets, row),
             subview(op->getLoc(), target, offsets, row), act);
    }
    return;
  }
  // Bytes are copied by the PE (seen); no program has them on the NEs alone.
  if (!getElementTypeOrSelf(source).isF16() && !act) {
    return convert(op->getLoc(), source, target);
  }
  float scale = 1;
  if (act && options.stretchTables && policy().planar.stretchesTables) {
    float factor = ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(tableStretch));
    if (ActivationAttr larger = stretched(act, factor)) {
      scale = factor;
      act = larger;
    }
  }
  if (act && policy().planar.scalesSlopes &&
      act.getKind() == ActivationKind::HardSigmoid) {
    scale = factorOfSlope(act.getAlpha());
    act = ActivationAttr::get(op->getContext(), act.getKind(),
                              act.getAlpha() / scale, act.getBeta());
  }
  takesTable(act, scale);
  // One image a task: the NEs have no loop over the batch. A row of all
  // channels is the least that L2 has to hold.
  ArrayRef<int64_t> shape = cast<MemRefType>(source.getType()).getShape();
  int64_t perChannel = ::ane::hw::alignTo(2 * shape[3], info().l2Align);
  int64_t step =
      std::clamp<int64_t>(info().l2SourceBytes / 2 / perChannel, 1, shape[1]);
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
    TaskSpec spec;
    spec.sources = {{from, kept && shape[0] * parts == 1}};
    spec.target = to;
    TaskResults results = bypass(op->getLoc(), spec, act, scale);
    if (spec.sources[0].keeps)
      *kept = results.kept.front();
  }
}

int64_t TaskEmitter::columnsInL2(int64_t channels, int64_t columns) const {
  const int64_t room = info().l2SourceBytes / 2;
  if (channels * int64_t(::ane::hw::alignTo(2 * columns, info().l2Align)) <=
      room)
    return columns;
  // Rows start at whole alignments.
  const int64_t align = info().dmaAlign / sizeof(uint16_t);
  return std::max(align, room / (2 * channels) / align * align);
}

LogicalResult TaskEmitter::copy(Operation *user, Value tensor, Value target) {
  FailureOr<Value> source = memref(user, tensor);
  if (failed(source))
    return failure();
  bypass(user, *source, target, ActivationAttr());
  return success();
}

LogicalResult TaskEmitter::emitGenerally(Operation *op) {
  if (failed(checkLegal(op, {info(), policy()})))
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
        return op->emitOpError("is not an op that one task can do; run "
                               "ane-decompose and ane-legalize first");
      });
}

LogicalResult TaskEmitter::emit(Operation *op) {
  if (op->getNumResults() == 1 && isComputed(op->getResult(0)) &&
      !isRank4F16(op->getResult(0).getType()) && !isa<CastOp>(op))
    return op->emitOpError("has a result of type ")
           << op->getResult(0).getType()
           << ", but tasks compute f16 of rank 4; run ane-legalize";
  // The interleave after it does both.
  if (auto transpose = dyn_cast<TransposeOp>(op);
      transpose && isStoredInterleaved(transpose))
    return success();
  std::optional<LogicalResult> status;
  if (auto own = policy().planar.emit)
    status = own(*this, op);
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
