//===- TaskEmitter.cpp - Tensor ops to tasks ------------------------------===//
//
// Part of mlir-ane, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping of memrefs, and the ops other than convolution. The latter is
// in TaskEmitterConv.cpp.
//
//===----------------------------------------------------------------------===//

#include "TaskEmitter.h"

#include "Legalize.h"

#include "ane/Dialect/ANE/IR/Shapes.h"
#include "ane/HW/Float16.h"
#include "ane/HW/Layout.h"

#include "mlir/IR/Matchers.h"
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
      if (function && policy().plansTiles && isBentNearZero(*function)) {
        scale = ::ane::hw::fromHalfBits(::ane::hw::toHalfBits(tableStretch));
        function =
            ActivationAttr::get(op->getContext(), function->getKind(), scale);
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

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

// The bits of the first element of a constant.
static std::optional<uint16_t> firstHalf(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat())
      return dense.getSplatValue<APFloat>().bitcastToAPInt().getZExtValue();
    return std::nullopt;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || value.getNumElements() != 1)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || blob->getData().size() < 2)
    return std::nullopt;
  uint16_t bits;
  std::memcpy(&bits, blob->getData().data(), sizeof(bits));
  return bits;
}

std::optional<float> mlir::ane::getScalarConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant ||
      !cast<ShapedType>(constant.getType()).getElementType().isF16())
    return std::nullopt;
  std::optional<uint16_t> bits = firstHalf(constant.getValue());
  if (!bits)
    return std::nullopt;
  return ::ane::hw::fromHalfBits(*bits);
}

static bool peCanDo(std::optional<ActivationAttr> act) {
  return !act || act->getKind() == ActivationKind::Relu ||
         act->getKind() == ActivationKind::Abs;
}

LogicalResult TaskEmitter::emitElementwise(ElementwiseOp op) {
  if (op.getKind() == ElementwiseKind::Div ||
      op.getKind() == ElementwiseKind::Pow)
    return op.emitOpError("computes ")
           << stringifyElementwiseKind(op.getKind())
           << ", but the PE has add, sub, mul, max and min; run ane-decompose";
  if (centred(op.getResult())) { // whoever reads it looks at what it is of
    FailureOr<Value> source = memref(op, op.getLhs());
    if (succeeded(source))
      bind(op.getResult(), *source);
    return source;
  }
  // A function that only a table has needs a pass of its own.
  std::optional<ActivationAttr> act = op.getActivation(), later;
  if (!peCanDo(act))
    std::swap(act, later);
  Value target = destination(op.getResult());
  Value result = target;
  if (later)
    result =
        BufferOp::create(head, op.getLoc(), target.getType(), IntegerAttr());
  op.setActivationAttr(act.value_or(ActivationAttr()));

  LogicalResult status = success();
  if (std::optional<float> value = getScalarConstant(op.getRhs())) {
    status = emitScalar(op, op.getLhs(), *value, false, result);
  } else if (std::optional<float> value = getScalarConstant(op.getLhs())) {
    status = emitScalar(op, op.getRhs(), *value, true, result);
  } else {
    status = emitPair(op, result);
  }
  if (later && succeeded(status))
    status = bypass(op, result, target, later);
  return status;
}

int64_t TaskEmitter::getRowsInL2(const ::ane::hw::GenerationInfo &info,
                                 ArrayRef<int64_t> source) {
  int64_t row = source[1] * ::ane::hw::alignTo(2 * source[3], info.l2Align) +
                3 * info.l2Align; // what rows are moved apart by
  return info.l2SourceBytes / 8 / row;
}

// In how many batches, and how many rows at a time, a pair of this shape is
// computed. The copy of a source that is repeated is a task of the NEs, which
// have no loop over the batch, and its result lies in L2 as a whole: one image
// and some rows at a time.
static std::pair<int64_t, int64_t>
cutPair(const ::ane::hw::GenerationInfo &info, ArrayRef<int64_t> shape,
        ValueRange sources) {
  int64_t batches = 1, rows = shape[2];
  for (Value value : sources) {
    ArrayRef<int64_t> source = shapeOf(value);
    if (source == shape)
      continue;
    if (source[0] > 1)
      batches = shape[0];
    if (source[2] > 1)
      rows =
          std::clamp<int64_t>(TaskEmitter::getRowsInL2(info, source), 1, rows);
  }
  return {batches, rows};
}

// A source of a pair may be repeated along W, H, C or the batch where it lies
// in L2, so a task in front of it copies it there (seen in all recorded
// broadcasts).
LogicalResult TaskEmitter::emitPair(ElementwiseOp op, Value target) {
  for (Value operand : op->getOperands())
    if (std::optional<Centred> from = centred(operand))
      return emitNormalize(op, *from, target);
  FailureOr<Value> lhs = memref(op, op.getLhs());
  FailureOr<Value> rhs = memref(op, op.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  Value first = *lhs, second = *rhs;
  float scale = op.getScale().convertToFloat();
  ArrayRef<int64_t> shape = shapeOf(target);
  if (shapeOf(first) != shape && shapeOf(second) == shape) {
    std::swap(first, second);
    if (op.getKind() == ElementwiseKind::Sub)
      scale = -scale; // s (a - b) = -s (b - a)
  }
  bool reluRhs = isAddedRelu(op.getLhs()) || isAddedRelu(op.getRhs());
  bool isRepeated[] = {shapeOf(first) != shape, shapeOf(second) != shape};
  int64_t batches, rows;
  std::tie(batches, rows) = cutPair(info(), shape, {first, second});
  for (int64_t n = 0; n < batches; ++n)
    for (int64_t top = 0; top < shape[2]; top += rows) {
      int64_t height = std::min(rows, shape[2] - top);
      auto box = [&](Value value) {
        SmallVector<int64_t> part(shapeOf(value)), offsets(4, 0);
        if (batches > 1) {
          offsets[0] = part[0] == 1 ? 0 : n;
          part[0] = 1;
        }
        if (part[2] > 1) {
          offsets[2] = top;
          part[2] = height;
        }
        return subview(op.getLoc(), value, offsets, part);
      };
      Value to = box(target), resident[2];
      SmallVector<Value> loads;
      for (int i : {0, 1}) {
        Value part = box(i == 0 ? first : second);
        if (isRepeated[i])
          resident[i] = keep(op.getLoc(), part);
        else
          loads.push_back(part);
      }
      auto type = getTypeInL2(cast<MemRefType>(to.getType()));
      task(op.getLoc(), loads, to, [&](OpBuilder &builder, ValueRange tiles) {
        Value left = resident[0] ? resident[0] : tiles.front();
        Value right = resident[1] ? resident[1] : tiles.back();
        return PeElementwiseOp::create(builder, op.getLoc(), type, op.getKind(),
                                       left, right, llvm::APFloat(scale),
                                       op.getBias(), op.getActivationAttr(),
                                       /*exchange_lhs=*/false,
                                       /*exchange_rhs=*/false,
                                       /*exchange=*/false, reluRhs)
            .getResult();
      });
    }
  return success();
}

Value TaskEmitter::keep(Location loc, Value source, float scale) {
  auto type = getTypeInL2(cast<MemRefType>(source.getType()));
  auto op = TaskOp::create(tail, loc, TypeRange(type));
  OpBuilder body = OpBuilder::atBlockBegin(&op.getBody().front());
  Value tile = DmaLoadOp::create(body, loc, type, source, Residency::Streamed);
  Value copy = NeBypassOp::create(body, loc, type, tile, Value(),
                                  llvm::APFloat(scale), ActivationAttr());
  YieldOp::create(body, loc, copy);
  return op.getResult(0);
}

// One operand is a number: scale and bias of a pass over the other one, or a
// clamp where the function is max or min.
LogicalResult TaskEmitter::emitScalar(ElementwiseOp op, Value tensor,
                                      float value, bool scalarFirst,
                                      Value target) {
  FailureOr<Value> source = memref(op, tensor);
  if (failed(source))
    return failure();
  float scale = op.getScale().convertToFloat();
  float bias = op.getBias().convertToFloat();
  switch (op.getKind()) {
  case ElementwiseKind::Add:
    bias += scale * value;
    break;
  case ElementwiseKind::Sub:
    bias += scalarFirst ? scale * value : -scale * value;
    scale = scalarFirst ? -scale : scale;
    break;
  case ElementwiseKind::Mul:
    scale *= value;
    break;
  case ElementwiseKind::Max:
  case ElementwiseKind::Min: {
    if (scale != 1 || bias != 0 || op.getActivation() ||
        source->getType() != target.getType())
      return op.emitOpError("is a bound with a scale, bias, activation or "
                            "broadcast, which takes two passes; run "
                            "ane-decompose");
    double infinity = std::numeric_limits<double>::infinity();
    bool isMax = op.getKind() == ElementwiseKind::Max;
    auto clamp = ActivationAttr::get(op.getContext(), ActivationKind::Clamp,
                                     isMax ? value : -infinity,
                                     isMax ? infinity : value);
    if (isMax && value == 0)
      clamp = ActivationAttr::get(op.getContext(), ActivationKind::Relu);
    return bypass(op, *source, target, clamp);
  }
  default:
    llvm_unreachable("not a function of the PE");
  }
  task(op.getLoc(), *source, target, [&](OpBuilder &builder, ValueRange tiles) {
    return PeUnaryOp::create(builder, op.getLoc(),
                             getTypeInL2(cast<MemRefType>(target.getType())),
                             tiles[0], llvm::APFloat(scale),
                             llvm::APFloat(bias), op.getActivationAttr())
        .getResult();
  });
  return success();
}

// Planes are made of whole channels, so some of them at a time where a row of
// all does not fit L2 with what of the result passes through it.
void TaskEmitter::interleave(Location loc, Value source, Value target,
                             int64_t factor) {
  SmallVector<int64_t> in(cast<MemRefType>(source.getType()).getShape());
  SmallVector<int64_t> out(cast<MemRefType>(target.getType()).getShape());
  int64_t perChannel =
      in[3] * sizeof(uint16_t) +
      ::ane::hw::streamedResultBytes(/*channels=*/1, in[3], sizeof(uint16_t),
                                     /*isNeural=*/false);
  int64_t channels = in[1], room = info().l2SourceBytes;
  int64_t step = std::max<int64_t>(factor, room / perChannel / factor * factor);
  for (int64_t first = 0; first < channels; first += step) {
    in[1] = std::min(step, channels - first);
    out[1] = in[1] / factor;
    Value from = subview(loc, source, {0, first, 0, 0}, in);
    Value to = subview(loc, target, {0, first / factor, 0, 0}, out);
    task(loc, from, to, [&](OpBuilder &builder, ValueRange tiles) {
      return PeInterleaveOp::create(builder, loc,
                                    getTypeInL2(cast<MemRefType>(to.getType())),
                                    tiles[0], factor)
          .getResult();
    });
  }
}

LogicalResult TaskEmitter::emitInterleave(InterleaveOp op) {
  if (auto conv = op.getInput().getDefiningOp<ConvOp>();
      conv && storedInterleave(conv))
    return success(); // the convolution has stored it
  // Seen: an exchange of the NEs stores its result interleaved.
  if (auto transpose = op.getInput().getDefiningOp<TransposeOp>();
      transpose && isStoredInterleaved(transpose)) {
    FailureOr<Value> source = memref(op, transpose.getInput());
    if (failed(source))
      return failure();
    Value rows = permute(op.getLoc(), *source, {0, 2, 1, 3});
    exchange(op.getLoc(), rows, destination(op.getResult()), op.getFactor());
    return success();
  }
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  interleave(op.getLoc(), *source, destination(op.getResult()), op.getFactor());
  return success();
}

Value TaskEmitter::zeroBuffer(Location loc) {
  auto type = RankedTensorType::get({1, 1, 1, 1}, tail.getF16Type());
  Value zero = ConstantOp::create(
      tail, loc,
      DenseElementsAttr::get(type, APFloat::getZero(APFloat::IEEEhalf())));
  return ConstantBufferOp::create(tail, loc, dramType({1, 1, 1, 1}), zero);
}

// One image a task, as for all of the NEs, and columns whose channels fit L2 at
// once.
LogicalResult TaskEmitter::emitMaxOfChannels(ReduceOp op) {
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  Value target = destination(op.getResult());
  SmallVector<int64_t> in(cast<MemRefType>(source->getType()).getShape());
  SmallVector<int64_t> out(cast<MemRefType>(target.getType()).getShape());
  int64_t batches = in[0], width = in[3], step = width;
  int64_t align = info().dmaAlign / sizeof(uint16_t);
  int64_t room = info().l2SourceBytes / 2 / in[1];
  if (int64_t(::ane::hw::alignTo(2 * width, info().l2Align)) > room)
    step = std::max(align, room / 2 / align * align);
  in[0] = out[0] = 1;
  for (int64_t at = 0, parts = llvm::divideCeil(width, step);
       at < batches * parts; ++at) {
    int64_t n = at / parts, left = at % parts * step;
    in[3] = out[3] = std::min(step, width - left);
    Value from = subview(op.getLoc(), *source, {n, 0, 0, left}, in);
    Value to = subview(op.getLoc(), target, {n, 0, 0, left}, out);
    task(op.getLoc(), from, to, [&](OpBuilder &builder, ValueRange tiles) {
      return NeReduceOp::create(builder, op.getLoc(),
                                getTypeInL2(cast<MemRefType>(to.getType())),
                                ReduceKind::Max, tiles[0], Value(),
                                ActivationAttr())
          .getResult();
    });
  }
  return success();
}

LogicalResult TaskEmitter::emitReduce(ReduceOp op) {
  SmallVector<int64_t> axes(op.getAxes());
  llvm::sort(axes);
  if (axes == ArrayRef<int64_t>{1} && op.getKind() == ReduceKind::Max &&
      !op.getActivation())
    return emitMaxOfChannels(op);
  bool rows = axes == ArrayRef<int64_t>{3};
  if (!rows && axes != ArrayRef<int64_t>{2, 3})
    return op.emitOpError("reduces other dimensions than {3} or {2, 3}, which "
                          "the PE cannot do in one pass; run ane-decompose");
  if (op.getKind() == ReduceKind::Min)
    return op.emitOpError(
        "computes min, but the PE reduces by sum, mean and max; negate before "
        "and after a max");
  FailureOr<Value> source = memref(op, op.getInput());
  if (failed(source))
    return failure();
  Value target = destination(op.getResult());
  bool squares = op.getKind() == ReduceKind::SumSquare ||
                 op.getKind() == ReduceKind::MeanSquare;
  std::optional<Centred> from = centred(op.getInput());
  // Rows are reduced as groups of the engine, which then has none for a batch.
  ArrayRef<int64_t> in = cast<MemRefType>(source->getType()).getShape();
  ArrayRef<int64_t> out = cast<MemRefType>(target.getType()).getShape();
  int64_t batches = rows && in[2] > 1 ? in[0] : 1;
  SmallVector<int64_t> inShape(in), outShape(out);
  if (batches > 1)
    inShape[0] = outShape[0] = 1;
  for (int64_t n = 0; n < batches; ++n) {
    Value part = subview(op.getLoc(), *source, {n, 0, 0, 0}, inShape);
    Value to = subview(op.getLoc(), target, {n, 0, 0, 0}, outShape);
    // Squares are of sums with a second source.
    Value offset;
    if (from) {
      FailureOr<Value> means = meansOf(op, *from, in[1]);
      if (failed(means))
        return failure();
      offset = keep(op.getLoc(), *means, -1);
    } else if (squares) {
      offset = keep(op.getLoc(), zeroBuffer(op.getLoc()));
    }
    task(op.getLoc(), part, to, [&](OpBuilder &builder, ValueRange tiles) {
      return PeReduceOp::create(builder, op.getLoc(),
                                getTypeInL2(cast<MemRefType>(to.getType())),
                                op.getKind(), tiles[0], offset,
                                op.getActivationAttr())
          .getResult();
    });
  }
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
